"""OpenRA replays, read from docs/spec/openra.md alone. openra_answers.py says what follows."""

import io
import re
import struct
import zipfile

import openra_answers
import openra_make

NOW = 0x7FFFFFFF
NONE = 0xFFFFFFFF
DIALECTS = ("a", "b", "c", "p8", "p9", "p11", "p20", "p21")
PROTOCOL_FROM = {"p8": 8, "p9": 9, "p11": 11, "p20": 20, "p21": 21}
DATES = ((20171111, "a"), (20181220, "b"), (20190801, "c"), (20200301, "p8"), (20201101, "p9"),
         (20221001, "p11"), (20240101, "p20"))
SPEEDS = {"slowest": (80, 2), "slower": (50, 3), "default": (40, 3), "fast": (35, 4),
          "faster": (30, 4), "fastest": (20, 6)}


class Malformed(Exception):
    pass


# ---- bytes ----


class Bytes:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def left(self):
        return len(self.data) - self.at

    def take(self, size):
        if size < 0 or size > self.left():
            raise Malformed("past the end")
        self.at += size
        return self.data[self.at - size:self.at]

    def number(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize(form)))[0]

    def string(self):
        size = 0
        for i in range(5):
            byte = self.number("B")
            size |= (byte & 127) << 7 * i
            if byte < 128:
                break
        else:
            raise Malformed("overlong length")
        if size > 0x7FFFFFFF:
            raise Malformed("huge length")
        return self.take(size)

    def actors(self):
        count = self.number("i")
        if count < 0 or count > self.left() // 4:
            raise Malformed("count")
        return [self.number("I") for _ in range(count)]


def text_of(raw):
    return raw.decode("utf-8", "replace")


def parse_yaml(text):
    """MiniYAML as [(key, value or None, children)]; rule 24."""
    root, stack = [], [(-1, None)]
    stack[0] = (-1, root)
    for line in text.replace("\r\n", "\n").split("\n"):
        depth = at = 0
        while at < len(line):
            if line[at] == "\t":
                depth, at = depth + 1, at + 1
            elif line[at:at + 4] == "    ":
                depth, at = depth + 1, at + 4
            else:
                break
        rest = re.split(r"(?<!\\)#", line[at:], maxsplit=1)[0].replace("\\#", "#").strip()
        if not rest:
            continue
        key, colon, value = rest.partition(":")
        while stack[-1][0] >= depth:
            stack.pop()
        if depth > stack[-1][0] + 1:
            raise Malformed("indentation")
        node = (key.strip(), value.strip() or None, [])
        stack[-1][1].append(node)
        stack.append((depth, node[2]))
    return root


def as_document(nodes):
    """Nested objects; a node with children is an object, another one its text or null."""
    return {key: as_document(children) if children else value for key, value, children in nodes}


def child(nodes, name):
    return next((children for key, _, children in nodes if key == name), [])


def value_of(nodes, name):
    return next((value for key, value, _ in nodes if key == name), None)


# ---- orders ----


def read_cell(r, dialect):
    if dialect == "a":
        return [r.number("i"), r.number("i"), 0]
    if dialect == "b":
        return [r.number("i"), r.number("i"), r.number("B")]
    bits = r.number("i")
    return [bits >> 20, (bits << 12 & 0xFFFFFFFF ^ 0x80000000) - 0x80000000 >> 20, bits & 255]


def read_target(r, dialect, flags, order):
    kind = r.number("B")
    if kind == 1:
        order["target_kind"], order["target_actor"] = "actor", r.number("I")
        if dialect in ("p20", "p21"):
            order["target_generation"] = r.number("i")
    elif kind == 3:
        order["target_kind"] = "frozen"
        order["target_viewer"], order["target_frozen"] = r.number("I"), r.number("I")
    elif kind == 2 and flags & 0x40:
        order["target_kind"] = "cell"
        cell = read_cell(r, dialect)
        order["target_cell_x"], order["target_cell_y"], order["target_layer"] = cell
        order["target_subcell"] = r.number("i" if dialect == "b" else "B")
    elif kind == 2:
        order["target_kind"] = "pos"
        for axis in "xyz":
            order["target_pos_" + axis] = r.number("i")
        if dialect == "p21":
            count = r.number("h")
            if count < -1 or count * 12 > r.left():
                raise Malformed("count")
            if count >= 0:
                order["target_terrain"] = [dict(zip("xyz", struct.unpack("<iii", r.take(12))))
                                           for _ in range(count)]
    else:
        raise Malformed("target type")


def read_fields(r, dialect, order):
    old = dialect in ("a", "b", "c")
    if old:
        subject = r.number("I")
        if subject != NONE:
            order["subject"] = subject
    late = DIALECTS.index(dialect) >= DIALECTS.index("p11")
    flags = r.number("h" if late else "B")
    known = {"a": 0x3F, "b": 0x7D, "c": 0x7D, "p8": 0xFD, "p9": 0xFF}.get(dialect, 0x1FF)
    if flags & ~known:
        raise Malformed("unknown bits")
    order["queued"] = bool(flags & 8)
    if not old and flags & 0x80:
        order["subject"] = r.number("I")
    if dialect == "a":
        if flags & 1:
            order["target_kind"], order["target_actor"] = "actor", r.number("I")
        if flags & 2:
            order["target_kind"] = order.get("target_kind") or "cell"
            order["target_cell_x"], order["target_cell_y"], _ = read_cell(r, dialect)
            order["target_layer"] = 0
    elif flags & 1:
        read_target(r, dialect, flags, order)
    if flags & 4:
        order["item"] = text_of(r.string())
    if flags & 2 and dialect != "a":
        order["extra_actors"] = r.actors()
    if flags & 0x10:
        order["extra_x"], order["extra_y"], order["extra_layer"] = read_cell(r, dialect)
    if flags & 0x20:
        order["extra_data"] = r.number("I")
    if flags & 0x100:
        order["grouped"] = r.actors()


def read_orders(payload, dialect):
    """Orders up to the first that does not decode, and whether all do."""
    r, orders = Bytes(payload), []
    while r.left():
        start = r.at
        order = {"queued": False}
        try:
            mark = r.number("B")
            if mark not in (0xFE, 0xFF):
                raise Malformed("order type")
            order["type"] = "handshake" if mark == 0xFE else "fields"
            order["order"] = text_of(r.string())
            if mark == 0xFE:
                order["item"] = text_of(r.string())
            else:
                read_fields(r, dialect, order)
        except Malformed:
            return orders, False
        order["raw"] = payload[start:r.at].hex()
        orders.append(order)
    return orders, True


# ---- the file ----


def kind_of(length, payload):
    if not payload:
        return "orders"
    first = payload[0]
    if first == 0x65:
        return "sync"
    if first == 0xBF and length in (5, 9):
        return "disconnect"
    if first == 0x76 and length == 9:
        return "tickscale"
    if first == 0x20 and length in (13, 14):
        return "ping"
    if first == 0x10 and length == 6:
        return "ack"
    return "orders"


def read_trailer(data):
    if len(data) < 20:
        return None
    length, end = struct.unpack("<ii", data[-8:])
    start = len(data) - 16 - length
    if end != -2 or length < 4 or start < 0:
        return None
    if struct.unpack_from("<iii", data, start) != (-1, 1, length - 4) or length - 4 > 102400:
        return None
    return start, data[start + 12:-8]


class Replay:
    def __init__(self, data):
        self.size = len(data)
        self.parts = []
        self.zip_sync = None
        if data[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
            self.container = "zip"
            self.read_archive(data)
        else:
            self.container = "stream"
            self.read_flat(data)
        self.header = parse_yaml(text_of(self.metadata)) if self.metadata is not None else []
        self.find_dialect()
        self.decode()
        self.read_lobby()
        self.time_everything()

    def read_archive(self, data):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            kinds = {"orders": "stream", "metadata.yaml": "manifest", "sync": "sync", "sync.bin": "sync"}
            for member in archive.infolist():
                if member.filename in kinds:
                    self.parts.append({"name": member.filename, "kind": kinds[member.filename],
                                       "size": member.file_size, "stored_size": member.compress_size})
            names = archive.namelist()
            self.stream = archive.read("orders")
            self.metadata = archive.read("metadata.yaml") if "metadata.yaml" in names else None
            for name in ("sync", "sync.bin"):
                if name in names:
                    content = archive.read(name)
                    self.zip_sync = struct.unpack(f"<{len(content) // 8}Q", content)
        self.confidence = 100

    def read_flat(self, data):
        trailer = read_trailer(data)
        self.metadata = trailer[1] if trailer else None
        end = trailer[0] if trailer else len(data)
        self.stream = data[:end]
        self.parts = [{"name": "packets", "kind": "stream", "size": end},
                      {"name": "metadata", "kind": "manifest", "size": len(data) - end}]
        client, length, frame = struct.unpack_from("<iii", data)
        sane = 0 <= client <= 1000000 and 4 <= length <= 131072 and 8 + length <= len(data) and frame == 0
        shake = data[12:30] == b"\xfe\x10HandshakeRequest"
        self.confidence = 30 * bool(trailer) + 30 * sane + 40 * shake

    def raw_packets(self):
        at = 0
        while at + 12 <= len(self.stream):
            client, length, frame = struct.unpack_from("<iii", self.stream, at)
            if client == -1 or length < 4 or at + 8 + length > len(self.stream):
                return
            yield at, client, length, frame, self.stream[at + 12:at + 8 + length]
            at += 8 + length

    def shakes(self):
        """The MiniYAML of handshakes, which every dialect stores alike, by name."""
        for _, _, _, _, payload in self.raw_packets():
            if payload[:1] == b"\xfe":
                r = Bytes(payload, 1)
                name = text_of(r.string())
                if name.startswith("Handshake"):
                    yield name, parse_yaml(text_of(r.string()))

    def find_dialect(self):
        shake = {}
        for name, nodes in self.shakes():
            for key, value, _ in child(nodes, "Handshake"):
                if value and (name == "HandshakeResponse" or key not in shake):
                    shake[key] = value
        root = child(self.header, "Root")
        self.version = value_of(root, "Version") or shake.get("Version")
        self.mod = value_of(root, "Mod") or shake.get("Mod")
        declared = shake.get("OrdersProtocol")
        self.protocol = int(declared) if declared and declared.isdigit() else None
        self.dialect, self.dialect_by = None, "tried"
        if self.protocol is not None and self.protocol >= 8:
            self.dialect = [d for d in PROTOCOL_FROM if PROTOCOL_FROM[d] <= self.protocol][-1]
            self.dialect_by = "declared"
        else:
            date = re.search(r"\d{8}", self.version or "")
            if date:
                self.dialect = next((d for day, d in DATES if int(date[0]) < day), "p21")
                self.dialect_by = "version"
        packets = [p for _, _, n, _, p in self.raw_packets() if p and kind_of(n, p) == "orders"]

        def failing(dialect):
            return sum(not read_orders(payload, dialect)[1] for payload in packets)

        if self.dialect is None or failing(self.dialect):
            best = min(DIALECTS, key=lambda d: (failing(d), -DIALECTS.index(d)))
            if best != self.dialect:
                self.dialect, self.dialect_by = best, "tried"

    def decode(self):
        self.packets, self.syncs, self.disconnects, self.orders = [], [], [], []
        for number, (at, client, length, frame, payload) in enumerate(self.raw_packets()):
            packet = {"packet": number, "offset": str(at), "client": client, "frame": frame,
                      "kind": kind_of(length, payload), "length": length, "damaged": False,
                      "raw": payload.hex()}
            self.packets.append(packet)
            if packet["kind"] == "sync":
                self.read_sync(packet, payload[1:])
            elif packet["kind"] == "disconnect":
                who = struct.unpack_from("<i", payload, 1)[0] if length == 9 else client
                self.disconnects.append({"packet": number, "frame": frame, "client": who})
            elif packet["kind"] == "orders":
                packet["kind"] = "orders" if frame > 0 else "immediate"
                orders, complete = read_orders(payload, self.dialect)
                packet["damaged"] = not complete
                for order in orders:
                    self.orders.append({"packet": number, "frame": frame, "client": client, **order})
        self.last_frame = max([p["frame"] for p in self.packets if p["kind"] == "orders"], default=0)

    def read_sync(self, packet, body):
        if DIALECTS.index(self.dialect) >= DIALECTS.index("p11"):
            value, defeat = struct.unpack("<iQ", body)
            hashes = [value]
        else:
            hashes, defeat = list(struct.unpack(f"<{len(body) // 4}i", body)), None
        if not any(hashes) and not defeat:
            hashes = []
        self.syncs.append({"packet": packet["packet"], "frame": packet["frame"],
                           "client": packet["client"], "hashes": hashes, "defeat": defeat})

    def read_lobby(self):
        """Rule 20."""
        self.lobby_texts, self.started, self.lobby = [], False, []
        for order in self.orders:
            if order["order"] == "StartGame" and order["frame"] == 0:
                self.started = True
            if order["order"] == "SyncInfo" and order["frame"] == 0:
                nodes = parse_yaml(order.get("item") or "")
                self.lobby_texts.append(nodes)
                if not self.started:
                    self.lobby = nodes
        settings = child(self.lobby, "GlobalSettings")
        self.options = {}
        for key, _, children in child(settings, "Options"):
            self.options[key] = value_of(children, "Value")
        self.settings = settings
        speed = self.options.get("gamespeed") or "default"
        self.tick_ms, self.latency = SPEEDS.get(speed, SPEEDS["default"])
        if DIALECTS.index(self.dialect) < DIALECTS.index("p20") and (self.protocol or 0) < 14:
            self.tick_ms = int(value_of(settings, "Timestep") or self.tick_ms)
            self.latency = int(value_of(settings, "OrderLatency") or self.latency)
        self.speed = speed
        self.interval = int(value_of(settings, "NetFrameInterval") or 3)
        self.names = {}
        for key, _, children in self.lobby:
            if key.startswith("Client@") and value_of(children, "Name"):
                self.names[int(value_of(children, "Index") or key[7:])] = value_of(children, "Name")
        for key, _, children in self.header:
            if key.startswith("Player@") and value_of(children, "Name"):
                self.names[int(value_of(children, "ClientIndex") or 0)] = value_of(children, "Name")

    def tick_of(self, frame):
        return max(frame - 1, 0) * self.interval

    def seconds(self, tick):
        return tick * self.tick_ms / 1000

    def time_everything(self):
        """Rules 18, 19 and 22."""
        shown, upcoming = {}, None
        for packet in reversed(self.packets):
            if packet["kind"] == "orders":
                upcoming = packet["frame"]
            if packet["frame"] == 0:
                after = self.last_frame if upcoming is None else upcoming
                shown[packet["packet"]] = self.tick_of(max(1, after - self.latency))
        last_orders = {}
        leaving = {row["packet"]: row["client"] for row in self.disconnects if row["frame"] == NOW}
        for packet in self.packets:
            if packet["kind"] == "orders":
                last_orders[packet["client"]] = packet["frame"]
            if packet["packet"] in leaving:
                shown[packet["packet"]] = self.tick_of(last_orders.get(leaving[packet["packet"]], 1))
        for row in self.packets + self.orders + self.syncs + self.disconnects:
            row["tick"] = shown.get(row["packet"], self.tick_of(row["frame"]))
            row["time"] = self.seconds(row["tick"])
        self.duration = self.seconds(self.tick_of(self.last_frame))


def claims(path, data):
    return path.suffix in (".orarep", ".rep")


def expected(path, data):
    return openra_answers.answers(path.name, Replay(data))


def generate(random, folder):
    openra_make.generate(random, folder)
