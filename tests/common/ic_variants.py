#!/usr/bin/env python3
"""Makes Iron Curtain files that other writers, or engines to come, might make, from the samples.

usage: tests/common/ic_variants.py [DIRECTORY]

Writes to DIRECTORY, by default tests/data/ironcurtain/variants. The result depends on the samples
alone, so running it again changes nothing. Rules are those of docs/spec/ironcurtain.md.
"""

import hashlib
import json
import struct
import sys
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "tests/data/ironcurtain"
REPLAY_HEADER, SAVE_HEADER, RECORD, ENTRY = 108, 68, 32, 21
SECTIONS = ("metadata", "orders", "keyframes", "events", "voice", "signature", "embedded")
PLACES = dict(zip(SECTIONS, (8, 16, 24, 32, 88, 40, 96)))


def u32(data, at=0):
    return struct.unpack_from("<I", data, at)[0]


def u64(data, at=0):
    return struct.unpack_from("<Q", data, at)[0]


def text(value):
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


# ---- LZ4 blocks ----


def lz4_length(data, at, value):
    if value == 15:
        while True:
            value += data[at]
            at += 1
            if data[at - 1] != 255:
                break
    return value, at


def unpack(block):
    """A sized block, unpacked."""
    size, data, out, at = u32(block), block[4:], bytearray(), 0
    while at < len(data):
        token = data[at]
        literals, at = lz4_length(data, at + 1, token >> 4)
        out += data[at : at + literals]
        at += literals
        if at == len(data):
            break
        distance = data[at] | data[at + 1] << 8
        length, at = lz4_length(data, at + 2, token & 15)
        for _ in range(length + 4):
            out.append(out[-distance])
    assert len(out) == size
    return bytes(out)


def pack(raw):
    """A sized block of literals alone: valid, and the same on every machine."""
    token, rest = min(len(raw), 15), len(raw) - 15
    head = bytes([token << 4])
    if rest >= 0:
        head += b"\xff" * (rest // 255) + bytes([rest % 255])
    return struct.pack("<I", len(raw)) + head + raw


# ---- the parts of a state, as far as their lengths ----


class Cursor:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def skip(self, size):
        self.at += size

    def number(self, size):
        self.at += size
        return int.from_bytes(self.data[self.at - size : self.at], "little")

    def items(self, size):
        self.skip(self.number(8) * size)

    def option(self, size):
        self.skip(size if self.number(1) else 0)


def core_end(snapshot):
    """Where the core of a full snapshot ends."""
    c = Cursor(snapshot, 8 + 8 + 32 + 32)
    for _ in range(c.number(8)):
        c.items(1)  # names
    for _ in range(c.number(8)):
        c.skip(12)
        c.items(1)  # components
    for _ in range(c.number(8)):
        c.skip(28)
        c.items(4)  # tech
        c.skip(3)
    c.skip(8)
    for _ in range(c.number(8)):
        c.skip(16)
        c.option(4)
        c.skip(4)
    return c.at


def skip_order(c):
    """From the number of an order to its end."""
    kind = c.number(4)
    if kind in (0, 1, 2):
        c.items(4)
    if kind == 0:
        c.skip(12)
    elif kind == 1:
        c.skip(12 if c.number(4) else 4)
    elif kind == 4:
        c.skip(4 if c.number(4) == 2 else 0)
        c.items(1)
    elif kind == 5:
        c.items(1)
        for _ in range(c.number(8)):
            c.items(1)
    elif kind == 6:
        c.skip(4)
    elif kind == 7:
        c.items(1)
        c.items(1)
    elif kind == 8:
        raise ValueError("votes are not needed here")
    elif kind == 9:
        c.skip(2)
        c.items(1)
    elif kind == 10:
        c.skip(1)
    elif kind == 11:
        c.skip(16)
        c.option(4)
    elif kind == 12:
        c.skip(2)
    elif kind == 13:
        c.items(12)
        c.skip(4)


def frames_of(raw):
    """[(tick, head, [order bytes])] of an order block."""
    c, found = Cursor(raw), []
    while c.at < len(raw):
        start = c.at
        tick = c.number(8)
        c.skip(8)
        orders = []
        for _ in range(c.number(8)):
            begin = c.at
            c.skip(4)
            skip_order(c)
            c.skip(4)
            orders.append(raw[begin : c.at])
        found.append((tick, raw[start : start + 24], orders))
    return found


def frame_bytes(frame):
    return frame[1] + b"".join(frame[2])


# ---- files ----


def record(first, count, stored, size):
    head = struct.pack("<4sHHQIII", b"ICOB", 0, 0, first, count, len(stored), size)
    return head + struct.pack("<I", zlib.crc32(stored, zlib.crc32(head))) + stored


class Replay:
    """A finished replay by its sections."""

    def __init__(self, name):
        data = (SAMPLES / name).read_bytes()
        self.head = bytearray(data[:REPLAY_HEADER])
        self.parts = {}
        for section, place in PLACES.items():
            offset, size = u32(data, place), u32(data, place + 4)
            self.parts[section] = data[offset : offset + size] if offset else None

    def bytes(self):
        body = b""
        for section in SECTIONS:
            part = self.parts[section]
            offset = 0 if part is None else REPLAY_HEADER + len(body)
            struct.pack_into("<II", self.head, PLACES[section], offset, len(part or b""))
            body += part or b""
        return bytes(self.head) + body

    def blocks(self):
        """[(first tick, count, stored bytes, unpacked size)]"""
        data, at, found = self.parts["orders"], 0, []
        while at < len(data):
            first, count, stored, size = struct.unpack_from("<QIII", data, at + 8)
            found.append((first, count, data[at + RECORD : at + RECORD + stored], size))
            at += RECORD + stored
        return found

    def frames(self):
        return [f for _, _, stored, _ in self.blocks() for f in frames_of(unpack(stored))]

    def set_frames(self, frames, span=256):
        ranges = {}
        for frame in frames:
            ranges.setdefault(frame[0] // span * span, []).append(frame)
        self.parts["orders"] = b""
        for first, group in sorted(ranges.items()):
            raw = b"".join(map(frame_bytes, group))
            self.parts["orders"] += record(first, len(group), pack(raw), len(raw))

    def keyframes(self):
        """[[tick, stored bytes, unpacked size, is full]]"""
        data = self.parts["keyframes"]
        count, found = u64(data), []
        start = 8 + ENTRY * count
        for i in range(count):
            tick, offset, size, raw, full = struct.unpack_from("<QIIIB", data, 8 + ENTRY * i)
            found.append([tick, data[start + offset : start + offset + size], raw, full])
        return found

    def set_keyframes(self, keyframes, counted=True):
        index, blobs = b"", b""
        for tick, stored, raw, full in keyframes:
            index += struct.pack("<QIIIB", tick, len(blobs), len(stored), raw, full)
            blobs += stored
        count = struct.pack("<Q", len(keyframes)) if counted else b""
        self.parts["keyframes"] = count + index + blobs

    def change_keyframes(self, change):
        """`change` makes the unpacked bytes of each one from (bytes, is full)."""
        made = []
        for tick, stored, _, full in self.keyframes():
            raw = change(unpack(stored), full)
            made.append([tick, pack(raw), len(raw), full])
        self.set_keyframes(made)


class Save:
    def __init__(self, name):
        data = (SAMPLES / name).read_bytes()
        self.head = bytearray(data[:SAVE_HEADER])
        payload, size = u32(data, 16), u32(data, 20)
        self.before = data[SAVE_HEADER:payload]
        self.stored = data[payload : payload + size]

    def raw(self):
        return unpack(self.stored)

    def set_raw(self, raw):
        self.stored = pack(raw)
        struct.pack_into("<I", self.head, 24, len(raw))

    def bytes(self):
        struct.pack_into("<I", self.head, 20, len(self.stored))
        self.head[36:68] = hashlib.sha256(self.stored).digest()
        return bytes(self.head) + self.before + self.stored


# ---- campaigns ----

FLAGS = [("zebra", 1), ("alpha", 2), ("mid", 3)]


def campaign(flags):
    """A campaign state with these flags, in this order."""
    made = text("allied-1") + b"\0" + struct.pack("<I", 3) + struct.pack("<Q", 0)
    made += struct.pack("<q", 5000) + struct.pack("<Q", len(flags))
    for name, value in flags:
        made += text(name) + struct.pack("<Iq", 1, value)
    return made + struct.pack("<Q", 0)


def future_campaign():
    """Thirteen fields, none of which is where this profile has its seven."""
    made = struct.pack("<IIq", 7, 9, -1) + text("a graph of missions") + b"\x05" * 40
    return made + struct.pack("<13d", *range(13))


def with_campaign(snapshot, state):
    """A full snapshot with another campaign state and no scripts."""
    return snapshot[: core_end(snapshot)] + b"\1" + state + b"\0"


# ---- what others may write ----


def spans(span):
    replay = Replay("basic.icrep")
    replay.set_frames(replay.frames(), span)
    return replay.bytes()


def index_uncounted():
    replay = Replay("basic.icrep")
    replay.set_keyframes(replay.keyframes(), counted=False)
    return replay.bytes()


def key_40():
    replay = Replay("cadence-45.icrep")
    chain = replay.parts["signature"]
    replay.parts["signature"] = chain[:-32] + struct.pack("<Q", 32) + chain[-32:]
    return replay.bytes()


def plain_blocks():
    replay = Replay("basic.icrep")
    blocks = [record(first, n, stored[4:], size) for first, n, stored, size in replay.blocks()]
    replay.parts["orders"] = b"".join(blocks)
    replay.set_keyframes([[t, stored[4:], raw, full] for t, stored, raw, full in replay.keyframes()])
    return replay.bytes()


def plain_payload():
    save = Save("skirmish.icsave")
    save.stored = save.stored[4:]
    return save.bytes()


def maps_unsorted_save():
    save = Save("skirmish.icsave")
    save.set_raw(with_campaign(save.raw(), campaign(FLAGS)))
    return save.bytes()


def maps_unsorted_replay():
    replay = Replay("basic.icrep")
    replay.change_keyframes(
        lambda raw, full: with_campaign(raw, campaign(FLAGS)) if full else raw[:-2] + b"\1" + campaign(FLAGS) + b"\0"
    )
    return replay.bytes()


def everything_odd():
    """All of these in one signed file."""
    replay = Replay("cadence-45.icrep")
    replay.set_frames(replay.frames(), 100)
    blocks = [record(first, n, stored[4:], size) for first, n, stored, size in replay.blocks()]
    replay.parts["orders"] = b"".join(blocks)
    replay.change_keyframes(
        lambda raw, full: with_campaign(raw, campaign(FLAGS)) if full else raw[:-2] + b"\1" + campaign(FLAGS) + b"\0"
    )
    keyframes = [[t, stored[4:], raw, full] for t, stored, raw, full in replay.keyframes()]
    replay.set_keyframes(keyframes, counted=False)
    chain = replay.parts["signature"]
    replay.parts["signature"] = chain[:-32] + struct.pack("<Q", 32) + chain[-32:]
    return replay.bytes()


# ---- what an engine to come may write ----


def future_rest_save():
    save = Save("skirmish.icsave")
    save.set_raw(with_campaign(save.raw(), future_campaign()))
    return save.bytes()


def future_rest_replay():
    replay = Replay("basic.icrep")
    replay.change_keyframes(
        lambda raw, full: with_campaign(raw, future_campaign()) if full else raw[:-2] + b"\1" + future_campaign() + b"\0"
    )
    return replay.bytes()


def future_core_save():
    """One more number after the tick."""
    save = Save("skirmish.icsave")
    raw = save.raw()
    save.set_raw(raw[:8] + struct.pack("<I", 4242) + raw[8:])
    return save.bytes()


def future_core_replay():
    replay = Replay("all-events.icrep")
    replay.change_keyframes(lambda raw, full: raw[:8] + struct.pack("<I", 4242) + raw[8:])
    return replay.bytes()


def future_orders():
    """Orders whose time takes two bytes, as an existing crate has them."""
    replay = Replay("full.icrep")
    frames = []
    for tick, head, orders in replay.frames():
        frames.append((tick, head, [order[:-2] for order in orders]))
    replay.set_frames(frames)
    return replay.bytes()


def more_events(kind):
    """One more event, after all others."""
    replay = Replay("all-events.icrep")
    raw = unpack(replay.parts["events"])
    count, last = u64(raw), 30
    raw = struct.pack("<Q", count + 1) + raw[8:] + struct.pack("<IQI", kind, last, 7)
    replay.parts["events"] = pack(raw)
    return replay.bytes()


def future_events():
    """The first kind that is not known yet."""
    return more_events(21)


def damaged_event():
    """A kind that no engine will have."""
    return more_events(0x01000003)


def future_voice():
    """A number of the engine before the tracks."""
    replay = Replay("full.icrep")
    raw = unpack(replay.parts["voice"])
    replay.parts["voice"] = pack(struct.pack("<I", 4242) + raw)
    return replay.bytes()


def future_resources():
    replay = Replay("self-contained.icrep")
    replay.parts["embedded"] = struct.pack("<I", 4242) + replay.parts["embedded"]
    return replay.bytes()


def future_imported():
    replay = Replay("imported-lossless.icrep")
    replay.change_keyframes(lambda raw, full: raw[:8] + struct.pack("<I", 4242) + raw[8:])
    return replay.bytes()


def changed_order():
    """Somebody moved where a unit was sent to, and mended the checksum."""
    replay = Replay("basic.icrep")
    frames = replay.frames()
    for tick, _, orders in frames:
        for i, order in enumerate(orders):
            if u32(order, 4) == 0 and u64(order, 8) > 0:
                target = len(order) - 4 - 12
                x = struct.unpack_from("<i", order, target)[0]
                orders[i] = order[:target] + struct.pack("<i", (x + 20000) % 40000) + order[target + 4 :]
                replay.set_frames(frames)
                return replay.bytes()
    raise ValueError("the sample has no Move")


def flag_without_section():
    replay = Replay("basic.icrep")
    replay.head[7] |= 2
    return replay.bytes()


def duration_contradicts():
    replay = Replay("basic.icrep")
    metadata = json.loads(replay.parts["metadata"])
    metadata["duration_seconds"] = 4600
    replay.parts["metadata"] = json.dumps(metadata, indent=1).encode()
    return replay.bytes()


FILES = {
    "span-32.icrep": lambda: spans(32),
    "span-100.icrep": lambda: spans(100),
    "span-512.icrep": lambda: spans(512),
    "span-1024.icrep": lambda: spans(1024),
    "index-uncounted.icrep": index_uncounted,
    "key-40.icrep": key_40,
    "lz4-plain.icrep": plain_blocks,
    "lz4-plain.icsave": plain_payload,
    "maps-unsorted.icrep": maps_unsorted_replay,
    "maps-unsorted.icsave": maps_unsorted_save,
    "everything-odd.icrep": everything_odd,
    "bad/future-rest.icrep": future_rest_replay,
    "bad/future-rest.icsave": future_rest_save,
    "bad/future-core.icrep": future_core_replay,
    "bad/future-core.icsave": future_core_save,
    "bad/future-orders.icrep": future_orders,
    "bad/future-events.icrep": future_events,
    "bad/damaged-event.icrep": damaged_event,
    "bad/future-voice.icrep": future_voice,
    "bad/future-resources.icrep": future_resources,
    "bad/future-imported.icrep": future_imported,
    "bad/changed-order.icrep": changed_order,
    "bad/flag-without-section.icrep": flag_without_section,
    "bad/duration-contradicts.icrep": duration_contradicts,
}


# What `reprise verify` says about those in bad/: see tests/golden/samples.py.
VERDICTS = {
    "damaged-event.icrep": "refuse\tschema unknown: events",
    "duration-contradicts.icrep": "warn\tticks and seconds are not of the same match",
    "flag-without-section.icrep": "refuse\tflag set but section events absent; opens all the same",
    "future-core.icrep": "refuse\tschema unknown: keyframes",
    "future-core.icsave": "refuse\tschema unknown: core",
    "future-events.icrep": "refuse\tschema unknown: events",
    "future-imported.icrep": "refuse\tschema unknown: keyframes",
    "future-orders.icrep": "refuse\tschema unknown: orders",
    "future-resources.icrep": "refuse\tschema unknown: embedded",
    "future-rest.icrep": "refuse\tschema unknown: campaign or scripts; the core is right",
    "future-rest.icsave": "refuse\tschema unknown: campaign or scripts; the core is right",
    "future-voice.icrep": "refuse\tschema unknown: voice",
}


def main():
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLES / "variants"
    (directory / "bad").mkdir(parents=True, exist_ok=True)
    for name, make in FILES.items():
        (directory / name).write_bytes(make())
    lines = [f"{name}\t{verdict}\n" for name, verdict in VERDICTS.items()]
    (directory / "bad/verdicts.tsv").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
