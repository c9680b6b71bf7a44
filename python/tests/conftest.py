"""Files and helpers for the tests of the Python package."""

import os
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
sys.path.insert(0, str(ROOT / "tests/tables"))
sys.path.insert(0, str(Path(__file__).parent))

# The names that docstrings and guides use.
SAMPLES = {
    "match.replay": "rumble/z6_match_like_1.2.4.replay",
    "run.replay": "cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay",
}
RUNS = ["019a9b07-044d-785c-9077-bed61db82000", "a1-jump", "b1-jump", "p-jump"]
RUN_COUNT = 500


def fill(folder):
    for name, sample in SAMPLES.items():
        shutil.copy(DATA / sample, folder / name)
    content = (folder / "match.replay").read_bytes()
    (folder / "broken.replay").write_bytes(content[: len(content) * 2 // 3])
    (folder / "runs").mkdir()
    for number in range(RUN_COUNT):
        name = RUNS[number % len(RUNS)]
        (folder / f"runs/{number:03}.replay").symlink_to(DATA / f"cs2kz/{name}.replay")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working directory with the samples."""
    fill(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def command():
    return os.environ.get("REPRISE", str(ROOT / "build-test/cli/reprise"))
