#!/usr/bin/env python3
"""Compares nodes of exported scenes with what `reprise at` and `reprise cat` say.

usage: tests/gltf/truth.py REPRISE SAMPLE...

Of every family that knows where things are, some moments are looked at: poses.py says where each
thing must be and how it is turned, and its node must be there within 1 mm and 0.05 degrees. Keys
that were left out must not be missed: both the usual scene and the one with every key are compared.
Of Minecraft every row of the parts track is compared as well, as a matrix up through all parents,
and every place of the entities' meshes, as their skins carry it.
Prints "N passed, N failed".
"""

import bisect
import json
import math
import struct
import sys
import tempfile
from pathlib import Path

from poses import poses, rows, run

PLACE, AXIS = 0.001, 0.001
TURN = math.radians(0.05)


class Scene:
    """A GLB file, with the pose of any node at any time."""

    def __init__(self, data):
        length = struct.unpack_from("<I", data, 12)[0]
        self.json = json.loads(data[20 : 20 + length])
        self.bytes = data[28 + length :]
        self.known = {}
        self.parents = {}
        for index, node in enumerate(self.json.get("nodes", [])):
            for child in node.get("children", []):
                self.parents[child] = index
        self.channels, self.pointers = {}, {}
        for animation in self.json.get("animations", []):
            for channel in animation["channels"]:
                target = channel["target"]
                sampler = animation["samplers"][channel["sampler"]]
                if target["path"] == "pointer":
                    pointer = target["extensions"]["KHR_animation_pointer"]["pointer"]
                    self.pointers[pointer] = sampler
                else:
                    self.channels[target["node"], target["path"]] = sampler

    def numbers(self, index):
        if index not in self.known:
            self.known[index] = self.read_numbers(index)
        return self.known[index]

    def read_numbers(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
        start = view["byteOffset"] + accessor.get("byteOffset", 0)
        count = accessor["count"]
        kind = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}[accessor["componentType"]]
        flat = struct.unpack_from(f"<{count * width}{kind}", self.bytes, start)
        return flat if width == 1 else [flat[i * width : (i + 1) * width] for i in range(count)]

    def value(self, node, path, usual, time):
        sampler = self.channels.get((node, path))
        if not sampler:
            return self.json["nodes"][node].get(path, usual)
        return self.sample(sampler, path, time)

    def pointed(self, pointer, time):
        """The value of a pointer at a time; without one, the value in the document."""
        if pointer in self.pointers:
            return self.sample(self.pointers[pointer], "pointer", time)
        at = self.json
        for name in pointer.strip("/").split("/"):
            at = at[int(name) if isinstance(at, list) else name]
        return at

    def sample(self, sampler, path, time):
        times = self.numbers(sampler["input"])
        values = self.numbers(sampler["output"])
        # Times are rounded to single precision: a step that falls on a moment has happened.
        steps = sampler.get("interpolation") == "STEP"
        after = bisect.bisect_right(times, time + (1e-6 + abs(time) * 2e-7 if steps else 0))
        if after == 0 or after == len(times):
            return values[min(after, len(times) - 1)]
        a, b = values[after - 1], values[after]
        if steps:
            return a
        share = (time - times[after - 1]) / (times[after] - times[after - 1])
        if path == "rotation" and sum(x * y for x, y in zip(a, b)) < 0:
            b = [-x for x in b]
        if not isinstance(a, (list, tuple)):
            return a + share * (b - a)
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


    def skinned(self, node, time):
        """Places of a mesh with a skin at a time, with the joint that each follows."""
        skin = self.json["skins"][self.json["nodes"][node]["skin"]]
        ways = self.numbers(skin["inverseBindMatrices"])
        joints = [multiply(self.matrix(joint, time), rows_of(way))
                  for joint, way in zip(skin["joints"], ways)]
        for part in self.json["meshes"][self.json["nodes"][node]["mesh"]]["primitives"]:
            attributes = part["attributes"]
            for place, joint, weight in zip(*(self.numbers(attributes[name]) for name in
                                              ("POSITION", "JOINTS_0", "WEIGHTS_0"))):
                assert weight == (255, 0, 0, 0), weight
                yield skin["joints"][joint[0]], joint[0], move(joints[joint[0]], place)


def rows_of(columns):
    return [[columns[4 * c + r] for c in range(4)] for r in range(3)]


def move(matrix, place):
    return tuple(sum(row[k] * place[k] for k in range(3)) + row[3] for row in matrix)


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


def export(reprise, sample, *options):
    with tempfile.TemporaryDirectory() as directory:
        target = Path(directory) / "scene.glb"
        run([reprise, "export", "-q", *options, sample, str(target)])
        return Scene(target.read_bytes())


def angle_between(matrix, turn):
    """Between the axes of a matrix, whatever their lengths, and those of a turn."""
    wanted = compose((0, 0, 0), turn, (1, 1, 1))
    worst = 0
    for c in range(3):
        length = math.sqrt(sum(matrix[r][c] ** 2 for r in range(3)))
        along = sum(matrix[r][c] * wanted[r][c] for r in range(3)) / length
        worst = max(worst, math.acos(max(-1, min(1, along))))
    return worst


def compare_poses(scene, wanted):
    """What is wrong with nodes at some moments."""
    nodes = {}
    for index, node in enumerate(scene.json.get("nodes", [])):
        about = node["extras"]["reprise"]
        nodes.setdefault((about.get("id"), about.get("kind")), []).append(index)
    wrong = []
    for time, name, kind, place, turn in wanted:
        if (name, kind) not in nodes:
            wrong.append(f"there is no {name} {kind}")
            continue
        # One thing may have several looks, of which one is seen.
        looks = [scene.matrix(index, time) for index in nodes[name, kind]]
        found = next((look for look in looks if look[0][:3] != [0, 0, 0]), looks[0])
        if place and math.dist([row[3] for row in found], place) > PLACE:
            wrong.append(f"{name} {kind} at {time}: {[row[3] for row in found]}, not {place}")
        # What is hidden has no axes that could be compared.
        hidden = any(all(abs(found[r][c]) < 1e-9 for r in range(3)) for c in range(3))
        if turn and not hidden and angle_between(found, turn) > TURN:
            wrong.append(f"{name} {kind} at {time}: turned wrongly")
    return wrong


def check_poses(reprise, sample):
    wanted = poses(reprise, sample)
    if wanted is None:
        return 0, []
    wrong = compare_poses(export(reprise, sample), wanted)
    wrong += compare_poses(export(reprise, sample, "--exact"), wanted)
    return len(wanted), wrong


def check_run(reprise, sample):
    """A CS2KZ run has a node for each jump, checkpoint and teleport that was counted."""
    if json.loads(run([reprise, "info", "--json", sample]))["format"] != "cs2kz":
        return 0, []
    kinds = [n["extras"]["reprise"]["kind"] for n in export(reprise, sample).json["nodes"]]
    ticks = rows(reprise, sample, "ticks", "tick,checkpoint_count,teleport_count")
    wanted = {"jump": len(rows(reprise, sample, "jumps", "tick"))}
    for kind in ("checkpoint", "teleport"):
        wanted[kind] = ticks[-1][f"{kind}_count"] - ticks[0][f"{kind}_count"]
    return len(wanted), [f"{kinds.count(kind)} nodes of kind {kind}, not {count}"
                         for kind, count in wanted.items() if kinds.count(kind) != count]


def check(reprise, sample):
    count, wrong = check_poses(reprise, sample)
    more, wrong_run = check_run(reprise, sample)
    count, wrong = count + more, wrong + wrong_run
    parts, wrong_parts = check_parts(reprise, sample)
    places, wrong_places = check_skins(reprise, sample)
    return count + parts + places, wrong + wrong_parts + wrong_places


# ---- Minecraft: each place of an entity's mesh, carried by its skin ----


def inverse(matrix):
    """Of a turn and a way."""
    turned = [[matrix[c][r] for c in range(3)] for r in range(3)]
    return [row + [-sum(row[k] * matrix[k][3] for k in range(3))] for row in turned]


def rest_of(part):
    return compose([part[f"rest_{axis}"] for axis in "xyz"],
                   [part[f"rest_rot_{axis}"] for axis in "xyzw"], (1, 1, 1))


def wanted_places(entity, meshes, matrices, root):
    """Where corners of faces are, by joint: part number plus one, 0 for the entity itself."""
    found = {}
    names = [part["name"] for part in entity["parts"]]
    for mesh in meshes:
        for face in mesh["polygons"]:
            part = mesh["part"]
            if entity["rig"] == "armature":
                part = names.index(face["group"]) if face["group"] in names else -1
            matrix = matrices[part] if part >= 0 else root
            if entity["rig"] == "armature" and part >= 0:
                matrix = multiply(matrix, inverse(rest_of(entity["parts"][part])))
            for corner in face["corners"]:
                place = mesh["positions"][corner["v"]]
                found.setdefault(part + 1, set()).add(
                    tuple(round(v, 4) for v in move(matrix, [place[a] for a in "xyz"])))
    return found


def near(place, places):
    return any(math.dist(place, other) < PLACE for other in places)


def check_skins(reprise, sample):
    """Every corner of every face is where its part carries it, and no place is anywhere else."""
    about = json.loads(run([reprise, "info", "--json", sample]))
    if about["format"] != "mcreplay" or not rows(reprise, sample, "entities", "entity"):
        return 0, []
    offset = about.get("offset", [0, 0, 0])
    scene = export(reprise, sample, "--exact")
    drawn = {node["extras"]["reprise"]["id"]: index for index, node in
             enumerate(scene.json["nodes"]) if "skin" in node}
    poses_at, roots = {}, {}
    for row in rows(reprise, sample, "parts"):
        poses_at.setdefault(row["entity"], {}).setdefault(row["frame"], []).append(row)
    for row in rows(reprise, sample, "frames"):
        roots[row["entity"], row["frame"]] = row
    meshes = [mesh for mesh in rows(reprise, sample, "meshes") if mesh["scope"] == "replay"]
    count, wrong = 0, []
    for entity in rows(reprise, sample, "entities"):
        own = [mesh for mesh in meshes if mesh["entity"] == entity["entity"] and mesh["polygons"]]
        if not own or entity["file"] not in drawn:
            if own:
                wrong.append(f"{entity['file']} has no skin")
            continue
        frames = {frame: parts for frame, parts in poses_at.get(entity["entity"], {}).items()
                  if len(parts) == len(entity["parts"])}
        for frame in list(frames)[:: max(1, len(frames) // 3)]:
            root = roots[entity["entity"], frame]
            time = root["time"]
            matrices = {row["part"]: rows_of_row(row["world_matrix"]) for row in frames[frame]}
            hidden = {row["part"] + 1 for row in frames[frame]
                      if entity["rig"] == "multipart" and not row["visible"]}
            own_root = compose([root[f"pos_{a}"] for a in "xyz"], [root[f"rot_{a}"] for a in "xyzw"],
                               [root[f"scale_{a}"] for a in "xyz"])
            places = wanted_places(entity, own, matrices, own_root)
            got = {}
            for _, joint, place in scene.skinned(drawn[entity["file"]], time):
                got.setdefault(joint, []).append([a - b for a, b in zip(place, offset)])
            for joint in set(places) | set(got):
                count += len(got.get(joint, []))
                if joint in hidden:
                    spread = {tuple(round(v, 3) for v in place) for place in got.get(joint, [])}
                    if len(spread) > 1:
                        wrong.append(f"{entity['file']} joint {joint} at {time} is not hidden")
                    continue
                lost = [p for p in places.get(joint, []) if not near(p, got.get(joint, []))]
                made_up = [p for p in got.get(joint, []) if not near(p, places.get(joint, []))]
                if lost or made_up:
                    wrong.append(f"{entity['file']} joint {joint} at {time}: {len(lost)} corners "
                                 f"missing, {len(made_up)} made up")
    return count, wrong


def rows_of_row(numbers):
    return [numbers[4 * r : 4 * r + 4] for r in range(3)]


def check_parts(reprise, sample):
    if json.loads(run([reprise, "info", "--json", sample]))["format"] != "mcreplay":
        return 0, []
    scene = export(reprise, sample, "--exact")
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


def run_checks(check, unit):
    """Checks each sample of the command line and says how it went; gives the exit code."""
    passed = failed = 0
    for sample in sys.argv[2:]:
        count, wrong = check(sys.argv[1], sample)
        for text in wrong[:4]:
            print(f"  {text}")
        print(f"{'FAILED' if wrong else 'ok'} {sample}: {count} {unit}")
        passed, failed = passed + (not wrong), failed + bool(wrong)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(run_checks(check, "rows"))
