"""OpenRA and the classic games: orders over time against `stats` and the rows of tracks."""

import colorsys

# Listed as orders, but not given to the game: they are not actions.
NO_ACTIONS = {"PauseGame", "Disconnect", "EMPTY", "OPTIONS", "MESSAGE", "SAVEGAME", "ADDPLAYER"}


def actions(timeline):
    return [row for row in timeline.table("orders") if row["name"] not in NO_ACTIONS]


def orders_so_far(timeline, stats, rows):
    """In the end all actions were counted, as many as `stats` counts for each player."""
    listed = {}
    for row in actions(timeline):
        listed[row["player"]] = listed.get(row["player"], 0) + 1
    counted = {player.get("name"): player["orders"] for player in stats["recorded"]["players"]}
    names = [player["name"] for player in timeline.json["players"]]
    for name, times, values in timeline.plot("orders_so_far"):
        last = (values or [0])[-1]
        if names.count(name) == 1:
            yield last == listed.get(name, 0), f"{name}: {last}, not {listed}"
            yield last == counted.get(name, last), f"{name}: {last}, but stats say {counted}"
        yield values == sorted(values), f"{name} takes orders back"


def corner(timeline, stats, rows):
    for player in timeline.json["players"]:
        plots = [plot for plot, series in timeline.hud(player["id"]) if series == player["id"]]
        yield plots == ["apm", "orders_so_far"], f"beside {player['name']}: {plots}"


def bands(timeline, stats, rows):
    """Stretches of a player count that player's orders."""
    names = {player["id"]: player["name"] for player in timeline.json["players"]}
    orders = [(row["t"], row["player"]) for row in actions(timeline)]
    for band in timeline.bands("orders"):
        own = [t for t, name in orders if name == names[band["player"]]]
        if list(names.values()).count(names[band["player"]]) > 1:
            continue
        inside = sum(band["t0"] <= t < band["t1"] for t in own)
        yield band["text"] == f"{inside} orders", f"{band}: {inside}"


def heat_by_kind(timeline, stats, rows):
    """What is warm by kind is warm in all, and the other way round."""
    kinds = [heat["id"] for heat in timeline.json["heat"] if heat["id"].startswith("targets:")]
    whole = set(timeline.heat("targets") or {})
    parts = set().union(*(timeline.heat(kind) for kind in kinds)) if kinds else set()
    placed = [row for row in timeline.table("orders") if row["x"] == row["x"]]
    yield bool(whole) == bool(placed) and bool(parts) == bool(placed), "heat without places"
    for x, z in parts:
        yield any(abs(x - a) < 1.1 and abs(z - b) < 1.1 for a, b in whole), f"{x} {z}"


def clients(timeline, stats, rows):
    listed = [row["player"] for row in timeline.table("clients")]
    shown = [player["name"] for player in timeline.json["players"]]
    yield len(listed) in (len(shown), 0), f"{listed} among {shown}"
    for name, row in zip(listed, shown):
        yield name in (row, ""), f"{name} is called {row}"


def rgb_of(stored):
    """What a stored colour is: hexadecimal, with alpha or not, or bytes of hue, saturation, light."""
    if "," not in stored:
        return tuple(bytes.fromhex(stored)[:3])
    hue, saturation, light = (int(byte) / 255 for byte in stored.split(","))
    return tuple(int(part * 255) for part in colorsys.hls_to_rgb(hue, light, saturation))


def colours(timeline, stats, rows):
    """The game's own where the file says one; the classic games say only its number."""
    stored = [row["color"] for row in timeline.table("clients")]
    for player, text in zip(timeline.json["players"], stored):
        shown = player.get("color")
        if stats["format"] != "openra" or not text:
            yield shown is None, f"{player['name']} is {shown}, stored {text!r}"
            continue
        apart = [abs(a - b) for a, b in zip(bytes.fromhex((shown or "#")[1:]), rgb_of(text))]
        yield len(apart) == 3 and max(apart) <= ("," in text), f"{shown}, stored {text}"


def sums_of(stats, rows):
    """(frame, client, sum) as tracks have them."""
    if stats["format"] == "openra":
        for row in rows("sync"):
            if row["hashes"]:
                yield row["frame"], row["client"], (str(row["hashes"]), row["defeat"])
        return
    for row in rows("events"):
        if row["event"] == "FRAMEINFO" and row["frame"] >= row["delay"]:
            yield row["frame"] - row["delay"], row["house"], row["crc"]


def sync(timeline, stats, rows):
    """Frames compared, stretches of them, and where worlds part."""
    frames = {}
    for frame, client, value in sums_of(stats, rows):
        frames.setdefault(frame, []).append((client, value))
    verdicts = []
    for frame in sorted(frames):
        first, value = frames[frame][0]
        others = [v for client, v in frames[frame] if client != first]
        if others:
            verdicts.append((frame, any(v != value for v in others)))
    table, lane = timeline.table("sync"), timeline.plot("sync")
    if not verdicts:
        yield table is None and lane is None, "a lane although nothing can be compared"
        return
    yield sum(row["frames"] for row in table) == len(verdicts), f"{table}: {len(verdicts)} frames"
    differing = [frame for frame, differs in verdicts if differs]
    starts = [row["frame"] for row in table if row["worlds"] == "differ"]
    yield starts[:1] == differing[:1], f"worlds differ from {starts}, not {differing[:1]}"
    found = stats["recorded"].get("desync", {}).get("first_frame")
    yield found == (differing[0] if differing else None), f"stats say {found}"
    yield bool(timeline.markers("desync")) == bool(differing), "markers"
    yield lane[0][2][0] == (0.0 if verdicts[0][1] else 1.0), f"lane {lane}"


def views(timeline, stats, rows):
    """The recorded corner is a camera where there is one."""
    cameras = [camera["id"] for camera in timeline.json["cameras"]]
    full = stats["layout"].endswith("full")
    yield ("view" in cameras) == full, f"{cameras} of {stats['layout']}"


CHECKS = [orders_so_far, corner, bands, heat_by_kind, clients, colours, sync, views]
