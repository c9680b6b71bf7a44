"""Replays of every family whose texts try to take over a terminal. Standard library only."""

import io
import json
import struct
import zipfile
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data"

# Title, colour, C1 introducer, delete, and characters that turn the direction of writing.
HOSTILE = "\x1b]0;x\x07\x1b[41m\u009b31m\x7f\u202e\u2066\u200fend"
# Where JSON is stored raw, control characters below a space cannot be.
HOSTILE_RAW_JSON = "\u009b31m\x7f\u202e\u2066\u200fend"


def field(number, data):
    return bytes([number << 3 | 2, len(data)]) + data


def cs2kz():
    name = HOSTILE.encode()
    empty = struct.pack("<IBI", 0xFD2FB528, 0xA0, 0) + b"\x01\0\0"
    count = struct.pack("<IBI", 0xFD2FB528, 0xA0, 4) + (1 | 4 << 3).to_bytes(3, "little") + bytes(4)
    weapon = struct.pack("<i", 7) + bytes(28) + name.ljust(161, b"\0") + name.ljust(161, b"\0")
    weapon = weapon.ljust(364, b"\0")
    weapons = struct.pack("<IBI", 0xFD2FB528, 0xA0, 364) + (1 | 364 << 3).to_bytes(3, "little") + weapon
    header = bytes([0x08, 5, 0x10, 2]) + field(3, field(1, name)) + field(4, field(1, name))
    header += field(6, name) + field(8, name) + bytes([16 << 3 & 0x7F | 0x82, 1])
    run = field(1, name) + field(2, field(1, name) + field(2, name))
    header += bytes([len(run)]) + run
    out = struct.pack("<I", len(header)) + header
    for items, size, data in (
        (0, 0, empty), (0, 0, empty), (1, 364, weapons), (0, 4, count), (0, 0, empty), (0, 0, empty), (0, 0, empty),
    ):
        out += struct.pack("<III", len(data), size, items) + data
    return out


def archive(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zip_file:
        for name, data in members:
            zip_file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)
    return out.getvalue()


def mcreplay():
    text = HOSTILE_RAW_JSON
    meta = json.dumps({"version": "0.3.0", "encoder": HOSTILE, "offset": [0, 0, 0], HOSTILE: HOSTILE})
    entity = (
        f'<?xml version="1.0" encoding="UTF-8"?><entity class="minecraft:{text}" name="{text}">'
        f'<model rig-type="multipart"><part name="{text}"/></model>'
        '<anim fps="20.0">0;\n1;\n</anim></entity>'
    )
    return archive([("meta.json", meta), (f"entities/{text}.xml", entity.encode())])


def with_hostile(value):
    """The same document with every text replaced."""
    if isinstance(value, dict):
        return {key: with_hostile(item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_hostile(item) for item in value]
    return HOSTILE if isinstance(value, str) and value and not value[0].isdigit() else value


def rumble():
    members = []
    with zipfile.ZipFile(DATA / "rumble" / "z6_match_like_1.2.4.replay") as zip_file:
        for info in zip_file.infolist():
            data = zip_file.read(info)
            if info.filename == "manifest.json":
                text = data.decode("utf-8-sig")
                data = json.dumps(with_hostile(json.loads(text))).encode()
            members.append((info.filename, data))
    return archive(members)


def same_length(text, size):
    """Hostile bytes of a given number, as valid UTF-8."""
    out = text.encode()[:size]
    while True:
        try:
            out.decode()
            return out.ljust(size, b"e")
        except UnicodeDecodeError:
            out = out[:-1]


def openra():
    """Orders, names and chat are texts with lengths; a packet of a new chat line goes first."""
    data = (DATA / "openra" / "p20-crashed-no-metadata.orarep").read_bytes()
    text = HOSTILE.encode()
    order = b"\xff" + b"\x04Chat" + struct.pack("<h", 0x04) + bytes([len(text)]) + text
    packet = struct.pack("<iii", 1, len(order) + 4, 0) + order
    strange = b"\xff" + bytes([len(text)]) + text + struct.pack("<h", 0x04) + bytes([len(text)]) + text
    packet += struct.pack("<iii", 1, len(strange) + 4, 5) + strange
    return data + packet


def icrep():
    """Metadata is JSON as it is."""
    data = (DATA / "ironcurtain" / "live-clean.icrep").read_bytes()
    start, size = struct.unpack_from("<II", data, 8)
    document = json.loads(data[start : start + size])
    names = [player["name"] for player in document.get("players", [])] + [document["map_name"]]
    for name in names:
        if len(name.encode()) >= 4:
            old, new = f'"{name}"'.encode(), b'"' + same_length(HOSTILE_RAW_JSON, len(name.encode())) + b'"'
            data = data[:start] + data[start : start + size].replace(old, new) + data[start + size :]
    return data


def files():
    return {
        "kz.replay": cs2kz(),
        "mc.replay": mcreplay(),
        "rumble.replay": rumble(),
        "openra.orarep": openra(),
        "live.icrep": icrep(),
    }
