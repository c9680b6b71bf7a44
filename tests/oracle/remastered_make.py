"""Writes recordings of the classic games with random content, as docs/spec/remastered.md has them."""

import struct

import remastered


def pack(form, values):
    return b"".join(struct.pack("<" + kind, values[name]) for name, kind in remastered.form_of(form))


class Writer:
    def __init__(self, random, game, profile):
        self.random, self.game, self.profile = random, game, profile
        self.is_td = game == "td"
        kinds = (0, 1, 3, 4, 5) if self.is_td else (0, 1, 3, 4, 5, 8)
        self.type = random.choice(kinds)
        self.protocol = random.choice((0, 1, 2)) if self.type else 0
        self.rate = random.randint(1, 6)
        self.players = 1 if self.type == 0 else random.randint(2, 6)
        self.first_house = 4 if self.is_td else 12

    def common(self):
        random = self.random
        return {"type": self.type, "comm_protocol": self.protocol, "frame_send_rate": self.rate, "pref_color": 1,
                "color_idx": 2, "house": random.randint(0, 3), "num_players": self.players, "bases": 1,
                "credits": random.randint(0, 10000), "tiberium": 1, "goodies": 0, "ghosts": 0, "unit_count": 5,
                "build_level": 7, "seed": random.randint(-2**31, 2**31 - 1), "scenario": random.randint(1, 99),
                "whom": self.first_house, "game_speed": random.choice((0, 1, 3, 4, 6)), "scroll_rate": 3}

    def header(self):
        random, values = self.random, self.common()
        if self.is_td:
            ids = bytes(16 * i + i for i in range(6))
            values.update(modem_type=0, player_name=b"Zoe", local_id=random.choice(ids), player_ids=ids,
                          player_houses=bytes(4 + i for i in range(6)), scen_player=random.randint(-1, 4),
                          scen_dir=random.randint(-1, 1), special=random.randbytes(140), options=bytes(54))
            return pack(remastered.TD_HEADER, values)
        nodes = self.players if self.type in (1, 3, 4, 8) else 0
        values.update(ai_players=1, obi_wan=0, emergency_save=0, player_nodes=nodes, debug_unshroud=0,
                      scenario_name=b"SCM%02dEA.INI" % random.randint(1, 99), special=random.randbytes(132),
                      options=random.randbytes(272))
        people = b"".join(pack(remastered.NODE, {
            "name": b"P%d" % i, "address": random.randbytes(10), "house": random.randint(0, 7), "color": i,
            "id": 12 + i, "process_time": -1}) for i in range(nodes))
        return pack(remastered.RA_SESSION, values) + people + pack(remastered.RA_SCENARIO, values)

    def target(self):
        random = self.random
        kind = random.random()
        if kind < 0.15:
            return 0
        if kind < 0.6:
            side = 63 if self.is_td else 127
            cell = random.randint(0, side) << (6 if self.is_td else 7) | random.randint(0, side)
            return 1 << 12 | cell if self.is_td else 9 << 24 | cell
        return random.choice((2, 3, 4)) << 12 | random.randint(0, 50) if self.is_td else \
            random.choice((5, 13, 28)) << 24 | random.randint(0, 50)

    def value(self, name, form):
        random = self.random
        if form == "T":
            return self.target()
        if name == "mission":
            return random.randint(-1, 21)
        if name == "rtti":
            return random.choice((2, 4, 6, 8) if self.is_td else (2, 6, 14, 29, 31, 40))
        if name == "type_id":
            return random.randint(0, 25)
        if name == "weapon":
            return random.randint(-1, 9)
        if name == "cell":
            return random.randint(0, 63 << 6 if self.is_td else 127 << 7)
        if name == "value":
            return random.randint(0, 7)
        if name == "delay":
            return random.randint(0, 5)
        if name == "crc":
            return 77 if random.random() < 0.9 else 78
        top = {"b": 127, "B": 255, "H": 65535, "h": 32767, "i": 2**31 - 1, "I": 2**32 - 1}[form]
        return random.randint(0, top)

    def event(self, frame):
        random = self.random
        names = remastered.TD_TYPES if self.is_td else remastered.RA_TYPES
        name = random.choice(names + ["MEGAMISSION"] * 12 + ["PRODUCE", "PLACE", "FRAMEINFO"] * 3)
        data = b""
        for member, form in remastered.TYPES[name]:
            if form == "F":
                data += random.randbytes(140 if self.is_td else 132)
            else:
                data += struct.pack("<" + {"T": "H" if self.is_td else "I"}.get(form, form), self.value(member, form))
        split = 27 if self.is_td else 26
        house = self.first_house + random.randrange(self.players)
        head = struct.pack("<BI", names.index(name), frame & (1 << split) - 1 | house << split)
        if self.is_td:
            head += bytes([random.randint(0, 90)])
        room = (146 if self.is_td else 137) - len(head)
        return head + data[:room] + random.randbytes(max(0, room - len(data)))

    def view(self, selected, teams):
        random = self.random
        form = "H" if self.is_td else "I"
        data = struct.pack("<IiI", random.randint(0, 64 << 24 | 0x3FFF), len(selected), sum(selected) & 0xFFFFFFFF)
        data += struct.pack(f"<{len(selected)}{form}", *selected)
        if not self.is_td:
            data += bytes(3) + teams + struct.pack("<BbB", 0, random.randint(-1, 4), 9)
        return data

    def write(self, folder, number):
        random = self.random
        frames = random.randint(30, 400) if random.random() < 0.3 else random.randint(8, 90)
        data, selected, teams = self.header(), [], bytes(400)
        for frame in range(frames):
            if self.profile == "full":
                if random.random() < 0.3:
                    selected = [self.target() or 1 for _ in range(random.randint(0, 6))]
                if random.random() < 0.1:
                    at = random.randrange(400)
                    teams = teams[:at] + random.randbytes(1) + teams[at + 1:]
                data += self.view(selected, teams)
            always = self.type == 0 or not self.is_td and self.type == 5
            if always or frame and (self.protocol != 2 or frame % self.rate == 0):
                count = random.choice((0, 0, 1, 1, 2, 3))
                data += struct.pack("<i", count) + b"".join(self.event(frame) for _ in range(count))
        (folder / f"{number}-{self.game}-{self.profile}.bin").write_bytes(data)


def generate(random, folder):
    for number in range(16):
        Writer(random, ("ra", "td")[number % 2], ("full", "events")[number // 2 % 2]).write(folder, number)
