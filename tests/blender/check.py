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
import reprise_import.scene  # noqa: E402
import truth  # noqa: E402

FPS = 240
PLACE_M = 0.001
TURN_RAD = math.radians(0.05)


def to_blender(place):
    """Y up to Z up."""
    return Vector((place[0], -place[2], place[1]))


def turn_to_blender(turn):
    return Quaternion((turn[3], turn[0], -turn[2], turn[1]))


class Joint:
    """A bone while it moves, as if it were an object."""

    type = "BONE"

    def __init__(self, armature, bone):
        self.armature, self.bone = armature, bone

    @property
    def matrix_world(self):
        return self.armature.matrix_world @ self.bone.matrix

    @property
    def parent(self):
        return Joint(self.armature, self.bone.parent) if self.bone.parent else self.armature

    @property
    def rotation_quaternion(self):
        rest = self.bone.bone.matrix_local
        if self.bone.parent:
            rest = self.bone.parent.bone.matrix_local.inverted() @ rest
        return rest.to_quaternion() @ self.bone.rotation_quaternion


def things_by_id():
    found = {}
    things = list(bpy.data.objects)
    for armature in (thing for thing in bpy.data.objects if thing.type == "ARMATURE"):
        things += [Joint(armature, bone) for bone in armature.pose.bones]
    for thing in things:
        about = (thing.bone if isinstance(thing, Joint) else thing).get("reprise")
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
    if thing.type in {"CAMERA", "BONE"}:
        # Cameras look along their own -z in both worlds, so only the world is laid over. Bones too
        # keep their own axes.
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
        return reprise_import.scene.read_glb(target)


def check_scene(collection, document, failures):
    scene = bpy.context.scene
    about = document["asset"]["extras"]["reprise"]
    if scene.frame_start != 0 or scene.frame_end != max(1, round(about["duration"] * FPS)):
        failures.append(f"frames {scene.frame_start} to {scene.frame_end}")
    if collection["reprise_format"] != about["format"]:
        failures.append("the collection does not say the format")
    armatures = [thing for thing in collection.all_objects if thing.type == "ARMATURE"]
    bones = sum(len(armature.pose.bones) for armature in armatures)
    if len(collection.all_objects) + bones < len(document.get("nodes", [])):
        failures.append(f"{len(collection.all_objects)} objects and {bones} bones of "
                        f"{len(document['nodes'])} nodes")
    check_armatures(armatures, document, failures)
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


def check_armatures(armatures, document, failures):
    """One armature with one mesh for each figure, and no part of it as an object of its own."""
    if len(armatures) != len(document.get("skins", [])):
        failures.append(f"{len(armatures)} armatures of {len(document.get('skins', []))} skins")
    for armature in armatures:
        below = sorted(child.type for child in armature.children)
        if [kind for kind in below if kind != "CAMERA"] != ["MESH"]:
            failures.append(f"{armature.name} holds {below}")


def check_skins(scene, time, failures):
    """Places of meshes as Blender bends them, against the scene's own skins."""
    graph = bpy.context.evaluated_depsgraph_get()
    drawn = {thing["reprise"]["id"]: thing for thing in bpy.data.objects
             if thing.type == "MESH" and thing.parent and thing.parent.type == "ARMATURE"}
    for index, node in enumerate(scene.json.get("nodes", [])):
        if "skin" not in node:
            continue
        thing = drawn[node["extras"]["reprise"]["id"]].evaluated_get(graph)
        got = [thing.matrix_world @ vertex.co for vertex in thing.data.vertices]
        wanted = [to_blender(place) for _, _, place in scene.skinned(index, time)]
        # Blender puts places that are the same together; hidden ones are nowhere at all.
        hidden = thing.parent.matrix_world.to_scale().length == 0
        for place in () if hidden else wanted[:: max(1, len(wanted) // 40)]:
            if min((place - other).length for other in got) > PLACE_M:
                failures.append(f"{thing.name} at {time}: nothing of its mesh is at {place}")
                break


def check_looks(document, data, time, failures):
    """Tints and frames of pictures as keyed."""
    materials = {}
    for material in bpy.data.materials:
        if material.get("reprise") and "material" in material["reprise"]:
            materials[material["reprise"]["material"]] = material
    for (kind, number, *member), times, values, _ in reprise_import.scene.pointed(document, data):
        if kind != "materials" or member[0] != "pbrMetallicRoughness":
            continue
        now = [v for t, v in zip(times, values) if t <= time + 1e-4][-1:] or values[:1]
        nodes = materials[int(number)].node_tree.nodes
        if member[-1] == "baseColorFactor":
            got, wanted = nodes["Recorded tint"].inputs[2].default_value, now[0]
        else:
            got, wanted = nodes["Recorded frame 0"].inputs[1].default_value, (now[0][0], -now[0][1])
        if any(abs(a - b) > 1e-4 for a, b in zip(got, wanted)):
            failures.append(f"material {number} at {time}: {tuple(got)}, not {wanted}")


def check(reprise, sample):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    failures = []
    collection, _ = reprise_import.import_replay(sample, reprise, fps=FPS, set_range=True)
    document, data = described(reprise, sample)
    check_scene(collection, document, failures)
    scene = truth.export(reprise, sample)
    wanted = poses.poses(reprise, sample) or []
    found = things_by_id()
    last = None
    for pose in wanted:
        if pose[0] != last:
            last = pose[0]
            bpy.context.scene.frame_set(int(last * FPS), subframe=(last * FPS) % 1.0)
            check_skins(scene, last, failures)
            check_looks(document, data, last, failures)
        compare(found, pose, failures)
    return len(wanted), failures


def check_operator(reprise, samples):
    """The entry of the menu: options, several files, a scene that keeps its own rate and range, and a file
    that cannot be read."""
    failures = []
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 25, 7, 77
    bpy.ops.preferences.addon_enable(module="reprise_import")
    bpy.context.preferences.addons["reprise_import"].preferences.command = reprise
    names = [{"name": Path(sample).name} for sample in samples]
    done = bpy.ops.import_scene.reprise(directory=str(Path(samples[0]).parent), files=names)
    if done != {"FINISHED"}:
        failures.append(f"the operator gave {done}")
    if (scene.render.fps, scene.frame_start, scene.frame_end) != (25, 7, 77):
        failures.append("the rate or range of the scene was changed")
    if [one.name for one in scene.collection.children] != [Path(sample).name for sample in samples]:
        failures.append("there is not one collection per replay")
    done = bpy.ops.import_scene.reprise(filepath=samples[0], command=reprise, fps=30, set_range=True,
                                        time_from=0.5, time_to=1.0, exact=True)
    if done != {"FINISHED"} or scene.render.fps != 30 or not 10 <= scene.frame_end <= 16:
        failures.append(f"with options: {done}, {scene.render.fps}, {scene.frame_end}")
    try:
        done = bpy.ops.import_scene.reprise(filepath=__file__, command=reprise)
        failures.append(f"what is no replay: {done}")
    except RuntimeError as problem:
        if "check.py" not in str(problem):
            failures.append(f"the error does not name the file: {problem}")
    if hasattr(bpy.types, "FileHandler") and not hasattr(bpy.types, "IMPORT_FH_reprise"):
        failures.append("files cannot be dropped")
    bpy.ops.preferences.addon_disable(module="reprise_import")
    return failures


def check_cancel(reprise, sample):
    """A command that is stopped leaves neither a process nor files."""
    work = reprise_import.Export(sample, reprise, ["--exact"])
    work.close()
    left = work.process.poll() is None or Path(work.directory.name).exists()
    return ["a stopped import leaves something"] if left else []


def check_manifest():
    text = (HERE.parents[1] / "blender/reprise_import/blender_manifest.toml").read_text()
    version = ".".join(str(number) for number in reprise_import.bl_info["version"])
    wanted = [f'version = "{version}"', f'name = "{reprise_import.bl_info["name"]}"']
    return [f"the manifest lacks {line}" for line in wanted if line not in text]


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
    if rumble:
        failures = check_operator(reprise, rumble[:1] + [s for s in samples if "z6_edge" in s][:1])
        failures += check_cancel(reprise, rumble[0]) + check_manifest()
        print(f"{'FAILED' if failures else 'ok'} operator {' '.join(failures)}")
        passed, failed = passed + (not failures), failed + bool(failures)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main())
