"""Makes CS2KZ replays of every layout from a random generator, for cs2kz.py to read."""

import struct

from compression import zstd_compress
from cs2kz import COMMAND, MOVEMENT, PRESSES, TOP, TYPES

LAYOUTS = ("a1", "a2", "a3", "b1", "b2", "b3", "b4", "b5", "p")
HOUR_TICKS = 64 * 3600


def array(text, size):
    return text.encode()[: size - 1].ljust(size, b"\0")


def varint(number):
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def field(number, value):
    """A protobuf field by the kind of its value."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


class Maker:
    def __init__(self, random, layout, kind, many=0):
        self.random, self.layout, self.kind, self.many = random, layout, kind, many
        self.count = random.randint(90, 160)
        self.ticks = self.tick_numbers()

    def tick_numbers(self):
        random, now, found = self.random, self.random.randrange(HOUR_TICKS), []
        for _ in range(self.count):
            found.append(now)
            now += 1 if random.random() < 0.97 else random.randint(2, 60)
        return found

    def floats(self, count, reach=500.0):
        return [self.random.uniform(-reach, reach) for _ in range(count)]

    # ---- ticks ----

    def motion(self):
        """Places, speeds and states of the player, tick by tick."""
        random = self.random
        origin, air, buttons, counts = self.floats(3), False, 0, [-1, 0, 0]
        for tick in self.ticks:
            if random.random() < 0.12:
                air = not air
            if random.random() < 0.3:
                buttons ^= random.choice([0x2, 0x4, 0x8, 0x10, 0x200, 0x400, 0x200, 0x400])
            if random.random() < 0.03:
                counts = [counts[0] + 1, counts[1] + 1, counts[2]]
            leap = counts[1] and random.random() < 0.03
            if leap:
                counts = [counts[0], counts[1], counts[2] + 1]
                origin = self.floats(3)
            before = list(origin)
            velocity = [*self.floats(2, 300), random.uniform(-200, 200) if air else 0.0]
            origin = [o + v / 64 for o, v in zip(origin, velocity)]
            flags = random.choice([0, 0, 0, 2, 3])
            yield {"tick": tick, "before": before, "origin": origin, "velocity": velocity,
                   "angles": [random.uniform(-80, 80), random.uniform(-180, 180), 0.0], "buttons": buttons,
                   "duck": random.choice([0.0, 0.0, 0.4, 1.0]), "duck_flags": flags, "ground": not air,
                   "counts": list(counts)}

    def movement(self, state, origin, post):
        """Which of the fourteen fields are stored, and their values."""
        values = {"origin": origin, "velocity": state["velocity"], "angles": state["angles"],
                  "buttons0": state["buttons"], "buttons1": self.random.randrange(4096), "buttons2": 0,
                  "jump_pressed_time": 1.5, "duck_speed": 8.0, "duck_amount": state["duck"], "duck_offset": 0.0,
                  "last_duck_time": 2.25, "replay_flags": state["duck_flags"],
                  "entity_flags": 128 | state["ground"], "move_type": 2}
        always = {"origin", "velocity", "angles", "buttons0", "duck_amount", "replay_flags", "entity_flags"}
        return {name: values[name] for name, _ in MOVEMENT
                if post and name in always or self.random.random() < 0.2}

    def tick_bytes(self, at, state, last):
        random = self.random
        top = {"server_tick": state["tick"], "game_time": state["tick"] / 64, "unix_time": 1763000000 + at // 64,
               "cmd_number": 100 + at, "forward": random.choice([-1.0, 0.0, 1.0]), "left_handed": at % 2 == 0}
        if at and state["tick"] == last + 1:
            del top["server_tick"]
        parts = [self.movement(state, state["before"], False), self.movement(state, state["origin"], True)]
        weapon = random.randint(-1, 2) if random.random() < 0.1 else None
        presses = {name: (at, 0.5, *([1.0, 2.0, 3.0] if name == "landing" else [])) for name, _ in PRESSES
                   if random.random() < 0.1}
        return self.pack(top, parts, weapon, state["counts"], presses)

    def pack(self, top, parts, weapon, counts, presses):
        def body(fields, values):
            return b"".join(struct.pack("<" + form, *(values[n] if isinstance(values[n], (list, tuple)) else [values[n]]))
                            for n, form in fields if n in values)

        def word(fields, values, first=0):
            return sum(1 << first + bit for bit, (n, _) in enumerate(fields) if n in values)

        counted = struct.pack("<3i", *counts)
        if self.layout == "p":
            words = (word(TOP, top) | 1 << 10, word(MOVEMENT, parts[0]), word(MOVEMENT, parts[1]))
            return struct.pack("<3Q", *words) + body(TOP, top) + counted + body(MOVEMENT, parts[0]) + \
                body(MOVEMENT, parts[1])
        flags = word(TOP, top) | word(MOVEMENT, parts[0], 10) | word(MOVEMENT, parts[1], 24) | 1 << 38
        held = b""
        first = {"b2": 39, "b3": 40, "b4": 40, "b5": 40}.get(self.layout)
        presses = presses if first else {}
        if self.layout == "b2" and ("press" in presses or weapon is not None):
            presses.setdefault("press", (1, 0.25))
            weapon = 0 if weapon is None else weapon
        if weapon is not None and self.layout not in ("a1", "a2"):
            flags |= 1 << 39
            held = struct.pack("<i", weapon)
        flags |= word(PRESSES, presses, first or 0)
        return struct.pack("<Q", flags) + body(TOP, top) + held + body(MOVEMENT, parts[0]) + \
            body(MOVEMENT, parts[1]) + counted + body(PRESSES, presses)

    def move(self):
        button = self.random.choice([0, 0x2, 0x200, 0x400])
        head = struct.pack("<fI", self.random.random(), button)
        return head + (bytes([self.random.randrange(2)]) + b"\0" * 7 if button else struct.pack("<2f", *self.floats(2, 1))) \
            + struct.pack("<2f", *self.floats(2, 1))

    def moves(self):
        return [self.move() for _ in range(self.random.choice([0, 0, 0, 1, 3]))]

    def slots(self, entries):
        slots = 36 if self.layout in ("b4", "b5") else 64
        return b"".join(struct.pack("<I", len(m)) + b"".join(m).ljust(24 * slots, b"\0") for m in entries)

    def sized_moves(self, entry):
        return struct.pack("<I", len(entry)) + b"".join(entry)

    # ---- other sections ----

    def command_bytes(self, tick):
        random = self.random
        values = {"server_tick": tick, "latency": random.uniform(0.01, 0.2), "average_loss": random.uniform(0, 0.1),
                  "framerate": random.uniform(60, 400), "buttons0": random.getrandbits(40), "angles": self.floats(3, 90),
                  "mouse_dx": random.randint(-50, 50)}
        kept = [(bit, form, values[n]) for bit, (n, form) in enumerate(COMMAND) if n in values
                and (n == "server_tick" or random.random() < 0.5)]
        return struct.pack("<Q", sum(1 << bit for bit, _, _ in kept)) + b"".join(
            struct.pack("<" + form, *(v if isinstance(v, list) else [v])) for _, form, v in kept)

    def item(self):
        random = self.random
        count = random.randint(0, 3)
        main = struct.pack("<4iqi", random.randint(1, 600), random.randint(0, 9), 1, random.getrandbits(30),
                           random.getrandbits(40), 7) + array("tool %d" % random.randrange(99), 161) + array("", 161)
        return main.ljust(352, b"\0") + struct.pack("<i4x", count), [
            struct.pack("<if", random.randint(1, 120), random.random()) for _ in range(count)]

    def weapons(self):
        items = [self.item() for _ in range(3)]
        table = b"".join((b"" if self.layout in ("a1", "a2") else struct.pack("<i", number)) + main + b"".join(extra)
                         for number, (main, extra) in enumerate(items))
        return items, table

    def jump(self, tick):
        random = self.random
        out = struct.pack("<I15f", tick, *self.floats(15)) + bytes([random.choice([0, 1, 2, 9, 255]), random.randrange(7)])
        out += b"\0\0" + struct.pack("<10f", *(abs(v) for v in self.floats(10, 300)))
        out += array(random.choice(["", "", "too low"]), 256)
        strafes = random.randint(0, 4)
        out += struct.pack("<i", strafes)
        for _ in range(strafes):
            out += struct.pack("<14f?3x3f", *(random.uniform(0, 1) for _ in range(14)), True, 1.0, 2.0, 3.0)
        calls = random.randint(0, 3) if strafes else 0
        out += struct.pack("<i", calls)
        for _ in range(calls):
            out += struct.pack("<I3f", random.randrange(strafes), *self.floats(3, 180))
            out += struct.pack("<2f", 0.25, 0.75) if self.layout == "b5" else b""
            out += struct.pack("<7f3I6f?3x", *self.floats(7, 30), 8, 1, 2, *self.floats(6, 300), True)
        return out

    def timer(self, tick, kind, number, time):
        return (struct.pack("<IIiif", 0, tick, kind, number, time)).ljust(172, b"\0")

    def events(self):
        """A false start, then a run with splits and perhaps a pause."""
        random, ticks = self.random, self.ticks
        out = [(struct.pack("<II", 1, 0) + array("Classic", 64)).ljust(172, b"\0")]
        if self.kind != "run":
            return out
        out += [self.timer(ticks[2], 0, 1, 0.0), self.timer(ticks[5], 2, -1, (ticks[5] - ticks[2]) / 64)]
        start, time, last = ticks[10], 0.0, ticks[10]
        out.append(self.timer(start, 0, 1, 0.0))
        number, paused = 0, False
        for at in sorted(random.sample(range(15, len(ticks) - 12), 9)):
            time += 0 if paused else (ticks[at] - last) / 64
            last = ticks[at]
            if paused or random.random() < 0.2:
                out.append(self.timer(last, 4 if paused else 3, -1, time))
                paused = not paused
            else:
                number += 1
                out.append(self.timer(last, random.choice([5, 5, 6, 7]), number, time))
        if paused:
            last = ticks[-11]
            out.append(self.timer(last, 4, -1, time))
        time += (ticks[-10] - last) / 64
        self.time = time
        out.append(self.timer(ticks[-10], 1, 1, time))
        return out

    # ---- files ----

    def style(self, name):
        return array(name, 64) + array(name[:3], 64) + array("0" * 32, 33)

    def block(self):
        return self.random.choice([-1, 0, 230])

    def details(self):
        if self.kind == "run":
            styles = ["Auto", "Low"][: self.random.randrange(3)]
            run = array("Main", 256) + self.style("Vanilla") + b"\0" * 3
            return run + struct.pack("<ifi", len(styles), self.time, 3) + b"".join(map(self.style, styles))
        if self.kind == "jump":
            return self.style("Classic") + bytes([2]) + b"\0\0" + struct.pack("<fiIffff", 250.5, self.block(), 6, 0.8, 270, 300, 0.75)
        if self.kind == "cheater":
            return array("too good", 512) + array("Reporter", 128) + struct.pack("<Q", 76561198000000001)
        return array("Saver", 128) + struct.pack("<Q", 76561198000000002)

    def details_message(self):
        mode = field(1, "Vanilla") + field(2, "VNL") + field(3, "1" * 32)
        if self.kind == "run":
            return field(16, field(1, "Main") + field(2, mode) + field(3, field(1, "Auto")) + field(4, float(self.time))
                         + field(5, 2))
        if self.kind == "jump":
            return field(17, field(1, mode) + field(2, 1) + field(3, 251.25) + field(4, self.block()) + field(5, 7)
                         + field(6, 0.9) + field(7, 271.0) + field(8, 301.0) + field(9, 0.75))
        if self.kind == "cheater":
            return field(15, field(1, "aims") + field(2, field(1, "R") + field(2, 76561198000000003)))
        return field(14, field(1, field(1, "S") + field(2, 76561198000000004)))

    def header(self, first_weapon):
        random = self.random
        name, account, stamp = "Müller %d" % random.randrange(99), 76561198000000000 + random.getrandbits(30), \
            1763000000 + random.randrange(10**7)
        if self.layout[0] == "b":
            person = field(1, name) + field(2, account)
            out = field(1, int(self.layout[1])) + field(2, TYPES.index(self.kind)) + field(3, person)
            out += field(4, field(1, "kz_made") + field(2, "a" * 32)) + field(7, stamp) + field(8, "0.0.140")
            out += field(9, 2000123) + field(10, 0xC0000200 + random.randrange(255)) + field(11, 2.5)
            out += self.details_message()
            return struct.pack("<I", len(out)) + out
        version = 1 if self.layout == "p" else int(self.layout[1])
        out = (b"S2KZ" if self.layout == "p" else b"s2kz") + struct.pack("<II4x", version, TYPES.index(self.kind))
        out += array(name, 128) + struct.pack("<Q", account) + array("kz_made", 64) + array("b" * 32, 33) + b"\0" * 7
        weapon = (first_weapon[0] + b"".join(first_weapon[1])).ljust(616, b"\0")
        out += (weapon if version == 1 else b"") + b"\0" * 616 + array("model", 256)
        out += struct.pack("<Q32sIIfff4xQ", stamp, b"0.0.74", 2000321, 0xC0000201, 1.5, 0.022, 0.022,
                           random.choice([0, stamp + 99]))
        return out + self.details()

    def section(self, data, count):
        packed = zstd_compress(data)
        return struct.pack("<III", len(packed), len(data), count) + packed

    def file(self):
        random = self.random
        last, ticks = None, []
        for at, state in enumerate(self.motion()):
            ticks.append(self.tick_bytes(at, state, last))
            last = state["tick"]
        commands = [self.command_bytes(tick) for tick in self.ticks if random.random() < 0.9]
        moves, command_moves = [self.moves() for _ in ticks], [self.moves() for _ in commands]
        items, table = self.weapons()
        jumps = [self.jump(tick) for tick in sorted(random.sample(self.ticks, random.randint(0, 4)))]
        events = self.events()
        if self.many:  # more than `stats` lists
            jumps = (jumps + [self.jump(self.ticks[3])]) * (self.many // (len(jumps) + 1) + 1)
            events += [struct.pack("<II", 3, self.ticks[-1]).ljust(172, b"\0")] * self.many
        changes = sorted(random.sample(self.ticks, 3))
        tail = self.section(struct.pack("<i", len(jumps)) + b"".join(jumps), len(jumps))
        tail += self.section(b"".join(events), len(events))
        if self.layout == "p":
            ticks = [tick + self.sized_moves(m) for tick, m in zip(ticks, moves)]
            commands = [command + self.sized_moves(m) for command, m in zip(commands, command_moves)]
            changed = [struct.pack("<I", tick) + items[i][0] + b"".join(items[i][1]) for i, tick in enumerate(changes)]
            return self.header(items[0]) + self.section(b"".join(ticks), len(ticks)) + \
                self.section(b"".join(changed), 3) + tail + self.section(b"".join(commands), len(commands))
        out = self.header(items[0]) + self.section(b"".join(ticks), len(ticks)) + self.section(self.slots(moves), len(ticks))
        if self.layout in ("a1", "a2"):
            out += self.section(struct.pack("<i", 3) + table, 3)
            changed = b"".join(struct.pack("<IH", tick, i) for i, tick in enumerate(changes))
            out += self.section(struct.pack("<i", 3) + changed, 3)
        else:
            out += self.section(table, 3)
        return out + tail + self.section(b"".join(commands), len(commands)) + \
            self.section(self.slots(command_moves), len(commands))


def generate(random, directory):
    kinds = TYPES + ["run"] * (len(LAYOUTS) - len(TYPES))
    random.shuffle(kinds)
    for layout, kind in zip(LAYOUTS, kinds):
        (directory / f"{layout}-{kind}.replay").write_bytes(Maker(random, layout, kind).file())
    many = Maker(random, random.choice(LAYOUTS), "run", 5000 + random.randint(1, 200))
    (directory / "many-jumps.replay").write_bytes(many.file())
