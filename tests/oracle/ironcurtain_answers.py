"""What the command says of Iron Curtain files, as docs/spec/ironcurtain.md has it."""

import collections
import struct

import ironcurtain
import ironcurtain_types as types
import private
import skirmish
from bincode import as_json
from compare import ABSENT, Near, OneOf, Whole
from scenes import is_shown, near, nodes, place, series

ACTIONS = ("Move", "Attack", "Stop", "GameOrder")


def present(**members):
    return Whole({key: value for key, value in members.items() if value is not None})


# ---- info ----


def people(metadata):
    keys = ("name", "faction", "outcome", "apm_avg", "is_human")
    return [present(player=one.get("slot", number), **{key: one.get(key) for key in keys})
            for number, one in enumerate(metadata["players"])]


def embedding(r):
    if r.embedded is None:
        return {"mode": "Minimal", "bytes": 0, "rules": 0, "initial_state": False}
    manifest = r.embedded["mod_manifest"] or {"mods": [], "rules": []}
    rules = len(manifest["rules"])
    mode = "SelfContained" if r.embedded["map_data"] and rules else "MapEmbedded"
    return {"mode": mode, "bytes": r.sections["embedded"][1], "rules": rules,
            "initial_state": r.embedded["initial_state"] is not None}


def sections(r):
    if r.live:
        start = r.sections["orders"][0]
        return [{"name": "metadata", "offset": r.sections["metadata"][0]},
                {"name": "records", "offset": start, "stored_size": len(r.data) - start}]
    flags = {"events": ironcurtain.HAS_EVENTS, "voice": ironcurtain.HAS_VOICE, "signature": ironcurtain.SIGNED}
    return [{"name": name, "offset": r.sections[name][0], "stored_size": r.sections[name][1]}
            for name in ("metadata", "orders", "keyframes", "events", "voice", "signature", "embedded")
            if name not in flags and r.sections[name][0] or r.flags & flags.get(name, 0)]


def numbers_as_text(value):
    """Integers beyond 53 bits are texts in our JSON."""
    if isinstance(value, dict):
        return {key: numbers_as_text(one) for key, one in value.items()}
    if isinstance(value, list):
        return [numbers_as_text(one) for one in value]
    return str(value) if isinstance(value, int) and abs(value) >= 2**53 else value


def replay_info(r):
    m = r.metadata
    header = {"metadata_offset": r.sections["metadata"][0], "flags": r.flags, "total_ticks": ABSENT}
    header["total_ticks"] = str(struct.unpack_from("<Q", r.data, 48)[0])
    said = {
        "format": "icrep", "layout": "live" if r.live else "final", "size": len(r.data),
        "duration": r.total * r.tick_s, "ticks": r.total, "ticks_per_second": 1 / r.tick_s,
        "map": {"name": m["map_name"], "hash": m["map_hash"]}, "date": m["timestamp"], "people": people(m),
        "stored_duration": m.get("duration_seconds", ABSENT), "replay_id": m["replay_id"],
        "engine_version": m["engine_version"], "game_module": m["game_module"], "active_mods": m["active_mods"],
        "game_speed": m["game_speed"], "data_version": m["data_version"], "relay_server": m.get("relay_server", ABSENT),
        "finalised": not r.live, "complete": not r.live and not r.flags & ironcurtain.INCOMPLETE,
        "embedding": embedding(r), "parts": sections(r), "file_header": header,
        "signed": bool(r.chain) if not r.live else m.get("signed", ABSENT)}
    if not r.live:
        said["lost_frames"] = r.lost
        said["end"] = {"ticks": r.total, "lost_frames": r.lost, "final_state_hash": r.final_hash.hex()}
        said["signatures"] = len(r.chain) or ABSENT
    elif r.torn:
        said["torn_tail"] = {"offset": r.torn}
    said["header"] = numbers_as_text(m)
    return said


def save_info(r):
    m = r.metadata
    return {"format": "icsave", "size": len(r.data), "title": m["save_name"], "map": {"name": m["map_name"]},
            "date": m["timestamp"], "game_time": float(m["game_time_seconds"]), "tick": m["tick"], "people": people(m),
            "thumbnail": bool(r.flags & 1), "engine_version": m["engine_version"],
            "mod_api_version": m["mod_api_version"], "campaign": m.get("campaign", ABSENT),
            "parts": [{"name": name, "offset": at, "stored_size": size} for name, at, size in r.parts],
            "file_header": {"state_hash": str(r.sync_hash), "payload_hash": r.payload_hash.hex(),
                            "uncompressed_length": r.size}}


# ---- statistics ----


def event_of(event):
    (name, about), = event.items()
    return name, about


def kind_of(order):
    return order["order"] if isinstance(order["order"], str) else next(iter(order["order"]))


def player_metrics(r, player):
    mine = [o for frame in r.frames for o in frame["orders"] if o["player"] == player]
    kinds = {}
    for one in mine:
        kinds[kind_of(one)] = kinds.get(kind_of(one), 0) + 1
    events = [event_of(event) for event in r.events]
    picked = [about for name, about in events if name == "SelectionChanged" and about["player"] == player]
    groups = {"Assign": 0, "Append": 0, "Recall": 0}
    for name, about in events:
        if name == "ControlGroupEvent" and about["player"] == player:
            groups[about["action"]] += 1
    minutes, actions = len(r.frames) * r.tick_s / 60, sum(kinds.get(name, 0) for name in ACTIONS)
    return present(player=player, orders=len(mine), actions=actions,
                   orders_per_minute=len(mine) / minutes if minutes else None,
                   actions_per_minute=actions / minutes if minutes else None, by_kind=Whole(kinds),
                   selections=len(picked), selected_units=sum(len(about["added"]) for about in picked),
                   control_groups=groups)


def hashes(r):
    known = {frame["tick"]: frame["state_hash"] for frame in r.frames if frame["state_hash"]}
    states = [(tick, skirmish.state_hash(state)) for tick, _, state, _, _ in r.keyframes]
    states += [(entry["tick"], entry["state_hash"]) for entry in r.chain]
    pairs = [(tick, int.from_bytes(digest[:8], "little"), known[tick]) for tick, digest in states if tick in known]
    wrong = [tick for tick, ours, theirs in pairs if ours != theirs]
    return present(recorded=len(known), compared=len(pairs), differences=len(wrong),
                   first_difference=min(wrong) if wrong else None)


def listed(r, names):
    return [{"tick": about["tick"], "time": about["tick"] * r.tick_s, "what": name,
             "details": as_json(about, dict(types.EVENT[1])[name])}
            for name, about in map(event_of, r.events) if name in names]


def camera_cells(r):
    seen = {}
    for name, about in map(event_of, r.events):
        if name == "CameraPositionSample":
            center = about["viewport_center"]
            key = about["player"], center["y"] // 1024, center["x"] // 1024
            seen[key] = seen.get(key, 0) + 1
    return [{"player": player, "x": x, "y": y, "samples": n} for (player, y, x), n in sorted(seen.items())]


def stats(r):
    strings = r.keyframes[-1][2]["strings"] if r.keyframes else []
    made = {"UnitCreated": "unit created", "ConstructionStarted": "construction started"}
    production = [{"tick": about["tick"], "time": about["tick"] * r.tick_s, "player": about["owner"],
                   "type": strings[about["unit_type"]] if about["unit_type"] < len(strings) else about["unit_type"]}
                  for name, about in map(event_of, r.events) if name in made]
    curves = [{"tick": about["tick"], "time": about["tick"] * r.tick_s, "player": about["player"],
               "stats": as_json(about["stats"], types.STATS)}
              for name, about in map(event_of, r.events) if name == "PlayerStatSnapshot"]
    ticks = [frame["tick"] for frame in r.frames]
    missing = sum(b - a - 1 for a, b in zip(ticks, ticks[1:]))
    players = sorted({o["player"] for frame in r.frames for o in frame["orders"]}
                     | {about["player"] for name, about in map(event_of, r.events)
                        if name in ("SelectionChanged", "ControlGroupEvent")})

    def produced(ours):
        rows = ours["recorded"]["production"]
        yield "production", [row for row in rows if row["what"] in made.values() and "type" in row
                             and row["what"] != "upgrade completed"], production

    def answers(ours):
        yield "", ours, {
            "format": "icrep", "layout": "live" if r.live else "final",
            "recorded": {"curves": curves, "engagements": listed(r, ("EngagementStarted", "EngagementEnded")),
                         "votes": listed(r, ("VoteEvent",)), "pauses": listed(r, ("PauseEvent",)),
                         "outcome": listed(r, ("MatchEnded",)), "camera_cells": camera_cells(r),
                         "players": r.metadata["players"]},
            "derived": {"duration": r.total * r.tick_s, "frames_missing": missing, "state_hashes": hashes(r)}}
        yield from produced(ours)
        yield "players", sorted(ours["derived"]["players"], key=lambda one: one["player"]), \
            [player_metrics(r, player) for player in players]
    return answers


# ---- rows and moments ----


def entity_row(state, entity):
    row = {**entity["tag"], **entity["identity"], "removed": False, "health": entity["health"]["current"],
           "health_max": entity["health"]["max"], **{f"pos_{axis}": entity["position"][axis] for axis in "xyz"},
           "type": state["strings"][entity["identity"]["unit_type"]],
           "archetype_name": state["strings"][entity["identity"]["archetype"]]}
    for bit, (name, form) in types.COMPONENTS.items():
        if 3 <= bit <= 10:
            row[name] = as_json(entity[name], form) if name in entity else None
    return row


def player_row(state, person):
    return {**as_json(person, types.PLAYER), "faction_name": state["strings"][person["faction"]]}


def cell_row(place_, cell):
    return {**place_, **cell}


def order_row(one):
    name = one["order"] if isinstance(one["order"], str) else next(iter(one["order"]))
    return {"player": one["player"], "order": as_json(one["order"], types.ORDER), "sub_tick_time": one["sub_tick_time"],
            "kind": name}


def confirmed(r, tick, state):
    """Whether the file itself says that this is the state of the tick."""
    found = skirmish.state_hash(state)
    frames = {f["tick"]: f["state_hash"] for f in r.frames}
    signed = {e["tick"]: e["state_hash"] for e in r.chain}
    if tick in (keyframe[0] for keyframe in r.keyframes):
        return True
    if tick == r.total and not r.live and any(r.final_hash):
        return found == r.final_hash
    if tick in frames:
        return frames[tick] == int.from_bytes(found[:8], "little")
    return signed.get(tick) == found


def moment(r, tick):
    number, state, stopped = r.at(tick)
    full = max(i for i in range(number + 1) if r.keyframes[i][1])
    frame = next((f for f in r.frames if f["tick"] == tick), None)
    exact = stopped is None
    is_confirmed = exact and confirmed(r, tick, state)
    said = {"target": tick, "exact": is_confirmed,
            "unconfirmed": True if exact and not is_confirmed else ABSENT, "keyframe": r.keyframes[number][0],
            "full_keyframe": r.keyframes[full][0], "ticks_between": tick - r.keyframes[number][0],
            "blobs_read": number - full + 1, "state_hash": skirmish.state_hash(state).hex() if exact else ABSENT,
            "stopped_at": ABSENT if exact else stopped,
            "orders": [order_row(one) for one in frame["orders"]] if frame else []}
    if exact:
        said.update(tick=tick, time=tick * r.tick_s,
                    entities=[entity_row(state, entity) for entity in state["entities"]],
                    players=[player_row(state, person) for person in state["players"]],
                    map_cells=[cell_row(*cell) for cell in state["map"]["cells"]])
    else:
        del said["state_hash"]
    return said


def rows(r):
    found = {
        "ticks": [{"tick": f["tick"], "time": f["tick"] * r.tick_s, "state_hash": str(f["state_hash"]),
                   "orders": len(f["orders"])} for f in r.frames],
        "orders": [{"tick": f["tick"], "time": f["tick"] * r.tick_s, **order_row(one)}
                   for f in r.frames for one in f["orders"]],
        "keyframes": [{"tick": tick, "is_full": full, "state_hash": skirmish.state_hash(state).hex(),
                       "entities": len(state["entities"]), "interned": len(state["strings"]),
                       "has_campaign": campaign is not None, "has_script": script is not None,
                       "map_width": state["map"]["width"], "map_height": state["map"]["height"]}
                      for tick, full, state, campaign, script in r.keyframes],
        "signatures": [{"tick": e["tick"], "state_hash": e["state_hash"].hex(), "skipped_ticks": e["skipped_ticks"],
                        "relay_sig": e["relay_sig"].hex()} for e in r.chain],
        "events": [{"tick": about["tick"], "kind": name} for name, about in map(event_of, r.events)],
        "voice": ABSENT}
    voices = [(frame["tick"], track["player"], frame) for track in r.tracks for frame in track["frames"]]

    def answers(ours):
        for track, wanted in found.items():
            if track != "voice":
                yield track, ours.get(track, []), wanted
        said = [(row["tick"], row["player"], row["opus_data"]) for row in ours.get("voice", [])]
        yield "voice", sorted(said), sorted((tick, player, f["opus_data"].hex()) for tick, player, f in voices)
    return answers


def can_simulate(r):
    return r.metadata["game_module"] == "ra1" and "converted_from" not in r.metadata


def verify(r):
    """What the chain and the orders prove."""
    summary = {"missing_frames": r.total - len(r.frames),
               "largest_distance": ABSENT}
    if r.chain:
        link = r.signatures_hold()
        ticks = [0] + [entry["tick"] for entry in r.chain]
        summary.update(entries=len(r.chain), largest_distance=max(b - a for a, b in zip(ticks, ticks[1:])),
                       relay_public_key=r.key.hex(), established={"chain": "valid" if link else "invalid"})
        if link and not r.live:
            summary["chain_head"] = link.hex()
    if can_simulate(r) and not r.live and len(r.frames) == r.total and r.total:
        game, orders = skirmish.Game(r.keyframes[0][2]), r.frames
        wrong = 0
        for frame in orders:
            ours = int.from_bytes(skirmish.state_hash(game.state)[:8], "little")
            wrong += ours != frame["state_hash"]
            game.apply(frame["orders"])
        ends = skirmish.state_hash(game.state) == r.final_hash
        summary["simulation"] = {"ticks": r.total, "mismatches": wrong, "final_state_matches": ends}
    return {"summary": summary}


# ---- what is shown ----


def scene(r):
    def answers(ours):
        found = nodes(ours)
        for tick, _, state, _, _ in r.keyframes:
            time = tick * r.tick_s
            alive = set()
            for entity in state["entities"]:
                kind = "building" if "building" in entity else "unit"
                name = f"entity:{entity['tag']['index']}:{entity['tag']['generation']}"
                alive.add(name)
                node = found.get((name, kind))
                yield f"{name} at {tick} is there", node is not None, True
                if node is None:
                    continue
                spot = entity["position"]
                x, _, z = place(ours, node, time)
                yield f"{name} at {tick}", [x, z], near([spot["x"] / 1024, spot["y"] / 1024], 2e-3)
                yield f"{name} at {tick} shown", is_shown(ours, node, time), True
            for (name, kind), node in found.items():
                if kind in ("unit", "building") and name and name.startswith("entity:") and name not in alive:
                    yield f"{name} at {tick} hidden", is_shown(ours, node, time), False
    return answers


PLOTS = {"army": lambda s: s["army_value"], "harvesters": lambda s: s["harvesters"],
         "income": lambda s: s["score"]["collection_rate"],
         "kills": lambda s: s["score"]["units_killed"] + s["score"]["structures_destroyed"],
         "power": lambda s: s["power_produced"] - s["power_drained"], "economy": lambda s: s["credits"]}


# Events in the table of a timeline. Samples, selections and votes have places of their own.
LISTED = {"UnitDestroyed", "ConstructionCompleted", "UpgradeCompleted", "AbilityUsed", "PauseEvent", "EngagementStarted",
          "EngagementEnded", "SuperweaponFired", "BaseDestroyed", "ArmyWipe", "ComebackMoment", "MatchEnded"}


def listed_events(r):
    """(time, event, number of the player), where None is a player that the events do not tell."""
    owners = {}
    for event, about in map(event_of, r.events):
        if "owner" in about and "tag" in about:
            owners[tuple(about["tag"].values())] = about["owner"]
        if event not in LISTED:
            continue
        player = about.get("player")
        if event in ("UnitDestroyed", "ConstructionCompleted"):
            player = owners.get(tuple(about["tag"].values()))
        yield about["tick"] * r.tick_s, event, player


def events_table(r, ours):
    """Every event is listed once, in order, with its player; markers name the same player."""
    known, rows = list(listed_events(r)), ours.table("events") or []
    yield "events", [row["event"] for row in rows], [event for _, event, _ in known]
    markers = {(round(time, 3), kind, player) for time, kind, player, *_ in ours.markers()}
    for row, (time, event, player) in zip(rows, known):
        yield f"time of {event} at {time}", row["t"], Near(time, 1e-3)
        if player is not None and player < len(ours.json["players"]):
            yield f"player of {event} at {time}", row["player"], ours.json["players"][player]["name"]
            if event in ("UnitDestroyed", "ConstructionCompleted"):
                marker = (round(row["t"], 3), event, player)
                yield f"marker of {event} at {time}", marker in markers, True


def actions_plot(r, ours):
    """At second s the actions of the minute that ends with it, up to the second of the last row or of the end."""
    ends = [int(tick * r.tick_s + 1e-9) + 1 for tick in (r.total - 1, r.total)]
    for player, (name, times, values) in enumerate(ours.plot("apm") or []):
        counts = collections.Counter(
            int(frame["tick"] * r.tick_s + 1e-9) for frame in r.frames for one in frame["orders"]
            if one["player"] == player and kind_of(one) in ACTIONS)
        yield f"last second of the actions of {name}", len(times), OneOf(*ends)
        yield f"seconds of the actions of {name}", times, [float(s) for s in range(len(times))]
        yield f"actions per minute of {name}", values, [
            float(sum(counts[k] for k in range(s - 59, s + 1))) for s in range(len(times))]


def timeline(name, r):
    def answers(ours):
        yield from events_table(r, ours)
        yield from actions_plot(r, ours)
        yield "source", ours.json["source"], {"name": name, "format": "icrep", "duration": r.total * r.tick_s}
        yield "players", [p["name"] for p in ours.json["players"]], [p["name"] for p in r.metadata["players"]]
        for event, about in map(event_of, r.events):
            time = about["tick"] * r.tick_s
            if event != "PlayerStatSnapshot" or time > r.total * r.tick_s or about["player"] >= len(ours.json["players"]):
                continue
            who = ours.json["players"][about["player"]]["name"]
            for plot, value in PLOTS.items():
                points = [v for t, v in series(ours, plot).get(who, []) if abs(t - time) < 1e-3]
                wanted = float(value(about["stats"]))
                yield f"{plot} of {who} at {time}", any(abs(v - wanted) <= 1e-6 * abs(wanted) for v in points), True
    return answers


# ---- questions ----


def chosen_ticks(r):
    total = r.total
    return sorted({0, 1, total // 3, total * 2 // 3, total - 1, total} & set(range(total + 1)))


def answers(name, r):
    if r.kind == "icproof":
        yield ("info",), {"format": "icproof", "size": len(r.data), "header": as_json(r.about, types.PROOF)}
        yield ("verify",), {"summary": {"valid": r.holds(), "root": r.root().hex()}}
        return
    if r.kind == "icsave":
        digest = skirmish.state_hash(r.state)
        yield ("info",), save_info(r)
        yield ("rows",), {
            "entities": [{"tick": r.state["tick"], **entity_row(r.state, one)} for one in r.state["entities"]],
            "players": [player_row(r.state, one) for one in r.state["players"]],
            "keyframes": [{"tick": r.state["tick"], "state_hash": digest.hex()}]}
        return
    yield ("info",), replay_info(r)
    yield ("info",), private.ironcurtain(
        r.metadata, collections.Counter(kind_of(one) for frame in r.frames for one in frame["orders"]),
        sum(len(track["frames"]) for track in r.tracks))
    yield ("stats",), stats(r)
    yield ("rows",), rows(r)
    if can_simulate(r):
        for tick in chosen_ticks(r):
            yield ("at", "--tick", str(tick)), moment(r, tick)
    yield ("verify", "--simulate"), verify(r)
    yield ("scene", "--exact"), scene(r)
    yield ("timeline",), timeline(name, r)
