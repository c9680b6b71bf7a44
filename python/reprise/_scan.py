"""Many files as one table."""

from __future__ import annotations

import copy
import dataclasses
import glob
import os
from typing import Any, Iterable, Iterator, Mapping, Union

from . import _native
from ._errors import Error
from ._replay import PathLike, options_of
from ._table import ArrowTable, Records, Selection, as_columns

#: A file, a folder, a pattern, or (name, bytes).
Input = Union[PathLike, "tuple[str, bytes]"]

# How far the workers may be ahead of the consumer.
AHEAD_BYTES = 128 << 20

_ERROR_FIELDS = (
    ("file", "u"),
    ("status", "u"),
    ("message", "u"),
    ("stream", "u"),
    ("offset", "L"),
    ("path", "u"),
    ("hint", "u"),
    ("rows", "l"),
)


def _walk(folder: str) -> Iterator[str]:
    for directory, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(directory, name) for name in sorted(names))


def _files(source: Any) -> Iterator[tuple[str, Any]]:
    """The inputs of one source: (name, path or bytes)."""
    if isinstance(source, tuple):
        name, content = source
        readonly = memoryview(content).readonly
        yield str(name), content if readonly else bytes(content)
        return
    path = os.fsdecode(os.fspath(source))
    if os.path.isdir(path):
        paths: Iterable[str] = _walk(path)
    elif glob.has_magic(path) and not os.path.exists(path):
        paths = sorted(glob.glob(path, recursive=True))
    else:
        paths = (path,)
    yield from ((found, found) for found in paths)


def list_inputs(sources: Any) -> list[tuple[str, Any]]:
    """All files of a path, folder or pattern, or of a list of these, in order."""
    if isinstance(sources, (str, os.PathLike)) or (
        isinstance(sources, tuple) and len(sources) == 2 and isinstance(sources[1], bytes)
    ):
        sources = [sources]
    return [found for source in sources for found in _files(source)]


def errors_table(errors: Iterable[tuple[str, int, Error]]) -> Records:
    """A table of (file, rows before the failure, failure)."""
    rows = [
        (name, e.status, e.message, e.stream, e.offset, e.path, e.hint, count)
        for name, count, e in errors
    ]
    return Records(
        [(name, kind, [row[at] for row in rows]) for at, (name, kind) in enumerate(_ERROR_FIELDS)]
    )


def file_column_of(columns: Iterable[str]) -> str:
    """The name of the column of files; a track may have a column `file` of its own."""
    return "replay_file" if "file" in columns else "file"


class Scan(ArrowTable):
    """One track of many files. `scan` makes it; every use reads the files again."""

    def __init__(
        self,
        inputs: list[tuple[str, Any]],
        track: str,
        format: str | None,
        selection: Selection,
        threads: int,
        options: _native.Options,
    ) -> None:
        self._inputs = inputs
        self.track = track
        self._skip_others = format is not None
        self._selection = selection
        self._threads = threads
        self._options = options
        self.format = format if format is not None else self._find_format()
        own = _native.schema_fields(_native.schema(self.format, track, Selection().native()))
        #: The name of the column of files: `file`, or `replay_file` if the track has a column `file`.
        self.file_column = file_column_of(name for name, _ in own)
        self._last: _native.ScanRun | None = None

    def _find_format(self) -> str:
        """The format of the first file that has the track."""
        last: Exception | None = None
        for name, source in self._inputs:
            kind = "path" if isinstance(source, str) else "bytes"
            try:
                opened = _native.open(kind, source, 0, name, self._options)
            except Error as error:
                last = error
                continue
            if self.track in (track for track, _ in opened.tracks()):
                return opened.about()[0]
            last = ValueError(f"{name}: the format {opened.about()[0]} has no track {self.track!r}")
        raise last or ValueError("there are no files to scan; with `format` that is an empty table")

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the files, in order."""
        return tuple(name for name, _ in self._inputs)

    def __repr__(self) -> str:
        return f"<scan of {self.format} {self.track} in {len(self._inputs)} files>"

    def select(self, *columns: str) -> Scan:
        """Only these columns, after the one of files."""
        chosen = copy.copy(self)
        chosen._selection = dataclasses.replace(self._selection, columns=columns)
        chosen._last = None
        return chosen

    def _over(self, inputs: list[tuple[str, Any]], **selection: Any) -> Scan:
        """The same scan over other files, read by one thread, with another selection."""
        other = copy.copy(self)
        other._inputs = inputs
        other._selection = dataclasses.replace(self._selection, **selection)
        other._threads = 1
        other._last = None
        return other

    def _run(self) -> _native.ScanRun:
        return _native.scan(
            self._inputs,
            self.format,
            self.track,
            self.file_column,
            self._skip_others,
            self._threads,
            AHEAD_BYTES,
            self._options,
            self._selection.native(),
        )

    def _open(self) -> _native.ScanRun:
        self._last = self._run()
        return self._last

    def __arrow_c_schema__(self) -> object:
        return self._run().schema()

    def _complete(self) -> _native.ScanRun:
        """The last reading, if it reached the end; else a new one."""
        if self._last is None or not self._last.counts()[3]:
            self._last = self.select(*self.columns[1:2])._run()
            self._last.drain()
        return self._last

    @property
    def errors(self) -> Records:
        """The files that could not be read to their end, as a table: file, status, message, stream,
        offset, path, hint, and how many rows came before. Reads the files, unless that was done."""
        files = self.files
        failures = self._complete().failures()
        return errors_table((files[number], rows, error) for number, rows, error in failures)

    @property
    def skipped(self) -> int:
        """How many files were of other formats than the one asked for."""
        return self._complete().counts()[1]


def scan(
    paths: Input | Iterable[Input],
    track: str,
    *,
    format: str | None = None,
    columns: Iterable[str] | None = None,
    time: tuple[float | None, float | None] = (None, None),
    index: tuple[int | None, int | None] = (None, None),
    stored: bool = False,
    batch_rows: int = 0,
    threads: int | None = None,
    salvage: bool = False,
    limits: Mapping[str, int] | None = None,
) -> Scan:
    """One track of many files as one table, with the column `file` first.

    `paths` is a file, a folder (with everything in it), a pattern such as "runs/*.replay", or a list
    of these; (name, bytes) is a file in memory. Without `format` the first file with this
    track decides, and files of other formats are errors; with it they are skipped. A bad file never
    stops the scan: its complete rows come, and it is a row of `errors`.

    Rows come in the order of the files, whatever the number of threads (all processors by default).
    Threads read without the GIL, up to 128 MiB ahead; one of them is the caller's own.

    >>> import reprise
    >>> strafes = reprise.scan("runs", "strafes", columns=["max_speed"])
    >>> strafes.to_polars()["max_speed"].max() > 19
    True
    >>> list(strafes.errors)
    []
    """
    if threads is None:
        threads = len(os.sched_getaffinity(0))
    if threads < 1:
        raise ValueError(f"threads is {threads}; at least 1 is needed")
    selection = Selection(as_columns(columns), time, index, False, False, stored, batch_rows)
    options = options_of(None, None, salvage, 1, limits)
    return Scan(list_inputs(paths), track, format, selection, threads, options)
