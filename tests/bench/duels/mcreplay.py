"""Minecraft: animation text against expat alone, and 200 entities of 3000 frames."""

from bench import duel, result, spawn


def crowd(bench):
    return bench.generated("crowd.replay", "gen_mcreplay.py", "--size", "large", "--seed", "1",
                           "--no-expect")


@duel
def mcreplay_animation(bench):
    yield from bench.ratio("duel_mcreplay", "mcreplay animation text / expat", 0.60)


@duel
def mcreplay_memory(bench):
    """Peak of resident memory over a crowd; showing it must hold one entity at a time, too."""
    file = crowd(bench)
    for verb in (["verify"], ["cat", "--track", "parts"]):
        _, kib, _ = spawn(bench.reprise, *verb, file)
        yield result(f"memory of {verb[0]}, 200 entities x 3000 frames", kib / 1024, "MiB", 64,
                     at_most=True)
    _, kib, _ = spawn(bench.reprise, "export", "--force", file, bench.build / "crowd.glb")
    yield result("memory of export, 200 entities x 3000 frames", kib / 1024, "MiB", 256,
                 at_most=True)
