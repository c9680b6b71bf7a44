"""Makes Minecraft scene replays and worlds from a random generator, for mcreplay.py to read."""

import io
import json
import struct
import zipfile
import zlib

MODELS = ["minecraft_stone#1.3f", "minecraft_air#0.3f", "minecraft_grass_block#9.3f", "fluid.0"]
CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
SIDES = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]


def png(width, height):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pixels = zlib.compress((b"\0" + b"\x80\x40\x20\xff" * width) * height)
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def box(material, group=None):
    faces = "".join("f " + " ".join(f"{v}/{i + 1}" for i, v in enumerate(side)) + "\n" for side in SIDES)
    return CUBE + (f"g {group}\n" if group else "") + f"usemtl {material}\n" + faces


# ---- NBT ----


def tag(kind, name, payload):
    return bytes([kind]) + text(name) + payload


def text(value):
    return struct.pack(">H", len(value)) + value.encode()


def list_of(kind, payloads):
    return struct.pack(">Bi", kind, len(payloads)) + b"".join(payloads)


class Maker:
    def __init__(self, random):
        self.random = random

    def number(self, reach):
        value = self.random.uniform(-reach, reach)
        return repr(value if self.random.random() < 0.8 else round(value, 3))

    # ---- entities ----

    def entry(self, visible):
        """Rotation, and perhaps translation, scale and visibility."""
        random = self.random
        count = random.choice([0, 4, 7, 10, 11] if visible else [0, 4, 7, 10])
        numbers = [self.number(1) for _ in range(4)] + [self.number(20) for _ in range(3)]
        numbers += [repr(random.uniform(0.5, 2)) for _ in range(3)] + [random.choice("01")]
        return " ".join(numbers[:count]) + ";"

    def entity(self, number, material):
        random = self.random
        rig = random.choice(["multipart", "multipart", "armature"])
        parts = random.randint(1, 4)
        if rig == "multipart":
            model = "".join(f'<part name="p{i}"><mesh>{box(material)}</mesh>' for i in range(parts)) + "</part>" * parts
        else:
            model = "".join(f'<bone name="b{i}" pos="{self.number(2)},{self.number(2)},{self.number(2)}" '
                            f'rot="{self.number(1)},{self.number(1)},{self.number(1)},1" len="0.5"/>' for i in range(parts))
            model += f"<mesh>{box(material, 'b0')}</mesh>"
        channels = random.randint(0, 1)
        model += '<override_channel name="tint" type="vector"/>' * channels
        frames = []
        for at in range(random.randint(2, 25)):
            line = f"{self.number(1)} 0 {self.number(1)} 1 {self.number(50)} {self.number(50)} {self.number(50)} 1 1 1;" \
                if at == 0 or random.random() < 0.8 else ";"
            line += "".join(self.entry(rig == "multipart") for _ in range(parts))
            line += f"{self.number(1)} {self.number(1)} {self.number(1)};" * channels
            frames.append(line)
        fps, start = random.choice([20.0, 20.0, 10.0, 24.0]), random.choice([0.0, 0.0, 0.5, 1.25])
        kind = random.choice(["minecraft:zombie", "minecraft:cow", "minecraft:player"])
        return (f'<?xml version="1.0" encoding="UTF-8"?><entity class="{kind}" name="E {number}"><model rig-type="{rig}">'
                f'{model}</model><anim fps="{fps}" start-time="{start}">' + "\n".join(frames) + "</anim></entity>")

    # ---- materials ----

    def field(self):
        random = self.random
        return random.choice([random.random(), [random.random() for _ in range(3)], "skin"])

    def material(self, tinted):
        random = self.random
        found = {"color": self.field(), "roughness": random.random(), "metallic": random.random(),
                 "emission_strength": random.uniform(0, 2), "tags": ["made"],
                 "blend_mode": random.choice(["OPAQUE", "clip", "Hashed", "blend"]),
                 "color2_blend_mode": random.choice(["SOFT_LIGHT", "multiply"])}
        if tinted:
            found["overrides"] = {"color2": "tint"}
        return json.dumps(found)

    # ---- worlds ----

    def section(self, at):
        random = self.random
        blocks = [random.choice([0, 1, 1, 1, 2, 3]) for _ in range(4096)]
        body = b"".join(tag(3, axis, struct.pack(">i", value)) for axis, value in zip("xyz", at))
        body += tag(9, "palette", list_of(8, [text(model) for model in MODELS]))
        body += tag(11, "blocks", struct.pack(">i4096i", 4096, *blocks))
        if random.random() < 0.7:
            colours = random.randint(1, 120)
            body += tag(7, "colorPalette", struct.pack(">i", 3 * colours) + random.randbytes(3 * colours))
            offsets = bytes(3 * random.randrange(colours) & 255 for _ in range(4096))
            body += tag(7, "colors", struct.pack(">i", 4096) + offsets)
        return body + b"\0"

    def change(self):
        random = self.random
        blocks = []
        for _ in range(random.randint(1, 20)):
            place = [random.randint(-20, 20) for _ in range(3)]
            body = tag(9, "pos", list_of(3, [struct.pack(">i", v) for v in place]))
            body += tag(3, "state", struct.pack(">i", random.randrange(len(MODELS))))
            if random.random() < 0.5:
                body += tag(9, "color", list_of(1, [random.randbytes(1) for _ in range(3)]))
            blocks.append(body + b"\0")
        return tag(9, "palette", list_of(8, [text(model) for model in MODELS])) + tag(9, "blocks", list_of(10, blocks))

    def world(self):
        random = self.random
        sections = [self.section((random.randint(-2, 1), number, 0)) for number in range(2)]
        frames = [tag(1, "type", b"\0") + tag(6, "time", struct.pack(">d", 0)) +
                  tag(9, "sections", list_of(10, sections)) + b"\0"]
        time = 0.0
        for _ in range(random.randint(0, 4)):
            time += random.uniform(0.1, 45)
            frames.append(tag(1, "type", b"\1") + tag(6, "time", struct.pack(">d", time)) + self.change() + b"\0")
        members = {"world.dat": tag(10, "", tag(9, "frames", list_of(10, frames)) + b"\0")}
        for model in MODELS:
            members[f"mesh/{model}.obj"] = "" if "air" in model else box("world_tinted" if "grass" in model else "world")
        members["mat/world.json"] = json.dumps({"color": "world", "roughness": 1.0})
        members["mat/world_tinted.json"] = json.dumps({"color": "world", "overrides": {"color2": "$VERTEX_COLOR"}})
        members["tex/world.png"] = png(16, 16)
        members["meta.json"] = json.dumps({"version": "0.3.0", "encoder": "Minecraft World Exporter",
                                           "blockTypes": {MODELS[0]: "minecraft:stone"}})
        return archive(members)

    def scene(self):
        random = self.random
        count = random.randint(1, 4)
        members = {"meta.json": json.dumps({"version": "0.3.0", "encoder": "made", "offset": [
            random.randint(-500, 500) for _ in range(3)]}), "world.vcap": self.world()}
        for number in range(count):
            members[f"entities/E {number}.xml"] = self.entity(number, f"m{number}")
        for number in range(count):
            members[f"mat/m{number}.json"] = self.material(random.random() < 0.5)
        members["tex/skin.json"] = json.dumps({"framerate": 5, "frame_count": 2})
        members["tex/skin_spritesheet.png"] = png(8, 16)
        return archive(members)


def archive(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in members.items():
            target.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def generate(random, directory):
    for number in range(4):
        (directory / f"scene{number}.replay").write_bytes(Maker(random).scene())
    (directory / "world.vcap").write_bytes(Maker(random).world())
