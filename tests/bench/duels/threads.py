"""Two threads on one big file, and two workers on an archive, by the clock. More than twice as fast is impossible."""

import os
import tempfile

from bench import duel, measured, result
from inputs import FAMILIES, archive
from commands import verbs

ARCHIVE_FILES = 400


def both(bench, name, words, goal):
    one, two = measured((bench.reprise, *words, "--jobs", "1"), (bench.reprise, *words, "--jobs", "2"), rounds=9)
    yield result(f"{name}, two threads / one, by the clock", one["clock_s"] / two["clock_s"], "x", goal, possible=2.2,
                 ours_ms=two["clock_s"] * 1e3,
                 theirs_ms=one["clock_s"] * 1e3, memory_mib=two["peak_kib"] / 1024)


@duel
def two_threads(bench):
    for family, verb in (("rumble z6", "verify"), ("rumble z6", "cat"), ("cs2kz", "verify"), ("cs2kz", "cat"),
                         ("ironcurtain", "verify"), ("mcreplay", "glb")):
        minutes = 60 if family != "mcreplay" else 10
        words = dict(verbs(bench, family, FAMILIES[family](bench, minutes)))[verb]
        yield from both(bench, f"{family} {verb}, {minutes} min", words, 1.5)


@duel
def two_sections(bench):
    """Recompressing at the default level, which is the slowest that people use."""
    path = FAMILIES["cs2kz"](bench, 10)
    words = ["recompress", "--force", path, bench.data / "result.replay"]
    yield from both(bench, "cs2kz recompress --level compact, 10 min", words, 1.5)


@duel
def two_workers(bench):
    sources = archive(bench)
    with tempfile.TemporaryDirectory(dir=bench.data) as folder:
        for number in range(ARCHIVE_FILES):
            os.link(sources[number % len(sources)], os.path.join(folder, f"{number:04}.replay"))
        yield from both(bench, f"verify of an archive of {ARCHIVE_FILES} files", ["verify", folder], 1.8)
