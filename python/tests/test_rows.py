"""Rows of some samples of every family are those that the command prints: what the standard library
can compare. test_values.py compares all samples, with pyarrow.
"""

import struct

import pytest
import reprise
import samples

SAMPLES = {
    "rumble/z6_match_like_1.2.4.replay": ("players", "structures", "events"),
    "cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay": ("ticks", "jumps", "strafes"),
    "mcreplay/armature_basic.replay": ("frames", "parts"),
    "openra/p21-2p.orarep": ("orders",),
    "remastered/ra-full-skirmish.bin": ("events",),
    "ironcurtain/full.icrep": ("ticks", "orders"),
}


def same_float(value, printed):
    """Single precision is printed with the digits that it has."""
    number = float(printed)
    return value != value and number != number or any(
        struct.pack(form, value) == struct.pack(form, number) for form in ("<d", "<f"))


def same(value, printed):
    if value is None or printed is None:
        return value is None and printed is None
    if isinstance(value, bool):
        return value == printed
    if isinstance(value, int):
        return isinstance(printed, list) or value == int(printed)  # flags are printed by their names
    if isinstance(value, float):
        return same_float(value, printed)
    if isinstance(value, bytes):
        return value.hex() == printed
    if isinstance(value, list) and isinstance(printed, list):
        return len(value) == len(printed) and all(map(same, value, printed))
    if isinstance(value, (list, dict)):
        return True  # how records are printed is tests/tables/compare.py's
    return value == printed or value == f"#{printed}"


@pytest.mark.parametrize("name", SAMPLES)
def test_rows(name, command):
    replay = reprise.open(samples.DATA / name)
    for track in SAMPLES[name]:
        lines, status = samples.cat(command, samples.DATA / name, track)
        rows = list(replay.table(track, batch_rows=100))
        assert status["status"] == "ok" and len(rows) == len(lines) > 0
        for row, line in zip(rows, lines):
            assert list(row) == list(reprise.schema(replay.format, track).columns)
            wrong = [column for column, value in row.items() if not same(value, line.get(column))]
            assert not wrong, (track, wrong[0], row[wrong[0]], line.get(wrong[0]))
