"""Iron Curtain saves, replays and proofs, read from docs/spec/ironcurtain.md alone.
ironcurtain_answers.py says what follows.
"""

import copy
import hashlib
import json
import struct

import ironcurtain_answers
import ironcurtain_make
import ironcurtain_types as types
import skirmish
from bincode import Bad, Reader, decode
from compression import lz4_block

HEADER = ("metadata", "orders", "keyframes", "events", "signature")
SIGNED, HAS_EVENTS, HAS_VOICE, INCOMPLETE = 1, 2, 8, 16
INTERVAL_US = {"slowest": 80000, "slower": 66667, "normal": 50000, "faster": 35000, "fastest": 20000}


def unpack(stored, size=None):
    """A sized LZ4 block; where the size is known, the prefix may be missing (section 21)."""
    prefix = struct.unpack_from("<I", stored)[0]
    if size is not None and prefix != size:
        return lz4_block(stored, size)
    return lz4_block(stored[4:], prefix)


def unpack_state(core):
    return {**core, "entities": [skirmish.unpack_entity(stored) for stored in core["entities"]]}


PLAYER_FIELDS = [name for name, _ in types.PLAYER[1:]]


def apply_delta(base, delta):
    """Section 6.5: a delta alone turns its full snapshot into the state at its tick."""
    state = copy.deepcopy(base)
    state["tick"] = delta["tick"]
    if delta["intern_table_delta"]:
        state["strings"] += delta["intern_table_delta"]["new_entries"]
    entities = {tuple(e["tag"].values()): e for e in state["entities"]}
    for change in sorted(delta["changed_entities"], key=lambda c: not c["is_removed"]):
        tag = tuple(change["entity"].values())
        if tag == (0xFFFF, 0xFFFF):
            state["rng"] = change["changed"]
        elif change["is_removed"]:
            del entities[tag]
        else:
            parts = skirmish.unpack_entity({"tag": change["entity"], "component_mask": change["change_mask"],
                                            "components": change["changed"]})
            entities[tag] = parts if change["is_new"] else {**entities[tag], **parts}
    state["entities"] = sorted(entities.values(), key=lambda e: e["tag"]["index"])
    for change in delta["changed_players"]:
        person = next(p for p in state["players"] if p["player"] == change["player"])
        reader = Reader(change["changed"])
        for bit, name in enumerate(PLAYER_FIELDS):
            if change["change_mask"] >> bit & 1:
                person[name] = reader.value(dict(types.PLAYER)[name])
    if delta["changed_map"]:
        cells = {tuple(place.values()): (place, cell) for place, cell in state["map"]["cells"]}
        for place, cell in delta["changed_map"]["changed_cells"]:
            cells[tuple(place.values())] = (place, cell)
        state["map"]["cells"] = sorted(cells.values(), key=lambda c: (c[0]["z"], c[0]["y"], c[0]["x"]))
    return state


class Replay:
    kind = "icrep"

    def __init__(self, data):
        self.data = data
        self.version, self.compression, self.flags = struct.unpack_from("<HBB", data, 4)
        numbers = struct.unpack_from("<10I", data, 8)
        self.sections = {name: numbers[2 * i:2 * i + 2] for i, name in enumerate(HEADER)}
        self.total, self.final_hash = struct.unpack_from("<Q32s", data, 48)
        self.sections["voice"] = struct.unpack_from("<2I", data, 88)
        self.sections["embedded"] = struct.unpack_from("<2I", data, 96)
        self.lost = struct.unpack_from("<I", data, 104)[0]
        self.metadata = json.loads(self.part("metadata"))
        self.live = not (self.sections["keyframes"][1] or self.sections["orders"][1] or self.total)
        self.frames, self.blobs, self.events = [], [], []
        self.tracks, self.chain, self.key, self.embedded = [], [], None, None
        self.torn = None
        if self.live:
            self.read_live()
        else:
            self.read_final()
        self.restore_keyframes()
        speed = INTERVAL_US.get(self.metadata.get("game_speed"))
        if speed is None:
            length = self.metadata.get("duration_seconds")
            speed = 1e6 * length / self.total if length and self.total else 66667
        self.tick_s = speed / 1e6

    def part(self, name):
        offset, length = self.sections[name]
        return self.data[offset:offset + length]

    def records(self, data, start):
        at = 0
        while at < len(data):
            head = data[at:at + 32]
            if len(head) < 32:
                self.torn = start + at
                return
            tag, flags, _, first, count, stored, size, _ = struct.unpack("<4sHHQIIII", head)
            if at + 32 + stored > len(data):
                self.torn = start + at
                return
            yield tag, flags, first, count, unpack(data[at + 32:at + 32 + stored], size), stored
            at += 32 + stored

    def read_frames(self, data, count):
        reader = Reader(data)
        self.frames += [reader.value(types.FRAME) for _ in range(count)]
        if reader.at != len(data):
            raise Bad("frames")

    def read_live(self):
        offset = self.sections["orders"][0]
        for tag, flags, first, count, data, _ in self.records(self.data[offset:], offset):
            if tag == b"ICOB":
                self.read_frames(data, count)
            elif tag == b"ICKF":
                self.blobs.append((first, bool(flags & 1), data))
            elif tag == b"ICEV":
                self.events += decode(data, ("vec", types.EVENT))
            elif tag == b"ICVO":
                self.tracks += decode(data, types.VOICE)["tracks"]
            elif tag == b"ICSG":
                signature = decode(data, types.SIGNATURE)
                self.chain, self.key = self.chain + signature["chain"], signature["key"]
        self.total = self.frames[-1]["tick"] + 1 if self.frames else 0

    def read_final(self):
        for _, _, _, count, data, _ in self.records(self.part("orders"), self.sections["orders"][0]):
            self.read_frames(data, count)
        self.read_index(self.part("keyframes"))
        if self.flags & HAS_EVENTS:
            self.events = decode(unpack(self.part("events")), ("vec", types.EVENT))
        if self.flags & HAS_VOICE:
            self.tracks = decode(unpack(self.part("voice")), types.VOICE)["tracks"]
        if self.flags & SIGNED:
            data = self.part("signature")
            if (len(data) - 8 - 40) % 108 == 0:
                data = data[:-40] + data[-32:]
            signature = decode(data, types.SIGNATURE)
            self.chain, self.key = signature["chain"], signature["key"]
        if self.sections["embedded"][0]:
            self.embedded = decode(self.part("embedded"), types.EMBEDDED)

    def read_index(self, data):
        count = struct.unpack_from("<Q", data)[0]
        if count:
            reader = Reader(data[8:])
            index = [reader.value(types.INDEX) for _ in range(count)]
        else:  # without a count: the smallest number of entries that fills the section
            reader, index = Reader(data), []
            while True:
                index.append(reader.value(types.INDEX))
                if 21 * len(index) + index[-1]["offset"] + index[-1]["length"] == len(data):
                    break
        body = reader.data[reader.at:]
        for entry in index:
            stored = body[entry["offset"]:entry["offset"] + entry["length"]]
            self.blobs.append((entry["tick"], entry["is_full"], unpack(stored, entry["uncompressed"])))

    def restore_keyframes(self):
        """(tick, is_full, state, campaign, script) each; None for what did not change."""
        self.keyframes, base = [], None
        for tick, is_full, data in self.blobs:
            found = decode(data, types.SNAPSHOT if is_full else types.DELTA)
            if is_full:
                state = base = unpack_state(found["core"])
            else:
                state = apply_delta(base, found["core"])
            self.keyframes.append((tick, is_full, state, found["campaign_state"], found["script_state"]))

    def at(self, tick):
        """The keyframe used, the state that follows, and the tick of a missing frame, or None."""
        number = max(i for i, keyframe in enumerate(self.keyframes) if keyframe[0] <= tick)
        orders = {frame["tick"]: frame["orders"] for frame in self.frames}
        game = skirmish.Game(self.keyframes[number][2])
        while game.state["tick"] < tick:
            if game.state["tick"] not in orders:
                return number, game.state, game.state["tick"]
            game.apply(orders[game.state["tick"]])
        return number, game.state, None

    def signatures_hold(self):
        from ed25519 import is_valid
        link = bytes(32)
        for entry in self.chain:
            body = struct.pack("<IQ", entry["skipped_ticks"], entry["tick"]) + entry["state_hash"]
            if not is_valid(self.key, body + link, entry["relay_sig"]):
                return None
            link = hashlib.sha256(link + body).digest()
        return link


class Save:
    kind = "icsave"

    def __init__(self, data):
        self.data = data
        _, _, self.flags, meta, meta_size, at, size, self.size = struct.unpack_from("<HBB4II", data, 4)
        self.sync_hash, self.payload_hash = struct.unpack_from("<Q32s", data, 28)
        self.metadata = json.loads(data[meta:meta + meta_size])
        self.parts = [("metadata", meta, meta_size)]
        if self.flags & 1:
            self.parts.append(("thumbnail", meta + meta_size, at - meta - meta_size))
        self.parts.append(("payload", at, size))
        found = decode(unpack(data[at:at + size], self.size), types.SNAPSHOT)
        self.state, self.campaign, self.script = unpack_state(found["core"]), found["campaign_state"], found["script_state"]


class Proof:
    kind = "icproof"

    def __init__(self, data):
        self.data = data
        self.about = decode(data[8:], types.PROOF)

    def root(self):
        about = self.about
        node = skirmish.leaf(about["leaf_label"], about["leaf_data"])
        index, count, siblings = about["leaf_index"], about["leaf_count"], list(about["siblings"])
        while count > 1:
            if index ^ 1 < count:
                other = siblings.pop(0)
                node = hashlib.sha256(other + node if index & 1 else node + other).digest()
            index, count = index // 2, (count + 1) // 2
        return node if not siblings else None

    def holds(self):
        from ed25519 import is_valid
        about = self.about
        message = struct.pack("<IQ", about["skipped_ticks"], about["tick"]) + self.root() + about["prev_sig_hash"]
        return is_valid(about["relay_public_key"], message, about["relay_sig"])


KINDS = {b"ICRP": Replay, b"ICSV": Save, b"ICPF": Proof}


def claims(path, data):
    return data[:4] in KINDS


def expected(path, data):
    return ironcurtain_answers.answers(path.name, KINDS[data[:4]](data))


def generate(random, folder):
    ironcurtain_make.generate(random, folder)
