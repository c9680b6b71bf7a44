"""Minecraft scene replays, read from docs/spec/mcreplay.md alone. mcreplay_answers.py says what follows."""

import gzip
import io
import json
import math
import re
import struct
import xml.etree.ElementTree as ElementTree
import zipfile

import mcreplay_answers
from mcreplay_make import generate  # noqa: F401 - for the runner

ROTATION, TRANSLATION, SCALE = slice(0, 4), slice(4, 7), slice(7, 10)


class Bad(Exception):
    pass


# ---- archives ----


class Archive:
    """Members by name; the last of several counts."""

    def __init__(self, data):
        self.members = {}
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                self.members[info.filename] = (archive.read(info), info.compress_size)

    def read(self, name):
        return self.members[name][0]

    def json(self, name):
        return json.loads(self.read(name).decode("utf-8-sig"))

    def named(self, start, end):
        return [name for name in self.members if name.startswith(start) and name.endswith(end)]


# ---- entities ----


def numbers_of(text):
    """Numbers separated by spaces, tabs or commas; None if one is not a number."""
    return [float(word) for word in re.split(r"[ \t,]+", text.strip(" \t,")) if word]


def vector(text, usual):
    return tuple(numbers_of(text)) if text else usual


class Part:
    def __init__(self, element, index, parent):
        self.index, self.parent = index, parent
        self.name = element.get("name", f"bone{index}")
        self.rest = vector(element.get("pos"), (0.0, 0.0, 0.0))
        self.rest_turn = vector(element.get("rot"), (1.0, 0.0, 0.0, 0.0))
        self.length = float(element.get("len", 0.16))
        self.mesh = element.find("mesh")


class Entity:
    def __init__(self, file, data):
        self.file = file
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252")
        if "<!DOCTYPE" in text or "<!ENTITY" in text:
            raise Bad("a document type")
        root = ElementTree.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text))
        self.name = root.get("name", file[len("entities/") : -len(".xml")])
        self.kind = root.get("class")
        model = root.find("model")
        self.rig = model.get("rig-type") or "armature"
        if self.rig not in ("armature", "multipart"):
            raise Bad("the rig")
        self.parts = []
        self.find_parts(model, -1, "bone" if self.rig == "armature" else "part")
        self.channels = [(c.get("name"), c.get("type")) for c in model.iter("override_channel")]
        self.meshes = self.find_meshes(model)
        animation = root.find("anim")
        self.animated = animation is not None
        self.fps, self.start = 20.0, 0.0
        if self.animated:
            self.fps = float(animation.get("fps", 20))
            self.start = float(animation.get("start-time", 0))
        self.frames, self.stored = self.read_frames("".join(animation.itertext()) if self.animated else "")

    def find_parts(self, element, parent, tag):
        for child in element.findall(tag):
            part = Part(child, len(self.parts), parent)
            self.parts.append(part)
            self.find_parts(child, part.index, tag)

    def find_meshes(self, model):
        """(part, mesh); an armature has one of its own."""
        if self.rig == "armature":
            mesh = model.find("mesh")
            return [] if mesh is None else [(-1, Mesh("".join(mesh.itertext())))]
        return [(part.index, Mesh("".join(part.mesh.itertext()))) for part in self.parts if part.mesh is not None]

    # ---- animation ----

    def read_frames(self, text):
        """Every frame as a list of states: the entity, the parts, the channels; and what each stores."""
        if not text:
            return [], []
        lines = re.split(r"\r\n|\n|\r", text)
        if lines and not lines[0].strip():
            lines = lines[1:]
        if lines and not lines[-1].strip():
            lines = lines[:-1]
        state = [[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, True] for _ in range(1 + len(self.parts))]
        state += [[0.0, 0.0, 0.0] for _ in self.channels]
        frames, stored = [], []
        for line in lines:
            state = [list(values) for values in state]
            entries = enumerate(line.split(";")[: len(state)])
            stored.append({number for number, entry in entries if self.apply(number, numbers_of(entry), state)})
            frames.append(state)
        return frames, stored

    def apply(self, number, values, state):
        """Whether the entry has a complete group."""
        if not all(math.isfinite(v) for v in values):
            return False
        if number > len(self.parts):
            size = 3 if self.channels[number - len(self.parts) - 1][1] == "vector" else 1
            if len(values) >= size:
                state[number][:size] = values[:size]
            return len(values) >= size
        for group in (ROTATION, TRANSLATION, SCALE):
            if len(values) >= group.stop:
                state[number][group] = values[group]
        if len(values) >= 11 and number > 0 and self.rig == "multipart":
            state[number][10] = values[10] != 0
        return len(values) >= ROTATION.stop

    def end(self):
        return self.start + len(self.frames) / self.fps

    def time(self, frame):
        return self.start + frame / self.fps


# ---- meshes ----


class Mesh:
    def __init__(self, text):
        self.positions, self.uvs, self.normals, self.faces = [], [], [], []
        group = material = smoothing = None
        for line in text.replace("\\\r\n", " ").replace("\\\n", " ").splitlines():
            word, _, rest = line.strip().partition(" ")
            values = rest.split()
            if word == "v":
                self.positions.append(tuple(map(float, values[:3])))
            elif word == "vt":
                self.uvs.append(tuple(map(float, (values + ["0"])[:2])))
            elif word == "vn":
                self.normals.append(tuple(map(float, values[:3])))
            elif word == "f":
                self.faces.append(([self.corner(value) for value in values], group, material, smoothing))
            elif word == "g":
                group = " ".join(values) or None
            elif word == "usemtl":
                material = rest.strip() or None
            elif word == "s":
                smoothing = None if values and values[0] in ("off", "0") else " ".join(values)

    def corner(self, text):
        lists = (self.positions, self.uvs, self.normals)
        found = []
        for word, known in zip((text + "//").split("/"), lists):
            index = int(word) if word else None
            found.append(-1 if index is None else index - 1 if index > 0 else len(known) + index)
        return tuple(found)

    def triangles(self):
        return sum(len(corners) - 2 for corners, *_ in self.faces)


# ---- worlds ----


class Nbt:
    """One compound as dicts and lists; strings as modified UTF-8."""

    SIMPLE = {1: ">b", 2: ">h", 3: ">i", 4: ">q", 5: ">f", 6: ">d"}

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        value = struct.unpack_from(form, self.data, self.at)[0]
        self.at += struct.calcsize(form)
        return value

    def text(self):
        size = self.take(">H")
        self.at += size
        data = self.data[self.at - size : self.at].replace(b"\xc0\x80", b"\0")
        return data.decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16")

    def root(self):
        if self.take(">B") != 10:
            raise Bad("the root tag")
        self.text()
        return self.value(10)

    def value(self, kind):
        if kind in self.SIMPLE:
            return self.take(self.SIMPLE[kind])
        if kind == 7:
            size = self.take(">i")
            self.at += size
            return self.data[self.at - size : self.at]
        if kind == 8:
            return self.text()
        if kind == 9:
            inner, count = self.take(">B"), self.take(">i")
            return [self.value(inner) for _ in range(count)]
        if kind == 10:
            found = {}
            while inner := self.take(">B"):
                name = self.text()
                found[name] = self.value(inner)
            return found
        width, form = {11: (4, "i"), 12: (8, "q")}[kind]
        count = self.take(">i")
        self.at += count * width
        return struct.unpack_from(f">{count}{form}", self.data, self.at - count * width)


class World:
    """frames: (time, whole, blocks as (x, y, z, state, model, colour or None), palette, sections)."""

    def __init__(self, archive):
        self.archive = archive
        data = archive.read("world.dat")
        root = Nbt(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).root()
        self.data_size = len(data)
        self.frames = []
        for frame in root.get("frames", []):
            whole = frame["type"] == 0
            blocks = list(self.whole(frame) if whole else self.changes(frame))
            self.frames.append((frame["time"], whole, blocks, frame.get("palette", []), frame.get("sections", [])))
        self.frames.sort(key=lambda frame: frame[0])
        self.about = archive.json("meta.json") if "meta.json" in archive.members else {}

    @staticmethod
    def whole(frame):
        for section in frame["sections"]:
            colours = section.get("colorPalette"), section.get("colors")
            for index, state in enumerate(section["blocks"]):
                colour = None
                if colours[0] is not None and colours[1] is not None:
                    value = colours[1][index]
                    offset = value + 256 * ((3 - value % 3) % 3)
                    colour = tuple(colours[0][offset : offset + 3])
                place = (16 * section["x"] + index % 16, 16 * section["y"] + index // 256,
                         16 * section["z"] + index // 16 % 16)
                yield (*place, state, section["palette"][state], colour)

    @staticmethod
    def changes(frame):
        for block in frame["blocks"]:
            colour = tuple(c & 255 for c in block["color"]) if "color" in block else None
            yield (*block["pos"], block["state"], frame["palette"][block["state"]], colour)


class Replay:
    def __init__(self, data):
        self.data, self.archive = data, Archive(data)
        self.alone = "world.dat" in self.archive.members
        self.about = self.archive.json("meta.json") if "meta.json" in self.archive.members else {}
        self.entities, self.skipped, self.world = [], 0, None
        if self.alone:
            self.world = World(self.archive)
            return
        for name in self.archive.named("entities/", ".xml"):
            try:
                self.entities.append(Entity(name, self.archive.read(name)))
            except (Bad, ElementTree.ParseError, ValueError, AttributeError):
                self.skipped += 1
        if "world.vcap" in self.archive.members:
            self.world = World(Archive(self.archive.read("world.vcap")))

    def offset(self):
        return self.about.get("offset") or self.about.get("origin") or [0, 0, 0]

    def scopes(self):
        """Archives with materials and textures: those of entities, then those of the world."""
        if not self.alone:
            yield "replay", self.archive
        if self.world:
            yield "world", self.world.archive


def claims(path, data):
    if data[:2] != b"PK":
        return False
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        scene = "world.vcap" in names or any(n.startswith("entities/") for n in names)
        return "world.dat" in names or "meta.json" in names and scene


def expected(path, data):
    return mcreplay_answers.answers(Replay(data), Mesh)
