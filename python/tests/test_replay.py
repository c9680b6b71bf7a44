"""Opening, describing, moments, checks: what a replay gives, however it is opened."""

import io
import json
import pathlib
import pickle
import subprocess

import pytest
import reprise
import samples

MATCH = samples.DATA / "rumble/z6_match_like_1.2.4.replay"
RUN = samples.DATA / "cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay"


def ask(command, *arguments):
    run = subprocess.run([command, *arguments], stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


class Slow(io.RawIOBase):
    """A seekable file that gives few bytes at a time."""

    def __init__(self, content, step):
        self.file, self.step = io.BytesIO(content), step

    def read(self, size=-1):
        return self.file.read(min(size, self.step))

    def seek(self, *where):
        return self.file.seek(*where)

    def seekable(self):
        return True


class Pipe(io.RawIOBase):
    def __init__(self, content):
        self.content = content

    def read(self, size=-1):
        assert size == -1
        return self.content


CONTENT = MATCH.read_bytes()
SOURCES = {
    "text": str(MATCH),
    "pathlib": MATCH,
    "bytes": CONTENT,
    "bytearray": bytearray(CONTENT),
    "memoryview": memoryview(CONTENT),
    "a part of bytes": memoryview(b"xx" + CONTENT)[2:],
    "BytesIO": io.BytesIO(CONTENT),
    "open file": open(MATCH, "rb"),
    "1 byte at a time": Slow(CONTENT, 1),
    "31 bytes at a time": Slow(CONTENT, 31),
    "pipe": Pipe(CONTENT),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES.keys())
def test_every_source_gives_the_same_rows(source):
    wanted = list(reprise.open(MATCH)["players"])
    with reprise.open(source) as replay:
        assert (replay.format, replay.layout) == ("rumble", "z6")
        assert samples.same(list(replay["players"]), wanted)
        assert len(wanted) == 301


def test_info_at_and_stats_are_what_the_command_prints(command):
    replay = reprise.open(RUN)
    printed = ask(command, "info", "--json", str(RUN))
    for key in ("layout", "duration", "map", "teleports", "tracks"):
        assert replay.info[key] == printed[key]
    assert replay.duration == printed["duration"]
    assert replay.info["people"][0]["id"] == int(printed["people"][0]["id"])
    state = ask(command, "at", "--tick", "49738", "--json", str(RUN))
    assert replay.at(reprise.Index(49738))["tick"] == state["tick"] == 49738
    assert replay.at(reprise.Run(2.5)) != replay.at(2.5)
    assert replay.stats().keys() <= ask(command, "stats", "--json", str(RUN)).keys()


def test_numbers_are_exact():
    header = reprise.open(RUN).info["header"]
    assert header["server_ip"] == 3221225985 and isinstance(header["server_ip"], int)
    assert header["player"]["steam_id"] == 76561199596006561


def test_verify_counts_what_it_found():
    sound = reprise.open(MATCH).verify()
    assert sound.ok and sound.worst == "ok" and sound.document["rows"]["players"] == 301
    broken = reprise.open(CONTENT[: len(CONTENT) // 2]).verify()
    assert not broken and broken.faults and broken.worst == "truncated"
    assert len(broken.findings) >= 1 and all(finding.id for finding in broken.findings)


def test_a_replay_is_a_mapping():
    replay = reprise.open(MATCH)
    assert list(replay) == list(replay.tracks) and "players" in replay
    assert "nothing" not in replay
    with pytest.raises(KeyError, match="the tracks of rumble are"):
        replay["nothing"]


def test_columns_times_and_batches():
    replay = reprise.open(MATCH)
    table = replay.table("players", columns=["time", "health"], time=(1, 2), batch_rows=7)
    rows = list(table)
    assert table.columns == ("time", "health") and rows
    assert all(1 <= row["time"] <= 2 and list(row) == ["time", "health"] for row in rows)
    by_index = replay.table("frames", index=(3, 5))
    assert [row["frame"] for row in by_index] == [3, 4, 5]
    dense = list(replay.table("players", every_frame=True))
    assert len(dense) > 301
    stored = replay.table("players", stored=True)
    assert stored.columns[-1] == "stored" and next(iter(stored))["stored"] > 0


def test_a_closed_replay_says_so_but_its_streams_live_on():
    replay = reprise.open(MATCH)
    rows = iter(replay["players"])
    next(rows)
    replay.close()
    replay.close()
    assert replay.closed and "closed" in repr(replay)
    assert sum(1 for _ in rows) == 300
    for call in (replay.stats, replay.verify, lambda: replay.info, lambda: list(replay["players"])):
        with pytest.raises(ValueError, match="closed"):
            call()


def test_several_streams_of_one_replay_at_once():
    replay = reprise.open(RUN)
    streams = [iter(replay[track]) for track in ("ticks", "strafes", "ticks", "commands")]
    wanted = [list(reprise.open(RUN)[track]) for track in ("ticks", "strafes", "ticks", "commands")]
    got = [[] for _ in streams]
    for number in range(max(map(len, wanted))):
        for stream, rows in zip(streams, got):
            row = next(stream, None)
            if row is not None:
                rows.append(row)
        if number == 100:
            assert replay.at(1.0)["tick"] == 49738
    assert samples.same(got, wanted)


# ---- bad input ----

def test_errors_say_where_and_what_next():
    with pytest.raises(reprise.Error) as caught:
        list(reprise.open(CONTENT[: len(CONTENT) // 2], name="cut.replay")["players"])
    error = caught.value
    assert error.status == "truncated" and error.file == "cut.replay" and error.stream
    assert "cut.replay" in str(error) and error.message in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.offset) == (type(error), str(error), error.offset)


@pytest.mark.parametrize("content, status", [
    (b"", "unrecognized"), (b"\0" * 100, "unrecognized"), (b"PK\x03\x04", "truncated")])
def test_what_is_no_replay(content, status):
    with pytest.raises(reprise.Error) as caught:
        reprise.open(content)
    assert caught.value.status == status


def test_files_that_cannot_be_opened(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        reprise.open(tmp_path / "missing")
    assert caught.value.errno == 2 and isinstance(caught.value, reprise.Error)
    again = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(again, FileNotFoundError) and isinstance(again, reprise.Error)
    with pytest.raises(OSError):
        reprise.open(tmp_path)


@pytest.mark.parametrize("call, kind", [
    (lambda: reprise.open(3), TypeError),
    (lambda: reprise.open(io.StringIO("text")), TypeError),
    (lambda: reprise.open(MATCH, format="nothing"), ValueError),
    (lambda: reprise.open(MATCH, limits={"nothing": 1}), ValueError),
    (lambda: reprise.open(MATCH, limits={"memory_bytes": -1}), OverflowError),
    (lambda: reprise.open(MATCH, threads=0), ValueError),
    (lambda: reprise.open("nul\0byte"), ValueError),
    (lambda: list(reprise.open(MATCH).table("players", columns=["nothing"])), ValueError),
    (lambda: reprise.open(MATCH).table("players", columns="health"), TypeError),
    (lambda: list(reprise.open(MATCH).table("players", batch_rows=-1)), ValueError),
    (lambda: reprise.schema("rumble", "nothing"), ValueError),
    (lambda: reprise.schema("nothing", "players"), ValueError),
    (lambda: reprise.open(MATCH).at("later"), ValueError),
])
def test_arguments_that_make_no_sense(call, kind):
    with pytest.raises(kind):
        call()


def test_a_limit_is_a_status():
    with pytest.raises(reprise.Error) as caught:
        reprise.open(MATCH, limits={"input_bytes": 100})
    assert caught.value.status == "limit"


class Failing(io.BytesIO):
    def __init__(self, content, allowed):
        super().__init__(content)
        self.allowed = allowed

    def read(self, size=-1):
        self.allowed -= 1
        if self.allowed < 0:
            raise RuntimeError("the disk is gone")
        return super().read(size)


@pytest.mark.parametrize("allowed", range(0, 12))
def test_a_file_object_that_fails(allowed):
    try:
        replay = reprise.open(Failing(CONTENT, allowed))
        rows = list(replay["players"])
    except reprise.Error as error:
        assert error.status in ("io", "unrecognized", "truncated", "corrupt")
        if error.status == "io" and error.__cause__ is not None:
            assert "the disk is gone" in str(error.__cause__)
    else:
        assert len(rows) == 301


class TooMuch(io.BytesIO):
    def read(self, size=-1):
        return super().read(size) + b"more than asked for"


def test_a_file_object_that_gives_too_much():
    with pytest.raises(reprise.Error):
        reprise.open(TooMuch(CONTENT))


def test_salvage_opens_what_is_refused():
    path = next(p for p in samples.PATHS if p.name == "live-torn.icrep")
    assert reprise.open(path, salvage=True).format == "icrep"


def test_formats_limits_and_descriptions():
    names = {format["name"] for format in reprise.formats()}
    assert {"rumble", "cs2kz", "mcreplay", "icrep", "openra", "remastered"} <= names
    assert reprise.limits()["depth"] == 64 if "depth" in reprise.limits() else reprise.limits()
    tracks = {track["name"] for track in reprise.describe("cs2kz")["tracks"]}
    assert "strafes" in tracks
    assert pathlib.Path(reprise.__file__).name == "__init__.py"
