"""Small files that claim to be large ones: what a verb does with them must stay cheap.

Standard library only. Every function returns the bytes of one file, made by hand or from a sample.
"""

import argparse
import io
import struct
import zipfile
import zlib
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data"


# ---- zstd: frames of runs, four bytes for 128 KiB ----

BLOCK = 1 << 17


def zstd_runs(size, byte=0, single_segment=True, window_log=27):
    """A frame of `size` equal bytes. In one segment, the window is all of it."""
    if single_segment:
        head = struct.pack("<IBQ", 0xFD2FB528, 0xE0, size)
    else:
        head = struct.pack("<IBB", 0xFD2FB528, 0x00, (window_log - 10) << 3)
    blocks = []
    left = size
    while left > BLOCK:
        blocks.append((2 | BLOCK << 3).to_bytes(3, "little") + bytes([byte]))
        left -= BLOCK
    blocks.append((3 | left << 3).to_bytes(3, "little") + bytes([byte]))
    return head + b"".join(blocks)


def zstd_stored(data):
    return struct.pack("<IBI", 0xFD2FB528, 0xA0, len(data)) + (1 | len(data) << 3).to_bytes(
        3, "little"
    ) + data


# ---- CS2KZ ----


def cs2kz(sections, layout_version=5):
    """`sections`: (count, size, zstd data) of ticks, subticks, weapons, jumps, events, commands,
    subticks of commands."""
    header = bytes([0x08, layout_version, 0x10, 0])
    parts = [struct.pack("<I", len(header)), header]
    for count, size, data in sections:
        parts += [struct.pack("<III", len(data), size, count), data]
    return b"".join(parts)


SUBTICK_ENTRY = 868
NO_ITEMS = (0, 0, zstd_stored(b""))
NO_LISTED_ITEMS = (0, 4, zstd_stored(bytes(4)))


def cs2kz_runs(ticks, single_segment=True):
    """A player who never moves, for `ticks` ticks: 868 bytes of subticks for each of them."""
    return cs2kz(
        [
            (ticks, ticks * 8, zstd_runs(ticks * 8, 0, single_segment)),
            (
                ticks,
                ticks * SUBTICK_ENTRY,
                zstd_runs(ticks * SUBTICK_ENTRY, 0, single_segment),
            ),
            NO_ITEMS,
            NO_LISTED_ITEMS,
            NO_ITEMS,
            NO_ITEMS,
            NO_ITEMS,
        ]
    )


def cs2kz_commands(count):
    """No ticks, but commands without number."""
    return cs2kz(
        [
            NO_ITEMS,
            NO_ITEMS,
            NO_ITEMS,
            NO_LISTED_ITEMS,
            NO_ITEMS,
            (count, count * 8, zstd_runs(count * 8)),
            (count, count * SUBTICK_ENTRY, zstd_runs(count * SUBTICK_ENTRY)),
        ]
    )


def cs2kz_table(section, size, count):
    """One of the tables that are kept in memory is a run."""
    sections = [NO_ITEMS, NO_ITEMS, NO_ITEMS, NO_LISTED_ITEMS, NO_ITEMS, NO_ITEMS, NO_ITEMS]
    sections[section] = (count, size, zstd_runs(size))
    return cs2kz(sections)


# ---- archives ----


def archive(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as zip_file:
        for name, data in members:
            zip_file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


META = '{"version":"0.3.0","encoder":"Igriums Replay Exporter 0.9.1","offset":[0,0,0]%s}'
SMALL_ENTITY = (
    '<?xml version="1.0"?><entity class="minecraft:pig" name="Pig"><model rig-type="multipart">'
    '<part name="a"/></model><anim fps="20.0"><frame/></anim></entity>'
)


def mcreplay(meta=META % "", entity=SMALL_ENTITY, more=()):
    return archive([("meta.json", meta), ("entities/Pig.xml", entity), *more])


def mcreplay_lists(count):
    """meta.json with many empty lists: one value for every three bytes."""
    return mcreplay(meta=META % (',"x":[' + "[]," * count + "[]]"))


def mcreplay_parts(count):
    """An entity with many parts without anything in them."""
    return mcreplay(
        entity='<entity name="Pig"><model rig-type="multipart">'
        + "<part/>" * count
        + '</model><anim fps="20.0"></anim></entity>'
    )


def mcreplay_bones(count):
    return mcreplay(
        entity='<entity name="Pig"><model rig-type="armature">'
        + "<bone/>" * count
        + '<mesh/></model><anim fps="20.0"></anim></entity>'
    )


def mcreplay_tag(size):
    """One tag with an endless attribute."""
    return mcreplay(entity='<entity name="' + "a" * size + '"/>')


def mcreplay_mesh(count):
    return mcreplay(
        entity='<entity name="Pig"><model rig-type="multipart"><part name="a"><mesh>'
        + "v 0 0 0\n" * count
        + '</mesh></part></model><anim fps="20.0"></anim></entity>'
    )


def mcreplay_frames(count):
    """An entity that does not move for `count` frames of three characters."""
    return mcreplay(
        entity='<entity name="Pig"><model rig-type="multipart"><part name="a"/></model>'
        '<anim fps="20.0">' + "0;\n" * count + "</anim></entity>"
    )


def nbt_world(frames):
    """world.dat: a list of empty compounds, one byte each."""
    body = b"\x0a\x00\x00" + b"\x09\x00\x06frames\x0a" + struct.pack(">I", frames)
    return body + bytes(frames) + b"\x00"


def mcreplay_world(frames):
    return archive(
        [
            ("world.dat", nbt_world(frames)),
            ("mesh/empty.obj", b""),
            ("meta.json", b'{"version":"0.3.0","encoder":"x","blockTypes":[]}'),
        ]
    )


# ---- OpenRA ----


def openra_far_frame(frame):
    """A sound short match, and one more packet for a frame far in the future."""
    data = (DATA / "openra" / "p20-crashed-no-metadata.orarep").read_bytes()
    at = 0
    while at < 4000:
        (size,) = struct.unpack_from("<i", data, at + 4)
        at += 8 + size
    (client,) = struct.unpack_from("<i", data, at)
    return data[:at] + struct.pack("<iii", client or 1, 4, frame)


# ---- C&C ----

# ---- Iron Curtain ----


def lz4_literals(data):
    """A sized LZ4 block of literals only."""
    size = len(data)
    out = bytearray(struct.pack("<I", size))
    if size < 15:
        out.append(size << 4)
    else:
        out.append(0xF0)
        size -= 15
        while size >= 255:
            out.append(255)
            size -= 255
        out.append(size)
    return bytes(out) + data


def ic_record(tag, tick, count, raw):
    packed = lz4_literals(raw)
    head = struct.pack("<4sHHQIII", tag, 0, 0, tick, count, len(packed), len(raw))
    return head + struct.pack("<I", zlib.crc32(packed, zlib.crc32(head))) + packed


def icrep_live_signatures(size):
    """A live file with as many signature records as fit, each with a chain of one entry or none."""
    data = (DATA / "ironcurtain" / "live-clean.icrep").read_bytes()
    key = bytes(32)
    empty = ic_record(b"ICSG", 0, 0, struct.pack("<Q", 0) + key)
    return data + empty * ((size - len(data)) // len(empty))


def icrep_live_chain(size):
    data = (DATA / "ironcurtain" / "live-clean.icrep").read_bytes()
    key = bytes(32)
    out = [data]
    done, tick = len(data), 100000
    while done < size:
        entry = struct.pack("<Q32sI64s", tick, bytes(32), 0, bytes(64))
        out.append(ic_record(b"ICSG", tick, 1, struct.pack("<Q", 1) + entry + key))
        done += len(out[-1])
        tick += 1
    return b"".join(out)


# ---- RUMBLE ----


def rumble_notes(count):
    """manifest.json of many empty lists, before a sound recording."""
    sample = DATA / "rumble" / "z6_match_like_1.2.4.replay"
    members = []
    with zipfile.ZipFile(sample) as zip_file:
        for info in zip_file.infolist():
            data = zip_file.read(info)
            if info.filename.endswith(".json") and data.rstrip().endswith(b"}"):
                text = data.rstrip()[:-1]
                data = text + b',"x":[' + b"[]," * count + b"[]]}"
            members.append((info.filename, data))
    return archive(members)


def crafted():
    """name -> function that makes the file."""
    million = 1000000
    return {
        "kz-runs.replay": lambda: cs2kz_runs(million),
        "kz-runs-windowed.replay": lambda: cs2kz_runs(million, single_segment=False),
        "kz-commands.replay": lambda: cs2kz_commands(million),
        "kz-far.replay": lambda: cs2kz_runs(400000),
        "kz-jumps.replay": lambda: cs2kz_table(3, 256 << 20, (256 << 20) // 372),
        "kz-events.replay": lambda: cs2kz_table(4, 172 * million, million),
        "kz-weapons.replay": lambda: cs2kz_table(2, 364 * 600000, 600000),
        "mc-lists.replay": lambda: mcreplay_lists(4500000),
        "mc-parts.replay": lambda: mcreplay_parts(2000000),
        "mc-bones.replay": lambda: mcreplay_bones(2000000),
        "mc-tag.replay": lambda: mcreplay_tag(14 << 20),
        "mc-mesh.replay": lambda: mcreplay_mesh(2000000),
        "mc-frames.replay": lambda: mcreplay_frames(5000000),
        "mc-world.vcap": lambda: mcreplay_world(14 << 20),
        "ora-far.orarep": lambda: openra_far_frame(0x7FFFFFFF),
        "ora-late.orarep": lambda: openra_far_frame(20000000),
        "ic-signatures.icrep": lambda: icrep_live_signatures(295 << 10),
        "ic-chain.icrep": lambda: icrep_live_chain(295 << 10),
        "rumble-notes.replay": lambda: rumble_notes(4500000),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, help="where the crafted files are written")
    directory = parser.parse_args().directory
    directory.mkdir(parents=True, exist_ok=True)
    for name, make in crafted().items():
        (directory / name).write_bytes(make())


if __name__ == "__main__":
    main()
