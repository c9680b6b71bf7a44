#!/usr/bin/env python3
"""Compares what is seen of things with what was recorded about them.

usage: tests/gltf/looks.py REPRISE SAMPLE...

Of every family: names and ids, one animation, markers as the timeline has them, that nothing is
hidden but leaves, in steps, and that --exact keeps all keys. Of RUMBLE which look of a structure is
shown, that bones keep their lengths and bend the right way, stones and health, of CS2KZ which hull, how high the eyes are and where the trail runs, of OpenRA and the classic
games what was placed where and when. Where things are and how they are turned: truth.py.
Prints "N passed, N failed".
"""

import json
import math
import sys
import tempfile
from pathlib import Path

from poses import UNIT_M, at, rows, run, some, vector
from truth import PLACE, export, run_checks

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "timeline"))
from columns import column  # noqa: E402

HIDDEN = 1e-9
SOON = 1e-4  # later than a moment, however its time was rounded, and before the next frame


def of_kind(scene, *kinds):
    """Numbers of nodes by id."""
    found = {}
    for index, node in enumerate(scene.json.get("nodes", [])):
        about = node["extras"]["reprise"]
        if about["kind"] in kinds:
            found.setdefault(about["id"], []).append(index)
    return found


def is_shown(scene, index, time):
    return any(abs(scene.matrix(index, time)[r][0]) > HIDDEN for r in range(3))


def place_of(scene, index, time):
    return [row[3] for row in scene.matrix(index, time)]


# ---- every family ----


def named(scene, reprise, sample):
    for index, node in enumerate(scene.json.get("nodes", [])):
        about = node.get("extras", {}).get("reprise", {})
        yield bool(node.get("name") and about.get("id") and about.get("kind")), f"node {index}"


def hiding(scene, reprise, sample):
    animations = scene.json.get("animations", [])
    yield len(animations) <= 1, f"{len(animations)} animations"
    for animation in animations:
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            if channel["target"]["path"] == "pointer":
                continue
            node = scene.json["nodes"][channel["target"]["node"]]
            steps = sampler.get("interpolation") == "STEP"
            times = scene.numbers(sampler["input"])
            yield all(a < b for a, b in zip(times, times[1:])), f"times of {node['name']}"
            if channel["target"]["path"] == "scale" and (0, 0, 0) in scene.numbers(sampler["output"]):
                leaf = not node.get("children") or node["extras"]["reprise"]["kind"] == "figure"
                yield steps and leaf, f"{node['name']} hides others, or slowly"


def rigs(scene, reprise, sample):
    """One figure and one mesh for each: all nodes below the figure are joints or cameras."""
    nodes = scene.json.get("nodes", [])
    figures = [i for i, node in enumerate(nodes) if node["extras"]["reprise"]["kind"] == "figure"]
    drawn = {}
    for index, node in enumerate(nodes):
        if "skin" in node:
            yield index not in scene.parents, f"{node['name']} has a skin and a parent"
            drawn.setdefault(node["extras"]["reprise"]["id"], []).append(node["skin"])
    for figure in figures:
        own = drawn.get(nodes[figure]["extras"]["reprise"]["id"], [])
        yield len(own) <= 1, f"{nodes[figure]['name']} is drawn {len(own)} times"
        # Blender divides by it; what is hidden has a key for that.
        yield not own or any(nodes[figure].get("scale", [1])), f"{nodes[figure]['name']} has no size"
        below, todo = set(), list(nodes[figure].get("children", []))
        while todo:
            below.add(todo[-1])
            todo += nodes[todo.pop()].get("children", [])
        joints = set(scene.json["skins"][own[0]]["joints"]) if own else below
        above = {scene.parents[joint] for joint in joints}
        for index in below - joints - above:
            yield "camera" in nodes[index], f"{nodes[index]['name']} is no joint"
        yield joints <= below, f"{nodes[figure]['name']}: joints elsewhere"
        for index in below:
            yield "mesh" not in nodes[index], f"{nodes[index]['name']} is drawn on its own"


def markers(scene, reprise, sample):
    with tempfile.TemporaryDirectory() as directory:
        target = Path(directory) / "timeline.json"
        run([reprise, "export", "-q", sample, str(target)])
        listed = json.loads(target.read_text())["markers"]
    wanted = list(zip(*(column(listed[name]) for name in ("t", "kind", "text"))))
    for animation in scene.json.get("animations", []):
        found = animation.get("extras", {}).get("reprise", {}).get("markers", [])
        yield len(found) == len(wanted), f"{len(found)} markers, not {len(wanted)}"
        for marker, (time, kind, text) in zip(found, wanted):
            same = (marker["kind"], marker["text"]) == (kind, text)
            yield same and abs(marker["t"] - time) < 1e-4, f"marker {marker}"


def exact(scene, reprise, sample):
    """Every key is there when all are wanted; otherwise as many were recorded and fewer are kept."""
    every = export(reprise, sample, "--exact").json["asset"]["extras"]["reprise"]
    usual = scene.json["asset"]["extras"]["reprise"]
    yield every["keys_kept"] == every["keys_recorded"], f"{every} loses keys"
    yield usual["keys_recorded"] == every["keys_recorded"], f"{usual} counts other keys"
    yield usual["keys_kept"] <= usual["keys_recorded"], f"{usual} makes up keys"


# ---- RUMBLE ----


def look_of(thing):
    if not thing["active"]:
        return None
    if thing.get("left_held") or thing.get("right_held") or thing.get("held"):
        return "held"
    return "flicked" if thing.get("flicked") else "grounded" if thing["grounded"] else "free"


def structures(scene, reprise, sample):
    frames = rows(reprise, sample, "frames", "frame,time")
    start = min(0, frames[0]["time"]) if frames else 0
    looks = {kind: of_kind(scene, kind) for kind in ("free", "grounded", "held", "flicked")}
    for frame in some([f["frame"] for f in frames]) if frames else []:
        state = at(reprise, sample, "--frame", frame)
        time = state["time"] - start + SOON
        for thing in state["structures"]:
            name = f"structure:{thing['structure']}"
            shown = [kind for kind, nodes in looks.items()
                     for index in nodes.get(name, []) if is_shown(scene, index, time)]
            wanted = [look for look in [look_of(thing)] if look]
            yield shown == wanted, f"{name} at {time}: {shown}, not {wanted}"


def body(scene, reprise, sample):
    """Forearms point at the recorded hands, and fingers bend as the grips were pressed."""
    frames = rows(reprise, sample, "frames", "frame,time")
    start = min(0, frames[0]["time"]) if frames else 0
    for frame in some([f["frame"] for f in frames]) if frames else []:
        state = at(reprise, sample, "--frame", frame)
        time = state["time"] - start
        for player in state["players"]:
            name = f"player:{player['player']}"
            for side, letter in (("left", "l"), ("right", "r")):
                nodes = {kind: of_kind(scene, f"{side} {kind}")[name][0]
                         for kind in ("forearm", "hand", "index 1", "middle 1", "thumb 1")}
                if not player["active"]:
                    continue
                arm, hand = (scene.matrix(nodes[kind], time) for kind in ("forearm", "hand"))
                # The middle of the hand is recorded; the wrist is a little farther back.
                way = [hand[r][3] + 0.03 * 1.75 * hand[r][2] - arm[r][3] for r in range(3)]
                far = math.hypot(*way)
                # Arm and hand always meet, however far away the hand was recorded; the forearm is 46 parts of
                # 54 of the upper arm. Lengths of bodies differ by some centimetres from what is assumed here.
                upper = of_kind(scene, f"{side} upper arm")[name][0]
                lower = distance(scene, upper, nodes["forearm"], time) * 46 / 54
                axis = [arm[r][1] for r in range(3)]
                end = [arm[r][3] - lower * axis[r] / math.hypot(*axis) for r in range(3)]
                gap = math.dist(end, [hand[r][3] + 0.03 * 1.75 * hand[r][2] for r in range(3)])
                yield gap < 0.06 or far < 0.1, f"{name} {side} hand is {gap} m from its arm at {time}"
                if far > 0.1:
                    along = sum(-arm[r][1] * way[r] for r in range(3)) / far / math.hypot(*axis)
                    yield along > math.cos(math.radians(12)), f"{name} {side} forearm at {time}"
                for kind, grip, most in (("index 1", "index", 1.3), ("middle 1", "grip", 1.3)):
                    turn = scene.value(nodes[kind], "rotation", (0, 0, 0, 1), time)
                    bent = 2 * math.acos(min(1, abs(turn[3])))
                    wanted = most * min(1, max(0, player.get(f"{letter}{grip}", 0)))
                    yield abs(bent - wanted) < 0.01, f"{name} {side} {kind} bends {bent} at {time}"


# Joints whose distance is the length of a bone, and those that a limb's middle joint bends between.
BONES = (("upper arm", "forearm"), ("thigh", "shin"))


def distance(scene, one, other, time):
    return math.dist(place_of(scene, one, time), place_of(scene, other, time))


def limbs(scene, reprise, sample):
    """Legs keep their lengths, arms grow as one and only to reach a hand; elbows point down, out and back, never up."""
    frames = rows(reprise, sample, "frames", "frame,time")
    start = min(0, frames[0]["time"]) if frames else 0
    first = {}
    for frame in some([f["frame"] for f in frames]) if frames else []:
        state = at(reprise, sample, "--frame", frame)
        time = state["time"] - start
        for player in (p for p in state["players"] if p["active"]):
            name = f"player:{player['player']}"
            pelvis = scene.matrix(of_kind(scene, "pelvis")[name][0], time)
            for side, out in (("left", -1), ("right", 1)):
                for one, other in BONES:
                    nodes = [of_kind(scene, f"{side} {kind}")[name][0] for kind in (one, other)]
                    size = scene.value(nodes[0], "scale", (1, 1, 1), time)
                    yield size[0] == size[1] == size[2] >= 1 and (one != "thigh" or size[0] == 1), \
                        f"{name} {side} {one} has the size {size} at {time}"
                    length = distance(scene, *nodes, time) / size[0]
                    usual = first.setdefault((name, side, one), length)
                    yield abs(length - usual) < PLACE, f"{name} {side} {one} is {length} at {time}"
                shoulder, elbow = (place_of(scene, of_kind(scene, f"{side} {kind}")[name][0], time)
                                   for kind in ("upper arm", "forearm"))
                forearm = scene.matrix(of_kind(scene, f"{side} forearm")[name][0], time)
                wrist = [forearm[r][3] - 0.3 * forearm[r][1] for r in range(3)]
                way = [w - s for w, s in zip(wrist, shoulder)]
                bent = [e - s for e, s in zip(elbow, shoulder)]
                share = sum(a * b for a, b in zip(way, bent)) / max(sum(a * a for a in way), 1e-9)
                aside = [b - share * a for a, b in zip(way, bent)]
                wanted = [sum(pelvis[r][k] * v for k, v in enumerate((0.5 * out, -1, 0.45)))
                          for r in range(3)]
                right = sum(a * b for a, b in zip(aside, wanted))
                yield right > -PLACE, f"{name} {side} elbow bends by {right} at {time}"


STONES = ("Adamant", "Charge", "Flow", "Guard", "Stubborn", "Surge", "Vigor", "Volatile")
EFFECTS = {"Charge", "Adamant", "Vigor", "Surge"}


def stone_names(scene, name, kind, time):
    """By side: the names of the meshes that are shown."""
    found = {}
    for index in of_kind(scene, kind).get(name, []):
        if is_shown(scene, index, time):
            side = scene.json["nodes"][scene.parents[index]]["extras"]["reprise"]["kind"]
            mesh = scene.json["meshes"][scene.json["nodes"][index]["mesh"]]["name"]
            found[side.split()[0]] = mesh.replace(" effect", "")
    return found


def gear(scene, reprise, sample):
    """The stones in both hands, their effects, and health above the head, as recorded."""
    frames = rows(reprise, sample, "frames", "frame,time")
    start = min(0, frames[0]["time"]) if frames else 0
    for frame in some([f["frame"] for f in frames]) if frames else []:
        state = at(reprise, sample, "--frame", frame)
        time = state["time"] - start + SOON
        for player in state["players"]:
            name = f"player:{player['player']}"
            worn = {side: player.get(f"{side}_stone") for side in ("left", "right")}
            worn = {side: stone for side, stone in worn.items() if stone in STONES and player["active"]}
            shown = stone_names(scene, name, "stone", time)
            yield shown == worn, f"{name} at {time}: {shown}, not {worn}"
            on = {effect for effect in EFFECTS if effect in str(player.get("stone_fx"))}
            lit = stone_names(scene, name, "stone effect", time)
            wanted = {side: stone for side, stone in worn.items() if stone in on}
            yield lit == wanted, f"{name} at {time}: {lit} lit, not {wanted}"
            for side in shown:
                hand, stone = (of_kind(scene, f"{side} {kind}")[name][0] for kind in ("hand", "stone"))
                far = distance(scene, hand, stone, time)
                yield far < 0.01, f"{name}: the {side} stone is {far} m from the hand at {time}"
            fill = of_kind(scene, "health left").get(name)
            if "health" not in player or not fill:
                yield "health" not in player, f"{name} has no health above the head"
                continue
            share = min(1, max(0, player["health"] / 20)) if player["active"] else 0
            plate = scene.value(of_kind(scene, "health lost")[name][0], "scale", (1, 1, 1), time)
            size = scene.value(fill[0], "scale", (1, 1, 1), time)
            yield bool(plate[0]) == player["active"], f"{name} bar at {time}"
            yield abs(size[0] - share * plate[0]) < 1e-5, f"{name} bar is {size} at {time}"
            if share:
                head, top = (place_of(scene, of_kind(scene, kind)[name][0], time)
                             for kind in ("head", "health"))
                yield (abs(top[0] - head[0]) < 0.01 and 0.1 < top[1] - head[1] < 0.6
                       and abs(top[2] - head[2]) < 0.01), f"{name} bar is at {top}, head at {head}"
                # It becomes shorter at the right end.
                left = scene.value(fill[0], "translation", (0, 0, 0), time)[0] - size[0] * 0.144
                yield abs(left + plate[0] * 0.144) < 1e-4, f"{name} bar begins at {left} at {time}"


# ---- Minecraft ----

PAINTED = "/materials/{}/pbrMetallicRoughness/baseColorFactor"
SHIFTED = "/materials/{}/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset"


def translucent(scene, reprise, sample):
    """Dithered and blended materials are blended, only those with an edge are cut out."""
    modes = {}
    for row in rows(reprise, sample, "materials"):
        modes.setdefault(row["id"], set()).add(row["blend_mode"])
    wanted = {"opaque": None, "clip": "MASK", "hashed": "BLEND", "blend": "BLEND"}
    for material in scene.json.get("materials", []):
        if "baseColorTexture" not in material["pbrMetallicRoughness"]:
            continue
        allowed = {wanted[mode] for mode in modes.get(material["name"], ())}
        yield material.get("alphaMode") in allowed, f"{material['name']}: {material.get('alphaMode')}"


def painted(scene, reprise, sample):
    """Channels that tint: the material of each entity has the colour of each frame."""
    materials = {row["id"]: row for row in rows(reprise, sample, "materials")
                 if row["scope"] == "replay"}
    entities = {row["entity"]: row for row in rows(reprise, sample, "entities")}
    for row in rows(reprise, sample, "overrides"):
        entity = entities[row["entity"]]
        channel = entity["channels"][row["channel"]]["name"]
        for index, node in enumerate(scene.json["nodes"]):
            if "skin" not in node or node["extras"]["reprise"]["id"] != entity["file"]:
                continue
            for part in scene.json["meshes"][node["mesh"]]["primitives"]:
                about = materials.get(scene.json["materials"][part["material"]]["name"])
                if not about or about["color2"]["override"] != channel:
                    continue
                soft = {"multiply": 0, "soft_light": 0.5}[about["color2_blend_mode"]]
                numbers = [row[a] if row[a] is not None else row["x"] for a in "xyz"]
                colour = [min(1, max(0, number + soft)) for number in numbers] + [1]
                found = scene.pointed(PAINTED.format(part["material"]), row["time"])
                yield math.dist(found, colour) < 1e-5, (f"{entity['name']} at {row['time']}: "
                                                        f"{found}, not {colour}")


def pictures(scene, reprise, sample):
    """Textures of several frames show the one whose time it is."""
    textures = {row["id"]: row for row in rows(reprise, sample, "textures") if row["animation"]}
    duration = scene.json["asset"]["extras"]["reprise"]["duration"]
    for row in rows(reprise, sample, "materials"):
        texture = textures.get(row["color"]["texture"])
        if not texture or texture["frame_count"] < 2 or not duration:
            continue
        for index, material in enumerate(scene.json.get("materials", [])):
            if material["name"] != row["id"] or "baseColorTexture" not in material["pbrMetallicRoughness"]:
                continue
            yield material["extras"]["reprise"]["frames"] == texture["frame_count"], material["name"]
            for k in range(7):
                time = duration * k / 7 + SOON
                number = math.floor(time * texture["framerate"]) % texture["frame_count"]
                height = texture["height"] // texture["frame_count"] / texture["height"]
                found = scene.pointed(SHIFTED.format(index), time)
                yield math.dist(found, (0, number * height)) < 1e-5, (f"{row['id']} at {time}: "
                                                                      f"{found}, not frame {number}")


# ---- CS2KZ ----


def hull(scene, reprise, sample):
    ticks = rows(reprise, sample, "ticks", "tick,time")
    nodes = {kind: of_kind(scene, kind)["player:0"][0] for kind in ("standing", "ducked", "eyes")}
    for tick in some([t["tick"] for t in ticks]):
        state = at(reprise, sample, "--tick", tick)
        row, time = state["ticks"][0], state["time"] - ticks[0]["time"]
        soon = time + SOON
        low = min(max(row["post_duck_amount"], 0), 1)
        ducked = row["ducked"] or low > 0.5
        shown = [kind for kind in ("standing", "ducked") if is_shown(scene, nodes[kind], soon)]
        yield shown == (["ducked"] if ducked else ["standing"]), f"{shown} at {time}"
        height = place_of(scene, nodes["eyes"], time)[1] - UNIT_M * row["post_origin_z"]
        yield abs(height - (1.63 - 0.46 * low)) < PLACE, f"eyes {height} m high at {time}"


def trail(scene, reprise, sample):
    """Corners of the trail are places of the player, up to its thickness above the ground."""
    been = {tuple(round(UNIT_M * v, 2) for v in (row["post_origin_x"], -row["post_origin_y"]))
            for row in rows(reprise, sample, "ticks", "post_origin_x,post_origin_y")}
    near = {(round(x + i / 100, 2), round(z + j / 100, 2))
            for x, z in been for i in (-1, 0, 1) for j in (-1, 0, 1)}
    for indexes in of_kind(scene, "trail").values():
        for index in indexes:
            mesh = scene.json["meshes"][scene.json["nodes"][index]["mesh"]]
            offset = scene.json["nodes"][index].get("translation", (0, 0, 0))
            for primitive in mesh["primitives"]:
                yield "COLOR_0" in primitive["attributes"], "a trail without speed"
                for x, _, z in scene.numbers(primitive["attributes"]["POSITION"]):
                    corner = (round(x + offset[0], 2), round(z + offset[2], 2))
                    yield corner in near, f"trail at {corner}"


# ---- OpenRA, Red Alert, Tiberian Dawn: cells, x east, y south ----


# Cells that buildings of the Red Alert mod cover, written down apart from the library.
CELLS = {"apwr": (3, 3), "dome": (2, 3), "fix": (3, 3), "gun": (1, 1), "hpad": (2, 3), "pbox": (1, 1),
         "powr": (2, 3), "proc": (3, 4), "tent": (2, 3), "weap": (3, 3)}


def size_of(scene, index):
    """How wide and deep a mesh is."""
    part = scene.json["meshes"][scene.json["nodes"][index]["mesh"]]["primitives"][0]
    places = scene.numbers(part["attributes"]["POSITION"])
    return [max(p[axis] for p in places) - min(p[axis] for p in places) for axis in (0, 2)]


def placed(scene, reprise, sample):
    """A placed building is shown from then on, on its cells, or on two by two if these are not known."""
    if json.loads(run([reprise, "info", "--json", sample]))["format"] == "openra":
        orders = rows(reprise, sample, "orders", "time,order,item,target_cell_x,target_cell_y")
        wanted = [(o["time"], o["target_cell_x"], o["target_cell_y"], CELLS.get(o["item"], (2, 2)))
                  for o in orders if o["order"] in ("PlaceBuilding", "LineBuild", "PlacePlug")]
    else:
        events = rows(reprise, sample, "events", "time,event,cell_x,cell_y")
        wanted = [(e["time"], e["cell_x"], e["cell_y"], (2, 2)) for e in events if e["event"] == "PLACE"]
    nodes = [index for indexes in of_kind(scene, "building").values() for index in indexes]
    yield len(nodes) == len(wanted), f"{len(nodes)} buildings, not {len(wanted)}"
    for index, (time, x, y, cells) in zip(nodes, wanted):
        place = place_of(scene, index, time + SOON)
        middle = (x + cells[0] / 2, y + cells[1] / 2)
        yield math.dist((place[0], place[2]), middle) < PLACE, f"{place}, not {middle}"
        size = [side + 0.2 for side in size_of(scene, index)]
        yield math.dist(size, cells) < PLACE, f"{size} cells, not {cells}"
        yield is_shown(scene, index, time + SOON), f"building at {x} {y} is late"
        yield not time or not is_shown(scene, index, time - SOON), f"building at {x} {y} is early"


FAMILIES = {"rumble": [structures, body, limbs, gear], "mcreplay": [translucent, painted, pictures], "cs2kz": [hull, trail], "openra": [placed],
            "remastered": [placed]}


def check(reprise, sample):
    family = json.loads(run([reprise, "info", "--json", sample]))["format"]
    scene = export(reprise, sample)
    parts = [named, hiding, rigs, markers, exact, *FAMILIES.get(family, [])]
    results = [(right, f"{part.__name__}: {what}") for part in parts
               for right, what in part(scene, reprise, sample)]
    return len(results), [what for right, what in results if not right]


if __name__ == "__main__":
    sys.exit(run_checks(check, "looks"))
