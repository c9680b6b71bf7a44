"""Minecraft: animation text against expat alone, and 200 entities of 3000 frames."""

from bench import duel, result, spawn

# Importing the crowd with the add-on that comes with the format, measured once in Blender 3.4.
ADD_ON_S = 265
ROUNDS = 5
# In the entity of duel_mcreplay: frames, a root and its parts, numbers of each.
ANIMATION_NUMBERS = 20_000 * (1 + 8) * 10


def crowd(bench):
    return bench.generated("crowd.replay", "gen_mcreplay.py", "--size", "large", "--seed", "1",
                           "--no-expect", "--out")


@duel
def mcreplay_animation(bench):
    for line in bench.ratio("duel_mcreplay", "mcreplay animation text / expat", 1.2):
        yield line
        yield result("mcreplay animation text, numbers", ANIMATION_NUMBERS / line["ours_ms"] / 1e3,
                     "M/s", 20)


@duel
def mcreplay_crowd(bench):
    """Peak of resident memory, which must hold one entity at a time, and a scene of all."""
    file = crowd(bench)
    for verb in (["verify"], ["cat", "--track", "parts"]):
        _, kib, _ = spawn(bench.reprise, *verb, file)
        yield result(f"memory of {verb[0]}, 200 entities x 3000 frames", kib / 1024, "MiB", 64,
                     at_most=True)
    scene = bench.build / "crowd.glb"
    spent = [spawn(bench.reprise, "export", "--force", file, scene) for _ in range(ROUNDS)]
    scene.unlink()
    best, kib = min(cpu for cpu, _, _ in spent), max(kib for _, kib, _ in spent)
    yield result("export to GLB / the Blender add-on", ADD_ON_S / best, "x", 100,
                 ours_ms=best * 1e3, theirs_ms=ADD_ON_S * 1e3)
    yield result("memory of export, 200 entities x 3000 frames", kib / 1024, "MiB", 256,
                 at_most=True)
