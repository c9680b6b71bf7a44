"""What the scene and the timeline of a RUMBLE replay must show."""

import bisect
import math

import rumble_answers as known
from compare import Near
from scenes import (NO_ANGLE, PALETTE, heat_cells, is_shown, linear_colour, near, nodes, place, points,
                    series, turned)

LOOKS = ["free", "grounded", "held", "flicked"]
MARKS = {"core.manual": ("mark", 3, "Marked by hand"), "core.roundEnded": ("round", 4, "Round ends"),
         "core.matchEnded": ("match", 5, "Match ends"), "core.largeDamage": ("damage", 3, "Large damage")}
STRETCH_S = 10


def plain(text):
    """Without markup: <...>."""
    out, inside = "", False
    for char in text:
        inside = char == "<" or inside and char != ">"
        out += "" if inside or char == ">" else char
    return out


def rises(reading):
    times = [time for time, *_ in reading.frames]
    return bool(times) and times[0] >= 0 and all(a < b for a, b in zip(times, times[1:]))


def mirror(v):
    return (v[0], v[1], -v[2])


def mirror_turn(q):
    return (-q[0], -q[1], q[2], q[3])


def look_of(state):
    if any(state.get(key) for key in ("held", "left_held", "right_held")):
        return "held"
    if state.get("flicked"):
        return "flicked"
    return "grounded" if state["grounded"] else "free"


# ---- scene ----


def player_poses(scene, found, time, number, state):
    about = f"player:{number}"
    rig = found[about, "rig"]
    yield f"{about} shown", is_shown(scene, rig, time), state["active"]
    if not state["active"]:
        return
    yield f"{about} rig", place(scene, rig, time), near(mirror(state["rig_pos"]))
    yield f"{about} rig turn", turned(scene, rig, time, mirror_turn(state["rig_rot"])), NO_ANGLE
    for kind, part in (("head", "head"), ("left hand", "lhand"), ("right hand", "rhand")):
        node = found[about, kind]
        yield f"{about} {kind}", place(scene, node, time), near(mirror(known.world(state, part)))
        turn = mirror_turn(known.times(state["rig_rot"], state[f"{part}_rot"]))
        yield f"{about} {kind} turn", turned(scene, node, time, turn), NO_ANGLE
    if state.get("rockcam_active"):
        node = found[about, "RockCam"]
        yield f"{about} RockCam", place(scene, node, time), near(mirror(state["rockcam_pos"]))
        turn = mirror_turn(state["rockcam_rot"])
        yield f"{about} RockCam turn", turned(scene, node, time, turn), NO_ANGLE


def structure_poses(scene, found, time, number, state):
    about = f"structure:{number}"
    shown = [look for look in LOOKS if (about, look) in found and is_shown(scene, found[about, look], time)]
    yield f"{about} look", shown, [look_of(state)] if state["active"] else []
    if state["active"]:
        node = found[about, "structure"]
        yield about, place(scene, node, time), near(mirror(state["pos"]))
        yield f"{about} turn", turned(scene, node, time, mirror_turn(state["rot"])), NO_ANGLE


def thing_poses(scene, found, time, states):
    for number, state in enumerate(states["pedestals"]):
        about = (f"pedestal:{number}", "pedestal")
        yield f"{about[0]} shown", about in found and is_shown(scene, found[about], time), state["active"]
        if state["active"]:
            yield about[0], place(scene, found[about], time), near(mirror(state["pos"]))
    for number, state in enumerate(states["props"]):
        about = (f"prop:{number}", "prop")
        if about in found:
            yield about[0], place(scene, found[about], time), near(mirror(state["pos"]))
            yield f"{about[0]} turn", turned(scene, found[about], time, mirror_turn(state["rot"])), NO_ANGLE


def colours(reading, scene):
    materials = {m["name"]: m["pbrMetallicRoughness"]["baseColorFactor"] for m in scene.json["materials"]}
    names = [plain((p or {}).get("Name") or "") or f"Player {i + 1}" for i, p in reading.players()]
    for number, text in enumerate(names):
        if text in materials and names.count(text) == 1:
            yield f"colour of {text}", materials[text][:3], linear_colour(PALETTE[number % len(PALETTE)])


def scene(reading, tolerance):
    """Poses at some frames. Without --exact, dropped keys change little."""
    def check(ours):
        found = nodes(ours)
        about = ours.json["asset"]["extras"]["reprise"]
        yield "duration", about["duration"], reading.last
        yield from colours(reading, ours)
        count = len(reading.frames)
        for at in sorted({0, 1, count // 4, count // 2, count * 3 // 4, count - 1} & set(range(count))):
            time, _, _, states = reading.frames[at]
            time = known.f32(time)
            seen = [n for n, _ in reading.players() if known.appears(reading, n) is not None]
            for number in seen:
                if (f"player:{number}", "rig") in found:
                    yield from player_poses(ours, found, time, number, states["players"][number])
            for number, state in enumerate(states["structures"]):
                yield from structure_poses(ours, found, time, number, state)
            yield from thing_poses(ours, found, time, states)
    return check


# ---- timeline ----


def motion(reading, number):
    """(speed of the head, of the faster hand, height) as points, from the player's first entry on."""
    head, hand, height = [], [], []
    first = known.appears(reading, number)
    for at in range(first if first is not None else len(reading.frames), len(reading.frames)):
        time, _, _, states = reading.frames[at]
        now = states["players"][number]
        if now["active"]:
            height.append((time, known.world(now, "head")[1]))
        before = reading.frames[at - 1][3]["players"][number] if at > first else None
        if before and before["active"] and now["active"]:
            elapsed = time - reading.frames[at - 1][0]
            step = {p: math.dist(known.world(before, p), known.world(now, p)) for p in ("head", "lhand", "rhand")}
            head.append((time, step["head"] / elapsed))
            hand.append((time, max(step["lhand"], step["rhand"]) / elapsed))
    return head, hand, height


def damage(reading, number):
    log, total = [], 0
    for time, points_ in known.health(reading, number):
        if log and points_ >= last:
            last = points_
            continue
        total += last - points_ if log else 0
        last = points_
        log.append((time, total))
    return log


def move_rate(reading, number):
    count = {}
    if known.appears(reading, number) is None:
        return []
    for time, _ in known.moves(reading, number):
        stretch = math.floor(time / STRETCH_S) * STRETCH_S
        count[stretch] = count.get(stretch, 0) + 1
    return sorted(count.items())


def plots(reading, ours, names):
    frames = [time for time, *_ in reading.frames]
    intervals = [(b, (b - a) * 1000) for a, b in zip(frames, frames[1:])]
    yield "interval", series(ours, "interval").get("frames", []), points(intervals, 1e-3)
    plotted = {plot: ours.plot(plot) or [] for plot in ("health", "damage", "damage_dealt", "speed",
                                                        "hand_speed", "height", "moves")}
    for number, text in enumerate(names):
        head, hand, height = motion(reading, number)
        wanted = {"health": points(known.health(reading, number)), "damage": points(damage(reading, number)),
                  "speed": points(head, 2e-3), "hand_speed": points(hand, 2e-3), "height": points(height)}
        if len(names) == 2:
            wanted["damage_dealt"] = points(damage(reading, 1 - number))
        for plot, values in wanted.items():
            name, times, numbers = plotted[plot][number]
            pairs = [(t, v) for t, v in zip(times, numbers) if not math.isnan(v)]
            yield f"{plot} of {number}", pairs, values
        _, times, numbers = plotted["moves"][number]
        pairs = [(t, v) for t, v in zip(times, numbers) if v]
        yield f"moves of {number}", pairs, points(move_rate(reading, number))


def markers(reading, names):
    """(time, kind, player, weight, text), in order of time."""
    found = []
    for marker in reading.markers():
        kind, weight, text = MARKS.get(marker["name"], ("mark", 2, plain(marker["name"])))
        player = marker.get("PlayerIndex")
        if marker["time"] >= 0:
            found.append((marker["time"], kind, -1 if player is None else player, weight, text))
    for time, event in known.events(reading):
        if event["damage"] > 0:
            text = f"{known.name(known.EFFECTS, event['fx']) if event['fx'] else 'Hit'}, {event['damage']} damage"
            player = event["player"] if 0 <= event["player"] < len(names) else -1
            found.append((time, "hit", player, 3 if event["damage"] >= 5 else 2, text))
    for number, text in enumerate(names):
        last = None
        for at, (time, _, rows, states) in enumerate(reading.frames):
            if last is None and at < (known.appears(reading, number) or 0):
                continue
            now = states["players"][number]
            if now["active"] and not (last and last["active"]) and at > 0:
                found.append((time, "join", number, 1, f"{text} joins"))
            if now.get("rockcam_active") and not (last and last["rockcam_active"]):
                found.append((time, "rockcam", number, 1, "RockCam out"))
            last = now
    return sorted(found)


def tables(reading, ours, names):
    hits = [{"t": time, "player": names[e["player"]] if 0 <= e["player"] < len(names) else "",
             "damage": e["damage"], "effect": known.name(known.EFFECTS, e["fx"]) if e["fx"] else "",
             **dict(zip("xyz", near(mirror(e["pos"]))))}
            for time, e in known.events(reading) if e["damage"] > 0]
    yield "table hits", ours.table("hits") or [], hits
    moves = sorted((time, number, known.name(known.MOVES, stack)) for number in range(len(names))
                   for time, stack in known.moves(reading, number))
    rows = sorted((row["t"], names.index(row["player"]), row["move"]) for row in ours.table("moves") or [])
    yield "table moves", rows, [(Near(t, 1e-5), number, move) for t, number, move in moves]
    people = [{"player": names[number], "points": (p or {}).get("BattlePoints", 0),
               "host": "yes" if (p or {}).get("WasHost") else "",
               "length": float(((p or {}).get("Measurement") or {}).get("Length", 0)),
               "arm_span": float(((p or {}).get("Measurement") or {}).get("ArmSpan", 0))}
              for number, p in reading.players()]
    yield "table players", ours.table("players") or [], people


def words(reading, ours):
    """Stones worn and the move that began less than 0.75 seconds ago, beside each player."""
    for number, _ in reading.players():
        said = ours.words(number)
        first, move, until = known.appears(reading, number), None, -1
        for time, _, _, states in reading.frames[first if first is not None else len(reading.frames):]:
            now = states["players"][number]
            if now.get("stack"):
                move, until = known.name(known.MOVES, now["stack"]), time + 0.75
            if abs(time - until) < 1e-3:
                continue
            stones = [known.STONES[now[side]] for side in ("left_stone", "right_stone")
                      if now.get(side, 255) < len(known.STONES)]
            at = bisect.bisect_right([t for t, _ in said], time + 1e-5) - 1
            wanted = ", ".join(stones + ([move] if time < until and isinstance(move, str) else []))
            yield f"words of {number} at {time}", said[at][1] if at >= 0 else "", wanted


def rockcams(reading, ours):
    """Spans of time in which the in-game camera of each player is out."""
    cameras = {camera["id"]: camera for camera in ours.json["cameras"]}
    for number, _ in reading.players():
        spans, since = [], None
        for time, _, _, states in reading.frames:
            out = states["players"][number].get("rockcam_active", False)
            if out and since is None:
                since = time
            if not out and since is not None:
                spans.append([since, time])
                since = None
        if since is not None:
            spans.append([since, reading.last])
        yield f"rockcam of {number}", cameras.get(f"rockcam:{number}", {}).get("when", []), spans


def heads(reading):
    for at, (_, _, _, states) in enumerate(reading.frames):
        for number, _ in reading.players():
            first = known.appears(reading, number)
            if first is not None and at >= first and states["players"][number]["active"]:
                x, _, z = mirror(known.world(states["players"][number], "head"))
                yield x, z


def timeline(reading):
    def check(ours):
        names = [plain((p or {}).get("Name") or "") or f"Player {i + 1}" for i, p in reading.players()]
        source = {"format": "rumble", "layout": reading.layout, "duration": reading.last, "complete": True}
        if reading.header.get("Title"):
            source["title"] = plain(reading.header["Title"])
        yield "source", ours.json["source"], source
        yield "players", [p["name"] for p in ours.json["players"]], names
        yield from plots(reading, ours, names)
        yield "markers", sorted(ours.markers()), [(Near(t, 1e-5), *rest) for t, *rest in markers(reading, names)]
        yield from tables(reading, ours, names)
        ends = [r["to"] for r in known.rounds(reading)]
        starts = [r["from"] for r in known.rounds(reading)]
        any_end = any(m["name"] in known.ROUND_ENDS and reading.first < m["time"] <= reading.last
                      for m in reading.markers())
        chapters = [{"t0": a, "t1": b, "name": f"Round {i + 1}"} for i, (a, b) in enumerate(zip(starts, ends))]
        # Without rounds, highlights are the chapters: tests/timeline checks those.
        told = {one["text"] for one in ours.json["highlights"]}
        found = [c for c in ours.json["chapters"] if any_end or c["name"] not in told]
        yield "chapters", found, chapters if any_end else []
        yield from words(reading, ours)
        yield from rockcams(reading, ours)
        yield from heat_cells(ours, "heads", list(heads(reading)))
    return check
