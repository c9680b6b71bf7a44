"""Writes Iron Curtain replays of the reference game: random orders, played by the oracle's simulation."""

import copy
import hashlib
import json
import struct
import zlib

import ironcurtain_types as types
import skirmish
from bincode import encode

SPEEDS = ("slowest", "slower", "normal", "faster", "fastest")
ITEMS = ("e1", "e3", "2tnk", "3tnk", "jeep", "harv", "weap", "barr", "proc", "own")


def literal(data):
    """An LZ4 block without matches."""
    size, head = len(data), bytes([min(len(data), 15) << 4])
    rest = size - 15
    while rest >= 255:
        head, rest = head + b"\xff", rest - 255
    return head + (bytes([rest]) if size >= 15 else b"") + data


def sized(data):
    return struct.pack("<I", len(data)) + literal(data)


def seeded(seed):
    state, words = seed, []
    for _ in range(4):
        state = state + 0x9E3779B97F4A7C15 & skirmish.MASK
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & skirmish.MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & skirmish.MASK
        words.append(z ^ z >> 31)
    return struct.pack("<4Q", *words)


def part_changes(before, after, forms):
    """The mask and the bytes of the parts that differ."""
    mask, data = 0, b""
    for bit, (name, form) in forms:
        if name in after and before.get(name) != after[name]:
            mask, data = mask | 1 << bit, data + encode(after[name], form)
    return mask, data


def entity_changes(base, state):
    before = {tuple(e["tag"].values()): e for e in base["entities"]}
    after = {tuple(e["tag"].values()): e for e in state["entities"]}
    for tag in sorted(before.keys() | after.keys()):
        change = {"entity": dict(zip(("index", "generation"), tag)), "change_mask": 0, "changed": b"",
                  "is_new": tag not in before, "is_removed": tag not in after}
        if tag in after:
            change["change_mask"], change["changed"] = part_changes(before.get(tag, {}), after[tag],
                                                                    types.COMPONENTS.items())
        if change["change_mask"] or change["is_removed"]:
            yield change


def delta(base, state):
    """Section 6.5: what turns the last full snapshot into this state."""
    fields = list(enumerate(types.PLAYER[1:]))
    players = []
    for before, after in zip(base["players"], state["players"]):
        mask, data = part_changes(before, after, fields)
        if mask:
            players.append({"player": after["player"], "change_mask": mask, "changed": data})
    cells = [cell for cell in state["map"]["cells"] if cell not in base["map"]["cells"]]
    strings = state["strings"][len(base["strings"]):]
    world = {"entity": {"index": 0xFFFF, "generation": 0xFFFF}, "change_mask": 1, "changed": state["rng"],
             "is_new": False, "is_removed": False}
    core = {"baseline_tick": base["tick"], "baseline_hash": skirmish.state_hash(base), "tick": state["tick"],
            "intern_table_delta": {"start_id": len(base["strings"]), "new_entries": strings} if strings else None,
            "changed_entities": [*entity_changes(base, state), world], "changed_players": players,
            "changed_map": {"changed_cells": cells} if cells else None}
    return encode({"core": core, "campaign_state": None, "script_state": None}, types.DELTA)


class Writer:
    def __init__(self, random):
        self.random = random
        self.ticks = random.choice((0, 5, 40, 130, 330, 620))
        self.players = random.randint(1, 4)
        self.keyframe_ticks = random.choice((45, 100, 300))
        self.deltas = random.choice((1, 2, 10))  # every so many keyframes are full
        seed = random.getrandbits(64)
        self.state = {"tick": 0, "game_seed": seed, "map_hash": random.randbytes(32), "rng": seeded(seed),
                      "strings": ["clear", "ore", "allies"], "entities": [], "players": [],
                      "map": {"width": random.randint(20, 90), "height": random.randint(20, 90), "cells": []}}
        for player in range(self.players):
            self.state["players"].append({
                "player": player, "team": player, "faction": 2, "credits": random.randint(0, 4000),
                "power_produced": 100, "power_drained": 60, "tech": [], "defeated": False, "cheats_used": False,
                "cosmetic_cheats_used": False})
        for x in range(random.randint(0, 6)):
            self.state["map"]["cells"].append(({"x": x, "y": 2, "z": 0},
                                               {"terrain": 0, "resource": 1, "amount": random.randint(0, 9)}))
        game = skirmish.Game(self.state)
        for number in range(3 * self.players):
            game.spawn(number % self.players, random.choice(ITEMS), random.randint(0, 60000), random.randint(0, 60000))
        self.state = game.state

    def tags(self, game):
        entities = game.state["entities"]
        return [dict(one["tag"]) for one in self.random.sample(entities, min(len(entities), self.random.randint(0, 4)))]

    def order(self, game):
        random = self.random
        place = {axis: random.randint(-3000, 99000) for axis in "xy"} | {"z": 0}
        units = self.tags(game)
        target = {"Ground": place}
        if units and random.random() < 0.5:
            target = {"Unit": units[0]}
        item = random.choice(ITEMS)
        return random.choice((
            {"Move": {"units": units, "target": place}}, {"Attack": {"units": units, "target": target}},
            {"Stop": {"units": units}}, "Idle", {"ChatMessage": {"channel": "All", "text": "hi"}},
            {"CheatCode": 7}, {"Vote": {"Propose": {"vote_type": "Surrender"}}},
            {"GameOrder": {"type_tag": 1, "payload": encode({"queue": "q", "item": item}, types.PRODUCE)}},
            {"GameOrder": {"type_tag": 2, "payload": encode({"item": item, "cell": {"x": 3, "y": 4, "z": 0}},
                                                           types.PLACE)}},
            {"GameOrder": {"type_tag": 3, "payload": encode(units[0], types.TAG) if units else b"?"}}))

    def play(self):
        random, game = self.random, skirmish.Game(self.state)
        frames, keyframes, base, self.events = [], [], None, []
        for tick in range(self.ticks + 1):
            if tick % self.keyframe_ticks == 0:
                is_full = base is None or tick % (self.keyframe_ticks * self.deltas) == 0
                base = copy.deepcopy(game.state) if is_full else base
                keyframes.append((tick, is_full, self.snapshot(game.state) if is_full else delta(base, game.state)))
            if tick % 50 == 0:
                self.events += [self.sample(game, tick, person) for person in game.state["players"]]
            if tick == self.ticks:
                break
            orders = [{"player": random.randrange(self.players + 1), "order": self.order(game),
                       "sub_tick_time": random.randint(0, 60000)} for _ in range(random.choice((0, 0, 1, 2)))]
            digest = int.from_bytes(skirmish.state_hash(game.state)[:8], "little")
            frames.append({"tick": tick, "state_hash": digest, "orders": orders})
            game.apply(orders)
        self.final = skirmish.state_hash(game.state)
        return frames, keyframes

    def sample(self, game, tick, person):
        score = {name: 0 for name, _ in types.SCORE}
        score.update(units_killed=tick // 7, structures_destroyed=1, collection_rate=tick)
        stats = {"credits": person["credits"], "army_value": 10 * len(game.state["entities"]),
                 "power_produced": 100, "power_drained": 70, "harvesters": 2, "score": score}
        return {"PlayerStatSnapshot": {"tick": tick, "player": person["player"], "stats": stats}}

    @staticmethod
    def snapshot(state):
        core = {**state, "entities": [skirmish.pack_entity(one) for one in state["entities"]]}
        return encode({"core": core, "campaign_state": None, "script_state": None}, types.SNAPSHOT)

    def metadata(self):
        digits = self.random.randbytes(16).hex()
        uuid = "-".join((digits[:8], digits[8:12], "4" + digits[13:16], "8" + digits[17:20], digits[20:]))
        empty = hashlib.sha256(bytes(8)).hexdigest()
        about = {"replay_id": uuid, "timestamp": "2026-01-02T03:04:05Z", "engine_version": "0.5.0", "base_build": 1,
                 "data_version": "sha256:" + empty, "game_module": "ra1", "active_mods": [], "map_name": "Random",
                 "map_hash": "sha256:" + self.state["map_hash"].hex(), "game_speed": self.random.choice(SPEEDS),
                 "balance_preset": "classic", "total_ticks": self.ticks, "duration_seconds": self.ticks // 15,
                 "players": [{"slot": i, "name": f"Player {i}", "faction": "allies", "outcome": "unknown",
                              "apm_avg": 3} for i in range(self.players)],
                 "initial_rng_seed": self.state["game_seed"], "signed": False}
        return json.dumps(about).encode()

    def block(self, frames):
        data = b"".join(encode(frame, types.FRAME) for frame in frames)
        stored = sized(data)
        head = struct.pack("<4sHHQIII", b"ICOB", 0, 0, frames[0]["tick"] // 256 * 256, len(frames), len(stored),
                           len(data))
        return head + struct.pack("<I", zlib.crc32(head + stored)) + stored

    def write(self, path):
        frames, keyframes = self.play()
        orders = b"".join(self.block(frames[i:i + 256]) for i in range(0, len(frames), 256))
        index, blobs = struct.pack("<Q", len(keyframes)), b""
        for tick, is_full, data in keyframes:
            stored = sized(data)
            index += struct.pack("<QIIIB", tick, len(blobs), len(stored), len(data), is_full)
            blobs += stored
        events = sized(encode(self.events, ("vec", types.EVENT)))
        at, places, body = 108, [], b""
        for part in (self.metadata(), orders, index + blobs, events):
            places += [at, len(part)]
            at, body = at + len(part), body + part
        head = b"ICRP" + struct.pack("<HBB", 1, 1, 2) + struct.pack("<8I", *places) + bytes(8)
        head += struct.pack("<Q", self.ticks) + self.final + bytes(20)
        path.write_bytes(head + body)


def generate(random, folder):
    for number in range(6):
        Writer(random).write(folder / f"{number}.icrep")
