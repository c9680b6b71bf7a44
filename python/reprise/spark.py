"""Replays as tables in Spark 4, for archives that outgrow a machine.

    import reprise.spark
    reprise.spark.register(spark)
    ticks = spark.read.format("reprise").option("track", "ticks").load("/archive")

Options of the source (names as in Spark, so their case does not matter):

    track           the track; required
    replayFormat    the format, such as cs2kz; files of other formats are skipped. Without it the first
                    file that has the track decides, and files of other formats are errors
    columns         names with commas between them: only these are decoded
    timeFrom, timeTo    seconds
    errors          true: the table of files that could not be read to their end, instead of rows
    partitionBytes  files are grouped into partitions of about this size (32 MiB)
    partitionFiles  and at most this many files (2000)
    include         only files whose names match this pattern, such as *.replay

Only the columns of a schema given with `.schema(...)` are decoded, too. The path may be a file, a folder
or a pattern. Conditions of queries choose neither files nor columns, because Spark 4.3 tells Python
sources nothing about columns, and uses the files of one filtered query for all later queries of the
same DataFrame; so choose with the options.

Paths must mean the same file on every machine. For files on Hadoop file systems there is
`from_binary`. docs/guide/spark.md has more.
"""

from __future__ import annotations

import fnmatch
import os
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Sequence

import pyarrow as pa
from pyspark.sql import datasource
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from . import _scan
from ._table import ArrowTable

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

PARTITION_BYTES = 32 << 20
PARTITION_FILES = 2000
# Small files give small batches; Spark gets batches of about this many rows.
BATCH_ROWS = 16384

# ---- types ----


def _arrow_schema(table: Any) -> Any:
    return pa.schema(table)


_ERRORS = _arrow_schema(_scan.errors_table([]))


def spark_type(kind: Any) -> Any:
    """The Arrow type that holds all values of `kind` and that Spark has.

    Spark has no unsigned integers, so they become the next wider type, and decimal(20,0) for 64 bits.
    """
    if pa.types.is_dictionary(kind):
        return pa.string()
    wider = {
        pa.uint8(): pa.int16(),
        pa.uint16(): pa.int32(),
        pa.uint32(): pa.int64(),
        pa.uint64(): pa.decimal128(20, 0),
    }
    if kind in wider:
        return wider[kind]
    if pa.types.is_fixed_size_binary(kind):
        return pa.binary()
    if pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind):
        return pa.list_(spark_type(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, spark_type(field.type)) for field in kind])
    return kind


def _spark_schema(schema: Any) -> StructType:
    return from_arrow_schema(pa.schema([(f.name, spark_type(f.type)) for f in schema]))


def _converted(batches: Iterable[Any], target: Any) -> Iterator[Any]:
    """Batches of the schema that Spark wants, small ones put together."""
    waiting: list[Any] = []
    rows = 0
    for batch in batches:
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= BATCH_ROWS:
            yield from _put_together(waiting, target)
            waiting, rows = [], 0
    if rows:
        yield from _put_together(waiting, target)


def _put_together(batches: list[Any], target: Any) -> Iterator[Any]:
    table = pa.Table.from_batches(batches)
    columns = [table.column(field.name).cast(field.type) for field in target]
    yield from pa.Table.from_arrays(columns, schema=target).combine_chunks().to_batches()


def _rows(table: ArrowTable, target: Any) -> Iterator[Any]:
    return _converted(pa.RecordBatchReader.from_stream(table), target)


# ---- the source ----


class FileGroup(datasource.InputPartition):
    """The files of one partition."""

    def __init__(self, files: tuple[str, ...], size: int) -> None:
        super().__init__(None)
        self.files = files
        self.size = size

    def __repr__(self) -> str:
        return f"FileGroup({len(self.files)} files, {self.size} bytes)"


def group_files(files: Iterable[str], bytes_max: int, files_max: int) -> list[FileGroup]:
    """Groups of neighbouring files; a file that is larger than a group is alone."""
    groups: list[FileGroup] = []
    names: list[str] = []
    total = 0
    for name in files:
        try:
            size = os.stat(name).st_size
        except OSError:
            size = 0  # reading it will say why
        if names and (total + size > bytes_max or len(names) >= files_max):
            groups.append(FileGroup(tuple(names), total))
            names, total = [], 0
        names.append(name)
        total += size
    if names:
        groups.append(FileGroup(tuple(names), total))
    return groups


class _Settings:
    """The options of a source, checked."""

    def __init__(self, options: Any) -> None:
        self.path: str | None = options.get("path")
        self.track: str | None = options.get("track")
        self.format: str | None = options.get("replayFormat")
        names = options.get("columns")
        self.columns = None if names is None else tuple(n.strip() for n in names.split(","))
        self.time_from = _number(options, "timeFrom")
        self.time_to = _number(options, "timeTo")
        self.errors = options.get("errors", "false").lower() == "true"
        self.bytes_max = int(options.get("partitionBytes", PARTITION_BYTES))
        self.files_max = int(options.get("partitionFiles", PARTITION_FILES))
        self.include: str | None = options.get("include")
        if not self.path or not self.track:
            raise ValueError('the source needs a path and .option("track", NAME)')
        if self.bytes_max < 1 or self.files_max < 1:
            raise ValueError("partitionBytes and partitionFiles must be at least 1")

    def files(self) -> list[str]:
        found = [name for name, _ in _scan.list_inputs(self.path)]
        if self.include is None:
            return found
        return [n for n in found if fnmatch.fnmatch(os.path.basename(n), self.include)]

    def settle(self) -> _scan.Scan:
        """A scan of no files that knows the format, so that all partitions agree."""
        assert self.track is not None
        files = [] if self.format is not None else self.files()
        return _scan.scan(files, self.track, format=self.format, columns=self.columns)._over([])


def _number(options: Any, name: str) -> float | None:
    value = options.get(name)
    return None if value is None else float(value)


class ReplaySource(datasource.DataSource):
    """The data source; `register` makes it known."""

    @classmethod
    def name(cls) -> str:
        return "reprise"

    def schema(self) -> StructType:
        settings = _Settings(self.options)
        if settings.errors:
            return _spark_schema(_ERRORS)
        return _spark_schema(_arrow_schema(settings.settle()))

    def reader(self, schema: StructType) -> ReplayReader:
        return ReplayReader(_Settings(self.options), schema)


class ReplayReader(datasource.DataSourceReader):
    """Groups files into partitions and reads them."""

    def __init__(self, settings: _Settings, schema: StructType) -> None:
        self.settings = settings
        self.scan = settings.settle()
        self.file_column = self.scan.file_column
        self.schema = schema

    def partitions(self) -> list[FileGroup]:
        settings = self.settings
        return group_files(settings.files(), settings.bytes_max, settings.files_max)

    def read(self, partition: Any) -> Iterator[Any]:
        if not isinstance(partition, FileGroup):
            return iter(())  # no file was chosen
        inputs = [(name, name) for name in partition.files]
        time = self.settings.time_from, self.settings.time_to
        target = to_arrow_schema(self.schema, timezone="UTC")
        if self.settings.errors:
            return _rows(self.scan._over(inputs, time=time).errors, target)
        wanted = tuple(name for name in self.schema.fieldNames() if name != self.file_column)
        return _rows(self.scan._over(inputs, time=time, columns=wanted), target)


def register(spark: SparkSession) -> None:
    """Makes the source known to a session."""
    spark.dataSource.register(ReplaySource)


# ---- files on other file systems ----


def from_binary(
    df: DataFrame,
    track: str,
    *,
    format: str,
    columns: Sequence[str] | None = None,
    errors: bool = False,
) -> DataFrame:
    """The rows of a track from files that Spark has read: `spark.read.format("binaryFile").load(...)`.

    This works on every file system that Spark reads. `format` is the format of the replays, files of
    others are skipped. With `errors` the result is the table of files that could not be read to
    their end.
    """
    empty = _scan.scan([], track, format=format, columns=columns)
    schema = _spark_schema(_ERRORS if errors else _arrow_schema(empty))
    target = to_arrow_schema(schema, timezone="UTC")

    def read(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            names, contents = batch.column(0).to_pylist(), batch.column(1)
            inputs = [(name, content.as_buffer()) for name, content in zip(names, contents)]
            scan = empty._over(inputs)
            yield from _rows(scan.errors if errors else scan, target)

    return df.select("path", "content").mapInArrow(read, schema)
