"""RUMBLE: ten minutes at 50 frames per second, against its decompressor or compressor alone."""

from bench import duel, measured, result, spawn
from inputs import FAMILIES, rumble_second


@duel
def rumble_decode(bench):
    for layout, codec, goal in (("l1", "libdeflate", 0.93), ("z6", "libbrotlidec", 0.95)):
        yield from bench.ratio("duel_rumble", f"rumble {layout.upper()} decode all / {codec} (inner)", goal,
                               FAMILIES["rumble " + layout](bench, 10))


@duel
def rumble_write(bench):
    """Writing may take 1.5 times as long as the encoder it ends in."""
    yield from bench.ratio("duel_rumble_write", "rumble Z6 write again / libbrotlienc (inner)", 0.667,
                           FAMILIES["rumble z6"](bench, 10))


@duel
def rumble_info(bench):
    """It reads the beginning only."""
    ours, theirs = measured((bench.reprise, "info", FAMILIES["rumble z6"](bench, 10)),
                            (bench.reprise, "info", rumble_second(bench)), rounds=51)
    yield result("rumble Z6 info, 10 min / info of a file of 1 s, time", ours["cpu_s"] / theirs["cpu_s"], "x", 1.5,
                 at_most=True, ours_ms=ours["cpu_s"] * 1e3, theirs_ms=theirs["cpu_s"] * 1e3,
                 memory_mib=ours["peak_kib"] / 1024)


@duel
def rumble_memory_of_changes(bench):
    """Of verbs that write, from the legacy layout and of two recordings at once."""
    new = bench.data / "changed.replay"
    legacy, current = (FAMILIES["rumble " + layout](bench, 60) for layout in ("l1", "z6"))
    for name, command in (("convert L1 to Z6", ["convert", "-f", legacy, new]),
                          ("merge two of Z6", ["merge", "-f", "-l", "1", "--offset", "1800", current,
                                               current, "-o", new])):
        _, kib, _ = spawn(bench.reprise, *command)
        limit = None if name.startswith("merge") else 64
        yield result(f"memory of {name}, one hour", kib / 1024, "MiB", limit, at_most=True)
    new.unlink()
