"""What is private in a sample, found without the library, and whether a result still holds it.

Each family is read with the standard library alone, as its format sheet says. `private(data)` gives
the values that must be gone after `reprise anonymize`: texts, and numbers in the forms in which a
file may hold them. `streams(data)` gives everything in a file, decompressed as far as the standard
library can, plus what the caller adds (brotli, zstd and LZ4 come from `reprise cat`).
"""
import io
import json
import re
import struct
import zipfile
import zlib

import readers

SHORT = 4  # texts below this many bytes are in any data by chance


def texts_of(value):
    """All texts of a JSON document, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts_of(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from texts_of(item)


def unzip(data, depth=0):
    """Names, comments, extra fields and contents of an archive, and of archives inside."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        yield "comment", archive.comment
        for info in archive.infolist():
            content = archive.read(info)
            yield "name", info.filename.encode()
            yield "extra", info.extra + info.comment
            yield info.filename, content
            if depth < 2 and content[:4] == b"PK\x03\x04":
                yield from unzip(content, depth + 1)


def archive_times(data):
    """The dates that an archive keeps of its members."""
    times = set()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            times.add(info.date_time)
            content = archive.read(info)
            if content[:4] == b"PK\x03\x04":
                times |= archive_times(content)
    return times


def streams(data):
    """The file itself and what is inside, as (name, bytes)."""
    yield "file", data
    if data[:4] == b"PK\x03\x04":
        yield from unzip(data)
    if data[:4] == b"ICRP":
        reading = readers.ironcurtain.Replay(data)
        for tick, _, blob in reading.blobs:
            yield f"keyframe {tick}", blob
        yield "orders", readers.encode(reading.frames, ("vec", readers.types.FRAME))
        yield "voice", readers.encode({"tracks": reading.tracks}, readers.types.VOICE)
    if data[:4] == b"RGZP":
        start = data.index(b"\x1f\x8b")
        yield "gzip header", data[start : start + 10]
        yield "gzip", zlib.decompressobj(31).decompress(data[start:])


# ---- families ----


def rumble(data, header):
    """Manifest or legacy header, as `info --header` shows it; the values are its own."""
    for player in header.get("Players") or []:
        if not player:
            continue
        for key in ("Name", "MasterId", "VisualData"):
            if player.get(key):
                yield player[key]
        body = player.get("Measurement") or {}
        for key in ("Length", "ArmSpan"):
            if body.get(key):
                yield struct.pack("<f", body[key])
                yield repr(body[key])
        if (player.get("BattlePoints") or 0) > 999:
            yield '"BattlePoints": %d' % player["BattlePoints"]
    for key in ("Title", "Date", "DateUTC", "Guid", "CustomMap"):
        if header.get(key):
            yield header[key]
    for key, value in header.items():
        if key.lower().startswith("unknown"):
            yield key
            yield from texts_of(value)


def cs2kz(data, header):
    """Struct or protobuf header: names, accounts as varint and as u64, the date likewise."""
    people = [header.get("player")]
    people += [(header.get("cheater") or {}).get("reporter"), (header.get("manual") or {}).get("saved_by")]
    for person in people:
        if person and person.get("name"):
            yield person["name"]
        if person and int(person.get("steam_id") or 0):
            yield struct.pack("<Q", int(person["steam_id"]))
            yield varint(int(person["steam_id"]))
            yield str(person["steam_id"])
    reason = (header.get("cheater") or {}).get("reason")
    if reason:
        yield reason
    if int(header.get("timestamp") or 0):
        yield struct.pack("<Q", int(header["timestamp"]))
        yield varint(int(header["timestamp"]))


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def mcreplay(data, header):
    """Names of players and names that a person gave, the encoder, texts of pictures."""
    for name, content in unzip(data):
        entity = re.search(rb"<entity\b[^>]*", content) if name.endswith(".xml") else None
        if entity:
            class_name = re.search(rb'class=["\']([^"\']*)', entity[0])
            own = re.search(rb'\bname=["\']([^"\']*)', entity[0])
            kind = class_name[1].split(b":")[-1].replace(b"_", b" ") if class_name else b""
            base = own[1].split(b".")[0].lower().replace(b"_", b" ") if own else b""
            if own and kind not in base and base not in kind:
                yield own[1].decode(errors="replace")
        if name == "meta.json":
            encoder = json.loads(content.decode("utf-8-sig")).get("encoder")
            if encoder and encoder != "Reprise":
                yield encoder
        if content[:4] == b"\x89PNG":
            for text in re.finditer(rb"(?:tEXt|zTXt|iTXt|tIME|eXIf)(.{8,40})", content, re.S):
                yield text[1][:8]


def openra(data, header):
    """Values under private keys of MiniYAML, wherever it is; names that are not bots'."""
    text = b"\n".join(content for _, content in streams(data)).decode(errors="replace")
    keys = "Password|AuthToken|AuthSignature|Fingerprint|GameUid|IpAddress|AnonymizedIPAddress|Location|ServerName"
    for value in re.findall(r"\t(?:%s): ([^\r\n\0]+)" % keys, text):
        yield value.strip()
    for value in re.findall(r"\t(?:StartTimeUtc|EndTimeUtc|OutcomeTimestampUtc): ([^\r\n]+)", text):
        if not value.startswith("0001"):
            yield value.strip()
    for node in re.split(r"\n(?=\S)", text):
        name = re.search(r"\n\tName: ([^\r\n\0]+)", node)
        bot = re.search(r"\n\t(?:Bot: \S|IsBot: True)", node)
        if name and not bot:
            yield name[1].strip()
    for order in readers.openra.Replay(data).orders:
        if order["order"] in ("Chat", "TeamChat") and order.get("item"):
            yield order["item"]


def pieces(raw, size=12):
    """Parts of bytes that are long and odd enough to be found again."""
    for at in range(0, len(raw) - size + 1, size):
        if len(set(raw[at : at + size])) > size // 2:
            yield raw[at : at + size]


def remastered(data, header):
    """Red Alert: player nodes of 29 bytes; Tiberian Dawn: one name."""
    for player in header.get("players") or []:
        if player.get("name"):
            yield player["name"]
        if player.get("address") and player["address"].strip("0"):
            yield bytes.fromhex(player["address"])
    if header.get("player_name"):
        yield header["player_name"]
    reading = readers.remastered.read(data)
    yield from pieces(reading.header["options"])
    sizes = {"T": 2 if reading.is_td else 4, "F": 140 if reading.is_td else 132, "b": 1, "B": 1, "h": 2, "H": 2}
    for event in reading.events:  # what a type does not use is old memory
        used = sum(sizes.get(form, 4) for _, form in readers.remastered.TYPES[event["event"]])
        yield from pieces(bytes.fromhex(event["raw"])[(6 if reading.is_td else 5) + used :])


def ironcurtain(data, header):
    """The metadata: one JSON object, not compressed."""
    start = re.search(rb'\{\s*"', data).start()
    metadata, _ = json.JSONDecoder().raw_decode(data[start:].decode(errors="replace"))
    for key in ("replay_id", "timestamp", "relay_server", "save_name"):
        if metadata.get(key):
            yield metadata[key]
    for player in metadata.get("players") or []:
        if player.get("name"):
            yield player["name"]
    origin = metadata.get("converted_from") or {}
    for key in ("original_file", "conversion_date"):
        if origin.get(key):
            yield origin[key]
    parent = (metadata.get("branch_from") or {}).get("parent_replay_id")
    if parent:
        yield parent
    if data[:4] == b"ICRP":
        reading = readers.ironcurtain.Replay(data)
        for track in reading.tracks:
            for frame in track["frames"]:
                yield from pieces(frame["opus_data"])
        for frame in reading.frames:
            for timed in frame["orders"]:
                if isinstance(timed["order"], dict):
                    said = timed["order"].get("ChatMessage") or timed["order"].get("ChatCommand") or {}
                    yield said.get("text") or " ".join((said.get("cmd", ""), *said.get("args", [])))


def mccamera(data, header):
    head = data[: data.index(b">", data.index(b"<animation"))].decode(errors="replace")
    for value in re.findall(r"\b(?:name|author|place)=\"([^\"]+)\"", head):
        yield value


FAMILIES = {
    "rumble": rumble,
    "cs2kz": cs2kz,
    "mcreplay": mcreplay,
    "mccamera": mccamera,
    "openra": openra,
    "remastered": remastered,
    "icrep": ironcurtain,
    "icsave": ironcurtain,
}


def forms(value):
    """A value as the bytes that a file may hold: texts as UTF-8 and UTF-16."""
    if isinstance(value, bytes):
        return [value]
    return [value.encode(), value.encode("utf-16-le"), value.encode("utf-16-be")]


def private(family, data, header):
    """Different values that are long enough to prove something."""
    values = {}
    for value in FAMILIES[family](data, header or {}):
        if not isinstance(value, (str, bytes)):
            continue  # bytes that are no text, which JSON shows otherwise
        if len(forms(value)[0]) >= SHORT and not re.fullmatch(r"Player( \d+)?|Replay", str(value)):
            values[value] = forms(value)
    return values
