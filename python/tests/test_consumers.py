"""Scans as polars, DuckDB, pandas and pyarrow read them."""

import duckdb
import polars
import pyarrow as pa
import pytest
import reprise
import samples

RUNS = sorted((samples.DATA / "cs2kz").glob("*.replay"))
EVERYTHING = samples.PATHS


def test_consumers():
    scan = reprise.scan(RUNS, "jumps", columns=["tick", "jump_type", "max_speed"])
    assert scan.columns == ("file", "tick", "jump_type", "max_speed")
    table = scan.to_arrow()
    table.validate(full=True)
    assert pa.schema(scan).equals(table.schema, check_metadata=True)
    assert polars.DataFrame(scan).height == table.num_rows == scan.to_pandas().shape[0] > 0
    counts = duckdb.sql("select file, count(*) from scan group by file order by file").fetchall()
    assert dict(counts) == {
        name: count for name, count in
        ((str(path), len(list(reprise.open(path)["jumps"]))) for path in RUNS) if count}


def test_paths_folders_and_patterns(folder):
    names = [f"runs/{path.name}" for path in sorted((folder / "runs").iterdir())]
    wanted = sum(reprise.open(name)["ticks"].select("tick").to_arrow().num_rows for name in names)
    for paths in ("runs", folder / "runs", "runs/*.replay", names, ["runs"], (n for n in names)):
        scan = reprise.scan(paths, "ticks", columns=["tick"])
        assert [name.rsplit("/", 1)[1] for name in scan.files] == [n.rsplit("/")[1] for n in names]
        assert scan.to_arrow().num_rows == wanted


def test_nothing_to_read():
    with pytest.raises(ValueError, match="no files"):
        reprise.scan([], "ticks")
    empty = reprise.scan([], "ticks", format="cs2kz", columns=["tick"])
    assert list(empty) == [] and empty.to_arrow().num_rows == 0 and len(empty.errors) == 0
    with pytest.raises(ValueError):
        reprise.scan(RUNS, "nothing")
    with pytest.raises(ValueError):
        reprise.scan(RUNS, "nothing", format="cs2kz")
    with pytest.raises(ValueError):
        reprise.scan(RUNS, "ticks", threads=0)


def test_errors_are_a_table():
    scan = reprise.scan(EVERYTHING, "players", format="rumble")
    errors = scan.errors
    frame = polars.DataFrame(errors)
    assert frame.columns == ["file", "status", "message", "stream", "offset", "path", "hint", "rows"]
    assert frame.height == len(errors) > 10
    assert "truncated" in frame["status"].to_list()
    by_status = duckdb.sql("select status, count(*) from errors group by 1").fetchall()
    assert sum(count for _, count in by_status) == len(errors)
    assert frame.filter(polars.col("rows") > 0).height > 0


def test_a_scan_can_be_read_again_and_left_early():
    scan = reprise.scan(RUNS * 20, "ticks", threads=3)
    rows = iter(scan)
    first = next(rows)
    del rows
    assert samples.same(next(iter(scan)), first)
    assert len(scan.select("tick").to_arrow()) == 20 * len(reprise.scan(RUNS, "ticks").to_arrow())


def test_batches_have_the_rows_that_were_asked_for():
    table = reprise.open(samples.DATA / "rumble/z6_match_like_1.2.4.replay").table("players", batch_rows=7)
    sizes = [batch.num_rows for batch in table.to_arrow().to_batches()]
    assert sum(sizes) == 301 and max(sizes) == 7


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_batches_outlive_their_scan(threads):
    """Workers free what consumers release, and what is released after they have ended frees itself."""
    reader = pa.RecordBatchReader.from_stream(reprise.scan(RUNS * 2, "ticks", threads=threads))
    batches = []
    for number, batch in enumerate(reader):
        if number % 2:
            batches.append(batch)
    del reader, batch
    again = reprise.scan(RUNS * 2, "ticks", threads=1).to_arrow().to_batches()
    assert len(batches) == len(again) // 2 > 10
    for kept, wanted in zip(batches, again[1::2]):
        assert samples.same(kept.to_pylist(), wanted.to_pylist())
