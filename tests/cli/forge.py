"""Changes finished Iron Curtain replays as a forger would.

usage: forge WHAT FROM TO

Sections are taken apart and put together again with offsets, sizes and checksums that fit. WHAT is
  KEY=JSON       metadata: players.0.name="Eve"
  no-order       the first order that moves a unit is gone; the checksum of its block is mended
  chat           the first chat message says something else
  events         another player wins, as the events have it
  cut=TICK       the match ends at a signed tick; header and metadata say so too
  frame-hash     the hash of the last frame is another one
  first-hash     the hash after the first tick is another one
  keyframe       the seed in the first full keyframe is another one
  signature      one bit of the first signature is flipped
  compose        nothing is changed: the parts must make up the same replay
"""

import json
import struct
import sys
import zlib

HEADER = struct.Struct("<4sHBB10I Q32s5I".replace(" ", ""))
RECORD = struct.Struct("<4sHHQIII")
NAMES = ("metadata", "orders", "keyframes", "events", "signature", "voice", "embedded")
ORDER = ("metadata", "orders", "keyframes", "events", "voice", "signature", "embedded")
SIGNED, HAS_EVENTS, HAS_VOICE = 1, 2, 8
ENTRY = 108


# ---- sized LZ4 blocks ----


def unpack(data):
    size = struct.unpack_from("<I", data)[0]
    out, at = bytearray(), 4
    while at < len(data):
        token = data[at]
        at += 1
        literals, at = length(data, at, token >> 4)
        out += data[at : at + literals]
        at += literals
        if at == len(data):
            break
        distance = struct.unpack_from("<H", data, at)[0]
        copied, at = length(data, at + 2, token & 15)
        for _ in range(copied + 4):
            out.append(out[-distance])
    assert len(out) == size
    return bytes(out)


def length(data, at, start):
    if start == 15:
        while True:
            start += data[at]
            at += 1
            if data[at - 1] != 255:
                break
    return start, at


def pack(raw):
    """One block of literals only."""
    head = struct.pack("<I", len(raw))
    if len(raw) < 15:
        return head + bytes([len(raw) << 4]) + raw
    more, rest = bytearray(), len(raw) - 15
    while rest >= 255:
        more.append(255)
        rest -= 255
    more.append(rest)
    return head + b"\xf0" + bytes(more) + raw


# ---- files ----


class Replay:
    def __init__(self, data):
        fields = HEADER.unpack_from(data)
        self.version, self.compression, self.flags = fields[1:4]
        places = list(zip(fields[4:14:2], fields[5:14:2]))
        self.total, self.final = fields[14], fields[15]
        places += [fields[16:18], fields[18:20]]
        self.lost = fields[20]
        self.parts = {name: data[at : at + size] for name, (at, size) in zip(NAMES, places)}
        self.metadata = json.loads(self.parts["metadata"])

    def write(self):
        self.parts["metadata"] = json.dumps(self.metadata, indent=1).encode()
        at, places = HEADER.size, {}
        for name in ORDER:
            size = len(self.parts[name])
            places[name] = (at if size else 0, size)
            at += size
        first = [number for name in NAMES[:5] for number in places[name]]
        last = [number for name in NAMES[5:] for number in places[name]]
        head = HEADER.pack(
            b"ICRP", self.version, self.compression, self.flags, *first, self.total, self.final,
            *last, self.lost,
        )  # fmt: skip
        return head + b"".join(self.parts[name] for name in ORDER)

    # Frames: (tick, hash, [(kind, bytes of the order)])

    def frames(self):
        data, at, found = self.parts["orders"], 0, []
        while at < len(data):
            stored = RECORD.unpack_from(data, at)[5]
            at += RECORD.size + 4
            found += read_frames(unpack(data[at : at + stored]))
            at += stored
        return found

    def set_frames(self, frames):
        blocks, out = {}, b""
        for frame in frames:
            blocks.setdefault(frame[0] & ~255, []).append(frame)
        for first, members in sorted(blocks.items()):
            raw = b"".join(write_frame(frame) for frame in members)
            stored = pack(raw)
            head = RECORD.pack(b"ICOB", 0, 0, first, len(members), len(stored), len(raw))
            out += head + struct.pack("<I", zlib.crc32(stored, zlib.crc32(head))) + stored
        self.parts["orders"] = out

    # Keyframes: (tick, is_full, decoded bytes)

    def keyframes(self):
        data = self.parts["keyframes"]
        count = struct.unpack_from("<Q", data)[0]
        base, found = 8 + 21 * count, []
        for i in range(count):
            tick, at, size, _, full = struct.unpack_from("<QIII?", data, 8 + 21 * i)
            found.append((tick, full, unpack(data[base + at : base + at + size])))
        return found

    def set_keyframes(self, keyframes):
        index, blobs = struct.pack("<Q", len(keyframes)), b""
        for tick, full, raw in keyframes:
            blob = pack(raw)
            index += struct.pack("<QIII?", tick, len(blobs), len(blob), len(raw), full)
            blobs += blob
        self.parts["keyframes"] = index + blobs

    def entries(self):
        data = self.parts["signature"]
        count = struct.unpack_from("<Q", data)[0]
        return [data[8 + ENTRY * i : 8 + ENTRY * (i + 1)] for i in range(count)]

    def set_entries(self, entries):
        key = self.parts["signature"][-32:]
        self.parts["signature"] = struct.pack("<Q", len(entries)) + b"".join(entries) + key


# ---- orders: only their sizes matter ----


def text_size(data, at):
    return 8 + struct.unpack_from("<Q", data, at)[0]


def list_size(data, at, each):
    return 8 + each * struct.unpack_from("<Q", data, at)[0]


def u32(data, at):
    return struct.unpack_from("<I", data, at)[0]


def order_size(data, at):
    kind, start = u32(data, at), at
    at += 4
    if kind == 0:
        at += list_size(data, at, 4) + 12
    elif kind == 1:
        at += list_size(data, at, 4)
        at += 4 + (4 if u32(data, at) == 0 else 12)
    elif kind == 2:
        at += list_size(data, at, 4)
    elif kind == 4:
        at += 8 if u32(data, at) == 2 else 4
        at += text_size(data, at)
    elif kind == 5:
        at += text_size(data, at)
        count = struct.unpack_from("<Q", data, at)[0]
        at += 8
        for _ in range(count):
            at += text_size(data, at)
    elif kind == 6:
        at += 4
    elif kind == 7:
        at += text_size(data, at)
        at += text_size(data, at)
    elif kind == 8:
        vote = u32(data, at)
        at += 4
        if vote == 0:
            proposal = u32(data, at)
            at += 4
            at += 8 if proposal == 1 else text_size(data, at) if proposal == 4 else 0
        else:
            at += 8 if vote == 1 else 4
    elif kind == 9:
        at += 2
        at += text_size(data, at)
    elif kind == 10:
        at += 1
    elif kind == 11:
        at += 4 + 12
        at += 5 if data[at] else 1
    elif kind == 12:
        at += 2
    elif kind == 13:
        at += list_size(data, at, 12) + 4
    return at - start


def read_frames(data):
    at, found = 0, []
    while at < len(data):
        tick, state, count = struct.unpack_from("<QQQ", data, at)
        at += 24
        orders = []
        for _ in range(count):
            size = 4 + order_size(data, at + 4) + 4
            orders.append((u32(data, at + 4), data[at : at + size]))
            at += size
        found.append((tick, state, orders))
    return found


def write_frame(frame):
    tick, state, orders = frame
    return struct.pack("<QQQ", tick, state, len(orders)) + b"".join(one for _, one in orders)


# ---- forgeries ----


def set_metadata(replay, path, value):
    at = replay.metadata
    *way, last = path.split(".")
    for step in way:
        at = at[int(step) if isinstance(at, list) else step]
    at[int(last) if isinstance(at, list) else last] = value


def drop_order(replay):
    frames = replay.frames()
    for i, (tick, state, orders) in enumerate(frames):
        moves = [one for one in orders if one[0] == 0]
        if moves:
            frames[i] = (tick, state, [one for one in orders if one is not moves[0]])
            break
    replay.set_frames(frames)


def change_chat(replay):
    frames = replay.frames()
    for _, _, orders in frames:
        for k, (kind, data) in enumerate(orders):
            if kind == 4:
                at = 16 if u32(data, 8) == 2 else 12
                orders[k] = (kind, data[:at] + struct.pack("<Q", 5) + b"liar!" + data[-4:])
                return replay.set_frames(frames)
    raise SystemExit("no chat message")


def change_winner(replay):
    raw = bytearray(unpack(replay.parts["events"]))
    raw[-12:-8], raw[-4:] = raw[-4:], raw[-12:-8]  # who won, and who gave up
    replay.parts["events"] = pack(bytes(raw))


def cut(replay, end):
    replay.set_frames([one for one in replay.frames() if one[0] < end])
    replay.set_keyframes([one for one in replay.keyframes() if one[0] <= end])
    entries = [one for one in replay.entries() if struct.unpack_from("<Q", one)[0] <= end]
    replay.set_entries(entries)
    replay.total, replay.final = end, entries[-1][8:40]
    replay.parts["events"] = replay.parts["voice"] = b""
    replay.flags &= ~(HAS_EVENTS | HAS_VOICE)
    replay.metadata["total_ticks"] = end
    replay.metadata["duration_seconds"] = end // 15


def change_frame_hash(replay, index):
    frames = replay.frames()
    tick, state, orders = frames[index]
    frames[index] = (tick, state ^ 1, orders)
    replay.set_frames(frames)


def change_seed(replay):
    keyframes = replay.keyframes()
    tick, full, raw = keyframes[0]
    keyframes[0] = (tick, full, raw[:8] + bytes([raw[8] ^ 1]) + raw[9:])
    replay.set_keyframes(keyframes)


def flip_signature(replay):
    entries = replay.entries()
    entries[0] = entries[0][:-1] + bytes([entries[0][-1] ^ 1])
    replay.set_entries(entries)


def forge(replay, what):
    key, _, value = what.partition("=")
    plain = {
        "no-order": drop_order,
        "chat": change_chat,
        "events": change_winner,
        "frame-hash": lambda replay: change_frame_hash(replay, -1),
        "first-hash": lambda replay: change_frame_hash(replay, 1),
        "keyframe": change_seed,
        "signature": flip_signature,
        "compose": lambda replay: replay.set_frames(replay.frames()),
    }
    if key == "cut":
        cut(replay, int(value))
    elif value:
        set_metadata(replay, key, json.loads(value))
    else:
        plain[key](replay)


def main():
    what, source, target = sys.argv[1:]
    with open(source, "rb") as file:
        replay = Replay(file.read())
    forge(replay, what)
    with open(target, "wb") as file:
        file.write(replay.write())


if __name__ == "__main__":
    main()
