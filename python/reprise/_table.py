"""Tables: everything that other programs read through the Arrow C stream interface."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Iterable, Iterator

from . import _native

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._errors import Error

_TIMES = (-1e300, 1e300)
_INDICES = (-(2**63), 2**63 - 1)


@dataclasses.dataclass(frozen=True)
class Selection:
    """Which rows and columns of a track; the defaults are all of them."""

    columns: tuple[str, ...] | None = None
    time: tuple[float | None, float | None] = (None, None)
    index: tuple[int | None, int | None] = (None, None)
    every_frame: bool = False
    linear: bool = False
    stored: bool = False
    batch_rows: int = 0

    def native(self) -> _native.Batch:
        if self.batch_rows < 0:
            raise ValueError(f"batch_rows is {self.batch_rows}; it must not be negative")
        return (
            self.columns,
            _TIMES[0] if self.time[0] is None else float(self.time[0]),
            _TIMES[1] if self.time[1] is None else float(self.time[1]),
            _INDICES[0] if self.index[0] is None else int(self.index[0]),
            _INDICES[1] if self.index[1] is None else int(self.index[1]),
            self.every_frame,
            self.linear,
            self.stored,
            self.batch_rows,
        )


def as_columns(columns: Iterable[str] | None) -> tuple[str, ...] | None:
    if isinstance(columns, str):
        raise TypeError("columns is a list of names, not one text")
    return None if columns is None else tuple(columns)


class ArrowTable:
    """A table that pyarrow, polars, DuckDB and everything else that knows Arrow reads directly.

    Iterating gives the rows as dicts, and needs none of these programs.
    """

    def _open(self) -> _native.Stream | _native.ScanRun:
        """A new stream over all rows."""
        raise NotImplementedError

    def _failure(self, stream: Any) -> Error | None:
        """What made a stream fail."""
        return None

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._open().take()

    def __arrow_c_schema__(self) -> object:
        raise NotImplementedError

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(name for name, _ in _native.schema_fields(self.__arrow_c_schema__()))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return _native.rows(self._open().take(), None)

    def _read(self, consume: Any) -> Any:
        """Hands a stream to a consumer; its failure becomes ours, with all we know about it."""
        stream = self._open()
        try:
            return consume(_Capsule(stream.take()))
        except Exception as raised:
            error = self._failure(stream)
            if error is None:
                raise
            raise error from raised

    def to_arrow(self) -> pyarrow.Table:
        """All rows as a pyarrow.Table."""
        import pyarrow

        table: pyarrow.Table = self._read(pyarrow.table)
        return table

    def to_polars(self) -> polars.DataFrame:
        """All rows as a polars.DataFrame."""
        import polars

        frame: polars.DataFrame = self._read(polars.DataFrame)
        return frame

    def to_pandas(self, **options: Any) -> pandas.DataFrame:
        """All rows as a pandas.DataFrame, through pyarrow, which gets the options."""
        frame: pandas.DataFrame = self.to_arrow().to_pandas(**options)
        return frame


class _Capsule:
    """A stream that is open already, for consumers that want an object."""

    def __init__(self, capsule: object) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._capsule


class Table(ArrowTable):
    """A track of one replay. Nothing is read before rows are asked for.

    >>> import reprise
    >>> players = reprise.open("match.replay")["players"]
    >>> players.select("frame", "time", "health").to_arrow().num_rows
    301
    >>> next(iter(players.select("frame", "player", "health")))
    {'frame': 0, 'player': 0, 'health': 20}
    """

    def __init__(self, replay: Any, name: str, selection: Selection, partial: bool) -> None:
        self._replay = replay
        self._name = name
        self._selection = selection
        self._partial = partial
        self._last: _native.Stream | None = None

    @property
    def name(self) -> str:
        """The name of the track."""
        return self._name

    @property
    def doc(self) -> str:
        """What the rows are."""
        doc: str = dict(self._replay._native.tracks())[self._name]
        return doc

    def __repr__(self) -> str:
        return f"<table {self._name} of {self._replay.name}>"

    def select(self, *columns: str) -> Table:
        """Only these columns, in this order. What is left out is not decoded where possible."""
        return self._with(columns=columns)

    def between(self, start: float | None = None, end: float | None = None) -> Table:
        """Only rows from `start` to `end` seconds, both included.

        >>> import reprise
        >>> frames = reprise.open("match.replay")["frames"]
        >>> [row["frame"] for row in frames.between(1.0, 1.1)]
        [50, 51, 52, 53, 54]
        """
        return self._with(time=(start, end))

    def _with(self, **changes: Any) -> Table:
        selection = dataclasses.replace(self._selection, **changes)
        return Table(self._replay, self._name, selection, self._partial)

    def complete_rows(self) -> Table:
        """The complete rows of a damaged file without the failure after them; see `error`.

        A track that is refused before its first row raises all the same.
        """
        return Table(self._replay, self._name, self._selection, True)

    @property
    def error(self) -> Error | None:
        """What ended the last reading of this table too early; None if nothing did."""
        return None if self._last is None else self._failure(self._last)

    def _open(self) -> _native.Stream:
        number = self._replay.tracks.index(self._name)
        self._last = self._replay._native.stream(number, self._selection.native(), self._partial)
        return self._last

    def _failure(self, stream: Any) -> Error | None:
        failure: Error | None = stream.error()
        return failure

    def __arrow_c_schema__(self) -> object:
        return _native.schema(self._replay.format, self._name, self._selection.native())

    def __iter__(self) -> Iterator[dict[str, Any]]:
        stream = self._open()
        return _native.rows(stream.take(), stream)


class Schema:
    """The schema of a track, for programs that take Arrow schemas: `pyarrow.schema(...)`."""

    def __init__(self, format: str, track: str, selection: Selection) -> None:
        self._arguments = (format, track, selection.native())
        self._fields = tuple(_native.schema_fields(self.__arrow_c_schema__()))

    def __arrow_c_schema__(self) -> object:
        return _native.schema(*self._arguments)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(name for name, _ in self._fields)

    def __repr__(self) -> str:
        format, track, _ = self._arguments
        return f"<schema of {format} {track}: {len(self._fields)} columns>"


class Records(ArrowTable):
    """A small table that is in memory already."""

    def __init__(self, fields: list[tuple[str, str, list[Any]]]) -> None:
        self._fields = fields

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return _native.columns(self._fields, False)

    def __arrow_c_schema__(self) -> object:
        return _native.columns(self._fields, True)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return _native.rows(self.__arrow_c_stream__(), None)

    def _read(self, consume: Any) -> Any:
        return consume(self)

    def __len__(self) -> int:
        return len(self._fields[0][2]) if self._fields else 0

    def __repr__(self) -> str:
        return f"<{len(self)} rows of {', '.join(name for name, _, _ in self._fields)}>"
