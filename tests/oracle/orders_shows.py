"""What timelines and scenes show of matches that are recorded as orders (OpenRA, the classic games).

A reading gives a match: `duration`, `people` (name, faction, team, color, rgb, bot, outcome, client),
`entries` (time, frame, player or None, kind, name, item or None, cell or None, units, action) in the
order of frames, `sums` (frame, client, time, value), `delays` (time, player, seconds) and `views`
(time, x, y), and optionally `things`: what is known about units by id (name, building, cost, cells). docs/spec/openra.md (rules S2 to S9) says what follows
from them.
"""

import math

from compare import Near
from scenes import PALETTE, heat_cells, is_shown, linear_colour, near, place

RATE_S, GROUP_S = 60, 10
MARKS_MAX = 24
MARK_S = 1.5
MAP_CELLS = 1024
GROUPS = ("move", "attack", "build", "economy", "support powers", "other")
GROUP_OF = {
    "Move": "move", "Stop": "move", "Guard": "move", "Enter": "move",
    "Attack": "attack", "Stance": "attack",
    "Deploy": "build", "Produce": "build", "PlaceBuilding": "build", "CancelProduction": "build",
    "PauseProduction": "build", "PrimaryBuilding": "build",
    "Sell": "economy", "SetRallyPoint": "economy", "Repair": "economy", "PowerToggle": "economy",
    "Harvest": "economy", "SupportPower": "support powers"}
ECONOMY = {"Produce", "Sell", "PlaceBuilding", "SetRallyPoint", "Repair", "CancelProduction",
           "PauseProduction", "Harvest"}
MARKERS = {"Chat": ("chat", 1), "SupportPower": ("power", 4), "Surrender": ("surrender", 5),
           "Disconnect": ("disconnect", 4), "PlaceBuilding": ("building", 2), "Produce": ("unit", 1),
           "Pause": ("pause", 2)}


def name_of(match, player):
    if player is None or player >= len(match.people):
        return ""
    return match.people[player]["name"] or f"Player {player + 1}"


def single(time):
    return Near(time, 1e-5 * max(1, abs(time)))


def on_map(cell):
    return cell is not None and all(0 <= part < MAP_CELLS for part in cell)


# ---- plots ----


def seconds_of(match):
    return math.floor(match.duration + 1)


def rate(match, player, wanted):
    """Actions of the minute that ends with each second."""
    per_second = [0] * (seconds_of(match) + RATE_S)
    for entry in match.entries:
        if entry["action"] and entry["player"] == player and wanted(entry["kind"]):
            per_second[int(entry["time"] + 1e-6)] += 1
    return [float(sum(per_second[max(0, s - RATE_S + 1):s + 1])) for s in range(seconds_of(match))]


def so_far(match, player):
    return [float(sum(e["action"] and e["player"] == player and int(e["time"] + 1e-6) <= s
                      for e in match.entries)) for s in range(seconds_of(match))]


def plots(match, ours):
    wanted = {"apm": lambda kind: True, "apm_economy": lambda kind: kind in ECONOMY,
              "apm_military": lambda kind: kind not in ECONOMY}
    for plot, test in wanted.items():
        yield f"plot {plot}", [values for _, _, values in ours.plot(plot)], \
            [rate(match, player, test) for player in range(len(match.people))]
        yield f"names of {plot}", [name for name, _, _ in ours.plot(plot)], \
            [name_of(match, player) for player in range(len(match.people))]
        for _, times, _ in ours.plot(plot):
            yield f"times of {plot}", times, [float(s) for s in range(seconds_of(match))]
    yield "plot orders_so_far", [values for _, _, values in ours.plot("orders_so_far")], \
        [so_far(match, player) for player in range(len(match.people))]
    slots = int(match.duration // GROUP_S) + 1
    groups = {name: [0.0] * slots for name in GROUPS}
    for entry in match.entries:
        if entry["action"] and entry["player"] is not None:
            groups[GROUP_OF.get(entry["kind"], "other")][int(entry["time"] + 1e-6) // GROUP_S] += 1
    yield "plot orders", {name: values for name, _, values in ours.plot("orders")}, groups
    yield "times of orders", [times for _, times, _ in ours.plot("orders")], \
        [[float(GROUP_S * slot) for slot in range(slots)]] * len(GROUPS)


def delays(match, ours):
    found = {name: [list(pair) for pair in zip(times, values)]
             for name, times, values in ours.plot("latency") or []}
    for player in range(len(match.people)) if match.delays else ():
        yield f"latency of {player}", found.get(name_of(match, player)), \
            [[single(t), Near(1000 * s, 0.01)] for t, p, s in match.delays if p == player]
    if not match.delays:
        yield "latency", found, {}


def sync_spans(match):
    """Consecutive frames with the same verdict: (from, to, first frame, frames, differ)."""
    frames = {}
    for frame, client, time, value in match.sums:
        frames.setdefault(frame, []).append((client, time, value))
    spans = []
    for frame in sorted(frames):
        first, start, value = frames[frame][0]
        others = [v for client, _, v in frames[frame] if client != first]
        if not others:
            continue
        differ = any(other != value for other in others)
        if not spans or spans[-1][4] != differ:
            spans.append([start, start, frame, 0, differ])
        spans[-1][1] = frames[frame][-1][1]
        spans[-1][3] += 1
    return [span for span in spans if span[0] <= match.duration + 1e-6]


def sync(match, ours):
    rows = [{"t": single(t), "to": single(min(to, match.duration)), "frame": frame, "frames": count,
             "worlds": "differ" if differ else "same"}
            for t, to, frame, count, differ in sync_spans(match)]
    yield "table sync", ours.table("sync"), rows or None
    lanes = ours.plot("sync")
    if not rows:
        yield "lanes of sync", lanes, None
        return
    yield "lanes of sync", [values for _, _, values in lanes], \
        [[float(not s[4]) for s in sync_spans(match)], [float(s[4]) for s in sync_spans(match)]]


# ---- tables and markers ----


def thing_of(match, entry):
    """What is known about the unit or building of an order, or None."""
    if entry["kind"] not in ("Produce", "PlaceBuilding", "CancelProduction", "PauseProduction"):
        return None
    return match.things.get((entry["item"] or "").lower())


def shown_item(match, entry):
    """What an order is about, as players call it."""
    thing = thing_of(match, entry)
    return thing.name if thing and thing.name else entry["item"]


def sort_of(match, entry):
    """"unit", "building" or ""."""
    thing = thing_of(match, entry)
    if entry["kind"] == "PlaceBuilding":
        return "building"
    return "" if not thing else "building" if thing.building else "unit"


def credits_of(match, entry):
    thing = thing_of(match, entry)
    return thing.cost * entry["count"] if thing and thing.cost and entry["kind"] == "Produce" else 0


def credits(match, ours):
    """What each player has ordered in the end, where any price is known."""
    paid = [(entry["player"], credits_of(match, entry)) for entry in match.entries if entry["action"]]
    known = any(cost for _, cost in paid)
    found = ours.plot("credits")
    wanted = [sum(cost for who, cost in paid if who == i) for i in range(len(match.people))]
    yield "credits", [values[-1] for _, _, values in found] if found else None, \
        [float(cost) for cost in wanted] if known else None


def tables(match, ours):
    orders, builds, chat = [], [], []
    for entry in match.entries:
        who, item = name_of(match, entry["player"]), shown_item(match, entry) or ""
        if entry["kind"] == "Chat":
            chat.append({"t": single(entry["time"]), "player": who, "text": item})
            continue
        x, y = entry["cell"] or (math.nan, math.nan)
        orders.append({"t": single(entry["time"]), "player": who, "order": entry["kind"],
                       "name": entry["name"], "item": item, "x": number(x), "y": number(y),
                       "units": len(entry["units"])})
        if entry["kind"] in ("Produce", "PlaceBuilding"):
            builds.append({"t": single(entry["time"]), "player": who, "item": item,
                           "order": entry["kind"], "kind": sort_of(match, entry),
                           "credits": credits_of(match, entry)})
    for name, rows in (("orders", orders), ("builds", builds), ("chat", chat)):
        found = ours.table(name) or []
        yield f"table {name}", [{**row, **{k: number(row[k]) for k in "xy" if k in row}}
                                for row in found], rows
    clients = [{"client": one["client"], "player": one["name"] or "", "faction": one["faction"] or "",
                "team": one["team"], "color": one["color"] or "", "bot": "yes" if one["bot"] else "",
                "outcome": one["outcome"] or ""} for one in match.people if one["listed"]]
    yield "table clients", ours.table("clients") or [], clients


def number(value):
    return "none" if math.isnan(value) else float(value)


def markers(match):
    built = set()
    for entry in match.entries:
        if entry["kind"] not in MARKERS:
            continue
        kind, weight = MARKERS[entry["kind"]]
        if entry["kind"] == "Produce" and sort_of(match, entry) == "building":
            continue
        news = (entry["player"], kind, entry["item"] or "")
        if kind in ("building", "unit"):
            if news in built:
                continue
            built.add(news)
        who = name_of(match, entry["player"])
        item = shown_item(match, entry)
        text = f"{who}: {item}" if item is not None else f"{who} {kind}"
        yield entry["time"], kind, -1 if entry["player"] is None else entry["player"], weight, text
    for span in sync_spans(match):
        if span[4]:
            yield span[0], "desync", -1, 5, "Game states differ"


def sortable(rows):
    return sorted(rows, key=lambda row: (round(row[0], 3), *map(str, row[1:])))


def heats(match, ours):
    for group in (None, *GROUPS):
        places = [(e["cell"][0] + 0.5, e["cell"][1] + 0.5) for e in match.entries
                  if on_map(e["cell"]) and group in (None, GROUP_OF.get(e["kind"], "other"))]
        yield from heat_cells(ours, f"targets:{group}" if group else "targets", places)


def pointers(match):
    """Arrows from where the first unit was last sent, or pings: (entry, start or None)."""
    sent = {}
    for entry in match.entries:
        if not on_map(entry["cell"]):
            continue
        here = (entry["cell"][0] + 0.5, entry["cell"][1] + 0.5)
        yield entry, sent.get(entry["units"][0]) if entry["units"] else None
        for unit in entry["units"]:
            sent[unit] = here


def glyphs(match, ours):
    from columns import column
    for name, arrows in (("orders", True), ("targets", False)):
        found = next((g for g in ours.json["glyphs"] if g["id"] == name), None)
        wanted = []
        for entry, start in pointers(match):
            if (start is not None) == arrows:
                end = (entry["cell"][0] + 0.5, entry["cell"][1] + 0.5)
                wanted.append([single(entry["time"]), -1 if entry["player"] is None else entry["player"],
                               *(start or end), *end, entry["kind"]])
        rows = [list(row) for row in zip(*(column(found[key]) for key in
                                           ("t", "player", "x", "z", "x2", "z2", "kind")))] if found else []
        yield f"glyphs {name}", rows, wanted


def timeline(match, source, unit):
    def answers(ours):
        yield "source", ours.json["source"], {**source, "duration": match.duration, "time_offset": 0}
        wanted = [{"name": name_of(match, i), "id": i, **({"color": one["rgb"]} if one["rgb"] else {})}
                  for i, one in enumerate(match.people)]
        yield "players", ours.json["players"], wanted
        yield "unit", ours.json["clock"]["unit"], unit
        for part in (plots, credits, delays, sync, tables, heats, glyphs):
            yield from part(match, ours)
        yield "markers", sortable(ours.markers()), \
            [(single(t), *rest) for t, *rest in sortable(markers(match))]
    return answers


# ---- scenes ----


def buildings(match):
    number = 0
    for entry in match.entries:
        if entry["kind"] == "PlaceBuilding" and entry["player"] is not None and on_map(entry["cell"]):
            yield f"building:{number}", entry
            number += 1


def visible_marks(match, time):
    """{(player, kind): sorted places} of what is shown at a time, without crowded ones."""
    found = {}
    for entry, start in pointers(match):
        if entry["time"] - 1e-4 <= time < entry["time"] + MARK_S - 1e-4:
            x, z = entry["cell"][0] + 0.5, entry["cell"][1] + 0.5
            still = start is None or start == (x, z)
            middle = (x, z) if still else ((x + start[0]) / 2, (z + start[1]) / 2)
            key = entry["player"], "ping" if still else "arrow"
            found.setdefault(key, []).append(middle)
    return {key: sorted(places) for key, places in found.items() if len(places) <= MARKS_MAX}


def scene(match):
    def answers(ours):
        nodes = [(n["extras"]["reprise"], i) for i, n in enumerate(ours.json["nodes"])
                 if "reprise" in n.get("extras", {})]
        ids = {about["id"]: i for about, i in nodes if about["kind"] == "building"}
        yield "buildings", sorted(ids), sorted(name for name, _ in buildings(match))
        for name, entry in buildings(match):
            node = ids.get(name)
            if node is None:
                continue
            x, y = entry["cell"]
            thing = thing_of(match, entry)
            wide, deep = thing.cells if thing and thing.cells else (2, 2)
            yield f"{name} place", place(ours, node, match.duration), near([x + wide / 2, 0.45, y + deep / 2])
            yield f"{name} shown", is_shown(ours, node, entry["time"] + 1e-4), True
            yield f"{name} player", ours.json["nodes"][node]["extras"]["reprise"]["player"], entry["player"]
            if entry["time"] > 0.01:
                yield f"{name} hidden before", is_shown(ours, node, entry["time"] - 0.01), False
        moments = sorted({entry["time"] for entry, _ in pointers(match)})
        for time in moments[:: max(1, len(moments) // 6)]:
            shown = {}
            for about, node in nodes:
                if about["kind"] in ("ping", "arrow") and is_shown(ours, node, time + 1e-3):
                    x, _, z = place(ours, node, time + 1e-3)
                    shown.setdefault((about.get("player"), about["kind"]), []).append((x, z))
            for key, places in visible_marks(match, time + 1e-3).items():
                yield f"marks of {key} at {time}", sorted(shown.get(key, [])), [near(p, 1e-3) for p in places]
        materials = {m["name"]: m["pbrMetallicRoughness"]["baseColorFactor"][:3]
                     for m in ours.json["materials"]}
        names = [name_of(match, i) for i in range(len(match.people))]
        for i, name in enumerate(names):
            if name in materials and names.count(name) == 1:
                yield f"colour of {name}", materials[name], linear_colour(PALETTE[i % len(PALETTE)])
        yield from views(match, ours, nodes)
    return answers


def views(match, ours, nodes):
    node = next((i for about, i in nodes if about["kind"] == "view"), None)
    yield "recorded view", node is not None, bool(match.views)
    for time, x, y in match.views[:: max(1, len(match.views) // 8)] if node is not None else ():
        yield f"view at {time}", place(ours, node, time), near([x + 10, 16, y + 7], 1e-3)
