"""The samples, and the rows that `reprise cat` prints of them."""

import json
import os
import subprocess

OTHERS = {".json", ".tsv", ".md", ".oramap"}


def samples(data):
    return sorted(p for p in data.rglob("*") if p.is_file() and p.suffix not in OTHERS)


def cat(command, path, track):
    """The rows that cat prints, and how reading ended."""
    environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
    run = subprocess.run([command, "cat", "--quiet", "--track", track, path],
                         stdout=subprocess.PIPE, env=environment)
    lines = [json.loads(line, parse_int=str) for line in run.stdout.splitlines()]
    return lines[:-1], lines[-1] if lines else {}


class Printed:
    """What cat prints of a file: all tracks at once, or one by one if the file is damaged."""

    def __init__(self, command, path, tracks):
        self.command, self.path = command, path
        rows, self.status = cat(command, path, "all")
        self.sound = self.status.get("status") == "ok"
        self.rows = {track: [] for track in tracks}
        for row in rows:
            self.rows[row.get("track", tracks[0])].append(row)

    def track(self, name):
        return (self.rows[name], self.status) if self.sound else cat(self.command, self.path, name)
