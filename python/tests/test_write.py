"""Writing verbs, scenes and plots: the results are what the reports say."""

import io

import pytest
import reprise
import samples

MATCH = samples.DATA / "rumble/z6_match_like_1.2.4.replay"
RUN = samples.DATA / "cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay"


def test_convert_to_a_path_and_to_a_file(tmp_path):
    target = tmp_path / "new.replay"
    report = reprise.open(MATCH).convert(target, layout="z5", lossy=True)
    assert report["layout"] == "z5" and report["losses"]
    assert reprise.open(target).layout == "z5"
    file = io.BytesIO()
    reprise.open(MATCH).convert(file, layout="z5", lossy=True)
    assert file.getvalue() == target.read_bytes()


def test_losses_are_refused_and_listed(tmp_path):
    target = tmp_path / "new.replay"
    with pytest.raises(reprise.Error) as caught:
        reprise.open(MATCH).convert(target, layout="z5")
    assert caught.value.status == "lossy" and caught.value.report["losses"]
    assert not target.exists()


def test_an_existing_file_is_kept(tmp_path):
    target = tmp_path / "new.replay"
    target.write_text("mine")
    with pytest.raises(FileExistsError):
        reprise.open(RUN).recompress(target)
    assert target.read_text() == "mine"
    reprise.open(RUN).recompress(target, replace=True)
    assert reprise.open(target).format == "cs2kz"


def test_trim(tmp_path):
    target = tmp_path / "part.replay"
    reprise.open(MATCH).trim(target, 1.0, 2.0)
    part = reprise.open(target)
    assert 0.9 < part.duration <= 1.01
    other = tmp_path / "frames.replay"
    reprise.open(MATCH).trim(other, reprise.Index(30), reprise.Index(60))
    assert len(list(reprise.open(other)["frames"])) == 31
    marked = tmp_path / "marked.replay"
    reprise.open(MATCH).trim(marked, "core.manual", "core.matchEnded")
    assert reprise.open(marked).verify()
    run = tmp_path / "run.replay"
    reprise.open(RUN).trim(run, reprise.Run(0), reprise.Run(0))
    assert reprise.open(run).duration < reprise.open(RUN).duration


def test_anonymize(tmp_path):
    target = tmp_path / "public.replay"
    report = reprise.open(MATCH).anonymize(target)
    assert report["removed"]
    assert reprise.open(MATCH).info["private"] and not reprise.open(target).info["private"]
    assert b"Ragna" not in target.read_bytes()
    names = tmp_path / "names.replay"
    reprise.open(MATCH).anonymize(names, kinds=["names"])
    kinds = {entry["kind"] for entry in reprise.open(names).info["private"]}
    assert "names" not in kinds and "ids" in kinds


def test_recover_and_diff(tmp_path):
    content = MATCH.read_bytes()
    target = tmp_path / "sound.replay"
    broken = reprise.open(content[: len(content) * 2 // 3], salvage=True)
    assert broken.recover(target)["lost"]
    assert reprise.open(target).verify()
    equal, report = reprise.open(MATCH).diff(target)
    assert not equal and report
    assert reprise.open(MATCH).diff(content)[0]
    replay = reprise.open(MATCH)
    assert replay.diff(replay)[0]


def test_dry_run_keeps_nothing(tmp_path):
    report = reprise.open(RUN).recompress(None, dry_run=True)
    assert report["size"] > 0 and not list(tmp_path.iterdir())
    with pytest.raises(TypeError):
        reprise.open(RUN).recompress(None)


def test_scenes(tmp_path):
    target = tmp_path / "scene.glb"
    counts = reprise.open(MATCH).export_scene(target)
    assert target.read_bytes()[:4] == b"glTF" and counts["nodes"] > 50
    with pytest.raises(FileExistsError):
        reprise.open(MATCH).export_scene(target)
    timeline = reprise.open(MATCH).timeline()
    assert timeline["players"] and timeline["source"]["format"] == "rumble"
    assert [path.name for path in tmp_path.iterdir()] == ["scene.glb"]


def test_plots(tmp_path):
    target = tmp_path / "plot.svg"
    assert reprise.open(MATCH).plot(target, "health", "speed", theme="dark", players=[0])
    assert target.read_bytes().startswith(b"<svg")
    with pytest.raises(ValueError):
        reprise.open(MATCH).plot(tmp_path / "other.svg", "nothing")
    assert not (tmp_path / "other.svg").exists()


def test_blobs():
    replay = reprise.open(samples.DATA / "rumble/z6_voices_extensions.replay")
    blobs = replay.blobs()
    assert blobs
    for blob in blobs:
        if blob.barred is None:
            assert len(replay.read_blob(blob.name)) == blob.size
    with pytest.raises(KeyError):
        replay.read_blob("nothing")


class Full(io.RawIOBase):
    def write(self, data):
        raise OSError(28, "No space left on device")


class Short(io.RawIOBase):
    def write(self, data):
        return len(data) // 2


@pytest.mark.parametrize("target", [Full(), Short()])
def test_a_target_that_fails(target):
    with pytest.raises(reprise.Error) as caught:
        reprise.open(RUN).recompress(target)
    assert caught.value.status == "io" and isinstance(caught.value.__cause__, OSError)


@pytest.mark.parametrize("call", [
    lambda replay: replay.convert(io.BytesIO(), layout="nothing"),
    lambda replay: replay.recompress(io.BytesIO(), level="nothing"),
    lambda replay: replay.anonymize(io.BytesIO(), kinds=["nothing"]),
    lambda replay: replay.export_scene(io.BytesIO(), form="nothing"),
    lambda replay: replay.plot(io.BytesIO(), "health", theme="nothing"),
])
def test_arguments_that_make_no_sense(call):
    with pytest.raises(ValueError):
        call(reprise.open(MATCH))
