"""`index` and the verbs that read a catalog. Python's SQLite reads it independently."""

import collections
import contextlib
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
from pathlib import Path

from compare import compare
from expected import summary
from making import HOSTILE, oracle_of
from runner import same

ANY = (0, 3)


def catalog_of(archive):
    return archive / ".reprise/catalog.sqlite"


@contextlib.contextmanager
def open_catalog(archive):
    """A connection that is closed at the end: an open one to a deleted file may share its state with a new file."""
    connection = sqlite3.connect(f"file:{catalog_of(archive)}?mode=ro", uri=True)
    connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    connection.row_factory = sqlite3.Row
    with contextlib.closing(connection):
        same(connection.execute("pragma integrity_check").fetchone()[0], "ok", "integrity")
        yield connection


def index(command, archive, *more):
    report = command.json("index", *more, archive, exits=ANY)
    report.pop("catalog")
    with open_catalog(archive) as connection:
        same(report.pop("statuses"), dict(map(tuple, connection.execute(
            "select status, count(*) from file where removed = 0 group by status"))), "statuses")
    return report


def files_of(archive):
    """The files in the catalog that still exist: {path: row}."""
    with open_catalog(archive) as connection:
        rows = connection.execute("select * from file where removed = 0").fetchall()
    return {row["path"]: row for row in rows}


def check_values(command, archive, kinds):
    """Every value of every file: by hashing it, and by the oracles."""
    report = index(command, archive)
    same(report, {"files": len(kinds), "added": len(kinds), "changed": 0, "moved": 0, "removed": 0, "unchanged": 0}, "report")
    files = files_of(archive)
    same(sorted(files), sorted(str(Path(path).relative_to(archive)) for path in kinds), "paths")
    compared = collections.Counter()
    with open_catalog(archive) as connection:
        for path, kind in kinds.items():
            data = Path(path).read_bytes()
            row = files[str(Path(path).relative_to(archive))]
            same(row["size"], len(data), path)
            same(row["mtime_ns"], os.stat(path).st_mtime_ns, path)
            same(row["sha256"], hashlib.sha256(data).hexdigest(), path)
            if kind == "other":
                same((row["status"], row["format"]), ("not a replay", None), path)
            module = oracle_of(Path(path), data) if kind in ("good", "copy") else None
            known = summary(module, Path(path), data) if module else None
            if not known:
                continue
            same(row["format"], known[0], path)
            line = dict(connection.execute(f"select * from {known[0]} where file_id = ?", [row["id"]]).fetchone())
            for column, value in known[1].items():
                ours = line[column]
                if isinstance(value, list):
                    ours = json.loads(ours)
                elif isinstance(value, bool):
                    ours = bool(ours)
                for place, left, right, agrees in compare(ours, value, column):
                    assert agrees, f"{path}: {place}: {left!r}, expected {right!r}"
                compared[known[0]] += 1
    assert len(compared) >= 8 and min(compared.values()) >= 9, compared


def check_people_metrics_and_words(command, archive, kinds):
    index(command, archive)
    stats = {d["file"]: d for d in command.json("stats", archive, exits=(0, 3, 5, 6)) if "derived" in d}
    infos = {d["file"]: d for d in command.json("info", archive, exits=(0, 3, 5, 6)) if "people" in d}
    files, chats, decided = files_of(archive), 0, 0
    with open_catalog(archive) as connection:
        for path, kind in kinds.items():
            if kind != "good":
                continue
            key = files[str(Path(path).relative_to(archive))]["id"]
            people = [(p["name"], p["outcome"].lower() if p.get("outcome") else None)
                      for p in infos[path]["people"] if "name" in p]
            ours = connection.execute("select name, outcome from file_player where file_id = ? order by slot", [key])
            same([tuple(row) for row in ours], people, f"{path}: people")
            decided += any(outcome for _, outcome in people)
            if path not in stats:
                continue
            metrics = dict(connection.execute("select name, value from metric where file_id = ? and player = ''", [key]))
            numbers = {name: value for part in ("recorded", "derived") for name, value in stats[path][part].items()
                       if isinstance(value, (int, float)) and not isinstance(value, bool)}
            for name, value in numbers.items():
                assert abs(metrics[name] - value) <= 1e-6 * max(1, abs(value)), (path, name, metrics.get(name), value)
            for line in stats[path]["recorded"].get("chat", []):
                found = connection.execute("select count(*) from word where file_id = ? and kind = 'chat' and text = ?",
                                           [key, line["text"]]).fetchone()[0]
                chats += found > 0 or not line["text"]
                assert found or not line["text"], (path, line)
    assert chats > 5 and decided > 5, (chats, decided)


def check_what_changes(command, archive, kinds):
    index(command, archive)
    before = files_of(archive)
    same(index(command, archive)["unchanged"], len(kinds), "unchanged")
    moved, gone, touched = sorted(path for path, kind in kinds.items() if "/samples/openra/" in path)[:3]
    target = archive / "elsewhere/deeper" / Path(moved).name
    target.parent.mkdir(parents=True)
    shutil.move(moved, target)
    os.unlink(gone)
    Path(touched).write_bytes(Path(touched).read_bytes() + b"\0")
    shutil.copy(target, archive / "new.orarep")
    same(index(command, archive), {"files": len(kinds), "added": 1, "changed": 1, "moved": 1, "removed": 1,
                                   "unchanged": len(kinds) - 3}, "report")
    after = files_of(archive)
    old = str(Path(moved).relative_to(archive))
    same(old in after, False, "moved file")
    kept = {after[str(target.relative_to(archive))]["id"], after["new.orarep"]["id"]}
    assert before[old]["id"] in kept, "the id of a moved file"
    assert str(Path(gone).relative_to(archive)) not in after
    shutil.copy(target, gone)
    same(index(command, archive)["changed"], 1, "a file that is back")
    # Files that were not asked for are not removed.
    same(index(command, archive, "--include=*.icrep")["removed"], 0, "removed")


def check_the_last_line(command, archive, kinds):
    """Good and damaged files are counted in the complete catalog, also if only some were looked for."""
    index(command, archive)
    for more, found in (([], len(kinds)), (["--include=*.orarep"], None)):
        line = command.run("index", *more, archive, exits=ANY).stderr.decode().splitlines()[-1]
        counts = [int(n) for n in re.findall(r"(\d+) (?:good|warned|damaged|not replays|over a limit|failed)", line)]
        same(sum(counts), len(kinds), line)
        files = int(re.search(r"found (\d+) files", line)[1])
        same(files == found if found else f"; of all {len(kinds)}: " in line and files < len(kinds), True, line)


def check_large_numbers(command, archive, kinds):
    """Numbers beyond 32 bits are texts in JSON only."""
    index(command, archive)
    with open_catalog(archive) as connection:
        known = [str(row[0]) for row in connection.execute("select mtime_ns from file order by path limit 5")]
    sql = "select mtime_ns from file order by path limit 5"
    same(command.text("query", archive, sql, "--format-out=csv").split()[1:], known, "CSV")
    same(command.text("query", archive, sql).split()[1:], known, "table")


def check_a_killed_indexer(command, archive, kinds):
    """Whenever it ends, the catalog is sound and the next run completes it."""
    for seconds in (0, 0.05, 0.2, 0.4):
        process = subprocess.Popen([command.program, "index", archive], env=command.environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        process.wait()
    report = index(command, archive)
    same(report["added"] + report["changed"] + report["unchanged"], len(kinds), "files")
    same(len(files_of(archive)), len(kinds), "files in the catalog")
    same(index(command, archive)["unchanged"], len(kinds), "unchanged")


def check_two_indexers(command, archive, kinds):
    both = [subprocess.Popen([command.program, "index", archive], env=command.environment, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE) for _ in range(2)]
    for process in both:
        words = process.communicate()[1]
        assert process.returncode in ANY, words
    same(len(files_of(archive)), len(kinds), "files in the catalog")
    same(index(command, archive)["unchanged"], len(kinds), "unchanged")


def check_damaged_catalogs(command, archive, kinds):
    index(command, archive)
    path = catalog_of(archive)
    good = path.read_bytes()
    middle = len(good) // 2 // 4096 * 4096
    damaged = {"zeros": good[:100] + bytes(len(good) - 100), "cut": good[:middle],
               "noise": good[:4096] + bytes(i * 7 % 251 for i in range(len(good) - 4096)), "text": b"not a database\n" * 600}
    for name, data in damaged.items():
        path.write_bytes(data)
        done = command.run("index", archive, exits=(5,))
        assert b"--rebuild" in done.stderr, (name, done.stderr)
        same(path.read_bytes(), data, f"{name}: the catalog")
    command.run("query", archive, "select * from file", exits=(5,))
    same(index(command, archive, "--rebuild")["added"], len(kinds), "rebuilt")
    with sqlite3.connect(path) as connection:
        connection.execute("pragma user_version = 99")
    command.run("query", archive, "select 1", exits=(5,))
    command.run("index", archive, exits=(5,))
    other = archive.parent / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("create table x (y)")
    command.run("query", other, "select 1", exits=(4,))
    command.run("index", "--catalog", other, archive, exits=(4,))
    command.run("query", archive / "samples", "select 1", exits=(1,))


def rows_of_tables(path, tables):
    with sqlite3.connect(path) as connection:
        rows = {table: sorted(map(repr, connection.execute(f"select * from {table}"))) for table in tables}
        connection.execute("insert into search (search, rank) values ('integrity-check', 1)")
    connection.close()
    return rows


def check_a_table_that_cannot_be_written(command, archive, kinds):
    """Whichever it is: the indexer fails, says why, and leaves all tables as they were."""
    only = "--include=p2*.orarep"  # with people, metrics and words
    index(command, archive, only)
    path, folder = catalog_of(archive), archive / "samples/openra"
    contents = [(folder / name).read_bytes() for name in ("p20-server-4p-disconnect.orarep", "p21-bots-medium.orarep")]
    tables = ["file", "openra", "player", "file_player", "metric", "word"]
    for i, table in enumerate(tables):
        (folder / "p20-desync.orarep").write_bytes(contents[i % 2])
        before = rows_of_tables(path, tables)
        with sqlite3.connect(path) as connection:
            connection.executescript("".join(
                f"create trigger no_{verb} before {verb} on {table} begin select raise(abort, 'no room for {table}'); end;"
                for verb in ("insert", "update")))
        connection.close()
        done = command.run("index", only, archive, exits=(1,))
        assert f"no room for {table}".encode() in done.stderr, (table, done.stderr)
        same(rows_of_tables(path, tables), before, f"rows after {table}")
        with sqlite3.connect(path) as connection:
            connection.executescript("drop trigger no_insert; drop trigger no_update")
        connection.close()
        same(index(command, archive, only)["changed"], 1, f"the next run after {table}")
        assert rows_of_tables(path, tables) != before, table


def check_a_column_of_a_later_version(command, archive, kinds):
    index(command, archive)
    with sqlite3.connect(catalog_of(archive)) as connection:
        count = connection.execute("select count(*) from cs2kz").fetchone()[0]
        connection.execute("alter table cs2kz drop column player_id")
    report = index(command, archive)
    same(report["changed"], count, "files that are read again")
    with open_catalog(archive) as connection:
        assert connection.execute("select count(player_id) from cs2kz").fetchone()[0] > 5


def check_queries_cannot_write(command, archive, kinds):
    index(command, archive)
    data = catalog_of(archive).read_bytes()
    for sql in ("delete from file", "insert into meta values ('a', 'b')", "attach 'x.sqlite' as x", "pragma journal_mode=delete",
                "select 1; delete from file", "create table t (x)", "vacuum", "", "select * from nowhere", "select load_extension('x')"):
        command.run("query", archive, sql, exits=(2,))
    same(catalog_of(archive).read_bytes(), data, "the catalog")
    assert not (archive.parent / "x.sqlite").exists()


def check_hostile_names(command, archive, kinds):
    index(command, archive)
    files = files_of(archive)
    for name in HOSTILE:
        assert f"hostile/{name}" in files, name
    for arguments in (["duplicates"], ["records"], ["players"]):
        text = command.text(*arguments, archive)
        assert "\x1b" not in text and "\u202e" not in text, arguments
    text = command.text("query", archive, "--where", "file ~ hostile", "--columns", "file")
    same(len(text.splitlines()), 1 + len(HOSTILE), "lines")
    assert "\x1b" not in text and "\u202e" not in text
    injection = "x' or 1=1; drop table file; --"
    same(command.json("query", archive, "--where", f'map = "{injection}"'), [], "injection")
    command.run("query", archive, "--search", injection, exits=(2,))
    command.run("query", archive, "--columns", "file] from file; --", exits=(2,))
    command.run("query", archive, "--of", "file] --", exits=(2,))
    same(command.json("players", archive, injection), [], "players")
    same(len(files_of(archive)), len(kinds), "files")


def check_filters(command, archive, kinds):
    index(command, archive)
    with open_catalog(archive) as connection:
        known = connection.execute(
            "select path, time from cs2kz join file on id = file_id where time < 1 and mode = 'Classic' order by time desc, path"
        ).fetchall()
    ours = command.json("query", archive, "--of=cs2kz", "--where", "time < 0:01 and mode = Classic", "--sort=-time,file",
                        "--columns=file,time")
    same([(row["file"], row["time"]) for row in ours], [tuple(row) for row in known], "rows")
    assert len(ours) > 4
    found = command.json("query", archive, "--search", "Alice", "--columns=file,format")
    names = {d["file"] for d in command.json("info", archive, exits=(0, 3, 5, 6))
             if any("alice" in str(p.get("name")).lower().split() for p in d.get("people", []))}
    assert names and names <= {str(archive / row["file"]) for row in found}
    csv = command.text("query", archive, "--format-out=csv", "select 'a,b' as x, 1 as y, null as z")
    same(csv, 'x,y,z\n"a,b",1,\n', "csv")


def runs_of(archive, rows):
    """Makes a catalog whose runs are these: (player, time, teleports, date, mode, styles)."""
    with sqlite3.connect(catalog_of(archive)) as connection:
        connection.execute("delete from cs2kz")
        for i, (player, time, teleports, date, mode, styles) in enumerate(rows):
            key = 100000 + i
            connection.execute("insert into file (id, path, size, mtime_ns, status, format, identity) values (?, ?, 1, 1, 'ok', 'cs2kz', ?)",
                               [key, f"r{i}", f"run {player} {time} {date}"])
            connection.execute("insert into cs2kz (file_id, map, course, mode, time, teleports, player, date, styles, type) "
                               "values (?, 'kz_a', 'Main', ?, ?, ?, ?, ?, ?, 'run')", [key, mode, time, teleports, player, date, styles])
    connection.close()


def check_records(command, archive, kinds):
    index(command, archive, "--include=*.icproof")
    runs_of(archive, [
        ("ann", 20.0, 0, "2025-01-01 00:00:00", "Classic", None), ("bob", 18.0, 0, "2025-01-02 00:00:00", "Classic", None),
        ("cid", 19.0, 0, "2025-01-03 00:00:00", "Classic", None), ("dan", 18.0, 0, "2025-01-04 00:00:00", "Classic", None),
        ("ann", 15.0, 3, "2025-01-05 00:00:00", "Classic", None), ("eve", 16.0, 1, "2025-01-06 00:00:00", "Classic", None),
        ("bob", 18.0, 0, "2025-01-02 00:00:00", "Classic", None),  # a copy of the second
        ("fay", 9.0, 0, "2025-01-07 00:00:00", "Classic", '["AutoBhop"]'), ("gus", 17.0, 0, "2025-01-08 00:00:00", "Vanilla", None)])
    ours = [(r["mode"], r["kind"], r["styles"], r["time"], r["player"], r["runs"]) for r in command.json("records", archive)]
    same(ours, [("Classic", "pro", None, 18.0, "bob", 4), ("Classic", "pro", None, 18.0, "dan", 4),
                ("Classic", "pro", '["AutoBhop"]', 9.0, "fay", 1), ("Classic", "teleport", None, 15.0, "ann", 2),
                ("Vanilla", "pro", None, 17.0, "gus", 1)], "records")
    history = [(r["kind"], r["player"], r["time"], r["gain"]) for r in command.json("records", "--history", "--by=map", archive)
               if r["styles"] is None]
    same(history, [("pro", "ann", 20.0, None), ("pro", "bob", 18.0, 2.0), ("pro", "gus", 17.0, 1.0), ("teleport", "ann", 15.0, None)],
         "history")
    same([r["player"] for r in command.json("records", "--player=dan", archive)], ["dan"], "player")
    command.run("records", "--by=nothing", archive, exits=(2,))
    command.run("records", "--by=map]", archive, exits=(2,))


def check_duplicates(command, archive, kinds):
    run = archive / "samples/cs2kz/a1-run.replay"
    command.run("convert", "--to", "b5", "--lossy", run, archive / "as-b5.replay", exits=ANY)
    match = archive / "samples/rumble/z6_match_like_1.2.4.replay"
    command.run("recompress", match, archive / "smaller.replay", exits=ANY)
    command.run("convert", "--to", "z5", "--lossy", match, archive / "as-z5.replay", exits=ANY)
    index(command, archive)
    groups = collections.defaultdict(set)
    for row in command.json("duplicates", archive):
        groups[row["number"], row["kind"]].add(row["file"])
    by_hash = collections.defaultdict(set)
    files = files_of(archive)
    for path, kind in kinds.items():
        if kind != "other" and files[str(Path(path).relative_to(archive))]["format"]:
            by_hash[hashlib.sha256(Path(path).read_bytes()).digest()].add(str(Path(path).relative_to(archive)))
    same(sorted(map(sorted, (files for (_, kind), files in groups.items() if kind == "bytes"))),
         sorted(sorted(files) for files in by_hash.values() if len(files) > 1), "same bytes")
    runs = [files for (_, kind), files in groups.items() if kind == "run"]
    assert any({"as-b5.replay", "samples/cs2kz/a1-run.replay"} <= files for files in runs), runs
    matches = [files for (_, kind), files in groups.items() if kind == "match"]
    assert any({"smaller.replay", "as-z5.replay", "samples/rumble/z6_match_like_1.2.4.replay"} <= files
               for files in matches), matches
    assert not any("z6_park" in " ".join(files) and "z6_match" in " ".join(files) for files in matches), matches


def check_players(command, archive, kinds):
    index(command, archive)
    known = collections.Counter()
    for document in command.json("info", archive, exits=(0, 3, 5, 6)):
        for key in {(document["format"], str(p.get("id")) if len(str(p.get("id", ""))) > 10 else p["name"])
                    for p in document.get("people", []) if "name" in p and not p.get("bot")}:
            known[key] += 1
    ours = {(row["format"], row["account"] or row["player"]): row["replays"] for row in command.json("players", archive)}
    wrong = {key: (ours.get(key), count) for key, count in known.items() if ours.get(key) != count}
    assert not wrong and len(ours) > 20, list(wrong.items())[:5]


def rows_of(archive):
    """Every row of every table, for comparing catalogs; ids and full-text tables are left out."""
    with open_catalog(archive) as connection:
        return {row["path"]: (row["size"], row["sha256"], row["status"], row["format"], row["removed"],
                              connection.execute("select count(*), total(value) from metric where file_id = ?", [row["id"]]).fetchone()[:],
                              connection.execute("select count(*) from word where file_id = ?", [row["id"]]).fetchone()[0])
                for row in connection.execute("select * from file").fetchall()}


def limited(size):
    def prepare():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return prepare


def check_a_full_disk(command, archive, kinds):
    """Whatever the disk has room for, nothing is lost that was indexed, and the next run completes it."""
    index(command, archive, "--include=*.orarep", "--include=*.replay", "--exclude=generated")
    before = rows_of(archive)
    saved = archive.parent / "saved"
    shutil.copytree(archive / ".reprise", saved)
    size = catalog_of(archive).stat().st_size
    failures = 0
    for room in (0, 4096, 30000, size // 2, size + 4096, size + 200000, 3 * size):
        done = command.run("index", archive, exits=(0, 1, 3), preexec_fn=limited(room))
        failures += done.returncode == 1
        assert done.returncode != 1 or b"catalog" in done.stderr, done.stderr
        after = rows_of(archive)
        same({path: after.get(path) for path in before}, before, f"rows with room for {room} bytes")
        before = after
    assert failures >= 3, failures
    index(command, archive)
    complete = rows_of(archive)
    same(set(complete), {str(Path(path).relative_to(archive)) for path in kinds}, "files")
    shutil.rmtree(archive / ".reprise")
    index(command, archive)
    same(rows_of(archive), complete, "a catalog that was made at once")


def check_a_small_file_system(command, archive, kinds):
    """The same where writing fails with ENOSPC, if the kernel lets us mount a file system."""
    place = archive.parent / "disk"
    place.mkdir()
    catalog = place / "catalog.sqlite"
    run = f"'{command.program}' index --catalog '{catalog}' '{archive}'"
    script = (f"mount -t tmpfs -o size=2m none '{place}' || exit 77; {run} --include '*.replay' --exclude generated; "
              f"cp '{catalog}' '{archive.parent}/before.sqlite'; head -c 100m /dev/zero >'{place}/filler' 2>/dev/null; "
              f"{run}; code=$?; cp '{catalog}'* '{archive.parent}'; rm '{place}/filler'; mount -o remount,size=100m '{place}'; {run}; "
              f"cp '{catalog}' '{archive.parent}/last.sqlite'; echo code $code")
    try:
        done = subprocess.run(["unshare", "--mount", "--map-root-user", "sh", "-c", script], capture_output=True, text=True,
                              env=command.environment)
    except FileNotFoundError:
        done = None
    if not done or "code" not in done.stdout:
        print("not run: a small file system: none can be mounted here")
        return
    assert "code 1" in done.stdout, (done.stdout, done.stderr[-2000:])

    def paths(name):
        connection = sqlite3.connect(archive.parent / name)
        connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        same(connection.execute("pragma integrity_check").fetchone()[0], "ok", name)
        found = dict(connection.execute("select path, sha256 from file").fetchall())
        connection.close()
        return found

    before, full, last = paths("before.sqlite"), paths("catalog.sqlite"), paths("last.sqlite")
    assert before and before.items() <= full.items() <= last.items(), (len(before), len(full), len(last))
    same(len(last), len(kinds), "files at the end")
