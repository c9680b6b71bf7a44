#!/usr/bin/env python3
"""Writes one track as CSV and as JSON lines, by our command and by DuckDB in turn, on two threads each. Prints the least
processor time of each, and the peak of memory of the command, as JSON.

usage: text_duel.py PACKAGES_DIRECTORY LIBRARY COMMAND MEASURE REPLAY TRACK ROUNDS

DuckDB has the table in memory; the command starts, opens the replay and decodes it. Both write a file.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tables"))
import packages  # noqa: E402

packages.enter(sys.argv[1])

import duckdb  # noqa: E402
import pyarrow as pa  # noqa: E402

from libreprise import Library  # noqa: E402

KINDS = {"csv": "csv", "jsonl": "json"}  # our names and DuckDB's


def processor_time():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main():
    library, command, measure, path, track = sys.argv[2:7]
    rounds = int(sys.argv[7])
    given = pa.Table.from_batches(list(pa.RecordBatchReader.from_stream(Library(library).open(path).stream(track))))
    duckdb.sql("set threads = 2")
    found = {}
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path)) as folder:
        for kind, their_name in KINDS.items():
            ours, theirs, peak = float("inf"), float("inf"), 0
            target, other = os.path.join(folder, "ours." + kind), os.path.join(folder, "theirs." + kind)
            for _ in range(rounds):
                run = subprocess.run([measure, "1", command, "cat", "--track", track, "--format-out", kind, "--force",
                                      "--output", target, "--jobs", "2", path], stdout=subprocess.PIPE, check=True)
                line = json.loads(run.stdout)
                if line["code"]:
                    sys.exit(f"cat failed with {line['code']}")
                ours, peak = min(ours, line["cpu_s"]), max(peak, line["peak_kib"])
                start = processor_time()
                duckdb.sql(f"copy (from given) to '{other}' (format {their_name})")
                theirs = min(theirs, processor_time() - start)
            found[kind] = {"ours_s": ours, "theirs_s": theirs, "peak_kib": peak,
                           "ours_bytes": os.path.getsize(target), "theirs_bytes": os.path.getsize(other)}
    print(json.dumps({"rows": given.num_rows, "kinds": found}))


if __name__ == "__main__":
    main()
