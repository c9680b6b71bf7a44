"""Minecraft camera animations, read from section 8 of docs/spec/mcreplay.md alone."""

import json
import math
import re
import xml.etree.ElementTree as ElementTree

from compare import ABSENT, Near
from scenes import NO_ANGLE, near, nodes, place, points, turned

KNOWN = {"location": 3, "rotation_euler": 3, "rotation_quat": 4, "fov": 1}
USUAL_FOV = 70.0


def times(a, b):
    """Quaternions w x y z: b and then a."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw)


def about(axis, angle):
    half = math.sin(angle / 2)
    return (math.cos(angle / 2), *(half if name == axis else 0.0 for name in "xyz"))


class Camera:
    def __init__(self, data):
        self.data = data
        root = ElementTree.fromstring(data.decode("utf-8-sig"))
        self.attributes = root.attrib
        self.fps = float(root.get("fps"))
        self.channels = [(c.get("name"), int(c.get("size"))) for c in root.findall("channel")]
        lines = [line for line in re.split(r"\r\n|\n|\r", root.find("anim_data").text or "") if line.strip()]
        self.frames = [self.frame([float(word) for word in line.split()]) for line in lines]
        self.usual_fov = float(root.get("fov", USUAL_FOV))

    def frame(self, numbers):
        found, others, at = {}, [], 0
        for name, size in self.channels:
            values = numbers[at : at + size]
            at += size
            if name in KNOWN:
                found[name] = values
            else:
                others += values
        return {**found, "others": others}

    def place(self, frame):
        return frame.get("location", [0.0, 0.0, 0.0])

    def fov(self, frame):
        fov = frame["fov"][0] if "fov" in frame else self.usual_fov
        return fov if 0 < fov < 180 else USUAL_FOV

    def turn(self, frame):
        """x y z w in a scene, whose cameras look along -z."""
        down = about("x", -math.pi / 2)
        if "rotation_euler" in frame:
            pitch, yaw, roll = frame["rotation_euler"]
            w, x, y, z = times(times(about("y", yaw), about("z", roll)), about("x", pitch - math.pi / 2))
        else:
            w, x, y, z = times(frame.get("rotation_quat", (1.0, 0.0, 0.0, 0.0)), down)
        return (x, y, z, w)


def rows(camera):
    for number, frame in enumerate(camera.frames):
        row = {"frame": number, "time": number / camera.fps,
               "others": list(frame["others"]) if frame["others"] else ABSENT}
        row.update(zip(("pos_x", "pos_y", "pos_z"), frame.get("location", [])))
        row.update(zip(("pitch", "yaw", "roll"), frame.get("rotation_euler", [])))
        row.update(zip(("rot_w", "rot_x", "rot_y", "rot_z"), frame.get("rotation_quat", [])))
        row.update(zip(("fov",), frame.get("fov", [])))
        yield row


def info(camera):
    found = {"format": "mccamera", "kind": "camera", "size": len(camera.data), "fps": camera.fps,
             "frames": len(camera.frames), "duration": len(camera.frames) / camera.fps,
             "name": camera.attributes.get("name", ABSENT), "id": camera.attributes.get("id", ABSENT),
             "preview_color": camera.attributes.get("preview_color", ABSENT)}
    if "offset" in camera.attributes:
        found["offset"] = [float(v) for v in json.loads(camera.attributes["offset"])]
    if "fov" in camera.attributes:
        found["fov"] = camera.usual_fov
    return found


def steps(camera):
    spots = [camera.place(frame) for frame in camera.frames]
    return [math.dist(a, b) for a, b in zip(spots, spots[1:])]


def stats(camera):
    ways, fovs = steps(camera), [camera.fov(frame) for frame in camera.frames]
    return {"recorded": {"fps": camera.fps, "frames": len(camera.frames)},
            "derived": {"duration": len(camera.frames) / camera.fps, "distance": sum(ways, 0.0),
                        "top_speed": max(ways, default=0.0) * camera.fps,
                        "narrowest_fov": min(fovs) if fovs else ABSENT, "widest_fov": max(fovs) if fovs else ABSENT}}


def scene(camera):
    def check(ours):
        node = nodes(ours)["camera", "camera"]
        number = ours.json["nodes"][node]["camera"]
        yield "duration", ours.json["asset"]["extras"]["reprise"]["duration"], len(camera.frames) / camera.fps
        for at, frame in enumerate(camera.frames):
            time = at / camera.fps
            yield f"place {at}", place(ours, node, time), near(camera.place(frame))
            if any(frame.get("rotation_quat", [1])):
                yield f"turn {at}", turned(ours, node, time, camera.turn(frame)), NO_ANGLE
            yfov = ours.pointed(f"/cameras/{number}/perspective/yfov", time)
            yfov = yfov[0] if isinstance(yfov, (list, tuple)) else yfov
            yield f"fov {at}", yfov, Near(math.radians(camera.fov(frame)), 1e-5)
    return check


def timeline(camera):
    def check(ours):
        speeds = [((i + 1) / camera.fps, way * camera.fps) for i, way in enumerate(steps(camera))]
        _, times_, values = ours.plot("speed")[0]
        yield "speed", list(zip(times_, values)), points(speeds, 1e-3)
        plot = ours.plot("fov")
        if plot and plot[0][1]:
            fovs = [(i / camera.fps, camera.fov(frame)) for i, frame in enumerate(camera.frames)]
            yield "fov", list(zip(plot[0][1], plot[0][2])), points(fovs)
    return check


def claims(path, data):
    return b"<animation" in data[:4096] and b"<anim_data" in data


def expected(path, data):
    camera = Camera(data)
    yield ("info",), info(camera)
    yield ("stats",), stats(camera)
    yield ("rows",), {"frames": list(rows(camera))}
    if camera.frames:
        at = len(camera.frames) * 2 // 3
        row = {k: v for k, v in list(rows(camera))[at].items() if k not in ("frame", "time")}
        yield ("at", "--time", repr((at + 0.5) / camera.fps)), {"frame": at, "frames": [row]}
        yield ("scene", "--exact"), scene(camera)
        yield ("timeline",), timeline(camera)


def generate(random, directory):
    """Euler angles, quaternions, with and without fields of view and unknown channels."""
    for number in range(3):
        turn = random.choice([("rotation_euler", 3), ("rotation_quat", 4)])
        channels = [("location", 3), turn] + random.sample([("fov", 1), ("focus", 2)], random.randint(0, 2))
        random.shuffle(channels)
        lines = []
        for _ in range(random.randint(2, 30)):
            words = []
            for name, size in channels:
                low, high = {"fov": (30, 110), "location": (-90, 90)}.get(name, (-1.5, 1.5))
                words += [repr(random.uniform(low, high)) for _ in range(size)]
            lines.append(" ".join(words))
        inner = "".join(f'<channel name="{name}" size="{size}"/>' for name, size in channels)
        text = (f'<animation fps="{random.choice([20, 24, 29.97, 60])}" name="Shot {number}" offset="[1, -2, 3]" '
                f'fov="{random.randint(40, 100)}">{inner}<anim_data>\n' + "\n".join(lines) + "\n</anim_data></animation>")
        (directory / f"{number}.xml").write_text(text)
