"""Whether OpenRA can play a file: an independent reading of the rules of docs/spec/openra.md.

Standard library only, and nothing of the library under test. `broken(path)` gives a list of
sentences, one for every rule that a flat replay breaks.

usage: playable.py FILE...
"""

import re
import struct
import sys

NOW = 0x7FFFFFFF
SLACK_FRAMES = 64
HANDSHAKE, FIELDS, SYNC, DISCONNECT = 0xFE, 0xFF, 0x65, 0xBF
OUTCOMES = ("Undefined", "Won", "Lost")
NUMBERS = ("ClientIndex", "Team", "SpawnPoint", "Handicap", "DisconnectFrame")
BOOLEANS = ("IsHuman", "IsBot", "IsRandomFaction", "IsRandomSpawnPoint")
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d-\d\d-\d\d")


def read_string(data, at):
    size = shift = 0
    while True:
        byte = data[at]
        at += 1
        size |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            break
    if at + size > len(data):
        raise ValueError("string past the end")
    return data[at:at + size], at + size


def read_packets(data):
    """(client, length, frame, payload) until the marker, the trailer or the end."""
    at = 0
    while at + 12 <= len(data):
        client, length, frame = struct.unpack_from("<iii", data, at)
        if client == -1 or length < 4 or at + 8 + length > len(data):
            return
        yield client, length, frame, data[at + 12:at + 8 + length]
        at += 8 + length


def read_yaml(text):
    """{node: {key: value}} of the two upper levels."""
    nodes, node = {}, None
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip("\t"))
        if depth == 0 and line.startswith("    "):
            depth = (len(line) - len(line.lstrip(" "))) // 4
        key, _, value = line.strip().partition(":")
        if not key or key.startswith("#"):
            continue
        if depth == 0:
            node = nodes.setdefault(key, {})
        elif depth == 1 and node is not None:
            node[key] = value.strip()
    return nodes


def read_trailer(data):
    if len(data) < 20:
        return None
    size, end = struct.unpack("<ii", data[-8:])
    start = len(data) - 16 - size
    if end != -2 or start < 0:
        return None
    marker, version, length = struct.unpack_from("<iii", data, start)
    if (marker, version, length) != (-1, 1, size - 4) or length > 102400:
        return None
    text = data[start + 12:start + 12 + length]
    if not text.endswith(b"\n"):
        return None
    return read_yaml(text.decode("utf-8"))


def immediate_order(payload):
    """Name and text of the first order of an immediate packet, whatever the dialect."""
    if not payload or payload[0] not in (HANDSHAKE, FIELDS):
        return None, None
    name, at = read_string(payload, 1)
    if payload[0] == HANDSHAKE:
        return name, read_string(payload, at)[0]
    for flags_size in (2, 1):  # i16 flags first: their high byte is 0 or 1
        flags = int.from_bytes(payload[at:at + flags_size], "little")
        if flags & ~0x1FF:
            continue
        after = at + flags_size
        after += 4 if flags & 0x80 else 0
        if not flags & 0x04:
            return name, b""
        try:
            text, _ = read_string(payload, after)
        except (IndexError, ValueError):
            continue
        if b":" in text or not text:
            return name, text
    return name, b""


def check_trailer(trailer, protocol):
    if trailer is None or "Root" not in trailer:
        yield "rule P1: no trailer"
        return
    root = trailer["Root"]
    if not re.fullmatch(r"[0-9a-fA-F]{40}", root.get("MapUid", "")):
        yield "rule P1: no map uid"
    for key in ("StartTimeUtc", "EndTimeUtc"):
        if root.get(key) and not TIME.fullmatch(root[key]):
            yield f"rule P1: {key} is {root[key]}"
    if root.get("FinalGameTick") and not re.fullmatch(r"\d+", root["FinalGameTick"]):
        yield "rule P1: FinalGameTick is no number"
    players = {name: node for name, node in trailer.items() if name.startswith("Player@")}
    if not players:
        yield "rule P1: no players"
    form = r"[0-9a-fA-F]{6}([0-9a-fA-F]{2})?" if protocol else r"\d{1,3},\d{1,3},\d{1,3}"
    for name, player in players.items():
        yield from check_player(name, player, form)


def check_player(name, player, colour):
    for key in ("ClientIndex", "Name"):
        if not player.get(key):
            yield f"rule P1: {name} has no {key}"
    if not re.fullmatch(colour, player.get("Color", "")):
        yield f"rule P1: {name} has the colour {player.get('Color')}"
    for key in NUMBERS:
        if player.get(key) and not re.fullmatch(r"-?\d+", player[key]):
            yield f"rule P1: {key} of {name} is {player[key]}"
    for key in BOOLEANS:
        if player.get(key) and player[key] not in ("True", "False"):
            yield f"rule P1: {key} of {name} is {player[key]}"
    if player.get("Outcome") and player["Outcome"] not in OUTCOMES:
        yield f"rule P1: outcome of {name} is {player['Outcome']}"


class Match:
    """What the stream says about clients and their frames."""

    def __init__(self, data):
        self.protocol = 0
        self.lobby = None
        self.started = False
        self.frames = {}
        self.left = {}  # client: first frame without orders, or None for "now"
        for client, length, frame, payload in read_packets(data):
            kind = payload[0] if payload else None
            if kind == SYNC:
                continue
            if kind == DISCONNECT and length in (5, 9):
                self.see_disconnect(client, length, frame, payload)
            elif frame > 0:
                self.frames.setdefault(client, []).append(frame)
            elif frame == 0:
                self.see_immediate(payload)

    def see_disconnect(self, client, length, frame, payload):
        if not self.started:
            return
        if length == 9:
            client = struct.unpack_from("<i", payload, 1)[0]
        self.left[client] = None if frame == NOW else frame + (length == 5)

    def see_immediate(self, payload):
        name, text = immediate_order(payload)
        if name == b"StartGame":
            self.started = True
        elif name == b"SyncInfo" and not self.started:
            self.lobby = read_yaml(text.decode("utf-8", "replace"))
        elif name == b"HandshakeResponse":
            found = re.search(rb"OrdersProtocol: ?(\d+)", text)
            self.protocol = int(found.group(1)) if found else 0

    def humans(self):
        for name, node in (self.lobby or {}).items():
            if name.startswith("Client@") and not node.get("Bot") and \
                    node.get("State") != "Disconnected":
                yield int(node["Index"])


def check_frames(match):
    last_of_all = max((frames[-1] for frames in match.frames.values()), default=0)
    for client in match.humans():
        if client not in match.frames and client not in match.left:
            yield f"rule P3: client {client} sends nothing"
    for client, frames in match.frames.items():
        last, end = frames[-1], match.left.get(client, -1)
        if frames != list(range(1, last + 1)):
            yield f"rule P3: frames of client {client} are not 1 to {last}, once each"
        if end == -1 and last + SLACK_FRAMES < last_of_all:
            yield f"rule P3: client {client} stops at {last} of {last_of_all}"
        if end not in (-1, None) and max(frames) >= end:
            yield f"rule P4: client {client} sends orders for {max(frames)}, gone by {end}"
        if end not in (-1, None) and last + 1 < end:
            yield f"rule P3: client {client} stops at {last}, gone by {end}: the game waits"


def check_lobby_colours(match):
    form = r"[0-9a-fA-F]{6}([0-9a-fA-F]{2})?" if match.protocol else r"\d{1,3}(,\d{1,3}){2}"
    for name, node in (match.lobby or {}).items():
        for key in ("Color", "PreferredColor"):
            if name.startswith("Client@") and node.get(key) and \
                    not re.fullmatch(form, node[key]):
                yield f"rule P1: {key} of {name} in the lobby is {node[key]}"


def broken(path):
    with open(path, "rb") as file:
        data = file.read()
    match = Match(data)
    found = list(check_trailer(read_trailer(data), match.protocol))
    if not match.started:
        found.append("rule P2: no StartGame")
    elif match.lobby is None:
        found.append("rule P2: no SyncInfo before StartGame")
    return found + list(check_lobby_colours(match)) + list(check_frames(match))


def main():
    bad = 0
    for path in sys.argv[1:]:
        found = broken(path)
        bad += bool(found)
        print(f"{path}: {'; '.join(found) or 'playable'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
