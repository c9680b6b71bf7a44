"""Recipes of CS2KZ replays."""

import struct

from recipe import put, recipe, sample, seeded
import cs2kz
from compression import zstd_compress
from cs2kz_make import Maker


def section_changed(data, name, change):
    """The replay with the content of one section changed."""
    section = cs2kz.Replay(data).section(name)
    content = change(section.data)
    packed = zstd_compress(content)
    head = struct.pack("<III", len(packed), len(content), section.count)
    return data[:section.offset] + head + packed + data[section.offset + 12 + section.stored:]


def top_bit(content):
    """The first record with the highest of its flags."""
    return content[:7] + bytes([content[7] | 0x80]) + content[8:]


@recipe(".replay")
def cs2kz_magic_case():
    return b"S2KZ" + sample("cs2kz/a1-jump.replay")[4:]


@recipe(".replay")
def cs2kz_no_commands():
    data = sample("cs2kz/p-jump.replay")
    return data[:cs2kz.Replay(data).section("commands").offset]


@recipe(".replay")
def cs2kz_run_time():
    maker = Maker(seeded(), "b5", "run")
    events = maker.events

    def slower():
        made = events()
        maker.time += 7
        return made
    maker.events = slower
    return maker.file()


@recipe(".replay")
def cs2kz_type_details_missing():
    maker = Maker(seeded(), "b5", "jump")
    maker.details_message = lambda: b""
    return maker.file()


@recipe(".replay")
def cs2kz_unknown_command_flag():
    return section_changed(sample("cs2kz/b5-edge.replay"), "commands", top_bit)


@recipe(".replay")
def cs2kz_unknown_event():
    return section_changed(sample("cs2kz/a1-jump.replay"), "events", lambda content: put(content, 0, b"\x63"))


@recipe(".replay")
def cs2kz_unknown_tick_flag():
    return section_changed(sample("cs2kz/b5-edge.replay"), "ticks", top_bit)


@recipe(".replay")
def cs2kz_weapon_index():
    """The weapon of the first change, after the number of changes and the tick."""
    return section_changed(sample("cs2kz/a1-run.replay"), "weaponEvents", lambda content: put(content, 8, b"\x63"))
