"""RECORD.BIN of Red Alert and Tiberian Dawn, read from docs/spec/remastered.md alone.
remastered_answers.py says what follows.
"""

import struct

import remastered_answers
import remastered_make

# Members of events: name and form; T is a target, F the special flags.
TYPES = {
    "EMPTY": (), "ALLY": (("value", "i"),),
    "MEGAMISSION": (("whom", "T"), ("mission", "b"), ("target", "T"), ("destination", "T")),
    "MEGAMISSION_F": (("whom", "T"), ("mission", "b"), ("target", "T"), ("destination", "T"), ("speed", "b"),
                      ("max_speed", "B")),
    "IDLE": (("whom", "T"),), "SCATTER": (("whom", "T"),), "DESTRUCT": (), "DEPLOY": (),
    "PLACE": (("rtti", "B"), ("cell", "h")), "OPTIONS": (), "GAMESPEED": (("value", "i"),),
    "PRODUCE": (("rtti", "B"), ("type_id", "i")), "SUSPEND": (("rtti", "B"),), "ABANDON": (("rtti", "B"),),
    "PRIMARY": (("whom", "T"),), "SPECIAL_PLACE": (("weapon", "i"), ("cell", "h")), "EXIT": (),
    "ANIMATION": (("what", "b"), ("owner", "b"), ("where", "I"), ("visible", "i")),
    "REPAIR": (("whom", "T"),), "SELL": (("whom", "T"),), "SELLCELL": (("cell", "h"),),
    "SPECIAL": (("flags", "F"),), "FRAMESYNC": (("crc", "I"), ("command_count", "H"), ("delay", "B")),
    "MESSAGE": (), "RESPONSE_TIME": (("crc", "I"), ("command_count", "H"), ("delay", "B")),
    "FRAMEINFO": (("crc", "I"), ("command_count", "H"), ("delay", "B")), "SAVEGAME": (),
    "ARCHIVE": (("whom", "T"), ("archive", "T")), "ADDPLAYER": (("pointer", "I"), ("size", "I")),
    "TIMING": (("desired_frame_rate", "H"), ("max_ahead", "H")), "PROCESS_TIME": (("average_ticks", "H"),),
    "PROPOSE_DRAW": (), "RETRACT_DRAW": ()}
RA_ONLY = {"MEGAMISSION_F", "SELLCELL", "SAVEGAME", "ADDPLAYER", "PROPOSE_DRAW", "RETRACT_DRAW"}
RA_TYPES = list(TYPES)
TD_TYPES = [name for name in TYPES if name not in RA_ONLY]

RA_SESSION = ("type:i comm_protocol:i frame_send_rate:I pref_color:b color_idx:b house:b num_players:i bases:i "
              "credits:i tiberium:i goodies:i ghosts:i unit_count:i ai_players:i obi_wan:i emergency_save:i "
              "player_nodes:i")
RA_SCENARIO = ("build_level:i debug_unshroud:B seed:i scenario:i scenario_name:512s whom:b special:132s game_speed:I "
               "scroll_rate:i options:272s")
NODE = "name:12s address:10s house:b color:b id:b process_time:i"
TD_HEADER = ("type:B modem_type:B build_level:I player_name:12s pref_color:i color_idx:i house:b local_id:B "
             "num_players:i bases:i credits:i tiberium:i goodies:i ghosts:i unit_count:i player_ids:6s "
             "player_houses:6s seed:i scenario:I scen_player:b scen_dir:b whom:b special:140s game_speed:I "
             "scroll_rate:i options:54s frame_send_rate:I comm_protocol:B")


class Bad(Exception):
    pass


def form_of(text):
    return [part.split(":") for part in text.split()]


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        if size > len(self.data) - self.at:
            raise Bad("cut")
        self.at += size
        return self.data[self.at - size:self.at]

    def number(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))[0]

    def record(self, form):
        return {name: self.number(kind) for name, kind in form_of(form)}


def text_of(raw):
    return raw.split(b"\0")[0].decode("latin-1")


class Replay:
    """One reading of a file: either game, either profile."""

    def __init__(self, data, game, profile, skirmish_gap=False):
        self.game, self.profile, self.size = game, profile, len(data)
        self.is_td = game == "td"
        self.gap = skirmish_gap
        self.bytes = Bytes(data)
        self.read_header()
        self.check_header()
        self.header_size = self.bytes.at
        self.frames, self.events, self.problem = [], [], None
        try:
            self.read_frames()
        except Bad as bad:
            self.problem = str(bad)

    # ---- header ----

    def read_header(self):
        r = self.bytes
        self.nodes = []
        if self.is_td:
            self.header = r.record(TD_HEADER)
            return
        self.header = r.record(RA_SESSION)
        if not 0 <= self.header["player_nodes"] <= 64:
            raise Bad("nodes")
        self.nodes = [r.record(NODE) for _ in range(self.header["player_nodes"])]
        self.header.update(r.record(RA_SCENARIO))

    def check_header(self):
        """Rule 16, with the ranges of the format sheet."""
        h = self.header
        houses = 10 if self.is_td else 20
        fine = (0 <= h["type"] <= (5 if self.is_td else 8) and 0 <= h["comm_protocol"] <= 2
                and h["frame_send_rate"] <= 255 and 0 <= h["num_players"] <= 8
                and -1 <= h["house"] < houses and -1 <= h["whom"] < houses
                and all(h[key] in (0, 1) for key in ("bases", "goodies", "ghosts"))
                and 0 <= h["build_level"] <= 100 and h["game_speed"] <= 64)
        if self.is_td:
            fine = fine and -1 <= h["scen_player"] <= 4 and -1 <= h["scen_dir"] <= 1
            fine = fine and not any(byte < 32 for byte in h["player_name"].split(b"\0")[0])
        else:
            name = h["scenario_name"].split(b"\0")[0]
            fine = fine and h["debug_unshroud"] in (0, 1) and len(name) < 260
            fine = fine and all(32 <= byte < 127 for byte in name)
        if not fine or sum(byte != 0 for byte in self.bytes.data[:self.bytes.at]) < 8:
            raise Bad("header")

    # ---- records ----

    def has_events(self, frame):
        """Rule 2."""
        kind = self.header["type"]
        if kind == 0:
            return True
        if not self.is_td and kind == 5 and not self.gap:
            return True
        if frame == 0:
            return False
        rate = self.header["frame_send_rate"]
        return self.header["comm_protocol"] != 2 or not rate or frame % rate == 0

    def read_view(self):
        r = self.bytes
        view = {"coord": r.number("I"), "selected": r.number("i")}
        total = r.number("I")
        if not 0 <= view["selected"] <= 4096:
            raise Bad("selection")
        form = "H" if self.is_td else "I"
        view["objects"] = [r.number(form) for _ in range(view["selected"])]
        if sum(view["objects"]) & 0xFFFFFFFF != total:
            raise Bad("sum")
        if not self.is_td:
            view.update(r.record("team_event:b team_number:b formation_event:b"))
            view["teams"] = [(r.take(10), r.take(10)) for _ in range(20)]
            view.update(r.record("form_move:B form_speed:b form_max_speed:B"))
        return view

    def read_event(self, frame):
        raw = self.bytes.take(146 if self.is_td else 137)
        names = TD_TYPES if self.is_td else RA_TYPES
        if raw[0] >= len(names):
            raise Bad("type")
        bits = struct.unpack_from("<I", raw, 1)[0]
        split = 27 if self.is_td else 26
        if bits & (1 << split) - 1 != frame & (1 << split) - 1:
            raise Bad("frame")
        event = {"type": raw[0], "event": names[raw[0]], "house": bits >> split & (1 << 31 - split) - 1,
                 "executed": bool(bits >> 31), "raw": raw.hex()}
        data = Bytes(raw[5:])
        if self.is_td:
            event["mplayer_id"] = data.number("B")
        for name, form in TYPES[event["event"]]:
            if form == "F":
                event[name] = data.take(16 if self.is_td else 4).hex()
            else:
                event[name] = data.number({"T": "H" if self.is_td else "I"}.get(form, form))
        return event

    def read_frames(self):
        """Frames with a time each; what a frame has is kept only if all of it is sound."""
        speed, clock, frame = max(self.header["game_speed"], 1), 0, 0
        while self.bytes.at < len(self.bytes.data):
            row = {"frame": frame, "time": clock / 60, "offset": self.bytes.at}
            events = []
            if self.profile == "full":
                row["view"] = self.read_view()
            if self.has_events(frame):
                count = self.bytes.number("i")
                if not 0 <= count <= 16384:
                    raise Bad("count")
                events = [self.read_event(frame) for _ in range(count)]
                row["events"] = count
            row["size"] = self.bytes.at - row["offset"]
            if row["size"]:
                self.frames.append(row)
                self.events += [{"frame": frame, "time": row["time"], **event} for event in events]
            for event in events:
                if event["event"] == "GAMESPEED" and event["value"] >= 0:
                    speed = max(event["value"], 1)
            clock, frame = clock + speed, frame + 1

    # ---- what the header says ----

    def score(self):
        """Rule 17."""
        shown = self.frames[:256]
        if not shown:
            return 0 if self.problem else 30
        last = shown[-1]["frame"]
        content = sum(e["frame"] <= last for e in self.events)
        content += sum(bool(f.get("view", {}).get("selected")) for f in shown)
        total = 40 + min(2 * len(shown), 30) + min(4 * content, 20) + (0 if self.problem else 10)
        return total if content else min(total, 60)


def read(data):
    """The best of all readings."""
    found = []
    for game in ("ra", "td"):
        for profile in ("full", "events"):
            for gap in (False, True) if game == "ra" else (False,):
                try:
                    found.append(Replay(data, game, profile, gap))
                except Bad:
                    pass
    return max(found, key=lambda one: (one.score(), -one.gap))


def claims(path, data):
    return path.suffix == ".bin"


def expected(path, data):
    return remastered_answers.answers(path.name, read(data))


def generate(random, folder):
    remastered_make.generate(random, folder)
