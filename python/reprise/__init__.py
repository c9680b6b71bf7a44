"""Open, read, check and search game replays.

>>> import reprise
>>> replay = reprise.open("match.replay")
>>> replay.format, replay.tracks[:3]
('rumble', ('frames', 'players', 'structures'))
>>> replay["players"].select("time", "health").to_polars()["health"].min()
12

Tracks are tables that pyarrow, polars, DuckDB and pandas read without copying. `scan` reads one track
of many files with all processors. docs/guide/python.md is the tutorial.
"""

from ._errors import Error
from ._native import version as __version__
from ._replay import (
    Blob,
    Finding,
    Index,
    Replay,
    Run,
    Verification,
    describe,
    formats,
    limits,
    open,
    schema,
)
from ._scan import Scan, scan
from ._table import ArrowTable, Schema, Table

__all__ = [
    "ArrowTable",
    "Blob",
    "Error",
    "Finding",
    "Index",
    "Replay",
    "Run",
    "Scan",
    "Schema",
    "Table",
    "Verification",
    "__version__",
    "describe",
    "formats",
    "limits",
    "open",
    "scan",
    "schema",
]
