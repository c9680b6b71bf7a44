"""Tables: CSV and JSON lines, Arrow batches, Parquet files and the Python package.

pyarrow and DuckDB come from PyPI into the build directory; without it their duels are skipped.
"""

import json
import os
import subprocess
import sys
import tempfile

from bench import MEASURE, ROOT, Skip, duel, result
from inputs import FAMILIES, archive, cs2kz

ROUNDS = 9
SCANNED_FILES = 1000


def rumble(bench):
    return FAMILIES["rumble z6"](bench, 10)


def built(bench, pattern):
    found = next(bench.build.glob(pattern), None)
    if not found:
        raise Skip(f"{pattern} was not built")
    return found


def ask(bench, script, *arguments):
    """The JSON that a script prints in its last line; it runs with packages of PyPI."""
    run = subprocess.run(
        [sys.executable, ROOT / "tests/bench" / script, bench.build / "tests/tables-packages", *arguments],
        stdout=subprocess.PIPE, text=True)
    if run.returncode:
        raise Skip(f"{script}: {run.stdout.strip() or run.returncode}")
    return json.loads(run.stdout.splitlines()[-1])


@duel
def text(bench):
    path = cs2kz(bench, 10)
    line = ask(bench, "text_duel.py", bench.build / "src/libreprise.so", bench.reprise, MEASURE[0], path, "ticks",
               str(ROUNDS))
    for kind, name in (("csv", "CSV"), ("jsonl", "JSON lines")):
        one = line["kinds"][kind]
        yield result(f"{name} of cs2kz ticks, 10 min, by the command / DuckDB from memory, two threads",
                     one["theirs_s"] / one["ours_s"], "x", 4, ours_ms=one["ours_s"] * 1e3,
                     theirs_ms=one["theirs_s"] * 1e3, memory_mib=one["peak_kib"] / 1024,
                     ours_bytes=one["ours_bytes"], theirs_bytes=one["theirs_bytes"])


def write_parquet(bench, name, path, track):
    writer = built(bench, "tests/bench/libduel_table_writer.so")
    line = ask(bench, "tables_duel.py", bench.build / "src/libreprise.so", writer, path, track, str(ROUNDS))
    seconds, size = line["seconds"], line["size"]
    for other in ("pyarrow", "duckdb"):
        yield result(f"Parquet of {name} / {other} (inner)", seconds[other] / seconds["ours"], "x", 1.0,
                     ours_ms=seconds["ours"] * 1000, theirs_ms=seconds[other] * 1000)
        yield result(f"  size, in that of {other}", size["ours"] / size[other], "x", 1.1, at_most=True)


@duel
def parquet(bench):
    yield from write_parquet(bench, "cs2kz ticks, 60 min", cs2kz(bench, 60), "ticks")
    yield from write_parquet(bench, "rumble structures, 10 min", rumble(bench), "structures")


def arrow(bench, format, path, track, goal, *which):
    line, = bench.program("duel_tables", path, format, track, *which)
    name = f"Arrow batches of {format} {' '.join((track, *which))}"
    columns = line["arrow_ms"] - line["decode_ms"]
    yield result(f"{name}: filling columns / memcpy of them (inner)", line["copy_ms"] / columns, "x", goal,
                 **line)
    yield result("  a plain transposition of the same bytes / memcpy of them", line["copy_ms"] / line["spread_ms"], "x")
    yield result("  of the time, decoding", line["decode_ms"] / line["arrow_ms"] * 100, "%")
    yield result("  file to batches / memcpy of the columns", line["copy_ms"] / line["arrow_ms"], "x")


@duel
def arrow_batches(bench):
    ticks, players = cs2kz(bench, 60), rumble(bench)
    yield from arrow(bench, "cs2kz", ticks, "commands", 0.5)
    yield from arrow(bench, "cs2kz", ticks, "ticks", 0.5)
    yield from arrow(bench, "rumble", players, "players", 0.5)
    for format, path, track in (("cs2kz", ticks, "ticks"), ("rumble", players, "players")):
        yield from arrow(bench, format, path, track, None, "stored")


@duel
def python_and_c(bench):
    reader = built(bench, "tests/bench/libduel_track_reader.so")
    built(bench, "python/reprise/_native.*.so")
    for name, path, track in (("cs2kz ticks, 10 min", cs2kz(bench, 10), "ticks"),
                              ("rumble players, 10 min", rumble(bench), "players")):
        line = ask(bench, "python_duel.py", bench.build / "python", "track", reader, path, track, str(ROUNDS))
        yield result(f"Python: open and read {name} / the same loop in C",
                     line["python"]["cpu_s"] / line["c"]["cpu_s"], "x", 1.1, at_most=True,
                     ours_ms=line["python"]["cpu_s"] * 1000, theirs_ms=line["c"]["cpu_s"] * 1000)
        yield result("  / C that releases a batch before it reads the next",
                     line["python"]["cpu_s"] / line["released"]["cpu_s"], "x")


@duel
def scan_with_two_workers(bench):
    built(bench, "python/reprise/_native.*.so")
    sources = archive(bench)
    with tempfile.TemporaryDirectory(dir=bench.data) as folder:
        for number in range(SCANNED_FILES):
            os.link(sources[number % len(sources)], os.path.join(folder, f"{number:04}.replay"))
        line = ask(bench, "python_duel.py", bench.build / "python", "scan", folder, "ticks", "9")
    one, two = line["one"], line["two"]
    # More than two processors can give is a wrong measurement.
    yield result(f"scan of {SCANNED_FILES} files, two workers / one, by the clock",
                 one["clock_s"] / two["clock_s"], "x", 1.8, possible=2.1)
