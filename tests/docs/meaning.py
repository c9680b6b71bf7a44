"""What the commands in README, guides and help promise, and whether they keep it.

Every command that a document shows has an entry in MEANINGS: what must be true after it was run in a
directory that has the files its page takes for granted. A command without an entry is a failure, so a new
example comes with its promise.
"""
import contextlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
TIMEOUT_S = 600

# The files that examples take for granted: name -> sample.
SAMPLES = {
    "match.replay": "rumble/z6_match_like_1.2.4.replay",
    "archive/good.replay": "rumble/z6_park_like_1.2.0.replay",
    "replays/one.replay": "rumble/z6_edge.replay",
    "replays/two.orarep": "openra/p21-2p.orarep",
    "replays/three.replay": "cs2kz/a3-run.replay",
    "archive/run.replay": "cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay",
    "openra/one.orarep": "openra/p21-bots-medium.orarep",
    "match.orarep": "openra/zip-p21.orarep",
    "camera.xml": "mccamera/pan.xml",
    "old.replay": "rumble/z5_park_like_animator.replay",
    "mine.replay": "cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay",
    "run.replay": "cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay",
    "record.replay": "cs2kz/a3-run.replay",
    "match.icrep": "ironcurtain/full.icrep",
    "archive.icrep": "ironcurtain/full.icrep",
}


class Done:
    """A command that was run: its directory, output, errors and exit code."""

    def __init__(self, folder, out, err, code):
        self.folder, self.out, self.err, self.code = folder, out, err, code

    def text(self, name):
        return (self.folder / name).read_text(encoding="utf-8", errors="replace")

    def rows(self):
        return [json.loads(line) for line in self.out.splitlines() if line.startswith("{")]


class Session:
    """A directory in which the commands of one page run one after another."""

    def __init__(self, command):
        self.place = tempfile.TemporaryDirectory()
        self.folder = Path(self.place.name)
        for name, sample in SAMPLES.items():
            (self.folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(DATA / sample, self.folder / name)
        broken = (DATA / "rumble/z6_match_like_1.2.4.replay").read_bytes()
        (self.folder / "broken.replay").write_bytes(broken[: len(broken) * 2 // 3])
        tools = self.folder / ".tools"
        tools.mkdir()
        (tools / "reprise").symlink_to(command)
        # A browser that only writes down what it was told to open.
        (tools / "browser").write_text(f'#!/bin/sh\necho "$@" >"{self.folder}/opened"\n')
        (tools / "browser").chmod(0o755)
        self.environment = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}", HOME=str(self.folder),
                                BROWSER=str(tools / "browser"), XDG_RUNTIME_DIR=str(self.folder),
                                DATA=str(DATA))

    def run(self, line):
        with subprocess.Popen(["bash", "-c", line], cwd=self.folder, env=self.environment, text=True,
                              errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, start_new_session=True) as child:
            if " view " in f" {line} ":
                return self.watch(child)
            out, err = child.communicate(timeout=TIMEOUT_S)
        return Done(self.folder, out, err, child.returncode)

    def watch(self, child):
        """view serves until it is ended; its address is on standard output."""
        address = child.stdout.readline()
        page = subprocess.run(["python3", "-c",
                               "import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode())",
                               address.strip()], capture_output=True, text=True, check=False)
        os.killpg(child.pid, signal.SIGKILL)  # SIGTERM may be ignored, inherited from who runs this
        child.communicate(timeout=TIMEOUT_S)
        return Done(self.folder, address + page.stdout, page.stderr, page.returncode)


# ---- promises: functions that give a problem in words, or None ----

def code(wanted):
    return lambda done: done.code != wanted and f"exit {done.code}, expected {wanted}: {done.err.strip()[:200]}"


def says(*patterns):
    return lambda done: next((f"does not say {pattern!r}: {done.out[:300]!r}" for pattern in patterns
                              if not re.search(pattern, done.out, re.M)), None)


def tells(*patterns):
    """The same on standard error."""
    return lambda done: says(*patterns)(Done(done.folder, done.err, "", 0))


def never_says(pattern):
    return lambda done: re.search(pattern, done.out, re.M) and f"says {pattern!r}"


def all_rows(rule, least=1):
    def check(done):
        rows = done.rows()
        if not rows or rows[-1].get("status") != "ok":
            return "the rows do not end with a status"
        rows = rows[:-1]
        if len(rows) < least:
            return f"{len(rows)} rows, at least {least} expected"
        return next((f"a row that was not asked for: {row}" for row in rows if not rule(row)), None)
    return check


def replay(name, *patterns):
    """`verify` finds nothing wrong with a file, and `info` says what it should."""
    def check(done):
        command = [str(done.folder / ".tools/reprise")]
        sound = subprocess.run([*command, "verify", name], cwd=done.folder, capture_output=True, check=False)
        if sound.returncode:
            return f"{name} is not sound: {sound.stdout.decode()[:200]}"
        info = subprocess.run([*command, "info", name], cwd=done.folder, capture_output=True, text=True, check=False)
        return next((f"info {name} does not say {p!r}" for p in patterns if not re.search(p, info.stdout)), None)
    return check


def results(folder, suffix=""):
    """--output-dir wrote at least two files."""
    return lambda done: sum(path.is_file() and path.name.endswith(suffix) and ".reprise" not in path.parts
                            for path in (done.folder / folder).rglob("*")) < 2 and f"few results in {folder}"


def lacks(name, *words):
    """No part of a file, as rows and metadata, has these words."""
    def check(done):
        command = [str(done.folder / ".tools/reprise")]
        text = "".join(subprocess.run([*command, *verb, name], cwd=done.folder, capture_output=True, text=True,
                                      check=False).stdout for verb in (["info", "--json"], ["cat", "-t", "all"]))
        return next((f"{name} still has {word!r}" for word in words if word in text), None)
    return check


def starts(name, start):
    return lambda done: (not (done.folder / name).exists() and f"{name} does not exist") or (
        not (done.folder / name).read_bytes().startswith(start) and f"{name} is no such file")


def csv(name, heading, least):
    def check(done):
        lines = done.text(name).splitlines()
        return (not lines[0].startswith(heading) and f"{name} starts with {lines[0]!r}") or (
            len(lines) <= least and f"{name} has {len(lines)} lines")
    return check


def smaller(new, old):
    return lambda done: (done.folder / new).stat().st_size > (done.folder / old).stat().st_size and f"{new} is larger"


def length(name, least, most):
    def check(done):
        info = subprocess.run([str(done.folder / ".tools/reprise"), "info", "--json", name], cwd=done.folder,
                              capture_output=True, check=False)
        seconds = json.loads(info.stdout)["duration"]
        return not least <= seconds <= most and f"{name} lasts {seconds} s"
    return check


def has(name, *words):
    """A text file has these words."""
    return lambda done: next((f"{name} lacks {word!r}" for word in words if word not in done.text(name)), None)


def lasts(name, least, most):
    """The animations of a GLB file end between two times, in seconds."""
    def check(done):
        data = (done.folder / name).read_bytes()
        scene = json.loads(data[20:20 + int.from_bytes(data[12:16], "little")])
        inputs = {sampler["input"] for one in scene["animations"] for sampler in one["samplers"]}
        seconds = max(scene["accessors"][i]["max"][0] for i in inputs)
        return not least <= seconds <= most and f"{name} lasts {seconds} s"
    return check


def answers(name, sql, *rows):
    """A database has these rows."""
    def check(done):
        with contextlib.closing(sqlite3.connect(done.folder / name)) as database:
            found = database.execute(sql).fetchall()
        return found != list(rows) and f"{sql} gives {found}"
    return check


def rows_of(name, track, count):
    def check(done):
        done = subprocess.run([str(done.folder / ".tools/reprise"), "cat", "-t", track, name], cwd=done.folder,
                              capture_output=True, text=True, check=False)
        return f'"status":"ok","rows":{count}}}' not in done.stdout and f"{name}: {track}: {done.stdout[-80:]}"
    return check


SAVES = (code(0), starts("public.replay", b"PK"), replay("public.replay"), lacks("public.replay", "Ragna", "EDB7F1D5CBF15150"))
PAGE = b"<!doctype html>"
GLB = b"glTF"

MEANINGS = {
    # what it is
    "reprise info match.replay": (code(0), says("RUMBLE", "Ragna", "0:03.382", "core.manual"), never_says("<#FFF>")),
    "reprise info replays/": (says("one.replay", "two.orarep", "openra"),),
    "reprise info archive/": (code(0), says("good.replay", "players", "Park")),
    "reprise info --where 'time < 60 and mode = \"Vanilla\"' --sort time replays/":
        (says("three.replay", "bkz_ramp", r"0:00\.719"), never_says("two.orarep")),
    "reprise info --sort map,course,time --where 'teleports = 0 and mode = \"Vanilla\"' archive/":
        (code(0), says("run.replay", r"0:14\.438"), never_says("good.replay")),
    "reprise info --format-out csv --columns file,map,players,length replays/":
        (says("^file,map,players,length$", "two.orarep,Oracle Isle"),),
    "reprise info --format-out csv archive/ > archive.csv":
        (code(0), lambda done: "archive/good.replay,rumble,z6" not in done.text("archive.csv") and "not in the table"),
    "reprise info --format-out parquet archive/ > archive.parquet": (code(0), starts("archive.parquet", b"PAR1")),
    "reprise info --format-out parquet replays/ > replays.parquet": (starts("replays.parquet", b"PAR1"),),
    # catalogs
    "reprise index archive/": (code(0), says("catalog.sqlite: 2 files, 2 added"), tells("found 2 files: 2 good, in")),
    "reprise index replays/": (says("catalog.sqlite: 3 files, 3 added"),),
    "reprise index --rebuild replays/": (says("3 added, 0 changed"),),
    "reprise records archive/": (code(0), says(r"bkz_ramp +Main +Vanilla +pro .*0:14\.438")),
    "reprise records replays/": (code(0), says(r"bkz_ramp +Main +Vanilla +pro .*0:00\.719")),
    "reprise records --history --by map,mode archive/": (code(0), says(r"bkz_ramp +Vanilla +pro")),
    "reprise records --history --by map,mode replays/": (code(0), says(r"bkz_ramp +Vanilla +pro")),
    "reprise players archive/": (code(0), says("Ragna", "cs2kz")),
    "reprise players replays/": (code(0), says("Alice", "openra")),
    "reprise players replays/ alice": (code(0), says("Alice"), never_says("Bob")),
    "reprise duplicates archive/": (code(0), never_says("good.replay")),
    "reprise duplicates replays/": (code(0), says("one.replay", "copy.replay"), never_says("two.orarep")),
    "reprise duplicates --json replays/ | jq -r '.[] | select(.kind == \"bytes\") | .file'":
        (says("^one.replay$", "^copy.replay$"), never_says("two.orarep")),
    "reprise query archive/ --of cs2kz --where 'time < 60 and teleports = 0'": (code(0), says("run.replay", "14.4375")),
    "reprise query replays/ --of cs2kz --where 'time < 60 and teleports = 0'": (code(0), says("three.replay")),
    "reprise query replays/ --search 'alice AND hf'": (code(0), says("^two.orarep"), never_says("one.replay")),
    "reprise query archive/ 'select format, count(*) from file group by format'": (code(0), says("rumble +1", "cs2kz +1")),
    "reprise query replays/ 'select format, count(*) from file group by format'": (code(0), says("openra +1")),
    "reprise info --json archive/": (code(0), says(r'"format": ?"rumble"', "good.replay")),
    "reprise info camera.xml": (code(0), says("camera")),
    "reprise info --json replays/ | jq -r '.[] | [.file, .map.name] | @tsv'": (says("one.replay", "Oracle Isle"),),
    "reprise tracks match.replay": (code(0), says(r"players +301", r"events +26")),
    "reprise tracks --track players match.replay": (code(0), says("health", "rig_pos_x")),
    "reprise schema rumble": (code(0), says("health", "Uppercut")),
    "reprise schema --json rumble | jq -r '.tracks[].name'": (says("^players$"),),
    "reprise formats": (code(0), says("rumble", "cs2kz", "openra")),
    "reprise formats --json | jq -r '.[].layouts[].name'": (says("^z6$"),),
    # rows
    "reprise cat --track players --where 'health < 15' match.replay": (code(0), all_rows(lambda r: r["health"] < 15)),
    "reprise cat --track players --columns frame,time,player,health --output health.csv match.replay":
        (code(0), csv("health.csv", "frame,time,player,health", 300)),
    "reprise cat --track players --columns frame,time,player,health -o health.csv match.replay":
        (code(0), csv("health.csv", "frame,time,player,health", 300)),
    "reprise cat --track events --from 1 --to 2.5 match.replay": (code(0), all_rows(lambda r: 1 <= r["time"] <= 2.5)),
    "reprise cat --track events --where 'kind = hit' match.replay":
        (code(0), all_rows(lambda r: r["kind"] == "hit" and r["damage"] > 0, 4)),
    "reprise cat --track players --every-frame - < match.replay": (code(0), all_rows(lambda r: "health" in r, 340)),
    "reprise cat --track markers match.replay": (code(0), all_rows(lambda r: r["name"], 4)),
    "reprise cat --track frames match.replay | tail -n 1": (code(0), says(r'^\{"status":"ok","rows":170\}$')),
    "reprise at --time 1.5 match.replay": (code(0), says(r"frame +74", r"health +19 +18")),
    "reprise at --time 1:02.5 match.replay": (code(0), says("frame +169")),
    "reprise at --frame 100 --json match.replay": (code(0), says(r'"frame": ?100', '"players"')),
    "reprise at --frame 0 --json match.replay | jq '.players[0].health'": (says("^20$"),),
    "reprise at --tick 450 match.icrep": (code(0), says(r"tick +450", "exact +yes")),
    # statistics
    "reprise stats match.replay": (code(0), says("Ragna", r"damage taken +4|damage taken +8", "Hits")),
    "reprise stats --all match.replay": (code(0), says("Move log\n +time +move")),
    "reprise stats --highlights match.replay": (says("Highlights"), says(r"0\.\d\d  Exchange: \d+ damage")),
    "reprise stats --against record.replay run.replay": (says("[Cc]omparison"),),
    "reprise stats --json *.replay | jq '.[].derived'": (says('"players"'),),
    # soundness
    "reprise verify match.replay": (code(0), says("match.replay: ok")),
    "reprise verify sound.replay": (code(0), says("sound.replay: ok")),
    "reprise verify broken.replay || echo damaged": (code(0), says("^damaged$")),
    "reprise verify --quiet archive/ >/dev/null || echo 'not all replays are sound'":
        (code(0), never_says("not all"),
         lambda done: "not all" not in subprocess.run(
             ["bash", "-c", "cp broken.replay archive; reprise verify --quiet archive/ >/dev/null || echo not all; rm archive/broken.replay"],
             cwd=done.folder, env=dict(os.environ, PATH=f"{done.folder}/.tools:{os.environ['PATH']}"),
             capture_output=True, text=True, check=False).stdout and "says nothing about a damaged file"),
    "reprise recover broken.replay sound.replay": (replay("sound.replay", "Ragna"), length("sound.replay", 1, 3.3)),
    # changing
    "reprise trim --from core.manual --to core.matchEnded match.replay best.replay":
        (code(0), replay("best.replay", "Ragna"), length("best.replay", 1.5, 1.8)),
    "reprise trim --from core.roundEnded match.replay rest.replay": (code(0), replay("rest.replay"), length("rest.replay", 2.3, 2.6)),
    "reprise trim --run --lead-in 2 --lead-out 2 record.replay short.replay": (code(0), replay("short.replay")),
    "reprise recompress record.replay small.replay": (replay("small.replay"), smaller("small.replay", "record.replay")),
    "reprise recompress --output-dir small/ archive/": (tells("found .* written"), results("small")),
    "reprise anonymize --share --output-dir public/ archive/": (tells("found .* written"), results("public")),
    "reprise anonymize --share --output-dir public/ --include '*.replay' archive/": (tells("found .* written"), results("public")),
    "reprise recover --output-dir saved/ archive/": (tells("found .* written"), results("saved")),
    "reprise export --as glb --output-dir scenes/ archive/": (tells("found .* written"), results("scenes", ".glb")),
    "reprise export --as glb --output-dir scenes/ --include '*.replay' archive/": (tells("found .* written"), results("scenes", ".glb")),
    "reprise recompress match.replay small.replay": (replay("small.replay"), smaller("small.replay", "match.replay")),
    "reprise anonymize match.replay public.replay": SAVES,
    "reprise anonymize --dry-run match.replay": (code(0), tells("names 3", "ids 9", "times 1"), lambda done: (done.folder / "public.replay").exists()
                                                 and "wrote a file" or None),
    "reprise anonymize --substitutions who.json match.replay named.replay":
        (code(0), lacks("named.replay", "Ragna"), lambda done: "Ragna" not in done.text("who.json") and "the table lacks a name"),
    "reprise strip-voice match.icrep quiet.icrep": (replay("quiet.icrep", "Alice"), rows_of("quiet.icrep", "voice", 0), rows_of("match.icrep", "voice", 80)),
    # showing
    "reprise view match.replay": (code(0), says(r"^http://127\.0\.0\.1:\d+/[0-9a-f]{32}/", "<title>"),
                                  lambda done: not (done.folder / "opened").exists() and "opened no browser"),
    "reprise view --no-open --keep match.replay": (code(0), says("^http://127", "<title>")),
    "reprise view replays/": (code(0), says("^http://127", "<title>replays</title>")),
    "reprise view archive/": (code(0), says("^http://127", "<title>archive</title>")),
    "reprise export archive/ site/": (code(0), starts("site/index.html", PAGE), tells("2 replays, 2 pages made")),
    "reprise export --pages all archive/ site/": (code(0), starts("site/index.html", PAGE), tells("2 replays, 2 pages made")),
    "reprise export --pages all --force --site-url https://example.org/replays/ archive/ site/":
        (code(0), tells("0 pages made, 2 kept"), lambda done: "https://example.org/replays/r/" not in
         next((done.folder / "site/r").glob("*/index.html")).read_text(encoding="utf-8") and "no complete address"),
    "reprise export match.replay match.html": (code(0), starts("match.html", PAGE)),
    "reprise export match.replay match.glb": (starts("match.glb", GLB), lasts("match.glb", 3.3, 3.9)),
    "reprise export --from 1 --to 2 --fps 30 match.replay part.glb": (starts("part.glb", GLB), smaller("part.glb", "match.glb"), lasts("part.glb", 1, 1.4)),
    "reprise export camera.xml camera.glb": (starts("camera.glb", GLB), lasts("camera.glb", 0.1, 0.2)),
    "reprise export record.replay run.replay both.html": (starts("both.html", PAGE),),
    "reprise export --track players match.replay players.csv": (csv("players.csv", "frame,time,player", 300),),
    "reprise export --track players match.replay players.parquet": (code(0), starts("players.parquet", b"PAR1")),
    "reprise export match.replay tables/": (code(0), starts("tables/players.parquet", b"PAR1")),
    "reprise export match.replay match.sqlite":
        (code(0), answers("match.sqlite", "select player, min(health) from rumble_players group by player", (0, 16), (1, 12))),
    "reprise export archive/ archive.sqlite":
        (code(0), answers("archive.sqlite", "select count(distinct replay_id) from rumble_players", (1,)),
         answers("archive.sqlite", "select count(distinct replay_id) from cs2kz_ticks", (1,))),
    "reprise schema cs2kz": (code(0), says("teleports", "run_time", "### ticks")),
    "reprise export archive/ tables/": (lambda done: not list((done.folder / "tables").rglob("track=players/*.parquet")) and "no tables",),
    "reprise plot --what health,speed -o match.svg match.replay": (starts("match.svg", b"<svg"), has("match.svg", ">Ragna<", "m/s")),
    # recording
    "reprise record --demo skirmish --seed 7 match.icrep": (code(0), replay("match.icrep", "0:60|1:00")),
    "reprise play --headless match.icrep": (code(0), says("900 ticks played")),
    "reprise play --screen --from 600 match.icrep": (code(0), says("Ada", "0:40")),
    "reprise verify --simulate match.icrep": (code(0), says("ok")),
    "reprise play --headless --json match.icrep | grep '\"type\":\"desync\"'": (code(1), never_says("."), ),
    "reprise record --demo skirmish --crash-at 400 crashed.icrep; reprise recover crashed.icrep saved.icrep":
        (replay("saved.icrep"),),
    "reprise sign --new-key relay.key >trusted.txt": (code(0), lambda done: not done.text("trusted.txt").strip() and "no public key"),
    "reprise record --demo skirmish unsigned.icrep": (code(0), replay("unsigned.icrep")),
    "reprise sign --key relay.key unsigned.icrep signed.icrep": (code(0), replay("signed.icrep")),
    "reprise record --demo skirmish --key relay.key signed.icrep": (code(0), replay("signed.icrep")),
    "reprise verify --trusted-keys trusted.txt signed.icrep": (code(0), says("by the trusted key")),
    "reprise prove --tick 600 --part players signed.icrep players.icproof": (code(0), starts("players.icproof", b"IC")),
    "reprise verify --trusted-keys trusted.txt players.icproof": (code(0), says("ok")),
    "reprise extract --allow-embedded archive.icrep match":
        (lambda done: not list((done.folder / "match").rglob("*")) and "extracted nothing",),
    "reprise record --demo skirmish --embed map archive.icrep": (code(0), replay("archive.icrep")),
    "reprise import match.orarep imported.icrep": (replay("imported.icrep", "Alice won", "Oracle Isle"),),
    # only in the help
    "reprise verify --trusted-keys relays.txt match.icrep": (code(0), says("by the trusted key")),
    "reprise verify --tick 3017 match.icrep": (says("tick 3017: confirmed"),),
    "reprise convert old.replay new.replay": (replay("new.replay", "layout z6"),),
    "reprise convert --to l1 --lossy new.replay old.replay": (replay("old.replay", "layout l1"),),
    "reprise trim --from 0:01 --to 0:02.5 match.replay round.replay": (replay("round.replay"), length("round.replay", 1.45, 1.5)),
    "reprise trim --run --lead-in 2 --lead-out 2 record.replay run.replay": (code(0), replay("run.replay")),
    "reprise anonymize --keep times --substitutions who.json match.replay public.replay":
        (code(0), lacks("public.replay", "Ragna"), replay("public.replay", "2026-02-21")),
    "reprise strip-voice match.replay quiet.replay": (replay("quiet.replay", "Ragna"),),
    "reprise merge --offset 62.5 first.replay second.replay -o all.replay": (replay("all.replay"), length("all.replay", 62.5, 70)),
    "reprise recompress --level 19 --long record.replay small.replay": (replay("small.replay"),),
    "reprise diff old.replay new.replay": (code(1), says("differ")),
    "reprise extract --only voice archive.icrep talk":
        (lambda done: not list((done.folder / "talk").rglob("*")) and "extracted nothing",),
    "reprise sign --new-key relay.key >>trusted.txt": (code(0), lambda done: not done.text("trusted.txt").strip() and "no public key"),
    "reprise import --lossless --output-dir imported openra/":
        (lambda done: not list((done.folder / "imported").rglob("*.icrep")) and "imported nothing",),
    "reprise export mine.replay record.replay both.html": (starts("both.html", PAGE),),
    "reprise export --from 1:00 --to 1:30 --fps 30 match.icrep round.glb": (starts("round.glb", GLB), lasts("round.glb", 30, 32)),
    "reprise plot --what apm --players 1 --theme dark -o apm.svg match.orarep": (starts("apm.svg", b"<svg"),),
    "reprise plot --what path -o run.svg run.replay": (starts("run.svg", b"<svg"),),
    "reprise plot --what gap,speed --against record.replay -o gap.svg run.replay": (starts("gap.svg", b"<svg"),),
    "reprise view --offset 0.25 mine.replay record.replay": (code(0), says("^http://127", "<title>")),
    "source <(reprise completion bash)": (code(0), lambda done: "reprise" not in subprocess.run(
        ["bash", "-c", f"PATH={done.folder}/.tools:$PATH; source <(reprise completion bash); complete -p reprise"],
        capture_output=True, text=True, check=False).stdout and "bash completes nothing"),
    "reprise completion fish > ~/.config/fish/completions/reprise.fish":
        (code(0), lambda done: "complete -c reprise" not in done.text(".config/fish/completions/reprise.fish") and "no completions"),
    "reprise sign --new-key relay.key >trusted.txt; reprise record --demo skirmish --key relay.key signed.icrep; "
    "reprise verify --trusted-keys trusted.txt signed.icrep": (code(0), says("by the trusted key")),
}

# What examples of the help need beyond the samples.
BEFORE = {
    "reprise export --pages all --force --site-url https://example.org/replays/ archive/ site/":
        "reprise export archive/ site/",
    **{f"reprise {words}": "reprise index replays/" for words in (
        "records replays/", "records --history --by map,mode replays/", "players replays/", "players replays/ alice",
        "query replays/ --of cs2kz --where 'time < 60 and teleports = 0'",
        "query replays/ --search 'alice AND hf'", "query replays/ 'select format, count(*) from file group by format'")},
    "reprise duplicates replays/": "cp replays/one.replay replays/copy.replay; reprise index replays/",
    "reprise duplicates --json replays/ | jq -r '.[] | select(.kind == \"bytes\") | .file'":
        "cp replays/one.replay replays/copy.replay; reprise index replays/",
    "reprise record --demo skirmish --embed map archive.icrep": "rm archive.icrep",
    "reprise extract --allow-embedded archive.icrep match":
        "rm archive.icrep; reprise record --demo skirmish --embed map archive.icrep",
    "reprise convert --to l1 --lossy new.replay old.replay": "mv old.replay new.replay",
    "reprise diff old.replay new.replay": "cp match.replay new.replay",
    "reprise merge --offset 62.5 first.replay second.replay -o all.replay": "cp match.replay first.replay; cp match.replay second.replay",
    "reprise trim --run --lead-in 2 --lead-out 2 record.replay run.replay": "rm run.replay",
    "reprise sign --key relay.key unsigned.icrep signed.icrep":
        "reprise sign --new-key relay.key; reprise record --demo skirmish unsigned.icrep",
    "reprise verify --trusted-keys trusted.txt signed.icrep":
        "reprise sign --new-key relay.key >trusted.txt; reprise record --demo skirmish --key relay.key signed.icrep",
    "reprise prove --tick 600 --part players signed.icrep players.icproof":
        "reprise sign --new-key relay.key >trusted.txt; reprise record --demo skirmish --key relay.key signed.icrep",
    "reprise verify --trusted-keys trusted.txt players.icproof":
        "reprise sign --new-key relay.key >trusted.txt; reprise record --demo skirmish --key relay.key signed.icrep; "
        "reprise prove --tick 600 --part players signed.icrep players.icproof",
    "reprise record --demo skirmish --seed 7 match.icrep": "rm match.icrep",
    "reprise verify --trusted-keys relays.txt match.icrep":
        "rm match.icrep; reprise sign --new-key relay.key >relays.txt; reprise record --demo skirmish --key relay.key match.icrep",
    "reprise play --headless --json match.icrep | grep '\"type\":\"desync\"'":
        "rm match.icrep; reprise record --demo skirmish match.icrep",
    "reprise play --screen --from 600 match.icrep": "rm match.icrep; reprise record --demo skirmish match.icrep",
    "reprise verify --simulate match.icrep": "rm match.icrep; reprise record --demo skirmish match.icrep",
    "reprise completion fish > ~/.config/fish/completions/reprise.fish": "mkdir -p ~/.config/fish/completions",
}

# Covered elsewhere: they need a terminal, a browser, a map that belongs to a match, or two recordings of one match.
ELSEWHERE = {
    "reprise play match.icrep": "tests/cli/play-keys.sh",
    "reprise export --from 1:00 --to 1:20 match.replay clip.webm": "viewer/tests/share.test.mjs",
    "reprise convert --embed self-contained --embed-map island.map --installed ~/mods match.icrep archive.icrep":
        "tests/cli/embed.sh",
    "reprise extract --installed ~/mods archive.icrep match": "tests/cli/extract.sh",
    "reprise merge mine.replay yours.replay -o both.replay": "tests/cli/change.sh",
    "reprise diff --rotation-tolerance 4e-5 --summary l1.replay z6.replay": "tests/cli/diff.sh",
}


# Blocks of shell, by their first line: what they need around them, and what they promise. `ELSEWHERE` names the test
# of those that install something.
SCRIPTS = {
    "reprise index --watch archive/ | while read -r line; do": (
        """cp "$DATA/cs2kz/a1-run.replay" archive/slow.replay
python3 -c "import sys; d = sys.stdin.buffer.read(); sys.stdout.buffer.write(d.replace(b'\\0\\0\\x98\\x3f', b'\\0\\0\\x80\\x3f', 1))" \\
    <archive/slow.replay >.fast
reprise() {{ command reprise "$@" | tee seen; }}
post() {{ echo "$1" >>posted; mv archive elsewhere; }}
(until grep -q ready seen; do sleep 0.1; done; mv .fast archive/fast.replay) 2>/dev/null &
{block}""",
        (code(0), lambda done: '"event":"record"' not in done.text("posted") and "no record was posted")),
    "reprise export archive/ tables/": ("{block}", ()),
    "make run     # installs what is missing, builds, shows a sample and how to watch it": "tests/fresh/run",
    "tools/install-packages.sh build python   # the compiler and the -dev packages, as root or with sudo": "tests/fresh/run",
}


def examples_of(page):
    text = page.read_text(encoding="utf-8")
    return [line for block in re.findall(r"```console\n(.*?)```", text, re.S)
            for line in re.findall(r"^\$ (.*)$", block, re.M)]


def scripts_of(page):
    return [block.strip() for block in re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.S)]


def inline_of(page):
    """Complete commands within the text: those that name a file or folder of the examples."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    commands = [" ".join(found.split()) for found in re.findall(r"`(reprise [a-z][^`]*)`", text)]
    return [line for line in dict.fromkeys(commands)
            if re.search(r" (archive/|replays/|match\.|schema [a-z])", line) and not re.search("[A-Z]{4}", line)]


def check_script(command, check, name, block):
    first = block.split("\n", maxsplit=1)[0]
    known = SCRIPTS.get(first)
    if known is None:
        check(name, "tests/docs/meaning.py does not say what it promises")
    elif isinstance(known, str):
        check(name, not (ROOT / known).exists() and f"{known} is gone")
    else:
        session = Session(command)
        done = session.run(known[0].format(block=block))
        promises = known[1] or MEANINGS[block]
        check(name, next((problem for promise in promises if (problem := promise(done))), None))


def help_examples(command):
    """The examples of all verbs, which the manual pages repeat."""
    overview = subprocess.run([command, "--help"], capture_output=True, text=True, check=True).stdout
    for verb in re.findall(r"^  ([a-z-]+) +\S", overview, re.M):
        text = subprocess.run([command, verb, "--help"], capture_output=True, text=True, check=True).stdout
        examples = text.partition("\nExamples\n")[2]
        yield verb, re.findall(r"^  (\S.*)$", examples, re.M)


def check_help(command, check):
    for verb, lines in help_examples(command):
        check(f"{verb} --help: has examples", not lines and "has none")
        for line in lines:
            name = f"{verb} --help: {line}"
            if line in ELSEWHERE:
                check(name, not (ROOT / ELSEWHERE[line]).exists() and f"{ELSEWHERE[line]} is gone")
            elif line not in MEANINGS:
                check(name, "tests/docs/meaning.py does not say what it promises")
            elif " | jq " in line and not shutil.which("jq"):
                print(f"not run {name}: jq is not installed")
            else:
                session = Session(command)
                session.run(BEFORE.get(line, "true"))
                done = session.run(line)
                check(name, next((problem for promise in MEANINGS[line] if (problem := promise(done))), None))


def check_examples(command, check):
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/guide").glob("*.md"))]:
        for block in scripts_of(page):
            check_script(command, check, f"{page.relative_to(ROOT)}: {block.splitlines()[0]}", block)
        for line in inline_of(page):
            if line in ELSEWHERE:
                continue  # as in the help
            promises, session = MEANINGS.get(line), Session(command)
            done = session.run(line) if promises else None
            check(f"{page.relative_to(ROOT)}, in the text: {line}",
                  next((problem for promise in promises if (problem := promise(done))), None) if promises
                  else "tests/docs/meaning.py does not say what it promises")
        lines = examples_of(page)
        session = Session(command) if lines else None
        # Pages that record a match of their own start without one.
        if any(re.search("record --demo.* match.icrep", line) for line in lines):
            (session.folder / "match.icrep").unlink()
        for line in lines:
            name = f"{page.relative_to(ROOT)}: {line}"
            if line not in MEANINGS:
                check(name, "tests/docs/meaning.py does not say what it promises")
                continue
            done = session.run(line)
            check(name, next((problem for promise in MEANINGS[line] if (problem := promise(done))), None))
