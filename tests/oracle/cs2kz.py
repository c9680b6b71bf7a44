"""CS2KZ replays, read from docs/spec/cs2kz.md alone. cs2kz_answers.py says what follows."""

import struct

import cs2kz_answers
from compression import zstd

LARGEST_HEADER = 5242880
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
TYPES = ["manual", "cheater", "run", "jump"]
DETAILS_SIZE = {"manual": 136, "cheater": 648, "run": 432, "jump": 192}
STYLE_SIZE, ITEM_SIZE = 161, 360

TOP = [("server_tick", "I"), ("game_time", "f"), ("real_time", "f"), ("unix_time", "Q"),
       ("cmd_number", "I"), ("client_tick", "I"), ("forward", "f"), ("left", "f"), ("up", "f"),
       ("left_handed", "?")]
MOVEMENT = [("origin", "3f"), ("velocity", "3f"), ("angles", "3f"), ("buttons0", "I"), ("buttons1", "I"),
            ("buttons2", "I"), ("jump_pressed_time", "f"), ("duck_speed", "f"), ("duck_amount", "f"),
            ("duck_offset", "f"), ("last_duck_time", "f"), ("replay_flags", "B"), ("entity_flags", "I"),
            ("move_type", "B")]
CHECKPOINT = ("checkpoint", "3i")
PRESSES = [("press", "if"), ("usable", "if"), ("landing", "if3f")]
COMMAND = TOP[:4] + [("framerate", "f"), ("latency", "f"), ("average_loss", "f"), ("cmd_number", "I"),
                     ("client_tick", "I"), ("forward", "f"), ("left", "f"), ("up", "f"), ("buttons0", "Q"),
                     ("buttons1", "Q"), ("buttons2", "Q"), ("angles", "3f"), ("mouse_dx", "i"),
                     ("mouse_dy", "i"), ("sensitivity", "f"), ("m_yaw", "f"), ("m_pitch", "f")]


class Bad(Exception):
    pass


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def text(data):
    """A fixed array up to its NUL."""
    return data.split(b"\0")[0].decode("utf-8", "replace")


class Cursor:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, form):
        size = struct.calcsize("<" + form)
        if self.at + size > len(self.data):
            raise Bad("cut")
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += size
        return values

    def one(self, form):
        """One number, or a tuple of several."""
        values = self.take(form)
        return values[0] if len(values) == 1 else values

    def bytes(self, size):
        return self.take(f"{size}s")[0]


# ---- struct headers ----


def read_item(cursor):
    """The 360 bytes of an item, and how many attributes follow."""
    data = cursor.bytes(ITEM_SIZE)
    names = ("item_def", "quality", "level", "account_id", "item_id", "inventory_position")
    item = dict(zip(names, struct.unpack_from("<4iqi", data)))
    item.update(custom_name=text(data[28:189]), custom_name_override=text(data[189:350]))
    return item, struct.unpack_from("<i", data, 352)[0]


def read_attributes(cursor, count):
    return [cursor.take("iI") for _ in range(count)]


def mode_of(data):
    return {"name": text(data[:64]), "short_name": text(data[64:128]), "md5": text(data[128:161])}


def run_of(data, at):
    """The run header, with styles after it or before it, and where it ends."""
    def header(start):
        count, time, teleports = struct.unpack_from("<ifi", data, start + 420)
        return {"course_name": text(data[start : start + 256]), "mode": mode_of(data[start + 256 : start + 417]),
                "time": time, "teleports": teleports}, count

    def followed(end):
        return data[end + 12 : end + 16] == ZSTD_MAGIC

    def styles(start, count):
        return [mode_of(data[start + i * STYLE_SIZE : start + (i + 1) * STYLE_SIZE]) for i in range(count)]

    run, count = header(at)
    if 0 <= count <= 64 and followed(at + 432 + STYLE_SIZE * count):
        return {**run, "styles": styles(at + 432, count)}, at + 432 + STYLE_SIZE * count
    for number in range(1, 65):
        start = at + STYLE_SIZE * number
        if len(data) >= start + 448 and header(start)[1] == number and followed(start + 432):
            return {**header(start)[0], "styles": styles(at, number)}, start + 432
    raise Bad("styles")


def details_of(data, at, kind):
    if kind == "run":
        return run_of(data, at)
    part = data[at : at + DETAILS_SIZE[kind]]
    if kind == "jump":
        names = ("distance", "block_distance", "strafes", "sync", "pre", "max", "air_time")
        found = {"mode": mode_of(part), "jump_type": part[161],
                 **dict(zip(names, struct.unpack_from("<fiIffff", part, 164)))}
    elif kind == "cheater":
        found = {"reason": text(part[:512]), "reporter": {"name": text(part[512:640]),
                                                          "steam_id": struct.unpack_from("<Q", part, 640)[0]}}
    else:
        found = {"saved_by": {"name": text(part[:128]), "steam_id": struct.unpack_from("<Q", part, 128)[0]}}
    return found, at + len(part)


def struct_header(data):
    version, kind = struct.unpack_from("<II", data, 4)
    header = {"version": version, "type": TYPES[kind], "player": {
        "name": text(data[16:144]), "steam_id": struct.unpack_from("<Q", data, 144)[0]},
        "map": {"name": text(data[152:216]), "md5": text(data[216:249])}}
    at = 256
    for name in ("first_weapon", "gloves") if version == 1 else ("gloves",):
        cursor = Cursor(data, at)
        item, count = read_item(cursor)
        header[name] = (item, read_attributes(cursor, count))
        at += 616
    header["model_name"] = text(data[at : at + 256])
    header["timestamp"], plugin, header["server_version"], header["server_ip"], header["sensitivity"], \
        header["yaw"], header["pitch"], header["archived_timestamp"] = struct.unpack_from(
            "<Q32sIIfff4xQ", data, at + 256)
    header["plugin_version"] = text(plugin)
    header[header["type"]], end = details_of(data, 1816 if version == 1 else 1200, header["type"])
    return header, end


# ---- protobuf ----


def varint(cursor):
    value = shift = 0
    while True:
        byte = cursor.take("B")[0]
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value & (1 << 64) - 1


def int32(value):
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value


class Message:
    """Fields with their defaults; messages that come twice merge."""

    def __init__(self, data):
        cursor, self.fields = Cursor(data), {}
        while cursor.at < len(data):
            tag = varint(cursor)
            number, wire = tag >> 3, tag & 7
            if wire == 0:
                value = varint(cursor)
            elif wire == 1:
                value = cursor.bytes(8)
            elif wire == 2:
                value = cursor.bytes(varint(cursor))
            else:
                value = cursor.take("f")[0]
            self.fields.setdefault((number, wire), []).append(value)

    def number(self, field, usual=0):
        return self.fields.get((field, 0), [usual])[-1]

    def float(self, field, usual=0.0):
        return self.fields.get((field, 5), [usual])[-1]

    def text(self, field):
        return self.fields.get((field, 2), [b""])[-1].decode("utf-8", "replace")

    def inner(self, field):
        return Message(b"".join(self.fields.get((field, 2), [])))

    def has(self, field):
        return (field, 2) in self.fields


def person(message):
    return {"name": message.text(1), "steam_id": message.number(2)}


def mode_message(message):
    names = {"name": 1, "short_name": 2, "md5": 3}
    return {name: message.text(field) if message.has(field) else None for name, field in names.items()}


def details_message(root):
    found = {}
    if root.has(14):
        found["manual"] = {"saved_by": person(root.inner(14).inner(1))}
    if root.has(15):
        found["cheater"] = {"reason": root.inner(15).text(1), "reporter": person(root.inner(15).inner(2))}
    if root.has(16):
        run = root.inner(16)
        styles = [mode_message(Message(data)) for data in run.fields.get((3, 2), [])]
        found["run"] = {"course_name": run.text(1), "mode": mode_message(run.inner(2)), "styles": styles,
                        "time": run.float(4), "teleports": int32(run.number(5))}
    if root.has(17):
        jump = root.inner(17)
        found["jump"] = {"mode": mode_message(jump.inner(1)), "jump_type": jump.number(2),
                         "distance": jump.float(3), "block_distance": int32(jump.number(4)),
                         "strafes": jump.number(5), "sync": jump.float(6), "pre": jump.float(7),
                         "max": jump.float(8), "air_time": jump.float(9)}
    return found


def protobuf_header(data):
    size = struct.unpack_from("<I", data)[0]
    root = Message(data[4 : 4 + size])
    header = {"version": root.number(1), "type": TYPES[root.number(2)], "player": person(root.inner(3)),
              "map": {"name": root.inner(4).text(1), "md5": root.inner(4).text(2)}, "model_name": root.text(6),
              "timestamp": root.number(7), "plugin_version": root.text(8), "server_version": root.number(9),
              "server_ip": root.number(10), "sensitivity": root.float(11, 1.25), "yaw": root.float(12, f32(0.022)),
              "pitch": root.float(13, f32(0.022)), "archived_timestamp": 0, **details_message(root)}
    return header, 4 + size


# ---- sections ----


class Section:
    def __init__(self, name, offset, stored, size, count, data):
        self.name, self.offset, self.stored, self.size, self.count = name, offset, stored, size, count
        self.data = data


EIGHT = ["ticks", "tickSubticks", "weaponTable", "weaponEvents", "jumps", "events", "commands", "commandSubticks"]
SEVEN = [name for name in EIGHT if name != "weaponEvents"]
FIVE = ["ticks", "weaponChanges", "jumps", "events", "commands"]


def section_heads(data, at):
    while at + 12 <= len(data):
        stored, size, count = struct.unpack_from("<III", data, at)
        yield at, stored, size, count
        at += 12 + stored


def is_published(data, at):
    """P, or A1 with a capital magic."""
    heads = list(section_heads(data, at))
    if len(heads) < 2:
        return False
    (_, _, _, n1), (_, _, u2, n2) = heads[:2]
    if n1 or n2 or u2:
        return not (n2 == n1 and u2 == 1540 * n1)
    last = heads[-1]
    return len(heads) == 5 and last[0] + 12 + last[1] == len(data)


class Replay:
    def __init__(self, data):
        self.data = data
        if data[:4].lower() == b"s2kz":
            self.header, at = struct_header(data)
            self.generation, self.layout = "struct", f"a{self.header['version']}"
            if data[:4] == b"S2KZ" and self.layout == "a1" and is_published(data, at):
                self.layout = "p"
        else:
            self.header, at = protobuf_header(data)
            self.generation, self.layout = "protobuf", f"b{self.header['version']}"
        names = FIVE if self.layout == "p" else EIGHT if self.layout in ("a1", "a2") else SEVEN
        self.sections = {}
        for name, (offset, stored, size, count) in zip(names, section_heads(data, at)):
            packed = data[offset + 12 : offset + 12 + stored]
            self.sections[name] = Section(name, offset, stored, size, count, zstd(packed, size))
        self.read_ticks()
        self.read_commands()
        self.read_weapons()
        self.read_jumps()
        self.read_events()

    def section(self, name):
        return self.sections.get(name) or Section(name, 0, 0, 0, 0, b"")

    # ---- ticks ----

    def stored_fields(self, cursor):
        """{place: value} of the next tick; places are top names, pre.x, post.x and groups."""
        if self.layout == "p":
            words = cursor.take("3Q")
            plan = [(words[0] >> bit & 1, name, form) for bit, (name, form) in enumerate(TOP + [CHECKPOINT])]
            for word, part in ((words[1], "pre"), (words[2], "post")):
                plan += [(word >> bit & 1, f"{part}.{name}", form) for bit, (name, form) in enumerate(MOVEMENT)]
        else:
            word = cursor.take("Q")[0]
            plan = [(word >> bit & 1, name, form) for bit, (name, form) in enumerate(TOP)]
            if self.layout not in ("a1", "a2"):
                plan.append((word >> 39 & 1, "weapon", "i"))
            plan += [(word >> 10 + bit & 1, f"pre.{name}", form) for bit, (name, form) in enumerate(MOVEMENT)]
            plan += [(word >> 24 + bit & 1, f"post.{name}", form) for bit, (name, form) in enumerate(MOVEMENT)]
            plan.append((word >> 38 & 1, *CHECKPOINT))
            first = {"b2": 39, "b3": 40, "b4": 40, "b5": 40}.get(self.layout)
            plan += [(word >> first + i & 1, name, form) for i, (name, form) in enumerate(PRESSES)] if first else []
        return {name: cursor.one(form) for there, name, form in plan if there}

    def first_tick(self):
        """What the first tick follows: the state before anything is stored."""
        last = {name: False if form == "?" else 0 for name, form in TOP}
        last.update({f"post.{name}": (0.0, 0.0, 0.0) if form == "3f" else 0 for name, form in MOVEMENT})
        last.update({"server_tick": -1, "post.move_type": 2, "checkpoint": (0, 0, 0)})
        if self.layout not in ("a1", "a2", "p"):
            last["weapon"] = 0
        if self.layout in ("b2", "b3", "b4", "b5"):
            last.update(press=(0, 0.0), usable=(0, 0.0), landing=(0, 0.0, 0.0, 0.0, 0.0))
        return last

    def read_ticks(self):
        section = self.section("ticks")
        cursor, last = Cursor(section.data), self.first_tick()
        self.ticks, self.moves = [], []
        for _ in range(section.count):
            stored = self.stored_fields(cursor)
            tick = {name: value for name, value in last.items() if "." not in name}
            tick["server_tick"] = last["server_tick"] + 1 & 0xFFFFFFFF
            tick.update({f"pre.{name}": last[f"post.{name}"] for name, _ in MOVEMENT})
            tick.update({name: value for name, value in stored.items() if not name.startswith("post.")})
            tick.update({f"post.{name}": stored.get(f"post.{name}", tick[f"pre.{name}"]) for name, _ in MOVEMENT})
            self.ticks.append(tick)
            last = tick
            if self.layout == "p":
                self.moves.append([cursor.bytes(24) for _ in range(cursor.one("I"))])
        if self.layout != "p":
            self.moves = self.slots("tickSubticks")

    def slots(self, name):
        slots = 36 if self.layout in ("b4", "b5") else 64
        section, size = self.section(name), 4 + 24 * slots
        found = []
        for at in range(0, section.count * size, size):
            count = min(struct.unpack_from("<I", section.data, at)[0], slots)
            found.append([section.data[at + 4 + 24 * i : at + 28 + 24 * i] for i in range(count)])
        return found

    def read_commands(self):
        section = self.section("commands")
        cursor = Cursor(section.data)
        last = {name: (0.0, 0.0, 0.0) if form == "3f" else 0 for name, form in COMMAND}
        self.commands, self.command_moves = [], []
        for number in range(section.count):
            word = cursor.take("Q")[0]
            command = dict(last)
            if number:
                command["server_tick"] = last["server_tick"] + 1 & 0xFFFFFFFF
                command["game_time"] = f32(last["game_time"] + 0.015625)
            for bit, (name, form) in enumerate(COMMAND):
                if word >> bit & 1:
                    command[name] = cursor.one(form)
            self.commands.append(command)
            last = command
            if self.layout == "p":
                self.command_moves.append([cursor.bytes(24) for _ in range(cursor.one("I"))])
        if self.layout != "p":
            self.command_moves = self.slots("commandSubticks")

    # ---- tables ----

    def read_weapons(self):
        """weapons: (number, item, attributes); weapon_events: (tick, number)."""
        self.weapons, self.weapon_events = [], []
        if self.layout == "p":
            return self.read_changes()
        section = self.section("weaponTable")
        cursor = Cursor(section.data)
        inner = self.layout in ("a1", "a2")
        for index in range(cursor.one("i") if inner else section.count):
            number = index if inner else cursor.one("i")
            item, count = read_item(cursor)
            self.weapons.append((number, item, read_attributes(cursor, count)))
        if inner:
            cursor = Cursor(self.section("weaponEvents").data)
            self.weapon_events = [cursor.take("IH") for _ in range(cursor.one("i"))]

    def read_changes(self):
        cursor = Cursor(self.section("weaponChanges").data)
        known = [self.header["first_weapon"]]
        for _ in range(self.section("weaponChanges").count):
            tick = cursor.one("I")
            item, count = read_item(cursor)
            change = (item, read_attributes(cursor, count))
            if change not in known:
                known.append(change)
            self.weapon_events.append((tick, known.index(change)))
        self.weapons = [(number, *item) for number, item in enumerate(known)]

    def read_jumps(self):
        cursor = Cursor(self.section("jumps").data)
        self.jumps = [self.read_jump(cursor) for _ in range(cursor.one("i") if cursor.data else 0)]

    def read_jump(self, cursor):
        vectors = ("takeoff_origin", "adjusted_takeoff_origin", "takeoff_velocity", "landing_origin",
                   "adjusted_landing_origin")
        jump = {"server_tick": cursor.one("I"), **{name: cursor.take("3f") for name in vectors}}
        jump["jump_type"], jump["distance_tier"] = cursor.take("BB2x")
        floats = ("total_distance", "max_speed", "max_height", "airtime", "duck_duration", "duck_end_duration",
                  "release", "block", "edge", "landing_edge")
        jump.update(zip(floats, cursor.take("10f")))
        jump["invalid_reason"] = text(cursor.bytes(256))
        names = ("duration", "bad_angles", "overlap", "dead_air", "sync_duration", "width", "air_gain", "max_gain",
                 "air_loss", "collision_gain", "collision_loss", "external_gain", "external_loss", "max_speed",
                 "has_ratio", "ratio_max", "ratio_median", "ratio_average")
        jump["strafes"] = [dict(zip(names, cursor.take("14f?3x3f"))) for _ in range(cursor.one("i"))]
        jump["calls"] = [self.read_call(cursor) for _ in range(cursor.one("i"))]
        return jump

    def read_call(self, cursor):
        call = dict(zip(("strafe", "external_speed_diff", "prev_yaw", "current_yaw"), cursor.take("I3f")))
        parts = cursor.take("2f") if self.layout == "b5" else (0.0, 1.0)
        call["start_fraction"], call["end_fraction"] = parts
        call["wish_dir"] = cursor.take("3f")
        names = ("wish_speed", "acceleration", "surface_friction", "duration", "buttons0", "buttons1", "buttons2")
        call.update(zip(names, cursor.take("4f3I")))
        call["velocity_before"], call["velocity_after"] = cursor.take("3f"), cursor.take("3f")
        call["ducking"] = cursor.take("?3x")[0]
        return call

    def read_events(self):
        data = self.section("events").data
        self.events = []
        for at in range(0, len(data), 172):
            part = data[at : at + 172]
            kind, tick = struct.unpack_from("<II", part)
            event = {"type": kind, "server_tick": tick}
            if kind == 0:
                event.update(zip(("timer", "number", "run_time"), struct.unpack_from("<iif", part, 8)))
            elif kind in (1, 2):
                event.update(name=text(part[8:72]), md5=text(part[136:169]))
                if kind == 2:
                    event["clear_styles"] = part[169] != 0
            elif kind == 3:
                for i, name in enumerate(("origin", "angles", "velocity")):
                    event[f"has_{name}"] = part[8 + i] != 0
                    if part[8 + i]:
                        event[name] = struct.unpack_from("<3f", part, 12 + 12 * i)
            self.events.append(event)


def claims(path, data):
    if data[:4] in (b"s2kz", b"S2KZ"):
        return True
    size = int.from_bytes(data[:4], "little")
    # A protobuf header begins with the version: field 1, a varint.
    return 1 <= size <= LARGEST_HEADER and 4 + size <= len(data) and data[4:5] == b"\x08"


def expected(path, data):
    return cs2kz_answers.answers(path, Replay(data))


def generate(random, directory):
    import cs2kz_make  # which needs this module's tables

    cs2kz_make.generate(random, directory)
