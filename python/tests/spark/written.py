"""Our Parquet files through Spark: written.py TABLES COMMAND DATA. Prints JSON.

TABLES has what `reprise export . TABLES/` wrote in DATA: format=FORMAT/track=TRACK/FILE.parquet. Spark
reads all files of a track at once, as an analyst would, and every value is the one that `cat` prints.
Of damaged samples the command's tests compare more (tests/tables); here only sound ones count.
"""

import functools
import json
import sys
import urllib.parse
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "tests/tables")]
import compare  # noqa: E402
import pyarrow.parquet as parquet  # noqa: E402
from printed import Printed  # noqa: E402
from sessions import session  # noqa: E402

TABLES, COMMAND, DATA = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
FILE, ROW = "_file", "_row"  # of Spark's metadata, under names that no track has
seen = dict.fromkeys(["tables", "rows", "values", "null values", "split floats", "deltas"], 0)
problems = []


def source_of(name):
    """The sample of a table, by the name of its file."""
    return name.removesuffix(".parquet").replace("%2F", "/")


@functools.cache
def printed(name, tracks):
    return Printed(COMMAND, DATA / name, tracks)


def read(spark, folder):
    """The rows of every file of a folder, by name and in order."""
    frame = spark.read.parquet(str(folder))
    frame = frame.selectExpr("*", f"_metadata.file_path as {FILE}", f"_metadata.row_index as {ROW}")
    found = defaultdict(list)
    for row in frame.toArrow().to_pylist():
        found[urllib.parse.unquote(row[FILE]).rsplit("/", 1)[1]].append(row)
    return {name: sorted(rows, key=lambda row: row[ROW]) for name, rows in found.items()}


def note(path, schema, rows):
    encodings = {encoding for group in range(path.metadata.num_row_groups)
                 for column in range(path.metadata.num_columns)
                 for encoding in path.metadata.row_group(group).column(column).encodings}
    seen["tables"] += 1
    seen["rows"] += len(rows)
    seen["values"] += len(rows) * len(schema)
    seen["null values"] += sum(row[field.name] is None for row in rows for field in schema)
    seen["split floats"] += "BYTE_STREAM_SPLIT" in encodings
    seen["deltas"] += "DELTA_BINARY_PACKED" in encodings


def check(spark, folder, tracks):
    track = folder.name.removeprefix("track=")
    by_file = read(spark, folder)
    for path in sorted(folder.iterdir()):
        lines = printed(source_of(path.name), tracks)
        if not lines.sound:
            continue
        rows, file = by_file.get(path.name, []), parquet.ParquetFile(path)
        difference = compare.difference(file.schema_arrow, rows, lines.track(track)[0])
        if difference:
            problems.append(f"{source_of(path.name)}, {track}: {difference}")
        note(file, file.schema_arrow, rows)


def main():
    spark = session("local[2]")
    for format in sorted(TABLES.iterdir()):
        folders = sorted(format.iterdir())
        # `cat` leaves out the name of the only track of a format.
        tracks = tuple(folder.name.removeprefix("track=") for folder in folders)
        for folder in folders:
            check(spark, folder, tracks)
        printed.cache_clear()
    spark.stop()
    print(json.dumps({"seen": seen, "problems": problems[:20]}))


main()
