"""Recipes of Minecraft scenes, worlds and camera paths."""

import gzip
import struct

from recipe import members, recipe, sample, swap, zipped
from mcreplay_make import list_of, tag

FULL = "mcreplay/materials_full.replay"
EMPTY = "mcreplay/empty.replay"
ENTITY = "entities/omit_multipart_java.xml"
LAVA = "tex/anim/lava.json"
SHEET = "tex/anim/lava_spritesheet.png"


def scene(name=FULL, drop=()):
    return {member: content for member, content in members(sample(name)).items() if member not in drop}


def changed(member, change, name=FULL):
    found = scene(name)
    return zipped({**found, member: change(found[member])})


def world_changed(change, name=EMPTY):
    """A scene with the members of its world changed."""
    return changed("world.vcap", lambda world: zipped(change(members(world))), name)


def world_of(*frames):
    data = tag(10, "", tag(9, "frames", list_of(10, list(frames))) + b"\0")
    return world_changed(lambda found: {**found, "world.dat": data})


def frame(kind, time, *tags):
    return tag(1, "type", bytes([kind])) + tag(6, "time", struct.pack(">d", time)) + b"".join(tags) + b"\0"


def first_frame(*models):
    palette = tag(9, "palette", list_of(8, [struct.pack(">H", len(m)) + m for m in models]))
    place = b"".join(tag(3, axis, bytes(4)) for axis in "xyz")
    section = place + palette + tag(11, "blocks", struct.pack(">i", 4096) + bytes(4 * 4096)) + b"\0"
    return frame(0, 0, tag(9, "sections", list_of(10, [section])))


def change_frame(time):
    return frame(1, time, tag(9, "palette", list_of(8, [])), tag(9, "blocks", list_of(10, [])))


# ---- archives ----


@recipe(".replay")
def mcreplay_duplicate():
    found = scene(EMPTY)
    return zipped(found, {"meta.json": found["meta.json"]})


@recipe(".replay")
def mcreplay_no_meta():
    return world_changed(lambda found: {name: content for name, content in found.items() if name != "meta.json"})


@recipe(".replay")
def mcreplay_no_world():
    return zipped(scene(EMPTY, drop=["world.vcap"]))


@recipe(".replay")
def mcreplay_version():
    return changed("meta.json", lambda text: swap(text, b"0.3.0", b"9.9.9"), EMPTY)


@recipe(".replay")
def mcreplay_lost_world():
    return changed("world.vcap", lambda world: world[:40])


# ---- worlds ----


@recipe(".replay")
def mcreplay_lost_world_frames():
    """The second change is of an unknown type."""
    return world_of(first_frame(b"empty"), change_frame(1.0), frame(7, 2.0))


@recipe(".replay")
def mcreplay_model_missing():
    return world_of(first_frame(b"empty", b"nothing"))


@recipe(".replay")
def mcreplay_world_gzip():
    return world_changed(lambda found: {**found, "world.dat": gzip.compress(found["world.dat"], mtime=0)})


@recipe(".replay")
def mcreplay_world_order():
    return world_of(first_frame(b"empty"), change_frame(2.0), change_frame(1.0))


@recipe(".replay")
def mcreplay_world_trailing():
    return world_changed(lambda found: {**found, "world.dat": found["world.dat"] + b"more"})


# ---- materials ----


@recipe(".replay")
def mcreplay_lost_member():
    return changed("mat/all/scalar.json", lambda text: text[:-1])


@recipe(".replay")
def mcreplay_material_mode():
    return changed("mat/all/scalar.json", lambda text: swap(text, b'"opaque"', b'"strange"'))


@recipe(".replay")
def mcreplay_material_value():
    return changed("mat/all/scalar.json", lambda text: swap(text, b"0.25", b"[1, 2]"))


@recipe(".replay")
def mcreplay_override_reserved():
    return changed("mat/all/overrides.json", lambda text: swap(text, b"$VERTEX_COLOR", b"$OTHER"))


@recipe(".replay")
def mcreplay_texture_animation():
    return changed(LAVA, lambda text: swap(text, b"6.6666665", b"-1"))


@recipe(".replay")
def mcreplay_texture_height():
    return changed(LAVA, lambda text: swap(text, b'"frame_count": 5', b'"frame_count": 7'))


@recipe(".replay")
def mcreplay_texture_missing():
    return zipped(scene(drop=[SHEET]))


@recipe(".replay")
def mcreplay_texture_png():
    return changed(SHEET, lambda image: image[:-12])


# ---- entities ----


def entity_changed(change):
    return changed(ENTITY, change, "mcreplay/omission_rules.replay")


@recipe(".replay")
def mcreplay_no_anim():
    return entity_changed(lambda text: text[:text.index(b"<anim")] + b"</entity>")


@recipe(".replay")
def mcreplay_second_mesh():
    return entity_changed(lambda text: swap(text, b"</mesh>", b"</mesh><mesh/>"))


@recipe(".replay")
def mcreplay_short_override():
    """The last line ends with a vector and a number; the vector loses two numbers."""
    def change(text):
        parts = text.split(b";")
        parts[-3] = b"0.5"
        return b";".join(parts)
    return entity_changed(change)


# ---- camera paths ----


@recipe(".xml")
def mccamera_lost_frames():
    return swap(sample("mccamera/pan.xml"), b"0.5 1.625", b"0.5 ?")
