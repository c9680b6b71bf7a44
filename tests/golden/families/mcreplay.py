"""Minecraft scene replays: turns what the command says about a file into the shape of expectations.

Expectations hold the meta data, entities with parts, meshes and animation (values of every frame,
or only their digest), matrices of some frames, materials as stored, and the world with its state
after every frame. Digests are computed here from the rows of `reprise cat`, so that they prove every
value the command prints.
"""

import hashlib
import struct
from collections import defaultdict
from dataclasses import dataclass, field

from command import Failure
from compare import Difference, Rules, load_json

MATRIX_TOLERANCE = 1e-6
MATRIX_RUNS_MAX = 12  # up to so many frames are asked for one by one
STATES_LISTED_MAX = 64  # worlds of more frames list the first and the last state only

TRANSFORM = "rot_w rot_x rot_y rot_z pos_x pos_y pos_z scale_x scale_y scale_z".split()
WHITE = [255, 255, 255]
FRAME_TYPES = {"intracoded": 0, "predicted": 1}


def recognises(expected, info):
    return info.get("format") == "mcreplay" or expected.get("format") in ("mcreplay", "vcap")


@dataclass
class Entity:
    row: dict
    meshes: list = field(default_factory=list)
    frames: list = field(default_factory=list)  # resolved values
    matrices: dict = field(default_factory=dict)  # frame -> list of matrices


@dataclass
class Observation:
    info: dict
    entities: dict = field(default_factory=dict)
    models: dict = field(default_factory=dict)  # model id -> mesh
    materials: dict = field(default_factory=lambda: defaultdict(dict))  # scope -> id -> document
    textures: dict = field(default_factory=lambda: defaultdict(list))  # scope -> files
    world_frames: list = field(default_factory=list)
    states: dict = field(default_factory=dict)
    problems: list = field(default_factory=list)


# ---- canonical bytes: what the digests in `.expect.json` files are computed over ----


def text_bytes(text):
    if text is None:
        return b"\xff\xff"
    encoded = text.encode("utf-8")
    return struct.pack("<H", len(encoded)) + encoded


def mesh_bytes(mesh):
    lists = [mesh["positions"], mesh["uvs"], mesh["normals"]]
    parts = [struct.pack("<4I", *map(len, lists), len(mesh["polygons"]))]
    for one in lists:
        for item in one:
            parts.append(struct.pack(f"<{len(item)}d", *item.values()))
    for polygon in mesh["polygons"]:
        parts.append(struct.pack("<I", len(polygon["corners"])))
        for corner in polygon["corners"]:
            parts.append(struct.pack("<3i", corner["v"], corner["vt"], corner["vn"]))
        parts += (text_bytes(polygon[key]) for key in ("group", "material", "smoothing"))
    return b"".join(parts)


def frame_bytes(frame):
    parts = [struct.pack("<10d", *frame["root"])]
    for bone, visible in zip(frame["bones"], frame["visible"]):
        parts.append(struct.pack("<10dB", *bone, visible))
    parts += (struct.pack(f"<{len(values)}d", *values) for values in frame["overrides"])
    return b"".join(parts)


def state_digest(state):
    digest = hashlib.sha256()
    for x, y, z in sorted(state, key=lambda place: (place[1], place[2], place[0])):
        model, color = state[x, y, z]
        digest.update(struct.pack("<3i3B", x, y, z, *color) + text_bytes(model))
    return digest.hexdigest()


# ---- rows ----


def cat(command, sample, track, *options):
    result = command.run("cat", f"--track={track}", *options, sample)
    row = {}
    for row in result.expect(0, 3).lines():
        if "status" not in row:
            yield row
    if "status" not in row:
        raise Failure(f"{result}: no status record at the end")


def transform(row):
    return [float(row[name]) for name in TRANSFORM]


def read_entities(command, sample, observation):
    for row in cat(command, sample, "entities"):
        observation.entities[row["entity"]] = Entity(row)
    for row in cat(command, sample, "meshes"):
        if row["scope"] == "world":
            observation.models[row["model"]] = row
        else:
            observation.entities[row["entity"]].meshes.append(row)


def read_frames(command, sample, observation):
    for row in cat(command, sample, "frames"):
        entity = observation.entities[row["entity"]]
        about, number = entity.row, len(entity.frames)
        time = about["start_time"] + number / about["fps"]
        if row["frame"] != number or row["time"] != time:
            raise Failure(f"frame {number} at {time} expected, {row['frame']} at {row['time']}")
        entity.frames.append({"root": transform(row), "bones": [], "visible": [], "overrides": []})
    columns = ",".join(["entity", "frame", "part", "visible", *TRANSFORM])
    for row in cat(command, sample, "parts", "--every-frame", f"--columns={columns}"):
        frame = observation.entities[row["entity"]].frames[row["frame"]]
        if row["part"] != len(frame["bones"]):
            raise Failure(f"part {len(frame['bones'])} expected, {row['part']} found")
        frame["bones"].append(transform(row))
        frame["visible"].append(int(row["visible"]))
    for row in cat(command, sample, "overrides", "--every-frame"):
        entity = observation.entities[row["entity"]]
        vector = entity.row["channels"][row["channel"]]["type"] == "vector"
        values = [float(row[axis]) for axis in ("xyz" if vector else "x")]
        entity.frames[row["frame"]]["overrides"].append(values)


def read_looks(command, sample, observation):
    for row in cat(command, sample, "materials"):
        observation.materials[row["scope"]][row["id"]] = load_json(row["source"])
    for row in cat(command, sample, "textures"):
        files = [row[key] for key in ("image", "animation") if row[key]]
        observation.textures[row["scope"]] += [name.removeprefix("tex/") for name in files]


# ---- matrices ----


def usual_frames(entity):
    count = len(entity.frames)
    return sorted({0, count // 2, count - 1}) if count else []


def listed_frames(entity, given):
    """Frames whose matrices are listed: the usual three, or others that an expectation chose."""
    usual = [str(i) for i in usual_frames(entity)]
    if not isinstance(given, dict) or len(set(usual) - set(given)) <= 1:
        return usual
    known = {str(i) for i in range(len(entity.frames))}
    return [key for key in given if key in known]


def listed_by(expected, number):
    entities = expected.get("entities")
    entities = entities if isinstance(entities, list) else []
    one = entities[number] if number < len(entities) else {}
    return one.get("world_matrices") if isinstance(one, dict) else None


def read_matrices(command, sample, observation, expected):
    wanted = {
        (number, int(key))
        for place, (number, entity) in enumerate(observation.entities.items())
        for key in listed_frames(entity, listed_by(expected, place))
    }
    frames = sorted({frame for _, frame in wanted})
    ranges = [(f"--from-frame={f}", f"--to-frame={f}") for f in frames]
    for chosen in ranges if len(ranges) <= MATRIX_RUNS_MAX else [()]:
        columns = "--columns=entity,frame,part,world_matrix"
        for row in cat(command, sample, "parts", "--every-frame", columns, *chosen):
            if (row["entity"], row["frame"]) in wanted:
                entity = observation.entities[row["entity"]]
                entity.matrices.setdefault(row["frame"], []).append(row["world_matrix"])


def check_moments(command, sample, observation):
    """What `at` shows must be what reading up to there gives."""
    times = {
        entity.row["start_time"] + frame / entity.row["fps"]
        for entity in observation.entities.values()
        for frame in usual_frames(entity)
    }
    for time in sorted(times)[:3]:
        state = command.run("at", "--json", f"--time={time!r}", sample).expect(0, 3).document()
        found = {row["entity"]: transform(row) for row in state["frames"]}
        for number, entity in observation.entities.items():
            start, fps = entity.row["start_time"], entity.row["fps"]
            last = [i for i in range(len(entity.frames)) if start + i / fps <= time]
            there = last and time < start + len(entity.frames) / fps
            root = entity.frames[last[-1]]["root"] if there else None
            if found.get(number) != root:
                where = f"at {time}: entity {number}"
                observation.problems.append(Difference(where, root, found.get(number)))


# ---- the world ----


def section(row):
    return {
        **{axis: row[axis] for axis in "xyz"},
        "palette": row["palette"],
        "colors": row["colors"] if row["colored"] else 0,
    }


class World:
    def __init__(self, observation):
        self.observation = observation
        self.state = {}
        self.blocks = []
        self.types = {}

    def add_block(self, row):
        color = [row["red"], row["green"], row["blue"]]
        self.blocks.append((row["x"], row["y"], row["z"], row["state"], row["model"], color, row))

    def add_frame(self, row, count):
        whole = row["type"] == "intracoded"
        about = {"type": FRAME_TYPES[row["type"]], "time": float(row["time"])}
        if row["blocks"] != len(self.blocks):
            raise Failure(f"world frame {row['frame']}: {len(self.blocks)} of {row['blocks']} blocks")
        if whole:
            self.state = {}
            about["sections"] = [section(one) for one in row["sections"]]
        else:
            about["palette"] = row["palette"]
            about["blocks"] = [
                {"pos": [x, y, z], "state": state, "color": color if block["colored"] else None}
                for x, y, z, state, _, color, block in self.blocks
            ]
        for x, y, z, _, model, color, block in self.blocks:
            if not block["colored"] and color != WHITE:
                raise Failure(f"block {x} {y} {z} has no colour and is not white")
            self.state[x, y, z] = (model, color)
        self.blocks = []
        self.observation.world_frames.append(about)
        number = row["frame"]
        if count <= STATES_LISTED_MAX or number in (0, count - 1):
            faces = self.observation.models
            visible = sum(
                1 for model, _ in self.state.values() if model in faces and faces[model]["polygons"]
            )
            self.observation.states[str(number)] = {
                "blocks": len(self.state),
                "visible_blocks": visible,
                "sha256": state_digest(self.state),
            }


def read_world(command, sample, observation):
    world = World(observation)
    count = sum(1 for _ in cat(command, sample, "world_frames", "--columns=frame"))
    for row in cat(command, sample, "world_frames,blocks"):
        if row["track"] == "blocks":
            world.add_block(row)
        else:
            world.add_frame(row, count)


# ---- the interface of adapters ----


def observe(command, sample, expected):
    info = command.run("info", "--json", sample).expect(0, 3).document()
    command.run("verify", "--json", sample).expect(0, 3)
    observation = Observation(info)
    read_entities(command, sample, observation)
    read_frames(command, sample, observation)
    read_matrices(command, sample, observation, expected)
    read_looks(command, sample, observation)
    if info.get("world"):
        read_world(command, sample, observation)
    check_moments(command, sample, observation)
    return observation


def counts(mesh):
    names = {"v": "positions", "vt": "uvs", "vn": "normals", "faces": "polygons"}
    return {short: len(mesh[name]) for short, name in names.items()}


def names(mesh, key):
    return sorted({one[key] for one in mesh["polygons"] if one[key]})


def bone(part, armature):
    about = {"name": part["name"], "parent": part["parent"]}
    if armature:
        about["pos"] = [part[f"rest_{axis}"] for axis in "xyz"]
        about["rot"] = [part[f"rest_rot_{axis}"] for axis in "wxyz"]
        about["len"] = part["length"]
    return about


def digest(pieces):
    total = hashlib.sha256()
    for piece in pieces:
        total.update(piece)
    return total.hexdigest()


def entity_document(entity, given):
    row = entity.row
    document = {
        **{key: row[key] for key in ("name", "class", "rig", "fps", "start_time")},
        "frame_count": len(entity.frames),
        "bones": [bone(part, row["rig"] == "armature") for part in row["parts"]],
        "override_channels": row["channels"],
        "meshes": [
            {**counts(m), "groups": names(m, "group"), "materials": names(m, "material")}
            for m in entity.meshes
        ],
        "mesh_sha256": digest(map(mesh_bytes, entity.meshes)),
        "anim_sha256": digest(map(frame_bytes, entity.frames)),
        "world_matrices": {
            key: entity.matrices.get(int(key), []) for key in listed_frames(entity, given)
        },
        "frames": entity.frames,
    }
    return document


def world_document(observation):
    world = observation.info.get("world")
    if not world:
        return None
    models = observation.models
    return {
        "version": world.get("version"),
        "encoder": world.get("encoder"),
        "frame_count": len(observation.world_frames),
        "mesh_count": len(models),
        "material_count": len(observation.materials["world"]),
        "textures": sorted(observation.textures["world"]),
        "frames": observation.world_frames,
        "state_after_frame": observation.states,
        "models": {model: counts(models[model]) for model in sorted(models)},
        "models_sha256": digest(mesh_bytes(models[model]) for model in sorted(models)),
    }


def document(observation, expected):
    info = observation.info
    if info["kind"] == "world":
        return {"format": "vcap", "world": world_document(observation)}
    entities = observation.entities.values()
    ends = [e.row["start_time"] + len(e.frames) / e.row["fps"] for e in entities]
    return {
        "format": info["format"],
        "meta": {key: info.get(key) for key in ("version", "encoder", "offset")},
        "entities": [
            entity_document(entity, listed_by(expected, place))
            for place, entity in enumerate(entities)
        ],
        "materials": dict(observation.materials["replay"]),
        "textures": sorted(observation.textures["replay"]),
        "world": world_document(observation),
        "duration": max(ends, default=0.0),
    }


# Keys, not values: an altered one is taken for the usual choice, as rows have no others.
CHOOSING = set()

# Long animations are given by their digest alone, and the longest without matrices.
OPTIONAL = {"entities[].frames", "entities[].world_matrices"}


def rules(observation):
    keys = {str(f) for entity in observation.entities.values() for f in entity.matrices}
    patterns = {f"entities[].world_matrices.{key}[][]": MATRIX_TOLERANCE for key in keys}
    return Rules(tolerances=patterns, optional=OPTIONAL)
