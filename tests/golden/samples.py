"""Finds the cases in directories of samples and checks them.

A case is a sample with an expectation beside it (`foo.replay` with `foo.replay.expect.json` or
`foo.expect.json`), or a line of a `verdicts.tsv`: file, verdict, comment, separated by tabs, or a
member of an expectation that is named after its directory (`bad/bad.expect.json`): file -> severity.

What the values of an expectation mean is known to the adapter of the family, a module in families/:

    recognises(expected, info)          whether sample and expectation belong to this family; `info`
                                        is what `reprise info --json` says
    observe(command, sample, expected)  runs the command and returns all that document() needs, with
                                        an attribute `problems`: Differences apart from the values
    document(observation, expected)     the observation in the shape of the expectation; may look
                                        at it only to learn which of many things it lists
    rules(observation)                  the Rules by which the two are compared
    CHOOSING                            patterns of the values document() looks at
"""

import importlib
from dataclasses import dataclass, field
from pathlib import Path

from command import MEBIBYTE, Failure
from compare import compare, leaves, load_json, skipped_values

EXPECT_SUFFIX = ".expect.json"
VERDICTS_FILE = "verdicts.tsv"
RESIDENT_MAX = 256 * MEBIBYTE
DIFFERENCES_SHOWN = 5

# Verdict -> exit codes of `reprise verify`.
VERDICTS = {
    "refuse": (4, 5, 6),
    "warn": (3,),
    "either": (3, 4, 5, 6),
    "verify": (5,),
}

# Severity in an expectation over a whole directory -> verdict.
SEVERITIES = {"fatal": "refuse", "world": "refuse", "entity": "warn", "warn": "warn"}


@dataclass
class Outcome:
    """One line of the report, with what there is to say about a failure below it."""

    name: str
    failures: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    about: str = ""

    def __str__(self):
        head = f"{'FAILED' if self.failures else 'ok':7} {self.name}"
        if self.about:
            head += f" ({self.about})"
        shown = [f"    {failure}" for failure in self.failures[:DIFFERENCES_SHOWN]]
        if len(self.failures) > DIFFERENCES_SHOWN:
            shown.append(f"    and {len(self.failures) - DIFFERENCES_SHOWN} more")
        return "\n".join([head, *shown, *(f"    {note}" for note in self.notes)])


# ---- families ----


def load_families():
    names = sorted(path.stem for path in (Path(__file__).parent / "families").glob("*.py"))
    return [importlib.import_module(f"families.{name}") for name in names]


def family_of(families, expected, info):
    fitting = [family for family in families if family.recognises(expected, info)]
    if len(fitting) != 1:
        names = ", ".join(family.__name__ for family in fitting) or "no adapter in families/"
        raise Failure(f"which family is this? {names}; info says {info.get('format')}")
    return fitting[0]


# ---- cases ----


@dataclass
class ExpectationCase:
    expectation: Path
    sample: Path

    def check(self, command, families):
        outcome = Outcome(str(self.sample))
        expected = load_json(self.expectation.read_text(encoding="utf-8"))
        info = command.run("info", "--json", self.sample).document()
        family = family_of(families, expected, info)
        observation = family.observe(command, self.sample, expected)
        found = family.document(observation, expected)
        rules = family.rules(observation)
        outcome.failures = [*compare(expected, found, rules), *observation.problems]
        outcome.notes = [f"skipped {path}: {why}" for path, why in skipped_values(expected, rules)]
        compared = sum(1 for _ in leaves(expected)) - len(outcome.notes)
        outcome.about = f"{compared} values"
        return outcome


@dataclass
class VerdictCase:
    sample: Path
    verdict: str

    def check(self, command, families):
        outcome = Outcome(str(self.sample), about=self.verdict)
        codes = VERDICTS.get(self.verdict)
        if codes is None:
            raise Failure(f"unknown verdict {self.verdict!r}")
        if not self.sample.is_file():
            raise Failure("is named in the verdicts but not there")
        outcome.failures += self.run(command, codes, "verify", self.sample)
        if self.verdict == "verify":
            outcome.failures += self.run(command, (0,), "info", self.sample)
        return outcome

    def run(self, command, codes, *arguments):
        result = command.run(*arguments)
        if result.timed_out or result.code not in codes:
            wanted = " or ".join(map(str, codes))
            yield f"{result}: expected exit code {wanted}, found {result.describe_end()}"
        if not command.sanitized and result.resident_bytes > RESIDENT_MAX:
            yield f"{result}: took {result.resident_bytes // MEBIBYTE} MiB of memory"


@dataclass
class SeverityCase:
    """A file in an expectation that is named after its directory: `bad/bad.expect.json`."""

    sample: Path
    expected: dict

    def check(self, command, families):
        severity = self.expected.get("severity")
        if severity not in SEVERITIES:
            raise Failure(f"unknown severity {severity!r}")
        outcome = VerdictCase(self.sample, SEVERITIES[severity]).check(command, families)
        outcome.about = f"severity {severity}"
        others = sorted(set(self.expected) - {"severity"})
        outcome.notes = [f"skipped {name}: for people, not a value" for name in others]
        return outcome


@dataclass
class BrokenCase:
    """Something in the directory that cannot be checked; never passed over in silence."""

    path: Path
    why: str

    def check(self, command, families):
        raise Failure(self.why)

    @property
    def sample(self):
        return self.path


def check(case, command, families):
    try:
        return case.check(command, families)
    except (Failure, ValueError, OSError) as error:
        return Outcome(str(case.sample), [str(error)])
    except Exception as error:  # output of a shape the adapter does not know
        return Outcome(str(case.sample), [f"{type(error).__name__}: {error}"])


# ---- finding them ----


def is_sample(path):
    return path.is_file() and not path.name.endswith(EXPECT_SUFFIX)


def sample_of(expectation):
    """The file an expectation is named after, with its suffix or without."""
    stem = expectation.name[: -len(EXPECT_SUFFIX)]
    whole = expectation.with_name(stem)
    if is_sample(whole):
        return ExpectationCase(expectation, whole)
    fitting = [path for path in expectation.parent.iterdir() if path.stem == stem]
    fitting = sorted(filter(is_sample, fitting))
    if len(fitting) == 1:
        return ExpectationCase(expectation, fitting[0])
    names = ", ".join(path.name for path in fitting) or "no file"
    return BrokenCase(expectation, f"one file of this name expected, found {names}")


def severity_cases(expectation):
    files = load_json(expectation.read_text(encoding="utf-8"))
    return [SeverityCase(expectation.parent / name, about) for name, about in files.items()]


def is_summary(expectation):
    return expectation.name == expectation.parent.name + EXPECT_SUFFIX


def verdict_cases(table):
    for number, line in enumerate(table.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) < 2:
            yield BrokenCase(table, f"line {number}: file, verdict and comment expected")
            continue
        yield VerdictCase(table.parent / cells[0], cells[1])


def find_cases(directory):
    """All cases in a directory and those below it."""
    found = []
    for expectation in sorted(directory.rglob("*" + EXPECT_SUFFIX)):
        if is_summary(expectation):
            found.extend(severity_cases(expectation))
        else:
            found.append(sample_of(expectation))
    for table in sorted(directory.rglob(VERDICTS_FILE)):
        found.extend(verdict_cases(table))
    return found or [BrokenCase(directory, "holds neither expectations nor verdicts")]
