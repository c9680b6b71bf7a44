"""RUMBLE: an hour at 50 frames per second, against its decompressor or compressor alone."""

from bench import duel, result, spawn


def hour(bench, layout):
    return bench.generated(f"hour_{layout}.replay", "gen_rumble.py", "--size", "hour", "--dialect",
                           layout, "--seed", "1", "--no-expect")


@duel
def rumble_l1(bench):
    yield from bench.ratio("duel_rumble", "rumble L1 decode all / libdeflate", 0.93,
                           hour(bench, "l1"))


@duel
def rumble_z6(bench):
    yield from bench.ratio("duel_rumble", "rumble Z6 decode all / libbrotlidec", 0.95,
                           hour(bench, "z6"))


@duel
def rumble_write(bench):
    """Writing may take 1.5 times as long as the encoder it ends in."""
    yield from bench.ratio("duel_rumble_write", "rumble Z6 write again / libbrotlienc", 0.667,
                           hour(bench, "z6"))


@duel
def rumble_memory(bench):
    """Peak of resident memory over the hour, whatever the verb does with it."""
    for layout in ("l1", "z6"):
        for verb in (["verify"], ["cat", "--track", "players"]):
            _, kib, _ = spawn(bench.reprise, *verb, hour(bench, layout))
            yield result(f"memory of {verb[0]}, one hour {layout.upper()}", kib / 1024, "MiB", 64,
                         at_most=True)


@duel
def rumble_memory_of_changes(bench):
    """The same for verbs that write, from the legacy layout and of two recordings at once."""
    new = bench.data / "changed.replay"
    legacy, current = hour(bench, "l1"), hour(bench, "z6")
    for name, command in (("convert L1 to Z6", ["convert", "-f", legacy, new]),
                          ("recompress Z6", ["recompress", "-f", "-l", "1", current, new]),
                          ("merge two of Z6", ["merge", "-f", "-l", "1", "--offset", "1800", current,
                                               current, "-o", new])):
        _, kib, _ = spawn(bench.reprise, *command)
        limit = None if name.startswith("merge") else 64
        yield result(f"memory of {name}, one hour", kib / 1024, "MiB", limit, at_most=True)
    new.unlink()
