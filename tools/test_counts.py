"""What a test program says about itself, and how the counts of several add up.

A program reports its cases in one of three ways: a line per case in the Test Anything Protocol, as
cmocka and the scripts with `protocol: 'tap'` do; a last line "N passed, N failed"; or, if it is one
case, by its exit code alone, which the build must declare. It may also print

    SKIPPED NAME (REASON)     a case that did not run; in the protocol: "# SKIP", after a line
                              "# skipped: REASON" where the case cannot write the reason itself
    N values compared         comparisons with an oracle
    N runs                    inputs of a sweep, such as damaged files with every verb

A program that reports no case at all has failed, and so has a case that was skipped without a reason.
"""

import re
from dataclasses import dataclass, field

SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed$", re.M)
PLAN = re.compile(r"^1\.\.(\d+)\s*$", re.M)
# cmocka writes "not ok 3 # SKIP name", others "ok 3 - name # SKIP reason".
TAP = re.compile(r"^(?P<bad>not )?ok (?P<number>\d+)(?: - (?P<name>.*?))?"
                 r"(?:\s*# SKIP\s*(?P<skip>.*?))?\s*$")
REASON = re.compile(r"^# skipped: (.+)$")
SKIPPED = re.compile(r"^SKIPPED (?P<name>.+?) \((?P<reason>.+)\)$", re.M)
COMPARED = re.compile(r"^(?:# )?(\d+) values compared$", re.M)
RUNS = re.compile(r"^(?:# )?(\d+) runs$", re.M)


@dataclass
class Tally:
    """The cases of one program. Those without names of their own have numbers."""

    cases: dict = field(default_factory=dict)  # name -> whether it passed
    skipped: dict = field(default_factory=dict)  # name -> reason
    faults: list = field(default_factory=list)  # what is wrong with the program itself
    compared: int = 0
    runs: int = 0

    @property
    def passed(self):
        return sum(self.cases.values())

    @property
    def failed(self):
        return len(self.cases) - self.passed + len(self.faults)


def read_protocol(output, tally):
    reason = None
    for line in output.splitlines():
        given = REASON.match(line)
        reason = given[1] if given else reason
        case = TAP.match(line)
        if not case:
            continue
        name = case["name"] or f"case {case['number']}"
        if case["skip"] is None:
            name += f" ({case['number']})" if name in tally.cases else ""
            tally.cases[name] = not case["bad"]
            continue
        if case["name"] is None and case["skip"]:
            name, why = case["skip"], reason
        else:
            why = case["skip"] or reason
        tally.skipped[name] = why
        reason = None
    planned = sum(map(int, PLAN.findall(output)))
    reported = len(tally.cases) + len(tally.skipped)
    if planned and planned != reported:
        tally.faults.append(f"{planned} cases were planned, {reported} reported")


def read_output(output, ended_well, is_single=False):
    """The tally of a program by what it printed and whether its exit code was good."""
    tally = Tally(compared=sum(map(int, COMPARED.findall(output))), runs=sum(map(int, RUNS.findall(output))))
    summaries = SUMMARY.findall(output)
    if is_single:
        tally.cases["exit code"] = ended_well
    elif summaries:
        passed, failed = map(int, summaries[-1])
        tally.cases = {f"case {number + 1}": number >= failed for number in range(passed + failed)}
    else:
        read_protocol(output, tally)
    tally.skipped.update({case["name"]: case["reason"] for case in SKIPPED.finditer(output)})
    tally.faults += [f"{name} was skipped without a reason" for name, why in tally.skipped.items() if not why]
    if not tally.cases and not tally.skipped and not tally.faults:
        tally.faults.append("reported no case")
    if not ended_well and not tally.failed:
        tally.faults.append("ended badly after its last case")
    return tally


def merge(first, second):
    """The same program in two builds: each case counts once and has passed if it did in both."""
    both = Tally(cases=dict(first.cases), faults=first.faults + second.faults,
                 compared=max(first.compared, second.compared), runs=max(first.runs, second.runs))
    for name, passed in second.cases.items():
        both.cases[name] = passed and both.cases.get(name, True)
    skipped = {**first.skipped, **second.skipped}
    both.skipped = {name: why for name, why in skipped.items() if name not in both.cases}
    return both
