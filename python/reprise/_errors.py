"""Exceptions. The extension describes a failure with a dict, and `make` builds the exception."""

from __future__ import annotations

import errno
from typing import Any


class Error(Exception):
    """A replay could not be opened, read or written.

    >>> import reprise
    >>> try:
    ...     reprise.open(b"not a replay at all")
    ... except reprise.Error as error:
    ...     print(error.status)
    unrecognized

    An argument that makes no sense is a ValueError as well, and a file that cannot be reached is
    also the OSError that Python would raise:

    >>> try:
    ...     reprise.open("missing.replay")
    ... except FileNotFoundError as error:
    ...     print(type(error).__name__, error.status)
    Error io
    """

    #: One word, stable: "truncated", "corrupt", "limit", "unrecognized" ...
    status: str
    #: What was expected and what was found.
    message: str
    #: The name of the file, or None.
    file: str | None
    #: The part of the file: "file", "zip:replay", "zstd:ticks" ...
    stream: str
    #: The byte in that part.
    offset: int
    #: The place in the content: "frames[12].entries[3].rotation".
    path: str
    #: What to try next, or empty.
    hint: str
    #: What a writing verb found out before it failed, or None.
    report: dict[str, Any] | None

    def __init__(self, text: str, **fields: Any) -> None:
        super().__init__(text)
        self.status = fields.get("status", "failed")
        self.message = fields.get("message", text)
        self.file = fields.get("file")
        self.stream = fields.get("stream", "")
        self.offset = fields.get("offset", 0)
        self.path = fields.get("path", "")
        self.hint = fields.get("hint", "")
        self.report = None

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        fields = {name: value for name, value in self.__dict__.items() if name != "report"}
        return _rebuild, (self.args[0], fields, getattr(self, "errno", None) or 0)


_FILE_ERRORS: dict[int, type[OSError]] = {
    errno.ENOENT: FileNotFoundError,
    errno.EACCES: PermissionError,
    errno.EPERM: PermissionError,
    errno.EEXIST: FileExistsError,
    errno.EISDIR: IsADirectoryError,
    errno.ENOTDIR: NotADirectoryError,
}


_CLASSES: dict[str, type[Error]] = {}


def _class(base: type[Exception]) -> type[Error]:
    """The exception that is also a `base`; one class for each."""
    known = _CLASSES.get(base.__name__)
    if known is None:
        members = {"__module__": Error.__module__, "__doc__": Error.__doc__}
        known = _CLASSES.setdefault(base.__name__, type("Error", (Error, base), members))
    return known


def _class_for(status: str, number: int) -> type[Error]:
    if status == "io" or number:
        return _class(_FILE_ERRORS.get(number, OSError))
    if status == "usage":
        return _class(ValueError)
    if status == "nomem":
        return _class(MemoryError)
    return Error


def _rebuild(text: str, fields: dict[str, Any], number: int) -> Error:
    error = _class_for(fields["status"], number)(text, **fields)
    if number and isinstance(error, OSError):
        error.errno = number
    return error


def make(fields: dict[str, Any]) -> Error:
    """The exception for a failure; its class depends on the status."""
    number = fields.pop("cause") if fields["status"] == "io" else 0
    if fields.pop("exists"):
        number = errno.EEXIST
    return _rebuild(fields.pop("text"), fields, number)
