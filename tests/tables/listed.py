#!/usr/bin/env python3
"""`info` of all samples as Parquet and Arrow: pyarrow, DuckDB and polars read what `info --json` says.

usage: listed.py PACKAGES_DIRECTORY COMMAND DATA_DIRECTORY
"""

import io
import json
import struct
import subprocess
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

TYPES = {"int": pa.int64(), "real": pa.float64(), "seconds": pa.float64(), "bool": pa.bool_(), "text": pa.string(),
         "date": pa.string(), "list": pa.list_(pa.string())}
COMMON = {"findings", "size", "file", "format", "layout", "status"}  # columns of all formats
problems = []
passed = 0


def info(command, *arguments):
    done = subprocess.run([command, "info", *map(str, arguments)], capture_output=True)
    assert done.returncode in (0, 3, 5, 6), (arguments, done.returncode, done.stderr[-2000:])
    return done.stdout


def agrees(ours, known):
    """JSON has single-precision numbers in their shortest form."""
    if isinstance(ours, float) and isinstance(known, (int, float)):
        return ours == known or struct.pack("f", ours) == struct.pack("f", known)
    if isinstance(ours, dict) and isinstance(known, dict):
        return ours.keys() == known.keys() and all(agrees(ours[name], known[name]) for name in ours)
    return ours == known


def check(what, ours, known):
    global passed
    good = agrees(ours, known)
    passed += good
    if not good:
        problems.append(f"{what}: {str(ours)[:300]}, expected {str(known)[:300]}")


def types_of(command):
    """The type of each column; of one that is a text or a list, list."""
    found = {}
    for one in json.loads(subprocess.check_output([command, "formats", "--json"])):
        schema = json.loads(subprocess.check_output([command, "schema", one["name"], "--json"]))
        for column in schema["summary"]:
            if column["name"] not in found or column["type"] == "list":
                found[column["name"]] = column["type"]
    return found


def expected(document, name, kind):
    """What a cell should hold by the document of its file."""
    if name == "findings":
        return len(document["findings"]) if "findings" in document else None
    if name == "size":
        return int(document["size"]) if "size" in document else None
    value = document.get(name) if name in COMMON else document.get("summary", {}).get(name)
    return [value] if kind == "list" and isinstance(value, str) else value


def check_rows(rows, documents, types):
    check("files", [row["file"] for row in rows], [document["file"] for document in documents])
    for row, document in zip(rows, documents):
        known = {name: expected(document, name, types.get(name)) for name in row}
        if "error" in document:
            known["status"] = document["error"]["status"]
        else:
            known["status"] = row["status"] if row["status"] in ("ok", "warning") else "ok or warning"
        check(document["file"], row, known)


def main():
    command, data = sys.argv[2:4]
    types = types_of(command)
    documents = json.loads(info(command, "--json", data))
    whole = info(command, "--format-out", "parquet", data)
    table = parquet.read_table(pa.BufferReader(whole))
    table.validate(full=True)
    stream = pa.ipc.open_stream(pa.BufferReader(info(command, "--format-out", "arrow", data))).read_all()
    stream.validate(full=True)
    for field in stream.schema:
        kind = types.get(field.name, "int" if field.name in ("size", "findings") else "text")
        check(f"type of {field.name}", field.type, TYPES[kind])
    rows = table.to_pylist()
    check("stream", stream.to_pylist(), rows)
    check_rows(rows, documents, types)
    check("polars", polars.read_parquet(io.BytesIO(whole)).rows(named=True), rows)
    with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
        file.write(whole)
        file.flush()
        result = duckdb.sql(f"from '{file.name}'")
        check("DuckDB", [dict(zip(result.columns, row)) for row in result.fetchall()], rows)
    chosen = ["--columns", "file,map,time", "--where", "time < 1", "--sort", "-time", "--limit-rows", "3"]
    few = parquet.read_table(pa.BufferReader(info(command, "--format-out", "parquet", *chosen, data)))
    known = sorted((row for row in rows if row["time"] is not None and row["time"] < 1), key=lambda row: -row["time"])[:3]
    check("chosen", few.to_pylist(), [{name: row[name] for name in ("file", "map", "time")} for row in known])
    none = parquet.read_table(pa.BufferReader(info(command, "--format-out", "parquet", "--where", "map = nowhere", data)))
    check("no rows", none.num_rows, 0)
    print("\n".join(problems[:40]))
    print(f"{passed} passed, {len(problems)} failed")
    return bool(problems) or len(rows) < 100


if __name__ == "__main__":
    sys.exit(main())
