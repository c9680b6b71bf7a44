"""Generates an archive: generate.py FOLDER COUNT. The generators are those of tests/oracle."""

import importlib
import json
import os
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests/oracle"))
FAMILIES = ["rumble", "cs2kz", "mcreplay", "openra", "remastered", "ironcurtain"]
SEEDS = 3
NOT_REPLAYS = {".json", ".oramap", ".txt"}


def originals(folder):
    """Different files of all families."""
    for family in FAMILIES:
        make = importlib.import_module(f"{family}_make")
        for seed in range(SEEDS):
            place = folder / f"{family}-{seed}"
            place.mkdir(parents=True)
            make.generate(random.Random(seed), place)
    return sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix not in NOT_REPLAYS)


def damage(content, number):
    """Cuts a file or changes a byte of it, in turn."""
    place = random.Random(number).randrange(1, len(content))
    if number % 2:
        return content[:place]
    return content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1:]


def main():
    folder, count = Path(sys.argv[1]), int(sys.argv[2])
    sources = originals(folder / "originals")
    archive = folder / "archive"
    damaged = 0
    for number in range(count):
        source = sources[number % len(sources)]
        place = archive / f"{number // 1000:03}"
        place.mkdir(parents=True, exist_ok=True)
        target = place / f"{number:06}{source.suffix}"
        if number % 100 == 50:
            target.write_bytes(damage(source.read_bytes(), number // 100))
            damaged += 1
        else:
            os.link(source, target)
    families = sorted({source.relative_to(folder / "originals").parts[0].split("-")[0]
                       for source in sources})
    print(json.dumps({"files": count, "originals": len(sources), "damaged": damaged,
                      "families": families}))


main()
