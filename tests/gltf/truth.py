#!/usr/bin/env python3
"""Compares nodes of an exported Minecraft scene with the matrices that `reprise cat` derives.

usage: tests/gltf/truth.py REPRISE SAMPLE...

For every row of the parts track the node of that part is followed up through its parents at the
time of the row, and its matrix must equal the row's `world_matrix` plus the recording's offset:
within 1 mm for the place, 0.001 for the axes. Prints "N passed, N failed".
"""

import bisect
import json
import math
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

PLACE, AXIS = 0.001, 0.001


class Scene:
    """A GLB file, with the pose of any node at any time."""

    def __init__(self, data):
        length = struct.unpack_from("<I", data, 12)[0]
        self.json = json.loads(data[20 : 20 + length])
        self.bytes = data[28 + length :]
        self.parents = {}
        for index, node in enumerate(self.json.get("nodes", [])):
            for child in node.get("children", []):
                self.parents[child] = index
        self.channels = {}
        for animation in self.json.get("animations", []):
            for channel in animation["channels"]:
                target = channel["target"]
                sampler = animation["samplers"][channel["sampler"]]
                self.channels[target["node"], target["path"]] = sampler

    def numbers(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        start = view["byteOffset"] + accessor.get("byteOffset", 0)
        count = accessor["count"]
        flat = struct.unpack_from(f"<{count * width}f", self.bytes, start)
        return [flat[i * width : (i + 1) * width] for i in range(count)]

    def value(self, node, path, usual, time):
        sampler = self.channels.get((node, path))
        if not sampler:
            return self.json["nodes"][node].get(path, usual)
        times = [t[0] for t in self.numbers(sampler["input"])]
        values = self.numbers(sampler["output"])
        after = bisect.bisect_right(times, time)
        if after == 0 or after == len(times):
            return values[min(after, len(times) - 1)]
        a, b = values[after - 1], values[after]
        if sampler.get("interpolation") == "STEP":
            return a
        share = (time - times[after - 1]) / (times[after] - times[after - 1])
        if path == "rotation" and sum(x * y for x, y in zip(a, b)) < 0:
            b = [-x for x in b]
        return [x + share * (y - x) for x, y in zip(a, b)]

    def matrix(self, node, time):
        """Three rows of four, up through all parents."""
        own = compose(
            self.value(node, "translation", (0, 0, 0), time),
            self.value(node, "rotation", (0, 0, 0, 1), time),
            self.value(node, "scale", (1, 1, 1), time),
        )
        parent = self.parents.get(node)
        return own if parent is None else multiply(self.matrix(parent, time), own)


def compose(place, turn, size):
    n = math.sqrt(sum(x * x for x in turn))
    x, y, z, w = (v / n for v in turn)
    turned = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return [[turned[r][c] * size[c] for c in range(3)] + [place[r]] for r in range(3)]


def multiply(a, b):
    return [
        [sum(a[r][k] * b[k][c] for k in range(3)) + (a[r][3] if c == 3 else 0) for c in range(4)]
        for r in range(3)
    ]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    # 3 is done with a warning: some samples bend the rules on purpose.
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stderr)
    return done.stdout


def check(reprise, sample):
    with tempfile.TemporaryDirectory() as directory:
        target = Path(directory) / "scene.glb"
        run([reprise, "export", "-q", "--exact", sample, str(target)])
        scene = Scene(target.read_bytes())
    offset = json.loads(run([reprise, "info", "--json", sample])).get("offset", [0, 0, 0])
    nodes = scene.json.get("nodes", [])
    parts, current = {}, -1
    for index, node in enumerate(nodes):
        kind = node["extras"]["reprise"].get("kind")
        current += kind == "entity"
        if kind in ("part", "bone"):
            parts.setdefault(current, []).append(index)
    rows = run([reprise, "cat", "--track", "parts", "--no-status", sample]).splitlines()
    wrong = []
    for line in rows:
        row = json.loads(line)
        found = scene.matrix(parts[row["entity"]][row["part"]], row["time"])
        for r in range(3):
            for c in range(4):
                wanted = row["world_matrix"][4 * r + c] + (offset[r] if c == 3 else 0)
                if abs(found[r][c] - wanted) > (PLACE if c == 3 else AXIS):
                    wrong.append(f"entity {row['entity']} part {row['part']} at {row['time']}: "
                                 f"[{r}][{c}] is {found[r][c]:.5f}, not {wanted:.5f}")
    return len(rows), wrong


def main():
    passed = failed = 0
    for sample in sys.argv[2:]:
        count, wrong = check(sys.argv[1], sample)
        for text in wrong[:4]:
            print(f"  {text}")
        print(f"{'FAILED' if wrong else 'ok'} {sample}: {count} rows")
        passed, failed = passed + (not wrong), failed + bool(wrong)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
