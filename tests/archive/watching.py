"""`index --watch`: every step waits for a line of the program, so nothing depends on time."""

import json
import os
import shutil
import select
import signal
import sqlite3
import subprocess

from catalog import files_of, open_catalog
from runner import same

PATIENCE_S = 300  # for what hangs
MODES = ([], ["--poll", "0.02"])


def heed_signals():
    """Whoever runs this may ignore them, and what is inherited so stays ignored."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


class Watch:
    """A running `index --watch`. `next` waits for its next line."""

    def __init__(self, command, archive, *options):
        self.process = subprocess.Popen([command.program, "index", "--watch", *options, archive], env=command.environment,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                                        preexec_fn=heed_signals)
        self.unread = b""
        self.ready = self.next()
        same(self.ready["event"], "ready", "first line")

    def next(self):
        while b"\n" not in self.unread:
            assert select.select([self.process.stdout], [], [], PATIENCE_S)[0], f"no line, only {self.unread}"
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                break
            self.unread += data
        line, _, self.unread = self.unread.partition(b"\n")
        assert line, self.process.communicate()[1][-2000:]
        return json.loads(line)

    def events(self, count):
        """The next lines by file."""
        lines = [self.next() for _ in range(count)]
        return {line["file"]: line for line in lines}

    def end(self, number=signal.SIGTERM, code=0):
        self.process.send_signal(number)
        out, words = self.process.communicate()
        same(self.process.returncode, code, words[-2000:])
        return [json.loads(line) for line in (self.unread + out).splitlines()]


def small(archive):
    folder = archive.parent / "watched"
    folder.mkdir()
    for path in sorted((archive / "samples/cs2kz").iterdir())[:5]:
        shutil.copy(path, folder / path.name)
    return folder


def put_at_once(source, target):
    """As uploads should: a complete file gets its name."""
    hidden = target.parent / f".{target.name}"
    shutil.copy(source, hidden)
    hidden.rename(target)


def check_what_is_said(command, archive, kinds):
    for mode in MODES:
        folder = small(archive)
        watch = Watch(command, folder, *mode)
        same((watch.ready["files"], watch.ready["added"], watch.ready["by"]), (5, 5, "polling" if mode else "inotify"), "ready")
        match = archive / "samples/rumble/z6_match_like_1.2.4.replay"
        put_at_once(match, folder / "match.replay")
        line = watch.next()
        same((line["event"], line["file"], line["format"], line["status"]), ("new", "match.replay", "rumble", "ok"), mode)
        with open_catalog(folder) as connection:  # what a line says is in the catalog
            same(connection.execute("select count(*) from file where path = 'match.replay'").fetchone()[0], 1, "rows")
            names = [row[0] for row in connection.execute("select name from file_player join file on id = file_id "
                                                          "where path = 'match.replay' order by slot")]
        same(line["players"], names, "players")
        assert line["summary"] and names
        # A new folder with folders, one that is renamed, and a link made by another program.
        made = archive.parent / "made"
        (made / "deep/er").mkdir(parents=True)
        shutil.copy(archive / "samples/openra/p21-2p.orarep", made / "deep/er/a.orarep")
        (made / "deep/notes.txt").write_text("not a replay\n")
        made.rename(folder / "made")
        same([(e["event"], name) for name, e in watch.events(1).items()], [("new", "made/deep/er/a.orarep")], "a folder")
        (folder / "made").rename(folder / "other")
        line = watch.next()
        same((line["event"], line["file"], line["from"]), ("moved", "other/deep/er/a.orarep", "made/deep/er/a.orarep"), "a renamed folder")
        os.link(folder / "match.replay", folder / "other/deep/linked.replay")
        same((watch.next()["file"]), "other/deep/linked.replay", "a link")
        (folder / "other/deep/linked.replay").unlink()
        same(watch.next(), {"event": "removed", "file": "other/deep/linked.replay"}, "removed")
        (folder / "match.replay").rename(folder / "other/match.replay")
        line = watch.next()
        same((line["event"], line["file"], line["from"]), ("moved", "other/match.replay", "match.replay"), "moved")
        put_at_once(archive / "samples/rumble/z6_edge.replay", folder / "other/match.replay")
        line = watch.next()
        same((line["event"], line["file"]), ("changed", "other/match.replay"), "changed")
        put_at_once(damaged_file(archive), folder / "broken.replay")
        line = watch.next()
        same((line["event"], line["file"]), ("damaged", "broken.replay"), "damaged")
        assert line["error"], line
        (folder / "other/deep/notes.txt").unlink()  # no line tells of it, so it goes before what has one
        shutil.rmtree(folder / "other")
        same({(e["event"], name) for name, e in watch.events(2).items()},
             {("removed", "other/match.replay"), ("removed", "other/deep/er/a.orarep")}, "a folder that is removed")
        same(watch.end(), [], "lines after the last")
        same(sorted(files_of(folder)), sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file() and ".reprise" not in p.parts),
             "files in the catalog")
        shutil.rmtree(folder)


def damaged_file(archive):
    data = (archive / "samples/rumble/z6_edge.replay").read_bytes()
    path = archive.parent / "damaged.bin"
    path.write_bytes(data[: len(data) // 2])
    return path


def check_half_written_files(command, archive, kinds):
    """A file is read when its writer is done, however long that takes."""
    data = (archive / "samples/rumble/z6_match_like_1.2.4.replay").read_bytes()
    marker = archive / "samples/cs2kz/a1-run.replay"
    folder = small(archive)
    watch = Watch(command, folder)
    with open(folder / "slow.replay", "wb", buffering=0) as slow:
        for i in range(4):
            slow.write(data[i * len(data) // 4:(i + 1) * len(data) // 4])
            put_at_once(marker, folder / f"marker{i}.replay")  # the watcher has looked since
            same(watch.next()["file"], f"marker{i}.replay", "while it is written")
    line = watch.next()
    same((line["event"], line["file"], line["status"]), ("new", "slow.replay", "ok"), "once it is closed")
    # One that a program gives up on is damaged, and becomes sound when it is completed.
    (folder / "later.replay").write_bytes(data[:-100])
    line = watch.next()
    same((line["event"], line["file"]), ("damaged", "later.replay"), "given up")
    with open(folder / "later.replay", "ab") as later:
        later.write(data[-100:])
    line = watch.next()
    same((line["event"], line["status"]), ("changed", "ok"), "completed")
    watch.end()


def check_records(command, archive, kinds):
    """A faster run on the same course beats the record; a slower one and the first on a course do not."""
    run = archive / "samples/cs2kz/a1-run.replay"
    for mode in MODES:
        folder = archive.parent / "runs"
        folder.mkdir()
        shutil.copy(run, folder / "first.replay")
        watch = Watch(command, folder, *mode)
        other = next(path for path in sorted((archive / "samples/cs2kz").glob("*run*")) if path.name.startswith("p-"))
        put_at_once(other, folder / "elsewhere.replay")
        same(watch.next()["event"], "new", "the first run on a course")
        # The record as it was is made slower, because no two samples are runs on one course.
        connection = sqlite3.connect(folder / ".reprise/catalog.sqlite", timeout=60)
        with connection:
            connection.execute("update cs2kz set time = time + 1.5 where file_id = (select id from file where path = 'first.replay')")
            connection.execute("update file set identity = 'another run' where path = 'first.replay'")
        put_at_once(run, folder / "faster.replay")
        line = watch.next()
        same((line["event"], line["file"]), ("record", "faster.replay"), mode)
        assert abs(line["record"]["gain"] - 1.5) < 1e-6, line
        same(abs(line["record"]["before"] - line["record"]["time"] - 1.5) < 1e-6, True, "before")
        same(line["record"]["map"], line["map"], "map")
        with connection:
            connection.execute("update cs2kz set time = 0.001 where file_id = (select id from file where path = 'first.replay')")
        connection.close()
        put_at_once(run, folder / "copy.replay")
        same(watch.next()["event"], "new", "a slower run")
        watch.end()
        shutil.rmtree(folder)


def check_a_burst(command, archive, kinds):
    """A thousand files at once: each has its line, and all are in the catalog."""
    run = (archive / "samples/cs2kz/a1-run.replay").read_bytes()
    for mode in MODES:
        folder = archive.parent / "burst"
        folder.mkdir()
        watch = Watch(command, folder, *mode)
        for i in range(1000):
            place = folder / str(i % 10)
            place.mkdir(exist_ok=True)
            (place / f"{i}.replay").write_bytes(run)
        names = {f"{i % 10}/{i}.replay" for i in range(1000)}
        same(set(watch.events(1000)), names, "lines")
        same(watch.end(signal.SIGINT), [], "further lines")
        same(set(files_of(folder)), names, "catalog")
        shutil.rmtree(folder)


def check_it_ends_well(command, archive, kinds):
    """Whenever it ends, the catalog is sound, and the next run knows what is there."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        folder = small(archive)
        watch = Watch(command, folder)
        for i, path in enumerate(sorted((archive / "samples/rumble").iterdir())):
            put_at_once(path, folder / f"{i}.replay")
        watch.next()
        watch.end(number, 0 if number == signal.SIGTERM else -number)
        with open_catalog(folder):
            pass
        done = command.json("index", folder, exits=(0, 3))
        same(done["files"], len([p for p in folder.iterdir() if p.is_file()]), "files")
        same(set(files_of(folder)), {p.name for p in folder.iterdir() if p.is_file()}, "catalog")
        shutil.rmtree(folder)
    folder = small(archive)
    watch = Watch(command, folder)
    watch.process.stdout.close()  # the reader of its lines is gone
    put_at_once(archive / "samples/rumble/z6_edge.replay", folder / "x.replay")
    watch.process.wait()
    assert watch.process.returncode in (1, -signal.SIGPIPE), watch.process.returncode
    for mode in MODES:
        watch = Watch(command, folder, *mode)
        folder.rename(archive.parent / "away")
        watch.process.wait()
        words = watch.process.communicate()[1]
        assert watch.process.returncode == 1 and b"gone" in words, (watch.process.returncode, words)
        (archive.parent / "away").rename(folder)


def check_chosen_files(command, archive, kinds):
    folder = small(archive)
    watch = Watch(command, folder, "--include", "*.replay", "--exclude", "old")
    (folder / "old").mkdir()
    put_at_once(archive / "samples/rumble/z6_edge.replay", folder / "old/a.replay")
    put_at_once(archive / "samples/openra/p21-2p.orarep", folder / "b.orarep")
    (folder / ".hidden").mkdir()
    put_at_once(archive / "samples/rumble/z6_edge.replay", folder / ".hidden/c.replay")
    put_at_once(archive / "samples/rumble/z6_edge.replay", folder / "d\n\u202e'.replay")
    same(watch.next()["file"], "d\n\u202e'.replay", "the only one")
    same(watch.end(), [], "others")
    command.run("index", "--poll", "1", folder, exits=(2,))
    command.run("index", "--watch", "--poll", "0", folder, exits=(2,))
