#!/usr/bin/env python3
"""Checks that served.py gives what the command gives when it is started, and that faults are noticed.

usage: tests/common/test_served.py REPRISE FAULTY [--sanitized]

FAULTY is serve_command.c with the command of faulty_command.c. REPRISE_SERVED names the one with ours. Prints a
line per case and "N passed, N failed".
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import served

DATA = Path(__file__).resolve().parents[1] / "data"
REPRISE, FAULTY = (os.path.abspath(name) for name in sys.argv[1:3])
SANITIZED = sys.argv[3:] == ["--sanitized"]
SANITIZER_EXIT = 99
SAMPLE = DATA / "rumble" / "z6_match_like_1.2.4.replay"
COMMANDS = [
    ["--version"], ["--help"], [], ["nonsense"], ["info", "missing"], ["info", "--json", SAMPLE], ["info", SAMPLE],
    ["stats", SAMPLE], ["verify", "--json", SAMPLE], ["verify", DATA / "rumble" / "bad" / "rgzp_cut.replay"],
    ["cat", "--track", "all", SAMPLE], ["at", "--time", "1", SAMPLE], ["plot", SAMPLE, "-"],
    ["export", SAMPLE, "scene.glb"], ["anonymize", "-o", "result.replay", SAMPLE],
]


def in_a_directory(run, words):
    """What is printed and written, and the exit code, in a directory and an environment of its own."""
    environment = {**os.environ, "COLUMNS": "60", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    with tempfile.TemporaryDirectory() as directory:
        done = run([REPRISE, *words], capture_output=True, cwd=directory, env=environment)
        files = sorted((path.name, path.stat().st_size) for path in Path(directory).iterdir())
    return done.returncode, done.stdout, done.stderr, files


def ends_with(*words, text=""):
    done = served.run([FAULTY, *words], capture_output=True, text=True)
    return done.returncode, text in done.stderr


def hangs():
    try:
        served.run([FAULTY, "hang"], capture_output=True, timeout=1)
    except subprocess.TimeoutExpired:
        return served.run([FAULTY, "word"], capture_output=True, text=True).stdout == "word\n"
    return False


def cases():
    for words in COMMANDS:
        yield f"same: {' '.join(map(str, words))}", in_a_directory(served.run, words) == in_a_directory(subprocess.run, words)
    os.environ["REPRISE_SERVED"] = FAULTY
    del served.own.server
    yield "exit code", ends_with("word") == (7, True)
    yield "signal", ends_with("die") == (-6, True)
    yield "timeout", hangs()
    if SANITIZED:
        yield "leak", ends_with("leak", text="LeakSanitizer") == (SANITIZER_EXIT, True)
        yield "use after free", ends_with("use", text="heap-use-after-free") == (SANITIZER_EXIT, True)


def main():
    os.environ["ASAN_OPTIONS"] = f"{os.environ.get('ASAN_OPTIONS', '')}:exitcode={SANITIZER_EXIT}:abort_on_error=0:detect_leaks=1"
    assert os.environ.get("REPRISE_SERVED"), "REPRISE_SERVED is not set"
    results = list(cases())
    for name, passed in results:
        print(f"{'ok' if passed else 'FAILED'} {name}")
    failed = sum(not passed for _, passed in results)
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
