"""Makes Blender's objects of a replay: runs `reprise export` and imports the scene that it writes, with
everything in one collection per replay and its moments as timeline markers.
"""

import copy
import json
import math
import os
import shutil
import struct
import subprocess
import tempfile
import threading

import bpy
from mathutils import Vector

# Radius of a line per pixel of its width on a page, relative to the size of the scene.
LINE_SHARE = 0.0006
# Its largest radius in metres: on a long course, thicker ones would block cameras on the path.
LINE_MAX = 0.02
LINE_STRIP = 3
UP, EAST = Vector((0, 0, 1)), Vector((1, 0, 0))
# Exit codes of the command after which the file exists: done, and done with a warning.
WRITTEN = {0, 3}


def allow_old_numpy_names():
    """Restores numpy.bool, which numpy removed and the importer of Debian's Blender 3.4 still uses."""
    try:
        import numpy
    except ImportError:
        return
    if "bool" not in vars(numpy):
        numpy.bool = bool


def find_command(wanted=""):
    """The command to run: the given one, that of the environment, or the one in PATH."""
    for candidate in (wanted, os.environ.get("REPRISE", ""), "reprise"):
        found = shutil.which(candidate) if candidate else None
        if found:
            return found
    raise RuntimeError("the command 'reprise' was not found; install it or set its path")


def read_glb(path):
    """The JSON part of a GLB file and the bytes after it."""
    with open(path, "rb") as file:
        magic, _version, _size, length, kind = struct.unpack("<4sII I4s", file.read(20))
        if magic != b"glTF" or kind != b"JSON":
            raise RuntimeError("this is not a GLB file")
        document = json.loads(file.read(length))
        file.read(8)
        return document, file.read()


def drop_pointers(document, data, path):
    """Writes the file again without the channels that are keyed here (see `pointed`): Blender 3 ignores them,
    and the importer of Blender 4 fails on some of them."""
    plain = copy.deepcopy(document)
    for animation in plain.get("animations", []):
        animation["channels"] = [c for c in animation["channels"] if c["target"]["path"] != "pointer"]
    plain["animations"] = [a for a in plain.get("animations", []) if a["channels"]]
    if not plain["animations"]:
        del plain["animations"]
    if "KHR_animation_pointer" in plain.get("extensionsUsed", []):
        plain["extensionsUsed"].remove("KHR_animation_pointer")
        if not plain["extensionsUsed"]:
            del plain["extensionsUsed"]
    text = json.dumps(plain).encode()
    text += b" " * (-len(text) % 4)
    with open(path, "wb") as file:
        file.write(struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(text) + 8 + len(data)))
        file.write(struct.pack("<I4s", len(text), b"JSON") + text)
        file.write(struct.pack("<I4s", len(data), b"BIN\0") + data)


def numbers(document, data, index):
    """The rows of an accessor of floats."""
    accessor = document["accessors"][index]
    view = document["bufferViews"][accessor["bufferView"]]
    width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    flat = struct.unpack_from(f"<{accessor['count'] * width}f", data, start)
    return [flat[i : i + width] for i in range(0, len(flat), width)]


def pointed(document, data):
    """Animated properties that are not of nodes: pointer, times, values and whether keys are steps."""
    for animation in document.get("animations", []):
        for channel in animation["channels"]:
            extensions = channel["target"].get("extensions", {})
            pointer = extensions.get("KHR_animation_pointer", {}).get("pointer")
            if pointer:
                sampler = animation["samplers"][channel["sampler"]]
                yield (pointer.strip("/").split("/"),
                       [row[0] for row in numbers(document, data, sampler["input"])],
                       numbers(document, data, sampler["output"]),
                       sampler.get("interpolation") == "STEP")


class Export:
    """The command at work on one replay. It runs in the background: ask `running` until it is done."""

    def __init__(self, replay, command="", options=()):
        self.replay, self.done, self.words = replay, 0.0, []
        self.directory = tempfile.TemporaryDirectory()
        self.target = os.path.join(self.directory.name, "scene.glb")
        arguments = [find_command(command), "export", "--force", "--progress", "json", *options, replay,
                     self.target]
        self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE, text=True, encoding="utf-8",
                                        errors="replace")
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stderr:
            try:
                about = json.loads(line)["progress"]
                self.done = about["done"] / max(1, about["total"])
            except (ValueError, KeyError, TypeError):
                self.words.append(line)

    def running(self):
        return self.process.poll() is None

    def finish(self):
        """Waits for the end. Returns the command's warnings, or ''."""
        self.process.wait()
        self.reader.join()
        self.process.stderr.close()
        words = "".join(self.words).strip()
        if self.process.returncode not in WRITTEN:
            raise RuntimeError(words or f"reprise failed with {self.process.returncode}")
        return words if self.process.returncode else ""

    def close(self):
        """Ends the command if it still runs, and removes its files."""
        if self.running():
            self.process.terminate()
        self.process.wait()
        self.reader.join()
        self.process.stderr.close()
        self.directory.cleanup()


def collect(objects, name, before):
    """Moves objects into a new collection. Collections that are not in `before` are those of Blender's
    importer: 4.x keeps the shape in which it draws bones in one, which moves along and stays hidden."""
    collection = bpy.data.collections.new(name)
    kept = [one for one in bpy.data.collections if one not in before and one != collection]
    hidden = {thing for one in kept for thing in one.objects}
    top = bpy.context.scene.collection
    top.children.link(collection)
    for thing in (thing for thing in objects if thing not in hidden):
        for old in list(thing.users_collection):
            old.objects.unlink(thing)
        collection.objects.link(thing)
    for one in kept:
        if one.name in top.children:
            top.children.unlink(one)
        collection.children.link(one)
        one.hide_viewport = one.hide_render = True
    return collection


def line_points(mesh):
    """Chains of vertices of a mesh that has only edges."""
    chains = []
    for edge in mesh.edges:
        a, b = edge.vertices
        if chains and chains[-1][-1] == a:
            chains[-1].append(b)
        else:
            chains.append([a, b])
    return chains


def line_colours(document, data):
    """Colours of line strips by number of points and first position; the importer loses them."""
    found = {}
    accessors, views = document.get("accessors", []), document.get("bufferViews", [])
    for part in (part for mesh in document.get("meshes", []) for part in mesh["primitives"]):
        if part.get("mode") != LINE_STRIP or "COLOR_0" not in part["attributes"]:
            continue
        colour = accessors[part["attributes"]["COLOR_0"]]
        place = accessors[part["attributes"]["POSITION"]]
        x, y, z = struct.unpack_from("<3f", data, views[place["bufferView"]]["byteOffset"])
        start = views[colour["bufferView"]]["byteOffset"]
        found[colour["count"], round(x, 3), round(-z, 3), round(y, 3)] = data[
            start : start + 4 * colour["count"]
        ]
    return found


def tube(mesh, radius, colours):
    """The same mesh with its lines as three-sided tubes, which can be rendered."""
    places = [vertex.co for vertex in mesh.vertices]
    key = (len(places), *(round(value, 3) for value in places[0]))
    points, faces, taken = [], [], []
    for chain in line_points(mesh):
        first = len(points)
        for number, vertex in enumerate(chain):
            after = places[chain[min(number + 1, len(chain) - 1)]]
            before = places[chain[max(number - 1, 0)]]
            along = (after - before).normalized()
            side = along.cross(UP) if abs(along.z) < 0.99 else along.cross(EAST)
            side.normalize()
            over = side.cross(along)
            at = places[vertex]
            points += [at + radius * over, at - radius * (0.5 * over - 0.87 * side),
                       at - radius * (0.5 * over + 0.87 * side)]
            taken += [vertex] * 3
        for number in range(len(chain) - 1):
            at = first + 3 * number
            faces += [(at + k, at + (k + 1) % 3, at + 3 + (k + 1) % 3, at + 3 + k)
                      for k in range(3)]
    made = bpy.data.meshes.new(mesh.name)
    made.from_pydata(points, [], faces)
    for material in mesh.materials:
        made.materials.append(material)
    if key in colours:
        to = made.color_attributes.new("Col", "FLOAT_COLOR", "POINT")
        for number, vertex in enumerate(taken):
            to.data[number].color = [v / 255 for v in colours[key][4 * vertex : 4 * vertex + 4]]
    return made


# ---- animated properties other than poses ----


def set_keys(owner, path, index, frames, values, steps):
    """Keys one component of a property; fast even for many thousands of keys."""
    animation = owner.animation_data or owner.animation_data_create()
    if not animation.action:
        animation.action = bpy.data.actions.new(f"{owner.name} looks")
    curve = animation.action.fcurves.new(path, index=index)
    curve.keyframe_points.add(len(frames))
    flat = [number for pair in zip(frames, values) for number in pair]
    curve.keyframe_points.foreach_set("co", flat)
    for key in curve.keyframe_points:
        key.interpolation = "CONSTANT" if steps else "LINEAR"
    curve.update()


def principled(material):
    tree = material.node_tree
    return next((node for node in tree.nodes if node.type == "BSDF_PRINCIPLED"), None) if tree else None


def tint_node(material):
    """A factor on the base colour, whatever its source."""
    tree, surface = material.node_tree, principled(material)
    node = tree.nodes.get("Recorded tint")
    if node or not surface:
        return node
    node = tree.nodes.new("ShaderNodeMixRGB")
    node.name = node.label = "Recorded tint"
    node.blend_type = "MULTIPLY"
    node.inputs[0].default_value = 1
    base = surface.inputs["Base Color"]
    if base.is_linked:
        before = base.links[0].from_node
        # The importer multiplies by the first colour, which the keys include.
        if before.type in {"MIX", "MIX_RGB"} and before.blend_type == "MULTIPLY":
            for socket in before.inputs:
                if socket.type == "RGBA" and not socket.is_linked:
                    socket.default_value = (1, 1, 1, 1)
        tree.links.new(base.links[0].from_socket, node.inputs[1])
    else:
        node.inputs[1].default_value = (1, 1, 1, 1)
    tree.links.new(node.outputs[0], base)
    return node


def frame_nodes(material):
    """The mapping node of each texture of the material, shared by all its uses."""
    tree = material.node_tree
    found = []
    for picture in [node for node in tree.nodes if node.type == "TEX_IMAGE"]:
        link = next(iter(picture.inputs["Vector"].links), None)
        if link and link.from_node.name.startswith("Recorded frame"):
            found.append(link.from_node)
            continue
        node = tree.nodes.new("ShaderNodeMapping")
        node.name = node.label = f"Recorded frame {len(found)}"
        if link:
            source = link.from_socket
            # The importer's own offset is right for the first frame only.
            if link.from_node.type == "MAPPING":
                link.from_node.inputs["Location"].default_value = (0, 0, 0)
        else:
            source = tree.nodes.new("ShaderNodeUVMap").outputs[0]
        tree.links.new(source, node.inputs["Vector"])
        tree.links.new(node.outputs[0], picture.inputs["Vector"])
        found.append(node)
    return found


def key_material(material, member, frames, values, steps):
    tree = material.node_tree
    if member[-1] == "baseColorFactor":
        node = tint_node(material)
        for index in range(4 if node else 0):
            set_keys(tree, f'nodes["{node.name}"].inputs[2].default_value', index, frames,
                     [value[index] for value in values], steps)
    elif member[-1] == "offset" and member[0] == "pbrMetallicRoughness":
        # Frames are counted from the top in the file, from the bottom in Blender.
        for node in frame_nodes(material):
            path = f'nodes["{node.name}"].inputs[1].default_value'
            set_keys(tree, path, 0, frames, [value[0] for value in values], steps)
            set_keys(tree, path, 1, frames, [-value[1] for value in values], steps)


def key_looks(document, data, objects, rate):
    """Keys tints, texture frames and fields of view, which the importer ignores."""
    materials = {}
    for thing in objects:
        for slot in thing.material_slots:
            about = slot.material.get("reprise") if slot.material else None
            if about and "material" in about:
                materials[about["material"]] = slot.material
    cameras = {}
    for thing in (thing for thing in objects if thing.type == "CAMERA"):
        cameras.setdefault(thing.data.name.split(".")[0], []).append(thing.data)
    for (kind, number, *member), times, values, steps in pointed(document, data):
        frames = [time * rate for time in times]
        if kind == "materials" and int(number) in materials:
            key_material(materials[int(number)], member, frames, values, steps)
        elif kind == "cameras" and member[-1] == "yfov":
            name = document["cameras"][int(number)].get("name", "")
            for camera in cameras.get(name.split(".")[0], []):
                camera.sensor_fit = "VERTICAL"
                lens = [camera.sensor_height / 2 / math.tan(value[0] / 2) for value in values]
                set_keys(camera, "lens", 0, frames, lens, steps)


def set_blending(objects):
    """Uses dithered transparency, as the game's add-on does, because it needs no sorting."""
    for thing in objects:
        for slot in thing.material_slots:
            about = slot.material.get("reprise") if slot.material else None
            if about and about.get("blend") == "hashed" and hasattr(slot.material, "blend_method"):
                slot.material.blend_method = "HASHED"


def key_visibility(objects):
    """Hides objects of scale zero with keys for viewport and render."""
    for thing in objects:
        action = thing.animation_data.action if thing.animation_data else None
        curve = action.fcurves.find("scale", index=0) if action else None
        points = curve.keyframe_points if curve else []
        if not any(point.co[1] == 0 for point in points):
            continue
        frames = [point.co[0] for point in points]
        hidden = [float(point.co[1] == 0) for point in points]
        # A skeleton is not drawn, and must keep moving its mesh.
        drawn = [child for child in thing.children if child.type == "MESH"]
        for shown in drawn if thing.type == "ARMATURE" else [thing]:
            for path in ("hide_viewport", "hide_render"):
                set_keys(shown, path, 0, frames, hidden, True)


def extent_of(mesh):
    places = [vertex.co for vertex in mesh.vertices]
    return max(max(p[axis] for p in places) - min(p[axis] for p in places) for axis in range(3))


def thicken_lines(objects, colours):
    """Lines have no width in Blender: trails, arcs and grids become thin tubes."""
    lines = [
        thing
        for thing in objects
        if thing.type == "MESH" and thing.data.edges and not thing.data.polygons
    ]
    extent = max((extent_of(thing.data) for thing in lines), default=0)
    made = {}
    for thing in lines:
        mesh = thing.data
        if mesh.name not in made:
            radius = min(LINE_SHARE * extent, LINE_MAX) * float(mesh.get("width_px", 1))
            made[mesh.name] = tube(mesh, radius, colours)
        thing.data = made[mesh.name]


def add_markers(scene, document, weight_min):
    animations = document.get("animations", [])
    about = animations[0].get("extras", {}).get("reprise", {}) if animations else {}
    rate = scene.render.fps / scene.render.fps_base
    for marker in about.get("markers", []):
        if marker["weight"] >= weight_min:
            label = marker["text"] or marker["kind"]
            scene.timeline_markers.new(label, frame=round(marker["t"] * rate))


def frame_rate(scene):
    return scene.render.fps / scene.render.fps_base


def import_scene(target, name, fps=None, weight_min=2, set_range=False):
    """Imports the file that `reprise export` wrote; returns its collection. The scene keeps its frame
    rate and range unless others are asked for."""
    allow_old_numpy_names()
    scene = bpy.context.scene
    if fps:
        scene.render.fps, scene.render.fps_base = fps, 1.0
    rate = frame_rate(scene)
    document, data = read_glb(target)
    drop_pointers(document, data, target)
    before, collections = set(bpy.data.objects), set(bpy.data.collections)
    kept = scene.frame_start, scene.frame_end, scene.frame_current
    # Bones point along their own +Y, as Minecraft's do, and keep their axes.
    bpy.ops.import_scene.gltf(filepath=target, bone_heuristic="BLENDER")
    scene.frame_start, scene.frame_end = kept[:2]
    scene.frame_set(kept[2])
    objects = [thing for thing in bpy.data.objects if thing not in before]
    collection = collect(objects, name, collections)
    about = document["asset"]["extras"]["reprise"]
    if set_range:
        scene.frame_start = 0
        scene.frame_end = max(1, round(about["duration"] * rate))
    collection["reprise_format"] = about["format"]
    collection["reprise_time_offset"] = about["time_offset"]
    collection["reprise_frames"] = max(1, round(about["duration"] * rate))
    set_blending(objects)
    key_looks(document, data, objects, rate)
    key_visibility(objects)
    thicken_lines(objects, line_colours(document, data))
    add_markers(scene, document, weight_min)
    cameras = [thing for thing in objects if thing.type == "CAMERA"]
    cameras.sort(key=lambda thing: (thing.get("reprise") or {}).get("kind") != "overview")
    if cameras and not scene.camera:
        scene.camera = cameras[0]
    return collection


def import_replay(path, command="", fps=None, weight_min=2, options=(), set_range=False):
    """Imports one replay; returns its collection and the command's messages, or ''."""
    work = Export(path, command, options)
    try:
        words = work.finish()
        return import_scene(work.target, os.path.basename(path), fps, weight_min, set_range), words
    finally:
        work.close()
