"""Minecraft: animation text against expat alone, ZIP members against libdeflate, 200 entities to GLB."""

from bench import duel, measured, result
from inputs import crowd, mcreplay

# Importing the crowd with the add-on that comes with the format, measured elsewhere, once, in Blender 3.4.
ADD_ON_S = 265
NOTE = f"the add-on is not run: measured elsewhere, in Blender 3.4, it took {ADD_ON_S} s"
# In the entity of duel_mcreplay: frames, a root and its parts, numbers of each.
ANIMATION_NUMBERS = 20_000 * (1 + 8) * 10


@duel
def mcreplay_animation(bench):
    for line in bench.ratio("duel_mcreplay", "mcreplay animation text / expat alone (inner)", 1.2):
        yield line
        yield result("  numbers", ANIMATION_NUMBERS / line["ours_ms"] / 1e3, "M/s", 20)


@duel
def zip_members(bench):
    yield from bench.ratio("duel_zip", "ZIP members / libdeflate on the same bytes (inner)", 0.85, mcreplay(bench, 10))


@duel
def mcreplay_crowd(bench):
    """Memory must hold one entity at a time, and a scene of all."""
    file = crowd(bench)
    scene = bench.data / "crowd.glb"
    for verb in (["verify"], ["cat", "--track", "parts"]):
        line, = measured((bench.reprise, *verb, file), rounds=1)
        yield result(f"memory of {verb[0]}, 200 entities x 3000 frames", line["peak_kib"] / 1024, "MiB", 64,
                     at_most=True)
    line, = measured((bench.reprise, "export", "--force", file, scene, "--jobs", "2"), rounds=9)
    scene.unlink()
    yield result("200 entities to GLB on two threads / the Blender add-on, by the clock", ADD_ON_S / line["clock_s"],
                 "x", 200, note=NOTE, ours_ms=line["clock_s"] * 1e3, theirs_ms=ADD_ON_S * 1e3,
                 memory_mib=line["peak_kib"] / 1024)
    yield result("  by processor time", ADD_ON_S / line["cpu_s"], "x", 100, note=NOTE, ours_ms=line["cpu_s"] * 1e3,
                 theirs_ms=ADD_ON_S * 1e3)
