"""What the command must say of a Minecraft scene replay: numbers from docs/spec/mcreplay.md."""

import math
import struct

import mcreplay_shows
import private
from compare import ABSENT, Near

MODES = ["multiply", "mix", "darken", "burn", "lighten", "screen", "dodge", "add", "overlay", "soft_light",
         "linear_light", "difference", "subtract", "divide", "hue", "saturation", "color", "value"]
BLENDS = ["opaque", "clip", "hashed", "blend"]
FIELDS = {"color": 1.0, "color2": 1.0, "roughness": 0.5, "metallic": 0.0, "normal": (0.5, 0.5, 1.0), "emission": 0.0}
MATRIX = 1e-6
MANY_FRAMES = 3000  # more are asked for only near their end
WHITE = (255, 255, 255)


# ---- matrices: three rows of four ----


def compose(values):
    """Scale, then rotation, then translation: qw qx qy qz, tx ty tz, sx sy sz."""
    w, x, y, z = values[:4]
    length = math.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = (v / length for v in (w, x, y, z)) if length else (1.0, 0.0, 0.0, 0.0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]
    return [[a * s for a, s in zip(row, values[7:10])] + [t] for row, t in zip(rows, values[4:7])]


def times(a, b):
    return [[sum(row[k] * b[k][j] for k in range(3)) + (row[3] if j == 3 else 0) for j in range(4)] for row in a]


IDENTITY = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]


def entity_matrices(entity, frame):
    """Of every part, in the entity's space."""
    found = []
    for part in entity.parts:
        own = compose(frame[1 + part.index])
        if entity.rig == "armature":
            parent = compose([*part.rest_turn, *part.rest, 1.0, 1.0, 1.0])
        else:
            parent = found[part.parent] if part.parent >= 0 else IDENTITY
        found.append(times(parent, own))
    return found


def flat(matrix):
    return [Near(v, MATRIX * max(1, abs(v))) for row in matrix for v in row]


# ---- rows ----


def pose_row(values):
    w, x, y, z = values[:4]
    return {"rot_x": x, "rot_y": y, "rot_z": z, "rot_w": w,
            **dict(zip(("pos_x", "pos_y", "pos_z", "scale_x", "scale_y", "scale_z"), values[4:10]))}


def entity_row(number, entity):
    mesh_of = {part: i for i, (part, _) in enumerate(entity.meshes) if part >= 0}
    parts = []
    for part in entity.parts:
        w, x, y, z = part.rest_turn
        parts.append({"name": part.name, "parent": part.parent, "mesh": mesh_of.get(part.index, -1),
                      **({} if entity.rig == "multipart" else {
                          **dict(zip(("rest_x", "rest_y", "rest_z"), part.rest)), "rest_rot_x": x, "rest_rot_y": y,
                          "rest_rot_z": z, "rest_rot_w": w, "length": part.length})})
    return {"entity": number, "name": entity.name, "class": entity.kind, "file": entity.file, "rig": entity.rig,
            "fps": entity.fps, "start_time": entity.start, "animated": entity.animated, "parts": parts,
            "channels": [{"name": name, "type": kind} for name, kind in entity.channels]}


def frame_rows(entity, number, at):
    """Rows of one frame: the entity, its parts, its channels."""
    frame = entity.frames[at]
    clock = {"frame": at, "time": entity.time(at), "entity": number}
    root = compose(frame[0])
    parts = []
    for part, matrix in zip(entity.parts, entity_matrices(entity, frame)):
        values = frame[1 + part.index]
        parts.append({**clock, "part": part.index, "visible": values[10], **pose_row(values),
                      "entity_matrix": flat(matrix), "world_matrix": flat(times(root, matrix))})
    overrides = []
    for channel, (_, kind) in enumerate(entity.channels):
        values = frame[1 + len(entity.parts) + channel]
        overrides.append({**clock, "channel": channel, **dict(zip("xyz", values if kind == "vector" else values[:1]))})
    return {"frames": [{**clock, **pose_row(frame[0])}], "parts": parts, "overrides": overrides}


def mesh_row(scope, entity, part, model, mesh):
    return {"scope": scope, "entity": entity, "part": part, "model": model,
            "positions": [dict(zip("xyz", p)) for p in mesh.positions], "uvs": [dict(zip("uv", p)) for p in mesh.uvs],
            "normals": [dict(zip("xyz", p)) for p in mesh.normals],
            "polygons": [{"corners": [dict(zip(("v", "vt", "vn"), c)) for c in corners], "group": group,
                          "material": material, "smoothing": smoothing}
                         for corners, group, material, smoothing in mesh.faces]}


def mesh_rows(replay, make_mesh):
    for number, entity in enumerate(replay.entities):
        for part, mesh in entity.meshes:
            yield mesh_row("replay", number, part, None, mesh)
    if replay.world:
        archive = replay.world.archive
        for name in archive.named("mesh/", ".obj"):
            yield mesh_row("world", -1, -1, name[len("mesh/") : -len(".obj")], make_mesh(archive.read(name).decode()))


def material_value(material, key, override):
    value = material.get(key)
    usual = FIELDS[key]
    texture, numbers = None, usual if isinstance(usual, tuple) else (usual,) * 3
    if isinstance(value, str):
        texture = value
    elif isinstance(value, list):
        numbers = tuple(map(float, value))
    elif value is not None:
        numbers = (float(value),) * 3
    found = {"texture": texture, "override": override}
    return found if texture else {**found, **dict(zip("xyz", numbers))}


def one_of(names, value):
    value = (value or "").lower()
    return value if value in names else names[0]


def material_row(scope, name, material):
    overrides = dict(material.get("overrides") or {})
    if material.get("useVertexColors"):
        overrides.setdefault("color2", "$VERTEX_COLOR")
    kept = {k: v for k, v in overrides.items() if not v.startswith("$") or v == "$VERTEX_COLOR"}
    blend = material.get("blend_mode") or ("hashed" if material.get("transparent") else "opaque")
    strength = material.get("emission_strength")
    return {"scope": scope, "id": name, **{key: material_value(material, key, kept.get(key)) for key in FIELDS},
            "color2_blend_mode": one_of(MODES, material.get("color2_blend_mode")), "blend_mode": one_of(BLENDS, blend),
            "emission_strength": 1.0 if strength is None else float(strength),
            "tags": [{"item": tag} if isinstance(tag, dict) else tag for tag in material.get("tags") or []]}


def materials(replay):
    for scope, archive in replay.scopes():
        for name in archive.named("mat/", ".json"):
            yield material_row(scope, name[len("mat/") : -len(".json")], archive.json(name))


def textures(replay):
    """In the order of the archive; an animated one is where its description or its sheet comes first."""
    for scope, archive in replay.scopes():
        animated = {name[len("tex/") : -len(".json")] for name in archive.named("tex/", ".json")}
        seen = []
        for name in archive.named("tex/", ""):
            plain = name[len("tex/") : name.rindex(".")]
            if plain.endswith("_spritesheet") and plain[: -len("_spritesheet")] in animated:
                plain = plain[: -len("_spritesheet")]
            if plain in seen:
                continue
            seen.append(plain)
            about = archive.json(f"tex/{plain}.json") if plain in animated else {}
            image = f"tex/{plain}_spritesheet.png" if plain in animated else name
            data = archive.read(image)
            width, height = struct.unpack_from(">II", data, 16)
            yield {"scope": scope, "id": plain, "image": image,
                   "animation": f"tex/{plain}.json" if plain in animated else None, "width": width, "height": height,
                   "framerate": float(about.get("framerate", 20)), "frame_count": about.get("frame_count", 1),
                   "size": str(len(data))}


def world_rows(world):
    frames, blocks = [], []
    for number, (time, whole, found, palette, sections) in enumerate(world.frames if world else []):
        clock = {"frame": number, "time": time}
        frames.append({**clock, "type": "intracoded" if whole else "predicted", "blocks": len(found),
                       "palette": [] if whole else palette, "sections": [
                           {"x": s["x"], "y": s["y"], "z": s["z"], "palette": s["palette"],
                            "colors": len(s.get("colorPalette", b"")) // 3, "colored": "colors" in s}
                           for s in sections]})
        for x, y, z, state, model, colour in found:
            blocks.append({**clock, "x": x, "y": y, "z": z, "state": state, "model": model,
                           **dict(zip(("red", "green", "blue"), colour or WHITE)), "colored": colour is not None})
    return frames, blocks


def rows(replay, make_mesh):
    found = {"entities": [entity_row(i, e) for i, e in enumerate(replay.entities)], "frames": [], "parts": [],
             "overrides": []}
    for number, entity in enumerate(replay.entities):
        for at in range(len(entity.frames)):
            rows_, given = frame_rows(entity, number, at), entity.stored[at]
            found["frames"] += rows_["frames"]
            found["parts"] += [row for row in rows_["parts"] if 1 + row["part"] in given]
            first = 1 + len(entity.parts)
            found["overrides"] += [row for row in rows_["overrides"] if first + row["channel"] in given]
    found["meshes"] = list(mesh_rows(replay, make_mesh))
    found["materials"], found["textures"] = list(materials(replay)), list(textures(replay))
    found["world_frames"], found["blocks"] = world_rows(replay.world)
    return {track: list_ or ABSENT for track, list_ in found.items()}


# ---- info and stats ----


def duration(replay):
    changes = [time for time, *_ in replay.world.frames] if replay.world else []
    return max([0.0] + [entity.end() for entity in replay.entities] + changes)


def part_kind(name):
    known = {"meta.json": "manifest", "world.vcap": "world", "world.dat": "world"}
    folders = {"entities": "entity", "mat": "material", "tex": "texture", "mesh": "mesh"}
    return known.get(name, folders.get(name.split("/")[0], "other"))


def info(replay):
    world, about = replay.world, replay.about
    found = {"format": "mcreplay", "size": len(replay.data), "duration": duration(replay),
             "kind": "world" if replay.alone else "scene",
             "version": about.get("version", ABSENT), "encoder": about.get("encoder", ABSENT),
             "parts": [{"name": name, "kind": part_kind(name), "size": len(data), "stored_size": stored}
                       for name, (data, stored) in replay.archive.members.items()]}
    if not replay.alone:
        found.update(offset=replay.offset(), entity_count=len(replay.entities) + replay.skipped,
                     materials=len(replay.archive.named("mat/", ".json")),
                     textures=sum(1 for t in textures(replay) if t["scope"] == "replay"),
                     entities=[{"file": e.file, "name": e.name, "class": e.kind or ABSENT, "rig": e.rig, "fps": e.fps,
                                "start_time": e.start, "parts": len(e.parts), "channels": len(e.channels),
                                "meshes": len(e.meshes)} for e in replay.entities])
    if world:
        found["world"] = {"version": world.about.get("version", ABSENT), "encoder": world.about.get("encoder", ABSENT),
                          "meshes": len(world.archive.named("mesh/", ".obj")),
                          "materials": len(world.archive.named("mat/", ".json")), "data_size": world.data_size,
                          "textures": sum(1 for t in textures(replay) if t["scope"] == "world")}
    return found


def places(entity):
    return [frame[0][4:7] for frame in entity.frames]


def metres(entity):
    spots = places(entity)
    return sum(math.dist(a, b) for a, b in zip(spots, spots[1:]))


def classes(replay):
    found = {}
    for entity in replay.entities:
        one = found.setdefault(entity.kind or "unknown", [0, 0.0, 0.0])
        one[0] += 1
        one[1] += len(entity.frames) / entity.fps
        one[2] += metres(entity)
    return [{"class": kind, "entities": n, "seconds_on_screen": seconds, "metres": way}
            for kind, (n, seconds, way) in sorted(found.items(), key=lambda pair: pair[0].encode())]


def block_name(world, model):
    return (world.about.get("blockTypes") or {}).get(model) or model.split("#")[0]


def world_stats(world):
    changes = [(time, block) for time, whole, blocks, *_ in world.frames if not whole for block in blocks]
    types, minutes = {}, []
    for time, block in changes:
        name = block_name(world, block[4])
        types[name] = types.get(name, 0) + 1
    for time, whole, blocks, *_ in world.frames:
        minute = int(time // 60)
        if not whole:
            minutes += [0] * (minute + 1 - len(minutes))
            minutes[minute] += len(blocks)
    return {"whole_frames": sum(1 for frame in world.frames if frame[1]), "block_changes": len(changes),
            "by_type": [{"block": name, "changes": n} for name, n in sorted(types.items(), key=lambda p: p[0].encode())],
            "by_minute": minutes}


def visibility_changes(entity):
    count = 0
    for a, b in zip(entity.frames, entity.frames[1:]):
        count += sum(a[i][10] != b[i][10] for i in range(1, 1 + len(entity.parts)))
    return count


def stats(replay):
    images = list(textures(replay))
    return {"format": "mcreplay",
            "recorded": {"entities": len(replay.entities), "entities_skipped": replay.skipped,
                         "parts": sum(len(e.parts) for e in replay.entities),
                         "frames": sum(len(e.frames) for e in replay.entities)},
            "derived": {"duration": duration(replay), "metres": sum((metres(e) for e in replay.entities), 0.0),
                        "visibility_changes": sum(map(visibility_changes, replay.entities)),
                        "entity_triangles": sum(m.triangles() for e in replay.entities for _, m in e.meshes),
                        "classes": classes(replay), "world": world_stats(replay.world) if replay.world else ABSENT,
                        "texture_file_bytes": sum(int(t["size"]) for t in images),
                        "texture_memory_bytes": sum(4 * t["width"] * t["height"] for t in images)}}


# ---- moments ----


def moment(replay, time):
    """Entities that exist at a time, each in its last frame."""
    found = {"frames": [], "parts": [], "overrides": []}
    for number, entity in enumerate(replay.entities):
        if not entity.frames or not entity.start <= time < entity.end():
            continue
        at = min(int((time - entity.start) * entity.fps + 1e-9), len(entity.frames) - 1)
        for track, list_ in frame_rows(entity, number, at).items():
            found[track] += [{k: v for k, v in row.items() if k not in ("frame", "time")} for row in list_]
    return {track: list_ for track, list_ in found.items()}


def answers(replay, make_mesh):
    yield ("info",), info(replay)
    yield ("info",), private.mcreplay([replay.about] + ([replay.world.about] if replay.world and not replay.alone else []))
    yield ("stats",), stats(replay)
    frames = sum(len(entity.frames) for entity in replay.entities)
    if frames <= MANY_FRAMES:
        yield ("rows",), rows(replay, make_mesh)
        yield ("cat", "--track", "parts", "--every-frame"), [
            row for number, entity in enumerate(replay.entities) for at in range(len(entity.frames))
            for row in frame_rows(entity, number, at)["parts"]]
    else:
        last = max(len(entity.frames) for entity in replay.entities) - 5
        yield ("cat", "--track", "parts", "--from-frame", str(last)), [
            row for number, entity in enumerate(replay.entities) for at in range(last, len(entity.frames))
            for row in frame_rows(entity, number, at)["parts"]]
    if any(entity.frames for entity in replay.entities):
        for share in (0.37, 0.71):
            time = duration(replay) * share
            yield ("at", "--time", repr(time)), moment(replay, time)
    yield from mcreplay_shows.answers(replay)
