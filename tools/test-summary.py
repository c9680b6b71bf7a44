#!/usr/bin/env python3
"""Runs the tests over finished builds and adds up the single cases.

usage: tools/test-summary.py [--all] BUILD_DIR...

In each build directory the Meson suites run; those called `long` only with --all, and only in the first
directory: they take most of the time, and what they look for does not depend on the compiler. Then the
runners that need nothing but the command, such as tests/golden/run and tests/cli/run, run once with the
command of the first directory (they find its path in the environment variable REPRISE); with --all also
those of LONG_RUNNERS, and a few mutants beside everything else (BACKGROUND).

A case counts once, in however many builds it ran. Self-checks of runners and tools (Meson suite
`self-check`, SELF_CHECKS) are counted apart. A program that reports no case fails, unless its suite
`single` says that its exit code is the case. tools/test_counts.py says how programs report. The last
lines are cases, comparisons, sweeps, self-checks, and what was not run and why; then "N passed, N
failed", where a failed self-check counts as a failure.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True

from test_counts import Tally, merge, read_output  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent

RUNNERS = [
    ["tests/golden/run", "tests/data"],
    ["tests/golden/test_runner.py"],
    ["tests/cli/run"],
    ["tests/docs/run"],
]

# The page in a browser, a new Debian root, bindings and packages where the tree has them, and instruction
# counts of the release build.
LONG_RUNNERS = [
    ["viewer/tests/run", "--quick"],
    ["tests/fresh/run"],
    ["python/tests/run"],
    ["python/tests/spark/run", "--files", "2000"],
    ["tests/packages/run"],
    ["tests/bench/counts"],
]

# Runs beside the suites and is shown at the end: a few mistakes put into the code on purpose, for less time
# than the suites take, and judged by the programs that take seconds. Survivors are for people to judge; only
# the tool itself can fail.
BACKGROUND = ["tools/mutate/run", "--mutants", "15", "--seconds", "2100", "--effort", "10", "--tests", "^(test_|cli )"]

# They show that a runner notices what is wrong, and say nothing about the library.
SELF_CHECKS = {"tests/golden/test_runner.py"}

# Meson's limits are for tests that hang; on a machine with other work, tests take their time.
TIMEOUT_FACTOR = 5

# Leaks and undefined behaviour end a program with a status that no verb of the command uses.
SANITIZERS = {
    "ASAN_OPTIONS": "exitcode=99:detect_leaks=1:detect_stack_use_after_return=1"
    ":strict_string_checks=1:check_initialization_order=1",
    "UBSAN_OPTIONS": "exitcode=99:halt_on_error=1:print_stacktrace=1",
}


class Results:
    """Tallies by the names of programs, and in how many builds each ran."""

    def __init__(self):
        self.tallies, self.builds, self.self_checks = {}, {}, set()
        self.left_out = {}  # program -> why

    def add(self, name, tally, is_self_check=False):
        known = self.tallies.get(name)
        self.tallies[name] = merge(known, tally) if known else tally
        self.builds[name] = self.builds.get(name, 0) + 1
        if is_self_check:
            self.self_checks.add(name)

    def of(self, self_checks):
        return {name: tally for name, tally in self.tallies.items() if (name in self.self_checks) == self_checks}

    @property
    def failed(self):
        return sum(tally.failed for tally in self.tallies.values())


def suites(test):
    """Without the name of the project before each."""
    return {suite.split(":")[-1] for suite in test["suite"]}


def declared_tests(directory):
    """Name -> suites of everything that the build declares."""
    command = ["meson", "introspect", "--tests", str(directory)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {test["name"]: suites(test) for test in json.loads(done.stdout)}


def read_log(directory):
    """Name -> the entry of Meson's log."""
    log = directory / "meson-logs" / "testlog.json"
    if not log.exists():
        return {}
    entries = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    return {entry["name"].split(" / ")[-1]: entry for entry in entries}


def tally_of(entry, is_single):
    """By the output of a program; one that Meson calls skipped as a whole says why in its last line."""
    output, result = entry.get("stdout", ""), entry["result"]
    tally = read_output(output, result in ("OK", "SKIP"), is_single and result != "SKIP")
    if result == "SKIP" and not tally.skipped:
        reason = output.strip().splitlines()[-1:]
        tally = Tally(skipped={"everything": reason[0]}) if reason else Tally(faults=["skipped without a reason"])
    return tally


def run_meson(directory, environment, long_too, results):
    (directory / "meson-logs" / "testlog.json").unlink(missing_ok=True)
    command = ["meson", "test", "-C", str(directory), "--no-rebuild", "--print-errorlogs",
               "--timeout-multiplier", str(TIMEOUT_FACTOR)]
    if not long_too:
        command += ["--no-suite", "long"]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
    log, failed_before = read_log(directory), results.failed
    for name, of in declared_tests(directory).items():
        if "long" in of and not long_too:
            if name not in results.tallies:
                results.left_out[name] = "takes minutes; make test-all"
        elif name in log:
            results.add(name, tally_of(log[name], "single" in of), "self-check" in of)
        else:
            results.add(name, Tally(faults=["did not run"]))
    if done.returncode and results.failed == failed_before:
        results.add(f"meson test in {directory.name}", Tally(faults=[f"exit code {done.returncode}"]))


def run_runner(command, environment):
    """The output of a runner, and whether it ended well."""
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, errors="replace",
                          check=False)
    return done.stdout, done.returncode == 0


def run_runners(commands, environment, results):
    """Two at a time, because each of them uses one processor for most of its time; shown in their order."""
    there = [command for command in commands if (ROOT / command[0]).exists()]
    with ThreadPoolExecutor(max_workers=2) as pool:
        for command, (output, ended_well) in zip(there, pool.map(lambda c: run_runner(c, environment), there)):
            print(f"\n{' '.join(command)}\n{output}", flush=True)
            results.add(command[0], read_output(output, ended_well), command[0] in SELF_CHECKS)
    for command in commands:
        if command not in there:
            results.add(command[0], Tally(faults=["is not there"]))


def start_background(command):
    """The process, and the file of what it prints. It yields to everything else."""
    output = tempfile.TemporaryFile("w+", errors="replace")
    return subprocess.Popen(["nice", "-n", "15", *command], cwd=ROOT, stdout=output, stderr=output), output


def kill_with_children(pid):
    """Stops a process before its children are looked up, so that it cannot start others."""
    with contextlib.suppress(OSError):  # it may have ended by itself
        os.kill(pid, signal.SIGSTOP)
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                kill_with_children(int(child))
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)


def end_background(command, process, output, results):
    """Shows what it found so far. It has the time that the suites leave it, and no more."""
    ended = process.poll() is not None
    if not ended:
        kill_with_children(process.pid)
        process.wait()
    output.seek(0)
    text = output.read()
    print(f"\n{' '.join(command)}\n{text}", flush=True)
    if ended:
        results.add(command[0], read_output(text, process.returncode == 0, is_single=True), True)
    else:
        results.left_out[command[0]] = "was not at its end when the suites were"


def print_counts(results, build_count):
    cases, checks = results.of(False), results.of(True)
    total = sum(len(tally.cases) for tally in cases.values())
    line = f"cases: {total} in {len(cases)} programs"
    if build_count > 1:
        several = sum(len(tally.cases) for name, tally in cases.items() if results.builds[name] > 1)
        line += f"; {several} of them ran in {build_count} builds"
    print(line)
    compared = sum(tally.compared for tally in cases.values())
    print(f"oracle comparisons: {compared} values")
    print(f"sweeps: {sum(tally.runs for tally in cases.values())} runs")
    print(f"self-checks of runners, not in the number of cases: {sum(len(t.cases) for t in checks.values())}")


def print_summary(results, build_count):
    """Prints what ran, what did not and the last line; returns the exit code."""
    print()
    for name, tally in results.tallies.items():
        for fault in tally.faults:
            print(f"FAILED {name}: {fault}")
        wrong = [case for case, passed in tally.cases.items() if not passed]
        if wrong:
            shown = ", ".join(wrong[:5])
            print(f"FAILED {name}: {len(wrong)} of {len(tally.cases)} cases: {shown}{', ...' * (len(wrong) > 5)}")
        for case, reason in tally.skipped.items():
            print(f"not run: {name}: {case}: {reason or 'no reason given'}")
    for name, reason in results.left_out.items():
        print(f"not run: {name}: {reason}")
    print_counts(results, build_count)
    passed = sum(tally.passed for tally in results.of(False).values())
    print(f"{passed} passed, {results.failed} failed")
    return 1 if results.failed or not passed else 0


def run(directories, runners, long_runners, everything, background=None):
    """Runs all tests; returns the exit code."""
    beside = start_background(background) if background else None
    environment = {**os.environ, **SANITIZERS, "REPRISE": str(directories[0] / "cli" / "reprise")}
    results = Results()
    for directory in directories:
        run_meson(directory, environment, everything and directory == directories[0], results)
    there = [command for command in long_runners if (ROOT / command[0]).exists()]
    run_runners(runners + (there if everything else []), environment, results)
    if not everything:
        results.left_out["clang"] = "make test-all"
        results.left_out.update({command[0]: "make test-all" for command in there})
    if beside:
        end_background(background, *beside, results)
    return print_summary(results, len(directories))


def main():
    names = [name for name in sys.argv[1:] if name != "--all"]
    if not names:
        sys.exit(__doc__)
    everything = "--all" in sys.argv[1:]
    return run([Path(name).resolve() for name in names], RUNNERS, LONG_RUNNERS, everything,
               BACKGROUND if everything else None)


if __name__ == "__main__":
    sys.exit(main())
