#!/usr/bin/env python3
"""Every track of every sample as Parquet, Arrow file and Arrow stream: pyarrow validates what it
reads and compares it with `cat` value by value; DuckDB and polars read the same values.

usage: written.py PACKAGES_DIRECTORY LIBRARY COMMAND DATA_DIRECTORY
"""

import io
import struct
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import packages  # noqa: E402

packages.enter(sys.argv[1])

import duckdb  # noqa: E402
import polars  # noqa: E402
import pyarrow as pa  # noqa: E402
import pyarrow.parquet as parquet  # noqa: E402

import compare  # noqa: E402
from libreprise import FORMS, Library  # noqa: E402
from printed import Printed, samples  # noqa: E402

BESIDE_ROWS = {"ok", "checksum", "signature", "unsupported"}
problems = []
seen = dict.fromkeys(["files", "tables", "rows", "empty tables", "damaged tables", "nested columns",
                      "unknown enum numbers"], 0)


def written(replay, track, form, **options):
    parts = []
    result, error = replay.write(track, form, lambda data: parts.append(data) or 0, **options)
    return b"".join(parts), result, error


def read(data, form):
    if form == "parquet":
        return parquet.read_table(pa.BufferReader(data))
    opened = pa.ipc.open_file if form == "arrow" else pa.ipc.open_stream
    return opened(pa.BufferReader(data)).read_all()


def plain(value):
    """Values as every program gives them; floats by their bits, NaN as one."""
    if isinstance(value, float):
        return "NaN" if value != value else struct.pack("<d", value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def check_others(name, data, form, rows, directory):
    """polars reads all forms, DuckDB Parquet."""
    readers = {"parquet": polars.read_parquet, "arrow": polars.read_ipc,
               "arrows": polars.read_ipc_stream}
    frame = readers[form](io.BytesIO(data))
    if [plain(row) for row in frame.rows(named=True)] != rows:
        problems.append(f"{name}: polars reads other values")
    if form != "parquet":
        return
    path = Path(directory, "table.parquet")
    path.write_bytes(data)
    result = duckdb.sql(f"from '{path}'")
    own = [plain(dict(zip(result.columns, row))) for row in result.fetchall()]
    if own != rows:
        problems.append(f"{name}: DuckDB reads other values")


def check_metadata(name, table, replay, track):
    about = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()
             if key != b"ARROW:schema"}
    wanted = {"reprise.format": replay.format, "reprise.track": track, "reprise.file": "a file"}
    if any(about.get(key) != value for key, value in wanted.items()) or \
            not about.get("reprise.layout") or not about.get("reprise.version"):
        problems.append(f"{name}: metadata {about}")


def check_parquet(name, data, rows):
    file = parquet.ParquetFile(pa.BufferReader(data))
    if file.metadata.num_rows != rows:
        problems.append(f"{name}: the footer has {file.metadata.num_rows} rows")
    for group in range(file.metadata.num_row_groups):
        for column in range(file.metadata.row_group(group).num_columns):
            about = file.metadata.row_group(group).column(column)
            if about.compression != "ZSTD" or not about.has_offset_index:
                problems.append(f"{name}: {about.path_in_schema} has no zstd or no page index")


def check_table(replay, name, track, form, lines, status, directory):
    told = status.get("error", {}).get("message")
    damaged = status.get("status") not in BESIDE_ROWS
    # Several pages of several rows each.
    data, result, error = written(replay, track, form, rows_max=100)
    if damaged and not error or error and not (told and told in error):
        problems.append(f"{name}: ended with {error!r}, cat with {status}")
    if not result.finished:
        if lines or not error:
            problems.append(f"{name}: not finished: {error}")
        return  # not a row could be read
    table = read(data, form)
    table.validate(full=True)
    check_metadata(name, table, replay, track)
    promised = replay.schema(track)
    if form == "parquet":
        promised = pa.schema([compare.in_parquet(field) for field in promised])
    if not table.schema.remove_metadata().equals(promised.remove_metadata(), check_metadata=True):
        problems.append(f"{name}: the schema is not the one that the format promises")
    values = table.to_pylist()
    difference = compare.difference(table.schema, values, lines)
    if difference or result.rows != len(lines):
        problems.append(f"{name}: {difference}, {result.rows} rows")
    if form == "parquet":
        check_parquet(name, data, len(lines))
    check_others(name, data, form, [plain(row) for row in values], directory)
    count(table, damaged)


def count(table, damaged):
    seen["tables"] += 1
    seen["rows"] += table.num_rows
    seen["empty tables"] += table.num_rows == 0
    seen["damaged tables"] += damaged
    seen["nested columns"] += sum(pa.types.is_nested(f.type) for f in table.schema)
    for column in table.columns:
        if pa.types.is_dictionary(column.type):
            seen["unknown enum numbers"] += sum(str(v).startswith("#") for v in column.unique()
                                                .to_pylist())


def main():
    library, command, data = Library(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        for path in samples(data):
            replay = library.open(path)
            if not replay:
                continue
            seen["files"] += 1
            printed = Printed(command, path, replay.tracks)
            for track in replay.tracks:
                lines, status = printed.track(track)
                for form in FORMS:
                    name = f"{path.relative_to(data)}: {track}.{form}"
                    fresh, known = library.open(path), len(problems)
                    check_table(fresh, name, track, form, lines, status, directory)
                    fresh.close()
                    failed += len(problems) > known
            replay.close()
    print(", ".join(f"{count} {what}" for what, count in seen.items()))
    print("\n".join(problems[:40]))
    unseen = [what for what, count in seen.items() if not count]
    for what in unseen:
        print(f"no {what} were seen")
    print(f"{seen['tables'] - failed} passed, {failed + len(unseen)} failed")
    return bool(failed or unseen)


if __name__ == "__main__":
    sys.exit(main())
