"""What duels are made of: inputs, programs, processes to measure, and the list of duels itself.

A duel is a function with the decorator @duel in a file under duels/. It gets a Bench and yields
results; a Skip says why there are none. Ratios are ours against theirs, above 1 we are faster.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLES = ROOT / "tests" / "data"
ROUNDS = 15

DUELS = []


def duel(function):
    """Adds a function to the list, under its own name."""
    DUELS.append(function)
    return function


class Skip(Exception):
    """Something a duel needs is not there."""


def result(name, value, unit, goal=None, at_most=False, **more):
    """One line of the table. `goal` is the least value, or the greatest with at_most."""
    met = None
    if goal is not None:
        met = value <= goal if at_most else value >= goal
    return {"duel": name, "value": round(value, 3), "unit": unit, "goal": goal,
            "at_most": at_most, "met": met, **more}


class Bench:
    def __init__(self, build, generators):
        self.build = pathlib.Path(build).resolve()
        self.data = self.build / "data"
        self.data.mkdir(parents=True, exist_ok=True)
        self.generators = generators
        self.reprise = self.build / "cli" / "reprise"

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


def spawn(*command):
    """Runs a command to its end: its processor time, its peak of memory in KiB, seconds by the
    clock. Its output goes nowhere."""
    quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
    start = time.perf_counter()
    pid = os.posix_spawnp(str(command[0]), [str(word) for word in command], os.environ,
                          file_actions=quiet)
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) not in (0, 3):
        raise Skip(f"{' '.join(map(str, command[:3]))} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss, seconds


def least(*sides, rounds=ROUNDS):
    """The least processor time of each command, run in turn."""
    best = [float("inf")] * len(sides)
    for _ in range(rounds):
        for i, side in enumerate(sides):
            best[i] = min(best[i], spawn(*side)[0])
    return best
