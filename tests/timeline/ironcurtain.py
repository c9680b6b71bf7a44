"""Iron Curtain: what a timeline says against `stats` and the rows of its tracks."""

CELL = 1024


def near(a, b):
    return abs(a - b) < 1e-3


def seen(timeline, time):
    """Scenes end with the last frame; what is recorded after it is not in them."""
    return time <= timeline.json["source"]["duration"] + 1e-3


def snapshots(timeline, stats, rows):
    """Values of snapshots are points of their plots."""
    wanted = {"army": lambda s: s["army_value"], "harvesters": lambda s: s["harvesters"],
              "income": lambda s: s["score"]["collection_rate"],
              "kills": lambda s: s["score"]["units_killed"] + s["score"]["structures_destroyed"],
              "power": lambda s: s["power_produced"] - s["power_drained"],
              "economy": lambda s: s["credits"]}
    for one in stats["recorded"].get("curves", []):
        for name, value in wanted.items():
            _, times, values = timeline.plot(name)[one["player"]]
            found = [v for t, v in zip(times, values) if near(t, one["time"])]
            expected = float(value(one["stats"]))
            yield (any(abs(v - expected) <= abs(expected) * 1e-6 for v in found),
                   f"{name} of {one['player']} at {one['time']}: {found}, not {expected}")


def hashes(timeline, stats, rows):
    """A lane where hashes can be compared; gaps are marked."""
    ticks = rows("ticks")
    recorded = {row["tick"]: int(row["state_hash"]) for row in ticks if int(row["state_hash"])}
    compared = differ = 0
    first = None
    for row in sorted(rows("keyframes") + rows("signatures"), key=lambda r: r["tick"]):
        if row["tick"] in recorded:
            other = int.from_bytes(bytes.fromhex(row["state_hash"])[:8], "little")
            compared += 1
            if other != recorded[row["tick"]]:
                differ += 1
                first = row["tick"] if first is None else first
    said = stats["derived"]["state_hashes"]
    yield said["recorded"] == len(recorded), f"{said} of {len(recorded)}"
    yield (said["compared"], said["differences"]) == (compared, differ), f"{said}, not {compared}"
    yield said.get("first_difference") == first, f"{said}: first {first}"
    lane = timeline.plot("state")
    yield (lane is not None) == (compared > 0), "a lane where there is nothing to compare, or none"
    if lane and not differ:
        yield lane[0][2] == [1.0] and lane[1][2] == [0.0], f"lanes {lane}"
    if differ:
        yield 1.0 in lane[1][2] and bool(timeline.markers("desync")), f"lanes {lane}"
    numbers = [row["tick"] for row in ticks]
    gaps = [(b - a - 1) for a, b in zip(numbers, numbers[1:]) if b > a + 1]
    yield stats["derived"]["frames_missing"] == sum(gaps), "frames that are missing"
    texts = [marker[4] for marker in timeline.markers("gap")]
    yield texts == [f"{n} frame{'s' if n > 1 else ''} missing" for n in gaps], f"{texts}: {gaps}"


def signatures(timeline, stats, rows):
    wanted = [(row["tick"], row["state_hash"], row["skipped_ticks"]) for row in rows("signatures")
              if seen(timeline, row["time"])]
    found = [(row["tick"], row["state_hash"], row["skipped"])
             for row in timeline.table("signatures") or []]
    yield found == wanted, f"{len(found)} signatures, not {len(wanted)}"


def votes(timeline, stats, rows):
    """What was asked for by orders, and what events say about it."""
    names = [player["name"] for player in stats["recorded"]["players"] or []]

    def name(number):
        return names[number] if number is not None and number < len(names) else ""

    wanted = []
    for row in rows("orders"):
        if row["kind"] == "Vote":
            ((event, about),) = row["order"]["Vote"].items()
            wanted.append((event, about.get("vote_id", -1), name(row["player"])))
    for one in stats["recorded"]["votes"]:
        ((event, about),) = one["details"]["event"].items()
        wanted.append((event, about["vote_id"], name(about.get("proposer", about.get("voter")))))
    found = [(row["event"], row["vote"], row["player"]) for row in timeline.table("votes") or []]
    yield sorted(found) == sorted(wanted), f"votes {found}, not {wanted}"


def fights(timeline, stats, rows):
    """Engagements are bands, and warm the map."""
    ended = [e for e in stats["recorded"]["engagements"] if e["what"] == "EngagementEnded"]
    bands = timeline.bands("fight")
    yield len(bands) == len(ended), f"{len(bands)} bands of {len(ended)} engagements"
    for band, one in zip(bands, ended):
        about = one["details"]
        yield near(band["t1"], one["time"]), f"{band} ends at {one['time']}"
        text = f"{about['friendly_losses']} and {about['enemy_losses']} lost"
        yield band["text"] == text, f"{band}: {text}"
    heat = timeline.heat("combat") or {}
    for one in stats["recorded"]["engagements"]:
        x, z = (one["details"]["center_pos"][axis] / CELL for axis in "xy")
        yield any(abs(x - a) < 1 and abs(z - b) < 1 for a, b in heat), f"no heat at {x} {z}"


def harvest(timeline, stats, rows):
    """What cells lose from one keyframe to the next was taken from them."""
    left, taken = {}, {}
    for row in rows("map_cells"):
        cell, amount = (row["x"], row["y"]), max(row["amount"], 0)
        if row["z"] == 0 and min(cell) >= 0 and seen(timeline, row["time"]):
            fallen = left.get(cell, amount) - amount
            if fallen > 0:
                taken[cell] = taken.get(cell, 0) + fallen
            left[cell] = amount
    heat = timeline.heat("harvest") or {}
    for x, y in taken:
        yield any(abs(x + 0.5 - a) <= 0.5 and abs(y + 0.5 - b) <= 0.5 for a, b in heat), f"{x} {y}"
    if taken:
        hottest = max(taken.values())
        yield max(heat.values()) == 255, f"hottest of {hottest}"
    yield bool(heat) == bool(taken), "heat without anything taken"


def deaths(timeline, stats, rows):
    destroyed = [row for row in rows("events") if row["kind"] == "UnitDestroyed"]
    listed = [row for row in timeline.table("events") if row["event"] == "UnitDestroyed"]
    yield len(listed) == sum(seen(timeline, row["time"]) for row in destroyed), "deaths listed"


def eliminated(timeline, stats, rows):
    out = {row["player"] for row in rows("players") if row["defeated"]}
    marked = {marker[2] for marker in timeline.markers("elimination")}
    yield marked == out, f"out are {out}, marked {marked}"


def corner(timeline, stats, rows):
    for player in timeline.json["players"]:
        plots = [plot for plot, series in timeline.hud(player["id"]) if series == player["id"]]
        yield plots == ["economy", "army", "power"], f"beside {player['name']}: {plots}"


def totals(timeline, stats, rows):
    """What the Players tab says."""
    for player in stats["derived"].get("players", []):
        found = timeline.totals(player["player"])
        wanted = {"Orders": str(player["orders"]), "Actions": str(player["actions"])}
        yield not found or found == wanted, f"{found}, not {wanted}"


CHECKS = [snapshots, hashes, signatures, votes, fights, harvest, deaths, eliminated, corner, totals]
