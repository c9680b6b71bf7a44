"""CS2KZ: an hour and three in layout B5, against zstd on the tick section alone."""

from bench import duel, recording, result, spawn


@duel
def cs2kz_ticks(bench):
    for minutes in (60, 180):
        yield from bench.ratio("duel_cs2kz", f"cs2kz B5 ticks, {minutes} min / zstd", 0.60,
                               recording(bench, minutes), "ticks")


@duel
def cs2kz_everything(bench):
    """The game's own decoder takes 19 times as long as zstd takes for the ticks alone."""
    for minutes in (60, 180):
        for line in bench.program("duel_cs2kz", "all", recording(bench, minutes), "all"):
            yield result(f"cs2kz B5 everything, {minutes} min, in zstd of ticks",
                         1 / line["ratio"], "x", 4, at_most=True, ours_ms=line["ours_ms"],
                         theirs_ms=line["theirs_ms"])
            yield result(f"  by the clock, {minutes} min, one thread",
                         line["ours_clock_ms"] / line["theirs_clock_ms"], "x")


@duel
def cs2kz_threads(bench):
    """By the clock: two threads against one, and against what zstd alone takes for the ticks."""
    for minutes in (60, 180):
        path = recording(bench, minutes)
        for line in bench.program("duel_cs2kz", "threads", path, "threads"):
            yield result(f"cs2kz B5 two threads / one, {minutes} min, by the clock", line["ratio"],
                         "x", 1.6, possible=2.2, ours_ms=line["ours_ms"], theirs_ms=line["theirs_ms"])
            yield result(f"cs2kz B5 by two threads, {minutes} min, in zstd of ticks",
                         line["ours_ms"] / line["zstd_ms"], "x", 4, at_most=True,
                         ours_ms=line["ours_ms"], theirs_ms=line["zstd_ms"])


EVERYTHING = ("ticks,subticks,weapons,weapon_attributes,weapon_events,jumps,strafes,aircalls,events,"
              "commands,command_subticks,styles")


@duel
def cs2kz_memory(bench):
    for minutes in (60, 180):
        path = recording(bench, minutes)
        for name, *verb in (["verify", "verify"], ["stats", "stats"],
                            ["cat", "cat", "--track", EVERYTHING],
                            ["convert", "convert", "-o", "-"],
                            ["convert to A1", "convert", "--to", "a1", "-o", "-", "--lossy"],
                            ["recompress", "recompress", "-o", "-"],
                            ["at", "at", "--time", "2:00:00"]):
            _, kib, _ = spawn(bench.reprise, *verb, path)
            yield result(f"memory of {name}, {minutes} min", kib / 1024, "MiB", 64, at_most=True)
