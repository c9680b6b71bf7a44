"""Timelines as `reprise export x.json` writes them, with their columns as lists."""

import base64
import bisect
import json
import struct
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "gltf"))
from poses import run  # noqa: E402

CODES = {"u8": "B", "u16": "H", "u32": "I", "i16": "h", "i32": "i", "f32": "f", "f64": "d"}


def column(data):
    """A column as a list of numbers or texts."""
    if data["type"] == "range":
        return [data["start"] + i * data["step"] for i in range(data["n"])]
    if data["type"] == "dict":
        return [data["values"][i] for i in column(data["index"])]
    values = struct.unpack(f"<{data['n']}{CODES[data['type']]}", base64.b64decode(data["b64"]))
    return list(values)


class Timeline:
    """Sections of a timeline by name."""

    def __init__(self, reprise, sample, *options):
        with tempfile.TemporaryDirectory() as directory:
            target = Path(directory) / "timeline.json"
            run([reprise, "export", "-q", *options, sample, str(target)])
            self.json = json.loads(target.read_text())

    def plot(self, name):
        """Series of a plot by their names: (times, values) each. None: there is no such plot."""
        for plot in self.json["plots"]:
            if plot["id"] == name:
                return [(s["name"], column(s["t"]), column(s["v"])) for s in plot["series"]]
        return None

    def table(self, name):
        """Rows of a table. None: there is no such table."""
        for table in self.json["tables"]:
            if table["id"] == name:
                lists = [column(c["data"]) for c in table["columns"]]
                names = [c["id"] for c in table["columns"]]
                return [dict(zip(names, row)) for row in zip(*lists)]
        return None

    def heat(self, name):
        """Counts of a heat map cannot be had back, but squares that have any can: (x, z) middles."""
        for heat in self.json["heat"]:
            if heat["id"] == name:
                x, z, width, depth = heat["rect"]
                wide, deep = width / heat["w"], depth / heat["h"]
                return {(x + (i % heat["w"] + 0.5) * wide, z + (i // heat["w"] + 0.5) * deep): v
                        for i, v in enumerate(column(heat["v"])) if v}
        return None

    def markers(self, kind=None):
        found = self.json["markers"]
        lists = [column(found[key]) for key in ("t", "kind", "player", "weight", "text")]
        return [row for row in zip(*lists) if kind is None or row[1] == kind]

    def words(self, player):
        """What is said beside a player: (time, text)."""
        return [pair for hud in self.json["hud"] if hud["player"] == player and "text" in hud
                for pair in zip(column(hud["t"]), column(hud["text"]))]

    def hud(self, player):
        return [(h["plot"], h.get("series")) for h in self.json["hud"]
                if h["player"] == player and "plot" in h]

    def totals(self, player):
        return dict(map(tuple, self.json["players"][player].get("totals", [])))

    def bands(self, kind=None):
        return [band for band in self.json["bands"] if kind in (None, band["kind"])]


def at(times, values, time):
    """The value that holds at a time."""
    return values[bisect.bisect_right(times, time) - 1]
