#!/usr/bin/env python3
"""Runs the tests over finished builds and adds up the single cases.

usage: tools/test-summary.py [--all] BUILD_DIR...

In each build directory the Meson suites run, without those called `long` unless --all is given. Then the
runners that need nothing but the command, such as tests/golden/run and tests/cli/run, run once with the
command of the first directory (they find its path in the environment variable REPRISE); with --all also
those of LONG_RUNNERS. The last line is "N passed, N failed".
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed$", re.M)
# The protocol of cmocka programs: a line per case; "# SKIP" marks one that did not run, and some
# versions write "not ok" before it.
TAP_OK = re.compile(r"^ok \d+(?!.*# SKIP)", re.M)
TAP_NOT_OK = re.compile(r"^not ok \d+(?!.*# SKIP)", re.M)

# What could not run here and why: said at the end, where it is seen.
SKIPPED = []

RUNNERS = [
    ["tests/golden/run", "tests/data"],
    ["tests/golden/test_runner.py"],
    ["tests/cli/run"],
    ["tests/docs/run"],
]

# The page in a browser, a new Debian root, and bindings and packages where the tree has them.
LONG_RUNNERS = [
    ["viewer/tests/run", "--quick"],
    ["tests/fresh/run"],
    ["python/tests/run"],
    ["tests/packages/run"],
]

# Meson's limits are for tests that hang; on a machine with other work, tests take their time.
TIMEOUT_FACTOR = 5

# Leaks and undefined behaviour end a program with a status that no verb of the command uses.
SANITIZERS = {
    "ASAN_OPTIONS": "exitcode=99:detect_leaks=1:detect_stack_use_after_return=1"
    ":strict_string_checks=1:check_initialization_order=1",
    "UBSAN_OPTIONS": "exitcode=99:halt_on_error=1:print_stacktrace=1",
}


def count(output, ok):
    """Cases passed and failed in the output of one program or runner that ended well or not."""
    summaries = SUMMARY.findall(output)
    if summaries:
        passed, failed = map(int, summaries[-1])
    else:
        passed, failed = len(TAP_OK.findall(output)), len(TAP_NOT_OK.findall(output))
        if not passed and not failed:
            return (1, 0) if ok else (0, 1)
    # A program that dies after its last good case has failed all the same.
    return passed, failed if ok or failed else 1


def run_meson(directory, environment, everything):
    log = directory / "meson-logs" / "testlog.json"
    log.unlink(missing_ok=True)
    command = ["meson", "test", "-C", str(directory), "--no-rebuild", "--print-errorlogs",
               "--timeout-multiplier", str(TIMEOUT_FACTOR)]
    if not everything:
        command += ["--no-suite", "long"]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
    passed = failed = 0
    for line in log.read_text(encoding="utf-8").splitlines() if log.exists() else []:
        test = json.loads(line)
        if test["result"] == "SKIP":
            reason = test.get("stdout", "").strip().splitlines()[-1:] or ["skipped"]
            SKIPPED.append(f"{directory.name}: {test['name']}: {reason[0]}")
            continue
        cases = count(test.get("stdout", ""), test["result"] == "OK")
        passed, failed = passed + cases[0], failed + cases[1]
    return passed, failed if done.returncode == 0 or failed else 1


def run_runner(command, environment):
    output = []
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, errors="replace"
    ) as process:
        for line in process.stdout:
            output.append(line)
            print(line, end="", flush=True)
    return count("".join(output), process.returncode == 0)


def main():
    everything = "--all" in sys.argv[1:]
    directories = [Path(name).resolve() for name in sys.argv[1:] if name != "--all"]
    environment = {**os.environ, **SANITIZERS, "REPRISE": str(directories[0] / "cli" / "reprise")}
    results = []
    for directory in directories:
        results.append((directory.name, *run_meson(directory, environment, everything)))
    for command in RUNNERS + (LONG_RUNNERS if everything else []):
        if (ROOT / command[0]).exists():
            print(f"\n{' '.join(command)}", flush=True)
            results.append((command[0], *run_runner(command, environment)))
    print()
    if not everything:
        print("not run: clang, long sweeps, the viewer in a browser, a fresh machine (make test-all)")
    for line in SKIPPED:
        print(f"not run: {line}")
    for name, passed, failed in results:
        print(f"{name:20} {passed:6} passed {failed:4} failed")
    failed = sum(result[2] for result in results)
    print(f"{sum(result[1] for result in results)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
