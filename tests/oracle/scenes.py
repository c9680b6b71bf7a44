"""What the modules share about exported scenes and timelines."""

import math

import command  # noqa: F401 - which knows where truth.py is
from compare import Near
from truth import angle_between

PALETTE = ["#56B4E9", "#E69F00", "#F9FFD3", "#DD224F", "#A70DF7", "#9DB1A9", "#407390", "#A9FC7D"]
PLACE, TURN = 2e-4, 1e-3  # metres and radians: single precision, through several parents


def linear(byte):
    """An sRGB component of 0 to 255 as glTF wants it."""
    share = byte / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def linear_colour(text):
    return [Near(linear(int(text[i : i + 2], 16)), 2e-3) for i in (1, 3, 5)]


def nodes(scene):
    """Nodes by (id, kind); of several the first."""
    found = {}
    for index, node in enumerate(scene.json.get("nodes", [])):
        about = node.get("extras", {}).get("reprise", {})
        found.setdefault((about.get("id"), about.get("kind")), index)
    return found


def is_shown(scene, node, time):
    """Whether nothing up the tree has scale zero."""
    while node is not None:
        if any(abs(s) < 1e-9 for s in scene.value(node, "scale", (1, 1, 1), time)):
            return False
        node = scene.parents.get(node)
    return True


def place(scene, node, time):
    return [row[3] for row in scene.matrix(node, time)]


def near(values, tolerance=PLACE):
    return [Near(v, tolerance * max(1, abs(v))) for v in values]


def turned(scene, node, time, turn):
    """The angle between a node and a rotation x y z w, to compare with NO_ANGLE."""
    length = math.sqrt(sum(v * v for v in turn)) or 1
    return angle_between(scene.matrix(node, time), [v / length for v in turn])


NO_ANGLE = Near(0.0, TURN)


def series(timeline, plot):
    """{name: [(time, value), ...]} of a plot, without gaps."""
    return {name: [(t, v) for t, v in zip(times, values) if not math.isnan(v)]
            for name, times, values in timeline.plot(plot) or []}


def points(pairs, tolerance=1e-5):
    return [(Near(t, 1e-5 * max(1, abs(t))), Near(v, tolerance * max(1, abs(v)))) for t, v in pairs]


def heat_cells(timeline, name, places):
    """Squares that are hot and should not be, and the other way round; yields comparisons."""
    heat = next((h for h in timeline.json["heat"] if h["id"] == name), None)
    if heat is None:
        yield f"heat {name}", "nothing", "nothing" if not places else "a heat map"
        return
    x0, z0, width, depth = heat["rect"]
    wide, deep = width / heat["w"], depth / heat["h"]
    hot = {(round((x - x0) / wide - 0.5), round((z - z0) / deep - 0.5)) for x, z in timeline.heat(name)}
    wanted, open_ = set(), set()
    for x, z in places:
        column, row = (x - x0) / wide, (z - z0) / deep
        edge = min(abs(column - round(column)), abs(row - round(row))) < 1e-3
        spot = (math.floor(column), math.floor(row))
        if edge:  # rounding decides: any neighbour
            open_ |= {(spot[0] + i, spot[1] + j) for i in (-1, 0, 1) for j in (-1, 0, 1)}
        else:
            wanted.add(spot)
    yield f"heat {name} cold", sorted(wanted - hot), []
    yield f"heat {name} hot", sorted(hot - wanted - open_), []
