"""bincode 1.x as docs/spec/ironcurtain.md, section 4, has it. Types are described by data:

    "u32" "i64" "bool" "str" "bytes" "32" (that many raw bytes)
    [(name, type), ...]                a struct, read as a dict
    ("vec", type) ("opt", type) ("map", key, value) ("pair", type, type)
    ("enum", [(name, type or None), ...])   read as "Name" or {"Name": value}
"""

import struct

FORMS = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "i32": "i", "i64": "q"}


class Bad(Exception):
    pass


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        if size > len(self.data) - self.at:
            raise Bad("past the end")
        self.at += size
        return self.data[self.at - size:self.at]

    def value(self, kind):
        if isinstance(kind, list):
            return {name: self.value(form) for name, form in kind}
        if isinstance(kind, tuple):
            return getattr(self, kind[0])(*kind[1:])
        if kind in FORMS:
            return struct.unpack("<" + FORMS[kind], self.take(struct.calcsize(FORMS[kind])))[0]
        if kind == "bool":
            return bool(self.flag())
        if kind == "str":
            return self.value("bytes").decode()
        if kind == "bytes":
            return self.take(self.value("u64"))
        return self.take(int(kind))

    def flag(self):
        found = self.take(1)[0]
        if found > 1:
            raise Bad("flag")
        return found

    def vec(self, kind):
        return [self.value(kind) for _ in range(self.value("u64"))]

    def opt(self, kind):
        return self.value(kind) if self.flag() else None

    def map(self, key, kind):
        return {self.value(key): self.value(kind) for _ in range(self.value("u64"))}

    def pair(self, *kinds):
        return tuple(self.value(kind) for kind in kinds)

    def enum(self, variants):
        number = self.value("u32")
        if number >= len(variants):
            raise Bad("variant")
        name, kind = variants[number]
        return name if kind is None else {name: self.value(kind)}


def decode(data, kind):
    reader = Reader(data)
    value = reader.value(kind)
    if reader.at != len(data):
        raise Bad("bytes left over")
    return value


def encode(value, kind):
    if isinstance(kind, list):
        return b"".join(encode(value[name], form) for name, form in kind)
    if isinstance(kind, tuple):
        return encode_compound(value, *kind)
    if kind in FORMS:
        return struct.pack("<" + FORMS[kind], value)
    if kind == "bool":
        return bytes([value])
    if kind == "str":
        return encode(value.encode(), "bytes")
    if kind == "bytes":
        return struct.pack("<Q", len(value)) + value
    return value


def encode_compound(value, name, *kinds):
    if name == "vec":
        return struct.pack("<Q", len(value)) + b"".join(encode(one, kinds[0]) for one in value)
    if name == "opt":
        return b"\0" if value is None else b"\1" + encode(value, kinds[0])
    if name == "map":
        parts = [encode(key, kinds[0]) + encode(one, kinds[1]) for key, one in value.items()]
        return struct.pack("<Q", len(parts)) + b"".join(parts)
    if name == "pair":
        return b"".join(encode(one, kind) for one, kind in zip(value, kinds))
    chosen = value if isinstance(value, str) else next(iter(value))
    number = [variant for variant, _ in kinds[0]].index(chosen)
    kind = kinds[0][number][1]
    return struct.pack("<I", number) + (b"" if kind is None else encode(value[chosen], kind))


def as_json(value, kind):
    """As the command prints it: numbers of 64 bits as text, bytes as hexadecimal digits."""
    if isinstance(kind, list):
        return {name: as_json(value[name], form) for name, form in kind}
    if isinstance(kind, tuple):
        name, *kinds = kind
        if name == "vec":
            return [as_json(one, kinds[0]) for one in value]
        if name == "opt":
            return None if value is None else as_json(value, kinds[0])
        if name == "map":
            return {str(key): as_json(one, kinds[1]) for key, one in value.items()}
        if name == "pair":
            return [as_json(one, form) for one, form in zip(value, kinds)]
        if isinstance(value, str):
            return value
        (chosen, one), = value.items()
        return {chosen: as_json(one, dict(kinds[0])[chosen])}
    if kind in ("u64", "i64"):
        return str(value)
    return value.hex() if isinstance(value, bytes) else value
