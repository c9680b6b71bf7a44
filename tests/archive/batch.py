"""Verbs that write many files with --output-dir."""

import fcntl
import json
import os
import resource
import shutil
import signal
import subprocess
from pathlib import Path

from runner import same

ANY = (0, 1, 2, 3, 4, 5, 6)
# Options that make a verb work on every family that it can work on.
VERBS = [["recompress"], ["anonymize"], ["convert", "--lossy"], ["recover"], ["trim", "--from", "0:00.1", "--lossy"],
         ["import", "--lossless"], ["strip-voice"], ["export", "--as", "glb"], ["export", "--as", "html"], ["export", "--as", "json"],
         ["export", "--as", "parquet", "--track", "players"], ["export", "--as", "csv", "--track", "events"]]
SUFFIXES = {"import": ".icrep"}


def written_below(folder):
    """Every file below a folder with its content, without what the command keeps for itself."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and ".reprise" not in path.parts}


def batch(command, *arguments, exits=ANY, **more):
    done = command.run(*arguments, "--json", exits=exits, **more)
    return json.loads(done.stdout), done.returncode


def small_archive(archive):
    """A few files of every family in folders of their own, damaged ones and others that are not replays."""
    small = archive.parent / "small"
    for folder in sorted(archive.glob("samples/*")):
        for path in sorted(folder.iterdir(), key=lambda path: path.stat().st_size)[:3]:
            target = small / folder.name / "deep" / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    for path in sorted((archive / "damaged").iterdir())[:4]:
        shutil.copy(path, small / path.name)
    (small / "notes.txt").write_text("not a replay\n")
    return small


def check_every_verb(command, archive, kinds):
    """Each result is what the verb writes of the file alone, and so is the exit code."""
    small = small_archive(archive)
    inputs = [path for path in sorted(small.rglob("*")) if path.is_file()]
    environment = {**command.environment, "SOURCE_DATE_EPOCH": "1700000000"}
    command.environment = environment
    for verb in VERBS:
        suffix = SUFFIXES.get(verb[0], f".{verb[2]}" if verb[0] == "export" else None)
        out = archive.parent / ("out-" + "-".join(verb).replace("/", ""))
        document, code = batch(command, *verb, "--output-dir", out, small)
        ours, known, worst = written_below(out), {}, 0
        for path in inputs:
            name = path.relative_to(small).with_suffix(suffix) if suffix else path.relative_to(small)
            alone = archive.parent / "alone" / name
            alone.parent.mkdir(parents=True, exist_ok=True)
            alone.unlink(missing_ok=True)
            options = [option for option in verb[1:] if option not in ("--as", verb[2] if verb[0] == "export" else None)]
            done = command.run(verb[0], *options, path, alone, exits=ANY)
            worst = max(worst, 0 if done.returncode == 4 else done.returncode)
            if alone.exists():
                known[str(name)] = alone.read_bytes()
        same(sorted(ours), sorted(known), f"{verb}: names")
        for name, data in known.items():
            assert ours[name] == data, f"{verb}: {name} differs"
        same(code, worst, f"{verb}: exit code")
        counts = document["counts"]
        same(counts["found"], len(inputs), f"{verb}: found")
        same(counts["written"], len(known), f"{verb}: written")
        same(sum(one["status"] == "written" for one in document["files"]), len(known), f"{verb}: documents")
        rest = sum(counts["refused"].values()) + sum(counts["failed"].values()) + counts["not_replays"]
        same(counts["written"] + rest, len(inputs), f"{verb}: counts")
        assert known, verb
        again, code_again = batch(command, *verb, "--output-dir", out, small)
        same((again["counts"]["written"], again["counts"]["skipped"]), (0, len(known)), f"{verb}: again")
        same(code_again, code, f"{verb}: exit code again")


def statuses(document, folder):
    return {str(Path(one["file"]).relative_to(folder)): one["status"] for one in document["files"]}


def check_what_is_skipped(command, archive, kinds):
    folder, out = archive / "samples/cs2kz", archive.parent / "out"
    names = sorted(path.name for path in folder.iterdir())
    arguments = ["recompress", "--output-dir", out, folder]
    first, _ = batch(command, *arguments, exits=(0,))
    same(set(statuses(first, folder).values()), {"written"}, "first")
    before = {name: os.stat(out / name) for name in names}
    second, _ = batch(command, *arguments, "--force", "--jobs", "1", exits=(0,))
    same(set(statuses(second, folder).values()), {"skipped"}, "second, although forced and with other threads")
    for name in names:
        same(os.stat(out / name).st_ino, before[name].st_ino, name)
    touched, edited, gone, new = names[:4]
    os.utime(folder / touched, ns=(1, 1))
    (out / edited).write_bytes(b"mine")
    (out / gone).unlink()
    shutil.copy(folder / new, folder / "new.replay")
    (out / "new.replay").write_bytes(b"also mine")
    expected = {name: "skipped" for name in names} | {touched: "refused", edited: "refused", gone: "written", "new.replay": "refused"}
    third, _ = batch(command, *arguments, exits=(2,))
    same(statuses(third, folder), expected, "third")
    same(third["counts"]["refused"], {"exists": 3}, "kinds")
    why = {Path(one["file"]).name: one["error"]["message"] for one in third["files"] if "error" in one}
    assert "earlier version" in why[touched] and "changed after" in why[edited] and why["new.replay"] == "the result exists", why
    same(((out / edited).read_bytes(), (out / "new.replay").read_bytes()), (b"mine", b"also mine"), "what is not ours")
    forced, _ = batch(command, *arguments, "--force", exits=(0,))
    same(statuses(forced, folder), {name: "skipped" for name in names} | {touched: "written", edited: "written", "new.replay": "written"},
         "forced")
    assert (out / edited).read_bytes() != b"mine"


def check_other_options_are_not_skipped(command, archive, kinds):
    folder, out = archive / "samples/rumble", archive.parent / "out"
    files = len(list(folder.iterdir()))
    batch(command, "recompress", "--output-dir", out, folder, exits=(0,))
    for verb in (["recompress", "--level", "fastest"], ["recompress", "--long"], ["convert", "--lossy"]):
        document, _ = batch(command, *verb, "--output-dir", out, folder, exits=(2,))
        same((document["counts"]["skipped"], document["counts"]["refused"]), (0, {"exists": files}), verb)
        assert "other options" in document["files"][0]["error"]["message"], document["files"][0]
    settings = archive.parent / "settings.toml"
    settings.write_text('[compression]\nreplay_level = "compact"\n')
    batch(command, "convert", "--lossy", "--output-dir", out, "--force", folder, exits=(0, 3))
    same(batch(command, "convert", "--lossy", "--output-dir", out, folder, exits=(0, 3))[0]["counts"]["skipped"], files, "same settings")
    document, _ = batch(command, "convert", "--lossy", "--output-dir", out, "--settings", settings, folder, exits=(2,))
    same(document["counts"]["skipped"], 0, "other settings")
    # Another version of the program, as the list says.
    batch(command, "convert", "--lossy", "--output-dir", out, "--force", folder, exits=(0, 3))
    state = out / ".reprise/written"
    state.write_text(state.read_text().replace("convert%20", "convert%20older"))
    same(batch(command, "convert", "--lossy", "--output-dir", out, folder, exits=(2,))[0]["counts"]["skipped"], 0, "another version")


def check_a_damaged_list(command, archive, kinds):
    """A line that is cut off or wrong never makes a file count as done."""
    folder, out = archive / "samples/cs2kz", archive.parent / "out"
    names = sorted(path.name for path in folder.iterdir())
    arguments = ["recompress", "--output-dir", out, folder]
    batch(command, *arguments, exits=(0,))
    known = written_below(out)
    state = out / ".reprise/written"
    good = state.read_bytes()
    for damage in (good[:-5], good.replace(b"\t", b" "), bytes(len(good)), b"\xff" * 5000, good.replace(b"done", b"gone"), b""):
        state.write_bytes(damage)
        document, _ = batch(command, *arguments, exits=(0, 2))
        # The last line is of one file; the others have all of theirs damaged.
        expected = len(names) - 1 if damage == good[:-5] else 0
        same(document["counts"]["skipped"], expected, damage[:40])
        same(written_below(out).keys(), set(names), "files")
        state.write_bytes(good)
        same(written_below(out), known, "results")
        batch(command, *arguments, "--force", exits=(0,))
        good = state.read_bytes()


def check_a_killed_run(command, archive, kinds):
    """Whenever it is killed, there are only complete files, and the next run needs no --force."""
    folder, whole, out = archive / "samples", archive.parent / "whole", archive.parent / "out"
    complete, code = batch(command, "convert", "--lossy", "--output-dir", whole, folder)
    known = written_below(whole)
    for lines in (1, 2, 5, 20, 60):
        process = subprocess.Popen([command.program, "convert", "--lossy", "--progress=json", "--output-dir", out, folder],
                                   env=command.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for _ in range(lines):
            process.stderr.readline()
        process.send_signal(signal.SIGKILL)
        process.communicate()
        for name, data in written_below(out).items():
            assert known.get(name) == data, f"{name} after {lines} lines"
    last, last_code = batch(command, "convert", "--lossy", "--output-dir", out, folder)
    same(written_below(out), known, "results")
    same(last_code, code, "exit code")
    same(last["counts"]["refused"], complete["counts"]["refused"], "refused")
    assert last["counts"]["skipped"] > 0


def outside_of(folder, out):
    """Every name outside the output directory."""
    return sorted(str(path) for path in folder.rglob("*") if out not in path.parents and path != out)


def check_hostile_names(command, archive, kinds):
    base = archive.parent
    out, run = base / "out", (archive / "samples/cs2kz/a1-run.replay")
    elsewhere = base / "elsewhere"
    elsewhere.mkdir()
    out.mkdir()
    (out / "leads-out").symlink_to(elsewhere)
    (out / "file.replay").symlink_to(elsewhere / "made.replay")
    (out / "missing").symlink_to(elsewhere / "not-there")
    os.mkfifo(out / "pipe.replay")
    for name in ("leads-out/x.replay", "missing/x.replay", "file.replay", "pipe.replay", "a/b.replay", ".reprise/x.replay",
                 "line\nfeed/a\nb.replay", "\u202ebidi\x1b[31m.replay", "tab\there.replay", "%41.replay"):
        path = base / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(run, path)
    shutil.copy(run, base / "up.replay")
    deep = base / "in"
    for _ in range(15):
        deep = deep / ("d" * 200)
        deep.mkdir()
    shutil.copy(run, deep / "deep.replay")
    names = ["../up.replay", "./a//./b.replay", str(base / "in/%41.replay"), "a/../../in/tab\there.replay", "leads-out/x.replay",
             "missing/x.replay", "file.replay", "pipe.replay", ".reprise/x.replay", "line\nfeed/a\nb.replay", "../in/\u202ebidi\x1b[31m.replay",
             str(deep / "deep.replay"), "-", "x" * 4000, "/" + "y/" * 3000 + "z"]
    (base / "list").write_bytes("\0".join(names).encode())
    before = outside_of(base, out)
    document, code = batch(command, "recompress", "--no-sandbox", "--files-from", "../list", "--output-dir", out, exits=ANY, cwd=base / "in")
    same(outside_of(base, out), before, "files outside")
    same(list(elsewhere.iterdir()), [], "files where links lead")
    result = {one["file"]: one["status"] for one in document["files"]}
    same({name: result[name] for name in names}, {
        "../up.replay": "written", "./a//./b.replay": "written", str(base / "in/%41.replay"): "written",
        "a/../../in/tab\there.replay": "written", "leads-out/x.replay": "refused", "missing/x.replay": "refused", "file.replay": "refused",
        "pipe.replay": "refused", ".reprise/x.replay": "refused", "line\nfeed/a\nb.replay": "written",
        "../in/\u202ebidi\x1b[31m.replay": "written", str(deep / "deep.replay"): "written", "-": "refused", "x" * 4000: "failed",
        "/" + "y/" * 3000 + "z": "failed"}, "statuses")
    expected = {"up.replay", "a/b.replay", "%41.replay", "tab\there.replay", "line\nfeed/a\nb.replay", "\u202ebidi\x1b[31m.replay", "deep.replay"}
    same(set(written_below(out)), expected, "results")
    again, _ = batch(command, "recompress", "--files-from", "../list", "--output-dir", out, exits=ANY, cwd=base / "in")
    same(again["counts"]["skipped"], len(expected), "names are read back from the list")
    # With --force a link is replaced, never followed.
    batch(command, "recompress", "--force", "--files-from", "../list", "--output-dir", out, exits=ANY, cwd=base / "in")
    same(list(elsewhere.iterdir()), [], "files where links lead")
    assert not (out / "file.replay").is_symlink() and (out / "leads-out").is_symlink()
    # A folder is searched wherever it is; its files keep their paths below it. 4 KB is the longest path.
    document, _ = batch(command, "recompress", "--output-dir", base / "out2", "../in/../in", exits=ANY, cwd=base / "in")
    same(outside_of(base, base / "out2") == sorted([*before, *(str(p) for p in (out, *out.rglob("*")))]), True, "files outside")
    assert document["counts"]["written"] >= 8, document["counts"]
    words = command.run("recompress", "--output-dir", out, base / "in", exits=ANY).stderr.decode()
    assert "\x1b" not in words and "\u202e" not in words


def check_equal_names(command, archive, kinds):
    base, run = archive.parent, archive / "samples/cs2kz/a1-run.replay"
    for folder in "ab":
        (base / folder).mkdir()
        shutil.copy(run, base / folder / "same.replay")
        shutil.copy(run, base / folder / f"only-{folder}.replay")
    document, _ = batch(command, "recompress", "--output-dir", "out", "a", "b", exits=(2,), cwd=base)
    same({one["file"]: one["status"] for one in document["files"]},
         {"a/same.replay": "refused", "b/same.replay": "refused", "a/only-a.replay": "written", "b/only-b.replay": "written"}, "statuses")
    same(document["counts"]["refused"], {"same name": 2}, "counts")
    same(sorted(written_below(base / "out")), ["only-a.replay", "only-b.replay"], "results")
    assert all("same name" in one["error"]["message"] for one in document["files"] if "error" in one)
    # Other suffixes of one name.
    sample = next((archive / "samples/openra").glob("p21*"))
    for suffix in ("orarep", "rep"):
        shutil.copy(sample, base / "a" / f"match.{suffix}")
    document, _ = batch(command, "import", "--output-dir", "imported", "a", exits=(2, 5), cwd=base)
    same(document["counts"]["refused"].get("same name"), 2, "imported")


def check_places(command, archive, kinds):
    """The output directory may be inside the input, and is then no input."""
    folder = archive / "samples/cs2kz"
    files = len(list(folder.iterdir()))
    inside = folder / "out"
    for number in ("written", "skipped"):
        document, _ = batch(command, "recompress", "--output-dir", inside, folder, exits=(0,))
        same((document["counts"]["found"], document["counts"][number]), (files, files), number)
    before = written_below(folder)
    command.run("recompress", "--force", "--output-dir", folder, folder, exits=(2,))
    document, _ = batch(command, "recompress", "--force", "--output-dir", folder, *folder.glob("a1-*"), exits=(2,))
    same(document["counts"]["written"], 0, "a file that would replace itself")
    same(written_below(folder), before, "inputs")
    shutil.rmtree(folder / ".reprise")
    command.run("recompress", "--output-dir", archive / "no/such", folder, exits=(1,))
    command.run("recompress", "--output-dir", folder / "a1-run.replay", folder, exits=(1,))
    (archive / "nothing").mkdir()
    command.run("recompress", "--output-dir", archive.parent / "x", archive / "nothing", exits=(4,))


def check_one_run_at_a_time(command, archive, kinds):
    out = archive.parent / "out"
    (out / ".reprise").mkdir(parents=True)
    handle = os.open(out / ".reprise", os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    done = command.run("recompress", "--output-dir", out, archive / "samples/cs2kz", exits=(2,))
    assert b"another run" in done.stderr
    same(written_below(out), {}, "results")
    os.close(handle)
    command.run("recompress", "--output-dir", out, archive / "samples/cs2kz")


def check_a_full_disk(command, archive, kinds):
    """Files that do not fit fail; nothing of them is left, and the others are written."""
    folder, out, whole = archive / "samples/cs2kz", archive.parent / "out", archive.parent / "whole"
    batch(command, "recompress", "--output-dir", whole, folder, exits=(0,))
    known = written_below(whole)

    def limited():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

    document, _ = batch(command, "recompress", "--output-dir", out, folder, exits=(1,), preexec_fn=limited)
    fits = {name: data for name, data in known.items() if len(data) <= 20000}
    assert 0 < len(fits) < len(known)
    assert document["counts"]["failed"].get("io"), document["counts"]
    left = written_below(out)
    assert left and left.items() <= fits.items()
    batch(command, "recompress", "--output-dir", out, folder, exits=(0,))
    same(written_below(out), known, "results of the next run")


def check_usage(command, archive, kinds):
    file = archive / "samples/cs2kz/a1-run.replay"
    for arguments in (["recompress", "--include", "*.x", file, "y"], ["recompress", "--output-dir", "o", "--output", "x", file],
                      ["anonymize", "--dry-run", "--output-dir", "o", file], ["anonymize", "--report", "r", "--output-dir", "o", file],
                      ["export", "--output-dir", "o", file], ["export", "--as", "glb", file, "x.glb"], ["recompress", file, "a", "b"],
                      ["export", "--as", "sqlite", "--output-dir", "o", file], ["import", "--batch", file]):
        command.run(*arguments, exits=(2,))
    shutil.copy(archive / "samples/openra/p21-2p.orarep", archive.parent / "match.orarep")
    command.run("import", "--batch", "-o", "imported", "match.orarep", exits=(0, 3))
    same(list(written_below(archive.parent / "imported")), ["match.icrep"], "import --batch")
    include = command.json("recompress", "--output-dir", "chosen", "--include", "a1-*", "--exclude", "*styles*", archive / "samples/cs2kz")
    same(sorted(Path(one["file"]).name for one in include["files"]),
         sorted(path.name for path in (archive / "samples/cs2kz").glob("a1-*") if "styles" not in path.name), "chosen files")
