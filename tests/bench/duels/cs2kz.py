"""CS2KZ: an hour in layout B5, against libzstd and, through it, the game's own decoder."""

from bench import duel, measured, result
from inputs import cs2kz

# Measured elsewhere, once: what the game's own decoder takes, in decompressions of the tick section.
GAME = 19
NOTE = f"the game's decoder is not run: measured elsewhere, it takes {GAME} times as long as zstd takes for the ticks"


@duel
def cs2kz_sections(bench):
    path = cs2kz(bench, 60)
    yield from bench.ratio("duel_cs2kz", "cs2kz all sections to rows, 60 min / streaming zstd of them (inner)", 0.95,
                           path, "sections")
    for line in bench.program("duel_cs2kz", "threads", path, "threads"):
        yield result("  on two threads / streaming zstd on one, by the clock",
                     line["sections_ms"] / line["ours_ms"], "x", 1.6, possible=2.2,
                     ours_ms=line["ours_ms"], theirs_ms=line["sections_ms"])
        yield result("  on two threads / on one, by the clock", line["ratio"], "x", possible=2.2,
                     ours_ms=line["ours_ms"], theirs_ms=line["theirs_ms"])
        yield result("cs2kz everything on two threads, 60 min / the game's decoder, by the clock",
                     GAME * line["ticks_ms"] / line["ours_ms"], "x", 7, note=NOTE,
                     ours_ms=line["ours_ms"], theirs_ms=GAME * line["ticks_ms"])


@duel
def cs2kz_game(bench):
    path = cs2kz(bench, 60)
    decode, = measured((bench.decode, path), rounds=3)
    for line in bench.program("duel_cs2kz", "everything", path, "ticks"):
        yield result("cs2kz everything, 60 min / the game's decoder", GAME * line["ratio"], "x", 4.5, note=NOTE,
                     ours_ms=line["ours_ms"], theirs_ms=GAME * line["theirs_ms"])
    yield result("cs2kz everything, 60 min: memory", decode["peak_kib"] / 1024, "MiB", 40, at_most=True)


@duel
def cs2kz_stats(bench):
    path = cs2kz(bench, 60)
    program = bench.build / "tests" / "bench" / "duel_cs2kz"
    ours, theirs = measured((bench.reprise, "stats", path, "--jobs", "1"), (program, "unpack", path, "unpack"), rounds=9)
    yield result("cs2kz stats, 60 min / streaming zstd of all sections, time", ours["cpu_s"] / theirs["cpu_s"], "x", 1.3,
                 at_most=True, ours_ms=ours["cpu_s"] * 1e3, theirs_ms=theirs["cpu_s"] * 1e3,
                 memory_mib=ours["peak_kib"] / 1024)
