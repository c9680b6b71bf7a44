"""Private fields of RUMBLE, CS2KZ and Minecraft files, by the readers of tests/oracle; those of the other
families are in order_fields.py.

`fields(family, data)` gives {place: value} of everything that names a person, a device, a time or a
place, numbers too. After `reprise anonymize` no place may have its old value (unless that says nothing,
see NEUTRAL), and no stream of the result may hold one in any form: `streams(family, data)` gives all of
them, decompressed by the compression libraries.
"""

import base64
import datetime
import ipaddress
import json
import re
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "oracle"))
import cs2kz as kz  # noqa: E402
import mccamera as camera  # noqa: E402
import mcreplay as mc  # noqa: E402
import order_fields  # noqa: E402
import rumble  # noqa: E402
from compression import brotli  # noqa: E402

SHORT = 4  # texts below this many bytes are in any data by chance
LONG = 24  # and so are payloads of mods below this many, which have fields as ours
# What an anonymized file has instead, and what never said anything.
NEUTRAL = {"", 0, 0.0, -1, None, 1.25, 0.02199999988079071, 2147483647, 1.0, -1.0, 60.0, "Reprise", b""}
MANIFEST = {"Title", "CustomMap", "Version", "Scene", "Date", "DateUTC", "Duration", "FrameCount", "PedestalCount",
            "ScenePropCount", "MarkerCount", "AvgPing", "MaxPing", "MinPing", "TargetFPS", "FPS", "StructureCount",
            "isFavorited", "Players", "Structures", "SceneProps", "Markers", "Voices", "Guid"}
MATERIAL = {"color", "color2", "color2_blend_mode", "roughness", "metallic", "normal", "emission", "emission_strength",
            "blend_mode", "overrides", "tags", "transparent", "useVertexColors", "reprise"}
SECTION_M = 16


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


# ---- RUMBLE ----


def rumble_fields(data):
    replay = rumble.Replay(data)
    header = replay.header
    for key in ("Title", "CustomMap", "Date", "DateUTC", "Guid", "AvgPing", "MaxPing", "MinPing"):
        yield key, header.get(key)
    for key, value in header.items():
        if key not in MANIFEST:
            yield f"unknown {key}", json.dumps(value)
    for number, player in enumerate(header.get("Players") or []):
        player = player or {}
        body = player.get("Measurement") or {}
        for key in ("Name", "MasterId", "BattlePoints", "VisualData"):
            yield f"player {number} {key}", player.get(key)
        for key in ("Length", "ArmSpan"):
            yield f"player {number} {key}", rumble.f32(body.get(key) or 0)
    for number, voice in enumerate(replay.voices):
        yield f"voice {number}", voice["MasterId"]
        yield f"voice file {number}", voice["FileName"]
    for name, content, _ in replay.members:
        if name not in ("manifest.json", "replay", "gzip"):
            yield f"member {name}", content
    yield from rumble_frames(replay)


def rumble_frames(replay):
    for number, frame, rows, states in replay.play():
        for (kind, index), state in states.items():
            if kind == rumble.PLAYER:
                for key in ("visual_data", "arm_span", "length"):
                    yield f"frame {number} player {index} {key}", state.get(key)
        for at, (track, _, state) in enumerate(rows):
            if track == "events":
                for key in ("master_id", "length", "arm_span"):
                    yield f"frame {number} event {at} {key}", state.get(key)
        for at, (_, _, payload) in enumerate(frame.extensions):
            yield f"frame {number} extension {at}", payload


def rumble_streams(data):
    replay = rumble.Replay(data)
    for name, content, _ in replay.members:
        yield name, content
        if name == "replay":
            yield "stream", brotli(content)


# ---- CS2KZ ----


def item_fields(place, item, attributes):
    for key, value in item.items():
        if key != "item_def":
            yield f"{place} {key}", value
    for number, (_, bits) in enumerate(attributes):
        yield f"{place} attribute {number}", bits


def cs2kz_fields(data):
    replay = kz.Replay(data)
    header = replay.header
    for key in ("timestamp", "archived_timestamp", "server_ip", "sensitivity", "yaw", "pitch"):
        yield key, header[key]
    people = {"player": header["player"], "reporter": (header.get("cheater") or {}).get("reporter"),
              "saved by": (header.get("manual") or {}).get("saved_by")}
    for role, person in people.items():
        for key in ("name", "steam_id"):
            yield f"{role} {key}", (person or {}).get(key)
    yield "reason", (header.get("cheater") or {}).get("reason")
    for key in ("first_weapon", "gloves"):
        if key in header:
            yield from item_fields(key, *header[key])
    for number, item, attributes in replay.weapons:
        yield from item_fields(f"weapon {number}", item, attributes)
    for number, tick in enumerate(replay.ticks):
        yield f"tick {number} unix_time", tick["unix_time"]
    for number, command in enumerate(replay.commands):
        for key in ("unix_time", "framerate", "latency", "average_loss", "mouse_dx", "mouse_dy", "sensitivity",
                    "m_yaw", "m_pitch"):
            yield f"command {number} {key}", command[key]
    for number in (18, 19, 20, 21) if replay.generation == "protobuf" else ():
        size = struct.unpack_from("<I", data)[0]
        yield f"viewmodel {number}", kz.Message(data[4 : 4 + size]).float(number)


def cs2kz_streams(data):
    replay = kz.Replay(data)
    yield "header", data[: min(section.offset for section in replay.sections.values())]
    for section in replay.sections.values():
        yield section.name, section.data


# ---- Minecraft ----


def is_own_name(entity):
    """A name that is not only that of the kind, such as Zombie.1."""
    kind = (entity.kind or "").split(":")[-1].replace("_", " ")
    base = entity.name.split(".")[0].lower().replace("_", " ")
    return kind == "player" or kind not in base and base not in kind


def mcreplay_fields(data):
    replay = mc.Replay(data)
    yield "encoder", replay.about.get("encoder")
    if replay.world:
        yield "world encoder", replay.world.about.get("encoder")
    shift = [value // SECTION_M * SECTION_M for value in replay.offset()]
    for number, entity in enumerate(replay.entities):
        if is_own_name(entity):
            yield f"entity {number} name", entity.name
        for at, frame in enumerate(entity.frames):
            for axis, value, moved in zip("xyz", frame[0][4:7], shift):
                if moved:
                    yield f"entity {number} frame {at} {axis}", value
    for _, archive in replay.scopes():
        for name in archive.named("mat/", ".json"):
            material = archive.json(name)
            for number, tag in enumerate(material.get("tags") or []):
                yield f"{name} tag {number}", tag
            for key in material.keys() - MATERIAL:
                yield f"{name} {key}", json.dumps(material[key])
        for name in archive.named("tex/", ".png"):
            for text in re.finditer(rb"(?:tEXt|zTXt|iTXt|eXIf)(.{8,40})", archive.read(name), re.S):
                yield f"{name} text", text[1][:8]


def mcreplay_streams(data):
    replay = mc.Replay(data)
    for name, (content, _) in replay.archive.members.items():
        yield name, name.encode() + b"\n" + content
    if replay.world and not replay.alone:
        for name, (content, _) in replay.world.archive.members.items():
            yield f"world {name}", name.encode() + b"\n" + content


def mccamera_fields(data):
    found = camera.Camera(data)
    for key, value in found.attributes.items():
        if key not in ("fps", "fov", "preview_color"):
            yield key, value
    for number, frame in enumerate(found.frames):
        for axis, value, first in zip("xyz", found.place(frame), found.place(found.frames[0])):
            if abs(first) >= 1:
                yield f"frame {number} {axis}", value


def mccamera_streams(data):
    yield "file", data


FIELDS = {"rumble": (rumble_fields, rumble_streams), "cs2kz": (cs2kz_fields, cs2kz_streams),
          "mcreplay": (mcreplay_fields, mcreplay_streams), "mccamera": (mccamera_fields, mccamera_streams),
          **order_fields.FIELDS}


def fields(family, data):
    return {place: value for place, value in FIELDS[family][0](data)
            if not (isinstance(value, (str, int, float, bytes, type(None))) and value in NEUTRAL)}


def streams(family, data):
    return [("file", data), *FIELDS[family][1](data)]


DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)[ T](\d\d)[-:](\d\d)[-:](\d\d)")
EPOCHS = {1: 10**7, 1601: 10**7, 1970: 10**3}  # .NET, Windows, JavaScript: units a second since that year


def date_forms(text):
    """A date as the numbers that programs keep it as."""
    found = DATE.search(text)
    if not found:
        return
    when = datetime.datetime(*map(int, found.groups()))
    seconds = int((when - datetime.datetime(1970, 1, 1)).total_seconds())
    yield struct.pack("<I", seconds & 0xFFFFFFFF)
    yield struct.pack(">I", seconds & 0xFFFFFFFF)
    yield struct.pack("<d", seconds)
    yield str(seconds).encode()
    for year, units in EPOCHS.items():
        yield struct.pack("<Q", int((when - datetime.datetime(year, 1, 1)).total_seconds()) * units)


def binary_forms(text):
    """The bytes that a text may stand for: a date, hexadecimal digits, base64, an address."""
    yield from date_forms(text)
    digits = text.replace("-", "")
    if re.fullmatch(r"(?:[0-9A-Fa-f]{2}){6,}", digits):
        raw = bytes.fromhex(digits)
        yield raw
        if len(raw) == 16:  # as Windows keeps such ids
            yield raw[3::-1] + raw[5:3:-1] + raw[7:5:-1] + raw[8:]
    if len(text) >= 16 and len(text) % 4 == 0:
        try:
            yield base64.b64decode(text, validate=True)
        except ValueError:
            pass
    try:
        address = ipaddress.ip_address(text).packed
        yield from (address, address[::-1])
    except ValueError:
        pass


def forms(value):
    """A value as the bytes that a file may hold; none for those that occur by chance."""
    if isinstance(value, str):
        found = [value.encode(), value.encode("utf-16-le"), json.dumps(value)[1:-1].encode(), *binary_forms(value)]
    elif isinstance(value, bytes):
        found = [value[:64]] if len(value) >= LONG else []
    elif isinstance(value, float):
        bits = struct.unpack("<I", struct.pack("<f", value))[0]
        odd = bits & 0xFF and bits >> 8 & 0xFF  # as measured, not as chosen
        found = [struct.pack("<f", value), repr(value).encode()] if odd else []
    else:
        large = value > 1 << 24
        found = [struct.pack("<Q", value & (1 << 64) - 1)[: 8 if value >> 32 else 4], varint(value),
                 str(value).encode()] if large else []
    return [form for form in found if len(form) >= SHORT and form != b"\xff" * len(form)]


# Values that the game has by default or that anything may have; only their places are compared.
COMMON = re.compile(r"sensitivity|yaw|pitch|framerate|latency|average_loss|mouse|attribute|viewmodel|quality|level")


def leaks(family, before, after, extra):
    """Yields what of the original is still in the result."""
    old, new = fields(family, before), fields(family, after)
    for place, value in old.items():
        if place in new and new[place] == value:
            yield f"{place} is still {value!r}"
    everything = streams(family, after) + extra
    seen = set()
    for place, value in old.items():
        if COMMON.search(place) or repr(value) in seen or re.fullmatch(r"Player( \d+)?|Replay", str(value)):
            continue
        seen.add(repr(value))
        for name, content in everything:
            if any(form in content for form in forms(value)):
                yield f"{place} {value!r} is still in {name}"
                break
