#!/usr/bin/env python3
"""Runs every test over a build with coverage and prints lines and branches covered, room by room.

usage: tools/coverage.py BUILD_DIR

The build directory was set up with -Db_coverage=true. The tests of Meson and the runners that need
only the command run first; those that fail are named, since what they cover may be missing. Exits
with 1 if a room falls below its floor.
"""

import collections
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Percent of lines and branches: of everything, and of the rooms that users touch first.
FLOORS = {"all": (95, 85), "src/api": (0, 80), "cli": (0, 80)}
# Those that Meson does not know. The viewer's need Chromium and are skipped without it.
RUNNERS = [["tests/golden/run", "tests/data"], ["tests/cli/run"], ["viewer/tests/run", "--quick"]]


def room_of(path):
    """cli, src/LAYER or src/format/FAMILY."""
    folders = Path(path).parts[:-1]
    depth = 1 if folders[0] == "cli" else 3 if folders[1] == "format" else 2
    return "/".join(folders[:depth])


def last_line(text):
    return (text.strip().splitlines() or ["none"])[-1]


def run_tests(build):
    # What the counters have to say must not become part of what a command prints.
    environment = dict(os.environ, REPRISE=str(build / "cli" / "reprise"),
                       GCOV_ERROR_FILE=str(build / "counters.log"))
    meson = ["meson", "test", "-C", str(build), "--no-rebuild", "--quiet"]
    for runner in [meson, *RUNNERS]:
        done = subprocess.run(runner, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True,
                              check=False)
        if done.returncode:
            print(f"{' '.join(runner)} failed; its last line: {last_line(done.stdout)}")


def measure(build):
    made = subprocess.run(
        ["gcovr", "--root", str(ROOT), "--filter", "src/", "--filter", "cli/", "--json-summary",
         "-j", str(os.cpu_count()), "--gcov-ignore-parse-errors", str(build)],
        cwd=ROOT, stdout=subprocess.PIPE, check=True)
    rooms = collections.defaultdict(lambda: [0, 0, 0, 0])
    for file in json.loads(made.stdout)["files"]:
        for name in (room_of(file["filename"]), "all"):
            for i, key in enumerate(("line_covered", "line_total", "branch_covered",
                                     "branch_total")):
                rooms[name][i] += file[key]
    return rooms


def percent(part, all_of_it):
    return 100 * part / all_of_it if all_of_it else 100


def main():
    build = Path(sys.argv[1]).resolve()
    run_tests(build)
    low = []
    print(f"{'room':28} {'lines':>7} {'branches':>9}")
    for room, (lines, line_count, branches, branch_count) in sorted(measure(build).items()):
        covered = percent(lines, line_count), percent(branches, branch_count)
        print(f"{room:28} {covered[0]:6.1f}% {covered[1]:8.1f}%")
        floors = FLOORS.get(room, (0, 0))
        if covered[0] < floors[0] or covered[1] < floors[1]:
            low.append(f"{room}: the floor is {floors[0]} % of lines, {floors[1]} % of branches")
    print("\n".join(low))
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
