#!/usr/bin/env python3
"""Writes one track as Parquet with our writer, pyarrow's and DuckDB's in turn, all from the same
Arrow table, with zstd, on one thread. Prints the least processor time and the size of each as JSON.

usage: tables_duel.py PACKAGES_DIRECTORY LIBRARY WRITER REPLAY TRACK ROUNDS
"""

import json
import os
import resource
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tables"))
import packages  # noqa: E402

packages.enter(sys.argv[1])

import duckdb  # noqa: E402
import pyarrow as pa  # noqa: E402
import pyarrow.parquet as parquet  # noqa: E402

from foreign_stream import Writer  # noqa: E402
from libreprise import Library  # noqa: E402

ROWS = 32768  # of a page, as reprise_table_write has them


def processor_time():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main():
    library, path, track, rounds = sys.argv[2], sys.argv[4], sys.argv[5], int(sys.argv[6])
    writer = Writer(sys.argv[3])
    stream = Library(library).open(path).stream(track, rows_max=ROWS)
    start = processor_time()
    batches = list(pa.RecordBatchReader.from_stream(stream))
    read_s = processor_time() - start
    table = pa.Table.from_batches(batches)
    pa.set_cpu_count(1)
    duckdb.sql("set threads = 1")

    def by_duckdb(target, given=table):
        duckdb.sql(f"copy (from given) to '{target}' (format parquet, codec zstd)")

    sides = {"ours": lambda target: writer.write(table.schema, batches, "parquet", target),
             "pyarrow": lambda target: parquet.write_table(table, target, compression="zstd"),
             "duckdb": by_duckdb}
    least, size = dict.fromkeys(sides, float("inf")), {}
    with tempfile.TemporaryDirectory() as directory:
        for _ in range(rounds):
            for name, write in sides.items():
                target = os.path.join(directory, name + ".parquet")
                start = processor_time()
                write(target)
                least[name] = min(least[name], processor_time() - start)
                size[name] = os.path.getsize(target)
    print(json.dumps({"rows": table.num_rows, "bytes": table.nbytes, "read_s": read_s,
                      "seconds": least, "size": size}))


if __name__ == "__main__":
    main()
