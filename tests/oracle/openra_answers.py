"""What the command says of an OpenRA replay, as docs/spec/openra.md (rules S1 to S9) has it."""

import math
import struct
from pathlib import Path

import openra
import orders_shows
import private
from compare import ABSENT, Whole

NONE = 0xFFFFFFFF
CELL = 1024
POWERS = ("AdvancedChronoshift", "Chronoshift", "SovietParatroopers", "SovietSpyPlane",
          "UkraineParabombs")
STANCES = ("hold fire", "return fire", "defend", "attack anything")

# Rule S4: what an order is in the form that all engines share.
KINDS = {}
for _kind, _names in {
        "Move": "Move AttackMove AssaultMove Scatter",
        "Attack": "Attack ForceAttack",
        "Deploy": "DeployTransform GrantConditionOnDeploy DeployWithCharge",
        "Produce": "StartProduction",
        "Sell": "Sell",
        "PlaceBuilding": "PlaceBuilding LineBuild PlacePlug",
        "SetRallyPoint": "SetRallyPoint",
        "Stop": "Stop",
        "Chat": "Chat TeamChat",
        "Surrender": "Surrender",
        "Stance": "SetUnitStance",
        "Repair": "RepairBuilding Repair RepairNear EngineerRepair InstantRepair RepairBridge",
        "PowerToggle": "PowerDown",
        "CancelProduction": "CancelProduction",
        "PauseProduction": "PauseProduction",
        "Guard": "Guard",
        "Enter": "Enter EnterTransport EnterTunnel CaptureActor Infiltrate",
        "Harvest": "Harvest Deliver Dock ForceDock",
        "Group": "CreateGroup",
        "Beacon": "PlaceBeacon",
        "Pause": "PauseGame",
        "PrimaryBuilding": "PrimaryProducer"}.items():
    for _name in _names.split():
        KINDS[_name] = _kind


# ---- info ----


def people(r):
    """Rule S1."""
    if r.header:
        for key, _, nodes in r.header:
            if key.startswith("Player@"):
                yield {"client": int(openra.value_of(nodes, "ClientIndex") or 0), "name": openra.value_of(nodes, "Name"),
                       "faction": openra.value_of(nodes, "FactionName"), "color": openra.value_of(nodes, "Color"),
                       "team": int(openra.value_of(nodes, "Team") or 0),
                       "bot": openra.value_of(nodes, "IsBot") == "True", "outcome": openra.value_of(nodes, "Outcome")}
        return
    for key, _, nodes in r.lobby:
        if key.startswith("Client@") and openra.value_of(nodes, "Slot"):
            yield {"client": int(openra.value_of(nodes, "Index") or key[7:]), "name": openra.value_of(nodes, "Name"),
                   "faction": openra.value_of(nodes, "Faction") or openra.value_of(nodes, "Race"),
                   "color": openra.value_of(nodes, "Color"), "team": int(openra.value_of(nodes, "Team") or 0),
                   "bot": bool(openra.value_of(nodes, "Bot"))}


def moment(stored):
    """2024-02-03 04-05-06 becomes 2024-02-03 04:05:06; the year 1 is unset."""
    if not stored or stored.startswith("0001"):
        return None
    return stored[:10] + " " + stored[11:].replace("-", ":")


def present(**members):
    return Whole({key: value for key, value in members.items() if value is not None})


def info(r):
    root = openra.child(r.header, "Root")
    kinds = {}
    for packet in r.packets:
        kinds[packet["kind"]] = kinds.get(packet["kind"], 0) + 1
    date = moment(openra.value_of(root, "StartTimeUtc"))
    uid = openra.value_of(root, "MapUid") or openra.value_of(r.settings, "Map")
    return dict(present(
        format="openra", layout="zip" if r.container == "zip" else r.dialect, size=r.size,
        duration=r.duration, container=r.container, dialect=r.dialect, dialect_by=r.dialect_by,
        protocol=r.protocol, confidence=r.confidence, version=r.version, mod=r.mod,
        map=present(name=openra.value_of(root, "MapTitle"), uid=uid), date=date,
        date_zone="UTC" if date else None, date_end=moment(openra.value_of(root, "EndTimeUtc")),
        frames=r.last_frame, ticks_per_frame=r.interval, tick_ms=r.tick_ms, order_latency=r.latency,
        game_speed=r.options.get("gamespeed"), server=openra.value_of(r.settings, "ServerName"),
        game_uid=openra.value_of(r.settings, "GameUid"), random_seed=openra.value_of(r.settings, "RandomSeed"),
        started=r.started, people=[present(**one) for one in people(r)], options=r.options or None,
        packets={"count": len(r.packets), **kinds}, parts=r.parts, private_complete=True,
        header=openra.as_document(r.header) if r.header else None,
        lobby=openra.as_document(r.lobby) if r.lobby else None,
        metadata_text=openra.text_of(r.metadata) if r.metadata is not None else None))


# ---- statistics (rules S2 to S9) ----


def kind_of_order(name):
    if name in KINDS:
        return KINDS[name]
    return "SupportPower" if name.endswith("PowerInfoOrder") and len(name) > 14 or name in POWERS else "Unknown"


def actions(r):
    return [order for order in r.orders if order["frame"] > 0
            and KINDS.get(order["order"]) not in ("Chat", "Pause")]


def cell_of(order):
    if "target_cell_x" in order:
        return order["target_cell_x"], order["target_cell_y"]
    if "target_pos_x" in order:
        return order["target_pos_x"] // CELL, order["target_pos_y"] // CELL
    return None


def group_size(order):
    if "grouped" in order:
        return len(order["grouped"])
    return int("subject" in order)


def count(into, name, by=1):
    into[name] = into.get(name, 0) + by


def named(r, client, **members):
    return present(client=client, name=r.names.get(client), **members)


def player_records(r, client):
    mine = [order for order in actions(r) if order["client"] == client]
    kinds, builds, produced, placed, stances = {}, [], {}, {}, {}
    for order in mine:
        count(kinds, order["order"])
        kind, item = kind_of_order(order["order"]), order.get("item") or ""
        entry = {"time": order["time"], "order": order["order"], "item": item}
        if kind == "Produce":
            count(produced, item, max(order.get("extra_data", 0), 1))
            builds.append(present(**entry, count=order.get("extra_data")))
        elif kind == "PlaceBuilding":
            count(placed, item)
            builds.append(present(**entry, x=order.get("target_cell_x"), y=order.get("target_cell_y")))
        elif kind == "Stance":
            stance = order.get("extra_data", 0)
            count(stances, STANCES[stance] if stance < 4 else "unknown")
    powers = [{"time": o["time"], "power": o["order"]} for o in mine
              if kind_of_order(o["order"]) == "SupportPower"]
    sizes = [group_size(order) for order in mine]
    return named(r, client, orders=len(mine), order_kinds=kinds, build_order=builds, produced=produced,
                 placed=placed, support_powers=powers, stances=stances,
                 groups_made=sum(kind_of_order(o["order"]) == "Group" for o in mine),
                 orders_to_groups=sum(size > 1 for size in sizes), largest_group=max(sizes),
                 queued_orders=sum(order["queued"] for order in mine))


def by_minute(times):
    """One number per minute up to the last one with an action."""
    minutes = [0] * (int(max(times)) // 60 + 1) if times else []
    for time in times:
        minutes[int(time) // 60] += 1
    return minutes


def player_metrics(r, client):
    mine = [order for order in actions(r) if order["client"] == client]
    fresh = [o for o, before in zip(mine, [None, *mine]) if not before or o["raw"] != before["raw"]]
    heat, attacks = {}, []
    for order in mine:
        kind = kind_of_order(order["order"])
        if kind in ("Move", "Guard", "Attack") and cell_of(order):
            count(heat, cell_of(order))
        if kind == "Attack":
            attacks.append(order["time"])
    minutes = r.duration / 60
    ordered = sorted(heat.items(), key=lambda entry: (-entry[1], entry[0][1], entry[0][0]))
    return named(r, client, actions_per_minute=len(mine) / minutes if minutes else 0,
                 actions_per_minute_without_repeats=len(fresh) / minutes if minutes else 0,
                 actions_by_minute=by_minute([o["time"] for o in mine]),
                 actions_by_minute_without_repeats=pad(by_minute([o["time"] for o in fresh]),
                                                       by_minute([o["time"] for o in mine])),
                 first_attack=min(attacks) if attacks else None,
                 credits_ordered=credits_ordered(r, client),
                 army_heat=[{"x": x, "y": y, "count": n} for (x, y), n in ordered])


def pad(short, long):
    return short + [0] * (len(long) - len(short))


def chats(r):
    for order in r.orders:
        name, extra = order["order"], order.get("extra_data", 0)
        entry = {**named(r, order["client"]), "time": order["time"], "tick": order["tick"],
                 "packet": order["packet"], "text": order.get("item") or ""}
        if name == "Chat":
            yield {**entry, "channel": "all" if not extra else "spectators" if extra == NONE else "team"}
        elif name == "TeamChat":
            yield {**entry, "channel": "team"}
        elif name in ("Message", "ServerError", "AuthenticationError", "Disconnected"):
            yield {**entry, "channel": "server"}
        elif name in ("LocalizedMessage", "FluentMessage"):
            nodes = openra.parse_yaml(order.get("item") or "")
            text = next((v for k, v, c in flatten(nodes) if k == "Key"), "")
            yield {**entry, "channel": "notification", "text": text}


def flatten(nodes):
    for node in nodes:
        yield node
        yield from flatten(node[2])


def desync(r):
    """Rule 21: two clients that differ for a frame."""
    frames = {}
    for row in r.syncs:
        if row["hashes"]:
            frames.setdefault(row["frame"], []).append((row["client"], (row["hashes"], row["defeat"])))
    found = []
    for frame in sorted(frames):
        first, value = frames[frame][0]
        for client, other in frames[frame][1:]:
            if other != value:
                found.append((frame, first, client))
                break
    if not found:
        return None
    return {"first_frame": found[0][0], "frames": len(found), "clients": list(found[0][1:])}


def stats(r):
    clients = []
    for order in actions(r):
        if order["client"] not in clients:
            clients.append(order["client"])
    defeats = {}
    for row in r.syncs:
        for bit in range(64):
            if row["defeat"] and row["defeat"] >> bit & 1:
                defeats.setdefault(bit, row["time"])
    attacks = [o for o in actions(r) if kind_of_order(o["order"]) == "Attack"]
    pauses = [o for o in r.orders if o["order"] == "PauseGame"]
    recorded = present(
        frames=r.last_frame,
        outcomes=[{"name": openra.value_of(nodes, "Name"), "outcome": openra.value_of(nodes, "Outcome")}
                  for _, _, nodes in r.header if openra.value_of(nodes, "Name") and openra.value_of(nodes, "Outcome")],
        players=[player_records(r, client) for client in clients], chat=[Whole({k: v for k, v in chat.items() if k not in ("tick", "packet")}) for chat in chats(r)],
        pauses=[named(r, o["client"], time=o["time"], paused=o.get("item") == "Pause") for o in pauses],
        disconnects=[named(r, d["client"], time=d["time"]) for d in r.disconnects],
        defeats=[{"time": time, "world_player": bit} for bit, time in sorted(defeats.items())],
        desync=desync(r))
    derived = present(
        duration=r.duration,
        first_contact=named(r, attacks[0]["client"], time=attacks[0]["time"]) if attacks else None,
        players=[player_metrics(r, client) for client in clients])
    return {"format": "openra", "layout": info(r)["layout"], "recorded": recorded, "derived": derived}


# ---- rows and moments ----

ORDER_COLUMNS = (
    "packet frame client type order subject target_kind target_actor target_generation target_viewer "
    "target_frozen target_cell_x target_cell_y target_layer target_subcell target_pos_x target_pos_y "
    "target_pos_z target_terrain item extra_actors extra_x extra_y extra_layer extra_data grouped queued "
    "raw").split()


def order_row(r, order):
    row = {column: order.get(column) for column in ORDER_COLUMNS}
    if order["type"] == "handshake":
        row["queued"] = None
    return {**row, "player": r.names.get(order["client"]), "group_size": group_size(order)}


def sync_row(r, sync):
    return {"packet": sync["packet"], "frame": sync["frame"], "client": sync["client"],
            "hash": sync["hashes"][0] if sync["hashes"] else None, "hashes": sync["hashes"],
            "defeat": None if sync["defeat"] is None else str(sync["defeat"])}


def chat_row(r, chat):
    return {"packet": chat["packet"], "client": chat["client"], "channel": chat["channel"],
            "text": chat["text"], "player": chat.get("name")}


def disconnect_row(r, row):
    return {"packet": row["packet"], "frame": row["frame"], "client": row["client"],
            "player": r.names.get(row["client"])}


def packet_row(r, packet):
    return {key: value for key, value in packet.items() if key not in ("tick", "time")}


def tracks(r):
    """{track: [(tick, time, row)]}"""
    lists = {"orders": (r.orders, order_row), "sync": (r.syncs, sync_row), "chat": (list(chats(r)), chat_row),
             "disconnects": (r.disconnects, disconnect_row), "packets": (r.packets, packet_row)}
    return {track: [(row["tick"], row["time"], make(r, row)) for row in rows]
            for track, (rows, make) in lists.items()}


def moments(r):
    found = tracks(r)
    ticks = sorted({tick for rows in found.values() for tick, _, _ in rows})
    end = ticks[-1]
    wanted = [("--tick", t, t) for t in (ticks[len(ticks) // 3], end // 2 + 1, end)]
    wanted += [("--time", r.seconds(end) * share, r.seconds(end) * share * 1000 / r.tick_ms)
               for share in (0.377, 0.81, 1.5)]
    for option, value, limit in wanted:
        tick = max(t for t in ticks if t <= limit + 1e-9)
        yield ("at", option, repr(value)), {
            "tick": tick, "time": float(r.seconds(tick)),
            **{track: [row for t, _, row in rows if t == tick] for track, rows in found.items()}}


def rows(r):
    return {track: [{"tick": tick, "time": float(time), **row} for tick, time, row in found] or ABSENT
            for track, found in tracks(r).items()}


# ---- what is shown ----


def f32(value):
    """Rounded to single precision, as every step of the game's arithmetic is."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def component(low, high, hue):
    """Red, green or blue from a hue that is shifted by a third of the circle, none, or a third back."""
    hue = f32(hue - math.floor(hue))
    slope = f32(f32(high - low) * 6)
    if hue < f32(1 / 6):
        return f32(low + f32(slope * hue))
    if hue < 0.5:
        return high
    return f32(low + f32(slope * f32(f32(2 / 3) - hue))) if hue < f32(2 / 3) else low


def rgb(stored):
    """#rrggbb of a stored colour; of three bytes of hue, saturation and light before protocol 8."""
    if not stored:
        return None
    if "," not in stored:
        return "#" + stored[:6].lower()
    hue, saturation, light = (f32(int(part) / 255) for part in stored.split(",")[:3])
    if light < 0.5:
        high = f32(light * f32(1 + saturation))
    else:
        high = f32(f32(light + saturation) - f32(light * saturation))
    low = f32(f32(2 * light) - high)
    parts = [component(low, high, f32(hue + f32(shift / 3))) for shift in (1, 0, -1)]
    return "#" + "".join(f"{int(f32(part * 255)):02x}" for part in parts)


class Thing:
    """A unit or building of a mod: kind, name, price (0: unknown) and the cells it covers."""

    def __init__(self, unit, kind, name, cost, cells):
        self.name, self.building, self.cost = name, "building" in kind, int(cost or 0)
        self.cells = tuple(int(side) for side in cells.split("x")) if cells else None
        self.purpose = "economy" if unit in FOR_ECONOMY else "defence" if unit in FOR_DEFENCE else \
            "technology" if self.building else "army"


FOR_ECONOMY = set("""proc silo powr apwr fact harv mcv truk nuke nuk2 fact.gdi fact.nod truck refinery wind_trap
construction_yard conyard.atreides conyard.harkonnen conyard.ordos harvester carryall anypower fpwr fapw
facf""".split())
FOR_DEFENCE = set("""gap tsla agun pbox hbox gun ftur sam sbag fenc brik cycl barb wood obli gtwr atwr wall concretea
concreteb medium_gun_turret large_gun_turret""".split())
THINGS = {}
for line in (Path(__file__).parent / "openra-names.tsv").read_text(encoding="utf-8").splitlines()[1:]:
    mod, unit, *more = line.split("\t")
    THINGS.setdefault(mod, {})[unit] = Thing(unit, *more)


def credits_ordered(r, client):
    found = dict.fromkeys(("economy", "technology", "defence", "army"), 0)
    for order in actions(r):
        thing = THINGS.get(r.mod, {}).get((order.get("item") or "").lower())
        if order["client"] == client and kind_of_order(order["order"]) == "Produce" and thing:
            found[thing.purpose] += thing.cost * max(order.get("extra_data", 0), 1)
    return found if sum(found.values()) else None


class Match:
    def __init__(self, r):
        self.duration = r.duration
        self.people = []
        for one in people(r):
            self.people.append({**one, "outcome": one.get("outcome"), "rgb": rgb(one["color"]), "listed": True})
        for one, (_, _, nodes) in zip(self.people, [n for n in r.header if n[0].startswith("Player@")]):
            one["faction"] = openra.value_of(nodes, "FactionId")
        self.seats = {one["client"]: seat for seat, one in reversed(list(enumerate(self.people)))}
        self.entries = sorted(self.orders(r), key=lambda entry: entry["frame"])
        self.sums = [(s["frame"], s["client"], s["time"], (s["hashes"], s["defeat"]))
                     for s in r.syncs if s["hashes"]]
        self.delays = list(self.waits(r))
        self.views = []
        self.things = THINGS.get(r.mod, {})

    def orders(self, r):
        rows = [(o["packet"], i, o) for i, o in enumerate(r.orders)]
        rows += [(d["packet"], -1, d) for d in r.disconnects]
        for _, number, row in sorted(rows, key=lambda row: row[:2]):
            entry = {"time": row["time"], "frame": row["tick"] // r.interval + 1,
                     "player": self.seats.get(row["client"])}
            if number < 0:
                yield {**entry, "kind": "Disconnect", "name": "Disconnect", "item": None, "cell": None,
                       "units": [], "action": False}
                continue
            kind = kind_of_order(row["order"])
            if row["frame"] == 0 and kind not in ("Chat", "Pause", "Surrender"):
                continue
            units = row.get("extra_actors" if kind == "Group" else "grouped")
            if units is None:
                units = [row["subject"]] if row.get("subject", NONE) != NONE else []
            yield {**entry, "kind": kind, "name": row["order"], "item": row.get("item"),
                   "cell": cell_of(row), "units": units, "count": max(row.get("extra_data", 0), 1),
                   "action": row["frame"] > 0 and kind not in ("Chat", "Pause")}

    def waits(self, r):
        """A client that reports the sum of a frame has sent orders up to a later one."""
        ahead = {}
        by_packet = {sync["packet"]: sync for sync in r.syncs}
        for packet in r.packets:
            seat = self.seats.get(packet["client"])
            if seat is None:
                continue
            if packet["kind"] == "orders":
                ahead[seat] = max(ahead.get(seat, 0), packet["frame"])
            sync = by_packet.get(packet["packet"])
            if sync and ahead.get(seat, 0) >= sync["frame"]:
                yield sync["time"], seat, r.seconds((ahead[seat] - sync["frame"]) * r.interval)


# ---- questions ----


def answers(name, r):
    said = info(r)
    yield ("info",), said
    yield ("info",), private.openra(list(chats(r)))
    yield ("stats",), stats(r)
    yield ("rows",), rows(r)
    yield from moments(r)
    match = Match(r)
    yield ("timeline",), orders_shows.timeline(
        match, {"name": name, "format": "openra", "layout": said["layout"]}, "frame")
    yield ("scene", "--exact"), orders_shows.scene(match)
