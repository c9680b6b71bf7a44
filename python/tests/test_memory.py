"""Nothing is kept: memory does not grow with repetition, whatever ends an operation."""

import gc
import io
import tracemalloc

import pyarrow as pa
import pytest
import reprise
import samples

MATCH = samples.DATA / "rumble/z6_match_like_1.2.4.replay"
CONTENT = MATCH.read_bytes()
BROKEN = CONTENT[: len(CONTENT) // 2]


def fails(call):
    with pytest.raises(Exception):
        call()


def damaged():
    table = reprise.open(BROKEN)["players"]
    fails(lambda: list(table))
    fails(table.to_arrow)
    table.complete_rows().to_arrow()


WORK = {
    "open": lambda: reprise.open(CONTENT).info,
    "file object": lambda: reprise.open(io.BytesIO(CONTENT)).stats(),
    "rows": lambda: list(reprise.open(MATCH)["players"]),
    "left early": lambda: next(iter(reprise.open(MATCH)["players"])),
    "arrow": lambda: reprise.open(MATCH)["players"].to_arrow(),
    "stream not read": lambda: reprise.open(MATCH)["players"].__arrow_c_stream__(),
    "schema": lambda: pa.schema(reprise.schema("rumble", "players")),
    "damaged": damaged,
    "unrecognized": lambda: fails(lambda: reprise.open(b"nothing")),
    "wrong column": lambda: fails(lambda: list(reprise.open(MATCH)["players"].select("x"))),
    "scan": lambda: reprise.scan([("a", CONTENT), ("b", BROKEN)], "players").to_arrow(),
    "scan left early": lambda: next(iter(reprise.scan([MATCH] * 9, "players"))),
    "errors": lambda: list(reprise.scan([("b", BROKEN), MATCH], "players").errors),
    "write": lambda: reprise.open(MATCH).convert(io.BytesIO(), layout="z5", lossy=True),
    "plot": lambda: reprise.open(MATCH).plot(io.BytesIO(), "health"),
    "lossy": lambda: fails(lambda: reprise.open(MATCH).convert(io.BytesIO(), layout="z5")),
    "verify": lambda: reprise.open(BROKEN).verify(),
}


def resident_kb():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4


def growth(work, turns):
    """(bytes of Python objects, kB of the process) that are kept after some turns."""
    gc.collect()
    resident = resident_kb()
    tracemalloc.start()
    work()
    gc.collect()
    objects = tracemalloc.get_traced_memory()[0]
    for _ in range(turns):
        work()
    gc.collect()
    kept = tracemalloc.get_traced_memory()[0] - objects
    tracemalloc.stop()
    return kept, resident_kb() - resident


@pytest.mark.parametrize("work", WORK.values(), ids=WORK.keys())
def test_repetition_keeps_nothing(work):
    for _ in range(10):
        work()
    # What is lost in each turn is lost in each round. What other code keeps once, a cache that is filled or a
    # thread that ends, is in one round only: the least of three does not count it.
    objects, resident = zip(*(growth(work, 60) for _ in range(3)))
    assert min(objects) < 20_000
    # One lost batch or document per turn would be far more.
    assert min(resident) < 12_000
