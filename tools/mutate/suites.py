"""The tests of a build as single commands, each with the time it takes and the mutants it reaches."""

import json
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

MUTANTS_MAX = 4096
NO_MUTANT = MUTANTS_MAX - 1  # a number that is never given to one
# They look at headers, symbols or an installed copy, which mutants do not change or do not allow.
NOT_USED = {"layout", "symbols", "install", "ic-types", "check-layers", "hardening", "oracle"}
ORACLES = ["rumble", "cs2kz", "mcreplay", "mccamera", "openra", "remastered", "ironcurtain"]
# A mutant may loop, allocate or write without end. Time is that of the processor, so that other work on
# the machine does not make a mutant look caught; the clock is only for what waits for ever.
CPU_FACTOR, CPU_LEAST_S = 4, 8
CLOCK_FACTOR, CLOCK_LEAST_S = 20, 120
FIRST_CPU_S, FIRST_CLOCK_S = 300, 900
MEMORY_MAX = 8 << 30
FILE_MAX = 4 << 30


class Test:
    def __init__(self, name, command, cwd, env=None, tap=False):
        self.name, self.command, self.cwd, self.env, self.tap = name, command, cwd, env or {}, tap
        self.lock = threading.Lock()  # two runs of one test at a time may use the same files
        self.seconds, self.reached = 0.0, b""  # of the processor, and a byte for each mutant

    def run(self, variables, cpu_s, clock_s, memory_max):
        """Whether the test passes, and the seconds of the processor that it took."""
        with self.lock, tempfile.TemporaryDirectory(prefix="mutate-") as folder:
            environment = {**os.environ, "MALLOC_PERTURB_": "165", **self.env, **variables, "TMPDIR": folder}
            with open(Path(folder) / "output", "w+b") as output:
                process = subprocess.Popen(self.command, cwd=self.cwd, env=environment, stdin=subprocess.DEVNULL,
                                           stdout=output, stderr=output, start_new_session=True,
                                           preexec_fn=lambda: limit(cpu_s, memory_max))
                code, seconds = wait(process, clock_s)
                output.seek(0)
                said = output.read().decode(errors="replace") if self.tap else ""
        failed = any(line.startswith("not ok") and "# SKIP" not in line for line in said.splitlines())
        return code in (0, 77) and not failed, seconds

    def measure(self, variables, memory_max):
        """Runs the test without a mutant; notes its time and what it reaches. Whether it passes."""
        with tempfile.NamedTemporaryFile() as file:
            file.write(bytes(MUTANTS_MAX))
            file.flush()
            passed, self.seconds = self.run({**variables, "REPRISE_MUTANT_REACHED": file.name}, FIRST_CPU_S,
                                            FIRST_CLOCK_S, memory_max)
            file.seek(0)
            self.reached = file.read()
        return passed

    def catches(self, number, variables, memory_max):
        passed, _ = self.run({**variables, "REPRISE_MUTANT": str(number)},
                             CPU_LEAST_S + int(CPU_FACTOR * self.seconds),
                             CLOCK_LEAST_S + CLOCK_FACTOR * self.seconds, memory_max)
        return not passed


def limit(cpu_s, memory_max):
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_MAX, FILE_MAX))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if memory_max:
        resource.setrlimit(resource.RLIMIT_AS, (memory_max, memory_max))


def wait(process, clock_s):
    """The exit code and the seconds of the processor. Ends what is left, which is all in its own group."""
    deadline, pause, ended = time.monotonic() + clock_s, 0.005, 0
    while not ended and time.monotonic() < deadline:
        time.sleep(pause)
        pause = min(2 * pause, 0.1)
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    if not ended:
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


def meson_tests(build, long):
    listed = subprocess.run(["meson", "introspect", str(build), "--tests"], check=True, capture_output=True)
    for one in json.loads(listed.stdout):
        left_out = one["name"] in NOT_USED or one["name"].startswith("header-")
        if not left_out and long == any(suite.endswith(":long") for suite in one["suite"]):
            yield Test(one["name"], one["cmd"], one["workdir"] or build, one["env"], one["protocol"] == "tap")


def runner_tests(root, build):
    command = build / "cli" / "reprise"
    env = {"REPRISE": str(command)}
    for family in ORACLES:
        yield Test(f"oracle {family}", [str(root / "tests/oracle/run"), "--seed", "1", "--only", family,
                                        "--reprise", str(command)], root, env)
    for folder in sorted((root / "tests/data").iterdir()):
        if any(folder.rglob("*.expect.json")):
            yield Test(f"golden {folder.name}", [str(root / "tests/golden/run"), str(folder)], root, env)
    for script in sorted((root / "tests/cli").glob("*.sh")):
        yield Test(f"cli {script.stem}", [str(root / "tests/cli/run"), script.stem], root, env)
    yield Test("docs", [str(root / "tests/docs/run")], root, env)


def all_tests(root, build, long):
    """The tests of `make test`, or those that are only in `make test-all`."""
    tests = [*meson_tests(build, long), *([] if long else runner_tests(root, build))]
    return [test for test in tests if shutil.which(test.command[0])]
