#!/usr/bin/env python3
"""Every track of every sample as an Arrow stream: pyarrow validates it fully, polars and DuckDB read
it, and each value is the one that `cat` prints.

usage: arrow.py PACKAGES_DIRECTORY LIBRARY COMMAND DATA_DIRECTORY
"""

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
from printed import Printed, samples  # noqa: E402

problems = []
seen = {"files": 0, "tracks": 0, "rows": 0, "null values": 0, "damaged tracks": 0}
schemas = {}


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
    failed = 0
    for path in samples(data):
        replay = library.open(path)
        if not replay:
            continue
        seen["files"] += 1
        printed = Printed(command, path, replay.tracks)
        for track in replay.tracks:
            name = f"{path.relative_to(data)}: {track}"
            known = len(problems)
            check_track(library, printed, name, path, track)
            failed += len(problems) > known
        replay.close()
    print(", ".join(f"{count} {what}" for what, count in seen.items()))
    print("\n".join(problems[:40]))
    unseen = [what for what, count in seen.items() if not count]
    for what in unseen:
        print(f"no {what} were seen")
    print(f"{seen['tracks'] - failed} passed, {failed + len(unseen)} failed")
    return bool(failed or unseen)


if __name__ == "__main__":
    sys.exit(main())
