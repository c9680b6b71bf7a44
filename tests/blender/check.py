"""Runs inside Blender: imports RUMBLE samples and compares poses with what `reprise at` says.

usage: blender --background --factory-startup --python tests/blender/check.py -- REPRISE SAMPLE...

Positions must agree within 1 mm and rotations within 0.1 degrees at every frame that is tried.
Prints "N passed, N failed".
"""

import json
import math
import subprocess
import sys
from pathlib import Path

import bpy
from mathutils import Quaternion, Vector

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "blender"))
import reprise_import  # noqa: E402

FPS = 240
TRIED = 12
PLACE_M = 0.001
TURN_RAD = math.radians(0.1)


def rows(reprise, sample):
    """The players track, every player in every frame, active ones only."""
    command = [reprise, "cat", "--track", "players", "--every-frame", "--no-status", sample]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    found = [json.loads(line) for line in lines]
    return [row for row in found if row["active"]]


def to_blender(x, y, z):
    """Unity's left-handed Y-up to Blender's right-handed Z-up: glTF mirrors z, Blender lays it."""
    return Vector((x, z, y))


def turn_to_blender(x, y, z, w):
    return Quaternion((w, -x, -z, -y))


def sampled(found):
    step = max(1, len(found) // TRIED)
    return found[::step]


def part_of(player, kind):
    for thing in bpy.data.objects:
        about = thing.get("reprise")
        if about and about.get("id") == f"player:{player}" and about.get("kind") == kind:
            return thing
    return None


def compare(row, failures):
    bpy.context.scene.frame_set(int(row["time"] * FPS), subframe=(row["time"] * FPS) % 1.0)
    for kind, prefix in (("head", "head_world"), ("left hand", "lhand_world")):
        thing = part_of(row["player"], kind)
        if thing is None:
            failures.append(f"player {row['player']} has no {kind}")
            continue
        at, turn, _ = thing.matrix_world.decompose()
        wanted = to_blender(*(row[f"{prefix}_pos_{axis}"] for axis in "xyz"))
        wanted_turn = turn_to_blender(*(row[f"{prefix}_rot_{axis}"] for axis in "xyzw"))
        off = (at - wanted).length
        angle = turn.rotation_difference(wanted_turn).angle
        angle = min(angle, 2 * math.pi - angle)
        if off > PLACE_M:
            failures.append(f"frame {row['frame']} {kind}: {off * 1000:.2f} mm off")
        # What a hidden thing looks at cannot be told from its matrix.
        if kind == "head" and angle > TURN_RAD:
            failures.append(f"frame {row['frame']} {kind}: {math.degrees(angle):.3f} degrees off")


def check(reprise, sample):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    failures = []
    collection, _ = reprise_import.import_replay(sample, reprise, fps=FPS)
    if not collection.objects:
        failures.append("nothing was imported")
    found = rows(reprise, sample)
    for row in sampled(found):
        compare(row, failures)
    if found and bpy.context.scene.frame_end < found[-1]["time"] * FPS - 1:
        failures.append("the frame range is too short")
    return failures


def main():
    arguments = sys.argv[sys.argv.index("--") + 1 :]
    passed = failed = 0
    for sample in arguments[1:]:
        failures = check(arguments[0], sample)
        for failure in failures[:5]:
            print(f"  {failure}")
        print(f"{'FAILED' if failures else 'ok'} {sample}")
        passed, failed = passed + (not failures), failed + bool(failures)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
