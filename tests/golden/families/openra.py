"""OpenRA: turns what the command says about a replay into the shape of its expectations.

Expectations hold every packet with its orders, or for long recordings counts and the digest of a
canonical text. Packets and orders come from `reprise cat`; text and digest are computed here, so
that they prove every value the command prints.
"""

import hashlib
import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from command import Failure
from compare import Difference, Rules

TRACKS = "packets,orders,sync,disconnects"
ERRORS_LISTED = 5


@dataclass
class Observation:
    info: dict
    summary: dict
    packets: list = field(default_factory=list)
    problems: list = field(default_factory=list)


def recognises(expected, info):
    return info.get("format") == "openra"


# ---- rows into packets ----


def target_of(row, dialect):
    kind = row["target_kind"]
    if kind in (None, "invalid"):
        return None
    target = {"kind": kind}
    if kind == "actor":
        target["actor"] = row["target_actor"]
        if row["target_generation"] is not None:
            target["generation"] = row["target_generation"]
    if kind == "frozen":
        target.update(viewer=row["target_viewer"], frozen=row["target_frozen"])
    if row["target_cell_x"] is not None:
        target["cell"] = [row["target_cell_x"], row["target_cell_y"], row["target_layer"]]
    if row["target_subcell"] is not None:
        target["subcell"] = row["target_subcell"]
    if kind == "pos":
        target["pos"] = [row[f"target_pos_{axis}"] for axis in "xyz"]
        if dialect == "p21":
            terrain = row["target_terrain"]
            target["terrain"] = terrain and [[one[axis] for axis in "xyz"] for one in terrain]
    return target


def order_of(row, dialect):
    location = row["extra_x"]
    return {
        "type": row["type"],
        "name": row["order"],
        "subject": row["subject"],
        "target": target_of(row, dialect),
        "target_string": row["item"],
        "queued": bool(row["queued"]),
        "extra_actors": row["extra_actors"],
        "extra_location": None
        if location is None
        else [location, row["extra_y"], row["extra_layer"]],
        "extra_data": row["extra_data"] or 0,
        "grouped": row["grouped"],
    }


def packet_of(row, content, dialect):
    kind = row["kind"]
    packet = {name: row[name] for name in ("client", "frame", "kind", "length")}
    if kind in ("orders", "immediate"):
        packet["orders"] = [order_of(order, dialect) for order in content["orders"]]
    if kind == "sync":
        (sync,) = content["sync"]
        packet["hashes"] = sync["hashes"] or []
        if sync["hashes"] and sync["hash"] != sync["hashes"][0]:
            raise Failure(f"packet {row['packet']}: hash is not the first of hashes")
        if sync["defeat"] is not None:
            packet["defeat"] = f"{int(sync['defeat']):016x}"
        if not sync["hashes"]:
            packet["malformed"] = True
    if kind == "disconnect":
        (disconnect,) = content["disconnects"]
        packet["who"] = disconnect["client"]
    return packet


def check_rows(observation, row, content):
    """What rows of other tracks repeat must be what the packet says, and raw bytes be complete."""
    for rows in content.values():
        for other in rows:
            sender = other.get("sender", other["client"])
            if (sender, other["frame"]) != (row["client"], row["frame"]):
                raise Failure(f"packet {row['packet']}: a row of it says otherwise")
    if len(row["raw"]) != 2 * (row["length"] - 4):
        raise Failure(f"packet {row['packet']}: raw bytes are not complete")
    raw = "".join(order["raw"] for order in content["orders"])
    if row["kind"] in ("orders", "immediate") and not row["damaged"] and raw != row["raw"]:
        problem = Difference(f"packet {row['packet']}: raw bytes of orders", row["raw"], raw)
        observation.problems.append(problem)


def read_packets(command, sample, observation):
    result = command.run("cat", f"--track={TRACKS}", sample)
    dialect = observation.info["dialect"]
    content, row = defaultdict(list), {}
    for row in result.expect(0, 3).lines():
        if "track" not in row:
            continue
        if row["track"] != "packets":
            content[row["track"]].append(row)
            continue
        if row["packet"] != len(observation.packets):
            raise Failure(f"{result}: packet {len(observation.packets)} expected")
        check_rows(observation, row, content)
        observation.packets.append(packet_of(row, content, dialect))
        content = defaultdict(list)
    if "status" not in row:
        raise Failure(f"{result}: no status record at the end")


# ---- digest: the end of the format's description ----


def compact(value):
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), sort_keys=True)


def canonical_order(order):
    parts = [f"O {order['type']} {compact(order['name'])}"]
    parts.append(f"s={compact(order['subject'])} t={compact(order['target'])}")
    parts.append(f"ts={compact(order['target_string'])} q={int(order['queued'])}")
    parts.append(f"xa={compact(order['extra_actors'])} xl={compact(order['extra_location'])}")
    parts.append(f"xd={order['extra_data']} g={compact(order['grouped'])}")
    return " ".join(parts)


def canonical_lines(packets):
    for packet in packets:
        yield "P {client} {frame} {kind} {length}".format(**packet)
        if packet["kind"] == "sync":
            yield f"S {','.join(map(str, packet['hashes']))} {packet.get('defeat', '-')}"
        elif packet["kind"] == "disconnect":
            yield f"D {packet['who']}"
        yield from map(canonical_order, packet.get("orders", []))


def digest(packets):
    text = "".join(line + "\n" for line in canonical_lines(packets))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


# ---- the interface of adapters ----


def verify(command, sample):
    result = command.run("verify", "--json", sample).expect(0, 3)
    return result.document()["summary"]


def observe(command, sample, expected):
    info = command.run("info", "--json", sample).expect(0, 3).document()
    observation = Observation(info, verify(command, sample))
    read_packets(command, sample, observation)
    rows = observation.summary["rows"]["packets"]
    if int(rows) != len(observation.packets):
        problem = Difference("verify: rows of packets", len(observation.packets), rows)
        observation.problems.append(problem)
    return observation


def texts(members):
    return {name: value or "" for name, value in members.items()}


def metadata(info):
    header = info.get("header")
    if header is None:
        return None
    players = [texts(one) for name, one in header.items() if name.startswith("Player@")]
    return {"root": texts(header["Root"]), "players": players}


def findings(observation, prefix):
    found = observation.summary["findings"]
    return [one["message"] for one in found if one["id"].startswith(prefix)]


def problems(observation):
    stops = ("openra.packet", "openra.stray", "openra.yaml")
    return findings(observation, "openra.metadata") + findings(observation, stops)


def summary(observation):
    packets, info = observation.packets, observation.info
    kinds = Counter(packet["kind"] for packet in packets)
    names = Counter(order["name"] for packet in packets for order in packet.get("orders", []))
    stated = {kind: count for kind, count in info["packets"].items() if kind != "count"}
    if stated != dict(kinds):
        observation.problems.append(Difference("info: packets", dict(kinds), stated))
    desync = observation.summary.get("desync")
    return {
        "layout": info["container"],
        "dialect": info["dialect"],
        "packets": len(packets),
        "kinds": dict(kinds),
        "order_counts": dict(names),
        "last_frame": info["frames"],
        "first_desync_frame": desync["first_frame"] if desync else None,
        "canonical_sha256": digest(packets),
    }


def document(observation, expected):
    info = observation.info
    by = {"declared": "declared", "version": "declared", "trial": "trial"}
    found = {
        "layout": info["container"],
        "dialect": info["dialect"],
        "dialect_by": by.get(info["dialect_by"]),
        "metadata": metadata(info),
        "metadata_text": info.get("metadata_text"),
        "packets": observation.packets,
        "problems": problems(observation),
        "errors": findings(observation, "openra.malformed")[:ERRORS_LISTED],
        "summary": summary(observation),
    }
    if "sync_entry" in observation.summary:
        found["sync_entry"] = observation.summary["sync_entry"]
        found["sync_entry_count"] = len(found["sync_entry"])
    return found


CHOOSING = set()

# Long recordings have a summary only; the rest depends on who wrote the expectation.
OPTIONAL = {
    "layout",
    "dialect",
    "dialect_by",
    "metadata_text",
    "packets",
    "errors",
    "sync_entry",
    "sync_entry_count",
}


def rules(observation):
    return Rules(optional=OPTIONAL)
