#!/usr/bin/env python3
"""Checks the golden runner itself: it must notice every value that is altered.

usage: tests/golden/test_runner.py [--reprise PROGRAM] [DIR...]

For each sample in the directories (tests/data/rumble) the command runs once. Then its expectation
is altered in memory, one value or list or member at a time, and compared again: each must be found
out. Of values that stand at the same place of many frames or objects one is taken at random for
this; in another pass all are altered together, and each must be reported.

Verdicts, limits and broken directories are tried with a stand-in for the command. The last line is
"N passed, N failed".
"""

import argparse
import copy
import json
import math
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

from command import ROOT, Command, Failure, find_program  # noqa: E402
from compare import Rules, compare, leaves, load_json, same_leaf, skipped_values  # noqa: E402
from samples import (  # noqa: E402
    EXPECT_SUFFIX,
    ExpectationCase,
    check,
    family_of,
    find_cases,
    load_families,
)

SEED = 20260221
SAMPLES = ROOT / "tests" / "data" / "rumble"
RUNNER = Path(__file__).with_name("run")


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def case(self, name, ok, about=""):
        self.passed += bool(ok)
        self.failed += not ok
        if not ok:
            print(f"FAILED  {name}{': ' if about else ''}{about}", flush=True)

    def group(self, name, count):
        print(f"{name}: {count}", flush=True)


# ---- altering documents ----


def altered_number(value, tolerance):
    if isinstance(value, int):
        return [value + 1, value - 1, str(value)]
    if tolerance:
        return [value + 3 * tolerance, value - 3 * tolerance, str(value)]
    neighbours = [math.nextafter(value, math.inf), math.nextafter(value, -math.inf)]
    return [*neighbours, value + 1, -value, str(value)]


def altered(value, tolerance):
    """Other values for one that holds no further values."""
    if isinstance(value, bool):
        return [not value, int(value)]
    if isinstance(value, (int, float)):
        return altered_number(value, tolerance)
    if isinstance(value, str):
        return [value + "x", value[:-1] or "x", None]
    if isinstance(value, list):
        return [[0], None]
    if isinstance(value, dict):
        return [{"unexpected": 1}, None]
    return [0, "null"]


def altered_container(value, pattern, rules):
    """Other contents for a list or for members of an object."""
    if isinstance(value, list):
        return [value[:-1], value[1:], [*value, value[-1]]]
    dot = "." if pattern else ""
    required = [name for name in value if f"{pattern}{dot}{name}" not in rules.optional]
    without = [{k: v for k, v in value.items() if k != name} for name in required]
    return [*without, {**value, "unexpected": 1}]


def places(document, keys=(), pattern=""):
    """Yields (keys, pattern, value) of every value, be it a container or not."""
    yield keys, pattern, document
    if isinstance(document, dict):
        dot = "." if pattern else ""
        for name, value in document.items():
            yield from places(value, (*keys, name), f"{pattern}{dot}{name}")
    elif isinstance(document, list):
        for index, value in enumerate(document):
            yield from places(value, (*keys, index), f"{pattern}[]")


def put(document, keys, value):
    for key in keys[:-1]:
        document = document[key]
    document[keys[-1]] = value


def one_of_each(document, chooser, all_of):
    """A place at random for each pattern, all for some; lists of other lengths count as others."""
    by_kind = {}
    for keys, pattern, value in places(document):
        about = len(value) if isinstance(value, (list, dict)) else None
        about = keys if pattern in all_of else about
        by_kind.setdefault((pattern, type(value), about), []).append((keys, pattern, value))
    return [chooser.choice(kind) for kind in by_kind.values()]


# ---- one sample ----


class Sample:
    """What the command says about a sample, and how that is compared with an expectation."""

    def __init__(self, case, command, families):
        self.name = case.sample.name
        self.expected = load_json(case.expectation.read_text(encoding="utf-8"))
        info = command.run("info", "--json", case.sample).document()
        self.family = family_of(families, self.expected, info)
        self.observation = self.family.observe(command, case.sample, self.expected)
        self.rules = self.family.rules(self.observation)

    def differences(self, expected):
        found = self.family.document(self.observation, expected)
        return compare(expected, found, self.rules)

    def is_noticed(self, expected):
        return next(self.differences(expected), None) is not None

    def test_unaltered(self, report):
        difference = next(self.differences(self.expected), None)
        report.case(f"{self.name} unaltered", difference is None, difference)
        skipped = list(skipped_values(self.expected, self.rules))
        report.case(f"{self.name} compares everything", not skipped, skipped)

    def test_one_by_one(self, report):
        count = 0
        expected = copy.deepcopy(self.expected)
        chosen = one_of_each(expected, random.Random(SEED), self.family.CHOOSING)
        for keys, pattern, value in chosen:
            if isinstance(value, (list, dict)) and value:
                others = altered_container(value, pattern, self.rules)
            else:
                others = altered(value, self.rules.tolerances.get(pattern))
            for other in others:
                count += 1
                if keys:
                    put(expected, keys, other)
                name = f"{self.name} {keys}: {json.dumps(other)[:80]}"
                report.case(name, self.is_noticed(expected if keys else other))
            if keys:
                put(expected, keys, value)
        return count

    def test_all_together(self, report):
        expected = copy.deepcopy(self.expected)
        changed = set()
        paths = {pattern_path(keys): keys for keys, _, _ in places(expected)}
        for path, pattern, value in list(leaves(expected)):
            if isinstance(value, (list, dict)) or pattern in self.family.CHOOSING:
                continue  # they decide what is compared with what, hence only one by one
            put(expected, paths[path], altered(value, self.rules.tolerances.get(pattern))[0])
            changed.add(path)
        unnoticed = changed - {difference.path for difference in self.differences(expected)}
        for path in changed:
            report.case(f"{self.name} {path}, with all others", path not in unnoticed)
        return len(changed)


def pattern_path(keys):
    path = ""
    for key in keys:
        path += f"[{key}]" if isinstance(key, int) else f".{key}" if path else key
    return path


def test_samples(report, command, families, directories):
    cases = [case for directory in directories for case in find_cases(directory)]
    for case in cases:
        if not isinstance(case, ExpectationCase):
            continue
        try:
            sample = Sample(case, command, families)
        except Failure as failure:
            report.case(case.sample.name, False, failure)
            continue
        sample.test_unaltered(report)
        together = sample.test_all_together(report)
        single = sample.test_one_by_one(report)
        report.group(sample.name, f"{together} values altered together, {single} changes alone")


# ---- comparing ----

SAME = [
    ({"nan": 1}, math.nan),
    (math.nan, math.nan),
    ("inf", math.inf),
    ("-inf", -math.inf),
    (0.1, 0.10000000149011612),
    (0.10000000149011612, 0.10000000149011612),
    (0.1, 0.1),
    (5.0, 5),
    (-0.0, -0.0),
    (1 << 63, 1 << 63),
    ("inf", "inf"),
    (None, None),
]
OTHER = [
    ({"nan": 1}, 1.0),
    ({"nan": 2}, math.nan),
    ("inf", -math.inf),
    ("nan", math.nan),
    (1.0, math.nan),
    (0.1000001, 0.10000000149011612),
    (0.10000000001, 0.10000000149011612),
    (0.0, -0.0),
    (1, True),
    (True, 1),
    (0, False),
    (None, 0),
    ("1", 1),
    ((1 << 63) + 1, 1 << 63),
    ([], {}),
    ("", None),
]


def test_compare(report):
    for expected, found in SAME:
        report.case(f"{expected!r} is {found!r}", same_leaf(expected, found, None))
    for expected, found in OTHER:
        report.case(f"{expected!r} is not {found!r}", not same_leaf(expected, found, None))
    report.case("near enough", same_leaf(1.0, 1.0 + 1e-6, 2e-6))
    report.case("too far", not same_leaf(1.0, 1.0 + 3e-6, 2e-6))
    report.case("no tolerance for NaN", not same_leaf(1.0, math.nan, 2e-6))
    rules = Rules(optional={"a.extra"}, skipped={"a.hard": "why"})
    pairs = [
        ({"a": {"b": 1}}, {"a": {"b": 1, "extra": 2}}, []),
        ({"a": {"b": 1, "hard": [1]}}, {"a": {"b": 1}}, []),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, ["a.c"]),
        ({"a": {"b": 1}}, {"a": {"b": 1, "more": 2}}, ["a.more"]),
        ({"a": [1, 2]}, {"a": [1, 2, 3]}, ["number of a[]"]),
        ({"a": [1, 2]}, {"a": [2, 1]}, ["a[0]", "a[1]"]),
        ({"a": {}}, {"a": []}, ["a"]),
    ]
    for expected, found, paths in pairs:
        got = [difference.path for difference in compare(expected, found, rules)]
        report.case(f"{expected} against {found}", got == paths, got)
    skipped = list(skipped_values({"a": {"hard": [1, 2]}}, rules))
    report.case("skipped values are named", skipped == [("a.hard[0]", "why"), ("a.hard[1]", "why")])


# ---- verdicts and directories, with a stand-in for the command ----

# Does with a sample what the sample itself says, by verb.
STAND_IN = """#!/usr/bin/env python3
import json, os, signal, sys, time
does = json.load(open(sys.argv[-1])).get(sys.argv[1], 0)
if does == "crash":
    os.kill(os.getpid(), signal.SIGSEGV)
elif does == "hang":
    time.sleep(60)
elif does == "swallow":
    memory = b"x" * (300 << 20)
    sys.exit(5)
elif isinstance(does, dict):
    print(json.dumps(does))
else:
    sys.exit(does)
"""

GOOD_VERDICTS = [
    *(("refuse", {"verify": code}) for code in (4, 5, 6)),
    ("warn", {"verify": 3}),
    *(("either", {"verify": code}) for code in (3, 4, 5, 6)),
    ("verify", {"verify": 5, "info": 0}),
]
BAD_VERDICTS = [
    *(("refuse", {"verify": code}) for code in (0, 1, 2, 3, 99, "crash", "hang", "swallow")),
    *(("warn", {"verify": code}) for code in (0, 1, 4, 5, 6, "crash")),
    *(("either", {"verify": code}) for code in (0, 1, 2, "crash")),
    *(("verify", {"verify": 5, "info": code}) for code in (1, 3, 5, "crash")),
    *(("verify", {"verify": code, "info": 0}) for code in (0, 3, 4, 6)),
    ("perhaps", {"verify": 5}),
    ("", {"verify": 5}),
]


def stand_in(directory, **limits):
    program = directory / "reprise"
    program.write_text(STAND_IN, encoding="utf-8")
    program.chmod(0o755)
    return Command(program, **limits)


def outcomes(directory, command, families=()):
    return [check(case, command, families) for case in find_cases(directory)]


def hangs(behaviour):
    return "hang" in behaviour.values()


def test_verdicts(report, directory):
    # On a busy machine a stand-in may need seconds to start: only one that hangs has little time.
    patient, hasty = stand_in(directory), stand_in(directory, timeout=2)
    quick = [one for one in BAD_VERDICTS if not hangs(one[1])]
    for verdicts, good, command in ((GOOD_VERDICTS, True, patient), (quick, False, patient),
                                    ([one for one in BAD_VERDICTS if hangs(one[1])], False, hasty)):
        folder = directory / ("good" if good else "bad" if command is patient else "late")
        folder.mkdir()
        table = []
        for number, (verdict, behaviour) in enumerate(verdicts):
            name = f"{number}.replay"
            (folder / name).write_text(json.dumps(behaviour), encoding="utf-8")
            table.append(f"{name}\t{verdict}\tcomment\n")
        (folder / "verdicts.tsv").write_text("".join(table), encoding="utf-8")
        results = outcomes(folder, command)
        report.case("a result per verdict", len(results) == len(verdicts))
        for (verdict, behaviour), outcome in zip(verdicts, results):
            about = f"verdict {verdict!r} for {behaviour}"
            report.case(about, bool(outcome.failures) != good, outcome)


class Family:
    """Shows and expects whatever `info` says, but for one value that it leaves out."""

    problems = ()

    def recognises(self, expected, info):
        return "document" in info

    def observe(self, command, sample, expected):
        self.info = command.run("info", "--json", sample).document()
        return self

    def document(self, observation, expected):
        return self.info["document"]

    def rules(self, observation):
        return Rules(skipped={"hard": "cannot be told"})


# Name, files in the directory, whether it passes, what the report says.
DIRECTORIES = [
    ("with suffix", {"a.x": {"k": 1}, "a.x.expect.json": '{"k": 1}'}, True, "1 values"),
    ("without suffix", {"a.x": {"k": 1}, "a.expect.json": '{"k": 1}'}, True, "1 values"),
    ("below", {"s/a.x": {"k": 1}, "s/a.x.expect.json": '{"k": 1}'}, True, "1 values"),
    ("below, differs", {"s/a.x": {"k": 1}, "s/a.expect.json": '{"k": 2}'}, False, "k: expected 2"),
    ("extra value", {"a.x": {"k": 1, "l": 2}, "a.expect.json": '{"k": 1}'}, False, "l: expected"),
    ("lost value", {"a.x": {}, "a.expect.json": '{"k": 1}'}, False, "found nothing"),
    ("skipped", {"a.x": {"hard": 1}, "a.expect.json": '{"hard": 2}'}, True, "skipped hard: cannot"),
    ("twice", {"a.x": {"k": 1}, "a.expect.json": '{"k": 2, "k": 1}'}, False, "more than once"),
    ("no JSON", {"a.x": {"k": 1}, "a.expect.json": '{"k": 1'}, False, "Expecting"),
    ("no sample", {"a.expect.json": '{"k": 1}'}, False, "found no file"),
    ("two samples", {"a.x": {}, "a.y": {}, "a.expect.json": "{}"}, False, "found a.x, a.y"),
    ("no family", {"a.x": None, "a.expect.json": "{}"}, False, "which family"),
    ("empty", {"README": {}}, False, "neither"),
    ("verdict without file", {"verdicts.tsv": "a.x\trefuse\tc\n"}, False, "not there"),
    ("half a verdict", {"a.x": {}, "verdicts.tsv": "a.x refuse\n"}, False, "line 1"),
]


def test_directories(report, directory):
    command = stand_in(directory)
    for name, files, good, words in DIRECTORIES:
        folder = directory / name
        for file, content in files.items():
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            if not isinstance(content, str):
                info = {"document": content} if content is not None else {"format": "unheard of"}
                content = json.dumps({"info": info})
            path.write_text(content, encoding="utf-8")
        (outcome,) = outcomes(folder, command, [Family()])
        ok = bool(outcome.failures) != good and words in str(outcome)
        report.case(f"directory: {name}", ok, outcome)


def run_runner(program, *arguments):
    command = [RUNNER, "--reprise", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines(), done.stderr


def test_command_line(report, directory):
    program = stand_in(directory).program
    table = directory / "verdicts.tsv"
    (directory / "a.x").write_text('{"verify": 5}', encoding="utf-8")
    (directory / "b.x").write_text('{"verify": 0}', encoding="utf-8")
    runs = [
        ("a.x\trefuse\t\n", [directory], 0, "1 passed, 0 failed"),
        ("a.x\trefuse\t\nb.x\trefuse\t\n", [directory], 1, "1 passed, 1 failed"),
        ("", [directory / "none"], 2, None),
        ("", [], 2, None),
    ]
    for text, arguments, code, last in runs:
        table.write_text(text, encoding="utf-8")
        got, lines, errors = run_runner(program, *arguments)
        ok = got == code and (lines[-1] if lines else None) == last
        report.case(f"run {text!r}", ok, (got, lines, errors))


def test_altered_file(report, directory, program):
    """The whole way once: a copy of a sample, then the copy with one value changed."""
    sample = SAMPLES / "z6_edge.replay"
    expectation = Path(f"{sample}{EXPECT_SUFFIX}")
    shutil.copy(sample, directory)
    copied = Path(shutil.copy(expectation, directory))
    code, lines, errors = run_runner(program, directory)
    ok = code == 0 and lines[-1] == "1 passed, 0 failed"
    report.case("run on a copy", ok, (lines, errors))
    expected = json.loads(copied.read_text(encoding="utf-8"))
    expected["frames"][2]["players"][0]["Health"] += 1
    copied.write_text(json.dumps(expected), encoding="utf-8")
    code, lines, errors = run_runner(program, directory)
    ok = code == 1 and lines[-1] == "0 passed, 1 failed"
    ok = ok and "frames[2].players[0].Health: expected" in lines[1]
    report.case("run on an altered copy", ok, (lines, errors))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--reprise", metavar="PROGRAM", help="the command to use")
    parser.add_argument("directories", metavar="DIR", nargs="*", type=Path)
    arguments = parser.parse_args()
    program = find_program(arguments.reprise)
    if not program:
        parser.error("the command is not there: run make first, or say where by --reprise")
    report = Report()
    test_compare(report)
    for test in (test_verdicts, test_directories, test_command_line):
        with tempfile.TemporaryDirectory() as directory:
            test(report, Path(directory))
    with tempfile.TemporaryDirectory() as directory:
        test_altered_file(report, Path(directory), program)
    test_samples(report, Command(program), load_families(), arguments.directories or [SAMPLES])
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
