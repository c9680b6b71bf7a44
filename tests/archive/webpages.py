"""`export --site`: archive.json against the catalog, which Python's SQLite reads, and the files of the site."""

import collections
import datetime
import hashlib
import json
import re
import shutil
import sqlite3
import struct
import sys
import zlib
from pathlib import Path

sys.path[1:1] = [str(Path(__file__).resolve().parents[1] / "cli")]

from catalog import catalog_of, index, open_catalog
from making import ROOT
from runner import same
from validate import Validator

SAFE = re.compile(r"(?:(?:r/[0-9a-f]{16}|compare)/)?(?:0/)?[a-z0-9]+\.(?:html|json|css|js|txt|png|glb|ogg)")
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
EPOCH = datetime.datetime(2000, 1, 1)


def export(command, archive, *more, exits=(0, 3)):
    site = archive.parent / "site"
    report = command.json("export", "--site", *more, archive, site, exits=exits)
    follows(report, "export")
    return site, report


def follows(document, schema):
    same(list(Validator(ROOT / f"docs/json/{schema}.schema.json").check(document)), [], schema)


def read(site):
    text = (site / "archive.json").read_text(encoding="utf-8")
    assert not CONTROL.search(text), CONTROL.search(text)
    document = json.loads(text)
    follows(document, "archive")
    return document


def has_viewer(command, archive):
    """A build without Node has no page to write."""
    done = command.run("export", "--site", archive, archive / "no/such/directory", exits=(1, 2, 5))
    return b"has no viewer" not in done.stderr


def with_viewer(check):
    def run(command, archive, kinds):
        if has_viewer(command, archive):
            check(command, archive, kinds)
    run.__module__, run.__name__ = check.__module__, check.__name__
    return run


def dates_of(document):
    seconds, found = 0, []
    for difference in document["columns"]["date"]:
        seconds += difference
        found.append((EPOCH + datetime.timedelta(seconds=seconds)).isoformat(" ") if seconds >= 0 else None)
    return found


def texts_of(document, name):
    column = document["columns"][name]
    numbers = [column] * document["count"] if isinstance(column, int) else column
    return [document["texts"][name][number] if number >= 0 else None for number in numbers]


@with_viewer
def check_every_row(command, archive, kinds):
    index(command, archive)
    site, report = export(command, archive, "--pages", "0")
    document = read(site)
    with open_catalog(archive) as connection:
        rows = connection.execute("select * from file where removed = 0 and format is not null"
                                  " order by date desc, path").fetchall()
        people = collections.defaultdict(list)
        for row in connection.execute("select fp.file_id, p.name, fp.outcome from file_player fp join player p"
                                      " on p.id = fp.player_id order by fp.file_id, fp.slot"):
            people[row["file_id"]].append((row["name"], row["outcome"] == "won"))
    same(document["count"], len(rows), "rows")
    same((report["replays"], report["pages_made"]), (len(rows), 0), "report")
    assert len(rows) > 100
    for name in ("format", "map", "status"):
        same(texts_of(document, name), [row[name] or None for row in rows], name)
    same(dates_of(document), [row["date"] if (row["date"] or "") >= "2000" else None for row in rows], "dates")
    for row, length in zip(rows, document["columns"]["length"]):
        assert length == -1 if row["length"] is None else abs(length - row["length"]) <= 0.0501, (row["path"], length)
    compared = 0
    for row, seats in zip(rows, document["columns"]["people"]):
        ours = [(document["people"][n if n >= 0 else -1 - n], n < 0) for n in seats]
        for (left, won), (right, wins) in zip(ours, people[row["id"]], strict=True):
            same(won, wins, row["path"])
            if len(right) < 100 and not CONTROL.search(right):
                same(left, right, row["path"])
                compared += 1
    assert compared > 100, compared


@with_viewer
def check_records(command, archive, kinds):
    index(command, archive)
    site, _ = export(command, archive, "--pages", "0")
    document = read(site)
    columns = document["columns"]

    def rows(numbers):
        return [(texts_of(document, "map")[n], texts_of(document, "course")[n], texts_of(document, "mode")[n],
                 columns["time"][n]) for n in numbers]
    for option, member in (((), "records"), (("--history",), "history")):
        known = command.json("records", *option, archive)
        same(rows(document[member]), [(r["map"], r["course"], r["mode"], round(r["time"], 3)) for r in known], member)
    assert len(document["records"]) >= 5


def chunks_of(data):
    same(data[:8], b"\x89PNG\r\n\x1a\n", "signature")
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        same(struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0], zlib.crc32(kind + body), "CRC")
        yield kind, body
        at += 12 + size


@with_viewer
def check_pages(command, archive, kinds):
    site, report = export(command, archive, "--pages", "all")
    document = read(site)
    pages = document["columns"]["page"]
    made = {page for page in pages if page}
    same(report["pages_made"], len(made), "pages made")
    same({path.name for path in (site / "r").iterdir()}, made, "directories")
    same(len(command.json("query", archive, "select distinct sha256 from file where status in ('ok', 'warning')"
                          " and format <> 'icproof'")) <= len(made) + report["pages_failed"], True, "sound replays")
    assert len(made) > 100, len(made)
    files = [str(path.relative_to(site)) for path in site.rglob("*") if path.is_file()]
    same([name for name in files if not SAFE.fullmatch(name)], [], "names of files")
    # A page is named by the content of its replay, whatever the replay is called.
    digests = {hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16] for path in kinds}
    same(made - digests, set(), "names of pages")
    pictures = 0
    for page in made:
        folder = site / "r" / page
        html = (folder / "index.html").read_text(encoding="utf-8")
        same(html.count("<script"), 1, page)
        assert not CONTROL.search(html) and len(html) < 8192, page
        same("og:image" in html, (folder / "picture.png").exists(), page)
        same((folder / "0/scene.glb").read_bytes()[:4], b"glTF", page)
        json.loads((folder / "0/timeline.json").read_text(encoding="utf-8"))
        if (folder / "picture.png").exists():
            parts = dict(chunks_of((folder / "picture.png").read_bytes()))
            same(struct.unpack(">II", parts[b"IHDR"][:8]), (1200, 630), "size")
            pixels = zlib.decompress(parts[b"IDAT"])
            same(len(pixels), 630 * 1201, "pixels")
            assert max(pixels) < len(parts[b"PLTE"]) // 3 and any(pixel > 15 for pixel in pixels), page
            pictures += 1
    assert pictures > 40, pictures
    # The second time nothing is made, and damaged pages are.
    victim = sorted(made)[0]
    shutil.rmtree(site / "r" / victim)
    _, again = export(command, archive, "--force", "--pages", "all")
    same((again["pages_made"], again["pages_kept"]), (1, len(made) - 1), "kept")
    # A link in the place of a file is not followed.
    treasure = archive.parent / "treasure"
    treasure.write_bytes(b"mine")
    index_page = site / "r" / victim / "index.html"
    shutil.rmtree(index_page.parent)
    index_page.parent.mkdir()
    index_page.symlink_to(treasure)
    command.run("export", "--site", "--force", "--pages", "all", archive, site, exits=(0, 1, 3, 5))
    same(treasure.read_bytes(), b"mine", "the target of a link")


@with_viewer
def check_catalog_of_somebody_else(command, archive, kinds):
    """A catalog that names files outside its folder gets no pages of them."""
    index(command, archive)
    outside = archive.parent / "outside.replay"
    shutil.copy(ROOT / "tests/data/cs2kz/a1-run.replay", outside)
    foreign = archive.parent / "foreign.sqlite"
    shutil.copy(catalog_of(archive), foreign)
    with sqlite3.connect(foreign) as connection:
        runs = [row[0] for row in connection.execute("select file_id from cs2kz order by file_id limit 4")]
        for number, path in zip(runs, ["../outside.replay", str(outside), "samples/../../outside.replay", "x/.."]):
            connection.execute("update file set path = ?, sha256 = ? where id = ?",
                               [path, hashlib.sha256(path.encode()).hexdigest(), number])
        connection.execute("update file set map = ?, date = '9999-99-99', sha256 = '../../../etc' where id ="
                           " (select max(file_id) from cs2kz)", ["<script>" + "m" * 5000])
    connection.close()
    site = archive.parent / "site"
    command.json("export", "--site", "--pages", "all", foreign, site, exits=(0, 3))
    names = {path.name for path in (site / "r").iterdir()}
    for path in ("../outside.replay", str(outside), "samples/../../outside.replay", "x/.."):
        assert hashlib.sha256(path.encode()).hexdigest()[:16] not in names, path
    assert all(re.fullmatch("[0-9a-f]{16}", name) for name in names) and len(names) > 50
    document = read(site)
    assert max(map(len, document["texts"]["map"])) < 200
    same({path.name for path in archive.parent.iterdir()} - {"archive", "site"},
         {"outside.replay", "foreign.sqlite", "foreign.sqlite-wal", "foreign.sqlite-shm"} &
         {path.name for path in archive.parent.iterdir()}, "files next to the archive")


def check_usage(command, archive, kinds):
    for arguments, words in [(["--site", archive], b"a directory to write"),
                             (["--site", ROOT / "README.md", "site"], b"a directory with replays"),
                             (["--site", "--pages", "many", archive, "site"], b"--pages"),
                             (["--site", "--site-url", "javascript:x", archive, "site"], b"--site-url"),
                             (["--site", "--site-url", 'https://x/"><b>', archive, "site"], b"--site-url"),
                             (["--pages", "2", ROOT / "README.md", "x/"], b"a directory with replays"),
                             (["--pages", "2", "--output-dir", "x", archive], b"writes no site")]:
        done = command.run("export", *arguments, exits=(2,))
        assert words in done.stderr, done.stderr
    assert not any((archive.parent / name / "index.html").exists() for name in ("site", "x"))
    # A directory of another name gets tables, and a line says what else there is.
    words = command.run("export", archive, "tables/", exits=(0, 3, 5, 6)).stderr
    assert list((archive.parent / "tables").rglob("*.parquet")) and b"--site" in words.splitlines()[-1], words[-300:]


@with_viewer
def check_names_of_sites(command, archive, kinds):
    """A folder becomes a site without --site if the name, an option or what is there says so."""
    index(command, archive)
    for arguments in (["site"], ["site/"], ["--pages", "0", "other/"], ["--spoiler-free", "quiet/"]):
        command.run("export", archive, *arguments, exits=(0, 3))
        assert (archive.parent / arguments[-1] / "archive.json").exists(), arguments
        shutil.rmtree(archive.parent / "site", ignore_errors=True)
    before = sorted(path for path in (archive.parent / "other").rglob("*"))
    command.run("export", archive, "other/", exits=(2,))
    command.run("export", "--force", archive, "other/", exits=(0, 3))
    assert (archive.parent / "other/archive.json").exists() and set(before) <= set((archive.parent / "other").rglob("*"))
    assert not list((archive.parent / "other").rglob("*.parquet"))
    # One replay is no archive, and a track is asked for as a table.
    run = archive / "samples/cs2kz/a1-run.replay"
    for arguments in ([run, "site/"], ["--track", "ticks", archive, "site/"]):
        command.run("export", *arguments, exits=(0, 3, 5, 6))
        assert list((archive.parent / "site").rglob("*.parquet")) and not (archive.parent / "site/index.html").exists()
        shutil.rmtree(archive.parent / "site")
