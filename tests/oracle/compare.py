"""Compares what the command says with what an oracle expects, value by value.

Expected data is nested dicts and lists with these leaves:

    text, bool, int, None   the same value of the same kind
    float                   within RELATIVE of it (our JSON has the shortest digits of an f32 or f64)
    Near(value, tolerance)  within an absolute tolerance
    OneOf(a, b, ...)        any of them; for what the format leaves open, said in docs/spec
    ABSENT                  the key is not there

A dict names the keys that are compared; ours may have more, unless it is a Whole. Lists have the
same length. Every leaf is one comparison; a key or an item that is missing is one that failed.
"""

import math

RELATIVE, ABSOLUTE = 1e-6, 1e-9


class Near:
    def __init__(self, value, tolerance):
        self.value, self.tolerance = value, tolerance

    def fits(self, ours):
        return is_number(ours) and abs(ours - self.value) <= self.tolerance

    def __repr__(self):
        return f"{self.value!r} within {self.tolerance:g}"


class OneOf:
    def __init__(self, *values):
        self.values = values

    def fits(self, ours):
        return any(fits(ours, value) for value in self.values)

    def __repr__(self):
        return " or ".join(map(repr, self.values))


class Whole(dict):
    """A dict of which ours has exactly the keys."""


class Missing:
    def __repr__(self):
        return "nothing"


ABSENT = Missing()


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def fits(ours, expected):
    if isinstance(expected, (Near, OneOf)):
        return expected.fits(ours)
    if isinstance(expected, float):
        if not math.isfinite(expected):
            return ours == {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(expected)]
        slack = max(ABSOLUTE, RELATIVE * abs(expected))
        return is_number(ours) and abs(ours - expected) <= slack
    if is_number(expected):
        return is_number(ours) and ours == expected
    return type(ours) is type(expected) and ours == expected


def compare(ours, expected, place=""):
    """Yields (place, ours, expected, whether they agree), one per leaf."""
    if isinstance(expected, dict):
        if not isinstance(ours, dict):
            yield place, ours, expected, False
            return
        for key, value in expected.items():
            yield from compare(ours.get(key, ABSENT), value, f"{place}.{key}" if place else str(key))
        if isinstance(expected, Whole):
            extra = sorted(str(key) for key in ours.keys() - expected.keys())
            yield f"{place} keys", extra, [], not extra
    elif isinstance(expected, (list, tuple)):
        if not isinstance(ours, (list, tuple)):
            yield place, ours, expected, False
            return
        yield f"{place} length", len(ours), len(expected), len(ours) == len(expected)
        for i, (a, b) in enumerate(zip(ours, expected)):
            yield from compare(a, b, f"{place}[{i}]")
    elif expected is ABSENT or ours is ABSENT:
        yield place, ours, expected, ours is expected
    else:
        yield place, ours, expected, fits(ours, expected)
