"""CS2KZ: tables and plots of a run against `stats`."""


def near(a, b):
    return abs(a - b) <= 1e-4 * max(1, abs(b))


def splits(timeline, stats, rows):
    found, wanted = timeline.table("splits"), stats["derived"]["splits"]
    yield len(found) == len(wanted), f"{len(found)} splits, not {len(wanted)}"
    for a, b in zip(found, wanted):
        same = (a["event"], a["number"]) == (b["event"], b["number"])
        yield same and near(a["run_time"], b["run_time"]) and near(a["section"], b["section"]), \
            f"{a}, not {b}"
    kinds = {"split", "checkpoint", "stage"}
    told = [e for e in stats["recorded"]["timer"] if e["event"] in kinds]
    yield len(told) == len(wanted), f"{len(wanted)} of {len(told)} events"


def strafes(timeline, stats, rows):
    """Sync and width of jumps that have strafes."""
    wanted = [jump for jump in stats["derived"]["jumps"] if jump["strafes"]]
    for name, scale, key in (("sync", 100, "sync"), ("width", 1, "width")):
        _, _, values = timeline.plot(name)[0]
        # Jumps of one tick share a point.
        yield len(values) <= len(wanted), f"{len(values)} values of {name}, not {len(wanted)}"
        if len(values) == len(wanted):
            for value, jump in zip(values, wanted):
                expected = min(scale * jump.get(key, 0), 100) if key == "sync" else jump[key]
                yield near(value, expected), f"{name} of jump {jump['jump']}: {value}"


def counts(timeline, stats, rows):
    """Checkpoints and teleports in the end, and markers of teleports."""
    (_, _, set_), (_, _, gone) = timeline.plot("checkpoints")
    recorded = stats["recorded"]
    yield max(set_ or [0]) == recorded["checkpoints_set"], "checkpoints"
    yield max(gone or [0]) == recorded["teleports_counted"], "teleports"


def totals(timeline, stats, rows):
    """What the Players tab says, and when the run begins and ends."""
    recorded, derived = stats["recorded"], stats["derived"]
    run, found = derived.get("run"), timeline.totals(0)
    motion = run or derived["recording"]
    wanted = {"Checkpoints set": str(recorded["checkpoints_set"]),
              "Jumps": str(len(recorded["jumps"]) + recorded.get("jumps_left_out", 0))}
    if "run_time" in recorded:
        wanted |= {"Run time": f"{recorded['run_time']:.3f} s", "Teleports": str(recorded["teleports"])}
    if "top_speed" in motion:
        wanted |= {"Top speed": f"{motion['top_speed']:.1f} u/s", "Distance": f"{motion['distance']:.0f} u",
                   "Average speed": f"{motion['average_speed']:.1f} u/s"}
    yield found == wanted, f"{found}, not {wanted}"
    shown = timeline.json["run"]
    if run and "t0" in shown and "t1" in shown:
        ticks = round((shown["t1"] - shown["t0"]) * 64)
        yield ticks == run["end_tick"] - run["start_tick"], f"{shown} of {run}"
    yield run is not None or "t0" not in shown, f"{shown} without a run"


CHECKS = [splits, strafes, counts, totals]
