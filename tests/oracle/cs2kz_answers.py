"""What the command must say of a CS2KZ replay: numbers from docs/spec/cs2kz.md."""

import bisect
import datetime
import math
import re
import struct

import cs2kz_shows
from compare import ABSENT, Near
from private import counted

TICK_S = 1 / 64
JUMP_TYPES = ["long_jump", "bunnyhop", "multi_bunnyhop", "weird_jump", "ladder_jump", "ladderhop", "jumpbug",
              "fall", "other", "invalid"]
TIERS = ["none", "meh", "impressive", "perfect", "godlike", "ownage", "wrecker"]
TIMER = ["start", "end", "stop", "pause", "resume", "split", "checkpoint", "stage"]
START, END, PAUSE, RESUME, STOP = 0, 1, 3, 4, 2
LISTED = 5000  # entries of a list that a person would read
EVENTS = ["timer", "mode", "style", "teleport"]
MOVE_TYPES = ["none", "obsolete", "walk", "fly", "fly_gravity", "physics", "push", "noclip", "observer", "ladder",
              "custom"]
KEYS = {1: "attack", 2: "jump", 4: "duck", 8: "forward", 16: "back", 32: "use", 128: "turn_left",
        256: "turn_right", 512: "move_left", 1024: "move_right", 2048: "attack2", 8192: "reload", 65536: "walk"}
DUCK_FLAGS = {1: "ducking", 2: "ducked", 4: "wants_to_duck"}
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


def name(names, number):
    return names[number] if 0 <= number < len(names) else number


def jump_type(number):
    return "fully_invalid" if number == 255 else name(JUMP_TYPES, number)


def flags(names, value):
    """Names of bits that are set; what has no name is a number."""
    found = [text for bit, text in names.items() if value & bit]
    rest = value & ~sum(names)
    return found + ([rest] if rest else [])


def horizontal(velocity):
    return math.hypot(velocity[0], velocity[1])


def date(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Run:
    """The run of a recording, and what its timer shows at a tick."""

    def __init__(self, events):
        self.known = False
        attempt = None
        for event in events:
            if event["type"] != 0:
                continue
            tick, time, kind = event["server_tick"], event["run_time"], event["timer"]
            if kind == START:
                attempt = [(tick, 0.0, False)]
            elif attempt and kind == PAUSE:
                self.note(attempt, tick, time, True) if not attempt[-1][2] else None
            elif attempt and kind == RESUME:
                self.note(attempt, tick, attempt[-1][1], False) if attempt[-1][2] else None
            elif attempt and kind == END:
                if attempt[-1][2]:
                    attempt[-1] = (*attempt[-1][:2], False)
                self.note(attempt, tick, time, True)
                self.known, self.readings, self.start, self.end = True, list(attempt), attempt[0][0], tick
            elif attempt and kind != STOP:
                self.note(attempt, tick, time, attempt[-1][2])

    @staticmethod
    def note(attempt, tick, time, paused):
        if tick >= attempt[-1][0] and time >= attempt[-1][1]:
            attempt.append((tick, time, paused))

    def time_at(self, tick):
        if not self.known or not self.start <= tick <= self.end:
            return None
        at = bisect.bisect_right([reading[0] for reading in self.readings], tick) - 1
        from_tick, time, paused = self.readings[max(at, 0)]
        if paused:
            return time
        time += (tick - from_tick) * TICK_S
        return min(time, self.readings[at + 1][1]) if at + 1 < len(self.readings) else time

    def pauses(self):
        """Pauses that ended."""
        marks = [paused for _, _, paused in self.readings[:-1]]
        return sum(1 for before, now in zip([False] + marks, marks) if now and not before)


# ---- info ----


def people(header):
    yield {"role": "player", "name": header["player"]["name"], "id": str(header["player"]["steam_id"])}
    others = (("reporter", (header.get("cheater") or {}).get("reporter")),
              ("saved by", (header.get("manual") or {}).get("saved_by")))
    for role, other in others:
        if other and (other["name"] or other["steam_id"]):
            yield {"role": role, "name": other["name"] or ABSENT, "id": str(other["steam_id"])}


def details(header):
    found = {}
    if header["type"] == "run":
        run = header["run"]
        found = {"course": run["course_name"], "run_time": run["time"], "teleports": run["teleports"],
                 "mode": run["mode"]["name"], "styles": [style["name"] for style in run["styles"]]}
    elif header["type"] == "jump":
        jump = header["jump"]
        block = jump["block_distance"]
        found = {"jump": jump_type(jump["jump_type"]), "distance": jump["distance"], "strafes": jump["strafes"],
                 "block_distance": block if block >= 0 else ABSENT, "sync": jump["sync"], "pre_speed": jump["pre"],
                 "max_speed": jump["max"], "air_time": jump["air_time"], "mode": jump["mode"]["name"]}
    elif header["type"] == "cheater":
        found = {"reason": header["cheater"]["reason"]}
    return found


def replay_id(path):
    found = UUID.fullmatch(path.stem)
    if not found:
        return {"replay_id": ABSENT, "created": ABSENT}
    if found[1] != "7":
        return {"replay_id": path.stem, "created": ABSENT}
    milliseconds = int(path.stem.replace("-", "")[:12], 16)
    return {"replay_id": path.stem, "created": Near(milliseconds / 1000, 1e-3),
            "created_date": date(milliseconds // 1000)}


def address(number):
    return ".".join(str(number >> shift & 255) for shift in (24, 16, 8, 0)) if number else ABSENT


def duration(replay):
    ticks = replay.ticks
    return (ticks[-1]["server_tick"] - ticks[0]["server_tick"]) * TICK_S if ticks else 0.0


def info(path, replay):
    header = replay.header
    archived = header["archived_timestamp"]
    return {"format": "cs2kz", "layout": replay.layout, "size": len(replay.data), "duration": duration(replay),
            "generation": replay.generation, "version": header["version"], "type": header["type"],
            "map": header["map"], "people": list(people(header)), "plugin_version": header["plugin_version"],
            "timestamp": header["timestamp"], "date": date(header["timestamp"]), "date_zone": "UTC",
            "archived_date": date(archived) if archived else ABSENT,
            "server": {"version": header["server_version"], "address": address(header["server_ip"])},
            "settings": {key: header[key] for key in ("sensitivity", "yaw", "pitch")}, "ticks": len(replay.ticks),
            "parts": [{"name": s.name, "kind": "stream", "offset": s.offset, "size": s.size, "stored_size": s.stored,
                       "count": s.count} for s in replay.sections.values()],
            **details(header), **replay_id(path)}


def private(replay):
    """What of the header, of items and of rows identifies somebody: how many of each there are."""
    header = replay.header
    owned = [header[name] for name in ("first_weapon", "gloves") if header.get(name)]
    items = [item for item, _ in owned] + [item for _, item, _ in replay.weapons]
    attributes = [pairs for _, pairs in owned] + [pairs for _, _, pairs in replay.weapons]
    known = {
        ("names", "names of items"): sum(bool(i["custom_name"]) + bool(i["custom_name_override"]) for i in items),
        ("ids", "items that identify their owner"): sum(
            bool(i["account_id"] or i["item_id"] or i["inventory_position"]) for i in items),
        ("looks", "quality of items"): sum(bool(i["quality"] or i["level"]) for i in items),
        ("looks", "paint and wear of items"): sum(map(len, attributes)),
        ("looks", "gloves"): int(bool(header.get("gloves") and header["gloves"][0]["item_def"])),
        ("times", "date"): bool(header["timestamp"]) + bool(header["archived_timestamp"]),
        ("times", "wall-clock times"): sum(bool(row["unix_time"]) for row in replay.ticks + replay.commands),
        ("addresses", "server address"): int(bool(header["server_ip"]))}

    return counted(known)


# ---- stats ----


def motion(ticks):
    speeds = [s for s in (horizontal(t["post.velocity"]) for t in ticks) if math.isfinite(s)]
    air = [t for t in ticks if not t["post.entity_flags"] & 1]
    left_right = [bool(t["post.buttons0"] & 0x200) + bool(t["post.buttons0"] & 0x400) for t in air]
    steps = [math.dist(t["pre.origin"], t["post.origin"]) for t in ticks]
    found = {"ticks": len(ticks), "seconds": len(ticks) * TICK_S,
             "top_speed": max(speeds) if speeds else ABSENT,
             "average_speed": sum(speeds) / len(speeds) if speeds else ABSENT,
             "seconds_on_ground": (len(ticks) - len(air)) * TICK_S, "seconds_in_air": len(air) * TICK_S,
             "seconds_ducked": sum(1 for t in ticks if t["post.replay_flags"] & 2) * TICK_S,
             "seconds_key_overlap": left_right.count(2) * TICK_S, "seconds_dead_air": left_right.count(0) * TICK_S}
    distance = sum(step for step in steps if math.isfinite(step))
    return {**found, "distance": Near(distance, 1e-4 * max(1, distance))}


def spread(values):
    values = [value for value in values if math.isfinite(value)]
    return {"average": sum(values) / len(values), "least": float(min(values)),
            "most": float(max(values))} if values else ABSENT


def splits(events):
    """Time since the last event of the same kind, from the last start on."""
    last = {}
    for event in events:
        if event["type"] != 0:
            continue
        kind = event["timer"]
        if kind == START:
            last = {}
        if 5 <= kind <= 7:
            section = event["run_time"] - last.get(kind, 0.0)
            last[kind] = event["run_time"]
            yield {"event": TIMER[kind], "number": event["number"], "run_time": event["run_time"],
                   "section": Near(section, 1e-5), "tick": event["server_tick"]}


def timer(events):
    for event in events:
        if event["type"] == 0:
            yield {"tick": event["server_tick"], "event": name(TIMER, event["timer"]), "number": event["number"],
                   "run_time": event["run_time"]}
        elif event["type"] == 3:
            yield {"tick": event["server_tick"], "event": "teleport"}


def recorded_jump(number, jump):
    return {"jump": number, "tick": jump["server_tick"], "type": jump_type(jump["jump_type"]),
            "tier": name(TIERS, jump["distance_tier"]), "distance": jump["total_distance"],
            "max_speed": jump["max_speed"], "max_height": jump["max_height"], "airtime": jump["airtime"],
            "edge": jump["edge"], "invalid": jump["invalid_reason"] or ABSENT}


def recorded_strafe(number, place, strafe):
    names = {"gain": "air_gain", "loss": "air_loss"}
    keys = ("duration", "sync_duration", "gain", "loss", "max_gain", "overlap", "dead_air", "bad_angles", "width",
            "max_speed")
    return {"jump": number, "strafe": place, **{key: strafe[names.get(key, key)] for key in keys}}


def derived_jump(number, jump):
    strafes = jump["strafes"]
    total = {key: sum(s[key] for s in strafes) for key in ("duration", "sync_duration", "overlap", "dead_air",
                                                          "bad_angles", "air_gain", "max_gain", "air_loss", "width")}
    share = {key: ABSENT for key in ("sync", "overlap", "dead_air", "bad_angles")}
    if total["duration"] > 0:
        share = {key: total["sync_duration" if key == "sync" else key] / total["duration"] for key in share}
    return {"jump": number, "takeoff_speed": horizontal(jump["takeoff_velocity"]), "strafes": len(strafes), **share,
            "width": total["width"] / len(strafes) if strafes else ABSENT, "gain": float(total["air_gain"]),
            "loss": float(total["air_loss"]),
            "efficiency": total["air_gain"] / total["max_gain"] if total["max_gain"] > 0 else ABSENT}


def listed(recorded, key, left_out, entries):
    """A list of at most LISTED entries, and how many more there are."""
    recorded[key] = entries[:LISTED]
    recorded[left_out] = len(entries) - LISTED if len(entries) > LISTED else ABSENT


def stats(replay, run):
    ticks, header = replay.ticks, replay.header
    pairs = list(zip(ticks, ticks[1:]))
    pressed = [bool(b["post.buttons0"] & 2 and not a["post.buttons0"] & 2) for a, b in pairs]
    derived = {"duration": duration(replay), "recording": {
        **motion(ticks), "jump_presses": sum(pressed),
        "gaps": sum(1 for a, b in pairs if b["server_tick"] != a["server_tick"] + 1 & 0xFFFFFFFF),
        "subtick_moves": sum(map(len, replay.moves)), "command_subtick_moves": sum(map(len, replay.command_moves))}}
    for key, column in (("latency_seconds", "latency"), ("loss", "average_loss"), ("framerate", "framerate")):
        derived[key] = spread([command[column] for command in replay.commands])
    derived["run"] = ABSENT
    if run.known:
        inside = [t for t in ticks if run.start <= t["server_tick"] <= run.end]
        derived["run"] = {"start_tick": run.start, "end_tick": run.end, "timer": run.time_at(run.end),
                          "pauses": run.pauses(), **motion(inside)}
    derived["jumps"] = [derived_jump(i, jump) for i, jump in enumerate(replay.jumps[:LISTED])]
    derived["splits"] = [{key: v for key, v in split.items() if key != "tick"} for split in splits(replay.events)]
    recorded = {"checkpoints_set": max([0] + [t["checkpoint"][1] for t in ticks]),
                "teleports_counted": max([0] + [t["checkpoint"][2] for t in ticks]),
                "run_time": header["run"]["time"] if "run" in header else ABSENT,
                "teleports": header["run"]["teleports"] if "run" in header else ABSENT}
    listed(recorded, "timer", "events_left_out", list(timer(replay.events)))
    listed(recorded, "jumps", "jumps_left_out", [recorded_jump(i, jump) for i, jump in enumerate(replay.jumps)])
    listed(recorded, "strafes", "strafes_left_out", [recorded_strafe(i, k, strafe) for i, jump in enumerate(replay.jumps)
                                                     for k, strafe in enumerate(jump["strafes"])])
    return {"format": "cs2kz", "layout": replay.layout, "recorded": recorded, "derived": derived}


# ---- rows ----


def clock(tick):
    return {"tick": tick, "time": tick * TICK_S}


def spread_vector(key, value, axes="xyz"):
    return {f"{key}_{axis}": v for axis, v in zip(axes, value)}


def tick_row(tick, run):
    row = clock(tick["server_tick"])
    for key, value in tick.items():
        key = key.replace(".", "_")
        if key == "checkpoint":
            row.update(zip(("checkpoint_index", "checkpoint_count", "teleport_count"), value))
        elif key in ("press", "usable"):
            row.update({f"{key}_tick": value[0], f"{key}_fraction": value[1]})
        elif key == "landing":
            row.update(landing_tick=value[0], landing_fraction=value[1],
                       **spread_vector("landing_velocity", value[2:]))
        elif isinstance(value, tuple):
            row.update(spread_vector(key, value))
        elif key.endswith("replay_flags"):
            row[key] = flags(DUCK_FLAGS, value)
        elif key.endswith("move_type"):
            row[key] = name(MOVE_TYPES, value)
        else:
            row[key] = str(value) if key == "unix_time" else value
    velocity = tick["post.velocity"]
    row.update(speed=math.hypot(*velocity), horizontal_speed=horizontal(velocity),
               on_ground=bool(tick["post.entity_flags"] & 1), ducked=bool(tick["post.replay_flags"] & 2),
               run_time=run.time_at(tick["server_tick"]), keys=flags(KEYS, tick["post.buttons0"]))
    return row


def command_row(command):
    row = clock(command["server_tick"])
    for key, value in command.items():
        if isinstance(value, tuple):
            row.update(spread_vector(key, value))
        else:
            row[key] = str(value) if key in ("unix_time", "buttons0", "buttons1", "buttons2") else value
    return row


def move_rows(owners, moves, late):
    """`late`: from B2 on buttons have aim; before, analog moves do."""
    for number, (owner, found) in enumerate(zip(owners, moves)):
        for move in found:
            when, button = struct.unpack_from("<fI", move)
            deltas = struct.unpack_from("<4f", move, 8)
            aims = bool(button) == late
            yield {**clock(owner["server_tick"]), "row": number, "when": when, "button": button,
                   "data": move[8:].hex(), "key": flags(KEYS, button),
                   "pressed": bool(move[8]) if button else False,
                   "forward_delta": None if button else deltas[0], "left_delta": None if button else deltas[1],
                   "pitch_delta": deltas[2] if aims else None, "yaw_delta": deltas[3] if aims else None}


def jump_rows(replay):
    rows = {"jumps": [], "strafes": [], "aircalls": []}
    for number, jump in enumerate(replay.jumps):
        place = {**clock(jump["server_tick"]), "jump": number}
        row = dict(place)
        for key, value in jump.items():
            if key in ("strafes", "calls"):
                continue
            row.update(spread_vector(key, value) if isinstance(value, tuple) else {key: value})
        row.update(jump_type=jump_type(jump["jump_type"]), distance_tier=name(TIERS, jump["distance_tier"]))
        rows["jumps"].append(row)
        rows["strafes"] += [{**place, "strafe": i, **strafe} for i, strafe in enumerate(jump["strafes"])]
        for call in jump["calls"]:
            row = dict(place)
            for key, value in call.items():
                row.update(spread_vector(key, value) if isinstance(value, tuple) else {key: value})
            rows["aircalls"].append(row)
    return rows


def event_row(event):
    row = {**clock(event["server_tick"]), "server_tick": event["server_tick"], "type": name(EVENTS, event["type"])}
    for key in ("timer", "number", "run_time", "name", "md5", "clear_styles", "has_origin", "has_angles",
                "has_velocity"):
        row[key] = event.get(key)
    if row["timer"] is not None:
        row["timer"] = name(TIMER, row["timer"])
    for key in ("origin", "angles", "velocity"):
        row.update(spread_vector(key, event.get(key, (None, None, None))))
    return row


def rows(replay, run):
    late = replay.layout in ("b2", "b3", "b4", "b5")
    found = {"ticks": [tick_row(tick, run) for tick in replay.ticks],
             "subticks": list(move_rows(replay.ticks, replay.moves, late)),
             "commands": [command_row(command) for command in replay.commands],
             "command_subticks": list(move_rows(replay.commands, replay.command_moves, late)),
             "events": [event_row(event) for event in replay.events], **jump_rows(replay),
             "weapons": [{"number": number, "attribute_count": len(attributes), **item, "item_id": str(item["item_id"])}
                         for number, item, attributes in replay.weapons],
             "weapon_attributes": [{"weapon": number, "def_index": index, "bits": bits,
                                    "value": struct.unpack("<f", struct.pack("<I", bits))[0]}
                                   for number, _, attributes in replay.weapons for index, bits in attributes],
             "weapon_events": [{**clock(tick), "server_tick": tick, "weapon": number}
                               for tick, number in replay.weapon_events],
             "styles": (replay.header.get("run") or {}).get("styles", [])}
    return {track: list_ or ABSENT for track, list_ in found.items()}


def moments(replay, run):
    ticks = replay.ticks
    numbers = [tick["server_tick"] for tick in ticks]
    if not ticks or any(a >= b for a, b in zip(numbers, numbers[1:])):
        return
    middle = ticks[len(ticks) * 2 // 3]
    yield ("at", "--tick", str(middle["server_tick"])), {
        **clock(middle["server_tick"]), "ticks": [trimmed(tick_row(middle, run))]}
    between = middle["server_tick"] * TICK_S + TICK_S / 3
    yield ("at", "--time", repr(between)), {**clock(middle["server_tick"]), "ticks": [trimmed(tick_row(middle, run))]}
    if run.known and run.time_at(run.end) > 0.5 and not run.pauses():
        wanted = run.time_at(middle["server_tick"]) if run.start < middle["server_tick"] < run.end else None
        if wanted:
            yield ("at", "--run-time", repr(wanted + 1e-4)), clock(middle["server_tick"])


def trimmed(row):
    return {key: value for key, value in row.items() if key not in ("tick", "time")}


def long_lists(replay, run):
    """Of lists that are cut: how long they are, how they end, and how much was left out."""
    recorded = stats(replay, run)["recorded"]

    def check(ours):
        for key, left_out in (("timer", "events"), ("jumps", "jumps"), ("strafes", "strafes")):
            listed_ours, left_out = ours["recorded"][key], f"{left_out}_left_out"
            yield f"length of {key}", len(listed_ours), len(recorded[key])
            yield f"end of {key}", listed_ours[-1], recorded[key][-1]
            yield left_out, ours["recorded"].get(left_out), recorded[left_out]
        yield "length of derived jumps", len(ours["derived"]["jumps"]), LISTED
    return check


def answers(path, replay):
    run = Run(replay.events)
    if len(replay.jumps) > LISTED:  # other questions have smaller files
        yield ("stats",), long_lists(replay, run)
        return
    yield ("info",), info(path, replay)
    yield ("info",), private(replay)
    yield ("stats",), stats(replay, run)
    yield ("rows",), rows(replay, run)
    yield from moments(replay, run)
    yield from cs2kz_shows.answers(replay, run)
