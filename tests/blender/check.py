"""Runs inside Blender: imports replays and compares objects with what `reprise at` says.

usage: blender --background --factory-startup --python tests/blender/check.py -- REPRISE SAMPLE...

Where things are and how they are turned comes from tests/gltf/poses.py, in the axes of a scene; an
object must be there within 1 mm and 0.05 degrees. Frame range, collection, cameras and timeline
markers are compared with the scene's own description. Prints "N passed, N failed".
"""

import json
import math
import sys
import tempfile
from pathlib import Path

import bpy
from mathutils import Quaternion, Vector

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "blender"), str(HERE.parent / "gltf")]
import poses  # noqa: E402
import reprise_import  # noqa: E402

FPS = 240
PLACE_M = 0.001
TURN_RAD = math.radians(0.05)


def to_blender(place):
    """Y up to Z up."""
    return Vector((place[0], -place[2], place[1]))


def turn_to_blender(turn):
    return Quaternion((turn[3], turn[0], -turn[2], turn[1]))


def things_by_id():
    found = {}
    for thing in bpy.data.objects:
        about = thing.get("reprise")
        if about:
            found.setdefault((about.get("id"), about.get("kind")), []).append(thing)
    return found


def angle_between(a, b):
    # Not by the cosine, which is too coarse for small angles in single precision.
    way = a.normalized().inverted() @ b.normalized()
    return 2 * math.atan2(math.hypot(way.x, way.y, way.z), abs(way.w))


def compare(found, pose, failures):
    time, name, kind, place, turn = pose
    things = found.get((name, kind))
    if not things:
        failures.append(f"there is no {name} {kind}")
        return
    thing = next((one for one in things if one.matrix_world.to_scale().length > 0), things[0])
    at, _, size = thing.matrix_world.decompose()
    if place and (at - to_blender(place)).length > PLACE_M:
        off = (at - to_blender(place)).length
        failures.append(f"{name} {kind} at {time}: {off * 1000:.2f} mm off")
    if not turn or size.length == 0:
        return
    wanted = turn_to_blender(turn)
    if thing.type == "CAMERA":
        # Cameras look along their own -z in both worlds, so only the world is laid over.
        wanted = wanted @ Quaternion((1, 0, 0), math.radians(90))
    # A matrix cannot be taken apart where sizes differ, so the turns of all parents are put together.
    turned = Quaternion()
    while thing is not None:
        turned = thing.rotation_quaternion @ turned
        thing = thing.parent
    angle = angle_between(turned, wanted)
    if angle > TURN_RAD:
        failures.append(f"{name} {kind} at {time}: {math.degrees(angle):.3f} degrees off")


def described(reprise, sample):
    with tempfile.TemporaryDirectory() as directory:
        target = Path(directory) / "scene.glb"
        poses.run([reprise, "export", "-q", sample, str(target)])
        return reprise_import.read_glb(target)[0]


def check_scene(collection, document, failures):
    scene = bpy.context.scene
    about = document["asset"]["extras"]["reprise"]
    if scene.frame_start != 0 or scene.frame_end != max(1, round(about["duration"] * FPS)):
        failures.append(f"frames {scene.frame_start} to {scene.frame_end}")
    if collection["reprise_format"] != about["format"]:
        failures.append("the collection does not say the format")
    if len(collection.all_objects) < len(document.get("nodes", [])):
        failures.append(f"{len(collection.all_objects)} objects of {len(document['nodes'])} nodes")
    cameras = [thing for thing in collection.all_objects if thing.type == "CAMERA"]
    if len(cameras) != len(document.get("cameras", [])):
        failures.append(f"{len(cameras)} cameras of {len(document['cameras'])}")
    if cameras and scene.camera not in cameras:
        failures.append("no camera is active")
    wanted = []
    for animation in document.get("animations", []):
        markers = animation.get("extras", {}).get("reprise", {}).get("markers", [])
        wanted += [round(m["t"] * FPS) for m in markers if m["weight"] >= 2]
    if sorted(wanted) != sorted(marker.frame for marker in scene.timeline_markers):
        failures.append(f"{len(scene.timeline_markers)} timeline markers, not {len(wanted)}")


def check(reprise, sample):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    failures = []
    collection, _ = reprise_import.import_replay(sample, reprise, fps=FPS)
    check_scene(collection, described(reprise, sample), failures)
    wanted = poses.poses(reprise, sample) or []
    found = things_by_id()
    last = None
    for pose in wanted:
        if pose[0] != last:
            last = pose[0]
            bpy.context.scene.frame_set(int(last * FPS), subframe=(last * FPS) % 1.0)
        compare(found, pose, failures)
    return len(wanted), failures


def check_operator(reprise, sample):
    """The entry of the menu, with the options that people set there."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    reprise_import.register()
    done = bpy.ops.import_scene.reprise(filepath=sample, command=reprise, fps=30, time_from=0.5,
                                        time_to=1.0, exact=True)
    end = bpy.context.scene.frame_end
    reprise_import.unregister()
    return [] if done == {"FINISHED"} and 10 <= end <= 16 else [f"the operator gave {done}, {end}"]


def main():
    arguments = sys.argv[sys.argv.index("--") + 1 :]
    reprise, samples = arguments[0], arguments[1:]
    passed = failed = 0
    for sample in samples:
        count, failures = check(reprise, sample)
        for failure in failures[:5]:
            print(f"  {failure}")
        print(f"{'FAILED' if failures else 'ok'} {sample}: {count} poses")
        passed, failed = passed + (not failures), failed + bool(failures)
    rumble = [s for s in samples if json.loads(poses.run([reprise, "info", "--json", s]))["format"]
              == "rumble" and "match" in s]
    for sample in rumble[:1]:
        failures = check_operator(reprise, sample)
        print(f"{'FAILED' if failures else 'ok'} operator {' '.join(failures)}")
        passed, failed = passed + (not failures), failed + bool(failures)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
