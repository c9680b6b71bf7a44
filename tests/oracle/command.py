"""Asks the command about a file. A question is a tuple of a verb and its options:

    ("info",) ("stats",) ("at", "--time", "1.5") ...   the JSON document that --json prints
    ("rows",)                                          all rows: {track: [row, ...]}
    ("cat", "--track", "players")                      the rows of one track
    ("scene", "--exact")                               the exported GLB, a Scene of tests/gltf/truth.py
    ("timeline",)                                      the exported timeline, of tests/timeline/columns.py
    ("svg", "--of", "speed")                           what `plot` draws, as text
"""

import json
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "gltf"), str(TESTS / "timeline"), str(TESTS / "common")]
import served  # noqa: E402
from columns import Timeline  # noqa: E402
from truth import Scene  # noqa: E402

TIMEOUT_S = 1800  # for what hangs, on a loaded machine too
# Done, and done with warnings: some samples bend the rules on purpose.
DONE = (0, 3)


class CommandFailed(Exception):
    pass


class Command:
    def __init__(self, program):
        self.program = str(program)

    def run(self, *arguments, text=True):
        words = [self.program, *map(str, arguments)]
        done = served.run(words, capture_output=True, timeout=TIMEOUT_S, check=False)
        if done.returncode not in DONE:
            raise CommandFailed(f"exit {done.returncode}: {done.stderr.decode(errors='replace')[:300]}")
        return done.stdout.decode() if text else done.stdout

    def rows(self, *arguments):
        return [json.loads(line) for line in self.run("cat", "--no-status", *arguments).splitlines()]

    def scene(self, path, options):
        with tempfile.TemporaryDirectory() as directory:
            target = Path(directory) / "scene.glb"
            self.run("export", "-q", *options, path, target)
            return Scene(target.read_bytes())

    def ask(self, question, path):
        verb, *options = question
        if verb == "rows":
            tracks = {}
            for row in self.rows("--track", "all", *options, path):
                tracks.setdefault(row["track"], []).append(row)
            return tracks
        if verb == "cat":
            return self.rows(*options, path)
        if verb == "scene":
            return self.scene(path, options)
        if verb == "timeline":
            return Timeline(self.program, str(path), *options)
        if verb == "svg":
            return self.run("plot", *options, path, "-")
        return json.loads(self.run(verb, "--json", *options, path))
