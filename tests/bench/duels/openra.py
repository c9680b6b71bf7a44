"""OpenRA: all orders of an hour against copying the file, and what is known without them."""

from bench import duel, result, spawn


def hour(bench):
    return bench.generated("openra_hour.orarep", "gen_openra.py", "write", "--size", "1h", "--seed",
                           "1", "--no-expect")


@duel
def openra_orders(bench):
    path = hour(bench)
    for line in bench.program("duel_openra", "orders", path):
        yield result("openra decode all orders / memcpy", line["ratio"], "x", 0.05,
                     ours_ms=line["ours_ms"], theirs_ms=line["theirs_ms"])
        yield result("  speed", path.stat().st_size / 1e3 / line["ours_ms"], "MB/s", 100)


@duel
def openra_info(bench):
    """Not the orders, only where packets begin and the lobby at the start."""
    path = hour(bench)
    info = min(spawn(bench.reprise, "info", path)[0] for _ in range(15))
    all_orders = min(spawn(bench.reprise, "stats", path)[0] for _ in range(5))
    yield result("openra info / stats, time of one hour", info / all_orders, "x")
