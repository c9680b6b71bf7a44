"""What the summary of a file must be, from independent readings of it."""

import re

from compare import ABSENT


def get(document, *keys):
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return None if document is ABSENT or document == "" else document


def date(document):
    text = get(document, "date")
    return re.sub(r"^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d).*", r"\1 \2", text) if text else None


def people(info):
    return [one for one in get(info, "people") or [] if get(one, "name") is not None and not get(one, "observer")]


def players(info, more=None):
    found = []
    for one in people(info):
        about = get(one, more) if more else None
        found.append(f"{one['name']} ({about})" if about else one["name"])
    return found or None


def winners(info):
    won = [one["name"] for one in get(info, "people") or [] if str(get(one, "outcome")).lower() == "won"]
    return won or None


def rounds_won(stats):
    """Rounds at whose end one player alone has health left."""
    wins, decided = None, False
    for one in get(stats, "derived", "rounds") or []:
        left = [i for i, health in enumerate(one["health_at_end"]) if health > 0]
        wins = wins or [0] * len(one["health_at_end"])
        if len(wins) > 1 and len(left) == 1:
            wins[left[0]] += 1
            decided = True
    return wins if decided else None


def rumble(info, stats):
    wins = rounds_won(stats)
    first = [i for i, count in enumerate(wins or []) if count == max(wins)]
    names = [get(one, "name") for one in get(info, "people") or []]
    return {"players": players(info), "map": get(info, "map", "name"), "length": get(info, "duration"),
            "result": ":".join(map(str, wins)) if wins else None, "date": date(info),
            "winner": names[first[0]] if len(first) == 1 else None, "title": get(info, "title"),
            "version": get(info, "version")}


def cs2kz(info, stats):
    player = info["people"][0] if info["people"] and info["people"][0]["role"] == "player" else {}
    return {"map": get(info, "map", "name"), "course": get(info, "course"), "mode": get(info, "mode"),
            "time": get(info, "run_time"), "teleports": get(info, "teleports"), "player": get(player, "name"),
            "date": date(info), "styles": get(info, "styles") or None, "type": info["type"], "jump": get(info, "jump"),
            "distance": get(info, "distance"), "player_id": get(player, "id"), "length": get(info, "duration")}


def openra(info, stats):
    return {"map": get(info, "map", "name"), "players": players(info, "faction"), "winner": winners(info),
            "length": get(info, "duration"), "version": get(info, "version"), "date": date(info),
            "mod": get(info, "mod"), "server": get(info, "server")}


def remastered(info, stats):
    return {"map": get(info, "map", "name"), "players": players(info, "house"), "length": get(info, "duration"),
            "game": info["game"], "session": info["session"]}


def mcreplay(info, stats):
    names = [one["name"] for one in get(info, "entities") or [] if get(one, "class") == "minecraft:player"]
    return {"entities": get(info, "entity_count"), "length": get(info, "duration"), "players": names or None,
            "kind": info["kind"], "version": get(info, "version")}


def mccamera(info, stats):
    return {"name": get(info, "name"), "frames": info["frames"], "length": info["duration"]}


def icrep(info, stats):
    won = winners(info)
    outcomes = {get(one, "outcome") for one in info["people"]}
    more = f" and {len(won) - 1} more" if won and len(won) > 1 else ""
    common = outcomes.pop() if len(outcomes) == 1 else None
    return {"map": get(info, "map", "name"), "players": players(info),
            "outcome": f"{won[0]}{more} won" if won else common, "signed": info["signed"],
            "length": get(info, "duration"), "date": date(info), "winner": won, "version": get(info, "engine_version")}


def icsave(info, stats):
    return {"title": get(info, "title"), "campaign": get(info, "campaign", "campaign_id"), "date": date(info),
            "map": get(info, "map", "name"), "game_time": get(info, "game_time"), "tick": info["tick"],
            "picture": info["thumbnail"], "players": players(info), "version": get(info, "engine_version")}


def summary(module, path, data):
    """(format, columns), or None if the oracle says too little about the file."""
    documents = {}
    for question, known in module.expected(path, data):
        if question in (("info",), ("stats",)) and not callable(known):
            documents[question[0]] = known
    if documents.get("info", {}).get("format") in (None, "icproof"):
        return None
    info = documents["info"]
    return info["format"], globals()[info["format"]](info, documents.get("stats", {}))
