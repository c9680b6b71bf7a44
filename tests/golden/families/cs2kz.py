"""CS2KZ: compares the command with the `.expect.json` files.

Rows are compared value by value as `cat` shows them. The digests over canonical records are those of
`verify`, because JSON cannot express the bits of a NaN. Where `cat` shows everything, the digests are
also computed from its output, and both must be the same.
"""

import hashlib
import struct
from dataclasses import dataclass, field

from command import Failure
from compare import Difference, Rules

TYPES = {"manual": 0, "cheater": 1, "run": 2, "jump": 3}
LAYOUTS = {name.lower(): name for name in ("A1", "A2", "A3", "B1", "B2", "B3", "B4", "B5", "P")}
DIGESTS = {
    "TICK": "ticks",
    "STIK": "subticks",
    "WTAB": "weapons",
    "WEVT": "weapon_events",
    "JUMP": "jumps",
    "EVNT": "events",
    "CMDD": "commands",
    "CSTK": "command_subticks",
}
NOT_FINITE = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}

# Field of the expectation, column, struct format. A format of several letters is a group: either
# one column with axes, or the columns named.
MOVEMENT = [
    ("origin", "origin", "3f"),
    ("velocity", "velocity", "3f"),
    ("angles", "angles", "3f"),
    ("buttons0", "buttons0", "I"),
    ("buttons1", "buttons1", "I"),
    ("buttons2", "buttons2", "I"),
    ("jumpPressedTime", "jump_pressed_time", "f"),
    ("duckSpeed", "duck_speed", "f"),
    ("duckAmount", "duck_amount", "f"),
    ("duckOffset", "duck_offset", "f"),
    ("lastDuckTime", "last_duck_time", "f"),
    ("replayFlags", "replay_flags", "B"),
    ("entityFlags", "entity_flags", "I"),
    ("moveType", "move_type", "B"),
]
TICK = [
    ("serverTick", "server_tick", "I"),
    ("gameTime", "game_time", "f"),
    ("realTime", "real_time", "f"),
    ("unixTime", "unix_time", "Q"),
    ("cmdNumber", "cmd_number", "I"),
    ("clientTick", "client_tick", "I"),
    ("forward", "forward", "f"),
    ("left", "left", "f"),
    ("up", "up", "f"),
    ("leftHanded", "left_handed", "B"),
    ("weapon", "weapon", "i"),
    *((f"pre.{name}", f"pre_{column}", fmt) for name, column, fmt in MOVEMENT),
    *((f"post.{name}", f"post_{column}", fmt) for name, column, fmt in MOVEMENT),
    ("checkpoint", ["checkpoint_index", "checkpoint_count", "teleport_count"], "iii"),
    ("jumpActual", ["press_tick", "press_fraction"], "if"),
    ("jumpUsable", ["usable_tick", "usable_fraction"], "if"),
    (
        "jumpLanded",
        ["landing_tick", "landing_fraction"] + [f"landing_velocity_{axis}" for axis in "xyz"],
        "iffff",
    ),
]
COMMAND = [
    ("serverTick", "server_tick", "I"),
    ("gameTime", "game_time", "f"),
    ("realTime", "real_time", "f"),
    ("unixTime", "unix_time", "Q"),
    ("framerate", "framerate", "f"),
    ("latency", "latency", "f"),
    ("avgLoss", "average_loss", "f"),
    ("cmdNumber", "cmd_number", "I"),
    ("clientTick", "client_tick", "I"),
    ("forward", "forward", "f"),
    ("left", "left", "f"),
    ("up", "up", "f"),
    ("buttons0", "buttons0", "Q"),
    ("buttons1", "buttons1", "Q"),
    ("buttons2", "buttons2", "Q"),
    ("angles", "angles", "3f"),
    ("mousedx", "mouse_dx", "i"),
    ("mousedy", "mouse_dy", "i"),
    ("sensitivity", "sensitivity", "f"),
    ("m_yaw", "m_yaw", "f"),
    ("m_pitch", "m_pitch", "f"),
]
ITEM = [
    ("itemDef", "item_def"),
    ("quality", "quality"),
    ("level", "level"),
    ("accountID", "account_id"),
    ("itemID", "item_id"),
    ("inventoryPosition", "inventory_position"),
    ("customName", "custom_name"),
    ("customNameOverride", "custom_name_override"),
]
JUMP = [
    ("serverTick", "server_tick", "I"),
    ("takeoffOrigin", "takeoff_origin", "3f"),
    ("adjustedTakeoffOrigin", "adjusted_takeoff_origin", "3f"),
    ("takeoffVelocity", "takeoff_velocity", "3f"),
    ("landingOrigin", "landing_origin", "3f"),
    ("adjustedLandingOrigin", "adjusted_landing_origin", "3f"),
    ("jumpType", "jump_type", "B"),
    ("distanceTier", "distance_tier", "B"),
    ("totalDistance", "total_distance", "f"),
    ("maxSpeed", "max_speed", "f"),
    ("maxHeight", "max_height", "f"),
    ("airtime", "airtime", "f"),
    ("duckDuration", "duck_duration", "f"),
    ("duckEndDuration", "duck_end_duration", "f"),
    ("release", "release", "f"),
    ("block", "block", "f"),
    ("edge", "edge", "f"),
    ("landingEdge", "landing_edge", "f"),
]
STRAFE = [
    ("duration", "duration", "f"),
    ("badAngles", "bad_angles", "f"),
    ("overlap", "overlap", "f"),
    ("deadAir", "dead_air", "f"),
    ("syncDuration", "sync_duration", "f"),
    ("width", "width", "f"),
    ("airGain", "air_gain", "f"),
    ("maxGain", "max_gain", "f"),
    ("airLoss", "air_loss", "f"),
    ("collisionGain", "collision_gain", "f"),
    ("collisionLoss", "collision_loss", "f"),
    ("externalGain", "external_gain", "f"),
    ("externalLoss", "external_loss", "f"),
    ("strafeMaxSpeed", "max_speed", "f"),
    ("hasArStats", "has_ratio", "B"),
    ("arMax", "ratio_max", "f"),
    ("arMedian", "ratio_median", "f"),
    ("arAverage", "ratio_average", "f"),
]
AIRCALL = [
    ("strafeIndex", "strafe", "I"),
    ("externalSpeedDiff", "external_speed_diff", "f"),
    ("prevYaw", "prev_yaw", "f"),
    ("currentYaw", "current_yaw", "f"),
    ("startFraction", "start_fraction", "f"),
    ("endFraction", "end_fraction", "f"),
    ("wishDir", "wish_dir", "3f"),
    ("wishSpeed", "wish_speed", "f"),
    ("accel", "acceleration", "f"),
    ("surfaceFriction", "surface_friction", "f"),
    ("duration", "duration", "f"),
    ("buttons", ["buttons0", "buttons1", "buttons2"], "III"),
    ("velocityPre", "velocity_before", "3f"),
    ("velocityPost", "velocity_after", "3f"),
    ("ducking", "ducking", "B"),
]
MODE = [("name", "name"), ("shortName", "short_name"), ("md5", "md5")]
TRACKS = (
    "ticks,subticks,weapons,weapon_attributes,weapon_events,jumps,strafes,aircalls,events,"
    "commands,command_subticks"
)


# ---- values ----


class Values:
    """Turns values of rows into those of expectations, names of numbers back into numbers."""

    def __init__(self, schema):
        self.numbers = {}
        for record in schema["records"]:
            for about in record["fields"]:
                for value in about.get("values", []):
                    self.numbers.setdefault(about["name"], {})[value["name"]] = value["number"]

    def number(self, column, value):
        if isinstance(value, bool):
            return int(value)
        if isinstance(value, list):  # names of bits that are set
            return sum(self.number(column, one) for one in value)
        if isinstance(value, str):
            if value.lstrip("-").isdigit():
                return int(value)
            names = self.numbers.get(column.removeprefix("pre_").removeprefix("post_"), {})
            if value not in names:
                raise Failure(f"column {column}: {value!r} is no name in the schema")
            return names[value]
        return value

    def real(self, value):
        return NOT_FINITE.get(value, value) if isinstance(value, str) else value

    def field(self, row, columns, fmt, absent=0):
        """One value, or a list for a group; `absent` where the layout has no such column."""
        if isinstance(columns, str):
            if fmt != "3f":
                value = row.get(columns, absent)
                return self.real(value) if fmt == "f" else self.number(columns, value)
            columns, fmt = [f"{columns}_{axis}" for axis in "xyz"], "fff"
        return [self.field(row, column, one) for column, one in zip(columns, fmt)]

    def row(self, row, fields):
        return [self.field(row, columns, fmt, -1 if columns == "weapon" else 0)
                for _, columns, fmt in fields]

    def members(self, row, fields):
        return {name: self.field(row, columns, fmt) for name, columns, fmt in fields}


def move_values(values, row):
    """Stored bits of a move, also those that are noise in the layout."""
    data = bytes.fromhex(row["data"])
    when, button = values.real(row["when"]), row["button"]
    button = int(button)
    if button:
        return [when, button, data[0] != 0, *floats(data[8:])]
    return [when, button, *floats(data)]


def floats(data):
    return [json_float(value) for (value,) in struct.iter_unpack("<f", data)]


def json_float(value):
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    return value


# ---- what is observed ----


@dataclass
class Observation:
    info: dict
    summary: dict
    findings: list
    failure: dict = None  # of a file that is refused
    sample: object = None
    rows: dict = field(default_factory=dict)
    values: Values = None
    problems: list = field(default_factory=list)


def recognises(expected, info):
    if "error" in expected and "say" in expected:
        return info.get("format") in (None, "cs2kz") or "error" in info
    return expected.get("format") == "cs2kz"


def first_of(document):
    return document[0] if isinstance(document, list) else document


def observe(command, sample, expected):
    verified = first_of(command.run("verify", "--json", sample).document())
    info = first_of(command.run("info", "--json", sample).document())
    summary = verified.get("summary", {})
    observation = Observation(info, summary, summary.get("findings", []))
    observation.sample = sample
    if "error" in expected:
        observation.failure = verified.get("error") or next(
            (one for one in observation.findings if one["severity"] == "fault"), {})
        return observation
    schema = command.run("schema", "cs2kz", "--json").expect(0).document()
    observation.values = Values(schema)
    rows = observation.rows
    result = command.run("cat", f"--track={TRACKS}", "--stored", sample).expect(0, 3)
    for row in result.lines():
        if "track" in row:
            rows.setdefault(row["track"], []).append(row)
    check_digests(observation)
    return observation


# ---- digests of what cat shows ----


def struct_format(fmt):
    return "fff" if fmt == "3f" else fmt


def pack_rows(values, rows, fields):
    """Canonical bytes of rows, or None where a NaN hides its bits."""
    layout = struct.Struct("<" + "".join(struct_format(fmt) for _, _, fmt in fields))
    packed = []
    for row in rows:
        flat = []
        for value in values.row(row, fields):
            flat += value if isinstance(value, list) else [value]
        if "nan" in flat:
            return None
        packed.append(layout.pack(*(float(v) if isinstance(v, str) else v for v in flat)))
    return b"".join(packed)


def check_digests(observation):
    for track, fields in (("ticks", TICK), ("commands", COMMAND)):
        packed = pack_rows(observation.values, observation.rows.get(track, []), fields)
        said = observation.summary["digests"][track]["sha256"]
        if packed is not None and hashlib.sha256(packed).hexdigest() != said:
            computed = hashlib.sha256(packed).hexdigest()
            observation.problems.append(Difference(f"digest of {track} from cat", computed, said))


# ---- the header ----


def person(value):
    if value is None:
        return None
    return {"name": value.get("name", ""), "steamid64": int(value.get("steam_id", 0))}


def renamed(value, names):
    return {name: value.get(key, "") for name, key in names}


def owned(value):
    item = value["item"]
    found = {name: item.get(key, "") for name, key in ITEM}
    found["itemID"] = int(found["itemID"])
    found["attributes"] = [[one["def_index"], one["value"]] for one in value["attributes"]]
    return found


SIMPLE = [
    ("modelName", "model_name"),
    ("timestamp", "timestamp"),
    ("pluginVersion", "plugin_version"),
    ("serverVersion", "server_version"),
    ("serverIP", "server_ip"),
    ("sensitivity", "sensitivity"),
    ("yaw", "yaw"),
    ("pitch", "pitch"),
    ("archivedTimestamp", "archived_timestamp"),
    ("viewmodelOffsetX", "viewmodel_offset_x"),
    ("viewmodelOffsetY", "viewmodel_offset_y"),
    ("viewmodelOffsetZ", "viewmodel_offset_z"),
    ("viewmodelFov", "viewmodel_fov"),
]
WHOLE = {"timestamp", "serverVersion", "serverIP", "archivedTimestamp"}


def details(values, header, kind):
    found = header[kind]
    if kind == "run":
        return {
            "courseName": found.get("course_name", ""),
            "mode": renamed(found.get("mode", {}), MODE),
            "styles": [renamed(one, MODE) for one in found.get("styles", [])],
            "time": found.get("time", 0),
            "numTeleports": found.get("teleports", 0),
        }
    if kind == "jump":
        return {
            "mode": renamed(found.get("mode", {}), MODE),
            "jumpType": values.number("jump_type", found.get("jump_type", 0)),
            "distance": found.get("distance", 0),
            "blockDistance": found.get("block_distance", 0),
            "numStrafes": found.get("strafes", 0),
            "sync": found.get("sync", 0),
            "pre": found.get("pre", 0),
            "max": found.get("max", 0),
            "airTime": found.get("air_time", 0),
        }
    if kind == "cheater":
        return {"reason": found.get("reason", ""), "reporter": person(found.get("reporter"))}
    return {"savedBy": person(found.get("saved_by"))}


def header_document(observation):
    header = observation.info["header"]
    found = {"type": TYPES[header["type"]]}
    if "player" in header:
        found["player"] = person(header["player"])
    if "map" in header:
        found["map"] = renamed(header["map"], [("name", "name"), ("md5", "md5")])
    for name, key in SIMPLE:
        if key in header:
            found[name] = int(header[key]) if name in WHOLE else header[key]
    for name, key in (("gloves", "gloves"), ("firstWeapon", "first_weapon")):
        if key in header:
            found[name] = owned(header[key])
    for kind in TYPES:
        if kind in header:
            found[kind] = details(observation.values, header, kind)
    return found


# ---- tracks ----


def weapons(observation):
    found = []
    for row in observation.rows.get("weapons", []):
        one = {name: row[key] for name, key in ITEM}
        one["itemID"] = int(one["itemID"])
        one["attributes"] = []
        one["id"] = row["number"]
        found.append(one)
    numbers = {one["id"]: one for one in found}
    for row in observation.rows.get("weapon_attributes", []):
        numbers[row["weapon"]]["attributes"].append(
            [row["def_index"], observation.values.real(row["value"])])
    return found


def jumps(observation, layout):
    values, rows, found = observation.values, observation.rows, []
    for row in rows.get("jumps", []):
        one = values.members(row, JUMP)
        one["invalidateReason"] = row["invalid_reason"]
        one["strafes"] = []
        one["aaCalls"] = []
        found.append(one)
    for row in rows.get("strafes", []):
        found[row["jump"]]["strafes"].append(values.members(row, STRAFE))
    for row in rows.get("aircalls", []):
        call = values.members(row, AIRCALL)
        if layout != "b5":
            fractions = call.pop("startFraction"), call.pop("endFraction")
            if fractions != (0, 1):
                problem = Difference("aircalls: fractions before B5", [0, 1], list(fractions))
                observation.problems.append(problem)
        found[row["jump"]]["aaCalls"].append(call)
    return found


def vector(values, row, name):
    return [values.real(row[f"{name}_{axis}"]) for axis in "xyz"] if row[f"has_{name}"] else None


def event(values, row):
    kind = row["type"]
    found = {"type": kind, "serverTick": row["tick"]}
    if kind == "timer":
        found["timerType"] = values.number("timer", row["timer"])
        found["index"] = row["number"]
        found["time"] = values.real(row["run_time"])
    elif kind in ("mode", "style"):
        found["name"], found["md5"] = row["name"], row["md5"]
        if kind == "style":
            found["clearStyles"] = int(row["clear_styles"])
    elif kind == "teleport":
        for name in ("origin", "angles", "velocity"):
            found[name] = vector(values, row, name)
    return found


def picked(count, given):
    """Which rows an expectation lists: all, or about every sixteenth; an altered list is neither."""
    every = [str(i) for i in range(count)]
    some = sorted({*range(0, count, max(1, count // 16)), *([count - 1] if count else [])})
    some = [str(i) for i in some]
    return some if len(given) <= len(some) < count else every


def moves_by_row(observation, track):
    found = {}
    for row in observation.rows.get(track, []):
        found.setdefault(row["row"], []).append(move_values(observation.values, row))
    return found


def error_kinds(failure):
    """The kinds of error, as `.expect.json` files name them, that a failure belongs to."""
    words = ("magic", "version", "type", "styles", "header", "size", "count", "leftover", "weapon",
             "jumps", "truncated")
    kinds = {word for word in words if failure.get("path", "").split(".")[-1].split("[")[0] == word}
    status = failure.get("status") or failure.get("id", "").split(".")[-1]
    message = failure.get("message", "")
    if status in ("truncated", "limit"):
        kinds.add(status)
    if "zstd data" in message:
        kinds.add("zstd")
    if status == "unrecognized":
        kinds |= {"truncated"} if "empty" in message else {"magic"}
    return kinds


def document(observation, expected):
    if "error" in expected:
        fitting = error_kinds(observation.failure) & set(expected["error"])
        kinds = expected["error"] if fitting else sorted(error_kinds(observation.failure))
        return {"error": kinds, "say": expected["say"]}
    info, values, rows = observation.info, observation.values, observation.rows
    layout = info["layout"]
    data = observation.sample.read_bytes()
    digests = observation.summary["digests"]
    ticks, commands = rows.get("ticks", []), rows.get("commands", [])
    tick_rows = picked(len(ticks), expected.get("tickRows", {}))
    command_rows = picked(len(commands), expected.get("commandRows", {}))
    moves = moves_by_row(observation, "subticks")
    full = len(tick_rows) == len(ticks)
    found_jumps = jumps(observation, layout)
    found_events = [event(values, row) for row in rows.get("events", [])]
    warnings = [one["id"].removeprefix("cs2kz.") for one in observation.findings
                if one["severity"] == "warning"]
    found = {
        "format": info["format"],
        "generation": info["generation"],
        "version": info["version"],
        "layout": LAYOUTS[layout],
        "fileSize": int(info["size"]),
        "sha256": hashlib.sha256(data).hexdigest(),
        "header": header_document(observation),
        "sections": [
            {
                "name": part["name"],
                "offset": part["offset"],
                "compressedSize": part["stored_size"],
                "uncompressedSize": part["size"],
                "elementCount": part["count"],
            }
            for part in info["parts"]
        ],
        "counts": {name: int(digests[key]["count"]) for name, key in DIGESTS.items()},
        "canonicalSize": {name: int(digests[key]["size"]) for name, key in DIGESTS.items()},
        "canonicalSha256": {name: digests[key]["sha256"] for name, key in DIGESTS.items()},
        "tickFields": [name for name, _, _ in TICK],
        "tickRows": {i: values.row(ticks[int(i)], TICK) for i in tick_rows},
        "subtickRows": {i: moves[int(i)] for i in tick_rows if int(i) in moves},
        "commandFields": [name for name, _, _ in COMMAND],
        "commandRows": {i: values.row(commands[int(i)], COMMAND) for i in command_rows},
        "weapons": weapons(observation),
        "weaponEvents": [[row["tick"], row["weapon"]] for row in rows.get("weapon_events", [])],
        "jumps": found_jumps if full else found_jumps[:2],
        "events": found_events if full else found_events[:200],
    }
    if info["generation"] == "protobuf":
        found["fieldOrder"] = "protobuf"
    if warnings:
        found["warnings"] = sorted(warnings)
    if "warnings" in expected and isinstance(expected["warnings"], list):
        if sorted(map(str, expected["warnings"])) == found.get("warnings"):
            found["warnings"] = expected["warnings"]
    return found


# Words for people; whatever they are, the file is refused for the reason named beside them.
CHOOSING = {"say", "error[]"}


def rules(observation):
    if observation.failure is not None:
        return Rules(skipped={"say": "words for people"})
    # The generator's own expectations do not mention styles before the run header.
    ids = [one["id"] for one in observation.findings if one["severity"] == "warning"]
    return Rules(optional={"warnings"} if ids == ["cs2kz.style-order"] else set())
