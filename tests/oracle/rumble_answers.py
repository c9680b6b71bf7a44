"""What the command must say of a RUMBLE replay: numbers from docs/spec/rumble.md."""

import math
import struct

import private
import rumble_shows
from compare import ABSENT, Near, Whole

MOVES = ["None", "Dash", "Jump", "Flick", "Parry", "HoldLeft", "HoldRight", "Ground", "Straight",
         "Uppercut", "Kick", "Explode"]
STONES = ["Adamant", "Charge", "Flow", "Guard", "Stubborn", "Surge", "Vigor", "Volatile"]
STONE_EFFECTS = ["Charge", "Adamant", "Vigor", "Surge"]
EFFECTS = ["None", "StructureCollision", "Ricochet", "Grounded", "GroundedSFX", "Ungrounded",
           "DustImpact", "ImpactLight", "ImpactMedium", "ImpactHeavy", "ImpactMassive", "Spawn",
           "Break", "BreakDisc", "RockCamSpawn", "RockCamDespawn", "RockCamStick", "Fistbump",
           "FistbumpGoin", "Jump", "Dash", "Hitmarker"]
STATES = ["Default", "Free", "Frozen", "FreeGrounded", "StableGrounded", "Float", "Normal"]
STRUCTURES = ["Cube", "Pillar", "Wall", "Disc", "Ball", "CagedBall", "LargeRock", "SmallRock",
              "TetheredCagedBall", "WrappedWall", "PrisonedPillar", "DockedDisk", "CageCube", "Target"]
MARKERS = ["", "core.manual", "core.roundEnded", "core.matchEnded", "core.largeDamage"]
MARKER_COLOURS = [None, (1, 1, 1), (0.7, 0.6, 0.85), (0, 0, 0), (1, 0, 0)]
SCENES = {"Map0": "Ring", "Map1": "Pit"}
ROUND_ENDS = {"core.roundEnded", "core.matchEnded"}
KEYS = {"players": "player", "structures": "structure", "pedestals": "pedestal", "props": "prop"}
ROTATION = 2e-6  # docs/spec: three of 16 bits, decoded in single precision
WORLD = 1e-5  # a rotation of those, times a metre


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def name(names, number):
    return names[number] if 0 <= number < len(names) else number


# ---- space: quaternions are x y z w ----


def rotate(q, v):
    x, y, z, w = q
    tx, ty, tz = (2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0]))
    return (v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz,
            v[2] + w * tz + x * ty - y * tx)


def times(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def world(player, part):
    place = rotate(player["rig_rot"], player[f"{part}_pos"])
    return tuple(a + b for a, b in zip(player["rig_pos"], place))


# ---- rows ----


def spread(key, value, tolerance=None):
    axes = "xyzw"[: len(value)]
    return {f"{key}_{axis}": Near(v, tolerance * max(1, abs(v))) if tolerance else v
            for axis, v in zip(axes, value)}


def shown(track, state):
    """A state as a row shows it."""
    row = {}
    for key, value in state.items():
        if isinstance(value, tuple):
            row.update(spread(key, value, ROTATION if len(value) == 4 else None))
        elif key == "stack":
            row[key] = name(MOVES, value)
        elif key == "stone_fx":
            row[key] = [text for bit, text in enumerate(STONE_EFFECTS) if value >> bit & 1]
        elif key in ("left_stone", "right_stone"):
            row[key] = "none" if value == 255 else name(STONES, value)
        elif key == "state":
            row[key] = name(STATES, value)
        elif key == "fx":
            row[key] = name(EFFECTS, value)
        elif key == "marker":
            row[key] = name(MARKERS, value) if value else value
        else:
            row[key] = value
    if track == "players":
        for part in ("lhand", "rhand", "head"):
            row.update(spread(f"{part}_world_pos", world(state, part), WORLD))
            turn = times(state["rig_rot"], state[f"{part}_rot"])
            row.update(spread(f"{part}_world_rot", turn, WORLD))
    return row


def event_kind(layout, event):
    if layout == "z4p":
        return {0: "OneShotFX"}.get(event["type"])
    if layout == "z3":
        return {0: "measurement", 1: "marker", 2: "hit"}.get(event["type"])
    if event["type"] == 0:
        return "marker" if event["marker"] else "hit"
    return {1: "OneShotFX"}.get(event["type"])


def event_row(layout, event):
    kind = event_kind(layout, event)
    return {**shown("events", event), **({"kind": kind} if kind else {})}


def mod_hash(text):
    value = 2166136261
    data = text.encode("utf-16-le")
    for unit, in struct.iter_unpack("<H", data):
        value = (value ^ unit) * 16777619 & 0xFFFFFFFF
    return value - (1 << 32) if value >= 1 << 31 else value


def named(marker):
    if "name" in marker:
        return marker
    kind = marker["type"]
    return {**marker, "name": MARKERS[kind], **dict(zip("rgb", MARKER_COLOURS[kind]))}


class Reading:
    """Everything that the answers need, from one pass over the frames."""

    def __init__(self, replay):
        self.replay, self.header, self.layout = replay, replay.header, replay.layout
        self.frames = []  # (time, frame, rows, states by track: list)
        for _, frame, rows, states in replay.play():
            by_track = {track: [] for track in KEYS}
            for (kind, _), state in states.items():
                by_track[{0: "players", 1: "structures", 2: "pedestals", 4: "props"}[kind]].append(state)
            self.frames.append((frame.time, frame, rows, by_track))
        self.mods = sorted({path.split("/")[1] for path, _, _ in replay.members
                            if path.startswith("extensions/") and path.count("/") > 1})
        times_ = [time for time, *_ in self.frames]
        self.first, self.last = (times_[0], max(0, *times_) if len(times_) > 1 else times_[0]) if times_ else (0, 0)

    def duration(self):
        """Of a recording: the manifest's, else from the first frame to the last."""
        if "Duration" in self.header:
            return float(self.header["Duration"])
        return self.frames[-1][0] - self.frames[0][0] if self.frames else 0.0

    def players(self):
        return list(enumerate(self.header.get("Players") or []))

    def markers(self):
        """Markers of the manifest; early ones have a number instead of a name."""
        return [{**named(m), "time": f32(m["time"])} for m in self.header.get("Markers") or []]


# ---- info ----


def people(reading):
    for number, player in reading.players():
        if player is None:
            yield {"player": number, "name": ABSENT, "left": True}
            continue
        body = player.get("Measurement") or {}
        stones = player.get("EquippedShiftStones") or []
        yield {"player": number, "name": player["Name"], "id": player["MasterId"],
               "host": player["WasHost"], "local": player.get("IsLocal", ABSENT),
               "battle_points": player["BattlePoints"],
               "shiftstones": ["none" if s == -1 else name(STONES, s) for s in stones],
               "length": float(body.get("Length", 0)), "arm_span": float(body.get("ArmSpan", 0))}


def structure_number(thing):
    kind = thing["Type"]
    return STRUCTURES.index(kind) if isinstance(kind, str) else kind


def structure_types(header):
    count = {}
    for thing in header.get("Structures") or []:
        kind = str(name(STRUCTURES, structure_number(thing)))
        count[kind] = count.get(kind, 0) + 1
    return Whole(count)


def part_kind(path):
    known = {"manifest.json": "manifest", "replay": "stream", "gzip": "stream", "voices.json": "voices"}
    folder = {"voices": "voice", "extensions": "extension"}.get(path.split("/")[0], "other")
    return known.get(path, folder if "/" in path else "other")


def pings(header):
    if header.get("AvgPing", -1) < 0:
        return ABSENT
    return {"average": header["AvgPing"], "least": header["MinPing"], "most": header["MaxPing"]}


def marker_list(reading):
    return [{"time": float(m["time"]), "name": m["name"]} for m in reading.markers()]


def map_of(header):
    """The scene by its friendly name, and a map of one's own: a name, or objects of 13 parts."""
    scene, own = header["Scene"], header.get("CustomMap")
    found = {"name": SCENES.get(scene, scene), "scene": scene, "custom": ABSENT, "objects": ABSENT}
    if own and own.startswith("1|"):
        words = own.split("|")[2:]
        groups = [words[i : i + 13] for i in range(0, len(words) - 12, 13)]
        found.update(custom="inline", objects=[
            {"name": g[0], **{key: [float(v) for v in g[at : at + 3]] for key, at in
                              (("colour", 1), ("pos", 4), ("euler", 7), ("scale", 10))}} for g in groups])
    elif own:
        found["custom"] = {"FlatLandSingle": "FlatLand"}.get(own, own)
    return found


def info(reading):
    header, replay = reading.header, reading.replay
    utc = "Date" not in header
    return {
        "format": "rumble", "layout": reading.layout, "size": len(replay.data),
        "duration": reading.duration(), "title": header.get("Title", ABSENT),
        "version": header["Version"], "map": map_of(header),
        "date": header["DateUTC"] if utc else header["Date"],
        "date_zone": "UTC" if utc else "local time of the recorder",
        "frames": header["FrameCount"], "fps": header.get("TargetFPS", header.get("FPS", 0)),
        "people": list(people(reading)),
        "structures": {"count": len(header.get("Structures") or []), "types": structure_types(header)},
        "pedestals": header.get("PedestalCount", 0),
        "props": header.get("ScenePropCount", ABSENT),
        "markers": marker_list(reading), "ping_ms": pings(header),
        "guid": header.get("Guid", ABSENT), "favourite": header.get("isFavorited", ABSENT),
        "mods": reading.mods,
        "parts": [{"name": path, "kind": part_kind(path), "size": len(content), "stored_size": stored}
                  for path, content, stored in replay.members],
    }


# ---- stats ----


def steps(reading, number):
    """Pairs of neighbouring frames of a player: seconds between them, before, now."""
    for (t0, _, _, a), (t1, _, _, b) in zip(reading.frames, reading.frames[1:]):
        yield t1 - t0, a["players"][number], b["players"][number]


def appears(reading, number):
    """Number of the frame with the first entry of a player."""
    for at, (_, _, rows, _) in enumerate(reading.frames):
        if any(track == "players" and index == number for track, index, _ in rows):
            return at
    return None


def moves(reading, number):
    """A move begins in a frame whose stack is another than that of the frame before."""
    last, log = 0, []
    for time, _, _, states in reading.frames:
        stack = states["players"][number].get("stack", 0)
        if stack and stack != last:
            log.append((time, stack))
        last = stack
    return log


def health(reading, number):
    """(time, health) from the player's first entry on, whenever it changes."""
    first, log = appears(reading, number), []
    if first is None:
        return log
    for time, _, _, states in reading.frames[first:]:
        points = states["players"][number]["health"]
        if not log or log[-1][1] != points:
            log.append((time, points))
    return log


def recorded_player(reading, number, player):
    log = moves(reading, number)
    counts = {}
    for _, stack in log:
        if 0 < stack < len(MOVES):
            counts[MOVES[stack]] = counts.get(MOVES[stack], 0) + 1
    return {"player": number, "name": (player or {}).get("Name") or ABSENT, "moves": Whole(counts),
            "move_log": [{"time": t, "move": name(MOVES, stack)} for t, stack in log],
            "health": [{"time": t, "health": points} for t, points in health(reading, number)]}


def hand(reading, number, part, active):
    distance = fastest = 0.0
    for elapsed, a, b in steps(reading, number):
        if a["active"] and b["active"] and elapsed > 0:
            step = math.dist(world(a, part), world(b, part))
            distance, fastest = distance + step, max(fastest, step / elapsed)
    mean = distance / active if active > 0 else 0.0
    return {"distance": Near(distance, 1e-4 * max(1, distance)),
            "speed_max": Near(fastest, 1e-3 * max(1, fastest)),
            "speed_mean": Near(mean, 1e-4 * max(1, mean))}


def stones(reading, number):
    seconds, uses = {}, {}
    for elapsed, a, b in steps(reading, number):
        if not a["active"] or elapsed <= 0 or "left_stone" not in a:
            continue
        for side in ("left_stone", "right_stone"):
            if a[side] < len(STONES):
                seconds[STONES[a[side]]] = seconds.get(STONES[a[side]], 0.0) + elapsed
        for bit, text in enumerate(STONE_EFFECTS):
            if b["stone_fx"] >> bit & 1 and not a["stone_fx"] >> bit & 1:
                uses[text] = uses.get(text, 0) + 1
    return Whole(seconds), Whole(uses)


def losses(reading, number):
    log = [points for _, points in health(reading, number)]
    changes = [b - a for a, b in zip(log, log[1:])]
    return -sum(c for c in changes if c < 0), sum(c for c in changes if c > 0)


def derived_player(reading, number, player):
    active = sum((elapsed for elapsed, a, _ in steps(reading, number) if a["active"] and elapsed > 0), 0.0)
    lost, healed = losses(reading, number)
    seconds, uses = stones(reading, number)
    found = reading.players()
    return {"player": number, "name": (player or {}).get("Name") or ABSENT,
            "time_active": active, "damage_taken": lost, "healed": healed,
            "damage_dealt": losses(reading, 1 - number)[0] if len(found) == 2 else ABSENT,
            "head_distance": hand(reading, number, "head", active)["distance"],
            "left_hand": hand(reading, number, "lhand", active),
            "right_hand": hand(reading, number, "rhand", active),
            "shiftstone_seconds": seconds, "shiftstone_uses": uses}


def structure_counts(reading):
    """Per type: changes of active, held and flicked from frame to frame."""
    count = {}
    types = [structure_number(thing) for thing in reading.header.get("Structures") or []]
    for number, kind in enumerate(types):
        last = {"active": False, "held": False, "flicked": False}
        totals = count.setdefault(kind, {"made": 0, "held": 0, "flicked": 0, "broken": 0})
        for _, _, _, states in reading.frames:
            state = states["structures"][number]
            now = {"active": state["active"], "flicked": state.get("flicked", False),
                   "held": any(state.get(key) for key in ("held", "left_held", "right_held"))}
            totals["made"] += now["active"] and not last["active"]
            totals["broken"] += last["active"] and not now["active"]
            totals["held"] += now["held"] and not last["held"]
            totals["flicked"] += now["flicked"] and not last["flicked"]
            last = now
    return [{"type": name(STRUCTURES, kind), **count[kind]} for kind in sorted(count)
            if any(count[kind].values())]


def events(reading):
    for time, _, rows, _ in reading.frames:
        for track, _, event in rows:
            if track == "events":
                yield time, event


def hits(reading):
    for time, event in events(reading):
        if event["damage"]:
            yield {"time": time, "damage": event["damage"],
                   "player": event["player"] if event["player"] >= 0 else ABSENT,
                   "effect": name(EFFECTS, event["fx"]) if event["fx"] else ABSENT}


def effects(reading):
    count = {}
    for _, event in events(reading):
        if event["fx"]:
            text = str(name(EFFECTS, event["fx"]))
            count[text] = count.get(text, 0) + 1
    return Whole(count)


def rounds(reading):
    """Rounds end at markers of rounds and matches; the rest is the last round."""
    ends, start = [], reading.first
    for time in sorted(float(m["time"]) for m in reading.markers() if m["name"] in ROUND_ENDS):
        if start < time <= reading.last:
            ends.append((start, time))
            start = time
    if reading.frames and start < reading.last:
        ends.append((start, reading.last))
    for number, (start, end) in enumerate(ends):
        points = [[h for t, h in health(reading, player) if t <= end + 1e-6][-1:] for player, _ in reading.players()]
        yield {"round": number + 1, "from": start, "to": end, "health_at_end": [(p or [0])[0] for p in points]}


def stats(reading):
    length = reading.last - reading.first
    per_minute = len(reading.markers()) / length * 60 if length > 0 else 0.0
    players = reading.players()
    return {
        "format": "rumble", "layout": reading.layout,
        "recorded": {"frames": reading.header["FrameCount"], "ping_ms": pings(reading.header),
                     "players": [recorded_player(reading, n, p) for n, p in players],
                     "hits": list(hits(reading)), "markers": marker_list(reading),
                     "effects": effects(reading)},
        "derived": {"duration": length, "rounds": list(rounds(reading)),
                    "players": [derived_player(reading, n, p) for n, p in players],
                    "structures": structure_counts(reading),
                    "markers_per_minute": per_minute}}


# ---- rows and moments ----


def track_rows(reading):
    found = {"frames": [], "players": [], "structures": [], "pedestals": [], "props": [], "events": [],
             "extensions": []}
    hashes = {mod_hash(mod): mod for mod in reading.mods}
    for number, (time, frame, rows, _) in enumerate(reading.frames):
        clock = {"frame": number, "time": time}
        sized = {"entries": frame.entry_count} if reading.layout[0] == "z" else {}
        found["frames"].append({**clock, "size": frame.size, **sized, "stray": frame.stray})
        for track, index, state in rows:
            row = event_row(reading.layout, state) if track == "events" else {KEYS[track]: index, **shown(track, state)}
            found[track].append({**clock, **row})
        for mod, sub, payload in frame.extensions:
            found["extensions"].append({**clock, "mod_id": mod, "sub_index": sub, "data": payload.hex(),
                                        "mod": hashes.get(mod)})
    return found


def marker_rows(reading):
    for marker in reading.markers():
        place = marker.get("position") or {"x": 0, "y": 0, "z": 0}
        player = marker.get("PlayerIndex")
        yield {"time": float(marker["time"]), "name": marker["name"],
               **{c: float(marker.get(c, 0)) for c in "rgb"}, "player": -1 if player is None else player,
               **{f"pos_{axis}": float(place[axis]) for axis in "xyz"}}


def voice_rows(reading):
    sizes = {path: len(content) for path, content, _ in reading.replay.members}
    for voice in reading.replay.voices:
        yield {"time": float(voice["StartTime"]), "master_id": voice["MasterId"],
               "actor_id": voice["ActorId"], "voice_id": voice["VoiceId"], "file_name": voice["FileName"],
               "size": str(sizes.get(f"voices/{voice['FileName']}", 0))}


def file_rows(replay):
    return [{"name": path, "kind": part_kind(path), "size": str(len(content)), "stored_size": str(stored)}
            for path, content, stored in replay.members if path != "gzip"]


def moment(reading, number):
    time, frame, rows, states = reading.frames[number]
    found = {"frame": number, "time": time,
             "events": [event_row(reading.layout, s) for track, _, s in rows if track == "events"]}
    for track, key in KEYS.items():
        found[track] = [{key: i, **shown(track, state)} for i, state in enumerate(states[track])]
    return found


def shown_at(reading, time):
    """The largest frame number whose time is not after this one."""
    found = [n for n, (t, *_) in enumerate(reading.frames) if t <= time]
    return found[-1] if found else 0


def moments(reading):
    """Questions about moments: frames by number, and times between and on frames."""
    count = len(reading.frames)
    for number in sorted({1, count // 3} & set(range(count))):
        yield ("at", "--frame", str(number)), moment(reading, number)
    for time in (reading.last * 0.61, reading.last + 5) if count else ():
        yield ("at", "--time", repr(time)), moment(reading, shown_at(reading, time))


def answers(replay):
    reading = Reading(replay)
    yield ("info",), info(reading)
    yield ("stats",), stats(reading)
    rows = {**track_rows(reading), "markers": list(marker_rows(reading)), "voices": list(voice_rows(reading)),
            "files": file_rows(replay)}
    yield ("rows",), {track: found or ABSENT for track, found in rows.items()}
    yield ("info",), private.rumble(reading.header, [path for path, *_ in replay.members], replay.voices,
                                    len(rows.get("extensions") or []))
    yield from moments(reading)
    if rumble_shows.rises(reading):  # a scene has no times that fall
        yield ("scene", "--exact"), rumble_shows.scene(reading, 0)
        yield ("timeline",), rumble_shows.timeline(reading)
