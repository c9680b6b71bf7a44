"""What the scene and the timeline of a CS2KZ replay must show."""

import math

import cs2kz_answers as known
from compare import Near
from scenes import (NO_ANGLE, PALETTE, heat_cells, is_shown, linear_colour, near, nodes, place, points, turned)

UNIT_M = 0.0254
KEYS = [("W", 0x8), ("A", 0x200), ("S", 0x10), ("D", 0x400), ("duck", 0x4), ("jump", 0x2)]
EYES_M, DUCKED_M = 1.63, 0.46  # height of the eyes, and how much lower they are when ducked
STEP_UNITS, FAR_UNITS = 24, 100
LEAST_BAND_S, GAP_S = 0.2, 0.5
BEST_TIER = 5


def to_scene(v):
    return (UNIT_M * v[0], UNIT_M * v[2], -UNIT_M * v[1])


def view_turn(angles):
    """Pitch and yaw in degrees; a node that is not turned looks along -z, which is yaw 90."""
    pitch, yaw = math.radians(-angles[0]) / 2, math.radians(angles[1] - 90) / 2
    sp, cp, sy, cy = math.sin(pitch), math.cos(pitch), math.sin(yaw), math.cos(yaw)
    return (cy * sp, sy * cp, -sy * sp, cy * cp)


class Showing:
    """Ticks with the seconds at which a scene shows them."""

    def __init__(self, replay, run):
        self.replay, self.run = replay, run
        self.first = replay.ticks[0]["server_tick"]
        self.ticks = [((tick["server_tick"] - self.first) * known.TICK_S, tick) for tick in replay.ticks]
        self.length = self.ticks[-1][0]
        self.teleports = list(self.find_teleports())

    def time(self, tick):
        return (tick - self.first) * known.TICK_S

    def inside(self, tick):
        return 0 <= self.time(tick) <= self.length

    def find_teleports(self):
        """Counted by the game, or too far for the speed: (time, tick before, tick)."""
        counted_last = False
        for (t0, a), (t1, b) in zip(self.ticks, self.ticks[1:]):
            far = math.dist(a["post.origin"], b["post.origin"])
            speed = max(math.hypot(*a["post.velocity"]), math.hypot(*b["post.velocity"]))
            leap = far > STEP_UNITS + 2 * speed * max(t1 - t0, known.TICK_S)
            counted = b["checkpoint"][2] > a["checkpoint"][2]
            if counted or leap and not counted_last and far > FAR_UNITS:
                yield t1, a, b
            counted_last = counted


# ---- scene ----


def scene(showing):
    def check(ours):
        found = nodes(ours)
        yield "duration", ours.json["asset"]["extras"]["reprise"]["duration"], showing.length
        hull = next(m for m in ours.json["materials"] if m["name"] == "hull")
        yield "hull", hull["pbrMetallicRoughness"]["baseColorFactor"][:3], linear_colour(PALETTE[0])
        count = len(showing.ticks)
        for at in sorted({0, 1, count // 5, count // 3, count // 2, count * 4 // 5, count - 1} & set(range(count))):
            time, tick = showing.ticks[at]
            yield f"player at {time}", place(ours, found["player:0", "player"], time), near(to_scene(tick["post.origin"]))
            yield f"view at {time}", turned(ours, found["player:0", "view"], time, view_turn(tick["post.angles"])), NO_ANGLE
            duck = min(max(tick["post.duck_amount"], 0), 1)
            eyes = place(ours, found["player:0", "view"], time)[1] - place(ours, found["player:0", "player"], time)[1]
            yield f"eyes at {time}", eyes, Near(EYES_M - DUCKED_M * duck, 1e-3)
            ducked = bool(tick["post.replay_flags"] & 2) or duck > 0.5
            for kind, wanted in (("ducked", ducked), ("standing", not ducked)):
                yield f"{kind} at {time}", is_shown(ours, found["player:0", kind], time), wanted
        yield from marks(showing, ours, found)
    return check


def marks(showing, ours, found):
    """Teleports and checkpoints appear when they happen."""
    for number, (time, _, tick) in enumerate(showing.teleports[:50]):
        node = found["teleport:%d" % number, "teleport"]
        yield f"teleport {number} before", is_shown(ours, node, time - 0.01), False
        yield f"teleport {number} after", is_shown(ours, node, time + 0.01), True
    number = 0
    for (_, a), (time, b) in zip(showing.ticks, showing.ticks[1:]):
        if b["checkpoint"][1] > a["checkpoint"][1] and number < 50:
            node = found[f"checkpoint:{number}", "checkpoint"]
            yield f"checkpoint {number}", place(ours, node, time + 1), near(to_scene(b["post.origin"]))
            yield f"checkpoint {number} before", is_shown(ours, node, time - 0.01), False
            number += 1


# ---- timeline ----


def changes(showing, value):
    """(time, value) at the first tick and wherever it changes; after a gap too."""
    found, last, before = [], None, None
    for time, tick in showing.ticks:
        now = value(tick)
        if last is None or now != last or before is not None and time - before > GAP_S:
            found.append((time, now))
        last, before = now, time
    return found


def plain_changes(showing, value):
    found = []
    for time, tick in showing.ticks:
        if not found or found[-1][1] != value(tick):
            found.append((time, value(tick)))
    return found


def last_of_each(pairs):
    """Of several values at one time the last one counts; times do not fall."""
    found = []
    for time, value in pairs:
        if found and time <= found[-1][0]:
            found[-1] = (found[-1][0], value)
        else:
            found.append((time, value))
    return found


def drawn(plot, number):
    _, times, values = plot[number]
    return [(t, v) for t, v in zip(times, values) if not math.isnan(v)]


def plots(showing, ours):
    speed = [(t, known.horizontal(tick["post.velocity"])) for t, tick in showing.ticks]
    yield "speed", drawn(ours.plot("speed"), 0), points(speed)
    height = [(t, tick["post.origin"][2]) for t, tick in showing.ticks]
    yield "height", drawn(ours.plot("height"), 0), points(height)
    for number, (name, bit) in enumerate(KEYS):
        wanted = changes(showing, lambda tick, bit=bit: bool(tick["post.buttons0"] & bit))
        yield f"keys {name}", drawn(ours.plot("keys"), number), points([(t, float(v)) for t, v in wanted])
    latency = [(showing.time(c["server_tick"]), c["latency"] * 1000) for c in showing.replay.commands
               if showing.inside(c["server_tick"])]
    yield "latency", drawn(ours.plot("latency"), 0) if latency else [], points(last_of_each(latency), 1e-4)
    for number, place_ in ((0, 1), (1, 2)):
        wanted = plain_changes(showing, lambda tick, p=place_: float(tick["checkpoint"][p]))
        yield f"checkpoints {number}", drawn(ours.plot("checkpoints"), number), points(wanted)
    timer = [(t, showing.run.time_at(tick["server_tick"])) for t, tick in showing.ticks]
    wanted = points([pair for pair in timer if pair[1] is not None])
    yield "timer", drawn(ours.plot("timer"), 0) if ours.plot("timer") else [], wanted
    yield from jump_plots(showing, ours)


def jump_plots(showing, ours):
    sync, width = [], []
    for number, jump in enumerate(showing.replay.jumps):
        if not showing.inside(jump["server_tick"]) or not jump["strafes"]:
            continue
        about, time = known.derived_jump(number, jump), showing.time(jump["server_tick"])
        share = about["sync"] if isinstance(about["sync"], float) else 0.0
        sync.append((time, min(100 * share, 100)))
        width.append((time, about["width"]))
    for name, wanted in (("sync", sync), ("width", width)):
        yield name, drawn(ours.plot(name), 0) if wanted else [], points(last_of_each(wanted))


def tables(showing, ours):
    jumps, strafes, calls = [], [], []
    for number, jump in enumerate(showing.replay.jumps):
        if not showing.inside(jump["server_tick"]):
            continue
        jumps.append({"jump": number, "t": showing.time(jump["server_tick"]), "type": known.jump_type(jump["jump_type"]),
                      "tier": known.name(known.TIERS, jump["distance_tier"]), "distance": jump["total_distance"],
                      "speed": jump["max_speed"], "height": jump["max_height"], "airtime": jump["airtime"]})
        for at, s in enumerate(jump["strafes"]):
            sync = 100 * s["sync_duration"] / s["duration"] if s["duration"] > 0 else 0.0
            strafes.append({"jump": number, "strafe": at, "of": f"{number}.{at}", "duration": s["duration"],
                            "sync": Near(sync, 1e-3), "width": s["width"], "gain": s["air_gain"], "loss": s["air_loss"]})
        for c in jump["calls"]:
            gain = known.horizontal(c["velocity_after"]) - known.horizontal(c["velocity_before"])
            turned_ = math.remainder(c["current_yaw"] - c["prev_yaw"], 360)
            calls.append({"of": f"{number}.{c['strafe']}", "duration": Near(1000 * c["duration"], 1e-3),
                          "turned": Near(turned_, 1e-3), "gain": Near(gain, 1e-3)})
    for name, wanted in (("jumps", jumps), ("strafes", strafes), ("aircalls", calls)):
        yield f"table {name}", ours.table(name) or [], wanted
    events = [{"t": showing.time(e["server_tick"]), "event": known.name(known.TIMER, e["timer"]),
               "number": e["number"], "run_time": e["run_time"]} for e in showing.replay.events
              if e["type"] == 0 and showing.inside(e["server_tick"])]
    yield "table events", ours.table("events") or [], events
    splits = [{**{k: v for k, v in s.items() if k != "tick"}, "t": showing.time(s["tick"])}
              for s in known.splits(showing.replay.events) if showing.inside(s["tick"])]
    yield "table splits", ours.table("splits") or [], splits


def markers(showing):
    found = []
    for event in showing.replay.events:
        if event["type"] == 0 and showing.inside(event["server_tick"]):
            what = known.TIMER[event["timer"]]
            ends = what in ("start", "end")
            text = f"Timer {what}" if ends else f"Timer {what} {event['number']}"
            found.append((showing.time(event["server_tick"]), what, 0, 5 if ends else 3, text))
    for jump in showing.replay.jumps:
        if showing.inside(jump["server_tick"]) and jump["distance_tier"] >= BEST_TIER:
            text = "%s, %.1f units, %s" % (known.jump_type(jump["jump_type"]), jump["total_distance"],
                                           known.name(known.TIERS, jump["distance_tier"]))
            found.append((showing.time(jump["server_tick"]), "jump", 0, 3, text))
    found += [(time, "teleport", 0, 2, "Teleport") for time, _, _ in showing.teleports]
    return sorted(found)


def bands(showing):
    """Stretches in the air; their lengths are unknown across a gap, and short ones are left out."""
    since, before = None, None
    for time, tick in showing.ticks:
        if before is not None and time - before > GAP_S:
            since = None
        air = not tick["post.entity_flags"] & 1
        if air and since is None:
            since = time
        if not air and since is not None:
            if time - since >= LEAST_BAND_S:
                yield since, time
            since = None
        before = time
    if since is not None and showing.length - since >= LEAST_BAND_S:
        yield since, showing.length


def timeline(showing):
    def check(ours):
        yield "source", ours.json["source"], {"format": "cs2kz", "layout": showing.replay.layout,
                                              "duration": showing.length, "complete": True}
        yield from plots(showing, ours)
        yield from tables(showing, ours)
        yield "markers", sorted(ours.markers()), [(Near(t, 1e-4 * max(1, t)), *rest) for t, *rest in markers(showing)]
        air = [(b["t0"], b["t1"], b["text"]) for b in ours.bands("air")]
        yield "air", air, [(Near(a, 1e-3), Near(b, 1e-3), f"{b - a:.2f} s in the air") for a, b in bands(showing)]
        places = [to_scene(tick["post.origin"]) for _, tick in showing.ticks]
        yield from heat_cells(ours, "places", [(x, z) for x, _, z in places])
        falls = [to_scene(a["post.origin"]) for _, a, _ in showing.teleports]
        yield from heat_cells(ours, "falls", [(x, z) for x, _, z in falls])
    return check


def is_plain(replay):
    """Whether every tick is at a later time than the one before, and every number is one."""
    numbers = [tick["server_tick"] for tick in replay.ticks]
    finite = all(math.isfinite(v) for tick in replay.ticks for v in tick["post.origin"] + tick["post.velocity"])
    return bool(numbers) and finite and all(a < b for a, b in zip(numbers, numbers[1:]))


def answers(replay, run):
    if is_plain(replay):
        showing = Showing(replay, run)
        yield ("scene", "--exact"), scene(showing)
        yield ("timeline",), timeline(showing)
