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
        priced = ["credits"] if timeline.plot("credits") else []
        yield plots == ["apm", "orders_so_far", *priced], f"beside {player['name']}: {plots}"


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


def totals(timeline, stats, rows):
    """What the Players tab says, for players whose names tell them apart."""
    names = [player["name"] for player in timeline.json["players"]]
    told = {player.get("name"): player for player in stats["recorded"]["players"]}
    for number, name in enumerate(names):
        if names.count(name) > 1 or name not in told:
            continue
        found, player = timeline.totals(number), told[name]
        yield found.get("Orders") == str(player["orders"]), f"{name}: {found}, not {player['orders']} orders"
        for label, key in (("Things ordered", "produced"), ("Buildings placed", "placed")):
            if key in player:
                wanted = str(sum(player[key].values()))
                yield found.get(label) == wanted, f"{name}: {found}, not {wanted} {key}"


# Prices of the Red Alert mod, and which things are buildings, written down apart from the library.
ECONOMY = {"proc": 1400, "powr": 300, "apwr": 500, "harv": 1100, "mcv": 2000}
TECHNOLOGY = {"dome": 1500, "weap": 2000, "tent": 500, "fix": 1200, "hpad": 500}
DEFENCE = {"gun": 800, "pbox": 600}
ARMY = {"1tnk": 700, "2tnk": 850, "arty": 850, "e1": 100, "e3": 300, "e6": 400, "heli": 2000, "jeep": 500}
PRICES = {"economy": ECONOMY, "technology": TECHNOLOGY, "defence": DEFENCE, "army": ARMY}
UNITS = {*ARMY, "harv", "mcv"}


def ordered(rows):
    """(time, client, item, count) of everything that was to be produced."""
    for row in rows("orders"):
        if row["order"] == "StartProduction":
            yield row["time"], row["client"], row["item"], max(row.get("extra_data") or 1, 1)


def credits_of(client, rows):
    return {kind: sum(prices.get(item, 0) * count for _, who, item, count in ordered(rows) if who == client)
            for kind, prices in PRICES.items()}


def credits(timeline, stats, rows):
    """By player and kind, over time and in all: plots, the table, totals and `stats`."""
    if stats["format"] != "openra":
        yield timeline.plot("credits") is None, "prices of the classic games are not known"
        return
    told = {player["client"]: player.get("credits_ordered") for player in stats["derived"]["players"]}
    clients = [row["client"] for row in timeline.table("clients")]
    known = {item for prices in PRICES.values() for item in prices}
    yield all(item in known for _, _, item, _ in ordered(rows)), "items that this test does not know"
    if timeline.plot("credits") is None:
        yield not any(told.values()), f"no plot of {told}"
        return
    table = timeline.table("credits")
    for number, (name, times, values) in enumerate(timeline.plot("credits")):
        wanted = credits_of(clients[number], rows)
        yield (values or [0])[-1] == sum(wanted.values()), f"{name}: {values[-1:]}, not {wanted}"
        yield values == sorted(values), f"{name} gets credits back"
        yield {kind: table[number][kind] for kind in PRICES} == wanted, f"{table[number]}, not {wanted}"
        yield table[number]["total"] == sum(wanted.values()), f"{table[number]}"
        found = told.get(clients[number])
        yield found == (wanted if sum(wanted.values()) else None), f"{name}: stats say {found}, not {wanted}"
        label = timeline.totals(number).get("Credits ordered, about")
        yield label == str(sum(wanted.values())), f"{name}: {label} in all"
    for kind, times, values in timeline.plot("credits_by_kind"):
        all_of = sum(credits_of(client, rows)[kind] for client in set(clients))
        yield sum(values) == all_of, f"{kind}: {sum(values)}, not {all_of}"


def lanes(timeline, stats, rows):
    """A build order for each player who ordered anything: buildings first, a bar at each order."""
    builds = [row for row in timeline.table("builds") if row["order"] == "Produce"]
    if stats["format"] == "openra":
        words = {True: "unit", False: "building"}
        items = [words[item in UNITS] for _, _, item, _ in sorted(ordered(rows), key=lambda o: o[0])]
        yield [row["kind"] for row in builds] == items, "units and buildings are mixed up"
    names = [player["name"] for player in timeline.json["players"]]
    for number, name in enumerate(names):
        if names.count(name) > 1:
            continue
        own = [row for row in builds if row["player"] == name]
        chart = timeline.plot(f"builds-{number + 1}")
        yield (chart is None) == (not own), f"{name}: a chart of {len(own)} orders"
        shown = {}
        for lane, times, values in chart or []:
            shown[lane] = [(t, v) for t, v in zip(times, values)]
        kinds = {row["item"]: row["kind"] for row in own}
        order = [kinds[lane] == "building" for lane in shown if lane in kinds]
        yield order == sorted(order, reverse=True), f"{name}: {list(shown)}"
        for row in own:
            others = "other buildings" if row["kind"] == "building" else "other units"
            lane = shown.get(row["item"], shown.get(others))
            yield lane is not None, f"{name}: no lane for {row['item']}"
            before = [v for t, v in lane or [] if t <= row["t"] + 1e-4]
            yield before[-1:] == [1.0], f"{name}: no bar for {row['item']} at {row['t']}"


CHECKS = [credits, lanes, orders_so_far, corner, bands, heat_by_kind, clients, colours, sync, views, totals]
