"""Compares an expectation with what was found, value by value.

The walk is driven by the expectation, so that no value in it can be passed over: a value that is
missing on the other side differs. What only the other side has differs too, unless the rules name
it as optional.

A place in a document is written twice: as path, `frames[3].players[0].Health`, to be shown, and as
pattern, `frames[].players[].Health`, by which rules are found.
"""

import json
import math
import struct
from dataclasses import dataclass, field


class Missing:
    """Stands for a value that one of the two sides does not have."""

    def __repr__(self):
        return "nothing"


MISSING = Missing()


@dataclass(frozen=True)
class Difference:
    path: str
    expected: object
    found: object

    def __str__(self):
        return f"{self.path}: expected {shown(self.expected)}, found {shown(self.found)}"


@dataclass
class Rules:
    """What is not simply equal or different. All keys are patterns."""

    tolerances: dict = field(default_factory=dict)  # largest distance; 0: of double precision
    optional: set = field(default_factory=set)  # members that an expectation may leave out
    skipped: dict = field(default_factory=dict)  # values that cannot be compared -> why


def shown(value, width=100):
    if value is MISSING:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= width else text[: width - 3] + "..."


# ---- reading JSON ----


def unique_members(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _ in pairs]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"member {', '.join(twice)} occurs more than once")
    return members


def whole_number(text):
    return -0.0 if text == "-0" else int(text)


def load_json(text):
    """Of two members of one name the first would be lost without a word: that is an error here."""
    return json.loads(text, object_pairs_hook=unique_members, parse_int=whole_number)


# ---- numbers ----

NAN = {"nan": 1}  # how expectations write it


def f32(number):
    """Rounded to single precision."""
    try:
        return struct.unpack("<f", struct.pack("<f", number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)


def shortest_f32(number):
    """The decimal with the fewest digits (6 to 9) that means this single precision number."""
    if not math.isfinite(number):
        return number
    for digits in range(6, 10):
        decimal = float(f"{number:.{digits}g}")
        if f32(decimal) == number:
            return decimal
    return number


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def not_finite(value):
    """The float meant by the forms that expectations use for what JSON has no number for."""
    if value == NAN:
        return math.nan
    if value in ("inf", "-inf"):
        return float(value)
    return value


def identical(a, b):
    return a == b and math.copysign(1, a) == math.copysign(1, b)


def same_number(expected, found, tolerance):
    if isinstance(expected, int) and isinstance(found, int):
        return abs(expected - found) <= (tolerance or 0)
    expected, found = float(expected), float(found)
    if math.isnan(expected) or math.isnan(found):
        return math.isnan(expected) and math.isnan(found)
    if tolerance is not None:
        return expected == found or abs(expected - found) <= tolerance
    # An expectation gives a single precision number by its shortest decimal or by all its digits.
    # Every other decimal is another value, even one that would round to the same.
    single = f32(found)
    return any(identical(expected, form) for form in (found, single, shortest_f32(single)))


# ---- the walk ----


def plainly_same(expected, found):
    """Spares most values the long way; 0 does not count, as it has two signs."""
    kind = type(expected)
    return kind is type(found) and kind in (int, float, str) and expected == found and expected


def same_leaf(expected, found, tolerance):
    if is_number(found):
        expected = not_finite(expected)
        return is_number(expected) and same_number(expected, found, tolerance)
    return type(expected) is type(found) and expected == found


def compare_members(expected, found, rules, path, pattern):
    dot = "." if path else ""
    for name, value in expected.items():
        other = found.get(name, MISSING)
        if not plainly_same(value, other):
            place, kind = f"{path}{dot}{name}", f"{pattern}{dot}{name}"
            yield from compare(value, other, rules, place, kind)
    for name, other in found.items():
        if name not in expected and f"{pattern}{dot}{name}" not in rules.optional:
            place, kind = f"{path}{dot}{name}", f"{pattern}{dot}{name}"
            yield from compare(MISSING, other, rules, place, kind)


def compare_elements(expected, found, rules, path, pattern):
    if len(expected) != len(found):
        yield Difference(f"number of {path}[]", len(expected), len(found))
    kind = f"{pattern}[]"
    for index, (value, other) in enumerate(zip(expected, found)):
        if not plainly_same(value, other):
            yield from compare(value, other, rules, f"{path}[{index}]", kind)


def compare(expected, found, rules, path="", pattern=""):
    """Yields a Difference for every value that differs."""
    if pattern in rules.skipped:
        return
    if isinstance(expected, dict) and isinstance(found, dict):
        yield from compare_members(expected, found, rules, path, pattern)
    elif isinstance(expected, list) and isinstance(found, list):
        yield from compare_elements(expected, found, rules, path, pattern)
    elif not same_leaf(expected, found, rules.tolerances.get(pattern)):
        yield Difference(path, expected, found)


def leaves(document, path="", pattern=""):
    """Yields (path, pattern, value) of everything that holds no further values."""
    if isinstance(document, dict) and document and document != NAN:
        dot = "." if path else ""
        for name, value in document.items():
            yield from leaves(value, f"{path}{dot}{name}", f"{pattern}{dot}{name}")
    elif isinstance(document, list) and document:
        for index, value in enumerate(document):
            yield from leaves(value, f"{path}[{index}]", f"{pattern}[]")
    else:
        yield path, pattern, document


def skipped_values(expected, rules):
    """Yields (path, reason) of the values that the rules keep out of the comparison."""
    for path, pattern, _ in leaves(expected):
        for skipped, reason in rules.skipped.items():
            if pattern == skipped or pattern.startswith((f"{skipped}.", f"{skipped}[")):
                yield path, reason
                break
