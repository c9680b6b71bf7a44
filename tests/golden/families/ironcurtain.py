"""Iron Curtain: turns what the command says into the shape of its expectations.

Values come from the rows of `reprise cat`, digests and verdicts from `reprise verify`, states
between keyframes from `reprise at`, the rest from `reprise info`.
"""

import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from command import Failure
from compare import Difference, Rules

FRAMES_LISTED = 60
COMPONENTS = [
    ("Mobile", "mobile"),
    ("Navigation", "navigation"),
    ("Attackable", "attackable"),
    ("Armament", "armament"),
    ("Building", "building"),
    ("BuildQueue", "build_queue"),
    ("Harvester", "harvester"),
    ("Veterancy", "veterancy"),
    ("Extension", "extension"),
]
PLAYER = (
    "player team faction credits power_produced power_drained tech defeated cheats_used "
    "cosmetic_cheats_used"
).split()
CAMPAIGN = (
    "campaign_id active_mission current_focus path_taken resources flags extension"
).split()
TRACKS = (
    "ticks,orders,keyframes,entities,players,map_cells,strings,campaign,scripts,vars,events,voice,"
    "signatures,resources"
)
KINDS = ("icrep", "icsave", "icproof")


def recognises(expected, info):
    return info.get("format") in KINDS or expected.get("kind") in KINDS


@dataclass
class Observation:
    info: dict
    summary: dict
    rows: dict = field(default_factory=lambda: defaultdict(list))
    seeks: dict = field(default_factory=dict)
    trusted: dict = None  # summary of verify with the file's own key trusted
    problems: list = field(default_factory=list)


# ---- numbers ----


def like(expected, found):
    """64-bit numbers are texts in the command's JSON; here they become numbers again."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return {key: like(expected.get(key), value) for key, value in found.items()}
    if isinstance(expected, list) and isinstance(found, list):
        padded = expected + [expected[-1] if expected else None] * len(found)
        return [like(one, value) for one, value in zip(padded, found)]
    if type(expected) is int and isinstance(found, str) and found.lstrip("-").isdigit():
        return int(found)
    return found


def hash_text(value):
    return f"0x{int(value):016x}"


# ---- states ----


def entity(row):
    components = {
        "Identity": {key: row[key] for key in ("archetype", "unit_type", "owner")},
        "Position": {"pos": {axis: row[f"pos_{axis}"] for axis in "xyz"}},
        "Health": {"current": row["health"], "max": row["health_max"]},
    }
    for name, column in COMPONENTS:
        if row[column] is not None:
            components[name] = row[column]
    tag = {"index": row["index"], "generation": row["generation"]}
    return {"tag": tag, "components": components}


def map_cell(row):
    cell = {axis: row[axis] for axis in "xyz"}
    return [cell, {key: row[key] for key in ("terrain", "resource", "amount")}]


def variables(rows, kind):
    return {row["name"]: row["value"] for row in rows if row["kind"] == kind}


def script_state(rows, tick):
    scripts = [row for row in rows["scripts"] if row["tick"] == tick]
    states = {
        f"{kind}_states": {row["mod"]: row["data"] for row in scripts if row["kind"] == kind}
        for kind in ("lua", "wasm")
    }
    present = [row for row in rows["vars"] if row["tick"] == tick]
    return states | {"mission_vars": variables(present, "mission_var")}


def snapshot(rows, keyframe):
    """The whole of a full keyframe."""
    tick = keyframe["tick"]
    here = {track: [row for row in rows[track] if row["tick"] == tick] for track in
            ("entities", "players", "map_cells", "campaign")}
    strings = rows["strings"][: keyframe["interned"]]
    campaign = here["campaign"][0] if keyframe["has_campaign"] else None
    return {
        "core": {
            "tick": tick,
            "game_seed": keyframe["game_seed"],
            "map_hash": keyframe["map_hash"],
            "rng_state": {"s": keyframe["rng"]},
            "intern_table": {"entries": [row["text"] for row in strings]},
            "entities": [entity(row) for row in here["entities"]],
            "player_states": [{key: row[key] for key in PLAYER} for row in here["players"]],
            "map_state": {
                "width": keyframe["map_width"],
                "height": keyframe["map_height"],
                "cells": [map_cell(row) for row in here["map_cells"]],
            },
        },
        "campaign_state": campaign and {key: campaign[key] for key in CAMPAIGN},
        "script_state": script_state(rows, tick) if keyframe["has_script"] else None,
    }


def header(info):
    stored = dict(info["file_header"])
    stored["magic"] = bytes.fromhex(stored["magic"]).decode("ascii")
    if "state_hash" in stored:
        stored["state_hash"] = hash_text(stored["state_hash"])
    return stored


def stream_digest(summary, name):
    return next((one["sha256"] for one in summary["streams"] if one["name"] == name), None)


# ---- replays ----


def frame(row, orders):
    return {
        "tick": row["tick"],
        "state_hash": hash_text(row["state_hash"]),
        "orders": [{key: one[key] for key in ("player", "order", "sub_tick_time")} for one in
                   orders.get(row["tick"], [])],
    }


def listed_ticks(expected, with_orders):
    """Expectations list the first frames that carry orders, or none at all."""
    listed = expected.get("orders", {}).get("frames_with_orders")
    return with_orders[:FRAMES_LISTED] if listed else []


def orders_document(o, expected):
    rows, summary = o.rows, o.summary
    orders = defaultdict(list)
    for row in rows["orders"]:
        orders[row["tick"]].append(row)
    ticks = {row["tick"]: row for row in rows["ticks"]}
    tags = Counter(
        f"0x{row['order']['GameOrder']['type_tag']:04x}"
        for row in rows["orders"]
        if row["kind"] == "GameOrder"
    )
    first, last = (rows["ticks"][at] if rows["ticks"] else None for at in (0, -1))
    missing = [tick for start, end in summary["missing_ranges"] for tick in
               range(int(start), int(end) + 1)]
    return {
        "blocks": summary["order_blocks"],
        "frame_count": len(rows["ticks"]),
        "order_count": len(rows["orders"]),
        "by_kind": dict(Counter(row["kind"] for row in rows["orders"])),
        "game_order_tags": dict(tags),
        "missing_ticks": missing,
        "canonical_sha256": stream_digest(summary, "orders"),
        "first_frame": first and frame(first, orders),
        "last_frame": last and frame(last, orders),
        "frames_with_orders": [
            frame(ticks[tick], orders) for tick in listed_ticks(expected, sorted(orders))
        ],
    }


KEYFRAME = (
    "tick is_full blob_offset blob_length uncompressed_length raw_sha256 baseline_tick state_hash "
    "entities interned has_campaign has_script"
).split()


def keyframe_document(row):
    return {key: row[key] for key in KEYFRAME} | {"rng": [hash_text(s) for s in row["rng"]]}


def events_document(o, expected):
    events = o.rows["events"]
    if stream_digest(o.summary, "events") is None:
        return None
    whole = (expected.get("events") or {}).get("list") is not None
    return {
        "count": len(events),
        "by_kind": dict(Counter(row["kind"] for row in events)),
        "raw_sha256": stream_digest(o.summary, "events"),
        "list": [row["event"] for row in events] if whole else None,
    }


def voice_document(o):
    if "speakers" not in o.summary:
        return None
    first = {}
    for row in o.rows["voice"]:
        first.setdefault(row["player"], {key: row[key] for key in ("tick", "opus_data", "target")})
    return [one | {"first": first.get(one["player"])} for one in o.summary["speakers"]]


def signature_document(o):
    rows = o.rows["signatures"]
    if not rows:
        return None
    names = ("tick", "state_hash", "skipped_ticks", "relay_sig")
    entry = lambda row: {key: row[key] for key in names}  # noqa: E731
    return {
        "entries": len(rows),
        "ticks": [row["tick"] for row in rows],
        "first": entry(rows[0]),
        "last": entry(rows[-1]),
        "relay_public_key": o.summary["relay_public_key"],
    }


def embedded_document(o):
    rows = o.rows["resources"]
    about = o.info["embedding"]
    if about["mode"] == "Minimal":
        return None
    of = lambda kind: [row for row in rows if row["kind"] == kind]  # noqa: E731
    one = lambda kind, key: next((row[key] for row in of(kind)), None)  # noqa: E731
    return {
        "mode": about["mode"],
        "map_sha256": one("map", "sha256"),
        "map_size": one("map", "size"),
        "balance_preset": one("balance_preset", "name"),
        "mods": about.get("mods"),
        "rules_sha256": [row["sha256"] for row in of("rule")],
        "initial_state_sha256": one("initial_state", "sha256"),
        "rules": [row["name"] for row in of("rule")],
        "initial_state": about["initial_state"],
    }


def verify_document(o, expected):
    summary = o.summary
    names = ["signed", "problems", "ranked_verifiable"]
    if summary["signed"]:
        names += ["entries", "largest_distance", "relay_public_key", "chain_head"]
    found = {key: summary[key] for key in names}
    if summary["signed"]:
        trusts = expected.get("verify", {}).get("key_trusted") is True
        found["key_trusted"] = (o.trusted if trusts else summary)["key_trusted"]
    return found


def replay_document(o, expected):
    document = {
        "kind": o.info["format"],
        "size": o.info["size"],
        "finalised": o.info["finalised"],
        "header": header(o.info),
        "metadata": o.info["header"],
        "total_ticks": o.info["ticks"],
        "orders": orders_document(o, expected),
        "keyframes": [keyframe_document(row) for row in o.rows["keyframes"]],
        "events": events_document(o, expected),
        "voice": voice_document(o),
        "signature": signature_document(o),
        "embedded": embedded_document(o),
        "torn_tail": o.info.get("torn_tail"),
        "verify": verify_document(o, expected),
        "seeks": [o.seeks.get(one["target"]) for one in expected.get("seeks", [])],
        "warnings": o.summary["warnings"],
    }
    if "first_keyframe" in expected:
        document["first_keyframe"] = snapshot(o.rows, o.rows["keyframes"][0])
    if "imported_from" in expected:
        document["imported_from"] = dict.fromkeys(("file", "sha256", "lossless"))
    return document


# ---- saves and proofs ----


def save_document(o):
    (keyframe,) = o.rows["keyframes"]
    summary = o.summary
    return {
        "kind": o.info["format"],
        "size": o.info["size"],
        "header": header(o.info),
        "metadata": o.info["header"],
        "thumbnail_sha256": summary.get("thumbnail_sha256"),
        "payload_uncompressed_sha256": summary["payload_sha256"],
        "state_hash": summary["state_hash"],
        "merkle_leaves": summary["merkle_leaves"],
        "counts": summary["counts"],
        "snapshot": snapshot(o.rows, keyframe),
        "warnings": summary["warnings"],
    }


def proof_document(o):
    found = {"kind": o.info["format"], "size": o.info["size"]}
    return found | {key: o.summary[key] for key in ("valid", "root", "leaf_hash")} | o.info["header"]


# ---- the interface of adapters ----


def verify(command, sample, *options):
    result = command.run("verify", "--json", *options, sample)
    document = result.document()
    if "summary" not in document:
        raise Failure(f"{result}: {document.get('error')}")
    result.expect(0, 3)
    return document["summary"]


def read_rows(command, sample, observation):
    result = command.run("cat", f"--track={TRACKS}", sample)
    row = {}
    for row in result.expect(0, 3).lines():
        if "track" in row:
            observation.rows[row["track"]].append(row)
    if "status" not in row:
        raise Failure(f"{result}: no status record at the end")


def seek(command, sample, target):
    state = command.run("at", "--json", f"--tick={target}", sample).expect(0, 3).document()
    return {
        "target": int(state["target"]),
        "keyframe": int(state["keyframe"]),
        "full_keyframe": int(state["full_keyframe"]),
        "blobs_read": int(state["blobs_read"]),
        "resim_ticks": int(state["ticks_between"]),
        "state_hash": state["state_hash"] if state["exact"] or state.get("unconfirmed") else None,
        "stopped_at": state.get("stopped_at"),
    }


def verify_trusting(command, sample, key):
    with tempfile.NamedTemporaryFile("w", suffix=".keys") as keys:
        keys.write(f"# the sample's own key\n{key}\n")
        keys.flush()
        return verify(command, sample, f"--trusted-keys={keys.name}")


def check_ranking(command, sample, observation):
    """Without replaying the orders, nothing is ranked-verifiable: what was true is then null."""
    ranked = observation.summary["ranked_verifiable"]
    orders = observation.summary["established"]["orders"]
    if ranked is True and orders != "replayed":
        observation.problems.append(Difference("verify: orders", "replayed", orders))
    if ranked is True:
        unplayed = verify(command, sample, "--no-simulate")["ranked_verifiable"]
        if unplayed is not None:
            observation.problems.append(Difference("verify --no-simulate", "null", unplayed))


def observe(command, sample, expected):
    info = command.run("info", "--json", sample).expect(0, 3).document()
    observation = Observation(info, verify(command, sample))
    if info["format"] == "icproof":
        return observation
    read_rows(command, sample, observation)
    key = observation.summary.get("relay_public_key")
    if key:
        observation.trusted = verify_trusting(command, sample, key)
        if observation.summary["key_trusted"] or not observation.trusted["key_trusted"]:
            observation.problems.append(Difference("verify --trusted-keys", "trusted", "not"))
    if info["format"] == "icrep":
        check_ranking(command, sample, observation)
    for one in expected.get("seeks", []):
        target = one["target"]
        if isinstance(target, int) and 0 <= target <= int(info["ticks"]):
            observation.seeks[target] = seek(command, sample, target)
    return observation


def document(observation, expected):
    kind = observation.info["format"]
    if kind == "icsave":
        found = save_document(observation)
    elif kind == "icproof":
        found = proof_document(observation)
    else:
        found = replay_document(observation, expected)
    return like(expected, found)


CHOOSING = {
    "seeks[].target",
    "verify.key_trusted",
}

# Says what the sample was made from; nothing about it is in the file.
ORIGIN = ("imported_from.file", "imported_from.sha256", "imported_from.lossless")


def rules(observation):
    tolerances = {"metadata.game_time_seconds": 0}
    skipped = {pattern: "how the sample was made, checked by importing" for pattern in ORIGIN}
    return Rules(tolerances=tolerances, skipped=skipped)
