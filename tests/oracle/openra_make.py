"""Writes OpenRA replays of all dialects with random content, as docs/spec/openra.md has them."""

import io
import struct
import zipfile

DIALECTS = ("a", "b", "c", "p8", "p9", "p11", "p20", "p21")
RELEASES = {"a": "release-20150614", "b": "release-20180923", "c": "release-20190314", "p8": "release-20200202",
            "p9": "release-20200503", "p11": "release-20210321", "p20": "release-20231010", "p21": "release-20250330"}
PROTOCOLS = {"p8": 8, "p9": 9, "p11": 12, "p20": 20, "p21": 21}
SPEEDS = {"slowest": (80, 2), "slower": (50, 3), "default": (40, 3), "fast": (35, 4), "faster": (30, 4),
          "fastest": (20, 6)}
NAMES = ("Move AttackMove AssaultMove Scatter Attack ForceAttack Stop Guard DeployTransform StartProduction "
         "PauseProduction CancelProduction PlaceBuilding LineBuild PlacePlug Sell RepairBuilding PowerDown "
         "PrimaryProducer SetRallyPoint SetUnitStance CreateGroup PlaceBeacon NukePowerInfoOrder Chronoshift "
         "Enter Infiltrate Harvest Dock Surrender DevAll PauseGame").split()
ITEMS = ("e1", "3tnk", "powr", "proc", "fact", "weap", "Ünit", "")
NOW = 0x7FFFFFFF


def text(value):
    data, size = value.encode(), b""
    length = len(data)
    while length > 127:
        size, length = size + bytes([length & 127 | 128]), length >> 7
    return size + bytes([length]) + data


def packet(client, frame, payload):
    return struct.pack("<iii", client, 4 + len(payload), frame) + payload


class Writer:
    def __init__(self, random, dialect):
        self.random, self.dialect = random, dialect
        self.level = DIALECTS.index(dialect)
        self.clients = random.sample(range(1, 90), random.randint(1, 4))
        self.bot = max(self.clients) + 1 if random.random() < 0.6 else None
        self.speed = random.choice(list(SPEEDS))
        self.frames = random.randint(20, 1200) if random.random() < 0.2 else random.randint(5, 90)
        self.names = {c: random.choice(("Ann", "Bob", "Čeněk", "名前", "x y")) + str(c) for c in self.clients}

    # ---- orders ----

    def immediate(self, name, value, extra=None):
        if self.level < 3:
            return b"\xfe" + text(name) + text(value)
        flags = 4 | (0x20 if extra is not None else 0)
        form = "<h" if self.level >= 5 else "<B"
        tail = struct.pack("<I", extra) if extra is not None else b""
        return b"\xff" + text(name) + struct.pack(form, flags) + text(value) + tail

    def cell(self):
        x, y, layer = self.random.randint(-3, 127), self.random.randint(-3, 127), self.random.randint(0, 3)
        if self.level == 0:
            return struct.pack("<ii", x, y)
        if self.level == 1:
            return struct.pack("<iiB", x, y, layer)
        return struct.pack("<I", (x & 0xFFF) << 20 | (y & 0xFFF) << 8 | layer)

    def actors(self):
        count = self.random.randint(0, 5)
        return struct.pack(f"<i{count}I", count, *(self.random.randint(1, 60) for _ in range(count)))

    def target(self, is_cell):
        random = self.random
        kind = 2 if is_cell else random.choice((1, 2, 3))
        if kind == 1:
            generation = struct.pack("<i", random.randint(-1, 9)) if self.level >= 6 else b""
            return b"\1" + struct.pack("<I", random.randint(0, 2000)) + generation
        if kind == 3:
            return b"\3" + struct.pack("<II", random.randint(0, 9), random.randint(0, 2000))
        if is_cell:
            return b"\2" + self.cell() + (struct.pack("<i", 0) if self.level == 1 else b"\0")
        place = struct.pack("<iii", random.randint(-2000, 130000), random.randint(-2000, 130000), 0)
        if self.level < 7:
            return b"\2" + place
        more = random.randint(-1, 2)
        return b"\2" + place + struct.pack("<h", more) + struct.pack("<iii", 1, -2, 3) * max(more, 0)

    def order(self):
        random = self.random
        name, level = random.choice(NAMES), self.level
        item = None if random.random() < 0.4 else random.choice(ITEMS)
        if name == "PauseGame":
            item = random.choice(("Pause", "UnPause"))
        flags, is_cell = 8 * (random.random() < 0.2), random.random() < 0.7
        has = {bit: random.random() < chance for bit, chance in
               ((0x01, 0.7), (0x02, 0.3), (0x10, 0.2), (0x20, 0.4), (0x80, 0.8), (0x100, 0.4))}
        parts = b""
        if level < 3:
            parts += struct.pack("<I", random.randint(1, 60) if has[0x80] else 0xFFFFFFFF)
        fields = b""
        if level >= 3 and has[0x80]:
            flags, fields = flags | 0x80, fields + struct.pack("<I", random.randint(1, 60))
        if level == 0:
            if has[0x01] and not is_cell:
                flags, fields = flags | 1, fields + struct.pack("<I", random.randint(0, 2000))
            elif has[0x01]:
                flags, fields = flags | 2, fields + self.cell()
        elif has[0x01]:
            flags, fields = flags | 1 | 0x40 * is_cell, fields + self.target(is_cell)
        if item is not None:
            flags, fields = flags | 4, fields + text(item)
        if level >= 4 and has[0x02]:
            flags, fields = flags | 2, fields + self.actors()
        if has[0x10]:
            flags, fields = flags | 0x10, fields + self.cell()
        if has[0x20]:
            flags, fields = flags | 0x20, fields + struct.pack("<I", random.choice((0, 1, 2, 3, 4, 7)))
        if level >= 5 and has[0x100]:
            flags, fields = flags | 0x100, fields + self.actors()
        return b"\xff" + text(name) + parts + struct.pack("<h" if level >= 5 else "<B", flags) + fields

    # ---- texts ----

    def color(self):
        if self.level < 3:
            return ",".join(str(self.random.randint(0, 255)) for _ in range(3))
        return "".join(f"{self.random.randint(0, 255):02X}" for _ in range(3))

    def lobby(self, server):
        lines = []
        for client in self.clients + ([self.bot] if self.bot else []):
            faction = "Race" if self.level == 0 else "Faction"
            name, bot = self.names.get(client, "Rush AI"), "rush" if client == self.bot else ""
            lines += [f"Client@{client}:", f"\tIndex: {client}", f"\tColor: {self.color()}",
                      f"\t{faction}: allies", f"\tName: {name}", f"\tTeam: {client % 3}", f"\tSlot: Multi{client}",
                      f"\tBot: {bot}".rstrip()]
        tick, latency = SPEEDS[self.speed]
        lines += ["GlobalSettings:", f"\tServerName: {server}", "\tMap: " + "ab" * 20, f"\tRandomSeed: {tick}",
                  "\tGameUid: " + "cd" * 8]
        if self.level < 6:
            lines += [f"\tTimestep: {tick}", f"\tOrderLatency: {latency}"]
        lines += ["\tOptions:", "\t\tgamespeed:", f"\t\t\tValue: {self.speed}", "\t\tcrates:", "\t\t\tValue: True"]
        return "\n".join(lines) + "\n"

    def trailer(self):
        lines = ["Root:", "\tMod: ra", f"\tVersion: {RELEASES[self.dialect]}", "\tMapUid: " + "ab" * 20,
                 "\tMapTitle: Île \\# 2", "\tStartTimeUtc: 2023-04-05 06-07-08", "\tEndTimeUtc: 0001-01-01 00-00-00"]
        for i, client in enumerate(self.clients + ([self.bot] if self.bot else [])):
            outcome = self.random.choice(("Won", "Lost", "Undefined"))
            lines += [f"Player@{i}:", f"\tClientIndex: {client}", f"\tName: {self.names.get(client, 'Rush AI')}",
                      f"\tIsBot: {client == self.bot}", "\tFactionName: Allies", "\tFactionId: allies",
                      f"\tColor: {self.color()}", f"\tTeam: {client % 3}", f"\tOutcome: {outcome}"]
        return ("\n".join(lines) + "\n").encode()

    # ---- the stream ----

    def sync(self, client, frame):
        same, odd = frame * 7919 & 0x7FFFFFFF, self.random.random() < 0.01
        value = same ^ odd
        if self.level >= 5:
            defeat = 4 if frame > self.frames * 2 // 3 else 0
            return packet(client, frame, b"\x65" + struct.pack("<iQ", value, defeat))
        count = self.random.randint(1, 3) if self.level == 0 else 1
        return packet(client, frame, b"\x65" + struct.pack("<i", value) * count)

    def greetings(self):
        shake = f"Handshake:\n\tMod: ra\n\tVersion: {RELEASES[self.dialect]}\n"
        answer = shake + "\tPassword: hidden\n"
        if self.dialect in PROTOCOLS and self.random.random() < 0.8:
            answer += f"\tOrdersProtocol: {PROTOCOLS[self.dialect]}\n"
        client = self.clients[0]
        yield packet(0, 0, b"\xfe" + text("HandshakeRequest") + text(shake))
        yield packet(client, 0, b"\xfe" + text("HandshakeResponse") + text(answer))
        yield packet(0, 0, self.immediate("SyncInfo", self.lobby("earlier")))
        yield packet(0, 0, self.immediate("SyncInfo", self.lobby("the match")))
        yield packet(client, 0, self.immediate("Chat", "gl # hf"))
        yield packet(0, 0, self.immediate("StartGame", ""))

    def chatter(self, client):
        random = self.random
        kind = random.random()
        if kind < 0.5:
            extra = random.choice((None, 1, 2, 0xFFFFFFFF)) if self.level >= 3 else None
            return packet(client, 0, self.immediate("Chat", "текст", extra))
        if kind < 0.7 and self.level < 3:
            return packet(client, 0, self.immediate("TeamChat", "us"))
        return packet(client, 0, self.immediate("PauseGame", random.choice(("Pause", "UnPause"))))

    def match(self):
        latency = SPEEDS[self.speed][1]
        gone = {}
        if len(self.clients) > 1 and self.random.random() < 0.5:
            gone[self.clients[-1]] = self.random.randint(2, self.frames)
        for frame in range(1, self.frames + latency + 1):
            for client in self.clients:
                last = gone.get(client, self.frames)
                if frame <= last:
                    given = [self.order() for _ in range(self.random.choice((0, 0, 0, 1, 1, 2)))]
                    if given and self.random.random() < 0.3:
                        given.append(given[-1])  # a repeat
                    yield packet(client, frame, b"".join(given))
                if latency < frame <= last + latency:
                    yield self.sync(client, frame - latency)
                if frame == last + 1 and client in gone:
                    left = self.random.choice((last, NOW))
                    if self.dialect in ("p20", "p21"):
                        left = NOW if left == NOW else last + 1
                        yield packet(0, left, b"\xbf" + struct.pack("<i", client))
                    else:
                        yield packet(client, left, b"\xbf")
            if self.random.random() < 0.03:
                yield self.chatter(self.clients[0])

    def write(self, folder, number):
        stream = b"".join([*self.greetings(), *self.match()])
        trailer = self.trailer() if self.random.random() < 0.8 else None
        target = folder / f"{number}-{self.dialect}.orarep"
        if self.random.random() < 0.2:
            with io.BytesIO() as buffer:
                with zipfile.ZipFile(buffer, "w", self.random.choice((0, 8))) as archive:
                    if trailer:
                        archive.writestr("metadata.yaml", trailer)
                    archive.writestr("orders", stream)
                target.write_bytes(buffer.getvalue())
            return
        size = len(trailer or b"")
        end = struct.pack("<iii", -1, 1, size) + trailer + struct.pack("<ii", size + 4, -2) if trailer else b""
        target.write_bytes(stream + end)


def generate(random, folder):
    for number, dialect in enumerate(DIALECTS * 2):
        Writer(random, dialect).write(folder, number)
