"""Every sample of the tree, and what the command prints of it."""

import json
import math
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
OTHERS = {".json", ".tsv", ".md", ".oramap"}
PATHS = sorted(p for p in DATA.rglob("*") if p.is_file() and p.suffix not in OTHERS)
NAMES = [str(path.relative_to(DATA)) for path in PATHS]


def cat(command, path, track):
    """The rows that cat prints, and the record that ends them."""
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    run = subprocess.run([command, "cat", "--quiet", "--track", track, path],
                         stdout=subprocess.PIPE, env=environment)
    lines = [json.loads(line, parse_int=str) for line in run.stdout.splitlines()]
    return lines[:-1], lines[-1] if lines else {}


class Printed:
    """What cat prints of a file: all tracks at once, or one by one if the file is damaged."""

    def __init__(self, command, path, tracks):
        self.command, self.path = command, path
        rows, self.status = cat(command, path, "all")
        self.sound = self.status.get("status") == "ok"
        self.rows = {track: [] for track in tracks}
        for row in rows:
            self.rows[row.get("track", tracks[0])].append(row)

    def track(self, name):
        return (self.rows[name], self.status) if self.sound else cat(self.command, self.path, name)


def same(a, b):
    """Equal, where NaN equals NaN."""
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (math.isnan(a) and math.isnan(b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b
