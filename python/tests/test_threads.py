"""Threads: one replay used by many, the GIL released while the library works."""

import io
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import polars
import pyarrow as pa
import pytest
import reprise
import samples

RUN = samples.DATA / "cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay"
MATCH = samples.DATA / "rumble/z6_match_like_1.2.4.replay"
FILES = [RUN] * 40

USES = [
    lambda replay: len(list(replay["ticks"])),
    lambda replay: len(replay["strafes"].to_arrow()),
    lambda replay: polars.DataFrame(replay["commands"]).height,
    lambda replay: replay.at(1.0)["tick"],
    lambda replay: replay.verify().document["rows"]["ticks"],
    lambda replay: len(str(replay.stats())),
    lambda replay: replay.info["ticks"],
    lambda replay: len(replay.recompress(io.BytesIO(), level="fastest")),
]


@pytest.mark.parametrize("source", ["path", "bytes", "file"])
def test_one_replay_in_many_threads(source):
    content = RUN.read_bytes()
    opened = {"path": RUN, "bytes": content, "file": io.BytesIO(content)}[source]
    wanted = [use(reprise.open(RUN)) for use in USES]
    replay = reprise.open(opened)
    with ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            got = list(pool.map(lambda use: use(replay), USES * 4))
            assert got == wanted * 4


def test_streams_are_released_in_any_order_and_thread():
    for order in ("replay first", "stream first", "batches last"):
        replay = reprise.open(RUN.read_bytes())
        reader = pa.RecordBatchReader.from_stream(replay.table("ticks", batch_rows=100))
        batches = [reader.read_next_batch(), reader.read_next_batch()]
        if order == "replay first":
            replay.close()
        if order == "stream first":
            del reader
        if order == "batches last":
            threading.Thread(target=reader.close).start()
            replay.close()
            del replay
        assert batches[1].column("tick")[0].as_py() == 49838
        assert batches[0].validate(full=True) is None


# Operations that must let other threads run meanwhile.
LONG = {
    "verify": lambda: reprise.open(RUN).verify(),
    "stats": lambda: reprise.open(RUN).stats(),
    "rows": lambda: [next(iter(reprise.open(RUN)["subticks"])) for _ in range(20)],
    "scan": lambda: reprise.scan(FILES, "ticks").errors,
    "write": lambda: reprise.open(RUN).recompress(None, dry_run=True),
}


@pytest.mark.parametrize("work", LONG.values(), ids=LONG.keys())
def test_the_gil_is_released(work):
    """A thread that is never asked to give up the GIL lets another one run while it works."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(3600)
    try:
        assert any(runs_beside(work) for _ in range(50))
    finally:
        sys.setswitchinterval(before)


def runs_beside(work):
    order, begun = [], threading.Event()

    def worker():
        begun.set()
        work()
        order.append("worked")

    thread = threading.Thread(target=worker)
    thread.start()
    begun.wait()
    order.append("main")
    thread.join()
    return order == ["main", "worked"]


def test_a_file_object_may_use_threads_itself():
    class Handing(io.BytesIO):
        """Reads in another thread, which needs the GIL."""

        def read(self, size=-1):
            with ThreadPoolExecutor(1) as pool:
                return pool.submit(super().read, size).result()

    replay = reprise.open(Handing(MATCH.read_bytes()))
    with ThreadPoolExecutor(4) as pool:
        heights = list(pool.map(lambda _: polars.DataFrame(replay["players"]).height, range(8)))
    assert heights == [301] * 8
