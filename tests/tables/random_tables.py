#!/usr/bin/env python3
"""Tables with random schemas and values, nested to any depth, through our writers: pyarrow reads
back what was written, polars and DuckDB the same from Parquet. And one of 20 million rows, whose
memory must not grow.

usage: random_tables.py PACKAGES_DIRECTORY WRITER [SEED [TABLES [ROWS]]]
"""

import io
import os
import random
import resource
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
from foreign_stream import Writer  # noqa: E402
from written import plain, read  # noqa: E402

SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
TABLES = int(sys.argv[4]) if len(sys.argv) > 4 else 120
ROWS = int(sys.argv[5]) if len(sys.argv) > 5 else 20_000_000
INTEGERS = {pa.int8(): 8, pa.int16(): 16, pa.int32(): 32, pa.int64(): 64}
UNSIGNED = {pa.uint8(): 8, pa.uint16(): 16, pa.uint32(): 32, pa.uint64(): 64}
seen = {"read by others": 0, "not read by others, whoever writes": 0}
REALS = [0.0, -0.0, 1.5, -1e30, float("inf"), float("-inf"), float("nan"), 5e-324, 1e-45]


class Maker:
    def __init__(self, chance):
        self.chance = chance

    def type(self, depth):
        leaves = [*INTEGERS, *UNSIGNED, pa.bool_(), pa.float32(), pa.float64(), pa.string(),
                  pa.binary(), pa.binary(self.chance.randint(1, 40)),
                  pa.dictionary(pa.int32(), pa.string())]
        if depth == 0 or self.chance.random() < 0.6:
            return self.chance.choice(leaves)
        kind = self.chance.randrange(3)
        if kind == 0:
            return pa.list_(self.field("item", depth - 1))
        if kind == 1:
            return pa.list_(self.field("item", depth - 1), self.chance.randint(1, 4))
        return pa.struct([self.field(f"m{i}", depth - 1)
                          for i in range(self.chance.randint(1, 4))])

    def field(self, name, depth):
        return pa.field(name, self.type(depth), nullable=self.chance.random() < 0.7)

    def number(self, bits, signed):
        """Small ones, ramps, edges and anything."""
        least, most = (-2**(bits - 1), 2**(bits - 1) - 1) if signed else (0, 2**bits - 1)
        kind = self.chance.randrange(4)
        if kind == 0:
            return self.chance.randint(0, 3)
        if kind == 1:
            self.ramp = getattr(self, "ramp", 0) + 1
            return self.ramp % (most + 1)
        return self.chance.choice([least, most, 0]) if kind == 2 else self.chance.randint(least, most)

    def text(self):
        return self.chance.choice(["", "a", "é", "🙂", "x" * 100, "\0"]) * self.chance.randint(0, 3)

    def value(self, field):
        kind = field.type
        if field.nullable and self.chance.random() < self.nulls:
            return None
        if kind in INTEGERS:
            return self.number(INTEGERS[kind], True)
        if kind in UNSIGNED:
            return self.number(UNSIGNED[kind], False)
        if pa.types.is_boolean(kind):
            return self.chance.random() < 0.5
        if pa.types.is_floating(kind):
            return self.chance.choice(REALS) if self.chance.random() < 0.3 else self.chance.random()
        if pa.types.is_string(kind):
            return self.text()
        if pa.types.is_dictionary(kind):
            return self.chance.choice(["north", "south", "#17", ""])
        if pa.types.is_fixed_size_binary(kind):
            return self.chance.randbytes(kind.byte_width)
        if pa.types.is_binary(kind):
            return self.chance.randbytes(self.chance.choice([0, 1, 7, 300]))
        if pa.types.is_struct(kind):
            return {member.name: self.value(member) for member in kind}
        count = kind.list_size if pa.types.is_fixed_size_list(kind) else \
            self.chance.choice([0, 0, 1, 2, 5])
        return [self.value(kind.value_field) for _ in range(count)]

    def batches(self, schema):
        for _ in range(self.chance.choice([0, 1, 1, 3])):
            self.nulls = self.chance.choice([0, 0.1, 0.5, 1])
            rows = self.chance.choice([1, 7, 8, 9, 100, 700])
            columns = [self.column([self.value(field) for _ in range(rows)], field)
                       for field in schema]
            yield pa.RecordBatch.from_arrays(columns, schema=schema)

    def column(self, values, field):
        """A dictionary keeps the meaning of its indices, as in our streams."""
        if not pa.types.is_dictionary(field.type):
            return pa.array(values, field.type)
        names = ["north", "south", "#17", ""]
        indices = [None if v is None else names.index(v) for v in values]
        return pa.DictionaryArray.from_arrays(pa.array(indices, pa.int32()), pa.array(names))


def has_inner_dictionary(kind, inner=False):
    if pa.types.is_dictionary(kind):
        return inner
    return any(has_inner_dictionary(kind.field(i).type, True) for i in range(kind.num_fields))


def check(writer, number, directory):
    chance = random.Random(f"{SEED}-{number}")
    maker = Maker(chance)
    fields = [maker.field(f"c{i}", 3) for i in range(chance.randint(1, 6))]
    # Values of such columns are made by pyarrow itself, with a dictionary for each batch.
    schema = pa.schema([f for f in fields if not has_inner_dictionary(f.type)] or
                       [pa.field("c", pa.int32())])
    batches = list(maker.batches(schema))
    wanted = [plain(row) for batch in batches for row in batch.to_pylist()]
    for form in ("parquet", "arrow", "arrows"):
        path = Path(directory, f"table.{form}")
        status = writer.write(schema, batches, form, path)
        if status:
            return f"{form}: status {status} for {schema}"
        table = read(path.read_bytes(), form)
        table.validate(full=True)
        promised = pa.schema([compare.in_parquet(f) for f in schema]) if form == "parquet" else \
            schema
        if not table.schema.equals(promised):
            return f"{form}: schema {table.schema} instead of {schema}"
        if [plain(row) for row in table.to_pylist()] != wanted:
            return f"{form}: pyarrow reads other values of {schema}"
    return check_others(schema, batches, wanted, directory)


def by_polars(path):
    frame = polars.read_parquet(io.BytesIO(path.read_bytes()))
    return [plain(row) for row in frame.rows(named=True)]


def by_duckdb(path):
    result = duckdb.sql(f"from '{path}'")
    return [plain(dict(zip(result.columns, row))) for row in result.fetchall()]


def outcome(reader, path):
    try:
        return reader(path)
    except BaseException as error:  # polars panics
        if isinstance(error, KeyboardInterrupt):
            raise
        return type(error).__name__


def check_others(schema, batches, wanted, directory):
    """A reader that fails with pyarrow's file of the same table proves nothing about ours."""
    known = Path(directory, "pyarrow.parquet")
    parquet.write_table(pa.Table.from_batches(batches, schema), known)
    for reader in (by_polars, by_duckdb):
        own = outcome(reader, Path(directory, "table.parquet"))
        seen["read by others"] += own == wanted
        if own != wanted and outcome(reader, known) == wanted:
            return f"{reader.__name__} reads {str(own)[:200]} of {schema}"
        seen["not read by others, whoever writes"] += own != wanted
    return None


def check_large(writer, directory):
    """Made while it is written; read by DuckDB, which knows what the sums must be."""
    piece = 50_000
    schema = pa.schema([("tick", pa.int64()), ("x", pa.float32()), ("team", pa.uint64())])

    def batches():
        for start in range(0, ROWS, piece):
            ticks = pa.array(range(start, start + piece), pa.int64())
            yield pa.RecordBatch.from_arrays(
                [ticks, pa.array([i % 977 / 4 for i in range(piece)], pa.float32()),
                 pa.array([2**63 + i % 3 for i in range(piece)], pa.uint64())], schema=schema)

    path = Path(directory, "large.parquet")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if writer.write(schema, batches(), "parquet", path):
        return "the large table was not written"
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    print(f"{ROWS} rows in {path.stat().st_size} bytes, memory grew by {grown} MiB")
    found = duckdb.sql(f"select count(*), sum(tick), min(tick), max(tick), sum(x), min(team),"
                       f" max(team) from '{path}'").fetchall()[0]
    x = sum(i % 977 / 4 for i in range(piece)) * (ROWS // piece)
    wanted = (ROWS, ROWS * (ROWS - 1) // 2, 0, ROWS - 1, x, 2**63, 2**63 + 2)
    if found != wanted:
        return f"the large table has {found}, not {wanted}"
    # Page indices find one row without reading the others.
    one = parquet.read_table(path, filters=[("tick", "=", ROWS // 2 + 1)]).to_pylist()
    if [row["tick"] for row in one] != [ROWS // 2 + 1]:
        return f"a filter finds {one}"
    # A sanitizer keeps freed memory for a while.
    return "LD_PRELOAD" not in os.environ and grown > 128 and f"memory grew by {grown} MiB"


def main():
    writer = Writer(sys.argv[2])
    problems = []
    with tempfile.TemporaryDirectory() as directory:
        for number in range(TABLES):
            problem = check(writer, number, directory)
            if problem:
                problems.append(f"table {number} of seed {SEED}: {problem}")
        if ROWS:
            problem = check_large(writer, directory)
            problems += [problem] if problem else []
    print(", ".join(f"{count} {what}" for what, count in seen.items()))
    print("\n".join(problems[:10]))
    print(f"{TABLES + bool(ROWS) - len(problems)} passed, {len(problems)} failed")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
