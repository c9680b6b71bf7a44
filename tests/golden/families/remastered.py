"""Recordings of Red Alert and Tiberian Dawn: what the command says, in the shape of expectations.

Expectations hold the header and every frame record, or for long recordings counts and the digest of
a canonical text. Frames, events, selections and teams come from `reprise cat`; the text is built
here, so that its digest proves every value the command prints.
"""

import hashlib
import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from command import Failure
from compare import Difference, Rules

TRACKS = "frames,events,selections,teams"
TEAM_HOUSES, TEAM_BYTES = 20, 10
FRAMES_LISTED = 120  # longer recordings have a summary only

# Columns that are not members of an event's union.
HEAD = {"track", "frame", "time", "type", "event", "house", "executed", "mplayer_id", "raw"}
DERIVED = {"house_name", "mission_name", "item", "cell_x", "cell_y"}
NAMES = {"archive": "where"}  # column -> name in expectations
VIEW = "team_event team_number formation_event form_move form_speed form_max_speed".split()


@dataclass
class Observation:
    info: dict
    summary: dict
    frames: list = field(default_factory=list)  # those that expectations may list
    problems: list = field(default_factory=list)
    digest: str = ""
    events: Counter = field(default_factory=Counter)
    records: int = 0
    last_frame: int = None
    with_events: list = field(default_factory=list)


def recognises(expected, info):
    return info.get("format") == "remastered"


def compact(value):
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), sort_keys=True)


# ---- rows into frames ----


def event_of(row):
    event = {"frame": row["frame"], "type": row["type"], "name": row["event"]}
    event["id"] = row["house"]
    event["executed"] = int(row["executed"])
    if row["mplayer_id"] is not None:
        event["mplayer_id"] = row["mplayer_id"]
    for column, value in row.items():
        if column not in HEAD and column not in DERIVED and value is not None:
            event[NAMES.get(column, column)] = value
    return event


class FrameReader:
    """Takes the rows of `cat`, in which a frame precedes what changed in it."""

    def __init__(self, observation, game):
        self.observation = observation
        self.red_alert = game == "ra"
        self.hash = hashlib.sha256()
        self.selected = []
        self.teams = ["00" * 2 * TEAM_BYTES] * TEAM_HOUSES
        self.row, self.events = None, []
        header = observation.info["header"]
        self.line("H " + compact(expected_header(header)))

    def line(self, text):
        self.hash.update(text.encode("ascii") + b"\n")

    def add(self, row):
        track = row["track"]
        if track == "frames":
            self.finish_frame()
            self.row, self.events = row, []
            return
        if self.row is None or row["frame"] != self.row["frame"]:
            raise Failure(f"cat: a row of {track} comes before its frame {row['frame']}")
        if track == "events":
            self.events.append(event_of(row))
            self.check_raw(row)
        elif track == "selections":
            self.selected = row["objects"]
        else:
            self.teams[row["house"]] = row["max_speed"] + row["speed"]

    def check_raw(self, row):
        size = 2 * (137 if self.red_alert else 146)
        if len(row["raw"]) != size or int(row["raw"][:2], 16) != row["type"]:
            raise Failure(f"cat: raw bytes of an event of frame {row['frame']} are not its own")

    def view(self):
        view = {"coord": self.row["coord"], "selected": self.selected}
        if len(self.selected) != self.row["selected"]:
            raise Failure(f"cat: frame {self.row['frame']} has another number of selected objects")
        if self.red_alert:
            view.update({name: self.row[name] for name in VIEW})
            form = "".join(self.teams).rstrip("0")
            view["team_form"] = form + "0" * (len(form) % 2)
        return view

    def finish_frame(self):
        if self.row is None:
            return
        observation, frame = self.observation, {"frame": self.row["frame"]}
        if self.row["coord"] is not None:
            frame["view"] = self.view()
        if self.row["events"] is not None:
            frame["events"] = self.events
            if len(self.events) != self.row["events"]:
                raise Failure(f"cat: frame {frame['frame']} has another number of events")
        observation.records += 1
        observation.last_frame = frame["frame"]
        observation.events.update(event["name"] for event in self.events)
        if observation.records <= FRAMES_LISTED:
            observation.frames.append(frame)
        if self.events:
            observation.with_events.append(frame)
        self.write(frame)
        self.row = None

    def write(self, frame):
        self.line(f"F {frame['frame']}")
        if "view" in frame:
            self.line("V " + compact(frame["view"]))
        for event in frame.get("events", []):
            shown = {name: value for name, value in event.items() if name != "executed"}
            self.line("E " + compact(shown))

    def finish(self):
        self.finish_frame()
        self.observation.digest = self.hash.hexdigest()


def expected_header(header):
    return {name: value for name, value in header.items() if name != "player_nodes"}


def read_rows(command, sample, reader):
    result = command.run("cat", f"--track={TRACKS}", sample)
    row = {}
    for row in result.expect(0, 3).lines():
        if "track" in row:
            reader.add(row)
    if "status" not in row:
        raise Failure(f"{result}: no status record at the end")
    reader.finish()


# ---- the interface of adapters ----


def observe(command, sample, expected):
    info = command.run("info", "--json", sample).expect(0, 3).document()
    summary = command.run("verify", "--json", sample).expect(0, 3).document()["summary"]
    observation = Observation(info, summary)
    read_rows(command, sample, FrameReader(observation, info["game"]))
    counts = {"records": observation.records, "events": sum(observation.events.values())}
    for name, count in counts.items():
        if int(info[name]) != count:
            observation.problems.append(Difference(f"info: {name}", count, info[name]))
    if int(summary["rows"]["events"]) != counts["events"]:
        problem = Difference("verify: events", counts["events"], summary["rows"]["events"])
        observation.problems.append(problem)
    return observation


def problems(observation):
    found = observation.summary["findings"]
    return [one["message"] for one in found if one["severity"] != "note"]


def some_frames(observation, expected):
    """Those that have events, unless an expectation plainly lists others."""
    usual = [frame["frame"] for frame in observation.with_events]
    listed = expected.get("some_frames")
    listed = listed if isinstance(listed, list) else []
    given = [one.get("frame") if isinstance(one, dict) else None for one in listed]
    if len(set(usual) ^ set(given)) <= 2:
        return observation.with_events
    known = {frame["frame"]: frame for frame in observation.frames + observation.with_events}
    return [known.get(number) for number in given]


def document(observation, expected):
    info = observation.info
    about = {
        "game": info["game"],
        "profile": info["profile"],
        "header_size": info["header_size"],
    }
    summary = {
        **about,
        "frame_records": observation.records,
        "last_frame": observation.last_frame,
        "event_counts": dict(observation.events),
        "canonical_sha256": observation.digest,
    }
    return {
        **about,
        "header": expected_header(info["header"]),
        "frames": observation.frames,
        "some_frames": some_frames(observation, expected),
        "problems": problems(observation),
        "summary": summary,
    }


CHOOSING = {"some_frames[].frame"}
OPTIONAL = {"game", "profile", "header_size", "frames", "some_frames"}


def rules(observation):
    return Rules(optional=OPTIONAL)
