"""RUMBLE: an hour at 50 frames per second, decoded against its decompressor alone."""

from bench import duel, result, spawn


def hour(bench, layout):
    return bench.generated(f"hour_{layout}.replay", "gen_rumble.py", "--size", "hour", "--dialect",
                           layout, "--seed", "1", "--no-expect")


@duel
def rumble_l1(bench):
    yield from bench.ratio("duel_rumble", "rumble L1 decode all / libdeflate", 0.90,
                           hour(bench, "l1"))


@duel
def rumble_z6(bench):
    yield from bench.ratio("duel_rumble", "rumble Z6 decode all / libbrotlidec", 0.93,
                           hour(bench, "z6"))


@duel
def rumble_memory(bench):
    """Peak of resident memory over the hour, whatever the verb does with it."""
    for layout in ("l1", "z6"):
        for verb in (["verify"], ["cat", "--track", "players"]):
            _, kib, _ = spawn(bench.reprise, *verb, hour(bench, layout))
            yield result(f"memory of {verb[0]}, one hour {layout.upper()}", kib / 1024, "MiB", 64,
                         at_most=True)
