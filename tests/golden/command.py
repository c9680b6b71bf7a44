"""Runs the command `reprise` under limits of time and memory."""

import os
import resource
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from compare import load_json

ROOT = Path(__file__).resolve().parent.parent.parent
TIMEOUT_SECONDS = 600  # for what hangs, on a loaded machine too
MEBIBYTE = 1 << 20
ADDRESS_SPACE_MAX = 4096 * MEBIBYTE


class Failure(Exception):
    """The command did not do what it was asked for."""


@dataclass
class Result:
    arguments: list
    code: int  # negative: the signal that ended it
    output: object  # a file, at its beginning
    errors: str
    resident_bytes: int
    timed_out: float  # after how many seconds, or None

    def __str__(self):
        return "reprise " + " ".join(str(argument) for argument in self.arguments)

    def describe_end(self):
        if self.timed_out:
            return f"no end after {self.timed_out} s"
        lines = [line for line in self.errors.splitlines() if line.strip()]
        words = f": {lines[0]}" if lines else ""
        return f"signal {-self.code}{words}" if self.code < 0 else f"exit code {self.code}{words}"

    def expect(self, *codes):
        if self.timed_out or self.code not in codes:
            raise Failure(f"{self}: {self.describe_end()}")
        return self

    def document(self):
        """The JSON document it printed."""
        text = self.output.read()
        try:
            return load_json(text)
        except ValueError as error:
            raise Failure(f"{self}: output is not JSON: {error}; {self.describe_end()}") from error

    def lines(self):
        """The JSON lines it printed, one document each."""
        for number, text in enumerate(self.output, 1):
            try:
                yield load_json(text)
            except ValueError as error:
                raise Failure(f"{self}: line {number} is not JSON: {error}") from error


def find_program(given):
    """The one given, else that of the environment, else one that was built; None if not there."""
    named = given or os.environ.get("REPRISE")
    built = [ROOT / build / "cli" / "reprise" for build in ("build-test", "build")]
    for program in [Path(named)] if named else built:
        if program.is_file():
            return program.resolve()
    return None


def is_sanitized(program):
    """Sanitizers take memory of their own, so that limits say nothing about the command."""
    return b"__asan_" in program.read_bytes()


class Command:
    def __init__(self, program, timeout=TIMEOUT_SECONDS):
        self.program = Path(program)
        self.sanitized = is_sanitized(self.program)
        self.timeout = timeout

    def limit(self, process):
        if self.sanitized:
            return
        try:
            limits = (ADDRESS_SPACE_MAX, ADDRESS_SPACE_MAX)
            resource.prlimit(process.pid, resource.RLIMIT_AS, limits)
        except ProcessLookupError:
            pass  # it has ended already

    def run(self, *arguments):
        output = tempfile.TemporaryFile()
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(
                [str(self.program), *map(str, arguments)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
            )
            self.limit(process)
            late = threading.Event()
            timer = threading.Timer(self.timeout, lambda: (late.set(), process.kill()))
            timer.start()
            # Unlike Popen.wait this tells how much memory this one process took.
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            timer.cancel()
            errors.seek(0)
            words = errors.read().decode("utf-8", "replace")
        output.seek(0)
        resident = usage.ru_maxrss * 1024
        timed_out = self.timeout if late.is_set() else None
        return Result(arguments, process.returncode, output, words, resident, timed_out)
