"""Iron Curtain: a save against SHA-256 and LZ4, a chain against bare Ed25519, seeking in an hour.

The profile makes the hash of the whole state part of reading a save, so the other side hashes the
same bytes: what is stored, and what it unpacks to. Without the second hash on that side the ratio
only says how much dearer the format itself is; it has no goal.
"""

from bench import duel, result
from inputs import ironcurtain


@duel
def ironcurtain_libraries(bench):
    for line in bench.program("duel_ironcurtain"):
        name, ratio = line["duel"], line["ratio"]
        if name.startswith("icrep chain"):
            yield result(name + ", time", 1 / ratio, "x", 1.10, at_most=True,
                         ours_ms=line["ours_ms"], theirs_ms=line["theirs_ms"])
        elif name.endswith("state"):
            yield result(name, ratio, "x", 0.90, ours_ms=line["ours_ms"],
                         theirs_ms=line["theirs_ms"])
        else:
            yield result(name, ratio, "x", None, ours_ms=line["ours_ms"],
                         theirs_ms=line["theirs_ms"])


@duel
def ironcurtain_seek(bench):
    hour = ironcurtain(bench, 60)
    for line in bench.program("duel_ironcurtain", hour):
        if "measure" in line:
            yield result(line["measure"], line["ms"], "ms", 1, at_most=True,
                         p99_ms=line["p99_ms"])
