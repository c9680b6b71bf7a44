"""Every track of every sample: rows from Python are those that the command prints."""

import compare
import duckdb
import polars
import pyarrow as pa
import pytest
import reprise
import samples

# Damage that need not end the rows: cat asks for it after the last one.
BESIDE_ROWS = {"ok", "checksum", "signature", "unsupported"}


@pytest.mark.parametrize("path", samples.PATHS, ids=samples.NAMES)
def test_sample(path, command):
    try:
        replay = reprise.open(path)
    except reprise.Error as error:
        assert error.status != "ok" and error.message and error.file == str(path)
        return
    printed = samples.Printed(command, path, replay.tracks)
    # Of damaged files cat prints one track at a time; tests/tables compares all of them.
    tracks = replay.tracks if printed.sound else replay.tracks[1:3] or replay.tracks
    for track in tracks:
        check_track(replay, track, printed)


def check_track(replay, track, printed):
    table = replay.table(track, batch_rows=100)
    rows, error = [], None
    try:
        for row in table:
            rows.append(row)
    except reprise.Error as raised:
        error = raised
    lines, status = printed.track(track)
    schema = pa.schema(reprise.schema(replay.format, track))
    assert tuple(schema.names) == table.columns
    assert compare.difference(schema, rows, lines) is None, track
    if status.get("status") in BESIDE_ROWS and error is None:
        assert samples.same(table.to_arrow().to_pylist(), rows)
        assert polars.DataFrame(table).height == len(rows)
        track_rows = table  # the name that DuckDB looks up
        assert duckdb.sql("select count(*) from track_rows").fetchall() == [(len(rows),)]
        del track_rows
        return
    assert error is not None and error.message == status["error"]["message"]
    complete = table.complete_rows()
    try:
        assert samples.same(complete.to_arrow().to_pylist(), rows)
        assert complete.error.message == error.message
    except reprise.Error as refused:
        assert refused.message == error.message and not rows
    with pytest.raises(reprise.Error) as caught:
        table.to_arrow()
    assert caught.value.message == error.message
