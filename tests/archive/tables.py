"""`info` on a folder: columns, order, filters, forms."""

import csv
import io
import json
import os
import re
from pathlib import Path

from compare import compare
from runner import same
from expected import summary
from making import oracle_of

ANY = (0, 3, 5, 6)


def by_file(documents):
    return {document["file"]: document for document in documents}


def check_columns_of_every_file(command, archive, kinds):
    documents = by_file(command.json("info", archive, exits=ANY))
    compared = {}
    for path, kind in kinds.items():
        data = Path(path).read_bytes()
        module = oracle_of(Path(path), data) if kind in ("good", "copy") else None
        known = summary(module, Path(path), data) if module else None
        if not known:
            continue
        name, columns = known
        same(documents[path]["format"], name, path)
        same(list(documents[path]["summary"]), list(columns), f"{path}: columns")
        for place, ours, expected, agrees in compare(documents[path]["summary"], columns, ""):
            assert agrees, f"{path}: {place}: {ours!r}, expected {expected!r}"
        for column, value in columns.items():
            compared.setdefault(name, {}).setdefault(column, 0)
            compared[name][column] += value is not None
    formats = ["rumble", "cs2kz", "mcreplay", "mccamera", "openra", "remastered", "icrep", "icsave"]
    for name in formats:
        empty = [column for column, count in compared[name].items() if not count]
        assert not empty, f"{name}: nothing was compared in {empty}"


def check_files_found(command, archive, kinds):
    done = command.run("info", "--json", archive, exits=ANY)
    documents = by_file(json.loads(done.stdout))
    for path, kind in kinds.items():
        if kind in ("good", "copy"):
            assert "summary" in documents[path], path
        if kind == "other":
            assert path not in documents, path
    assert str(archive / ".hidden.replay") not in documents
    found, good = map(int, re.search(rb"found (\d+) files: (\d+) good", done.stderr).groups())
    numbers = [int(number) for number in re.findall(rb"(\d+) (?:good|warned|damaged|not replays|over a limit|failed)",
                                                    done.stderr.splitlines()[-1])]
    same(found, len(kinds), "files found")
    same(sum(numbers), found, "files counted")
    assert good >= 50 and re.search(rb"not replays, (?:.*, )?in \d+\.\d\d s$", done.stderr), done.stderr[-300:]
    same(list(documents), sorted(documents, key=os.fsencode), "order")


def check_order_of_threads(command, archive, kinds):
    texts = {command.text("info", f"--jobs={jobs}", archive, exits=ANY) for jobs in (1, 2, 7)}
    same(len(texts), 1, "different tables")


def check_tables_of_families(command, archive, kinds):
    text = command.text("info", archive, exits=ANY)
    headings = re.findall(r"^(\w+): .+\nfile +(.*)$", text, re.M)
    columns = {name: re.split(r"  +", line) for name, line in headings}
    same(columns["cs2kz"][:7], ["map", "course", "mode", "time", "teleports", "player", "date"], "cs2kz")
    same(columns["rumble"][:4], ["players", "map", "length", "result"], "rumble")
    same(columns["openra"][:5], ["map", "players", "winner", "length", "version"], "openra")
    same(columns["mcreplay"][:2], ["entities", "length"], "mcreplay")
    same(columns["icrep"][:4], ["map", "players", "outcome", "signed"], "icrep")
    same(columns["icsave"][:3], ["title", "campaign", "date"], "icsave")
    assert "\x1b" not in text and "\u202e" not in text


def check_where_and_sort(command, archive, kinds):
    every = command.json("info", archive, exits=ANY)
    runs = [d for d in every if d.get("format") == "cs2kz" and d["summary"]["time"] is not None]
    condition = 'time < 1 and mode = "Classic" or mode = Vanilla and time >= 0:0.7'
    wanted = [d for d in runs if (d["summary"]["time"] < 1 and d["summary"]["mode"] == "Classic") or
              (d["summary"]["mode"] == "Vanilla" and d["summary"]["time"] >= 0.7)]
    assert 3 < len(wanted) < len(runs)
    ours = command.json("info", "--where", condition, "--sort=-time,file", archive, exits=ANY)
    wanted.sort(key=lambda d: (-d["summary"]["time"], os.fsencode(d["file"])))
    same([d["file"] for d in ours], [d["file"] for d in wanted], "files")
    both = command.json("info", "--where", "time < 1", "--where", "mode = Classic", archive, exits=ANY)
    same(len(both), sum(d["summary"]["time"] < 1 and d["summary"]["mode"] == "Classic" for d in runs), "both")
    few = command.json("info", "--where", condition, "--sort=time", "--limit-rows=2", archive, exits=ANY)
    same([d["file"] for d in few], [d["file"] for d in sorted(wanted, key=lambda d: d["summary"]["time"])][:2], "few")
    last = wanted[-1]["summary"]["time"]
    others = command.json("info", "--where", f"time != {last}", archive, exits=ANY)
    having = [d for d in every if "time" in d.get("summary", {})]
    assert any(d["summary"]["time"] is None for d in having)
    same([d["file"] for d in others], [d["file"] for d in having if d["summary"]["time"] != last], "null is unequal")
    alice = command.json("info", "--where", "winner = Alice and format = openra", archive, exits=ANY)
    same(len(alice), sum(d.get("format") == "openra" and "Alice" in (d["summary"]["winner"] or []) for d in every),
         "winners")
    same(command.json("info", "--where", "map ~ nowhere", archive, exits=ANY), [], "nothing")


def check_names_of_columns(command, archive, kinds):
    for arguments in (["--columns", "tme"], ["--where", "tme < 1"], ["--sort", "-tme"], ["--where", "time < fast"],
                      ["--where", "time"], ["--where", "time < 1 and"], ["--long", "--sort", "time"]):
        done = command.run("info", *arguments, archive, exits=(2,))
        same(done.stdout, b"", arguments)
    assert b"teleports" in command.run("info", "--columns=tme", archive, exits=(2,)).stderr


def check_csv(command, archive, kinds):
    documents = by_file(command.json("info", archive, exits=ANY))
    text = command.text("info", "--format-out=csv", archive, exits=ANY)
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    same([row["file"] for row in rows], list(documents), "files")
    for row in rows:
        document = documents[row["file"]]
        same(row["format"], document.get("format", ""), row["file"])
        for name, value in document.get("summary", {}).items():
            ours = row[name]
            if isinstance(value, list):
                ours = json.loads(ours)
            elif isinstance(value, bool):
                ours = ours == "true"
            elif isinstance(value, (int, float)):
                ours = float(ours)
            same(ours or None, value or None, f"{row['file']}: {name}")
    chosen = command.text("info", "--format-out=csv", "--columns=file,time", "--where=time > 0", archive, exits=ANY)
    same(chosen.splitlines()[0], "file,time", "heading")


def check_choice_of_files(command, archive, kinds):
    def names(*arguments, **more):
        documents = command.json("info", *arguments, exits=ANY, **more)
        return {str(Path(document["file"]).relative_to(archive)) for document in documents}

    relative = {str(Path(path).relative_to(archive)) for path, kind in kinds.items() if kind in ("good", "copy")}
    same(names("--include=*.orarep", "--exclude=damaged", archive), {n for n in relative if n.endswith(".orarep")}, "include")
    same(names("--include=samples/*", "--exclude=*/rumble/*", "--exclude=cs2kz", archive),
         {n for n in relative if n.startswith("samples/") and not n.startswith(("samples/rumble", "samples/cs2kz"))},
         "exclude")
    chosen = sorted(str(archive / name) for name in relative if name.startswith("hostile/"))
    listed = archive.parent / "list"
    listed.write_bytes(b"\0".join(map(os.fsencode, chosen)))
    same(names("--files-from", listed), {n for n in relative if n.startswith("hostile/")}, "names with NUL")
    plain = [path for path in chosen if "\n" not in path]
    same(len(names("--files-from=-", input="\n".join(plain).encode())), len(plain), "lines")
    same(command.json("info", "--files-from=-", input=b""), [], "no files")
    command.run("info", "--files-from=/absent/list", exits=(2,))


def check_other_verbs(command, archive, kinds):
    only = ["--include=*.icrep", "--exclude=damaged", archive]
    files = [document["file"] for document in command.json("info", *only, exits=ANY)]
    for verb in ("stats", "tracks", "verify"):
        same([document["file"] for document in command.json(verb, *only, exits=ANY)], files, verb)


def check_one_column_on_a_narrow_terminal(command, archive, kinds):
    """A terminal of 60 columns: what does not fit is named."""
    import pty
    import struct
    import subprocess
    import fcntl
    import termios
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    with subprocess.Popen([command.program, "info", "--include=*.orarep", "--exclude=damaged", "archive"],
                          cwd=command.directory, env={**command.environment, "NO_COLOR": "1", "TERM": "xterm"},
                          stdout=slave, stderr=subprocess.DEVNULL) as process:
        os.close(slave)
        text = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            text += piece
    os.close(master)
    assert process.returncode in ANY, process.returncode
    assert b"not shown:" in text, text
