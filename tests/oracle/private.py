"""How many private values `info` must list, by what they are. Each family names those that its document has.

`counted(known)` is an answer to ("info",): the list has exactly these counts, where it says that all was examined.
Substitutes of `anonymize` ("Player 3") and neutral values are not private.
"""

import re

SUBSTITUTE = re.compile(r"Player( \d+)?")


def is_name(text):
    return bool(text) and not SUBSTITUTE.fullmatch(text)


def counted(known):
    def answers(ours):
        found = {(one["kind"], one["what"]): one["count"] for one in ours["private"]}
        for key, count in known.items() if ours["private_complete"] else ():
            yield f"private {key[1]}", found.get(key, 0), count
    return answers


def rumble(header, members, voices, extensions):
    people = [player or {} for player in header.get("Players") or []]
    quiet = {"AvgPing": -1, "MaxPing": 0, "MinPing": 2**31 - 1}
    return counted({
        ("names", "player names"): sum(is_name(one.get("Name")) for one in people),
        ("ids", "account ids"): sum(bool(one.get("MasterId")) for one in people),
        ("ids", "battle points"): sum(bool(one.get("BattlePoints")) for one in people),
        ("names", "title"): int(header.get("Title", "Replay") not in ("", "Replay")),
        ("times", "date"): bool(header.get("Date")) + bool(header.get("DateUTC")),
        ("ids", "file id"): int(bool(header.get("Guid"))),
        ("addresses", "network latency"): sum(header.get(key, value) not in (0, value) for key, value in quiet.items()),
        ("content", "custom map"): int(bool(header.get("CustomMap"))),
        ("voice", "voice recordings"): sum(name == "voices.json" or name.startswith("voices/") for name in members),
        ("ids", "account ids of speakers"): sum(bool(voice["MasterId"]) for voice in voices),
        ("extensions", "files of other mods"): sum(name.startswith("extensions/") for name in members),
        ("extensions", "data of other mods"): extensions})


def openra(chats):
    def answers(ours):
        found = sum(one["count"] for one in ours["private"] if one["what"].startswith("chat messages"))
        yield "private chat messages", found, sum(chat["channel"] not in ("server", "notification") for chat in chats)
    return answers


def remastered(names, addresses):
    return counted({("names", "player names"): sum(map(is_name, names)),
                    ("addresses", "network addresses"): sum(map(any, addresses))})


def ironcurtain(metadata, kinds, voices):
    """`kinds` has the number of orders of each kind."""
    def answers(ours):
        yield from counted({
            ("names", "player names"): sum(is_name(one["name"]) for one in metadata.get("players") or []),
            ("addresses", "relay server"): int(bool(metadata.get("relay_server"))),
            ("times", "date"): int(bool(metadata.get("timestamp"))),
            ("ids", "replay id"): int(bool(metadata.get("replay_id"))),
            ("voice", "voice recordings"): voices})(ours)
        found = sum(one["count"] for one in ours["private"] if one["what"] in ("whispers", "chat messages and commands"))
        if ours["private_complete"]:
            yield "private chat", found, kinds["ChatMessage"] + kinds["ChatCommand"]
    return answers


def mcreplay(abouts):
    """`abouts` are the documents meta.json."""
    return counted({("ids", "encoder"): sum(about.get("encoder") not in (None, "", "Reprise") for about in abouts)})
