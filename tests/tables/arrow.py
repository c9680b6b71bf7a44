#!/usr/bin/env python3
"""Every track of every sample as an Arrow stream: pyarrow validates it fully, polars and DuckDB read
it, and each value is the one that `cat` prints.

usage: arrow.py PACKAGES_DIRECTORY LIBRARY COMMAND DATA_DIRECTORY
"""

import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import packages  # noqa: E402

packages.enter(sys.argv[1])

import duckdb  # noqa: E402
import polars  # noqa: E402
import pyarrow as pa  # noqa: E402

import compare  # noqa: E402
from libreprise import Library  # noqa: E402

OTHERS = {".json", ".tsv", ".md", ".oramap"}
problems = []
seen = {"files": 0, "tracks": 0, "rows": 0, "null values": 0, "damaged tracks": 0}
schemas = {}


def cat(command, path, track):
    """The rows that cat prints, and how reading ended."""
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    run = subprocess.run([command, "cat", "--quiet", "--track", track, path],
                         stdout=subprocess.PIPE, env=environment)
    lines = [json.loads(line, parse_int=str) for line in run.stdout.splitlines()]
    return lines[:-1], lines[-1] if lines else {}


class Printed:
    """What cat prints of a file: all tracks at once, or one by one if the file is damaged."""

    def __init__(self, command, path, tracks):
        self.command, self.path = command, path
        rows, self.status = cat(command, path, "all")
        self.sound = self.status.get("status") == "ok"
        self.rows = {track: [] for track in tracks}
        for row in rows:
            self.rows[row.get("track", tracks[0])].append(row)

    def track(self, name):
        return (self.rows[name], self.status) if self.sound else cat(self.command, self.path, name)


def read(stream):
    """All batches of a stream, and the text of the error that ended it."""
    reader, batches = pa.RecordBatchReader.from_stream(stream), []
    try:
        for batch in reader:
            batch.validate(full=True)
            batches.append(batch)
    except (pa.ArrowInvalid, OSError) as error:
        return reader.schema, batches, str(error)
    return reader.schema, batches, None


def check_consumers(name, rows, stream):
    """polars and DuckDB see the same rows, and those of a complete stream without pyarrow's help."""
    frame = polars.from_arrow(rows)
    if frame.height != rows.num_rows:
        problems.append(f"{name}: polars has {frame.height} rows of {rows.num_rows}")
    count = duckdb.sql("select count(*) from rows").fetchall()[0][0]
    if count != rows.num_rows:
        problems.append(f"{name}: DuckDB has {count} rows of {rows.num_rows}")
    duckdb.sql("from rows").fetchall()
    if stream is not None and polars.DataFrame(stream).height != rows.num_rows:
        problems.append(f"{name}: polars reads another number of rows from the stream")


# Damage that need not end the rows: cat asks for it after the last one.
BESIDE_ROWS = {"ok", "checksum", "signature", "unsupported"}


def check_track(library, printed, name, path, track):
    replay = library.open(path)
    try:
        stream = replay.stream(track, rows_max=100)  # several batches
    except ValueError:
        return replay.close()
    schema, batches, error = read(stream)
    key = replay.format, track
    promised = schemas.setdefault(key, library.schema(*key))
    if not schema.equals(promised, check_metadata=True):
        problems.append(f"{name}: the schema is not the one that the format promises")
    table = pa.Table.from_batches(batches, schema)
    lines, status = printed.track(track)
    damaged = status.get("status") not in BESIDE_ROWS
    told = status.get("error", {}).get("message")
    if damaged and not error or error and not (told and told in error):
        problems.append(f"{name}: Arrow ends with {error!r}, cat with {status}")
    difference = compare.difference(schema, table.to_pylist(), lines)
    if difference:
        problems.append(f"{name}: {difference}")
    check_consumers(name, table, None if error else replay.stream(track))
    seen["tracks"] += 1
    seen["rows"] += table.num_rows
    seen["null values"] += sum(column.null_count for column in table.columns)
    seen["damaged tracks"] += damaged
    replay.close()


def main():
    library, command, data = Library(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
    for path in sorted(p for p in data.rglob("*") if p.is_file() and p.suffix not in OTHERS):
        replay = library.open(path)
        if not replay:
            continue
        seen["files"] += 1
        printed = Printed(command, path, replay.tracks)
        for track in replay.tracks:
            name = f"{path.relative_to(data)}: {track}"
            check_track(library, printed, name, path, track)
        replay.close()
    print(", ".join(f"{count} {what}" for what, count in seen.items()))
    print("\n".join(problems[:40]))
    return bool(problems) or any(count == 0 for count in seen.values())


if __name__ == "__main__":
    sys.exit(main())
