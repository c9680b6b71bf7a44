"""Where things are at moments of a replay, as `reprise at` says, in the axes of a scene.

poses(reprise, sample) gives (time, id, kind, place, turn) with the time in seconds of the scene,
the place in metres, right-handed and Y up, and the turn as x y z w or None where a thing has none.
The axes of each game are changed here on their own, independently of the library.
"""

import json
import math
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "common"))
import served  # noqa: E402

MOMENTS = 6
UNIT_M = 0.0254  # of CS2KZ


def run(command):
    done = served.run(command, capture_output=True, text=True)
    # 3 is done with a warning: some samples bend the rules on purpose.
    if done.returncode not in (0, 3):
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def rows(reprise, sample, track, columns=None):
    chosen = ["--columns", columns] if columns else []
    command = [reprise, "cat", "--track", track, *chosen, "--no-status", sample]
    return [json.loads(line) for line in run(command).splitlines()]


def at(reprise, sample, option, number):
    return json.loads(run([reprise, "at", "--json", option, str(number), sample]))


def some(items):
    """A few of them, spread evenly, the last one too."""
    step = max(1, len(items) // (MOMENTS - 1))
    return items[:-1:step] + items[-1:]


def vector(row, name):
    return tuple(row[f"{name}_{axis}"] for axis in "xyz")


def quaternion(row, name):
    return tuple(row[f"{name}_{axis}"] for axis in "xyzw")


# ---- RUMBLE: left-handed, Y up, Z forward ----


def mirror(place):
    return (place[0], place[1], -place[2])


def mirror_turn(turn):
    return (-turn[0], -turn[1], turn[2], turn[3])


def rumble(reprise, sample):
    frames = rows(reprise, sample, "frames", "frame,time")
    start = min(0, frames[0]["time"]) if frames else 0
    for frame in some([f["frame"] for f in frames]) if frames else []:
        state = at(reprise, sample, "--frame", frame)
        time = state["time"] - start
        for player in state["players"]:
            for kind, name in (("head", "head"), ("left hand", "lhand"), ("right hand", "rhand")):
                if player["active"]:
                    yield (time, f"player:{player['player']}", kind,
                           mirror(vector(player, f"{name}_world_pos")),
                           mirror_turn(quaternion(player, f"{name}_world_rot")))
            if player.get("rockcam_active"):
                yield (time, f"player:{player['player']}", "RockCam",
                       mirror(vector(player, "rockcam_pos")),
                       mirror_turn(quaternion(player, "rockcam_rot")))
        for thing in state["structures"]:
            if thing["active"]:
                yield (time, f"structure:{thing['structure']}", "structure",
                       mirror(vector(thing, "pos")), mirror_turn(quaternion(thing, "rot")))
        for thing in state["pedestals"]:
            if thing["active"]:
                yield (time, f"pedestal:{thing['pedestal']}", "pedestal",
                       mirror(vector(thing, "pos")), None)


# ---- CS2KZ: right-handed, Z up, inches; what is not turned looks along +x ----


def multiply(a, b):
    """The turn b and then a."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def about(axis, degrees):
    half = math.radians(degrees) / 2
    return tuple(math.sin(half) * value for value in axis) + (math.cos(half),)


def cs2kz(reprise, sample):
    ticks = rows(reprise, sample, "ticks", "tick,time")
    for tick in some([t["tick"] for t in ticks]) if ticks else []:
        state = at(reprise, sample, "--tick", tick)
        row = state["ticks"][0]
        x, y, z = (UNIT_M * value for value in vector(row, "post_origin"))
        pitch, yaw, _ = vector(row, "post_angles")
        time = state["time"] - ticks[0]["time"]
        yield time, "player:0", "player", (x, z, -y), None
        # An unturned node looks along -z, which is yaw 90 there.
        turn = multiply(about((0, 1, 0), yaw - 90), about((1, 0, 0), -pitch))
        yield time, "player:0", "view", None, turn


# ---- Iron Curtain: 1024 to a cell, x east, y south, z up; 1024 to a turn, from north to west ----


def icrep(reprise, sample):
    # Between keyframes the orders are played again, and every tenth tick is looked at.
    keyframes = [row["tick"] for row in rows(reprise, sample, "keyframes", "tick")]
    tenths = [row["tick"] for row in rows(reprise, sample, "ticks", "tick") if row["tick"] % 10 == 0]
    moments = {tick for ticks in (keyframes, tenths) if ticks for tick in some(ticks)}
    for tick in sorted(moments if keyframes else []):
        state = at(reprise, sample, "--tick", tick)
        for thing in state["entities"] if state["exact"] else []:
            foot = thing["mobile"] and thing["mobile"]["locomotor"] == "Foot"
            lift = 0.45 if thing["building"] else 0.25 if foot else 0.2
            x, y, z = (value / 1024 for value in vector(thing, "pos"))
            turn = None
            if thing["mobile"] and not foot and not thing["building"]:
                turn = about((0, 1, 0), thing["mobile"]["facing"] / 1024 * 360)
            yield (state["time"], f"entity:{thing['index']}:{thing['generation']}",
                   "building" if thing["building"] else "unit", (x, z + lift, y), turn)


def icsave(reprise, sample):
    for thing in rows(reprise, sample, "entities", "index,generation,pos_x,pos_y,pos_z,building,mobile"):
        foot = thing["mobile"] and thing["mobile"]["locomotor"] == "Foot"
        lift = 0.45 if thing["building"] else 0.25 if foot else 0.2
        x, y, z = (value / 1024 for value in vector(thing, "pos"))
        yield (0, f"entity:{thing['index']}:{thing['generation']}",
               "building" if thing["building"] else "unit", (x, z + lift, y), None)


# ---- Minecraft: as it is, in metres, moved by the recording's offset ----


def mcreplay(reprise, sample):
    offset = json.loads(run([reprise, "info", "--json", sample])).get("offset", [0, 0, 0])
    names = {e["entity"]: e["file"] for e in rows(reprise, sample, "entities", "entity,file")}
    frames = rows(reprise, sample, "frames", "frame,time,entity")
    # Entities have rates of their own; between their frames a scene is ahead of the last one.
    known = {(f["entity"], round(f["time"], 6)) for f in frames}
    for frame in some(sorted({f["frame"] for f in frames})) if frames else []:
        state = at(reprise, sample, "--frame", frame)
        for row in state["frames"]:
            if (row["entity"], round(state["time"], 6)) not in known:
                continue
            place = tuple(a + b for a, b in zip(vector(row, "pos"), offset))
            yield state["time"], names[row["entity"]], "entity", place, quaternion(row, "rot")


# ---- Minecraft's camera animations: as stored, for the scene they were made in ----


def blender_camera(place, turn):
    """What Blender says of a camera, Z up, in the axes of a scene."""
    (x, y, z), (qw, qx, qy, qz) = place, turn
    return (x, z, -y), multiply(about((1, 0, 0), -90), (qx, qy, qz, qw))


def mccamera(reprise, sample):
    frames = rows(reprise, sample, "frames")
    truth = Path(sample).with_suffix(".truth.json")
    known = json.loads(truth.read_text()) if truth.exists() else {}
    for number, row in enumerate(frames):
        place = vector(row, "pos") if "pos_x" in row else (0, 0, 0)
        turn = None
        if str(number) in known:
            place, turn = blender_camera(known[str(number)]["loc"], known[str(number)]["q"])
        elif "rot_w" in row:
            turn = multiply(quaternion(row, "rot"), about((1, 0, 0), -90))
        elif "yaw" in row:
            pitch, yaw, roll = (math.degrees(row[name]) for name in ("pitch", "yaw", "roll"))
            turn = multiply(multiply(about((0, 1, 0), yaw), about((0, 0, 1), roll)),
                            about((1, 0, 0), pitch - 90))
        yield row["time"], "camera", "camera", place, turn


FAMILIES = {"rumble": rumble, "cs2kz": cs2kz, "icrep": icrep, "icsave": icsave,
            "mcreplay": mcreplay, "mccamera": mccamera}


def poses(reprise, sample):
    """None for families whose recordings do not say where things are."""
    family = FAMILIES.get(json.loads(run([reprise, "info", "--json", sample]))["format"])
    return None if family is None else list(family(reprise, sample))
