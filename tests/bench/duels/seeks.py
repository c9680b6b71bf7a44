"""The state at a moment of an hour: cold, by the command, and warm, in an open replay."""

from bench import Skip, duel, measured, result, skipped
from inputs import FAMILIES

SPANS = {  # seconds: the first and the last moment
    "rumble z6": (0, 3600), "rumble l1": (0, 3600), "cs2kz": (4311, 8500), "openra": (0, 3600),
    "remastered": (0, 3600), "ironcurtain": (0, 3600), "mcreplay": (0, 3600),
}
PARTS = (0.1, 0.5, 0.9)
# The track that has a row for each frame. CS2KZ has one track after the other, Minecraft one entity after the other:
# there, a decode up to a moment is taken to be that share of a whole one.
FRAMES = {"rumble z6": "frames", "rumble l1": "frames", "cs2kz": "apart", "openra": "packets", "remastered": "frames",
          "ironcurtain": "ticks", "mcreplay": None}


def cold(bench, family):
    path, (first, last) = FAMILIES[family](bench, 60), SPANS[family]
    found = []
    for part in PARTS:
        moment = f"{first + (last - first) * part:.1f}"
        decode = [bench.decode, path]
        if FRAMES[family]:
            decode = [bench.build / "tests" / "bench" / "duel_until", path, moment, FRAMES[family]]
        ours, theirs = measured((bench.reprise, "at", "--time", moment, path, "--jobs", "1"), decode, rounds=9)
        theirs["cpu_s"] *= 1 if FRAMES[family] else part
        found.append((ours["cpu_s"] / theirs["cpu_s"], ours, theirs))
    ratios = "/".join(f"{ratio:.2f}" for ratio, _, _ in found)
    worst, ours, theirs = max(found, key=lambda one: one[0])
    return result(f"{family} at 10/50/90 % of an hour, cold / one decode up to there, time: {ratios}", worst, "x", 1.1,
                  at_most=True, ours_ms=ours["cpu_s"] * 1e3, theirs_ms=theirs["cpu_s"] * 1e3,
                  memory_mib=max(one["peak_kib"] for _, one, _ in found) / 1024)


@duel
def cold_seeks(bench):
    for family in FAMILIES:
        try:
            yield cold(bench, family)
        except Skip as reason:
            yield skipped(f"{family} at, cold", reason)


@duel
def warm_seeks(bench):
    """The median of 200 random moments after the first two, by processor time; of fewer where each takes long."""
    for family, (first, last) in SPANS.items():
        seeks = "12" if family == "mcreplay" else "200"
        for line in bench.program("duel_seek", FAMILIES[family](bench, 60), str(first), str(last), seeks):
            yield result(f"{family}: state at a moment of an hour, warm", line["median_ms"], "ms", 1, at_most=True,
                         first_ms=line["first_ms"], second_ms=line["second_ms"],
                         p99_ms=line["p99_ms"])
