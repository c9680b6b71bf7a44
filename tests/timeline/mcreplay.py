"""Minecraft: entities and movement against `stats` and the rows of tracks."""

import math


def movement(timeline, stats, rows):
    """Bands say how far everything went in them."""
    before, steps = {}, []
    for row in rows("frames"):
        place = [row[f"pos_{axis}"] for axis in "xyz"]
        if row["entity"] in before:
            steps.append((row["time"], math.dist(place, before[row["entity"]])))
        before[row["entity"]] = place
    for band in timeline.bands("movement"):
        number, unit = band["text"].split()
        metres = sum(length for time, length in steps if band["t0"] <= time < band["t1"])
        yield unit == "m" and abs(float(number) - metres) < 0.51, f"{band}: {metres}"
    yield not (steps and sum(length for _, length in steps) > 0 and timeline.bands("busy")), "busy"


def entities(timeline, stats, rows):
    yield len(timeline.table("entities")) == stats["recorded"]["entities"], "entities listed"
    followed = [player["id"] for player in timeline.json["players"]]
    for number in followed:
        yield timeline.hud(number) == [("speed", number)], f"beside {number}"


def blocks(timeline, stats, rows):
    """The plot and `stats` count the same block changes."""
    world = stats["derived"].get("world")
    if world:
        plotted = sum(sum(values) for _, _, values in timeline.plot("blocks") or [])
        yield plotted == world["block_changes"], f"{plotted} changes"


CHECKS = [movement, entities, blocks]
