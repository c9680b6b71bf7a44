#!/usr/bin/env python3
"""Chooses rows by values and times that the command printed, and compares with choosing from all rows.

usage: tests/property/choosing.py REPRISE [SEED [all]]    (a fresh seed if none is given)

For every sound sample and some tracks of it (all: for every track): `cat --where` with columns that have nulls and
with others, `cat --from` and `--to` with the times of rows. A null is unequal to every value and has no order; a
time that was printed is the time of its row. Then `trim --from` the time of a row, which keeps the rows of the
clock from there on, no more and no fewer. Prints "N runs" and "N passed, N failed" samples.
"""

import json
import operator
import os
import random
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "common"))
import served  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
REPRISE = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(1 << 31)
OTHERS = {".json", ".tsv", ".md", ".txt", ".oramap"}
TIMEOUT_S = 1800  # for what hangs, on a loaded machine too
RELATIONS = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
             ">=": operator.ge}
EQUALITY = ("=", "!=")  # names of numbers are printed, but ordered by the numbers
NUMBERS = {"int", "float", "double"}
PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.]{0,40}")
ALL = sys.argv[3:] == ["all"]
TRACKS = 2  # unless all


class Sample:
    def __init__(self, path, chance):
        self.path, self.chance, self.runs, self.wrong = path, chance, 0, []

    def run(self, *words):
        self.runs += 1
        return served.run([REPRISE, *map(str, words)], capture_output=True, timeout=TIMEOUT_S, check=False)

    def rows(self, path, *words):
        done = self.run("cat", "--quiet", "--no-status", *words, path)
        return [json.loads(line) for line in done.stdout.splitlines()] if done.returncode in (0, 3) else None

    def compare(self, track, all_rows, chosen, *words):
        ours = self.rows(self.path, "--track", track, *words)
        expected = [row for row in all_rows if chosen(row)]
        if ours != expected:
            count = "no" if ours is None else len(ours)
            self.wrong.append(f"{self.path}: cat --track {track} {' '.join(words)}: {count} rows, not {len(expected)}")

    # ---- values ----

    def check_column(self, track, rows, column):
        name, number = column["name"], column["kind"] in NUMBERS
        values = [row[name] for row in rows if name in row]
        known = [value for value in values if is_simple(value, number)]
        if not known or len(values) != len(rows):
            return
        value = self.chance.choice(known)
        relation = "!=" if None in values else self.chance.choice(list(RELATIONS if number else EQUALITY))
        holds = RELATIONS[relation]
        self.compare(track, rows, lambda row: relation == "!=" if row[name] is None
                     else holds(as_number(row[name], number), as_number(value, number)),
                     "--where", f"{name} {relation} {as_word(value)}")

    def check_values(self, track, rows, columns):
        simple = [one for one in columns if one["kind"] in NUMBERS | {"bool", "text", "enum"}]
        is_null = [any(row.get(one["name"]) is None for row in rows) for one in simple]
        is_known = [any(row.get(one["name"]) is not None for row in rows) for one in simple]
        for nulls in (True, False):
            wanted = [one for one, some, others in zip(simple, is_null, is_known) if some == nulls and others]
            for column in wanted if ALL else self.chance.sample(wanted, min(1, len(wanted))):
                self.check_column(track, rows, column)

    # ---- times ----

    def check_times(self, track, rows):
        times = sorted({row["time"] for row in rows if isinstance(row.get("time"), (int, float))})
        if len(times) < 2 or any(row["time"] is None for row in rows):
            return
        least, most = sorted(self.chance.choices(times, k=2))
        self.compare(track, rows, lambda row: least <= row["time"] <= most, "--from", as_word(least), "--to",
                     as_word(most))

    def check_trim(self, clock, rows):
        times = [row["time"] for row in rows if isinstance(row.get("time"), (int, float))]
        if len(times) < 2 or times != sorted(times):
            return
        least = self.chance.choice(times)
        with tempfile.TemporaryDirectory() as folder:
            cut = Path(folder) / self.path.name
            if self.run("trim", "--quiet", "--from", as_word(least), self.path, cut).returncode not in (0, 3):
                return
            left = self.rows(cut, "--track", clock)
        expected = sum(time >= least for time in times)
        if left is None or len(left) != expected:
            self.wrong.append(f"{self.path}: trim --from {as_word(least)}: {left and len(left)} rows of {clock}, "
                              f"not {expected}")

    def check(self):
        about = self.run("tracks", "--json", self.path)
        if about.returncode not in (0, 3) or self.run("verify", "--no-simulate", self.path).returncode not in (0, 3):
            return None
        about = json.loads(about.stdout)
        rows = {}
        for row in self.rows(self.path, "--track", "all"):
            track = row.pop("track", about["tracks"][0]["name"])
            rows.setdefault(track, []).append(row)
        filled = [track for track in about["tracks"] if track["name"] in rows]
        for track in filled if ALL else self.chance.sample(filled, min(TRACKS, len(filled))):
            self.check_values(track["name"], rows[track["name"]], track["columns"])
            self.check_times(track["name"], rows[track["name"]])
        clock = CLOCKS.get(about["format"])
        if clock in rows:
            self.check_trim(clock, rows[clock])
        return self


# Whose rows are moments of the whole recording.
CLOCKS = {"rumble": "frames", "cs2kz": "ticks"}


def is_simple(value, number):
    if number:
        return value is not None and not isinstance(value, bool)
    return isinstance(value, bool) or isinstance(value, str) and bool(PLAIN.fullmatch(value))


def as_number(value, number):
    """Whole numbers over 32 bits are printed as text, and so are NaN and the infinities."""
    if not number or not isinstance(value, str):
        return value
    return int(value) if value.lstrip("-").isdigit() else float(value)


def as_word(value):
    """As the command prints it."""
    return value if isinstance(value, str) else json.dumps(value)


def main():
    print(f"seed {SEED}")
    paths = sorted(path for path in DATA.rglob("*") if path.is_file() and path.suffix not in OTHERS)
    samples = [Sample(path, random.Random(f"{SEED} {path.relative_to(DATA)}")) for path in paths]
    with ThreadPoolExecutor(2) as pool:
        done = [sample for sample in pool.map(Sample.check, samples) if sample]
    for sample in done:
        print(*sample.wrong, sep="\n", end="\n" * bool(sample.wrong))
    failed = sum(bool(sample.wrong) for sample in done)
    print(f"{sum(sample.runs for sample in samples)} runs")
    print(f"{len(done) - failed} passed, {failed} failed")
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main())
