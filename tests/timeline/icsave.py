"""Saves of Iron Curtain: one moment, as tables and a map, against the rows of its tracks."""

CELL = 1024


def no_curves(timeline, stats, rows):
    """Nothing changes in a moment, so there is nothing to plot."""
    yield not timeline.json.get("plots"), "a plot with one point"
    yield timeline.json["source"]["duration"] == 0, "a moment with a length"


def owned(rows, player, building):
    return [row for row in rows("entities") if row["owner"] == player and not row["removed"]
            and (row["building"] is not None) == building]


def sides(timeline, stats, rows):
    names = [player["name"] for player in timeline.json["players"]]
    listed = [row for row in rows("players") if row["player"] < len(names)]
    table = timeline.table("players")
    yield len(table) == len(listed), f"{len(table)} players, not {len(listed)}"
    for found, row in zip(table, sorted(listed, key=lambda row: row["player"])):
        things = [owned(rows, row["player"], building) for building in (False, True)]
        wanted = {"player": names[row["player"]], "faction": row["faction_name"] or "",
                  "credits": float(row["credits"]), "power_produced": float(row["power_produced"]),
                  "power_drained": float(row["power_drained"]), "units": len(things[0]),
                  "buildings": len(things[1]),
                  "health": float(sum(thing["health"] for thing in things[0] + things[1])),
                  "state": "defeated" if row["defeated"] else "playing"}
        yield found == wanted, f"{found}, not {wanted}"
        totals = timeline.totals(row["player"])
        left = row["power_produced"] - row["power_drained"]
        told = {"Credits": str(row["credits"]), "Power left": str(left), "Units": str(len(things[0])),
                "Buildings": str(len(things[1]))}
        yield totals == told, f"{totals}, not {told}"


def things(timeline, stats, rows):
    names = [player["name"] for player in timeline.json["players"]]
    wanted = [(row["type"] or "unknown", "unit" if row["building"] is None else "building",
               names[row["owner"]] if row["owner"] < len(names) else "", row["pos_x"] / CELL,
               row["pos_y"] / CELL, row["health"], row["health_max"])
              for row in rows("entities") if not row["removed"]]
    keys = ("type", "kind", "player", "x", "y", "health", "health_max")
    found = [tuple(row[key] for key in keys) for row in timeline.table("things")]
    yield found == wanted, f"{found}, not {wanted}"
    labels = sorted(label["text"] for label in timeline.json.get("labels", []))
    known = sorted(name for name, *_ in wanted if name != "unknown")
    yield labels == known, f"{labels} on the map, not {known}"


def queues(timeline, stats, rows):
    types = {(row["index"], row["generation"]): row for row in rows("entities")}
    wanted = [(types[row["index"], row["generation"]]["type"], row["place"], row["item"] or "",
               row["remaining_cost"], "yes" if row["paused"] else "") for row in rows("queues")]
    found = [(row["building"], row["place"], row["item"], row["remaining_cost"], row["paused"])
             for row in timeline.table("queues")]
    yield found == wanted, f"{found}, not {wanted}"


CHECKS = [no_curves, sides, things, queues]
