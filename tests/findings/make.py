#!/usr/bin/env python3
"""Makes the smallest files that trigger findings which no file of tests/data triggers.

usage: tests/findings/make.py DIRECTORY

The recipes of archives and of CS2KZ are in make_*.py. Each function is a recipe, named after its finding with underscores: it changes a sample, or
has one of the oracle's writers make a file. `RECIPES` gives them by the names of table.tsv.
"""

import hashlib
import io
import random
import struct
import sys
import zipfile
import zlib
from pathlib import Path

from recipe import RECIPES, members, put, recipe, sample, swap, zipped
import ironcurtain  # noqa: E402
import ironcurtain_make  # noqa: E402
import ironcurtain_types as types  # noqa: E402
import make_cs2kz  # noqa: E402, F401
import make_mcreplay  # noqa: E402, F401
import make_rumble  # noqa: E402, F401
import openra  # noqa: E402
import openra_make  # noqa: E402
import remastered  # noqa: E402
from bincode import decode, encode  # noqa: E402

# ---- OpenRA ----

FLAT = "openra/p21-2p.orarep"


def archive(**changes):
    """zip-p21 with members replaced."""
    old = members(sample("openra/zip-p21.orarep"))
    return zipped({name: changes.get(name.split(".")[0], lambda same: same)(content) for name, content in old.items()})


def rebuilt(change):
    """The flat sample with the text of its trailer changed."""
    data = sample(FLAT)
    start, text = openra.read_trailer(data)
    text = change(text)
    return data[:start] + struct.pack("<iii", -1, 1, len(text)) + text + struct.pack("<ii", len(text) + 4, -2)


@recipe(".orarep")
def openra_archive():
    data = sample("openra/zip-p21.orarep")
    return data[:data.index(b"PK\x01\x02")]


@recipe(".orarep")
def openra_entry_cut():
    """The checksum of the packets is wrong, in the directory and before the entry."""
    data = sample("openra/zip-p21.orarep")
    with zipfile.ZipFile(io.BytesIO(data)) as found:
        right = struct.pack("<I", found.getinfo("orders").CRC)
    return data.replace(right, bytes([right[0] ^ 1]) + right[1:])


@recipe(".orarep")
def openra_lobby_size():
    writer = openra_make.Writer(random.Random(1), "p21")
    writer.lobby = lambda server: "a" * (1 << 20) + "b"
    return b"".join(writer.greetings()) + openra_make.packet(writer.clients[0], 1, b"")


@recipe(".orarep")
def openra_lobby_only():
    data = sample(FLAT)
    replay = openra.Replay(data)
    start = next(o["packet"] for o in replay.orders if o["order"] == "StartGame")
    return data[:int(replay.packets[start]["offset"])]


@recipe(".orarep")
def openra_outcome():
    return rebuilt(lambda text: text.replace(b"Outcome: Lost", b"Outcome: Won"))


@recipe(".orarep")
def openra_password():
    writer = openra_make.Writer(random.Random(1), "p21")
    return b"".join(writer.greetings()) + openra_make.packet(writer.clients[0], 1, b"")


@recipe(".orarep")
def openra_protocol_newer():
    return swap(sample(FLAT), b"OrdersProtocol: 21", b"OrdersProtocol: 23")


@recipe(".orarep")
def openra_sync_entry():
    return archive(sync=lambda content: content[:-3])


@recipe(".orarep")
def openra_sync_list():
    return archive(sync=lambda content: put(content, 0, bytes([content[0] ^ 1])))


@recipe(".orarep")
def openra_sync_size():
    data = sample(FLAT)
    packet = next(p for p in openra.Replay(data).packets if p["kind"] == "sync")
    at = int(packet["offset"])
    return data[:at] + openra_make.packet(packet["client"], packet["frame"], b"\x65abc") + data[at:]


# ---- classic recordings ----


@recipe(".bin")
def remastered_selection():
    data = sample("remastered/td-full-campaign.bin")
    return put(data, remastered.read(data).frames[-1]["offset"] + 4, struct.pack("<i", 5000))


@recipe(".bin")
def remastered_selection_sum():
    data = sample("remastered/td-full-campaign.bin")
    return put(data, remastered.read(data).frames[-1]["offset"] + 8, struct.pack("<I", 77))


@recipe(".bin")
def remastered_skirmish_gap():
    data = sample("remastered/ra-full-skirmish.bin")
    first, second = remastered.read(data).frames[:2]
    events = 4 + 137 * first["events"]
    return data[:second["offset"] - events] + data[second["offset"]:]


# ---- Iron Curtain ----


def replay(ticks, order=None):
    """A replay by the oracle's writer, with one order at tick 0."""
    writer = ironcurtain_make.Writer(random.Random(3))
    writer.ticks = ticks
    writer.order = lambda game: order or "Idle"
    return writer


def written(writer, folder=[]):
    class Sink:
        def write_bytes(self, data):
            folder[:] = [data]
    writer.write(Sink())
    return folder[0]


@recipe(".icrep")
def icrep_base_build():
    return swap(sample("ironcurtain/basic.icrep"), b'"base_build": 1', b'"base_build": 2')


@recipe(".icrep")
def icrep_chat_length():
    return written(replay(5, {"ChatMessage": {"channel": "All", "text": "a" * 600}}))


@recipe(".icrep")
def icrep_embedded_script():
    """The embedded map becomes an archive with a script."""
    data = sample("ironcurtain/map-embedded.icrep")
    found = ironcurtain.Replay(data)
    at, size = found.sections["embedded"]
    if at + size != len(data):
        raise ValueError("the embedded map is not at the end")
    content = zipped({"map.yaml": b"Title: x", "ai.lua": b"return 1"})
    new = encode({**found.embedded, "map_data": ironcurtain_make.sized(content)}, types.EMBEDDED)
    data = put(data[:at], 100, struct.pack("<I", len(new))) + new
    start = data.index(b"sha256:", data.index(b'"map_hash"')) + len("sha256:")
    return put(data, start, hashlib.sha256(content).hexdigest().encode())


@recipe(".icrep")
def icrep_stroke_length():
    return written(replay(5, {"MinimapDraw": {"points": [{"x": 1, "y": 2, "z": 0}] * 40, "color": 1}}))


@recipe(".icrep")
def icrep_recovered():
    """With the flag INCOMPLETE and no final hash; the last tick is not signed."""
    data = sample("ironcurtain/bad/sig-no-terminal.icrep")
    return put(put(data, 7, bytes([data[7] | 16])), 56, bytes(32))


@recipe(".icrep")
def icrep_final_keyframe():
    return put(written(replay(300)), 56, b"\x11" * 32)


@recipe(".icrep")
def icrep_final_unknown():
    return put(sample("ironcurtain/basic.icrep"), 56, bytes(32))


@recipe(".icrep")
def icrep_lost_count():
    return put(sample("ironcurtain/lost-frames.icrep"), 104, struct.pack("<I", 5))


@recipe(".icrep")
def icrep_lost_frames():
    return put(sample("ironcurtain/basic.icrep"), 104, struct.pack("<I", 1))


@recipe(".icrep")
def icrep_metadata_seed():
    data = sample("ironcurtain/basic.icrep")
    at = data.index(b'"initial_rng_seed":') + 20
    return put(data, at, b"1" if data[at:at + 1] != b"1" else b"2")


@recipe(".icrep")
def icrep_metadata_ticks():
    data = sample("ironcurtain/cadence-45.icrep")
    at = data.index(b'"total_ticks":') + 14
    return put(data, at, b"9")


@recipe(".icrep")
def icrep_section_unflagged():
    return put(sample("ironcurtain/all-events.icrep"), 7, b"\0")


@recipe(".icrep")
def icrep_signed_flag():
    return swap(sample("ironcurtain/basic.icrep"), b'"signed": false', b'"signed":  true')


def chain_changed(change, name="ironcurtain/cadence-45.icrep"):
    data = sample(name)
    at, size = ironcurtain.Replay(data).sections["signature"]
    signature = decode(data[at:at + size], types.SIGNATURE)
    change(signature["chain"])
    return put(data, at, encode(signature, types.SIGNATURE))


@recipe(".icrep")
def icrep_signature_order():
    return chain_changed(lambda chain: chain.insert(0, chain.pop(1)))


@recipe(".icrep")
def icrep_signed_keyframe_hash():
    def change(chain):
        entry = next(e for e in chain if e["tick"] % 300 == 0)
        entry["state_hash"] = bytes(32)
    return chain_changed(change, "ironcurtain/lost-frames.icrep")


@recipe(".icrep")
def icrep_skipped_ticks():
    return chain_changed(lambda chain: chain[0].update(skipped_ticks=3))


@recipe(".icrep")
def icrep_key_changes():
    data = sample("ironcurtain/live-clean.icrep")
    at = data.rindex(b"ICSG")
    stored = struct.unpack_from("<I", data, at + 20)[0]
    signature = decode(ironcurtain.unpack(data[at + 32:at + 32 + stored]), types.SIGNATURE)
    signature["key"] = bytes(32)
    body = encode(signature, types.SIGNATURE)
    new = ironcurtain_make.sized(body)
    head = data[at:at + 20] + struct.pack("<II", len(new), len(body))
    return data[:at] + head + struct.pack("<I", zlib.crc32(head + new)) + new + data[at + 32 + stored:]


@recipe(".icsave")
def icsave_thumbnail():
    return swap(sample("ironcurtain/everything.icsave"), b"\x89PNG", b"\x88PNG")


@recipe(".icsave")
def icsave_tick():
    return swap(sample("ironcurtain/everything.icsave"), b'"tick": 90', b'"tick": 91')


@recipe(".icsave")
def icsave_unknown_flags():
    return put(sample("ironcurtain/everything.icsave"), 7, b"\x81")


def proof_changed(change):
    about = decode(sample("ironcurtain/players-tick-600.icproof")[8:], types.PROOF)
    change(about)
    return b"ICPF" + struct.pack("<HH", 1, 0) + encode(about, types.PROOF)


@recipe(".icproof")
def icproof_path():
    """A surplus sibling."""
    return proof_changed(lambda about: about["siblings"].append(bytes(32)))


@recipe(".icproof")
def icproof_signature():
    return proof_changed(lambda about: about.update(skipped_ticks=1))


def make(folder):
    for name, function in RECIPES.items():
        (folder / name).write_bytes(function())


if __name__ == "__main__":
    make(Path(sys.argv[1]))
