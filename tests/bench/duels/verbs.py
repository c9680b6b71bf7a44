"""What a user runs, end to end: each verb against one decode of the same file, and on two threads.

A decode is every row of every track, read by a program of its own (duel_decode). The file is opened on
both sides.
"""

from bench import duel, measured, recording, result

MINUTES = (10, 60, 180)
# Of verbs that miss their goal: what the profile says.
WHY = {
    ("ironcurtain", "verify"): "of its instructions 82 % hash the states of the match, which it simulates tick by "
                               "tick, and 15 % check signatures",
}
# Of seeks that miss theirs.
WHY_SEEK = {
    "openra": "it looks at the header of every packet: those of a frame are not contiguous and have no index",
    "remastered": "records have no index and no fixed size, so it reads from the start",
    "ironcurtain": "22 % of its instructions check the two signatures around the moment; the rest loads a keyframe, "
                   "simulates up to the moment and makes the document",
}


def rumble(layout):
    return lambda bench, minutes: bench.generated(
        f"rumble_{layout}_{minutes}.replay", "gen_rumble.py", "--size", str(minutes * 60), "--dialect", layout,
        "--seed", "1", "--no-expect")


def openra(bench, minutes):
    return bench.generated(f"openra_{minutes}.orarep", "gen_openra.py", "write", "--frames",
                           str(minutes * 500), "--clients", "4", "--seed", "1", "--no-expect")


def remastered(bench, minutes):
    return bench.generated(f"remastered_{minutes}.bin", "gen_remastered.py", "write", "--frames",
                           str(minutes * 900), "--seed", "1", "--no-expect")


def ironcurtain(bench, minutes):
    return bench.generated(f"ironcurtain_{minutes}.icrep", "gen_ironcurtain.py", "--ticks",
                           str(minutes * 900), "--players", "4", "--units", "40", "--events", "--signed", "--out")


def mcreplay(bench, minutes):
    """Two entities at 20 frames per second."""
    return bench.generated(f"mcreplay_{minutes}.replay", "gen_mcreplay.py", "--entities", "2", "--frames",
                           str(minutes * 1200), "--sections", "4", "--world-frames", "40", "--no-expect", "--out")


FAMILIES = {
    "rumble z6": (rumble("z6"), "players", "speed"),
    "rumble l1": (rumble("l1"), "players", "speed"),
    "cs2kz": (recording, "ticks", "speed"),
    "openra": (openra, "orders", "apm"),
    "remastered": (remastered, "events", "apm"),
    "ironcurtain": (ironcurtain, "orders", "apm"),
    "mcreplay": (mcreplay, "parts", "speed"),
}


def verbs(bench, family, path):
    """Names and words of the verbs of a family. Results go nowhere, or are replaced."""
    _, track, plot = FAMILIES[family]
    yield "info", ["info", path]
    yield "cat", ["cat", "--track", track, path]
    yield "stats", ["stats", path]
    yield "verify", ["verify", path]
    yield "plot", ["plot", "--what", plot, path]
    yield "diff", ["diff", path, path]
    yield "glb", ["export", "--force", path, bench.data / "result.glb"]
    if family in ("rumble z6", "cs2kz", "openra"):
        yield "anonymize", ["anonymize", "--force", path, bench.data / "result.replay"]
    if family in ("rumble z6", "cs2kz"):
        yield "recompress", ["recompress", "--force", "--level", "1", path, bench.data / "result.replay"]


def family_duels(bench, family, minutes=10):
    path = FAMILIES[family][0](bench, minutes)
    for verb, words in verbs(bench, family, path):
        ours, theirs = measured((bench.reprise, *words, "--jobs", "1"), (bench.decode, path), rounds=9)
        yield result(f"{family} {verb}, {minutes} min / one decode", ours["cpu_s"] / theirs["cpu_s"], "x",
                     1.3 if verb == "verify" else None, at_most=True, why=WHY.get((family, verb)),
                     ours_ms=ours["cpu_s"] * 1e3, theirs_ms=theirs["cpu_s"] * 1e3,
                     memory_mib=ours["peak_kib"] / 1024)


def add_family(family):
    def verbs_of(bench):
        yield from family_duels(bench, family)
    verbs_of.__name__ = "verbs_" + family.replace(" ", "_")
    duel(verbs_of)


for each in FAMILIES:
    add_family(each)


@duel
def growth(bench):
    """The peak of memory of every verb must not grow with the recording."""
    for family, (make, _, _) in FAMILIES.items():
        peaks = {}
        for minutes in MINUTES:
            for verb, words in verbs(bench, family, make(bench, minutes)):
                peak = measured((bench.reprise, *words), rounds=1)[0]["peak_kib"] / 1024
                peaks.setdefault(verb, []).append(peak)
        for verb, (short, hour, long) in peaks.items():
            yield result(f"memory of {family} {verb}, 10/60/180 min: {short:.0f}/{hour:.0f}/{long:.0f}",
                         max(short, hour, long), "MiB", 64, at_most=True)


@duel
def two_threads(bench):
    """By the clock, one file: -j 2 against -j 1. More than two is impossible."""
    for family, verb in (("rumble z6", "verify"), ("rumble z6", "cat"), ("cs2kz", "verify"), ("cs2kz", "cat"),
                         ("ironcurtain", "verify"), ("mcreplay", "glb")):
        path = FAMILIES[family][0](bench, 60 if family != "mcreplay" else 10)
        words = dict(verbs(bench, family, path))[verb]
        one, two = measured((bench.reprise, *words, "--jobs", "1"), (bench.reprise, *words, "--jobs", "2"), rounds=9)
        yield result(f"{family} {verb}, two threads / one, by the clock", one["clock_s"] / two["clock_s"], "x", 1.5,
                     possible=2.2, memory_mib=two["peak_kib"] / 1024)


@duel
def warm_seeks(bench):
    """The median of 200 random moments after the first two, by processor time."""
    for family, (first, last, goal) in {"rumble z6": (0, 3600, 1), "rumble l1": (0, 3600, 1), "cs2kz": (4311, 8500, 1),
                                        "openra": (0, 3600, 1), "remastered": (0, 3600, 1),
                                        "ironcurtain": (0, 3600, 1)}.items():
        path = FAMILIES[family][0](bench, 60)
        for line in bench.program("duel_seek", path, str(first), str(last)):
            yield result(f"{family}: state at a moment of an hour, warm", line["median_ms"], "ms", goal, at_most=True,
                         why=WHY_SEEK.get(family), first_ms=line["first_ms"], second_ms=line["second_ms"],
                         p99_ms=line["p99_ms"])
