"""An archive of files of all families: samples, generated files, damaged ones, duplicates."""

import random
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[1:1] = [str(ROOT / "tests" / name) for name in ("oracle", "gltf")]
sys.dont_write_bytecode = True

import cs2kz  # noqa: E402
import ironcurtain  # noqa: E402
import mccamera  # noqa: E402
import mcreplay  # noqa: E402
import openra  # noqa: E402
import remastered  # noqa: E402
import rumble  # noqa: E402

ORACLES = [rumble, cs2kz, mcreplay, mccamera, openra, remastered, ironcurtain]
NOT_SAMPLES = {".json", ".md", ".tsv", ".txt", ".py"}
# What names of files may contain. A shell, a terminal, SQL and CSV all have their own ideas of these.
HOSTILE = ["line\nfeed.replay", "quote'\"; drop table file; --.replay", "\u202ebidi.replay",
           "\x1b[31mred.replay", "comma, and space.replay", "%s%n.replay", "-dash.replay", "n" * 240 + ".replay"]


def samples():
    """Good samples, shortest names first, so that a small archive has all families."""
    for path in sorted((ROOT / "tests/data").rglob("*")):
        if path.is_file() and path.suffix not in NOT_SAMPLES and "bad" not in path.parts:
            yield path


def oracle_of(path, data):
    return next((module for module in ORACLES if module.claims(path, data)), None)


def damaged(data, generator):
    """Cut off in the middle, or with a byte changed near the start."""
    if generator.random() < 0.5:
        return data[: max(8, len(data) // 2)]
    at = generator.randrange(4, min(64, len(data)))
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1:]


def make(folder, seed):
    """Fills a folder. Returns {path: kind}: good, copy, damaged or other."""
    generator = random.Random(seed)
    kinds = {}

    def put(name, data, kind):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        kinds[str(path)] = kind

    for path in samples():
        put(f"samples/{path.parent.name}/{path.name}", path.read_bytes(), "good")
    for module in ORACLES:
        place = folder / "generated" / module.__name__
        place.mkdir(parents=True)
        module.generate(random.Random(f"{seed} {module.__name__}"), place)
        for path in sorted(place.iterdir()):
            kinds[str(path)] = "good"
    good = [Path(path) for path in kinds]
    for i, path in enumerate(generator.sample(good, 12)):
        put(f"damaged/{i}-{path.name}", damaged(path.read_bytes(), generator), "damaged")
    for i, path in enumerate(generator.sample(good, 6)):
        put(f"copies/{'deep/' * 20}{i}-{path.name}", path.read_bytes(), "copy")
    run = ROOT / "tests/data/cs2kz/a1-run.replay"
    for name in HOSTILE:
        put(f"hostile/{name}", run.read_bytes(), "copy")
    put("notes.txt", b"not a replay\n", "other")
    put("empty", b"", "other")
    shutil.copy(run, folder / ".hidden.replay")
    return kinds
