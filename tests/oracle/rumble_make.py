"""Makes RUMBLE replays of every layout from a random generator, for rumble.py to read."""

import gzip
import io
import json
import math
import struct
import zipfile

from compression import brotli_compress
from rumble import (EVENT, EXTENSION, LAYOUTS, LEGACY_L1_PLAYER, PEDESTAL, PLAYER, PROP, STRUCTURE,
                    f32)

NAMES = ["Ada", "<#f80>Brok</color>", "Żółw", "岩拳", "Dee \"D\"", "Eve"]
WIDTHS = {"l2": 0, "z2": 0, "z5": 2, "z6": 2}
MARKERS = [("core.manual", 1, 1, 1), ("core.roundEnded", 0.7, 0.6, 0.85), ("core.matchEnded", 0, 0, 0),
           ("core.largeDamage", 1, 0, 0), ("Mod.own", 0.2, 0.4, 0.6)]


def rotation_bytes(q, layout):
    if layout in ("l1", "l2", "z2", "z3", "z4p"):
        return struct.pack("<4f", *q)
    left_out = max(range(4), key=lambda i: abs(q[i]))
    sign = -1 if q[left_out] < 0 else 1
    kept = [sign * v for i, v in enumerate(q) if i != left_out]
    return struct.pack("<3HB", *(round((v * 0.5 + 0.5) * 65535) for v in kept), left_out)


def value_bytes(kind, value, layout):
    wide = layout in ("z3", "z4a")
    if kind == "vec3":
        return struct.pack("<3f", *value)
    if kind == "rot":
        return rotation_bytes(value, layout)
    if kind == "i16":
        return struct.pack("<h", value)
    if kind == "f32":
        return struct.pack("<f", value)
    if kind == "bool":
        return bytes([value])
    if kind == "u8":
        return struct.pack("<H" if wide else "<B", value)
    if kind == "text":
        return value.encode()
    if kind == "account":
        return bytes([len(value)]) + value.encode()
    if kind == "player" and wide:
        return struct.pack("<f", value)
    if kind == "damage" and layout != "z4p":
        return struct.pack("<H" if wide else "<B", value)
    return struct.pack("<i", value)


class Maker:
    def __init__(self, random, layout, frames=0):
        self.random, self.layout, self.table = random, layout, LAYOUTS[layout]
        self.width = WIDTHS.get(layout, 1)
        self.players = random.randint(1, 4)
        self.structures = [random.randint(0, 13 if layout == "z6" else 8) for _ in range(random.randint(2, 7))]
        self.pedestals = random.randint(0, 2) if layout not in ("l1", "l2", "z2") else 0
        self.props = random.randint(1, 2) if layout == "z6" else 0
        self.times = self.make_times(frames or random.randint(20, 60))
        self.late = {i: random.randrange(len(self.times) // 2) if i > 1 else 0 for i in range(self.players)}

    def make_times(self, count):
        times, now = [], 0.0
        for _ in range(count):
            times.append(f32(now))
            now += self.random.uniform(0.01, 0.03) if self.random.random() < 0.9 else self.random.uniform(0.5, 4)
        return times

    # ---- what happens ----

    def vector(self, reach=4.0):
        return tuple(f32(self.random.uniform(-reach, reach)) for _ in range(3))

    def turn(self):
        q = [self.random.gauss(0, 1) for _ in range(4)]
        length = math.sqrt(sum(v * v for v in q))
        return tuple(f32(v / length) for v in q)

    def anything(self, name, kind):
        """A new value of a field."""
        random = self.random
        if kind == "vec3":
            return self.vector()
        if kind == "rot":
            return self.turn()
        if kind == "bool":
            return random.random() < (0.8 if name == "active" else 0.4)
        if kind == "f32":
            return f32(random.uniform(0, 2))
        if kind == "text":
            return "looks %d" % random.randrange(1000)
        return {"stack": random.choice([0, 0, *range(1, 12)]), "health": random.randint(0, 20),
                "stone_fx": random.randrange(16), "left_stone": random.choice([255, *range(8)]),
                "right_stone": random.choice([255, *range(8)]), "state": random.randrange(7),
                "game_state": random.randrange(9)}.get(name, random.randrange(4))

    def change(self, kind, index, at):
        """Fields of an object that this frame stores; often none."""
        random = self.random
        first = at == (self.late[index] if kind == PLAYER else 0)
        if kind == PLAYER and at < self.late[index] or not first and random.random() < 0.4:
            return {}
        complete = first or self.layout in ("l1", "l2", "z2")
        return {name: self.anything(name, type_) for name, type_ in self.table[kind].values()
                if complete or random.random() < 0.25}

    def event(self):
        random, event = self.random, {}
        hit = random.random() < 0.4
        event["type"] = 0 if self.layout == "z4p" else {"z3": 2 if hit else 1}.get(self.layout, 0 if hit else 1)
        event["pos"] = self.vector()
        event["rot"] = self.turn()
        if hit:
            event.update(player=random.randrange(self.players), damage=random.randint(1, 9))
        else:
            event["fx"] = random.randrange(22)
        if self.layout == "z6" and random.random() < 0.3:
            event["structure_id"] = 100
        return event

    # ---- bytes ----

    def chunk(self, kind, changes):
        out = b""
        for number, (name, type_) in self.table[kind].items():
            if name not in changes:
                continue
            data = value_bytes(type_, changes[name], self.layout)
            size = len(data).to_bytes(self.width, "little") if self.width else b""
            out += bytes([number]) + size + data
        return out

    def entry(self, kind, index, chunk):
        return struct.pack("<Bii", kind, index, len(chunk)) + chunk

    def objects(self):
        yield from ((STRUCTURE, i) for i in range(len(self.structures)))
        yield from ((PLAYER, i) for i in range(self.players))
        yield from ((PEDESTAL, i) for i in range(self.pedestals))
        yield from ((PROP, i) for i in range(self.props))

    def frame_entries(self, at):
        for kind, index in self.objects():
            changes = self.change(kind, index, at)
            if changes:
                yield self.entry(kind, index, self.chunk(kind, changes))
        for number in range(self.random.choice([0, 0, 0, 1, 2]) if self.layout != "z2" else 0):
            yield self.entry(EVENT, number, self.chunk(EVENT, self.event()))
        if self.layout in ("z5", "z6") and self.random.random() < 0.2:
            payload = self.random.randbytes(self.random.randint(1, 20))
            yield struct.pack("<Biii", EXTENSION, 0x5B9DE5BF, self.random.randint(-3, 3), len(payload)) + payload

    def stream(self):
        out = b"RPLY"
        for at, time in enumerate(self.times):
            found = list(self.frame_entries(at))
            body = struct.pack("<fi", time, len(found)) + b"".join(found)
            body += self.random.randbytes(9) if self.layout == "z6" and self.random.random() < 0.1 else b""
            out += (b"" if self.layout == "z2" else struct.pack("<i", len(body))) + body
        return out

    def people(self):
        for number in range(self.players):
            random = self.random
            player = {"ActorId": number + 1, "MasterId": "%016X" % random.getrandbits(64),
                      "Name": NAMES[number], "BattlePoints": random.randint(0, 4000),
                      "EquippedShiftStones": [random.randint(-1, 7), random.randint(-1, 7)],
                      "Measurement": {"Length": f32(random.uniform(1.5, 2)), "ArmSpan": f32(random.uniform(1.4, 1.9))},
                      "WasHost": number == 0}
            if self.layout[0] == "l":
                player["VisualData"] = "1,2,3"
            if self.layout == "z6":
                player["IsLocal"] = number == 0
            yield player

    def markers(self):
        for _ in range(self.random.randint(0, 5)):
            name, r, g, b = self.random.choice(MARKERS)
            yield {"r": r, "g": g, "b": b, "name": name, "time": f32(self.random.uniform(0, self.times[-1]))}

    def manifest(self):
        random = self.random
        header = {"Version": "1.2.4" if self.layout == "z6" else "1.0.0",
                  "Scene": random.choice(["Gym", "Park", "Map0", "Map1", "Own"]), "FrameCount": len(self.times)}
        header["CustomMap"] = random.choice([None, None, "FlatLandSingle", "Mine", "1|2|" + "|".join(
            ["Cube"] + ["%g" % random.uniform(-3, 3) for _ in range(12)] +
            ["Ball"] + ["%g" % random.uniform(-3, 3) for _ in range(12)])])
        if self.layout == "z2":
            header["DateUTC"] = "2025-12-12 08:09:10"
        else:
            header.update(Title="<#FFF>One<#FFF> vs Two", Date="2026-02-%02d 18:30:05" % random.randint(1, 28),
                          Duration=f32(self.times[-1] - self.times[0]), PedestalCount=self.pedestals, TargetFPS=50)
        if self.layout not in ("z2", "z3"):
            header.update(AvgPing=random.randint(-1, 90), MinPing=random.randint(5, 30), MaxPing=random.randint(90, 300),
                          Guid="274c883b-42ab-4a10-aaf7-%012x" % random.getrandbits(48), Markers=list(self.markers()))
            header["MarkerCount"] = len(header["Markers"])
        if self.layout == "z6":
            header.update(ScenePropCount=self.props, SceneProps=[{"type": 0}] * self.props,
                          isFavorited=random.random() < 0.5)
        header["Players"] = list(self.people())
        header["Structures"] = [{"Type": kind} for kind in self.structures]
        return header

    def archive(self):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("manifest.json", json.dumps(self.manifest(), indent=2, ensure_ascii=False))
            archive.writestr("replay", brotli_compress(self.stream()), zipfile.ZIP_STORED)
            if self.layout in ("z5", "z6"):
                archive.writestr("extensions/BellSupport/data.txt", "some")
        return out.getvalue()

    # ---- RGZP ----

    def legacy_frame(self, at):
        out = struct.pack("<f", self.times[at])
        for kind, index in self.objects():
            changes = self.change(kind, index, at)
            if self.layout == "l2":
                chunk = self.chunk(kind, changes)
                out += bytes([bool(chunk), kind]) + (struct.pack("<i", len(chunk)) + chunk if chunk else b"")
                continue
            order = LEGACY_L1_PLAYER if kind == PLAYER else range(4)
            fields = [self.table[kind][number] for number in order]
            out += bytes([bool(changes)])
            out += b"".join(value_bytes(t, changes[n], self.layout) for n, t in fields) if changes else b""
        return out

    def legacy(self):
        out = b"REPLAY" + b"".join(bytes([len(t)]) + t.encode() for t in ("1.0.0", "Map1", "2025-12-10 11:12:13"))
        out += struct.pack("<4i", len(self.times), len(self.structures), 50, self.players)
        for p in self.people():
            texts = [p["MasterId"].encode(), p["Name"].encode(), p["VisualData"].encode()]
            out += bytes([p["ActorId"], len(texts[0])]) + texts[0] + bytes([len(texts[1])]) + texts[1]
            out += struct.pack("<i", p["BattlePoints"]) + bytes([len(texts[2])]) + texts[2]
            out += struct.pack("<2h2f?", *p["EquippedShiftStones"], *p["Measurement"].values(), p["WasHost"])
        out += struct.pack("<i", len(self.structures)) + bytes(self.structures)
        out += b"".join(self.legacy_frame(at) for at in range(len(self.times)))
        packed = gzip.compress(out, mtime=0)
        return b"RGZP" + struct.pack("<2i", len(out), len(packed)) + packed


def generate(random, directory):
    for layout in LAYOUTS:
        maker = Maker(random, layout)
        data = maker.legacy() if layout[0] == "l" else maker.archive()
        (directory / f"{layout}.replay").write_bytes(data)
    # Long enough that seeking starts in the middle.
    (directory / "long.replay").write_bytes(Maker(random, random.choice(["z3", "z4", "z5"]), 700).archive())
