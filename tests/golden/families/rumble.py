"""RUMBLE: turns what the command says about a replay into the shape of its expectations.

Expectations hold the header as stored, a digest over the states of all frames, sums of rotations,
and the complete states of some frames. The states come from `reprise cat`, a row per object and
frame; the digest is computed here, so that it proves every value the command prints.
"""

import hashlib
import math
import struct
from collections import defaultdict
from dataclasses import dataclass, field

from command import Failure
from compare import Difference, Rules, compare, f32, is_number, shortest_f32

ROTATION_TOLERANCE = 2e-6
ROTATION_SUM_TOLERANCE_PER_FRAME = 1e-5
FRAMES_KEPT = 1000  # states of longer recordings are kept only where an expectation lists them
SEEKS = 7

TRACKS = "frames,players,structures,pedestals,props,events,extensions,voices"
LEGACY_LAYOUTS = ("l1", "l2")

NOT_FINITE = ("NaN", "Infinity", "-Infinity")  # how the command writes these
COMPONENTS = {"vec3": "xyz", "rotation": "xyzw"}

# Name in expectations, column of the command, kind. What a layout lacks has no column.
PLAYER = [
    ("VRRigPos", "rig_pos", "vec3"),
    ("VRRigRot", "rig_rot", "rotation"),
    ("LHandPos", "lhand_pos", "vec3"),
    ("LHandRot", "lhand_rot", "rotation"),
    ("RHandPos", "rhand_pos", "vec3"),
    ("RHandRot", "rhand_rot", "rotation"),
    ("HeadPos", "head_pos", "vec3"),
    ("HeadRot", "head_rot", "rotation"),
    ("currentStack", "stack", "number"),
    ("Health", "health", "number"),
    ("active", "active", "bool"),
    ("activeShiftstoneVFX", "stone_fx", "number"),
    ("leftShiftstone", "left_stone", "number"),
    ("rightShiftstone", "right_stone", "number"),
    ("lgripInput", "lgrip", "float"),
    ("lindexInput", "lindex", "float"),
    ("lthumbInput", "lthumb", "float"),
    ("rgripInput", "rgrip", "float"),
    ("rindexInput", "rindex", "float"),
    ("rthumbInput", "rthumb", "float"),
    ("rockCamActive", "rockcam_active", "bool"),
    ("rockCamPos", "rockcam_pos", "vec3"),
    ("rockCamRot", "rockcam_rot", "rotation"),
    ("armSpan", "arm_span", "float"),
    ("length", "length", "float"),
    ("visualData", "visual_data", "text"),
]
STRUCTURE = [
    ("position", "pos", "vec3"),
    ("rotation", "rot", "rotation"),
    ("active", "active", "bool"),
    ("grounded", "grounded", "bool"),
    ("isHeld", "held", "bool"),
    ("isLeftHeld", "left_held", "bool"),
    ("isRightHeld", "right_held", "bool"),
    ("isFlicked", "flicked", "bool"),
    ("isShaking", "shaking", "bool"),
    ("currentState", "state", "number"),
    ("currentState", "game_state", "number"),
    ("isTargetDisk", "target_disk", "bool"),
]
PEDESTAL = [("position", "pos", "vec3"), ("active", "active", "bool")]
PROP = [("position", "pos", "vec3"), ("rotation", "rot", "rotation")]
EVENT = [
    ("type", "type", "number"),
    ("position", "pos", "vec3"),
    ("rotation", "rot", "rotation"),
    ("masterId", "master_id", "text"),
    ("length", "length", "float"),
    ("armspan", "arm_span", "float"),
    ("markerType", "marker", "number"),
    ("playerIndex", "player", "number"),
    ("damage", "damage", "number"),
    ("fxType", "fx", "number"),
    ("structureId", "structure_id", "number"),
]
EXTENSION = [("id", "mod_id", "number"), ("sub", "sub_index", "number"), ("data", "data", "text")]
VOICE = [
    ("MasterId", "master_id", "text"),
    ("ActorId", "actor_id", "number"),
    ("VoiceId", "voice_id", "number"),
    ("FileName", "file_name", "text"),
    ("StartTime", "time", "float"),
]

# Track -> column that numbers the objects, fields.
OBJECTS = {
    "players": ("player", PLAYER),
    "structures": ("structure", STRUCTURE),
    "pedestals": ("pedestal", PEDESTAL),
    "props": ("prop", PROP),
}
HAPPENINGS = {"events": EVENT, "extensions": EXTENSION}


def recognises(expected, info):
    return info.get("format") == "rumble" or expected.get("format") == "rumble-replay"


@dataclass
class Observation:
    info: dict
    summary: dict  # of verify
    voices: list = field(default_factory=list)
    times: list = field(default_factory=list)  # of all frames
    frames: dict = field(default_factory=dict)  # index -> state, as far as kept
    digest: str = ""
    sums: dict = field(default_factory=dict)
    seeks: dict = field(default_factory=dict)  # time asked for -> (frame, time) given
    problems: list = field(default_factory=list)

    @property
    def layout(self):
        return self.summary["layout"]


# ---- values of one row ----


class Values:
    """Turns values of rows into those of expectations, names of numbers back into numbers."""

    def __init__(self, schema, layout):
        self.layout = layout
        self.numbers = defaultdict(dict)
        for record in schema["records"]:
            for about in record["fields"]:
                for value in about.get("values", []):
                    self.numbers[about["name"]][value["name"]] = value["number"]

    def number(self, column, value):
        if isinstance(value, list):  # names of bits that are set
            return sum(self.number(column, one) for one in value)
        if isinstance(value, str):
            if value not in self.numbers[column]:
                raise Failure(f"column {column}: {value!r} is no name in the schema")
            return self.numbers[column][value]
        if type(value) is not int:
            raise Failure(f"column {column}: {value!r} is not a whole number")
        return value

    def real(self, column, value):
        """The single precision number that a decimal means."""
        if not is_number(value) and value not in NOT_FINITE:
            raise Failure(f"column {column}: {value!r} is not a number")
        return f32(float(value))

    def convert(self, column, kind, value):
        if kind == "number":
            return self.number(column, value)
        if kind == "float":
            return self.real(column, value)
        if kind == "bool" and not isinstance(value, bool):
            raise Failure(f"column {column}: {value!r} is neither true nor false")
        if kind == "text" and not isinstance(value, (str, type(None))):
            raise Failure(f"column {column}: {value!r} is not text")
        return value

    def take(self, row, fields, only=None):
        """The fields of a row, or those of them whose columns are in `only`."""
        state = {}
        for name, column, kind in fields:
            parts = [f"{column}_{part}" for part in COMPONENTS.get(kind, "")] or [column]
            if parts[0] not in row or (only is not None and parts[0] not in only):
                continue
            if kind in COMPONENTS:
                state[name] = [self.real(part, row[part]) for part in parts]
            else:
                state[name] = self.convert(column, kind, row[column])
        return state

    def take_objects(self, rows, track):
        number, fields = OBJECTS[track]
        if [row[number] for row in rows] != list(range(len(rows))):
            raise Failure(f"{track}: a row per object expected, found {[r[number] for r in rows]}")
        states = [self.take(row, fields) for row in rows]
        if track == "players" and self.layout == "l1":
            for state in states:  # L1 has no moves; its expectations say so by 0
                state.setdefault("currentStack", 0)
        return states


# ---- digest: appendix 2 of the format's description ----


def text_bytes(text):
    if text is None:
        return b"\xff\xff\xff\xff"
    encoded = text.encode("utf-8")
    return struct.pack("<I", len(encoded)) + encoded


ORIGIN = [0.0, 0.0, 0.0]
POSITIONS = ("VRRigPos", "LHandPos", "RHandPos", "HeadPos")
STONES = ("activeShiftstoneVFX", "leftShiftstone", "rightShiftstone")
INPUTS = ("lgripInput", "lindexInput", "lthumbInput", "rgripInput", "rindexInput", "rthumbInput")


def player_bytes(state):
    parts = [struct.pack("<3f", *state[name]) for name in POSITIONS]
    parts.append(struct.pack("<hh", state.get("currentStack", 0), state["Health"]))
    parts.append(struct.pack("<4B", state["active"], *(state.get(name, 0) for name in STONES)))
    parts.append(struct.pack("<6f", *(state.get(name, 0.0) for name in INPUTS)))
    parts.append(struct.pack("<B", state.get("rockCamActive", False)))
    parts.append(struct.pack("<3f", *state.get("rockCamPos", ORIGIN)))
    parts.append(struct.pack("<2f", state.get("armSpan", 0.0), state.get("length", 0.0)))
    return b"".join(parts) + text_bytes(state.get("visualData"))


def structure_bytes(state):
    held = state.get("isLeftHeld", state.get("isHeld", False))
    flags = [state["active"], state["grounded"], held, state.get("isRightHeld", False)]
    flags += [state.get("isFlicked", False), state.get("currentState", 0)]
    return struct.pack("<3f7B", *state["position"], *flags, state.get("isTargetDisk", False))


def event_bytes(state):
    numbers = [state.get("playerIndex", -1), state.get("damage", 0)]
    numbers += [state.get("fxType", 0), state.get("structureId", -1)]
    kind, position = state.get("type", 0), state.get("position", ORIGIN)
    return struct.pack("<B3fiiBi", kind, *position, *numbers) + text_bytes(state.get("masterId"))


def extension_bytes(state):
    data = bytes.fromhex(state["data"])
    return struct.pack("<iiI", state["id"], state["sub"], len(data)) + data


def frame_bytes(state):
    parts = [struct.pack("<f", state["time"])]
    parts += map(player_bytes, state["players"])
    parts += map(structure_bytes, state["structures"])
    parts += (struct.pack("<3fB", *one["position"], one["active"]) for one in state["pedestals"])
    parts += (struct.pack("<3f", *one["position"]) for one in state["props"])
    parts.append(struct.pack("<I", len(state["events"])))
    parts += map(event_bytes, state["events"])
    parts.append(struct.pack("<I", len(state["extensions"])))
    parts += map(extension_bytes, state["extensions"])
    return b"".join(parts)


# ---- all frames ----


class FrameReader:
    """Takes the rows of `cat --every-frame --stored`, which come frame by frame."""

    def __init__(self, values, observation, wanted):
        self.values = values
        self.observation = observation
        self.wanted = wanted
        self.hash = hashlib.sha256()
        self.rotations = defaultdict(list)  # (track, object, field, component) -> of all frames
        self.counts = defaultdict(int)
        self.rows = None  # of the frame that is being read, by track

    def add(self, row):
        track = row["track"]
        if track == "voices":
            self.observation.voices.append(self.values.take(row, VOICE))
            return
        if not self.rows or row["frame"] != self.frame:
            self.finish_frame()
            self.frame, self.time, self.rows = row["frame"], row["time"], defaultdict(list)
            due = len(self.observation.times)
            if self.frame != due:
                raise Failure(f"cat: frame {due} expected, {self.frame} found")
        if row["time"] != self.time:
            raise Failure(f"cat: frame {self.frame} has times {self.time} and {row['time']}")
        self.rows[track].append(row)

    def finish_frame(self):
        if self.rows is None:
            return
        if len(self.rows["frames"]) != 1:
            raise Failure(f"cat: frame {self.frame} has {len(self.rows['frames'])} rows in frames")
        state = {"index": self.frame, "time": self.values.real("time", self.time)}
        for track in OBJECTS:
            state[track] = self.values.take_objects(self.rows[track], track)
            self.add_rotations(track, state[track])
        for track, fields in HAPPENINGS.items():
            rows = self.rows[track]
            state[track] = [self.values.take(row, fields, row["stored"]) for row in rows]
            self.counts[track] += len(rows)
        self.hash.update(frame_bytes(state))
        self.observation.times.append(state["time"])
        if self.frame < FRAMES_KEPT or self.frame in self.wanted:
            self.observation.frames[self.frame] = state
        self.rows = None

    def add_rotations(self, track, states):
        for number, state in enumerate(states):
            for name, _, kind in OBJECTS[track][1]:
                if kind == "rotation" and name in state:
                    for part, value in enumerate(state[name]):
                        self.rotations[track, number, name, part].append(value)

    def finish(self):
        self.finish_frame()
        self.observation.digest = self.hash.hexdigest()
        sums = {}
        for (track, number, name, _), values in self.rotations.items():
            objects = sums.setdefault(track, [])
            if number == len(objects):
                objects.append({})
            objects[number].setdefault(name, []).append(total(values))
        self.observation.sums = sums
        self.check_counts()

    def check_counts(self):
        """verify counts rows on its own; both must have seen the same."""
        rows = self.observation.summary["rows"]
        self.counts["frames"] = len(self.observation.times)
        self.counts["voices"] = len(self.observation.voices)
        for track, count in self.counts.items():
            if int(rows[track]) != count:
                problem = Difference(f"verify: rows of {track}", count, rows[track])
                self.observation.problems.append(problem)


def total(values):
    try:
        return math.fsum(values)
    except ValueError:  # infinities of both signs
        return math.nan


# ---- what of many things an expectation lists ----


def one_edit_apart(a, b):
    """Whether one element was changed, added or removed."""
    if len(a) == len(b):
        return sum(x != y for x, y in zip(a, b)) == 1
    if abs(len(a) - len(b)) > 1:
        return False
    short, long = sorted((a, b), key=len)
    return any(long[:i] + long[i + 1 :] == short for i in range(len(long)))


def listed(given, usual):
    """What an expectation should list.

    Expectations are free in their choice of frames and times, but an altered one must be found out:
    a list that is one edit away from a usual choice is taken for that choice.
    """
    for alike in (list.__eq__, one_edit_apart):
        for choice in usual:
            if alike(choice, given):
                return choice
    return given


def members(expected, name, member):
    """One member of each element of a list."""
    elements = expected.get(name)
    elements = elements if isinstance(elements, list) else []
    return [one.get(member) if isinstance(one, dict) else None for one in elements]


def listed_frames(observation, expected):
    count = len(observation.times)
    usual = [list(range(count))]
    if count > 10:
        spread = {0, 1, count // 4, count // 2, 3 * count // 4, count - 2, count - 1}
        usual.insert(0, sorted(spread))
    return listed(members(expected, "frames", "index"), usual)


def listed_times(observation, expected):
    times, usual = observation.times, []
    if times:
        length = times[-1] - times[0]
        usual = [shortest_f32(f32(times[0] + length * (i / (SEEKS - 1)))) for i in range(SEEKS)]
    return listed(members(expected, "seek", "t"), [usual])


# ---- seeking ----


def check_state(observation, values, time, state):
    """What `at` shows must be what reading up to there gives."""
    kept = observation.frames.get(state["frame"])
    if kept is None:
        return
    for track in OBJECTS:
        found = values.take_objects(state[track], track)
        path = f"at {time}: {track}"
        observation.problems += compare(kept[track], found, Rules(), path, track)


def seek(command, sample, observation, values, expected):
    for time in listed_times(observation, expected):
        state = command.run("at", "--json", f"--time={time!r}", sample).expect(0, 3).document()
        observation.seeks[time] = (state["frame"], values.real("time", state["time"]))
        check_state(observation, values, time, state)


# ---- the interface of adapters ----


def verify(command, sample):
    """The summary of verify; the samples that come here are sound."""
    result = command.run("verify", "--json", sample)
    summary = result.document().get("summary", {"findings": []})
    faults = [one for one in summary["findings"] if one["severity"] == "fault"]
    if faults:
        raise Failure(f"{result}: {faults[0]['path']}: {faults[0]['message']}")
    result.expect(0, 3)
    return summary


def read_rows(command, sample, reader):
    result = command.run("cat", f"--track={TRACKS}", "--every-frame", "--stored", sample)
    row = {}
    for row in result.expect(0, 3).lines():
        if "track" in row:
            reader.add(row)
    if "status" not in row:
        raise Failure(f"{result}: no status record at the end")
    reader.finish()


def observe(command, sample, expected):
    info = command.run("info", "--json", sample).expect(0, 3).document()
    observation = Observation(info, verify(command, sample))
    schema = command.run("schema", "rumble", "--json").expect(0).document()
    values = Values(schema, observation.layout)
    reader = FrameReader(values, observation, members(expected, "frames", "index"))
    read_rows(command, sample, reader)
    seek(command, sample, observation, values, expected)
    return observation


def document(observation, expected):
    info, summary = observation.info, observation.summary
    (stream,) = summary["streams"]
    return {
        "format": {"rumble": "rumble-replay"}.get(info["format"]),
        "generation": "rgzp" if observation.layout in LEGACY_LAYOUTS else "zip",
        "dialect": observation.layout,
        "header": info["header"],
        "frame_count": len(observation.times),
        "canonical_sha256": observation.digest,
        "rotation_sums": observation.sums,
        "rotation_sum_tolerance": sum_tolerance(observation),
        "event_count": int(summary["rows"]["events"]),
        "extension_count": int(summary["rows"]["extensions"]),
        "seek": [
            dict(zip(("t", "frame", "time"), (time, *observation.seeks.get(time, (None, None)))))
            for time in listed_times(observation, expected)
        ],
        "frames": [observation.frames.get(i) for i in listed_frames(observation, expected)],
        "raw_size": int(stream["size"]),
        "raw_sha256": stream["sha256"],
        "entries": [part["name"] for part in info["parts"]],
        "trailing_bytes": int(summary["trailing_bytes"]),
        "unknown_chunks": int(summary["unknown_chunks"]),
        "unknown_fields": int(summary["unknown_fields"]),
        "voices": observation.voices,
    }


CHOOSING = {"frames[].index", "seek[].t"}

# Not every expectation has these.
OPTIONAL = {
    "raw_size",
    "raw_sha256",
    "entries",
    "trailing_bytes",
    "unknown_chunks",
    "unknown_fields",
    "voices",
}


def sum_tolerance(observation):
    return ROTATION_SUM_TOLERANCE_PER_FRAME * max(1, len(observation.times))


def rules(observation):
    tolerances = {"frames[].events[].rotation[]": ROTATION_TOLERANCE}
    tolerances["rotation_sum_tolerance"] = 0  # the one number of double precision
    for track, (_, fields) in OBJECTS.items():
        for name, _, kind in fields:
            if kind == "rotation":
                tolerances[f"frames[].{track}[].{name}[]"] = ROTATION_TOLERANCE
                tolerances[f"rotation_sums.{track}[].{name}[]"] = sum_tolerance(observation)
    return Rules(tolerances=tolerances, optional=OPTIONAL)
