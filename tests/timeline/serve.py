#!/usr/bin/env python3
"""What `reprise view` serves of long and of large replays, and what a page in one file may hold.

usage: tests/timeline/serve.py REPRISE LONG SAMPLE

LONG has a series of more than 8192 points: the timeline has buckets of it and says where it is
whole, each bucket holds every point in its time, and names that are none are refused. Of SAMPLE a
part is shown when its scene may have only half of its bytes, and the page says so; a page in one
file is then refused, names the ways out, and each of them writes it.
Prints "N passed, N failed".
"""

import gzip
import json
import math
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

from columns import Timeline, column, run


class Server:
    def __init__(self, reprise, sample, *options):
        command = [reprise, "view", "--no-open", "--wait", "1", *options, sample]
        self.child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      text=True)
        self.address = self.child.stdout.readline().strip()
        if "no viewer" in (self.child.communicate()[1] if not self.address else ""):
            print("SKIPPED everything (this build has no viewer)")
            sys.exit(77)

    def __enter__(self):
        while not json.loads(self.get("progress"))["ready"]:
            pass
        return self

    def __exit__(self, *_):
        self.child.terminate()
        self.words = self.child.communicate()[1]

    def get(self, name):
        with urllib.request.urlopen(self.address + name) as answer:
            data = answer.read()
            packed = answer.headers.get("Content-Encoding") == "gzip"
            return gzip.decompress(data) if packed else data

    def refuses(self, name):
        try:
            self.get(name)
        except urllib.error.HTTPError as error:
            return error.code == 404
        return False


def holds(series, times, values):
    """Whether buckets hold all points: none outside its extremes, the last one as their value."""
    starts, low, high = (column(series[key]) for key in ("t", "lo", "hi"))
    at = 0
    for time, value in zip(times, values):
        while at + 1 < len(starts) and starts[at + 1] <= time:
            at += 1
        if not math.isnan(value) and not low[at] <= value <= high[at]:
            return False
    return len(starts) < len(times)


def check_long(reprise, sample):
    with Server(reprise, sample) as server:
        timeline = json.loads(server.get("0/timeline.json"))
        found = [s for plot in timeline["plots"] for s in plot["series"] if "full" in s]
        yield bool(found), "no series is longer"
        for series in found:
            whole = json.loads(server.get(f"0/{series['full']}"))
            times, values = column(whole["t"]), column(whole["v"])
            yield len(times) > 8192, f"{series['full']} has {len(times)} points"
            yield whole["name"] == series["name"], f"{whole['name']}, not {series['name']}"
            yield all(a < b for a, b in zip(times, times[1:])), "times fall"
            yield holds(series, times, values), f"buckets of {series['full']} lose points"
        for name in ("plots/", "plots/speed", "plots/speed/99", "plots/../timeline.json",
                     "plots/none/0", "plots/speed/0/"):
            yield server.refuses(f"0/{name}"), f"{name} is answered"
    alone = Timeline(reprise, sample).json
    yield not any("full" in s for p in alone["plots"] for s in p["series"]), "full without a server"


def check_large(reprise, sample):
    with tempfile.TemporaryDirectory() as directory:
        run([reprise, "export", "-q", sample, f"{directory}/scene.glb"])
        whole = Path(directory, "scene.glb").read_bytes()
    length = Timeline(reprise, sample).json["source"]["duration"]
    fixed = json.loads(whole[20:20 + int.from_bytes(whole[12:16], "little")])
    fixed = fixed["asset"]["extras"]["reprise"]["static_bytes"]
    most = fixed + (len(whole) - fixed) // 2
    with Server(reprise, sample, "--scene-max", str(most)) as server:
        timeline = json.loads(server.get("0/timeline.json"))
        shown, size = timeline["source"]["duration"], len(server.get("0/scene.glb"))
        yield size <= most, f"{size} bytes, at most {most}"
        yield 0.1 * length < shown < 0.9 * length, f"{shown} of {length} seconds"
        texts = [w["text"] for w in timeline["warnings"] if w["id"] == "window"]
        yield len(texts) == 1 and "--from" in texts[0], f"warnings {texts}"
        yield server.refuses("0/bookmarks"), "bookmarks of a part"
    yield "too large for a browser" in server.words, server.words
    with Server(reprise, sample) as server:
        timeline = json.loads(server.get("0/timeline.json"))
        yield timeline["source"]["duration"] == length, "a part of what fits"
        yield not [w for w in timeline["warnings"] if w["id"] == "window"], "a notice"


def check_page(reprise, sample):
    """What is too large is refused before there is a file."""
    with tempfile.TemporaryDirectory() as directory:
        page, scene = Path(directory, "page.html"), Path(directory, "scene.glb")

        def export(to, *options):
            return subprocess.run([reprise, "export", *options, sample, str(to)], text=True,
                                  capture_output=True, check=False)

        export(scene)
        size = scene.stat().st_size
        refused = export(page, "--scene-max", str(size - 1))
        yield refused.returncode == 6, f"code {refused.returncode} for a page too large"
        for way in ("--from", "--to", "--fps", "--tolerance", "--force"):
            yield way in refused.stderr, f"{way} is no way out: {refused.stderr}"
        yield not page.exists(), "a page too large was begun"
        for options in (("--scene-max", str(size)),
                        ("--scene-max", str(size - 1), "--force"),
                        ("--scene-max", str(size - 1), "--to", "1"),
                        ("--scene-max", str(size - 1), "--fps", "5"),
                        ("--scene-max", str(size - 1), "--tolerance", "50,5"),
                        ()):
            written = export(page, *options)
            yield written.returncode == 0 and page.exists(), f"{options}: {written.stderr}"
            page.unlink(missing_ok=True)


def main():
    reprise, long, large = sys.argv[1:]
    results = [*check_long(reprise, long), *check_large(reprise, large),
               *check_page(reprise, large)]
    wrong = [what for right, what in results if not right]
    for what in wrong:
        print(f"FAILED {what}")
    print(f"{len(results) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong or not results else 0


if __name__ == "__main__":
    sys.exit(main())
