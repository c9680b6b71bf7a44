"""Makes files with private values that no sample has: addresses, latencies, settings, stray memory."""

import random
import struct

from readers import remastered
import openra_make

CLIENT = """\tIpAddress: 203.0.113.77
\tAnonymizedIPAddress: 198.51.100.23
\tLocation: Ulaanbaatar
\tFingerprint: 5f2c9a7be1034d68a1b2c3d4e5f60718
"""
PING = "ClientPing@1:\n\tIndex: 1\n\tLatency: 48213\n\tLatencyJitter: 39127\n\tLatencyHistory: 48213,47111,52977\n"


def openra_lobby(dialect, folder, number):
    writer = openra_make.Writer(random.Random(number), dialect)
    plain = writer.lobby
    writer.lobby = lambda server: plain(server).replace("\tName:", CLIENT + "\tName:") + PING
    writer.write(folder, number)


def classic(data, seed):
    """Every byte of the settings, and after the ends of names, is random."""
    chance = random.Random(seed)
    replay = remastered.read(data)
    raw = bytearray(data[: replay.header_size])
    names = [node["name"] for node in replay.nodes] or [replay.header.get("player_name", b"")]
    for name in filter(None, (name.rstrip(b"\0") for name in names)):
        at = raw.index(name) + len(name) + 1
        raw[at : at + 11 - len(name)] = chance.randbytes(11 - len(name))
    at = bytes(raw).rindex(struct.pack("<i", replay.header["scroll_rate"]) + replay.header["options"]) + 4
    size = len(replay.header["options"])
    raw[at : at + size] = chance.randbytes(size)
    return bytes(raw) + data[replay.header_size :]


def make(folder, data):
    for number, dialect in enumerate(("a", "c", "p8", "p11", "p21")):
        openra_lobby(dialect, folder, number)
    for name in ("ra-events-internet.bin", "td-full-campaign.bin"):
        (folder / name).write_bytes(classic((data / "remastered" / name).read_bytes(), 1))
