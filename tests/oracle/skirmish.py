"""The reference simulation of docs/spec/ironcurtain.md, section 13, and the state hash of section 6.6.

A state is the decoded core with `entities` as a list of dicts: tag, and components by name.
"""

import copy
import hashlib
import struct

from bincode import Bad, Reader, decode, encode
from ironcurtain_types import COMPONENTS, ENTITY, MAP, PLACE, PLAYER, PRODUCE, TAG

KINDS = {"e1": ("infantry", 50, 43, "Foot", "None", "m60mg"), "e3": ("infantry", 45, 38, "Foot", "None", "dragon"),
         "2tnk": ("vehicle", 400, 68, "Tracked", "Heavy", "90mm"),
         "3tnk": ("vehicle", 550, 60, "Tracked", "Heavy", "105mm"),
         "jeep": ("vehicle", 150, 113, "Wheeled", "Light", "m60mg"),
         "harv": ("harvester", 600, 56, "Tracked", "Heavy", None),
         "fact": ("structure", 1000, None, None, "Wood", None), "weap": ("structure", 1000, None, None, "Wood", None),
         "barr": ("structure", 800, None, None, "Wood", None), "proc": ("structure", 900, None, None, "Wood", None)}
FACING = {(0, -1): 0, (-1, -1): 128, (-1, 0): 256, (-1, 1): 384, (0, 1): 512, (1, 1): 640, (1, 0): 768, (1, -1): 896}
MASK = 2**64 - 1


def unpack_entity(stored):
    reader, found = Reader(stored["components"]), {"tag": stored["tag"]}
    for bit, (name, form) in COMPONENTS.items():
        if stored["component_mask"] >> bit & 1:
            found[name] = reader.value(form)
    if reader.at != len(stored["components"]):
        raise Bad("components")
    return found


def pack_entity(entity):
    mask, data = 0, b""
    for bit, (name, form) in COMPONENTS.items():
        if name in entity:
            mask, data = mask | 1 << bit, data + encode(entity[name], form)
    return {"tag": entity["tag"], "component_mask": mask, "components": data}


def leaf(label, data):
    name = label.encode()
    return hashlib.sha256(b"\0" + struct.pack("<I", len(name)) + name + data).digest()


def state_hash(state):
    groups = {}
    for entity in state["entities"]:
        groups.setdefault(state["strings"][entity["identity"]["archetype"]], []).append(pack_entity(entity))
    core = struct.pack("<QQ", state["tick"], state["game_seed"]) + state["map_hash"]
    level = [leaf("core", core), leaf("rng", state["rng"]), leaf("intern", encode(state["strings"], ("vec", "str")))]
    for name in sorted(groups, key=str.encode):
        level.append(leaf("arch:" + name, encode(groups[name], ("vec", ENTITY))))
    level += [leaf("players", encode(state["players"], ("vec", PLAYER))), leaf("map", encode(state["map"], MAP))]
    while len(level) > 1:
        level = [hashlib.sha256(b"".join(level[i:i + 2])).digest() if i + 1 < len(level) else level[i]
                 for i in range(0, len(level), 2)]
    return level[0]


def rotate(value, bits):
    return (value << bits | value >> 64 - bits) & MASK


class Game:
    def __init__(self, state):
        self.state = copy.deepcopy(state)

    def next(self):
        s = list(struct.unpack("<4Q", self.state["rng"]))
        result = rotate(s[1] * 5 & MASK, 7) * 9 & MASK
        t = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotate(s[3], 45)
        self.state["rng"] = struct.pack("<4Q", *s)
        return result

    def clamp(self, x, y):
        field = self.state["map"]
        return (min(max(x, 0), field["width"] * 1024 - 1), min(max(y, 0), field["height"] * 1024 - 1))

    def find(self, tag):
        return next((e for e in self.state["entities"] if e["tag"] == tag), None)

    def intern(self, text):
        strings = self.state["strings"]
        if text not in strings:
            strings.append(text)
        return strings.index(text)

    def send(self, player, tags, target):
        if target is not None:
            x, y = self.clamp(target["x"], target["y"])
            target = {"x": x, "y": y, "z": 0}
        for tag in tags:
            unit = self.find(tag)
            if unit and unit["identity"]["owner"] == player and "navigation" in unit:
                unit["navigation"]["target"] = target and dict(target)

    def attack(self, player, tags, target):
        enemy = self.find(target)
        if not enemy or enemy["identity"]["owner"] == player:
            return
        for tag in tags:
            unit = self.find(tag)
            if unit and unit["identity"]["owner"] == player and unit.get("armament", {"cooldown": 1})["cooldown"] == 0:
                enemy["health"]["current"] -= 8 + self.next() % 8
                unit["armament"]["cooldown"] = 15

    def spawn(self, player, item, x, y):
        archetype, health, speed, locomotor, armor, weapon = KINDS.get(item, KINDS["e1"])
        taken = {entity["tag"]["index"] for entity in self.state["entities"]}
        index = next(i for i in range(65536) if i not in taken)
        x, y = self.clamp(x, y)
        entity = {"tag": {"index": index, "generation": (self.state["tick"] + 1) % 65536},
                  "identity": {"archetype": self.intern(archetype), "unit_type": self.intern(item), "owner": player},
                  "position": {"x": x, "y": y, "z": 0}, "health": {"current": health, "max": health},
                  "attackable": {"armor": armor}}
        if weapon:
            entity["armament"] = {"weapon": self.intern(weapon), "cooldown": 0}
        if speed:
            entity.update(mobile={"facing": 0, "speed": speed, "locomotor": locomotor}, navigation={"target": None},
                          veterancy={"level": "Rookie", "xp": 0})
        else:
            entity.update(building={"footprint": 1}, build_queue={"items": [], "paused": False})
        if archetype == "harvester":
            entity["harvester"] = {"capacity": 700, "carried": 0, "resource": self.intern("ore")}
        self.state["entities"] = sorted(self.state["entities"] + [entity], key=lambda e: e["tag"]["index"])

    def game_order(self, person, order):
        number = person["player"]
        try:
            if order["type_tag"] == 3:
                unit = self.find(decode(order["payload"], TAG))
                if unit and unit["identity"]["owner"] == number and "building" in unit:
                    self.state["entities"].remove(unit)
                    person["credits"] += 50
                return
            if order["type_tag"] not in (1, 2):
                return
            about = decode(order["payload"], PRODUCE if order["type_tag"] == 1 else PLACE)
        except (Bad, UnicodeDecodeError):
            return
        if person["credits"] < 100 or len(self.state["entities"]) >= 200:
            return
        person["credits"] -= 100
        if order["type_tag"] == 1:
            x, y = 1024 * (4 + 9 * (number % 4)), 1024 * (4 + 12 * (number // 4 + number % 2))
        else:
            x, y = about["cell"]["x"] * 1024, about["cell"]["y"] * 1024
        self.spawn(number, about["item"], x, y)
        kind = self.intern(about["item"])
        if kind not in person["tech"]:
            person["tech"] = sorted(person["tech"] + [kind])

    def obey(self, timed):
        person = next((p for p in self.state["players"] if p["player"] == timed["player"]), None)
        if person is None or isinstance(timed["order"], str):
            return
        (name, order), = timed["order"].items()
        if name == "Move":
            self.send(timed["player"], order["units"], order["target"])
        elif name == "Stop":
            self.send(timed["player"], order["units"], None)
        elif name == "Attack" and "Ground" in order["target"]:
            self.send(timed["player"], order["units"], order["target"]["Ground"])
        elif name == "Attack":
            self.attack(timed["player"], order["units"], order["target"]["Unit"])
        elif name == "CheatCode":
            person["cheats_used"] = True
        elif name == "GameOrder":
            self.game_order(person, order)

    def move(self, entity):
        if entity.get("armament", {}).get("cooldown", 0) > 0:
            entity["armament"]["cooldown"] -= 1
        target = entity.get("navigation", {}).get("target")
        if target:
            place, body = entity["position"], entity["mobile"]
            dx, dy = target["x"] - place["x"], target["y"] - place["y"]
            signs = ((dx > 0) - (dx < 0), (dy > 0) - (dy < 0))
            body["facing"] = FACING.get(signs, body["facing"])
            place["x"] += min(max(dx, -body["speed"]), body["speed"])
            place["y"] += min(max(dy, -body["speed"]), body["speed"])
            if (place["x"], place["y"]) == (target["x"], target["y"]):
                entity["navigation"]["target"] = None
        if "harvester" in entity:
            load = entity["harvester"]
            load["carried"] += 1
            if load["carried"] >= load["capacity"]:
                load["carried"] = 0
                owner = next(p for p in self.state["players"] if p["player"] == entity["identity"]["owner"])
                owner["credits"] += load["capacity"]

    def apply(self, orders):
        for timed in sorted(orders, key=lambda o: (o["sub_tick_time"], o["player"])):
            self.obey(timed)
        for entity in self.state["entities"]:
            self.move(entity)
        self.state["entities"] = [e for e in self.state["entities"] if e["health"]["current"] > 0]
        drawn, cells = self.next(), self.state["map"]["cells"]
        if self.state["tick"] % 64 == 63 and cells:
            cell = cells[drawn % len(cells)][1]
            if cell["amount"] > 0:
                cell["amount"] -= 1
            if cell["amount"] == 0:
                cell["resource"] = None
        self.state["tick"] += 1
