"""Scenes: 200 Minecraft entities of 3000 frames as GLB, against the Blender add-on's own import."""

from bench import duel, result, spawn

# Measured once with the add-on that comes with the format, in Blender 3.4: seconds and KiB.
ADD_ON_S = 265
MEMORY_KIB = 256 * 1024
ROUNDS = 5


@duel
def mcreplay_to_glb(bench):
    source = bench.generated("mcreplay-large.replay", "gen_mcreplay.py", "--seed", "1", "--size",
                             "large", "--no-expect", "--out")
    target = bench.data / "mcreplay-large.glb"
    best, most = float("inf"), 0
    for _ in range(ROUNDS):
        cpu, memory, _ = spawn(bench.reprise, "export", "-q", "--force", source, target)
        best, most = min(best, cpu), max(most, memory)
    target.unlink()
    yield result("mcreplay 200 entities to GLB / Blender add-on", ADD_ON_S / best, "x", 100,
                 ours_ms=best * 1e3, theirs_ms=ADD_ON_S * 1e3)
    yield result("  peak of memory", most / 1024, "MiB", MEMORY_KIB / 1024, at_most=True)
