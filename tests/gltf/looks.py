#!/usr/bin/env python3
"""Compares what is seen of things with what was recorded about them.

usage: tests/gltf/looks.py REPRISE SAMPLE...

Of every family: names and ids, one animation, markers as the timeline has them, that nothing is
hidden but leaves, in steps, and that --exact keeps all keys. Of RUMBLE which look of a structure is
shown, of CS2KZ which hull, how high the eyes are and where the trail runs, of OpenRA and the classic
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
            node = scene.json["nodes"][channel["target"]["node"]]
            steps = sampler.get("interpolation") == "STEP"
            times = scene.numbers(sampler["input"])
            yield all(a < b for a, b in zip(times, times[1:])), f"times of {node['name']}"
            if channel["target"]["path"] == "scale" and (0, 0, 0) in scene.numbers(sampler["output"]):
                yield steps and not node.get("children"), f"{node['name']} hides others, or slowly"


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


def placed(scene, reprise, sample):
    """What was placed stands there from then on: two cells wide, for nobody tells how large it is."""
    if json.loads(run([reprise, "info", "--json", sample]))["format"] == "openra":
        orders = rows(reprise, sample, "orders", "time,order,target_cell_x,target_cell_y")
        wanted = [(o["time"], o["target_cell_x"], o["target_cell_y"]) for o in orders
                  if o["order"] in ("PlaceBuilding", "LineBuild", "PlacePlug")]
    else:
        events = rows(reprise, sample, "events", "time,event,cell_x,cell_y")
        wanted = [(e["time"], e["cell_x"], e["cell_y"]) for e in events if e["event"] == "PLACE"]
    nodes = [index for indexes in of_kind(scene, "building").values() for index in indexes]
    yield len(nodes) == len(wanted), f"{len(nodes)} buildings, not {len(wanted)}"
    for index, (time, x, y) in zip(nodes, wanted):
        place = place_of(scene, index, time + SOON)
        yield math.dist((place[0], place[2]), (x + 1, y + 1)) < PLACE, f"{place}, not {x} {y}"
        yield is_shown(scene, index, time + SOON), f"building at {x} {y} is late"
        yield not time or not is_shown(scene, index, time - SOON), f"building at {x} {y} is early"


FAMILIES = {"rumble": [structures], "cs2kz": [hull, trail], "openra": [placed],
            "remastered": [placed]}


def check(reprise, sample):
    family = json.loads(run([reprise, "info", "--json", sample]))["format"]
    scene = export(reprise, sample)
    parts = [named, hiding, markers, exact, *FAMILIES.get(family, [])]
    results = [(right, f"{part.__name__}: {what}") for part in parts
               for right, what in part(scene, reprise, sample)]
    return len(results), [what for right, what in results if not right]


if __name__ == "__main__":
    sys.exit(run_checks(check, "looks"))
