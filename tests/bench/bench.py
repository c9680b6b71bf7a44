"""What duels are made of: programs, processes to measure, and the list of duels itself. inputs.py has their files.

A duel is a function with the decorator @duel in a file under duels/. It gets a Bench and yields
results; a Skip says why there are none. Ratios are ours against theirs, above 1 we are faster.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLES = ROOT / "tests" / "data"
ROUNDS = 15

DUELS = []
MEASURE = []  # the program that starts commands; known once there is a Bench


def duel(function):
    """Adds a function to the list, under its own name."""
    DUELS.append(function)
    return function


class Skip(Exception):
    """Something a duel needs is not there."""


def skipped(name, reason):
    """A line of the table that could not be measured."""
    return {"duel": name, "skipped": str(reason)}


def result(name, value, unit, goal=None, at_most=False, possible=None, **more):
    """One line of the table. `goal` is the least value, or the greatest with at_most. A value above
    `possible` shows that the measurement is wrong. limits.py says what limits values that miss their goals."""
    met = None
    if goal is not None:
        met = value <= goal if at_most else value >= goal
    line = {"duel": name, "value": round(value, 3), "unit": unit, "goal": goal,
            "at_most": at_most, "met": met, **more}
    if possible is not None and value > possible:
        line["impossible"] = possible
    return line


class Bench:
    def __init__(self, build, generators):
        self.build = pathlib.Path(build).resolve()
        self.data = self.build / "data"
        self.data.mkdir(parents=True, exist_ok=True)
        self.generators = generators
        self.reprise = self.build / "cli" / "reprise"
        self.decode = self.build / "tests" / "bench" / "duel_decode"
        MEASURE[:] = [self.build / "tests" / "bench" / "measure"]

    def generated(self, name, generator, *options):
        """A big input file: made once by a generator, kept in the build directory."""
        path = self.data / name
        if path.exists():
            return path
        script = self.generators / generator if self.generators else None
        if not script or not script.exists():
            raise Skip(f"{generator} is not there to make {name} (--generators DIR)")
        print(f"making {name} ...", file=sys.stderr, flush=True)
        unfinished = self.data / ("new-" + name)
        subprocess.run([sys.executable, script, *options, unfinished], check=True,
                       stdout=subprocess.DEVNULL)
        unfinished.rename(path)
        return path

    def program(self, name, *arguments):
        """Runs a duel program and gives the JSON objects it prints."""
        path = self.build / "tests" / "bench" / name
        if not path.exists():
            raise Skip(f"{name} was not built")
        run = subprocess.run([path, *arguments], check=True, stdout=subprocess.PIPE, text=True)
        return [json.loads(line) for line in run.stdout.splitlines()]

    def ratio(self, program, name, goal, *arguments):
        """A duel program that fights one duel."""
        for line in self.program(program, name, *arguments):
            yield result(name, line["ratio"], "x", goal, ours_ms=line["ours_ms"],
                         theirs_ms=line["theirs_ms"])


def measured(*sides, rounds=ROUNDS):
    """What each command takes, run in turn: cpu_s, clock_s and peak_kib, by a program that is small
    enough not to show up in their memory."""
    words = [str(rounds)]
    for side in sides:
        words += [*map(str, side), "--"]
    run = subprocess.run([MEASURE[0], *words[:-1]], check=True, stdout=subprocess.PIPE, text=True)
    found = [json.loads(line) for line in run.stdout.splitlines()]
    for side, line in zip(sides, found):
        if line["code"] not in (0, 3):
            raise Skip(f"{' '.join(map(str, side[:3]))} failed with {line['code']}")
    return found


def spawn(*command):
    """Runs a command to its end: its processor time, its peak of memory in KiB, seconds by the
    clock. Its output goes nowhere."""
    line = measured(command, rounds=1)[0]
    return line["cpu_s"], line["peak_kib"], line["clock_s"]
