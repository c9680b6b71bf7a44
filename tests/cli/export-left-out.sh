# What channels and materials hold beyond a scene is named; tints and translucent looks are written.
python3 - <<'PY'
import json, struct, zipfile, zlib


def png(width, height):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = (b"\0" + b"\x40\x60\xff\xa0" * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


face = "v 0 0 0\nv 1 0 0\nv 1 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nusemtl {}\nf 1/1 2/2 3/3\n"
entity = ('<entity name="Slime"><model rig-type="multipart"><part name="a"><mesh>' + face.format("skin")
          + '</mesh><part name="b"><mesh>' + face.format("glass") + '</mesh></part></part>'
          '<override_channel name="tint" type="vector"/><override_channel name="wet" type="scalar"/>'
          '</model><anim>1 0 0 0 0 0 0;;;0.5 0.5 0.5;0\n;;1 0 0 0 0 0 0 1 1 1 0;2 0 0;1\n;;;;</anim>'
          '</entity>')
with zipfile.ZipFile("slime.replay", "w", zipfile.ZIP_DEFLATED) as out:
    out.writestr("meta.json", json.dumps({"version": "0.3.0", "encoder": "test", "offset": [0, 0, 0]}))
    out.writestr("entities/Slime.xml", entity)
    out.writestr("mat/skin.json", json.dumps({"color": "skin", "color2_blend_mode": "SOFT_LIGHT",
        "roughness": "rough", "overrides": {"color2": "tint", "roughness": "wet"}}))
    out.writestr("mat/glass.json", json.dumps({"color": "water", "blend_mode": "HASHED"}))
    out.writestr("tex/skin.png", png(2, 2))
    out.writestr("tex/rough.png", png(2, 2))
    out.writestr("tex/water_spritesheet.png", png(2, 6))
    out.writestr("tex/water.json", json.dumps({"framerate": 20, "frame_count": 3}))
PY
reprise export slime.replay slime.gltf; echo "exit $?"
python3 - <<'PY'
import json
scene = json.load(open("slime.gltf"))
print(scene["extensionsUsed"], scene["asset"]["extras"]["reprise"]["left_out"])
for material in scene["materials"]:
    print(material["name"], material.get("alphaMode"), material["extras"]["reprise"])
for channel in scene["animations"][0]["channels"]:
    if "extensions" in channel["target"]:
        print(channel["target"]["extensions"]["KHR_animation_pointer"]["pointer"])
print([(n["name"], n["extras"]["reprise"]["kind"], "skin" in n) for n in scene["nodes"]])
print([(s["name"], len(s["joints"])) for s in scene["skins"]])
PY
reprise export --json -f slime.replay slime.glb | validate export
reprise export -f slime.replay slime.json; echo "exit $?"
