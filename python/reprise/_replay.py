"""Replays: opening, describing, checking and writing."""

from __future__ import annotations

import dataclasses
import io
import math
import os
import tempfile
from typing import Any, BinaryIO, Iterable, Iterator, Mapping, Protocol, Union

from . import _native
from ._table import Schema, Selection, Table, as_columns


class Readable(Protocol):
    """A file that is open for reading bytes."""

    def read(self, size: int = -1, /) -> bytes: ...


class Writable(Protocol):
    """A file that is open for writing bytes."""

    def write(self, data: bytes, /) -> Any: ...


PathLike = Union[str, "os.PathLike[str]"]
Source = Union[PathLike, bytes, bytearray, memoryview, Readable]
Target = Union[PathLike, Writable]


class Index(int):
    """A frame or tick number, where a plain number would mean seconds: `replay.at(Index(100))`."""


class Run(float):
    """Seconds on the timer of the run, or relative to an end of it in `trim`."""


@dataclasses.dataclass(frozen=True)
class Finding:
    """One thing that `verify` found. The ids are stable; docs/errors.md lists them."""

    severity: str  #: "note", "warning" or "fault"
    id: str
    stream: str
    offset: int
    path: str
    message: str
    count: int  #: how often; the place is that of the first of the worst ones
    status: str  #: the kind of damage, or "ok"


@dataclasses.dataclass(frozen=True)
class Verification:
    """What `verify` found, and its document: rows per track, digests."""

    notes: int
    warnings: int
    faults: int
    worst: str  #: the status of the first fault, or "ok"
    findings: tuple[Finding, ...]
    document: dict[str, Any]

    @property
    def ok(self) -> bool:
        """Whether there is neither a warning nor a fault."""
        return not self.warnings and not self.faults

    def __bool__(self) -> bool:
        return self.ok


@dataclasses.dataclass(frozen=True)
class Blob:
    """A file inside a replay: a voice, a map, a member of an archive. Its name is not safe as a path."""

    name: str
    kind: str
    size: int
    stored_size: int
    guarded: bool  #: a game would load it
    barred: str | None  #: why it cannot be read


_LEVELS = {None: -1, "default": -1, "fastest": -2, "balanced": -3, "compact": -4}
_KINDS = {
    name: 1 << bit
    for bit, name in enumerate(
        "names chat voice ids addresses times looks content extensions marks whispers".split()
    )
}
_THEMES = {"auto": 0, "light": 1, "dark": 2}


def _level(level: str | int | None) -> int:
    if isinstance(level, int):
        return level
    if level not in _LEVELS:
        raise ValueError(f"unknown level {level!r}; expected a number, fastest, balanced or compact")
    return _LEVELS[level]


def _kinds(kinds: Iterable[str] | None) -> int:
    if kinds is None:
        return (1 << 9) - 1
    if isinstance(kinds, str):
        raise TypeError("kinds is a list of names, not one text")
    mask = 0
    for kind in kinds:
        if kind not in _KINDS:
            raise ValueError(f"unknown kind {kind!r}; expected {', '.join(_KINDS)}")
        mask |= _KINDS[kind]
    return mask


def _bound(bound: float | str | None) -> tuple[int, float, int, str | None]:
    if bound is None:
        return 0, 0.0, 0, None
    if isinstance(bound, Index):
        return 2, 0.0, int(bound), None
    if isinstance(bound, str):
        return 3, 0.0, 0, bound
    if isinstance(bound, Run):
        return 4, float(bound), 0, None
    return 1, float(bound), 0, None


def _scene_options(
    time: tuple[float | None, float | None], samples: float, exact: bool, name: str | None
) -> _native.SceneOptions:
    start, end, *_ = Selection(time=time).native()[1:3]
    return start, end, -(2**63), 2**63 - 1, samples, exact, name


class _NewFile:
    """A file that appears complete under its name, or not at all."""

    def __init__(self, path: PathLike, replace: bool) -> None:
        self.path = os.fspath(path)
        self.replace = replace
        if not replace and os.path.lexists(self.path):
            raise FileExistsError(17, "exists already; replace=True replaces it", self.path)

    def __enter__(self) -> BinaryIO:
        folder = os.path.dirname(self.path) or "."
        descriptor, self.unfinished = tempfile.mkstemp(prefix=".", suffix=".part", dir=folder)
        self.file: BinaryIO = os.fdopen(descriptor, "wb")
        return self.file

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self.file.flush()
            os.fsync(self.file.fileno())
            self.file.close()
            if kind is None:
                mask = os.umask(0)
                os.umask(mask)
                os.chmod(self.unfinished, 0o666 & ~mask)
                if self.replace:
                    os.replace(self.unfinished, self.path)
                else:
                    os.link(self.unfinished, self.path)
        finally:
            if os.path.exists(self.unfinished):
                os.unlink(self.unfinished)


class Replay(Mapping[str, Table]):
    """An open replay: a mapping from the names of its tracks to tables.

    >>> import reprise
    >>> with reprise.open("match.replay") as replay:
    ...     print(replay.format, replay.layout, round(replay.duration, 2))
    ...     print(replay["players"].columns[:4])
    rumble z6 3.38
    ('frame', 'time', 'player', 'rig_pos_x')

    All methods may be called from any thread; one at a time works on a replay, without the GIL.
    """

    def __init__(self, source: Source, options: _native.Options, name: str | None) -> None:
        kind, given, size, found = _source(source)
        self.name = found if name is None else name
        self._source = source
        self._options = options
        self._native = _native.open(kind, given, size, self.name, options)
        self._tracks = tuple(track for track, _ in self._native.tracks())

    # ---- a context manager and a mapping ----

    def __enter__(self) -> Replay:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the replay. Streams that were taken from it stay valid."""
        self._native.close()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._native.closed()

    def __getitem__(self, track: str) -> Table:
        return self.table(track)

    def __iter__(self) -> Iterator[str]:
        return iter(self._tracks)

    def __len__(self) -> int:
        return len(self._tracks)

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __repr__(self) -> str:
        if self.closed:
            return f"<closed replay {self.name}>"
        return f"<replay {self.name}: {self.format} {self.layout}>"

    # ---- describing ----

    @property
    def format(self) -> str:
        """The format: "rumble", "cs2kz" ..."""
        return self._native.about()[0]

    @property
    def layout(self) -> str:
        """The variant of the format: "z6", "b5" ..."""
        return self._native.about()[1]

    @property
    def info(self) -> dict[str, Any]:
        """Who, where, when, how long, sizes, and what is private (docs/json/info.schema.json).

        >>> import reprise
        >>> reprise.open("run.replay").info["map"]["name"]
        'bkz_ramp'
        """
        return self._native.info()

    @property
    def tracks(self) -> tuple[str, ...]:
        """The names of the tracks."""
        return self._tracks

    @property
    def duration(self) -> float | None:
        """The length in seconds; None for files without one."""
        seconds = self._native.duration()
        return None if math.isnan(seconds) else seconds

    # ---- reading ----

    def table(
        self,
        track: str,
        *,
        columns: Iterable[str] | None = None,
        time: tuple[float | None, float | None] = (None, None),
        index: tuple[int | None, int | None] = (None, None),
        every_frame: bool = False,
        linear: bool = False,
        stored: bool = False,
        batch_rows: int = 0,
    ) -> Table:
        """A track with some of its columns and rows; bounds are included.

        `every_frame` adds rows of objects that did not change, `linear` interpolates them. `stored`
        adds a column with bits for what each row stores itself. `batch_rows` is the most rows of one
        Arrow batch.
        """
        if track not in self._tracks:
            raise KeyError(f"{track!r}; the tracks of {self.format} are {', '.join(self._tracks)}")
        selection = Selection(
            as_columns(columns), time, index, every_frame, linear, stored, batch_rows
        )
        return Table(self, track, selection, False)

    def at(self, moment: float | Index | Run) -> dict[str, Any]:
        """The complete state at a moment: seconds, `Index(frame or tick)`, or `Run(seconds)`.

        >>> import reprise
        >>> replay = reprise.open("match.replay")
        >>> replay.at(1.5)["frame"], replay.at(reprise.Index(45))["frame"]
        (74, 45)
        """
        if isinstance(moment, Index):
            return self._native.at(True, False, 0.0, int(moment))
        return self._native.at(False, isinstance(moment, Run), float(moment), 0)

    def stats(self) -> dict[str, Any]:
        """Statistics; what is in the file apart from what was computed. Reads everything."""
        return self._native.stats()

    def verify(self) -> Verification:
        """Checks checksums, bounds and rules. Damage is a finding, not an exception.

        >>> import reprise
        >>> bool(reprise.open("match.replay").verify())
        True
        >>> [finding.id for finding in reprise.open("broken.replay").verify().findings][0]
        'rumble.lost-end'
        """
        notes, warnings, faults, worst, findings, document = self._native.verify()
        found = tuple(Finding(*finding) for finding in findings)
        return Verification(notes, warnings, faults, worst, found, document)

    def blobs(self) -> tuple[Blob, ...]:
        """The files inside the replay."""
        return tuple(Blob(*blob) for blob in self._native.blobs())

    def read_blob(self, name: str) -> bytes:
        """The bytes of a file inside the replay."""
        for number, blob in enumerate(self.blobs()):
            if blob.name == name:
                content = io.BytesIO()
                self._native.read_blob(number, content)
                return content.getvalue()
        raise KeyError(name)

    def diff(self, other: Source) -> tuple[bool, dict[str, Any]]:
        """Whether another replay has the same content, and what differs."""
        source = other._source if isinstance(other, Replay) else other
        with Replay(source, self._options, None) as opened:
            return self._native.diff(opened._native)

    # ---- writing ----

    def convert(
        self,
        target: Target | None,
        *,
        layout: str | None = None,
        lossy: bool = False,
        replace: bool = False,
        level: str | int | None = None,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Writes the replay in another layout and returns a report.

        The target is a path or a file that is open for writing; it gets everything or nothing. With
        `dry_run` there is none, and nothing is kept. If the layout cannot hold everything, the
        status of the exception is "lossy" and its `report` lists the losses; `lossy` writes it anyway.

        >>> import reprise
        >>> reprise.open("match.replay").convert("old.replay", layout="z5", lossy=True)["layout"]
        'z5'
        >>> reprise.open("old.replay").layout
        'z5'
        """
        options = (replace, lossy, _level(level), layout, False, dry_run)
        return self._write("convert", target, options, None)

    def recompress(
        self,
        target: Target | None,
        *,
        level: str | int | None = None,
        long_range: bool = False,
        replace: bool = False,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Writes the same content at another compression level; by default as small as possible."""
        options = (replace, False, _level(level), None, long_range, dry_run)
        return self._write("recompress", target, options, None)

    def trim(
        self,
        target: Target | None,
        start: float | str | Index | Run | None = None,
        end: float | str | Index | Run | None = None,
        *,
        keep_times: bool = False,
        lossy: bool = False,
        replace: bool = False,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Writes the frames of a range, both ends included.

        An end is a number of seconds, the name of a marker, `Index(frame)`, or `Run(seconds)`
        relative to the same end of the run. The first frame gets the complete state.
        """
        options = (replace, lossy, -1, None, False, dry_run)
        return self._write("trim", target, options, (_bound(start), _bound(end), keep_times))

    def anonymize(
        self,
        target: Target | None,
        *,
        kinds: Iterable[str] | None = None,
        lossy: bool = False,
        replace: bool = False,
        dry_run: bool = False,
    ) -> dict[str, Any]:
        """Writes the replay without private data, checked, and returns a report.

        `kinds` limits what is removed: names, chat, voice, ids, addresses, times, looks, content,
        extensions, marks, and whispers (with chat: only messages not meant for everyone).
        """
        options = (replace, lossy, -1, None, False, dry_run)
        return self._write("anonymize", target, options, _kinds(kinds))

    def recover(
        self, target: Target | None, *, replace: bool = False, dry_run: bool = False
    ) -> dict[str, Any]:
        """Writes everything readable of a damaged file, opened with `salvage`, as a sound file.

        >>> import reprise
        >>> broken = reprise.open("broken.replay", salvage=True)
        >>> bool(broken.recover("sound.replay")["lost"])
        True
        >>> bool(reprise.open("sound.replay").verify())
        True
        """
        options = (replace, False, -1, None, False, dry_run)
        return self._write("recover", target, options, None)

    def _write(
        self, verb: str, target: Target | None, options: _native.Write, extra: Any
    ) -> dict[str, Any]:
        if target is None:
            if not options[5]:
                raise TypeError(f"{verb} needs a target, or dry_run=True")
            return self._native.write(verb, None, None, options, extra)
        if isinstance(target, (str, os.PathLike)):
            return self._native.write(verb, os.fspath(target), None, options, extra)
        return self._native.write(verb, None, target, options, extra)

    # ---- showing ----

    def export_scene(
        self,
        target: Target,
        *,
        form: str = "glb",
        time: tuple[float | None, float | None] = (None, None),
        samples_per_s: float = 0.0,
        exact: bool = False,
        replace: bool = False,
    ) -> dict[str, Any]:
        """Writes what can be seen as "glb", "gltf" or "timeline", and returns counts."""
        if form not in ("glb", "gltf", "timeline"):
            raise ValueError(f"unknown form {form!r}; expected glb, gltf or timeline")
        options = _scene_options(time, samples_per_s, exact, self.name)
        if isinstance(target, (str, os.PathLike)):
            with _NewFile(target, replace) as file:
                return self._native.scene(form, file, options)
        return self._native.scene(form, target, options)

    def timeline(self) -> dict[str, Any]:
        """Markers, plots and tables over time (docs/json/timeline.schema.json)."""
        options = _scene_options((None, None), 0.0, False, self.name)
        return self._native.scene("timeline", None, options)

    def plot(
        self,
        target: Target,
        *plots: str,
        time: tuple[float | None, float | None] = (None, None),
        players: Iterable[int] = (),
        width: int = 960,
        height: int = 320,
        theme: str = "auto",
        side: bool = False,
        replace: bool = False,
    ) -> bool:
        """Draws plots as SVG, one below the other. Returns whether all of them have values.

        >>> import io, reprise
        >>> picture = io.BytesIO()
        >>> reprise.open("match.replay").plot(picture, "health")
        True
        >>> picture.getvalue()[:4]
        b'<svg'
        """
        if theme not in _THEMES:
            raise ValueError(f"unknown theme {theme!r}; expected auto, light or dark")
        options = _scene_options(time, 0.0, False, self.name)
        mask = sum(1 << player for player in set(players))
        rest = plots, mask, width, height, _THEMES[theme], side
        if isinstance(target, (str, os.PathLike)):
            with _NewFile(target, replace) as file:
                return self._native.plot(file, options, *rest)
        return self._native.plot(target, options, *rest)


def _source(source: Any) -> tuple[str, Any, int, str]:
    """How to read a source: kind, object, size, and a name for messages."""
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        return "path", path, 0, os.fsdecode(path)
    if isinstance(source, (bytes, bytearray, memoryview)):
        # Bytes that could change while they are read are copied.
        view = memoryview(source)
        return "bytes", source if view.readonly else bytes(source), 0, "bytes"
    if not hasattr(source, "read"):
        raise TypeError(f"expected a path, bytes or a file, not {type(source).__name__}")
    name = getattr(source, "name", None)
    name = name if isinstance(name, str) else type(source).__name__
    if isinstance(source, io.TextIOBase):
        raise TypeError("the file is open for text; open it with 'rb'")
    seekable = getattr(source, "seekable", None)
    if seekable is None or not seekable():
        return "bytes", source.read(), 0, name
    return "file", source, source.seek(0, os.SEEK_END), name


def options_of(
    format: str | None,
    layout: str | None,
    salvage: bool,
    threads: int,
    limits: Mapping[str, int] | None,
) -> _native.Options:
    if threads < 1:
        raise ValueError(f"threads is {threads}; at least 1 is needed")
    return format, layout, salvage, threads, dict(limits or {})


def open(
    source: Source,
    *,
    format: str | None = None,
    layout: str | None = None,
    salvage: bool = False,
    threads: int = 1,
    limits: Mapping[str, int] | None = None,
    name: str | None = None,
) -> Replay:
    """Opens a replay by its content: a path, bytes, or a file that is open for reading bytes.

    A seekable file is read piece by piece, as needed; do not use it for anything else meanwhile.
    `format` and `layout` say what it is instead of recognising it. `salvage` opens damaged files
    that would be refused. `threads` may work on the replay at once. `limits` bound what a hostile
    file may cost; `reprise.limits()` lists them. `name` is the name in messages.

    >>> import reprise
    >>> reprise.open("match.replay")
    <replay match.replay: rumble z6>
    >>> import io, pathlib
    >>> reprise.open(io.BytesIO(pathlib.Path("match.replay").read_bytes())).format
    'rumble'
    """
    return Replay(source, options_of(format, layout, salvage, threads, limits), name)


def formats() -> list[dict[str, Any]]:
    """The formats that can be read, with their layouts and tracks.

    >>> import reprise
    >>> sorted(format["name"] for format in reprise.formats())[:3]
    ['cs2kz', 'icproof', 'icrep']
    """
    return _native.formats()


def describe(format: str) -> dict[str, Any]:
    """Tracks, columns, records and findings of a format (docs/json/schema.schema.json)."""
    return _native.describe(format)


def limits() -> dict[str, int]:
    """The limits of `open` with their defaults; 0 follows from the size of the input."""
    return {name: value for name, value, _ in _native.limits()}


def schema(
    format: str, track: str, *, columns: Iterable[str] | None = None, stored: bool = False
) -> Schema:
    """The Arrow schema of a track, without a file: every file of the format has it.

    >>> import pyarrow, reprise
    >>> pyarrow.schema(reprise.schema("cs2kz", "jumps", columns=["tick", "max_speed"])).names
    ['tick', 'max_speed']
    """
    return Schema(format, track, Selection(columns=as_columns(columns), stored=stored))
