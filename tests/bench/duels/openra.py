"""OpenRA: all orders of an hour against copying the file."""

from bench import duel, result
from inputs import openra


@duel
def openra_orders(bench):
    path = openra(bench, 60)
    for line in bench.program("duel_openra", "orders", path):
        yield result("openra decode all orders / memcpy (inner)", line["ratio"], "x", 0.05,
                     ours_ms=line["ours_ms"], theirs_ms=line["theirs_ms"])
        yield result("  speed", path.stat().st_size / 1e3 / line["ours_ms"], "MB/s", 100)
