"""Mutants of a tree: choosing them with a seed, and writing sources that hold all of them."""

import collections
import random
import re
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from patterns import WEIGHTS, joined, mutations
from regions import regions

HEADER = Path(__file__).resolve().with_name("mutant.h")
# These are mistakes that a compiler reports; a mutant must not be one.
REPORTED = ["-Werror=incompatible-pointer-types", "-Werror=int-conversion", "-Werror=discarded-qualifiers",
            "-Werror=format", "-Werror=div-by-zero", "-Werror=return-type", "-Werror=implicit-function-declaration"]

TRIED_LEAST = 8  # mutants of a folder that say something about all of it
IN_VAIN_MAX = 1000  # choices in a row that found nothing: there is hardly anything left

# path: below the root; start, end: the place of the text in it; original: that text on one line.
Mutant = collections.namedtuple("Mutant", "path kind region start end line original text function")


class Candidates:
    """The mutants that the patterns give, read file by file when one is chosen."""

    def __init__(self, root, below, seed):
        self.root, self.choice, self.known = root, random.Random(seed), {}
        paths = sorted(path for top in ("src", "cli") for path in (root / top).rglob("*.[ch]"))
        self.paths = [path for path in paths if str(path.relative_to(root)).startswith(tuple(below) or "")]
        self.sizes = [path.stat().st_size for path in self.paths]

    def of(self, path):
        if path not in self.known:
            self.known[path] = mutants_of(self.root, path)
        return self.known[path]

    def __iter__(self):
        """In the order of the seed, at most one of each region. Large files have more of them."""
        used, kinds, in_vain = set(), sorted(WEIGHTS), 0
        while self.paths and in_vain < IN_VAIN_MAX:
            in_vain += 1
            path = self.choice.choices(self.paths, self.sizes)[0]
            kind = self.choice.choices(kinds, [WEIGHTS[one] for one in kinds])[0]
            left = self.of(path).get(kind)
            if not left:
                continue
            mutant = left.pop(self.choice.randrange(len(left)))
            if (path, mutant.start) not in used:
                used.add((path, mutant.start))
                in_vain = 0
                yield mutant


def mutants_of(root, path):
    """All mutants of a file, by kind."""
    found = collections.defaultdict(list)
    text = path.read_text(encoding="utf-8")
    tokens, pieces = regions(text)
    for region in pieces:
        part = tokens[region.first:region.last]
        original = joined(part, text)
        start, end = part[0].start, part[-1].end
        line = text.count("\n", 0, start) + 1
        for kind, other in mutations(region, part, text):
            if other != original:
                found[kind].append(Mutant(path.relative_to(root), kind, region.kind, start, end, line, original,
                                          other, region.function))
    return found


def guarded(mutant, number, original):
    if mutant.region in ("statement", "jump"):
        return f"{{ if (MUTANT({number})) {{ {mutant.text} }} else {{ {original} }} }}"
    return f"(MUTANT({number}) ? ({mutant.text}) : ({original}))"


def with_mutants(text, numbered):
    """The text of a file with switchable mutants; later lines keep their numbers."""
    for number, mutant in sorted(numbered, key=lambda one: -one[1].start):
        original = text[mutant.start:mutant.end]
        text = text[:mutant.start] + guarded(mutant, number, original) + text[mutant.end:]
    return f'#include "{HEADER}"\n#line 1\n{text}'


class Compiler:
    """Compiles texts of single files of `root` as the build of its copy does."""

    def __init__(self, root, copy, build, commands):
        self.root, self.build = root, build
        self.flags = {}
        for one in commands:
            path = (build / one["file"]).resolve()
            if path.is_relative_to(copy):
                self.flags.setdefault(path.relative_to(copy), self.only_flags(shlex.split(one["command"])))

    @staticmethod
    def only_flags(words):
        kept, skip = [], False
        for word in words[:-1]:
            if not skip and word not in ("-c", "-MD", "-o", "-MQ", "-MF"):
                kept.append(word)
            skip = word in ("-o", "-MQ", "-MF")
        return [word for word in kept if not re.match(r"-O|-g|-fsanitize|-fno-sanitize|-Werror$|ccache", word)]

    def flags_of(self, path):
        """Those of the file; a header is compiled by itself with those of a file beside it or above."""
        if path in self.flags or path.suffix == ".c":
            return self.flags.get(path)
        for folder in path.parents:
            for other in sorted(self.flags):
                if other.is_relative_to(folder) and str(folder) != ".":
                    return self.flags[other]
        return None

    def run(self, path, text, options):
        flags = self.flags_of(path)
        if not flags:
            return None
        command = [*flags, *options, "-iquote", str((self.root / path).parent), "-x", "c", "-"]
        done = subprocess.run(command, cwd=self.build, input=text, text=True, capture_output=True, check=False)
        return done.stdout if done.returncode == 0 else None

    def accepts(self, mutant):
        text = (self.root / mutant.path).read_text(encoding="utf-8")
        changed = with_mutants(text, [(0, mutant)])
        return self.run(mutant.path, changed, ["-fsyntax-only", *REPORTED]) is not None

    def same_code(self, mutant):
        """Whether the mutant compiles to the same instructions, so that nothing can tell."""
        if mutant.path.suffix != ".c":
            return False
        text = (self.root / mutant.path).read_text(encoding="utf-8")
        other = text[:mutant.start] + f"({mutant.text})" + text[mutant.end:]
        if mutant.region in ("statement", "jump"):
            other = text[:mutant.start] + f"{{{mutant.text}}}" + text[mutant.end:]
        codes = [self.run(mutant.path, one, ["-w", "-O2", "-S", "-o", "-"]) for one in (text, other)]
        return codes[0] is not None and codes[0] == codes[1]


def folder_of(path):
    """The part of the tree that a file belongs to: a layer, a family or a folder of the command."""
    parts = path.parts[:-1]
    return "/".join(parts[:3] if parts[1:2] == ("format",) else parts[:2])


class Biased(Exception):
    """The mutants are not a sample of the tree."""


def expect_all_folders(tried):
    """Mutants that do not compile are everywhere; where none does, the build is broken and nothing is tested."""
    for folder, accepted in sorted(tried.items()):
        if len(accepted) >= TRIED_LEAST and not any(accepted):
            raise Biased(f"none of {len(accepted)} mutants of {folder} compiles; remove build-mutate and try again")


def choose(candidates, compiler, count):
    """The first `count` mutants that compile."""
    order, chosen, tried = iter(candidates), [], collections.defaultdict(list)
    with ThreadPoolExecutor(2) as pool:
        while len(chosen) < count:
            batch = [mutant for _, mutant in zip(range(min(64, 2 * (count - len(chosen)))), order)]
            if not batch:
                break
            for mutant, good in zip(batch, pool.map(compiler.accepts, batch)):
                tried[folder_of(mutant.path)].append(good)
                chosen += [mutant] if good else []
    expect_all_folders(tried)
    return chosen[:count]
