"""Recipes of RUMBLE replays."""

import gzip
import json
import struct

from recipe import members, put, recipe, sample, seeded, swap, zipped
from compression import brotli, brotli_compress
from rumble_make import Maker

TINY = "rumble/tiny/z6_tiny.replay"
VOICES = "rumble/z6_voices_extensions.replay"


def manifest_changed(old, new):
    found = members(sample(TINY))
    return zipped({**found, "manifest.json": swap(found["manifest.json"], old, new)})


def voices_changed(change):
    found = members(sample(VOICES))
    return zipped({**found, "voices.json": change(found["voices.json"])})


def stream_changed(change, layout="z5"):
    """A replay of the oracle's writer, with its stream changed; the change gets the offset of each frame."""
    found = members(Maker(seeded(), layout, 30).archive())
    stream = brotli(found["replay"])
    starts, at = [], 4
    while at < len(stream):
        starts.append(at)
        at += 4 + struct.unpack_from("<i", stream, at)[0]
    return zipped({**found, "replay": brotli_compress(change(stream, starts))})


@recipe(".replay")
def rumble_duplicate_entry():
    found = members(sample(TINY))
    return zipped(found, {"manifest.json": found["manifest.json"]})


@recipe(".replay")
def rumble_duplicate_member():
    return manifest_changed(b"{", b'{"Version": "1.2.4",')


@recipe(".replay")
def rumble_duration():
    found = members(sample(TINY))
    about = json.loads(found["manifest.json"])
    about["Duration"] += 5
    return zipped({**found, "manifest.json": json.dumps(about)})


@recipe(".replay")
def rumble_unknown_version():
    found = members(sample(TINY))
    about = json.loads(found["manifest.json"])
    return zipped({**found, "manifest.json": json.dumps({**about, "Version": "7.8.9"})})


@recipe(".replay")
def rumble_unsafe_name():
    return zipped(members(sample(TINY)), {"extensions/../../a.txt": b"a"})


@recipe(".replay")
def rumble_voice_index():
    return voices_changed(lambda text: text[:-5])


@recipe(".replay")
def rumble_voice_name():
    return voices_changed(lambda text: swap(text, b'"p0_', b'"../p0_'))


@recipe(".replay")
def rumble_lost_member():
    """A voice whose compressed data is damaged."""
    data = sample(VOICES)
    at = data.index(b"voices/p1_")
    return put(data, at + len("voices/p1_C3D7368EB342E9E9_v1_501.ogg") + 40, b"\xff\xff\xff\xff")


@recipe(".replay")
def rumble_lost_frame():
    """A frame with a negative number of entries; its size leads to the next one."""
    return stream_changed(lambda stream, starts: put(stream, starts[15] + 8, struct.pack("<i", -5)))


@recipe(".replay")
def rumble_lost_entry():
    """The first entry of a frame is of a structure that does not exist."""
    return stream_changed(lambda stream, starts: put(stream, starts[0] + 13, struct.pack("<i", 99)))


@recipe(".replay")
def rumble_mended_size():
    return stream_changed(lambda stream, starts: put(stream, starts[15], struct.pack("<i", 1 << 29)))


@recipe(".replay")
def rumble_structure_counts():
    """The first of both counts, which follows the number of frames, is one less."""
    data = sample("rumble/tiny/l1_tiny.replay")
    text = gzip.decompress(data[12:])
    at = 6
    for _ in range(3):
        at += 1 + text[at]
    text = put(text, at + 4, struct.pack("<i", struct.unpack_from("<i", text, at + 4)[0] - 1))
    packed = gzip.compress(text, mtime=0)
    return b"RGZP" + struct.pack("<2i", len(text), len(packed)) + packed


@recipe(".replay")
def rumble_wrapper_trailing():
    return sample("rumble/tiny/l1_tiny.replay") + b"more"
