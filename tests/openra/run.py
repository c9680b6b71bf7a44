#!/usr/bin/env python3
"""Everything that is written must be playable by the game, whatever the verb and the layout.

usage: tests/openra/run.py REPRISE SAMPLE...

Writes every sample with every verb and into every layout, and checks the results with playable.py,
which shares no code with the library. The last line is "N passed, N failed".
"""

import pathlib
import sys
import tempfile

import playable

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "common"))
import served  # noqa: E402

LAYOUTS = ("a", "b", "c", "p8", "p9", "p11", "p20", "p21")
DONE, WARNED = 0, 3


class Checker:
    def __init__(self, command, folder):
        self.command, self.folder = command, pathlib.Path(folder)
        self.passed = self.failed = self.serial = 0

    def write(self, *arguments):
        self.serial += 1
        target = self.folder / f"{self.serial}.out"
        done = served.run([self.command, *map(str, arguments), "-o", str(target)],
                              capture_output=True, text=True, check=False)
        return target, done

    def report(self, what, problem):
        self.passed += not problem
        self.failed += bool(problem)
        print(f"{'not ok' if problem else 'ok'} - {what}{': ' + problem if problem else ''}")

    def playable(self, what, *arguments):
        """The verb succeeds and the game can play what it wrote."""
        target, done = self.write(*arguments)
        problem = ""
        if done.returncode not in (DONE, WARNED):
            problem = f"exit {done.returncode}: {done.stderr.strip()}"
        elif "will not open" in done.stderr:
            problem = done.stderr.strip()
        else:
            problem = "; ".join(playable.broken(target))
        self.report(what, problem)
        return target

    def refused(self, what, *arguments):
        target, done = self.write(*arguments)
        said = "the game will not open this" in done.stderr
        problem = "" if done.returncode == 5 and said and not target.exists() else \
            f"exit {done.returncode}: {done.stderr.strip()}"
        self.report(what, problem)


def flat_of(check, sample):
    """A sample as a flat file: the archive's packets are those of its dialect."""
    if sample.read_bytes()[:2] != b"PK":
        return sample
    return check.playable(f"{sample.name} from the archive", "convert", "--to", "p21", "--lossy",
                          sample)


def check_sample(check, sample):
    name = sample.name
    flat = flat_of(check, sample)
    sound = not playable.broken(flat)
    for layout in LAYOUTS:
        # A file that nothing changes in stays as it is, with or without a trailer.
        if sound or f"{layout}-" not in name:
            check.playable(f"{name} to {layout}", "convert", "--lossy", "--to", layout, sample)
    check.playable(f"{name} cut", "trim", "--to", "4", flat)
    check.playable(f"{name} anonymized", "anonymize", flat)
    check.playable(f"{name} recovered", "recover", flat)
    archive, _ = check.write("convert", "--to", "zip", flat)
    packed, _ = check.write("recompress", "--level", "compact", archive)
    if sound:
        check.playable(f"{name} through a recompressed archive", "convert", "--lossy", "--to",
                       "p21", packed)
    check_back(check, name, flat)
    check_broken_off(check, name, flat)


def check_back(check, name, flat):
    """To Iron Curtain with everything, and back."""
    imported, done = check.write("import", "--lossless", flat)
    if done.returncode not in (DONE, WARNED):
        check.report(f"{name} imported", done.stderr.strip())
        return
    check.playable(f"{name} there and back", "convert", "--to", "openra", imported)
    plain, _ = check.write("import", flat)
    check.refused(f"{name} there without the lobby and back", "convert", "--to", "openra", plain)


def check_broken_off(check, name, flat):
    """A game that crashed: no trailer, and a packet that ends in the middle."""
    data = flat.read_bytes()
    for share in (0.6, 0.9):
        cut = check.folder / f"cut-{share}"
        cut.write_bytes(data[:int(len(data) * share)])
        if playable.Match(cut.read_bytes()).started:
            check.playable(f"{name} recovered from {share:.0%}", "recover", cut)


def main():
    with tempfile.TemporaryDirectory() as folder:
        check = Checker(sys.argv[1], folder)
        for sample in map(pathlib.Path, sys.argv[2:]):
            check_sample(check, sample)
        print(f"{check.passed} passed, {check.failed} failed")
        return 1 if check.failed or not check.passed else 0


if __name__ == "__main__":
    sys.exit(main())
