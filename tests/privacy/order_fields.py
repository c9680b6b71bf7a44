"""Private fields of OpenRA, classic and Iron Curtain files, by the readers of tests/oracle; for fields.py.

Each function yields (place, value) of everything that names a person, a device, a time or a place, or
(name, bytes) of every stream, decompressed.
"""

import re

from readers import encode, ironcurtain, openra, remastered, types

# What an anonymized file has instead, and what never said anything.
NEUTRAL_TEXT = re.compile(r"0|-1|0001-.*|1970-01-01T00:00:00Z|Player( \d+)?|Replay|")


def told(place, value):
    if isinstance(value, str) and not NEUTRAL_TEXT.fullmatch(value):
        yield place, value


# ---- OpenRA ----

KEYS = {"Password", "AuthToken", "AuthSignature", "Fingerprint", "IpAddress", "AnonymizedIPAddress", "Location",
        "ServerName", "GameUid", "StartTimeUtc", "EndTimeUtc", "OutcomeTimestampUtc", "Latency", "LatencyJitter",
        "LatencyHistory"}


def yaml_fields(place, nodes):
    """Private keys at any depth, and the names of people: those of bots are the game's."""
    about = {key: value for key, value, _ in nodes}
    is_bot = about.get("Bot") or about.get("IsBot") == "True"
    for number, (key, value, children) in enumerate(nodes):
        here = f"{place} {key}@{number}"
        if key in KEYS or key == "Name" and not is_bot:
            yield from told(here, value)
        yield from yaml_fields(here, children)


def openra_fields(data):
    replay = openra.Replay(data)
    yield from yaml_fields("trailer", replay.header)
    for number, (name, nodes) in enumerate(replay.shakes()):
        yield from yaml_fields(f"{name} {number}", nodes)
    for number, nodes in enumerate(replay.lobby_texts):
        yield from yaml_fields(f"lobby {number}", nodes)
    chat = [order for order in replay.orders if order["order"] in ("Chat", "TeamChat")]
    for number, order in enumerate(chat):
        yield from told(f"chat {number}", order.get("item"))


def openra_streams(data):
    replay = openra.Replay(data)
    yield "packets", replay.stream
    yield "metadata", replay.metadata or b""


# ---- the classic games ----


def stray(place, raw):
    """A text, and what was in memory after its end."""
    text, _, rest = raw.partition(b"\0")
    yield from told(place, text.decode("latin-1"))
    if any(rest):
        yield f"{place} rest", rest


def remastered_fields(data):
    replay = remastered.read(data)
    if any(replay.header["options"]):
        yield "options", replay.header["options"]
    if replay.is_td:
        yield from stray("player", replay.header["player_name"])
    for number, node in enumerate(replay.nodes):
        yield from stray(f"node {number} name", node["name"])
        if any(node["address"]):
            yield f"node {number} address", node["address"]
        if node["process_time"] > 0:
            yield f"node {number} process_time", node["process_time"]
    sizes = {"T": 2 if replay.is_td else 4, "F": 140 if replay.is_td else 132, "b": 1, "B": 1, "h": 2, "H": 2}
    for number, event in enumerate(replay.events):  # what a type does not use is old memory
        used = sum(sizes.get(form, 4) for _, form in remastered.TYPES[event["event"]])
        rest = bytes.fromhex(event["raw"])[(6 if replay.is_td else 5) + used :]
        if any(rest):
            yield f"event {number} rest", rest


def remastered_streams(data):
    yield "file", data


# ---- Iron Curtain ----

METADATA = ("replay_id", "timestamp", "relay_server", "save_name")


def metadata_fields(metadata):
    for key in METADATA:
        yield from told(key, metadata.get(key))
    for number, player in enumerate(metadata.get("players") or []):
        yield from told(f"player {number}", player.get("name"))
    for key, inner in (("converted_from", ("original_file", "conversion_date")),
                       ("branch_from", ("parent_replay_id",))):
        for name in inner:
            yield from told(f"{key} {name}", (metadata.get(key) or {}).get(name))


def said_in(replay):
    for frame in replay.frames:
        for timed in frame["orders"]:
            order = timed["order"]
            if isinstance(order, dict) and order.keys() & {"ChatMessage", "ChatCommand"}:
                yield order.get("ChatMessage") or order["ChatCommand"]


def icrep_fields(data):
    replay = ironcurtain.Replay(data)
    yield from metadata_fields(replay.metadata)
    for number, said in enumerate(said_in(replay)):
        yield from told(f"chat {number}", said.get("text") or " ".join((said.get("cmd", ""), *said.get("args", []))))
    for track in replay.tracks:
        for number, frame in enumerate(track["frames"]):
            yield f"voice of {track['player']} {number}", frame["opus_data"]


def icrep_streams(data):
    replay = ironcurtain.Replay(data)
    for tick, _, blob in replay.blobs:
        yield f"keyframe {tick}", blob
    yield "orders", encode(replay.frames, ("vec", types.FRAME))
    yield "events", encode(replay.events, ("vec", types.EVENT))
    yield "voice", encode({"tracks": replay.tracks}, types.VOICE)
    if replay.embedded:
        for name in ("map_data", "initial_state"):
            if replay.embedded[name]:
                yield name, ironcurtain.unpack(replay.embedded[name])


def icsave_fields(data):
    save = ironcurtain.Save(data)
    yield from metadata_fields(save.metadata)
    for name, at, size in save.parts:
        if name == "thumbnail":
            yield name, data[at : at + size]


def icsave_streams(data):
    _, at, size = next(part for part in ironcurtain.Save(data).parts if part[0] == "payload")
    yield "payload", ironcurtain.unpack(data[at : at + size])


FIELDS = {"openra": (openra_fields, openra_streams), "remastered": (remastered_fields, remastered_streams),
          "icrep": (icrep_fields, icrep_streams), "icsave": (icsave_fields, icsave_streams)}
