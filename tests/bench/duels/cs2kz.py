"""CS2KZ: an hour and three in layout B5, against zstd on the tick section alone."""

import subprocess

from bench import duel, result, spawn


def recording(bench, minutes):
    """As a server would have compressed it, whatever the generator had at hand."""
    path = bench.data / f"cs2kz_{minutes}.replay"
    if not path.exists():
        raw = bench.generated(f"cs2kz_{minutes}_raw.replay", "gen_cs2kz.py", "--layout", "B5",
                              "--type", "run", "--minutes", str(minutes), "--seed", "1",
                              "--summary", "-o")
        subprocess.run([bench.reprise, "recompress", "--level", "3", raw, path], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        raw.unlink()
    return path


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


@duel
def cs2kz_threads(bench):
    """By the clock: two threads against one, and against what zstd alone takes for the ticks."""
    path = recording(bench, 60)
    zstd = min(line["theirs_ms"] for line in bench.program("duel_cs2kz", "all", path, "all"))
    for line in bench.program("duel_cs2kz", "threads", path, "threads"):
        yield result("cs2kz B5 two threads / one, by the clock", line["ratio"], "x", 1.6,
                     ours_ms=line["ours_ms"], theirs_ms=line["theirs_ms"])
        yield result("cs2kz B5 everything by two threads, in zstd of ticks",
                     line["ours_ms"] / zstd, "x", 4, at_most=True)


@duel
def cs2kz_memory(bench):
    for minutes in (60, 180):
        path = recording(bench, minutes)
        for verb in (["verify"], ["stats"], ["cat", "--track", "ticks,commands"],
                     ["convert", "-o", "-", "--lossy"], ["at", "--time", "2:00:00"]):
            _, kib, _ = spawn(bench.reprise, *verb, path)
            yield result(f"memory of {verb[0]}, {minutes} min", kib / 1024, "MiB", 64, at_most=True)
