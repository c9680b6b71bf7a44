"""RUMBLE replays, read from docs/spec/rumble.md alone. rumble_answers.py says what follows."""

import io
import json
import math
import struct
import zipfile
import zlib

import rumble_answers
from compression import brotli

PLAYER, STRUCTURE, PEDESTAL, EVENT, PROP, EXTENSION = 0, 1, 2, 3, 4, 250
TRACKS = {PLAYER: "players", STRUCTURE: "structures", PEDESTAL: "pedestals", PROP: "props"}

PLAYER_FIELDS = [
    ("rig_pos", "vec3"), ("rig_rot", "rot"), ("lhand_pos", "vec3"), ("lhand_rot", "rot"),
    ("rhand_pos", "vec3"), ("rhand_rot", "rot"), ("head_pos", "vec3"), ("head_rot", "rot"),
    ("stack", "i16"), ("health", "i16"), ("active", "bool"), ("stone_fx", "u8"),
    ("left_stone", "u8"), ("right_stone", "u8"), ("lgrip", "f32"), ("lindex", "f32"),
    ("lthumb", "f32"), ("rgrip", "f32"), ("rindex", "f32"), ("rthumb", "f32"),
    ("rockcam_active", "bool"), ("rockcam_pos", "vec3"), ("rockcam_rot", "rot"),
    ("arm_span", "f32"), ("length", "f32"), ("visual_data", "text")]
POSE = [("pos", "vec3"), ("rot", "rot"), ("active", "bool"), ("grounded", "bool")]
LATER = [("left_held", "bool"), ("right_held", "bool"), ("flicked", "bool"), ("state", "u8"),
         ("target_disk", "bool")]
EVENT_FIELDS = [
    ("type", "u8"), ("pos", "vec3"), ("rot", "rot"), ("master_id", "account"), ("length", "f32"),
    ("arm_span", "f32"), ("marker", "u8"), ("player", "player"), ("damage", "damage"), ("fx", "u8"),
    ("structure_id", "i32")]


def tables(player_count, structure, event=None):
    """Fields by id for each chunk type."""
    found = {PLAYER: PLAYER_FIELDS[:player_count], STRUCTURE: structure,
             PEDESTAL: [("pos", "vec3"), ("active", "bool")], PROP: POSE[:2],
             EVENT: event or EVENT_FIELDS}
    return {kind: dict(enumerate(fields)) for kind, fields in found.items()}


Z6_STRUCTURE = POSE + LATER[:3] + [("game_state", "u8")] + LATER[4:]
LAYOUTS = {
    "l2": tables(11, POSE), "z2": tables(11, POSE),
    "z3": tables(14, POSE + [("held", "bool"), ("flicked", "bool"), ("shaking", "bool")]),
    "z4a": tables(25, POSE + LATER), "z4": tables(25, POSE + LATER),
    "z5": tables(26, POSE + LATER), "z6": tables(26, Z6_STRUCTURE),
    "z4p": tables(8, POSE + [LATER[2], LATER[0], LATER[1]] + LATER[3:],
                  EVENT_FIELDS[:4] + [("player", "i32"), ("damage", "i32"), ("fx", "u8")]),
}
LAYOUTS["z4p"][PLAYER].update({8: ("health", "i16"), 9: ("active", "bool")})
LAYOUTS["l1"] = tables(11, POSE)
del LAYOUTS["l1"][PLAYER][8]
LEGACY_L1_PLAYER = [0, 1, 6, 7, 2, 3, 4, 5, 9, 10]  # rig, head, left, right, health, active

SIZES = {"vec3": {12}, "rot": {7, 16}, "i16": {2}, "bool": {1}, "u8": {1, 2}, "f32": {4},
         "i32": {1, 2, 4}, "player": {1, 2, 4}, "damage": {1, 2, 4}}
STRICT = {**SIZES, "u8": {1}, "i32": {4}, "player": {4}, "damage": {4}}
BEFORE = {"vec3": (0.0, 0.0, 0.0), "rot": (0.0, 0.0, 0.0, 1.0), "bool": False, "f32": 0.0,
          "text": None, "account": None}
NONE_IS_MINUS_ONE = {"player", "structure_id"}


class Bad(Exception):
    pass


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def rotation(data):
    if len(data) >= 16:
        return struct.unpack_from("<4f", data)
    if data[6] > 3:
        raise Bad("the component that is left out")
    kept = [f32((f32(u / 65535) - 0.5) * 2) for u in struct.unpack_from("<3H", data)]
    rest = 1 - sum(value * value for value in kept)
    kept.insert(data[6], f32(math.sqrt(rest)) if rest > 0 else 0.0)
    return tuple(kept)


def account(data):
    if data and data[0] == len(data) - 1:
        data = data[1:]
    return data.decode("utf-8", "replace")


def value_of(kind, data):
    if kind == "vec3":
        return struct.unpack_from("<3f", data)
    if kind == "rot":
        return rotation(data)
    if kind == "i16":
        return struct.unpack_from("<h", data)[0]
    if kind == "f32":
        return struct.unpack_from("<f", data)[0]
    if kind == "bool":
        return data[0] != 0
    if kind == "u8":
        return data[0]
    if kind == "text":
        return data.decode("utf-8", "replace")
    if kind == "account":
        return account(data)
    number = int.from_bytes(data[:4], "little", signed=len(data) >= 4)
    if kind == "player" and number >= 0x3F800000:
        return round(struct.unpack("<f", struct.pack("<i", number))[0])
    return number


def state_before(table):
    return {name: -1 if name in NONE_IS_MINUS_ONE else BEFORE.get(kind, 0)
            for name, kind in table.values()}


# ---- chunks ----


def fields(chunk, width):
    """(id, bytes) of a chunk."""
    at = 0
    while at < len(chunk):
        if at + 1 + width > len(chunk):
            raise Bad("a field head is cut")
        size = int.from_bytes(chunk[at + 1 : at + 1 + width], "little")
        start = at + 1 + width
        if start + size > len(chunk):
            raise Bad("a field overruns its chunk")
        yield chunk[at], chunk[start : start + size]
        at = start + size


def fixed_fields(chunk, table):
    """Fields without sizes; an unknown id ends the chunk."""
    widths = {"vec3": 12, "rot": 16, "i16": 2, "bool": 1}
    at = 0
    while at < len(chunk) and chunk[at] in table:
        width = widths[table[chunk[at]][1]]
        if at + 1 + width > len(chunk):
            raise Bad("a field overruns its chunk")
        yield chunk[at], chunk[at + 1 : at + 1 + width]
        at += 1 + width


def explains(chunks, width, layout, sizes):
    """Whether a field width and a table fit every chunk."""
    for kind, _, chunk in chunks:
        try:
            for number, data in fields(chunk, width):
                known = layout[kind].get(number)
                if known and known[1] in sizes and len(data) not in sizes[known[1]]:
                    return False
        except Bad:
            return False
    return True


# ---- streams ----


class Frame:
    def __init__(self, time, size, entries):
        self.time, self.size, self.entry_count = time, size, entries
        self.chunks = []  # (kind, index, bytes), of players, structures, pedestals, props, events
        self.extensions = []  # (hash, sub index, bytes)
        self.stray = 0


def entries(frame, data, end, sub_index, extension=EXTENSION):
    """Reads the entries of a frame from a Cursor."""
    for _ in range(frame.entry_count):
        kind, index = data.take("<Bi")
        sub = data.take("<i")[0] if kind == extension and sub_index else 0
        length = data.take("<i")[0]
        if length < 0 or data.at + length > end:
            raise Bad("an entry overruns its frame")
        chunk = data.bytes(length)
        if kind == extension:
            frame.extensions.append((index, sub, chunk))
        else:
            frame.chunks.append((kind, index, chunk))


class Cursor:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, form):
        size = struct.calcsize(form)
        if self.at + size > len(self.data):
            raise Bad("cut")
        values = struct.unpack_from(form, self.data, self.at)
        self.at += size
        return values

    def bytes(self, length):
        if length < 0 or self.at + length > len(self.data):
            raise Bad("cut")
        found = self.data[self.at : self.at + length]
        self.at += length
        return found

    def str7(self):
        length = shift = 0
        while True:
            byte = self.take("<B")[0]
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return self.bytes(length).decode("utf-8")


def framed(stream, count, sub_index, extension=EXTENSION):
    data, frames = Cursor(stream, 4), []
    for _ in range(count):
        size = data.take("<i")[0]
        end = data.at + size
        if size < 8 or end > len(stream):
            raise Bad("a frame overruns the stream")
        time, number = data.take("<fi")
        frame = Frame(time, size, number)
        entries(frame, data, end, sub_index, extension)
        frame.stray = end - data.at
        data.at = end
        frames.append(frame)
    return frames


def unframed(stream, count):
    data, frames = Cursor(stream, 4), []
    for _ in range(count):
        start = data.at
        time, number = data.take("<fi")
        frame = Frame(time, 0, number)
        entries(frame, data, len(stream), False)
        frame.size = data.at - start
        frames.append(frame)
    return frames


def walk(stream, count):
    for way in (lambda: framed(stream, count, True), lambda: framed(stream, count, False)):
        try:
            return way(), True
        except Bad:
            pass
    return unframed(stream, count), False


def known_chunks(frames, props):
    kinds = {PLAYER, STRUCTURE, PEDESTAL, EVENT} | ({PROP} if props else set())
    return [chunk for frame in frames for chunk in frame.chunks if chunk[0] in kinds]


def is_document(chunks, frames, props):
    """Whether there is a sign of Z4p, of which every chunk must fit the table."""
    if not explains([c for c in chunks if c[0] != PROP], 1, LAYOUTS["z4p"], STRICT):
        return False
    wide = short = False
    for kind, _, chunk in chunks:
        for number, data in fields(chunk, 1):
            if kind == PLAYER and number == 9 and len(data) == 1:
                return True
            known = LAYOUTS["z4p"].get(kind, {}).get(number)
            wide |= bool(known) and known[1] == "rot" and len(data) == 16
            short |= len(data) == 1 and (kind == STRUCTURE and number in (7, 8) or kind == EVENT and number == 0)
    return wide and short or not props and any(c[0] == PROP for f in frames for c in f.chunks)


def old_layout(chunks):
    """Z3, Z4a or Z4: by the size of rotations, then by that of bytes."""
    two_bytes = False
    for kind, _, chunk in chunks:
        for number, data in fields(chunk, 1):
            known = LAYOUTS["z4a"][kind].get(number)
            if known and known[1] == "rot" and len(data) == 16:
                return "z3"
            two_bytes |= bool(known) and known[1] in ("u8", "bool") and len(data) == 2
    return "z4a" if two_bytes else "z4"


def layout_of(frames, props):
    chunks = known_chunks(frames, props)
    if explains(chunks, 2, LAYOUTS["z5"], SIZES):
        return "z6" if props else "z5"
    if is_document(chunks, frames, props):
        return "z4p"
    return old_layout(chunks)


# ---- files ----


class Replay:
    """header as in manifest.json, frames, layout, and the archive's members."""

    def __init__(self, data):
        self.data, self.members, self.voices = data, [], []
        if data[:4] == b"RGZP":
            self.read_legacy()
        else:
            self.read_archive()
        self.table = LAYOUTS[self.layout]
        self.width = {"l1": None, "l2": 0, "z2": 0, "z5": 2, "z6": 2}.get(self.layout, 1)

    def read_archive(self):
        with zipfile.ZipFile(io.BytesIO(self.data)) as archive:
            for info in archive.infolist():
                if info.filename not in [name for name, _, _ in self.members]:
                    self.members.append((info.filename, archive.read(info), info.compress_size))
        contents = {name: content for name, content, _ in self.members}
        self.header = json.loads(contents["manifest.json"].decode("utf-8-sig"))
        if "voices.json" in contents:
            self.voices = json.loads(contents["voices.json"].decode("utf-8-sig"))["Tracks"]
        self.stream = brotli(contents["replay"])
        count = self.header["FrameCount"]
        self.frames, sized = walk(self.stream, count)
        props = "ScenePropCount" in self.header or "SceneProps" in self.header
        self.layout = layout_of(self.frames, props) if sized else "z2"
        if self.layout == "z4p":
            self.frames = framed(self.stream, count, False, extension=PROP)

    def read_legacy(self):
        inner = zlib.decompressobj(31).decompress(self.data[12:])
        self.members = [("gzip", inner, struct.unpack_from("<i", self.data, 8)[0])]
        cursor = Cursor(inner, 6)
        self.header = header = {"Version": cursor.str7(), "Scene": cursor.str7(), "DateUTC": cursor.str7()}
        header["FrameCount"], structures, header["FPS"], players = cursor.take("<4i")
        header["Players"] = [self.legacy_player(cursor) for _ in range(players)]
        types = cursor.take("<i")[0]
        header["Structures"] = [{"Type": cursor.take("<B")[0]} for _ in range(types)]
        for layout, way in (("l1", self.frames_l1), ("l2", self.frames_l2)):
            try:
                at = Cursor(inner, cursor.at)
                self.frames, self.layout = way(at, structures, players), layout
                if at.at == len(inner):
                    return
            except Bad:
                pass
        if not hasattr(self, "layout"):
            raise Bad("neither L1 nor L2")

    @staticmethod
    def legacy_player(cursor):
        player = {"ActorId": cursor.take("<B")[0], "MasterId": cursor.str7(), "Name": cursor.str7(),
                  "BattlePoints": cursor.take("<i")[0], "VisualData": cursor.str7(),
                  "EquippedShiftStones": list(cursor.take("<2h"))}
        player["Measurement"] = dict(zip(("Length", "ArmSpan"), cursor.take("<2f")))
        player["WasHost"] = cursor.take("<B")[0] != 0
        return player

    def frames_l1(self, cursor, structures, players):
        frames = []
        for _ in range(self.header["FrameCount"]):
            start = cursor.at
            frame = Frame(cursor.take("<f")[0], 0, 0)
            for kind, count, size in ((STRUCTURE, structures, 30), (PLAYER, players, 115)):
                for index in range(count):
                    flag = cursor.take("<B")[0]
                    if flag > 1:
                        raise Bad("a flag above 1")
                    if flag:
                        frame.chunks.append((kind, index, cursor.bytes(size)))
            frame.size = cursor.at - start
            frames.append(frame)
        return frames

    def frames_l2(self, cursor, structures, players):
        frames = []
        for _ in range(self.header["FrameCount"]):
            start = cursor.at
            frame = Frame(cursor.take("<f")[0], 0, 0)
            for kind, count in ((STRUCTURE, structures), (PLAYER, players)):
                for index in range(count):
                    flag, own = cursor.take("<BB")
                    if flag > 1 or own != kind:
                        raise Bad("a flag or a type")
                    if flag:
                        frame.chunks.append((kind, index, cursor.bytes(cursor.take("<i")[0])))
            frame.size = cursor.at - start
            frames.append(frame)
        return frames

    def changes(self, kind, chunk):
        """The values that a chunk stores."""
        table = self.table[kind]
        if self.width is None:
            order = LEGACY_L1_PLAYER if kind == PLAYER else range(4)
            found, at = [], 0
            for number in order:
                size = {"vec3": 12, "rot": 16, "i16": 2, "bool": 1}[table[number][1]]
                found.append((number, chunk[at : at + size]))
                at += size
        else:
            found = fields(chunk, self.width) if self.width else fixed_fields(chunk, table)
        return {table[n][0]: value_of(table[n][1], data) for n, data in found if n in table}

    def counts(self):
        header = self.header
        return {"players": len(header.get("Players") or []),
                "structures": len(header.get("Structures") or []),
                "pedestals": header.get("PedestalCount") or 0,
                "props": len(header.get("SceneProps") or [])}

    def play(self):
        """Yields (frame number, frame, rows, states): rows are (track, index, complete state)."""
        counts = self.counts()
        kinds = {kind: track for kind, track in TRACKS.items() if counts[track]}
        states = {(kind, i): state_before(self.table[kind])
                  for kind, track in kinds.items() for i in range(counts[track])}
        for number, frame in enumerate(self.frames):
            rows, seen = [], []
            for kind, index, chunk in frame.chunks:
                changes = self.changes(kind, chunk) if kind in self.table else {}
                if kind == EVENT:
                    rows.append(("events", 0, {**state_before(self.table[EVENT]), **changes}))
                elif (kind, index) in states and changes:  # an empty chunk says nothing
                    states[kind, index].update(changes)
                    if (kind, index) not in seen:  # an object that comes twice has one row
                        seen.append((kind, index))
                        rows.append((TRACKS[kind], index, states[kind, index]))
            yield number, frame, rows, states
            states = {key: dict(state) for key, state in states.items()}


def claims(path, data):
    if data[:4] == b"RGZP":
        return True
    if data[:2] != b"PK":
        return False
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return "manifest.json" in archive.namelist()


def expected(path, data):
    return rumble_answers.answers(Replay(data))


def generate(random, directory):
    import rumble_make  # which needs this module's tables

    rumble_make.generate(random, directory)
