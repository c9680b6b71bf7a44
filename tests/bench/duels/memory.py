"""Memory of every verb at 10, 60 and 180 minutes: it must not grow with the recording."""

from bench import Skip, duel, measured, result, skipped
from inputs import FAMILIES, MINUTES
from commands import verbs

MEMORY_MAX = 64


def growth_of(bench, family):
    peaks, found = {}, []
    for minutes in MINUTES:
        try:
            path = FAMILIES[family](bench, minutes)
        except Skip as reason:
            yield skipped(f"memory of {family}, {minutes} min", reason)
            continue
        found.append(str(minutes))
        for verb, words in verbs(bench, family, path):
            try:
                peaks.setdefault(verb, []).append(measured((bench.reprise, *words), rounds=1)[0]["peak_kib"] / 1024)
            except Skip as reason:
                yield skipped(f"memory of {family} {verb}, {minutes} min", reason)
    for verb, sizes in peaks.items():
        yield result(f"{family} {verb}, {'/'.join(found)} min: {'/'.join(f'{peak:.0f}' for peak in sizes)} MiB, most",
                     max(sizes), "MiB", MEMORY_MAX, at_most=True)


def add_family(family):
    def memory_of(bench):
        yield from growth_of(bench, family)
    memory_of.__name__ = "memory_of_" + family.replace(" ", "_")
    duel(memory_of)


for each in FAMILIES:
    add_family(each)
