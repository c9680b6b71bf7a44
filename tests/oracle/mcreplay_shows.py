"""What the scene and the timeline of a Minecraft scene replay must show."""

import math

import mcreplay_answers as known
from compare import Near
from scenes import NO_ANGLE, is_shown, linear, near, nodes, place, points, turned

MOMENTS = 4
SOON = 1e-4
COMPANY_M = 8  # who first appears this near to the most active entity is in the first view
WAIST_M = 1
LATE_S = 0.1  # who vanishes this shortly before the end has no marker


def members(scene, file, kinds):
    """Nodes of an entity, in the order of its parts."""
    found = []
    for index, node in enumerate(scene.json.get("nodes", [])):
        about = node.get("extras", {}).get("reprise", {})
        if about.get("id") == file and about.get("kind") in kinds:
            found.append(index)
    return found


def moved(matrix, offset):
    return [row[:3] + [row[3] + step] for row, step in zip(matrix, offset)]


def entity_poses(ours, entity, offset):
    root = members(ours, entity.file, ("entity",))
    parts = members(ours, entity.file, ("part", "bone"))
    if not root or not entity.frames:
        return
    count = len(entity.frames)
    for at in sorted({0, count // 3, count * 2 // 3, count - 1}):
        time, frame = entity.time(at), entity.frames[at]
        w, x, y, z = frame[0][:4]
        wanted = [p + o for p, o in zip(frame[0][4:7], offset)]
        about = f"{entity.file} at {time:.3f}"
        yield about, place(ours, root[0], time), near(wanted)
        if (w, x, y, z) != (0, 0, 0, 0):
            yield f"{about} turn", turned_root(ours, root[0], time, frame[0]), NO_ANGLE
        if len(parts) != len(entity.parts):
            continue
        base = known.compose(frame[0])
        for part, matrix, node in zip(entity.parts, known.entity_matrices(entity, frame), parts):
            full = moved(known.times(base, matrix), offset)
            found = [list(row) for row in ours.matrix(node, time)]
            yield f"{about} part {part.index}", found, [near(row) for row in full]


def turned_root(ours, node, time, values):
    w, x, y, z = values[:4]
    if any(abs(s - 1) > 1e-6 for s in values[7:10]):
        return 0.0  # a scaled matrix has no angle; parts are compared as matrices
    return turned(ours, node, time, (x, y, z, w))


def windows(ours, replay):
    """Entities are there from their first frame until their last is over."""
    found, length = nodes(ours), known.duration(replay)
    for entity in replay.entities:
        figure = found.get((entity.file, "figure"))
        if figure is None or not entity.frames:
            continue
        for time, wanted in ((entity.start - 0.01, False), (entity.start + SOON, True),
                             (entity.end() - 0.01, True), (entity.end() + SOON, False)):
            if 0 <= time <= length:
                yield f"{entity.file} shown at {time:.3f}", is_shown(ours, figure, time), wanted


def share(value):
    return min(max(value, 0.0), 1.0)


def colours(ours, replay):
    """Colours of materials without a texture, linear."""
    known_materials = {row["id"]: row for row in known.materials(replay)}
    for material in ours.json.get("materials", []):
        row = known_materials.get(material["name"])
        if not row or row["color"]["texture"] or row["color"]["override"] or row["color2"]["override"]:
            continue
        wanted = [Near(linear(255 * share(row["color"][axis])), 2e-3) for axis in "xyz"]
        yield f"colour of {row['id']}", material["pbrMetallicRoughness"]["baseColorFactor"][:3], wanted
        rough = row["roughness"]
        if not rough["texture"] and not rough["override"]:
            yield f"roughness of {row['id']}", material["pbrMetallicRoughness"]["roughnessFactor"], share(rough["x"])
        metal = row["metallic"]
        if not metal["texture"] and not metal["override"]:
            yield f"metal of {row['id']}", material["pbrMetallicRoughness"]["metallicFactor"], share(metal["x"])


def scene(replay):
    def check(ours):
        yield "duration", ours.json["asset"]["extras"]["reprise"]["duration"], known.duration(replay)
        for entity in replay.entities:
            yield from entity_poses(ours, entity, replay.offset())
        yield from windows(ours, replay)
        yield from colours(ours, replay)
    return check


# ---- timeline ----


def speeds(replay, ours):
    plot = ours.plot("speed") or []
    walking = [entity for entity in replay.entities if entity.frames]
    for entity, (name, times, values) in zip(walking, plot):
        if len(entity.frames) > known.MANY_FRAMES:
            continue  # points are joined in long series
        spots = known.places(entity)
        wanted = [(entity.time(i + 1), math.dist(a, b) * entity.fps) for i, (a, b) in enumerate(zip(spots, spots[1:]))]
        pairs = [(t, v) for t, v in zip(times, values) if not math.isnan(v)]
        yield f"speed of {entity.file}", pairs, points(wanted, 1e-3)
        yield f"name of {entity.file}", name, entity.name


def alive(replay):
    """(time, how many entities there are) wherever it changes."""
    length = known.duration(replay)
    spans = [(max(e.start, 0), e.end() if e.frames else length + 1) for e in replay.entities]
    moments = sorted({t for span in spans for t in span if t < length} | {start for start, _ in spans})
    return [(t, sum(1 for start, end in spans if start <= t < end)) for t in moments]


def steps(pairs):
    """Without repeated values."""
    return [pair for i, pair in enumerate(pairs) if i == 0 or pair[1] != pairs[i - 1][1]]


def markers(replay):
    length = known.duration(replay)
    found = [(e.start, "spawn", -1, 1, e.name) for e in replay.entities if e.start > 0]
    return sorted(found + [(e.end(), "vanish", -1, 1, e.name) for e in replay.entities
                           if e.frames and e.end() < length - LATE_S])


def activity(entity):
    """How often a pose of the entity or of a part differs from the frame before."""
    parts = 1 + len(entity.parts)
    return sum(a[i][:10] != b[i][:10] for a, b in zip(entity.frames, entity.frames[1:]) for i in range(parts))


def camera(replay, ours):
    """The first view: around the most active entity and those that appear near it, from as far as that takes."""
    actors = [entity for entity in replay.entities if entity.frames]
    if actors:
        spots = [[p + o for p, o in zip(actor.frames[0][0][4:7], replay.offset())] for actor in actors]
        focus = spots[actors.index(max(actors, key=activity))]  # of equals the first
        company = [spot for spot in spots if math.dist(spot, focus) <= COMPANY_M]
        low, high = [min(axis) for axis in zip(*company)], [max(axis) for axis in zip(*company)]
        x, y, z = ((a + b) / 2 for a, b in zip(low, high))
        orbit = next(c for c in ours.json["cameras"] if c["id"] == "orbit")
        yield "camera", orbit["target"], near([x, y + WAIST_M, z])
        yield "camera distance", orbit["distance"], Near(max(8, 4 + 1.2 * math.dist(low, high)), 1e-3)


def timeline(replay):
    def check(ours):
        yield from camera(replay, ours)
        yield "source", ours.json["source"], {"format": "mcreplay", "duration": known.duration(replay), "complete": True}
        yield from speeds(replay, ours)
        plot = ours.plot("entities")
        if plot and replay.entities:
            pairs = steps(list(zip(plot[0][1], plot[0][2])))
            yield "entities", pairs, [(Near(t, 1e-4), n) for t, n in steps(alive(replay))]
        rows = [{"t": e.start, "to": e.end() if e.frames else Near(known.duration(replay), 1e9), "name": e.name,
                 "class": e.kind or "", "parts": len(e.parts)} for e in replay.entities]
        yield "table entities", ours.table("entities") or [], rows
        spawns = sorted(m for m in ours.markers() if m[1] in ("spawn", "vanish"))
        yield "markers", spawns, [(Near(t, 1e-4), *rest) for t, *rest in markers(replay)]
        yield from changes(replay, ours)
    return check


def changes(replay, ours):
    """How many blocks change at each moment."""
    plot = ours.plot("blocks")
    if not replay.world or not plot or sum(1 for f in replay.world.frames if f[1]) > 1:
        return
    count = {}
    for time, whole, blocks, *_ in replay.world.frames:
        if not whole and blocks:
            count[time] = count.get(time, 0) + len(blocks)
    yield "blocks", list(zip(plot[0][1], plot[0][2])), [(Near(t, 1e-4), n) for t, n in sorted(count.items())]


def answers(replay):
    yield ("scene", "--exact"), scene(replay)
    yield ("timeline",), timeline(replay)
