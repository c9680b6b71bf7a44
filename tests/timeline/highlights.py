"""What is worth watching, found again from tables and rows: by family, and the laws for all of them."""

SOON = 1e-3


def windows(slots, length, least, most):
    """(first slot, sum) of the busiest windows that do not overlap, the best first."""
    found = []
    while len(found) < most:
        best = None
        for at in range(len(slots)):
            if any(abs(at - other) < length for other, _ in found):
                continue
            total = sum(slots[at:at + length])
            if total >= least and (best is None or total > best[1]):
                best = at, total
        if best is None:
            break
        found.append(best)
    return found


def per_slot(times_and_weights, slot_s, count=0):
    slots = [0] * count
    for time, weight in times_and_weights:
        at = int(time / slot_s + 1e-9)
        slots += [0] * (at + 1 - len(slots))
        slots[at] += weight
    return slots


def of_kind(timeline, kind):
    return [one for one in timeline.json["highlights"] if one["kind"] == kind]


def laws(timeline, stats, rows):
    """Within the recording, in order of time, at most 20; chapters do not overlap."""
    found, end = timeline.json["highlights"], timeline.json["source"]["duration"] + SOON
    yield len(found) <= 20, f"{len(found)} highlights"
    yield [one["t"] for one in found] == sorted(one["t"] for one in found), "out of order"
    for one in found:
        yield 0 <= one["t0"] <= one["t"] <= end and one["t0"] <= one["t1"] <= end, f"{one} ends at {end}"
        yield 0 <= one["score"] <= 1 and one["text"], f"{one}"
    chapters = timeline.json.get("chapters", [])
    for one, other in zip(chapters, chapters[1:]):
        yield one["t1"] <= other["t0"] + SOON, f"{one} and {other} overlap"


def exchanges(timeline, stats, rows):
    """RUMBLE: the five seconds with the most damage."""
    slots = per_slot([(row["t"], row["damage"]) for row in timeline.table("hits") or []], 1)
    wanted = sorted(f"Exchange: {total} damage in {min(5, len(slots) - at)} s" for at, total in windows(slots, 5, 2, 6))
    found = sorted(one["text"] for one in of_kind(timeline, "fight"))
    yield found == wanted, f"{found}, not {wanted}"


def knockouts(timeline, stats, rows):
    """RUMBLE: whoever has no health left."""
    health = {}
    wanted = set()
    for row in rows("players"):
        if "health" in row:
            if health.get(row["player"], 0) > 0 >= row["health"]:
                wanted.add((row["player"], round(row["time"], 2)))
            health[row["player"]] = row["health"]
    found = {(one["player"], round(one["t"], 2)) for one in of_kind(timeline, "knockout")}
    yield len(found) <= len(wanted) and bool(found) == bool(wanted), f"{found}, not {wanted}"


def jumps(timeline, stats, rows):
    """CS2KZ: the longest jump and the end of the run."""
    table = timeline.table("jumps") or []
    records = of_kind(timeline, "record")
    longest = max(table, key=lambda row: row["distance"], default=None)
    if longest is None or longest["distance"] <= 0:
        yield not records, f"{records} without jumps"
    else:
        yield len(records) == 1 and f"{longest['distance']:.1f} units" in records[0]["text"], f"{records}, not {longest}"
        yield abs(records[0]["t"] - longest["t"]) < SOON, f"{records} at {longest['t']}"
    for one in of_kind(timeline, "jump"):
        row = min(table, key=lambda row: abs(row["t"] - one["t"]))
        yield abs(row["t"] - one["t"]) < SOON and one["text"].startswith(row["type"]), f"{one}, not {row}"
    ends = of_kind(timeline, "finish")
    finish = timeline.json.get("run", {}).get("t1")
    yield [round(one["t"], 2) for one in ends] == ([] if finish is None else [round(finish, 2)]), f"{ends} at {finish}"


def fights(timeline, stats, rows):
    """Recorded orders: the twenty seconds with the most attacks, and the first of them."""
    kinds = {"Attack", "Stance"}
    ignored = {"PauseGame", "Disconnect"}
    attacks = [row for row in timeline.table("orders") if row["order"] in kinds and row["name"] not in ignored]
    slots = per_slot([(row["t"], 1) for row in attacks], 10, int(timeline.json["source"]["duration"] / 10) + 1)
    wanted = sorted(f"Fight: {total} attack orders in {10 * min(2, len(slots) - at)} s"
                    for at, total in windows(slots, 2, 5, 8))
    found = sorted(one["text"] for one in of_kind(timeline, "fight"))
    yield set(found) <= set(wanted) and bool(found) == bool(wanted), f"{found}, not {wanted}"
    first = [row for row in attacks if row["order"] == "Attack"][:1]
    shown = of_kind(timeline, "first attack")
    yield len(shown) == len(first) or len(timeline.json["highlights"]) == 20, f"{shown}, not {first}"
    for one, row in zip(shown, first):
        yield abs(one["t"] - row["t"]) < SOON and row["player"] in one["text"], f"{one}, not {row}"


SCORES = {"SuperweaponFired": ("superweapon", 0.9), "BaseDestroyed": ("base destroyed", 0.85),
          "ArmyWipe": ("army wipe", 0.8), "ComebackMoment": ("comeback", 0.75)}


def scored(timeline, stats, rows):
    """Iron Curtain: events with the weights that the game publishes."""
    names = {row["kind"] for row in rows("events")}
    for event, (kind, score) in SCORES.items():
        found = {one["score"] for one in of_kind(timeline, kind)}
        yield found == ({score} if event in names else set()), f"{kind}: {found}, events {sorted(names)}"


FAMILIES = {"rumble": [exchanges, knockouts], "cs2kz": [jumps], "openra": [fights], "remastered": [fights],
            "icrep": [scored]}


def checks(family):
    return [laws, *FAMILIES.get(family, [])]
