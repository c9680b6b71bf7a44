#!/usr/bin/env python3
"""Compares the blocks of an exported Minecraft world with what `reprise cat` says is there.

usage: tests/gltf/world.py REPRISE SAMPLE...

Blocks are replayed from the rows of the blocks track; at several moments every triangle that they
must show (without those that an opaque neighbour hides all the time) is looked for among the
triangles of the nodes that the scene shows then, with its tint. Prints "N passed, N failed".
"""

import json
import struct
import sys
import tempfile
from collections import Counter
from pathlib import Path

from truth import Scene, run, run_checks

FINE = 4096  # places are compared in these parts of a metre
LAYER = 0.0005  # distance between layers of faces
SIDES = {"down": (1, 0), "up": (1, 1), "north": (2, 0), "south": (2, 1), "west": (0, 0), "east": (0, 1)}
STEPS = {name: tuple((2 * at - 1) * (k == axis) for k in range(3)) for name, (axis, at) in SIDES.items()}
MOMENTS_MAX = 8


def rows(reprise, sample, track):
    return map(json.loads, run([reprise, "cat", "--track", track, "--no-status", sample]).splitlines())


def linear(byte):
    v = byte / 255
    return int((v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4) * 255 + 0.5)


def normal(points):
    n = [0.0, 0.0, 0.0]
    for a, b in zip(points, points[1:] + points[:1]):
        for k in range(3):
            y, z = (k + 1) % 3, (k + 2) % 3
            n[k] += (a[y] - b[y]) * (a[z] + b[z])
    length = sum(x * x for x in n) ** 0.5
    return [x / length if length else float(k == 1) for k, x in enumerate(n)]


def layer_of(group):
    name = (group or "").lower()
    return int(name[6:]) if name.startswith("flayer") and name[6:].isdigit() else 0


class Model:
    """A block's mesh: polygons with the side they lie on, and whether it hides its neighbours."""

    def __init__(self, row, looks):
        self.polygons = []
        covered = set()
        for polygon in row["polygons"]:
            points = [[row["positions"][c["v"]][k] for k in "xyz"] for c in polygon["corners"]]
            opaque, tinted = looks.get(polygon["material"], (True, False))
            side = next((name for name, (axis, at) in SIDES.items()
                         if all(abs(p[axis] - at) < 1e-4 and all(-1e-4 < v < 1.0001 for v in p)
                                for p in points)), None)
            corners = {tuple(round(v) for v in p) for p in points if all(v in (0, 1) for v in p)}
            if side and opaque and len(points) == 4 and len(corners) == 4:
                covered.add(side)
            up, lift = normal(points), LAYER * layer_of(polygon["group"])
            points = [[v + u * lift for v, u in zip(p, up)] for p in points]
            self.polygons.append((side, tinted, points))
        self.opaque = len(covered) == len(SIDES)


def triangle(points, tint):
    return tuple(sorted(tuple(round(v * FINE) for v in p) for p in points)) + (tint,)


def expected(blocks, models, hiding, offset):
    found = Counter()
    for place, (name, color) in blocks.items():
        model = models.get(name)
        for side, tinted, points in model.polygons if model else ():
            if side and tuple(a + b for a, b in zip(place, STEPS[side])) in hiding:
                continue
            moved = [[v + p + o for v, p, o in zip(point, place, offset)] for point in points]
            tint = tuple(map(linear, color)) if tinted else None
            for i in range(2, len(moved)):
                found[triangle([moved[0], moved[i - 1], moved[i]], tint)] += 1
    return found


class World(Scene):
    def values(self, index):
        accessor = self.json["accessors"][index]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        code = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}[accessor["componentType"]]
        start = self.json["bufferViews"][accessor["bufferView"]]["byteOffset"]
        flat = struct.unpack_from(f"<{accessor['count'] * width}{code}", self.bytes, start)
        return [flat[i : i + width] for i in range(0, len(flat), width)]

    def shown(self, time):
        found = Counter()
        for number, node in enumerate(self.json.get("nodes", [])):
            if node["extras"]["reprise"].get("kind") != "blocks":
                continue
            if self.value(number, "scale", (1, 1, 1), time)[0] == 0:
                continue
            at = [row[3] for row in self.matrix(number, time)]
            for part in self.json["meshes"][node["mesh"]]["primitives"]:
                places = self.values(part["attributes"]["POSITION"])
                tints = part["attributes"].get("COLOR_0")
                tints = self.values(tints) if tints is not None else None
                corners = [i for (i,) in self.values(part["indices"])]
                for i in range(0, len(corners), 3):
                    three = [[v + a for v, a in zip(places[c], at)] for c in corners[i : i + 3]]
                    found[triangle(three, tints[corners[i]][:3] if tints else None)] += 1
        return found


def history(reprise, sample):
    """The world after every frame: a list of (time, {place: (model, colour)})."""
    states, blocks, pending, number = [], {}, {}, None
    whole = {row["frame"]: row["type"] == "intracoded" for row in rows(reprise, sample, "world_frames")}
    times = {row["frame"]: row["time"] for row in rows(reprise, sample, "world_frames")}
    frames = {number: {} for number in times}
    for row in rows(reprise, sample, "blocks"):
        color = (row["red"], row["green"], row["blue"])
        frames[row["frame"]][row["x"], row["y"], row["z"]] = (row["model"], color)
    for number, changes in sorted(frames.items()):
        blocks = dict(changes) if whole[number] else {**blocks, **changes}
        states.append((times[number], blocks))
    return states


def check(reprise, sample):
    with tempfile.TemporaryDirectory() as directory:
        target = Path(directory) / "scene.glb"
        run([reprise, "export", "-q", sample, str(target)])
        scene = World(target.read_bytes())
    looks = {row["id"]: (row["blend_mode"] == "opaque",
                         "$VERTEX_COLOR" in (row["color"]["override"], row["color2"]["override"]))
             for row in rows(reprise, sample, "materials") if row["scope"] == "world"}
    models = {row["model"]: Model(row, looks)
              for row in rows(reprise, sample, "meshes") if row["scope"] == "world"}
    offset = json.loads(run([reprise, "info", "--json", sample])).get("offset", [0, 0, 0])
    states = history(reprise, sample)
    hiding = set()
    if states:
        hiding = {p for p, (name, _) in states[0][1].items() if name in models and models[name].opaque}
    for _, blocks in states[1:]:
        hiding = {p for p in hiding if p in blocks and blocks[p][0] in models and models[blocks[p][0]].opaque}
    count, wrong = 0, []
    step = max(1, (len(states) + MOMENTS_MAX - 1) // MOMENTS_MAX)
    chosen = sorted({*range(0, len(states), step), len(states) - 1} - {-1})
    for number in chosen:
        time, blocks = states[number]
        if number + 1 < len(states) and states[number + 1][0] == time:
            continue
        want, have = expected(blocks, models, hiding, offset), scene.shown(max(time, 0) + 1e-4)
        count += sum(want.values())
        for text, difference in (("missing", want - have), ("too many", have - want)):
            if difference:
                wrong.append(f"at {time}: {sum(difference.values())} triangles {text}, "
                             f"such as {next(iter(difference))}")
    return count, wrong


if __name__ == "__main__":
    sys.exit(run_checks(check, "triangles"))
