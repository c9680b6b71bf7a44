#!/usr/bin/env python3
"""Writes a C program that calls every public function with nothing: NULL for each pointer, 0 for
each number. Calls that can fail must answer REPRISE_E_USAGE, the others must return.

A function that is added to a public header is covered from then on.

usage: make-misuse.py OUTPUT.c INCLUDE_DIRECTORY HEADER...
"""

import re
import sys
from pathlib import Path

COMMENT = re.compile(r"/\*.*?\*/", re.S)
MACRO = re.compile(r"^#(?:[^\n]*\\\n)*[^\n]*", re.M)
DECLARATION = re.compile(r"REPRISE_API\s+([^;{]*?)\b(reprise_\w+)\(([^;]*)\);")
NUMBERS = {"int", "unsigned", "bool", "double", "float", "size_t"}


def parameters(text):
    """Splits at commas outside of parentheses."""
    parts, depth, at = [], 0, 0
    for i, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append(text[at:i])
            at = i + 1
    parts.append(text[at:])
    return [" ".join(part.split()) for part in parts]


def argument(parameter):
    """The empty value of this type; None for "void"."""
    if parameter == "void":
        return None
    if "*" in parameter or "[" in parameter or parameter.startswith("reprise_ic_migration "):
        return "NULL"
    kind = parameter.rsplit(" ", 1)[0]
    if kind in NUMBERS or re.fullmatch(r"u?int\d+_t", kind):
        return "0"
    return f"({kind}){{0}}"


def calls(header):
    text = MACRO.sub("", COMMENT.sub("", header))
    for result, name, given in DECLARATION.findall(text):
        arguments = [argument(p) for p in parameters(given)]
        call = f"{name}({', '.join(a for a in arguments if a)})"
        can_fail = result.split() == ["reprise_status"] and "reprise_error" in given
        yield name, call, can_fail


def main():
    output, root = Path(sys.argv[1]), Path(sys.argv[2])
    headers = [Path(name) for name in sys.argv[3:]]
    lines = ["/* Made by make-misuse.py. */", "#include <stdio.h>"]
    lines += [f"#include <{header.relative_to(root).as_posix()}>" for header in headers]
    lines += ["", "int main(void)", "{", "    int wrong = 0;"]
    for header in headers:
        for name, call, can_fail in calls(header.read_text()):
            if can_fail:
                lines.append(f"    if ({call} != REPRISE_E_USAGE) {{")
                lines.append(f'        fputs("{name} accepts nothing\\n", stderr);')
                lines.append("        wrong++;")
                lines.append("    }")
            else:
                lines.append(f"    (void){call};")
    lines += ["    return wrong != 0;", "}", ""]
    output.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
