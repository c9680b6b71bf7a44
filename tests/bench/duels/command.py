"""The command: one file against `file`, and an archive against one process per file."""

import os
import shutil
import tempfile

from bench import SAMPLES, Skip, duel, measured, result, spawn

ARCHIVE_FILES = 10000
ALONE_FILES = 50  # enough to tell what a process costs


def samples(family):
    """Every good sample in the tree, of one family or of all ("")."""
    found = sorted(path for path in (SAMPLES / family).rglob("*")
                   if path.is_file() and "bad" not in path.parts
                   and path.suffix not in (".json", ".tsv", ".md", ".txt"))
    if not found:
        raise Skip("no samples under tests/data")
    return found


@duel
def info_against_file(bench):
    if not shutil.which("file"):
        raise Skip("the program `file` is not there")
    sample = SAMPLES / "rumble" / "z6_match_like_1.2.4.replay"
    ours, theirs = measured((bench.reprise, "info", sample), ("file", sample), rounds=101)
    yield result("info on one file / file, time", ours["cpu_s"] / theirs["cpu_s"], "x", 1.0, at_most=True,
                 ours_ms=ours["cpu_s"] * 1e3, theirs_ms=theirs["cpu_s"] * 1e3,
                 memory_mib=ours["peak_kib"] / 1024)


def link_archive(folder, sources):
    """Many names for the few samples, each with a number so that none is like another."""
    paths = []
    for number in range(ARCHIVE_FILES):
        source = sources[number % len(sources)]
        path = os.path.join(folder, f"{number:05}{source.suffix}")
        try:
            os.link(source, path)
        except OSError:
            shutil.copyfile(source, path)
        paths.append(path)
    return paths


def archive(bench, family, goal):
    what = f"archive of {ARCHIVE_FILES} {family or 'mixed'} files"
    with tempfile.TemporaryDirectory(dir=bench.data) as folder:
        paths = link_archive(folder, samples(family))
        ours, theirs = measured((bench.reprise, "info", "--json", *paths), ("file", *paths), rounds=9)
        clock, work = ours["clock_s"], ours["cpu_s"]
        apart = sum(spawn(bench.reprise, "info", "--json", path)[0]
                    for path in paths[:ALONE_FILES]) / ALONE_FILES * ARCHIVE_FILES
    yield result(what, ARCHIVE_FILES / clock, "files/s", goal)
    yield result(f"info on {ARCHIVE_FILES} {family or 'mixed'} files / file, time per file", work / theirs["cpu_s"],
                 "x", 1.0, at_most=True, memory_mib=ours["peak_kib"] / 1024)
    yield result("  against one process per file", apart / work, "x")


@duel
def archive_rumble(bench):
    yield from archive(bench, "rumble", 5000)


@duel
def archive_mixed(bench):
    yield from archive(bench, "", None)
