"""Many files as one table: rows, order, errors, threads."""

import functools
import signal

import pytest
import reprise
import samples

RUNS = sorted((samples.DATA / "cs2kz").glob("*.replay"))
EVERYTHING = samples.PATHS


@functools.cache
def one_by_one(paths, format, track):
    """The rows and failures that opening each file gives."""
    rows, errors = [], []
    for path in paths:
        count = 0
        try:
            replay = reprise.open(path)
            if replay.format != format:
                continue
            for row in replay[track]:
                rows.append({"file": str(path), **row})
                count += 1
        except reprise.Error as error:
            errors.append((str(path), error.status, error.message, error.stream, error.offset, count))
    return rows, errors


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("format, track", [
    ("cs2kz", "strafes"), ("rumble", "players"), ("openra", "orders"), ("icrep", "ticks"),
    ("remastered", "events"), ("mcreplay", "frames"), ("mccamera", "frames"), ("icsave", "players")])
def test_all_samples_with_bad_ones_among_them(format, track, threads):
    wanted, failures = one_by_one(tuple(EVERYTHING), format, track)
    scan = reprise.scan(EVERYTHING, track, format=format, threads=threads)
    assert samples.same(list(scan), wanted) and wanted
    found = [tuple(e[key] for key in ("file", "status", "message", "stream", "offset", "rows"))
             for e in scan.errors]
    assert found == failures and failures
    assert scan.skipped > 0


def test_files_in_memory():
    inputs = [(path.name, path.read_bytes()) for path in RUNS]
    scan = reprise.scan(inputs, "strafes", threads=2)
    wanted = [{**row, "file": row["file"].rsplit("/", 1)[1]}
              for row in reprise.scan(RUNS, "strafes")]
    assert samples.same(list(scan), wanted)


def test_a_track_with_a_column_file_keeps_it():
    paths = sorted((samples.DATA / "mcreplay").glob("*.replay"))
    scan = reprise.scan(paths, "entities", format="mcreplay")
    assert scan.columns[0] == scan.file_column == "replay_file" and "file" in scan.columns
    row = next(iter(scan))
    assert row["replay_file"] in map(str, paths) and row["file"] not in map(str, paths)


def test_the_format_comes_from_the_first_file_that_has_the_track():
    paths = [samples.DATA / "README.md", samples.DATA / "openra/p21-2p.orarep", RUNS[0], RUNS[2]]
    scan = reprise.scan(paths, "strafes")
    assert scan.format == "cs2kz" and list(scan)
    assert [row["status"] for row in scan.errors] == ["io", "unsupported"]
    assert scan.errors.columns[0] == "file"
    assert "openra" in list(scan.errors)[1]["message"]


def test_time_ranges():
    rows = list(reprise.scan(RUNS, "ticks", columns=["time"], time=(778, 779)))
    assert rows and all(778 <= row["time"] <= 779 for row in rows)


class Stopped(Exception):
    pass


def test_a_signal_stops_the_reading_for_errors():
    def stop(*_):
        raise Stopped

    scan = reprise.scan([RUNS[0]] * 10000, "ticks", columns=["tick"], threads=2)
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(Stopped):
            scan.errors
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert scan._last is None or scan._last.counts()[0] < 10000
