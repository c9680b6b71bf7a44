#!/usr/bin/env python3
"""Every sample as a SQLite database, read by Python's sqlite3: sound, with the values of `cat`, and
several replays in one. Every sample as a directory of Parquet files: those tables, and these rows. Of
a damaged replay every track has the rows that `cat` gives of this track alone.

usage: database.py COMMAND DATA_DIRECTORY
"""

import json
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from printed import Printed, samples  # noqa: E402

COMMAND, DATA = sys.argv[1], Path(sys.argv[2])
seen = dict.fromkeys(["databases", "directories", "rows", "null values", "nested values",
                      "unknown enum numbers", "large unsigned numbers", "damaged replays", "refused replays"], 0)
schemas = {}


def schema(family):
    if family not in schemas:
        run = subprocess.run([COMMAND, "schema", "--json", family], stdout=subprocess.PIPE)
        schemas[family] = {(track["name"], column["name"]): column
                           for track in json.loads(run.stdout)["tracks"]
                           for column in track["columns"]}
    return schemas[family]


def same_real(value, text):
    """Single precision is printed with the digits that it has. SQLite has only one zero."""
    number = float(text)
    return number == value == 0 or any(struct.pack(form, value) == struct.pack(form, number)
                                       for form in ("<d", "<f"))


def flags_value(about, names):
    known = {item["name"]: item["number"] for item in about.get("values", [])}
    return sum(int(known.get(name, name)) for name in names)


def same(value, printed, about):
    """Whether a value of SQLite is the one that JSON has."""
    if printed is None or value is None:
        return value is None and printed in (None, "NaN")
    if isinstance(value, float):
        return same_real(value, printed)
    if isinstance(value, bytes):
        return value.hex() == printed
    if isinstance(value, int):
        if isinstance(printed, list):
            return value == flags_value(about, printed)
        seen["large unsigned numbers"] += value < 0 and not str(printed).startswith("-")
        return int(printed) in (value, value + 2**64)
    if isinstance(printed, (list, dict)):
        seen["nested values"] += 1
        return json.loads(value, parse_int=str) == printed
    if value.startswith("#") and value[1:] == str(printed):
        seen["unknown enum numbers"] += 1
        return True
    return value == printed or value == json.dumps(printed)


def tables(connection, replay):
    """The rows of all tables that belong to a replay."""
    names = [name for name, in connection.execute(
        "select name from sqlite_master where type = 'table' and name != 'replay'")]
    connection.row_factory = sqlite3.Row
    for name in names:
        rows = connection.execute(
            f'select * from "{name}" where replay_id = ? order by row_id', [replay]).fetchall()
        yield name, [dict(row) for row in rows]
    connection.row_factory = None


def difference(connection, replay, by_track):
    """The first difference between a replay of a database and the lines of cat, or None."""
    by_track = {track: lines for track, lines in by_track.items() if lines}
    family = connection.execute("select format from replay where id = ?", [replay]).fetchone()[0]
    for name, rows in tables(connection, replay):
        if not name.startswith(family + "_"):
            if rows:
                return f"{name} has rows of another format"
            continue
        track = name[len(family) + 1:]
        printed = by_track.pop(track, [])
        if len(printed) != len(rows):
            return f"{name} has {len(rows)} rows, cat {len(printed)}"
        for number, (row, line) in enumerate(zip(rows, printed)):
            seen["rows"] += 1
            for column, value in row.items():
                if column in ("row_id", "replay_id"):
                    continue
                seen["null values"] += value is None
                if not same(value, line.get(column), schema(family)[track, column]):
                    return f"{name} row {number} {column}: {value!r}, cat {line.get(column)!r}"
    return f"no table for {sorted(by_track)}" if by_track else None


def tracks_of(path):
    run = subprocess.run([COMMAND, "tracks", "--json", path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL)
    return [track["name"] for track in json.loads(run.stdout or "{}").get("tracks", [])]


def rows_of(path):
    """Track -> the lines of cat, and the exit code that an export of all has; None: refused."""
    tracks = tracks_of(path)
    printed = Printed(COMMAND, path, tracks) if tracks else None
    found = {track: printed.track(track) for track in tracks}
    ends = {status.get("status") for _, status in found.values()}
    some = any(lines for lines, _ in found.values())
    code = 0 if ends == {"ok"} else None if not some else 6 if "limit" in ends else 3
    return {track: lines for track, (lines, _) in found.items()}, code


def check_database(path, by_track, expected, directory):
    target = Path(directory, "replay.sqlite")
    target.unlink(missing_ok=True)
    code = subprocess.run([COMMAND, "export", "--quiet", path, target]).returncode
    count = sum(map(len, by_track.values()))
    if code != expected and (expected is not None or code not in (4, 5, 6)):
        return f"exit code {code} for {count} rows"
    if expected is None:
        seen["refused replays"] += 1
        return target.exists() and "a database of a file that was refused"
    connection = sqlite3.connect(target)
    seen["databases"] += 1
    seen["damaged replays"] += code != 0
    if connection.execute("pragma integrity_check").fetchall() != [("ok",)]:
        return "the database is not sound"
    if connection.execute("pragma foreign_key_check").fetchall():
        return "a row refers to no replay"
    about = connection.execute("select file, rows, complete from replay").fetchall()
    if about != [(str(path), count, code == 0)]:
        return f"the table of replays has {about!r}"
    return difference(connection, 1, by_track)


def check_directory(path, by_track, expected, directory):
    """One file for each track that has rows, and no other file but of empty tracks."""
    target = Path(directory, "tables")
    shutil.rmtree(target, ignore_errors=True)
    run = subprocess.run([COMMAND, "export", path, f"{target}/"], stderr=subprocess.PIPE, text=True)
    count = sum(map(len, by_track.values()))
    files = {file.stem for file in target.glob("*")}
    if run.returncode != expected and (expected is not None or run.returncode not in (4, 5, 6)):
        return f"exit code {run.returncode} for {count} rows in {len(files)} files"
    if expected is None:
        return target.exists() and f"a file that was refused has {sorted(files)}"
    missing = {track for track, lines in by_track.items() if lines or expected == 0} - files
    if missing or files - by_track.keys():
        return f"no table of {sorted(missing)} among {sorted(files)}"
    seen["directories"] += 1
    said = f"reprise: {len(files)} table{'s' * (len(files) != 1)} with {count} rows written to {target}/"
    return said not in run.stderr.splitlines() and f"{said!r} is not in {run.stderr!r}"


def check(path, directory):
    by_track, expected = rows_of(path)
    return (check_database(path, by_track, expected, directory)
            or check_directory(path, by_track, expected, directory))


def check_several(paths, directory):
    """Three replays of three formats, each with its own rows."""
    target = Path(directory, "several.sqlite")
    code = subprocess.run([COMMAND, "export", "--quiet", *paths, target]).returncode
    if code:
        return f"exit code {code}"
    connection = sqlite3.connect(target)
    for number, path in enumerate(paths, 1):
        found = difference(connection, number, rows_of(path)[0])
        if found:
            return f"{path.name}: {found}"
    plan = connection.execute(
        "explain query plan select count(*) from rumble_players p join rumble_frames f"
        " using (replay_id, frame) where replay_id = 1").fetchall()
    return None if any("_by_replay" in str(step) for step in plan) else f"joins scan: {plan}"


def check_folder(paths, directory):
    """A folder with other files and folders in it: its replays in the order of their names."""
    folder, target = Path(directory, "archive"), Path(directory, "folder.sqlite")
    (folder / "later").mkdir(parents=True)
    (folder / "notes.txt").write_text("no replay")
    for number, path in enumerate(paths):
        name = f"{number}{path.suffix}"
        (folder / ("later" if number else "") / name).write_bytes(path.read_bytes())
    code = subprocess.run([COMMAND, "export", "--quiet", folder, target]).returncode
    if code:
        return f"exit code {code}"
    connection = sqlite3.connect(target)
    files = [file for file, in connection.execute("select file from replay order by id")]
    wanted = sorted(str(path) for path in folder.rglob("*") if path.suffix not in ("", ".txt"))
    if files != wanted:
        return f"the database has {files}"
    for number, path in enumerate(files, 1):
        found = difference(connection, number, rows_of(path)[0])
        if found:
            return f"{path}: {found}"
    return None


def main():
    results = {}
    with tempfile.TemporaryDirectory() as directory:
        for path in samples(DATA):
            results[str(path.relative_to(DATA))] = check(path, directory)
        several = [DATA / "rumble/z6_match_like_1.2.4.replay", DATA / "cs2kz/a1-run.replay",
                   DATA / "ironcurtain/all-orders.icrep"]
        results["several"] = check_several(several, directory)
        results["folder"] = check_folder(several, directory)
    print(", ".join(f"{count} {what}" for what, count in seen.items()))
    problems = [f"{name}: {problem}" for name, problem in results.items() if problem]
    problems += [f"no {what} were seen" for what, count in seen.items() if not count]
    print("\n".join(problems[:40]))
    print(f"{len(results) - len(problems)} passed, {len(problems)} failed")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
