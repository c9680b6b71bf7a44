"""What the command says of a recording of the classic games, as docs/spec/remastered.md has it."""

import orders_shows
import private
import remastered
import remastered_names as names
from compare import ABSENT, Whole

NETWORK = {"FRAMEINFO", "FRAMESYNC", "TIMING", "RESPONSE_TIME", "PROCESS_TIME"}
NO_ACTIONS = NETWORK | {"EMPTY", "OPTIONS", "MESSAGE", "SAVEGAME", "ADDPLAYER"}
TITLES = {"ra": "Red Alert", "td": "Tiberian Dawn"}
KINDS = {"IDLE": "Stop", "SCATTER": "Move", "DESTRUCT": "Surrender", "DEPLOY": "Deploy", "PLACE": "PlaceBuilding",
         "PRODUCE": "Produce", "SUSPEND": "PauseProduction", "ABANDON": "CancelProduction",
         "PRIMARY": "PrimaryBuilding", "SPECIAL_PLACE": "SupportPower", "EXIT": "Disconnect", "REPAIR": "Repair",
         "SELL": "Sell", "SELLCELL": "Sell", "ARCHIVE": "SetRallyPoint"}
NO_UNIT = 0xFFFFFFFF


def present(**members):
    return Whole({key: value for key, value in members.items() if value is not None})


# ---- info ----


def people(r):
    if not r.is_td:
        return [present(name=remastered.text_of(node["name"]), id=node["id"], house=names.house("ra", node["house"]))
                for node in r.nodes]
    h, found = r.header, []
    local = remastered.text_of(h["player_name"])
    for i in range(min(h["num_players"], 6)):
        mine = h["num_players"] == 1 or h["player_ids"][i] == h["local_id"]
        house = (h["player_houses"][i] ^ 128) - 128
        found.append(present(name=local if mine else None, id=h["player_ids"][i], house=names.house("td", house)))
    return found


def header(r):
    said = {}
    for key, value in r.header.items():
        if key == "options":
            continue
        if key == "special":
            said[key] = value[:16 if r.is_td else 4].hex()
        elif key in ("scenario_name", "player_name"):
            said[key] = remastered.text_of(value)
        elif key == "player_ids":
            said[key] = list(value)
        elif key == "player_houses":
            said[key] = [(byte ^ 128) - 128 for byte in value]
        else:
            said[key] = value
    if not r.is_td:
        said["players"] = [Whole({**node, "name": remastered.text_of(node["name"]), "address": node["address"].hex()})
                           for node in r.nodes]
    return Whole(said)


def map_name(r):
    if not r.is_td:
        return remastered.text_of(r.header["scenario_name"])
    side = "GBJMM"[r.header["scen_player"]] if r.header["scen_player"] >= 0 else "G"
    return f"SC{side}{r.header['scenario']:02}{'W' if r.header['scen_dir'] == 1 else 'E'}A"


def duration(r):
    return r.frames[-1]["time"] if r.frames else 0.0


def info(r):
    speed = max(r.header["game_speed"], 1)
    return dict(present(
        format="remastered", layout=f"{r.game}-{r.profile}", size=r.size, duration=duration(r), game=r.game,
        game_title=TITLES[r.game], profile=r.profile, confidence=r.score(), version="source-2020",
        session=names.SESSIONS[r.game][r.header["type"]],
        map=Whole(name=map_name(r), scenario=r.header["scenario"]), game_speed=r.header["game_speed"],
        frames_per_second=60 / speed, frames=r.frames[-1]["frame"] + 1, records=len(r.frames), events=len(r.events),
        people=people(r), header_size=r.header_size, header=header(r), private_complete=True))


# ---- events ----


def cell_number(r, target):
    """The cell that a target names."""
    shift, kind = (12, 1) if r.is_td else (24, 9)
    return target & (1 << shift) - 1 if target >> shift == kind else None


def cell_of(r, number):
    bits = 6 if r.is_td else 7
    mask = (1 << bits) - 1
    return number & mask, number >> bits & mask


def kind_of(r, event):
    """Rule S11."""
    if not event["event"].startswith("MEGAMISSION"):
        return KINDS.get(event["event"], "Unknown")
    mission = names.mission(r.game, event["mission"])
    if mission in ("move", "queued move", "guard area"):
        return "Move" if cell_number(r, event["destination"]) is not None else "Unknown"
    if mission == "attack":
        return "Attack" if event["target"] else "Unknown"
    if mission in ("enter", "capture", "sabotage"):
        return "Enter"
    if mission in ("harvest", "return"):
        return "Harvest"
    if mission in ("guard", "stop"):
        return "Unknown" if event["destination"] else "Stop"
    return "Unknown"


def members(event):
    return [event["event"]] + [event[name] for name, _ in remastered.TYPES[event["event"]]]


def is_action(event):
    return event["event"] not in NO_ACTIONS


# ---- statistics ----


def house_head(r, number, **more):
    name = next((remastered.text_of(n["name"]) for n in reversed(r.nodes) if n["id"] == number), None)
    return present(house=number, house_name=names.house(r.game, number), name=name, **more)


def house_records(r, number):
    mine = [event for event in r.events if event["house"] == number]
    kinds, builds, produced, powers = {}, [], {}, []
    for event in mine:
        kinds[event["event"]] = kinds.get(event["event"], 0) + 1
        if event["event"] == "PRODUCE":
            item = names.item(r.game, event["rtti"], event["type_id"])
            produced[item] = produced.get(item, 0) + 1
            builds.append(Whole(time=event["time"], event="PRODUCE", item=item))
        elif event["event"] in ("PLACE", "SPECIAL_PLACE"):
            x, y = cell_of(r, event["cell"])
            if event["event"] == "PLACE":
                builds.append(Whole(time=event["time"], event="PLACE", x=x, y=y))
            else:
                power = names.weapon(r.game, event["weapon"])
                powers.append(Whole(time=event["time"], power=power or event["weapon"], x=x, y=y))
    left = next((event["time"] for event in mine if event["event"] in ("DESTRUCT", "EXIT")), None)
    return house_head(r, number, orders=sum(map(is_action, mine)), event_kinds=Whole(kinds), build_order=builds,
                      produced=Whole(produced), support_powers=powers, left=left)


def by_minute(events, until):
    minutes = [0] * until
    for event in events:
        minutes[int(event["time"]) // 60] += 1
    return minutes


def house_metrics(r, number):
    mine = [event for event in r.events if event["house"] == number]
    given = [event for event in mine if is_action(event)]
    fresh = [e for e, before in zip(given, [None, *given]) if not before or members(e) != members(before)]
    heat = {}
    for event in mine:
        cell = cell_number(r, event["destination"]) if "destination" in event else None
        if cell is not None:
            heat[cell_of(r, cell)] = heat.get(cell_of(r, cell), 0) + 1
    attacks = [event["time"] for event in mine if kind_of(r, event) == "Attack"]
    minutes, until = duration(r) / 60, int(given[-1]["time"]) // 60 + 1 if given else 0
    return house_head(
        r, number, actions_per_minute=len(given) / minutes if minutes else 0,
        actions_per_minute_without_repeats=len(fresh) / minutes if minutes else 0,
        actions_by_minute=by_minute(given, until), actions_by_minute_without_repeats=by_minute(fresh, until),
        first_attack=attacks[0] if attacks else None,
        army_heat=[Whole(x=x, y=y, count=n)
                   for (x, y), n in sorted(heat.items(), key=lambda entry: entry[0][::-1])])


def sums(r):
    """(frame, house, time, crc): FRAMEINFO is about the frame `delay` before it."""
    return [(e["frame"] - e["delay"], e["house"], e["time"], e["crc"]) for e in r.events
            if e["event"] == "FRAMEINFO" and e["frame"] >= e["delay"]]


def desync(r):
    frames = {}
    for frame, house, _, crc in sums(r):
        frames.setdefault(frame, []).append((house, crc))
    found = []
    for frame in sorted(frames):
        first, value = frames[frame][0]
        other = next((house for house, crc in frames[frame][1:] if house != first and crc != value), None)
        if other is not None:
            found.append((frame, first, other))
    if not found:
        return None
    return Whole(first_frame=found[0][0], houses=list(found[0][1:]))


def stats(r):
    houses = sorted({event["house"] for event in r.events})
    attack = next((event for event in r.events if kind_of(r, event) == "Attack"), None)
    recorded = present(
        frames=r.frames[-1]["frame"] + 1, records=len(r.frames), selection_changes=len(selections(r)),
        speed_changes=[Whole(time=e["time"], speed=e["value"]) for e in r.events if e["event"] == "GAMESPEED"],
        sums=len(sums(r)), desync=desync(r), players=[house_records(r, number) for number in houses])
    derived = present(duration=duration(r), players=[house_metrics(r, number) for number in houses],
                      first_contact=Whole(time=attack["time"], house=attack["house"]) if attack else None)
    return {"format": "remastered", "layout": f"{r.game}-{r.profile}", "recorded": recorded, "derived": derived}


# ---- rows and moments ----


def selections(r):
    """Rows where the selection changes; nothing is selected before the first frame."""
    found, before = [], []
    for frame in r.frames:
        if "view" in frame and frame["view"]["objects"] != before:
            before = frame["view"]["objects"]
            found.append({"frame": frame["frame"], "time": frame["time"], "objects": before})
    return found


def teams(r):
    found, before = [], [(bytes(10), bytes(10))] * 20
    for frame in r.frames:
        now = frame.get("view", {}).get("teams")
        for house in range(20) if now else ():
            if now[house] != before[house]:
                found.append({"frame": frame["frame"], "time": frame["time"], "house": house,
                              "max_speed": now[house][0].hex(), "speed": now[house][1].hex()})
        before = now or before
    return found


VIEW = ("coord", "selected", "team_event", "team_number", "formation_event", "form_move", "form_speed",
        "form_max_speed")


def frame_row(frame):
    view = frame.get("view", {})
    corner = view.get("coord")
    return {"offset": str(frame["offset"]), "size": frame["size"], **{key: view.get(key) for key in VIEW},
            "events": frame.get("events"),
            "view_x": (corner & 0xFFFF) / 256 if corner is not None else 0.0,
            "view_y": (corner >> 16) / 256 if corner is not None else 0.0}


def member_names():
    return ["mplayer_id"] + sorted({name for form in remastered.TYPES.values() for name, _ in form})


def event_row(r, event):
    row = {key: event[key] for key in ("type", "event", "house", "executed", "raw")}
    row.update({key: event.get(key) for key in member_names()})
    x, y = cell_of(r, event["cell"]) if "cell" in event else (-1, -1)
    item = names.weapon(r.game, event["weapon"]) if "weapon" in event else None
    if "type_id" in event:
        item = names.pick(names.ITEMS.get((r.game, names.pick(names.CLASSES[r.game], event["rtti"])), []),
                          event["type_id"])
    return {**row, "house_name": names.house(r.game, event["house"]),
            "mission_name": names.mission(r.game, event["mission"]) if "mission" in event else None,
            "item": item, "cell_x": x, "cell_y": y}


def rows(r):
    found = {"frames": [{"frame": f["frame"], "time": float(f["time"]), **frame_row(f)} for f in r.frames],
             "events": [{"frame": e["frame"], "time": float(e["time"]), **event_row(r, e)} for e in r.events],
             "selections": selections(r), "teams": teams(r)}
    return {track: list_ or ABSENT for track, list_ in found.items()}


def moments(r):
    numbers = [frame["frame"] for frame in r.frames]
    wanted = [("--frame", n, n) for n in (numbers[0], numbers[len(numbers) // 3], numbers[len(numbers) * 2 // 3], numbers[-1])]
    wanted += [("--time", f"{share * duration(r):.4f}", None) for share in (0.43, 0.9, 1.3)]
    for option, value, number in wanted:
        if number is None:
            frame = ([f for f in r.frames if f["time"] <= float(value) + 1e-9] or r.frames[:1])[-1]
        else:
            frame = [f for f in r.frames if f["frame"] <= number][-1]
        chosen = [row for row in selections(r) if row["frame"] <= frame["frame"]]
        expected = {"frame": frame["frame"], "time": float(frame["time"]), "frames": [frame_row(frame)],
                    "events": [event_row(r, e) for e in r.events if e["frame"] == frame["frame"]]}
        if chosen:
            expected["selections"] = [{"objects": chosen[-1]["objects"]}]
        if frame.get("view", {}).get("teams"):
            expected["teams"] = [{"house": house, "max_speed": a.hex(), "speed": b.hex()}
                                 for house, (a, b) in enumerate(frame["view"]["teams"])]
        yield ("at", option, str(value)), expected


# ---- what is shown ----


class Thing:
    """Of the classic games it is only known what is a building."""
    name, cost, cells = None, 0, None

    def __init__(self, building):
        self.building = building


class Match:
    def __init__(self, r):
        self.duration = duration(r)
        self.people, houses = [], []
        for i, one in enumerate(people(r)):
            if r.nodes:
                house, faction, color = (r.nodes[i][key] for key in ("id", "house", "color"))
            else:  # the colour is in the upper half of an id, the acting house in the lower
                house = (r.header["player_houses"][i] ^ 128) - 128
                color, faction = divmod(r.header["player_ids"][i], 16)
            houses.append(house)
            self.people.append({"name": one.get("name"), "faction": names.house(r.game, faction), "team": 0,
                                "color": str(color), "rgb": None, "bot": False, "outcome": None, "client": house,
                                "listed": True})
        if not self.people:
            self.people = [{"name": None, "listed": False, "rgb": None}]
        self.entries, self.delays = [], []
        gap = self.gaps(r)
        for event in r.events:
            player = houses.index(event["house"]) if event["house"] in houses else None if len(houses) > 1 else 0
            if event["event"] in ("FRAMEINFO", "RESPONSE_TIME"):
                self.delays.append((event["time"], player, event["delay"] * gap[event["frame"]]))
            if event["event"] not in NETWORK:
                self.entries.append(self.entry(r, event, player))
        self.delays = list({delay[:2]: delay for delay in self.delays if delay[1] is not None}.values())
        self.sums = sums(r)
        self.things = {one: Thing(kind == "building type") for (game, kind), ones in names.ITEMS.items()
                       for one in map(str.lower, ones) if game == r.game}
        self.things.update((entry["item"].lower(), Thing(True)) for entry in self.entries
                           if (entry["item"] or "").startswith("building"))
        self.views = [(f["time"], (f["view"]["coord"] & 0xFFFF) / 256, (f["view"]["coord"] >> 16) / 256)
                      for f in r.frames if "view" in f]

    @staticmethod
    def gaps(r):
        """The length of a frame before each record."""
        found, before = {}, None
        for frame in r.frames:
            step = frame["frame"] - before["frame"] if before else 0
            if step:
                length = (frame["time"] - before["time"]) / step
            else:
                length = frame["time"] / frame["frame"] if frame["frame"] else 0.0
            found[frame["frame"]] = length
            before = frame
        return found

    @staticmethod
    def entry(r, event, player):
        cell = event.get("cell")
        for key in ("destination", "archive"):
            if cell is None and key in event:
                cell = cell_number(r, event[key])
        units = [event["whom"]] if "whom" in event else [NO_UNIT] if event["event"] == "DEPLOY" else []
        item = None
        if "weapon" in event:
            item = names.weapon(r.game, event["weapon"])
        elif "type_id" in event:
            item = names.item(r.game, event["rtti"], event["type_id"])
        elif "rtti" in event:
            item = names.pick(names.CLASSES[r.game], event["rtti"])
        return {"time": event["time"], "frame": event["frame"], "player": player, "kind": kind_of(r, event),
                "name": event["event"], "item": item,
                "cell": cell_of(r, cell) if cell is not None else None, "units": units, "count": 1,
                "action": is_action(event)}


def answers(name, r):
    yield ("info",), info(r)
    yield ("info",), private.remastered(
        [remastered.text_of(r.header["player_name"])] if r.is_td
        else [remastered.text_of(node["name"]) for node in r.nodes],
        [] if r.is_td else [node["address"] for node in r.nodes])
    yield ("stats",), stats(r)
    yield ("rows",), rows(r)
    yield from moments(r)
    match = Match(r)
    yield ("timeline",), orders_shows.timeline(
        match, {"name": name, "format": "remastered", "layout": f"{r.game}-{r.profile}"}, "frame")
    yield ("scene", "--exact"), orders_shows.scene(match)
