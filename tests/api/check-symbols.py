#!/usr/bin/env python3
"""Compares what the shared library exports with the checked-in list.

usage: check-symbols.py [--update] LIBRARY LIST

A symbol that goes away or changes its version breaks programs; one that appears is a promise. Both
should be seen in review, as a change of the list that --update writes.
"""

import subprocess
import sys
from pathlib import Path


def exported(library):
    command = ["nm", "--dynamic", "--defined-only", "--with-symbol-versions", library]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    # "address kind name@@version"; kind A is the version node itself.
    symbols = [line.split()[-2:] for line in lines]
    return sorted(name for kind, name in symbols if kind != "A")


def main():
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    library, list_file = arguments[0], Path(arguments[1])
    found = exported(library)
    if "--update" in sys.argv:
        list_file.write_text("".join(f"{name}\n" for name in found), encoding="utf-8")
        return 0
    expected = list_file.read_text(encoding="utf-8").split()
    for name in sorted(set(expected) - set(found)):
        print(f"missing: {name}")
    for name in sorted(set(found) - set(expected)):
        print(f"not in {list_file.name}: {name}")
    if found != expected:
        print(f"if this is meant: tests/api/check-symbols.py --update {library} {list_file}")
        return 1
    print(f"{len(found)} symbols as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
