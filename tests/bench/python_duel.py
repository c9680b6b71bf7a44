#!/usr/bin/env python3
"""The Python package against C and against itself with two workers. Prints one JSON object.

usage: python_duel.py PACKAGES_DIRECTORY PACKAGE_FOLDER track READER REPLAY TRACK ROUNDS
       python_duel.py PACKAGES_DIRECTORY PACKAGE_FOLDER scan FOLDER TRACK ROUNDS

`track` opens a file and reads one track through pyarrow, in turn with the function of READER that does the
same in C (and with one that releases a batch before the next is read, `released`): the least processor time
of each. `scan` reads one track of all files of a folder with one and
with two workers in turn: the least times by the clock and of processors.
"""

import ctypes
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tables"))
import packages  # noqa: E402

packages.enter(sys.argv[1])
sys.path.insert(0, sys.argv[2])

import pyarrow as pa  # noqa: E402
import reprise  # noqa: E402


def read(table):
    rows = 0
    for batch in pa.RecordBatchReader.from_stream(table):
        rows += batch.num_rows
    return rows


# Short work is repeated for so long: one round that is undisturbed is among them.
SECONDS = 1


def least(sides, rounds):
    """Name -> (seconds of processors, seconds by the clock, result), the sides in turn."""
    found = {name: (float("inf"), float("inf"), None) for name in sides}
    start, count = time.process_time(), 0
    while count < rounds or time.process_time() - start < SECONDS:
        count += 1
        for name, work in sides.items():
            cpu, clock = time.process_time(), time.monotonic()
            result = work()
            taken = time.process_time() - cpu, time.monotonic() - clock
            found[name] = min(found[name][0], taken[0]), min(found[name][1], taken[1]), result
    return found


def track(reader, path, name, rounds):
    read_in_c = ctypes.CDLL(reader).duel_read_track
    read_in_c.restype = ctypes.c_int64
    path_in_c, name_in_c = path.encode(), name.encode()
    return least({"c": lambda: read_in_c(path_in_c, name_in_c, True),
                  "released": lambda: read_in_c(path_in_c, name_in_c, False),
                  "python": lambda: read(reprise.open(path)[name])}, int(rounds))


def scan(folder, name, rounds):
    return least({"one": lambda: read(reprise.scan(folder, name, threads=1)),
                  "two": lambda: read(reprise.scan(folder, name, threads=2))}, int(rounds))


def main():
    found = {"track": track, "scan": scan}[sys.argv[3]](*sys.argv[4:])
    results = {result for _, _, result in found.values()}
    if len(results) != 1 or results.pop() <= 0:
        sys.exit(f"the sides do not agree: {found}")
    print(json.dumps({name: {"cpu_s": cpu, "clock_s": clock} for name, (cpu, clock, _) in found.items()}))


if __name__ == "__main__":
    main()
