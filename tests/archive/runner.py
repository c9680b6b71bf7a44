"""Runs the command under test."""

import json
import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "common"))
import served  # noqa: E402

SANITIZER_EXIT = 99


class Command:
    def __init__(self, program, directory):
        self.program, self.directory = program, directory
        self.environment = {**os.environ, "ASAN_OPTIONS": f"exitcode={SANITIZER_EXIT}",
                            "UBSAN_OPTIONS": f"exitcode={SANITIZER_EXIT}"}

    def run(self, *arguments, exits=(0,), **more):
        """The finished process; any other exit code than those in `exits` is a failure."""
        done = served.run([self.program, *map(str, arguments)], env=self.environment,
                          capture_output=True, **{"cwd": self.directory, **more})
        assert done.returncode in exits, (arguments, done.returncode, done.stderr[-2000:])
        return done

    def text(self, *arguments, exits=(0,), **more):
        return self.run(*arguments, exits=exits, **more).stdout.decode()

    def json(self, *arguments, exits=(0,), **more):
        return json.loads(self.text(*arguments, "--json", exits=exits, **more))


def same(ours, known, what):
    assert ours == known, f"{what}: {ours!r}, expected {known!r}"
