"""What a user runs, end to end: each verb against one decode of the same file, ten minutes, on one thread.

A decode is every row of every track, read by a program of its own (duel_decode). The file is opened on
both sides.
"""

from bench import Skip, duel, measured, result, skipped
from commands import verbs
from inputs import FAMILIES

MINUTES = 10


def against_decode(bench, family, verb, words, path):
    ours, theirs = measured((bench.reprise, *words, "--jobs", "1"), (bench.decode, path), rounds=9)
    return result(f"{family} {verb}, {MINUTES} min / one decode, time", ours["cpu_s"] / theirs["cpu_s"], "x",
                  1.3 if verb == "verify" else None, at_most=True, ours_ms=ours["cpu_s"] * 1e3, theirs_ms=theirs["cpu_s"] * 1e3, memory_mib=ours["peak_kib"] / 1024)


def family_duels(bench, family):
    path = FAMILIES[family](bench, MINUTES)
    for verb, words in verbs(bench, family, path):
        try:
            yield against_decode(bench, family, verb, words, path)
        except Skip as reason:
            yield skipped(f"{family} {verb}, {MINUTES} min", reason)


def add_family(family):
    def verbs_of(bench):
        yield from family_duels(bench, family)
    verbs_of.__name__ = "verbs_" + family.replace(" ", "_")
    duel(verbs_of)


for each in FAMILIES:
    add_family(each)
