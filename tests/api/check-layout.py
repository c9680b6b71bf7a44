#!/usr/bin/env python3
"""Compares the layout of every public struct with the types of its members, the value of every
public constant and the types of every public function with the checked-in list.

usage: check-layout.py [--update] COMPILER INCLUDE_DIRECTORY LIST HEADER...

A member that moves, shrinks, changes its type or goes away breaks programs that are already built,
and so does a function that takes or returns something else. A struct that
begins with struct_size may grow at its end; so may a struct that only the library allocates. Either
way the change should be seen in review, as a change of the list that --update writes.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

STRUCT = re.compile(r"typedef struct (reprise_\w+)\s*\{")
ENUM = re.compile(r"\benum\b\s*(\w*)\s*\{([^}]*)\}")
FUNCTION = re.compile(r"[^{}=]*?\b(reprise_\w+)\s*\([^{}]*\)", re.S)
COMPANION = re.compile(r"\(\s*\*\s*(\w+)\s*\)\s*\(")  # a pointer to a function


def preprocessed(compiler, include, headers):
    source = "".join(f"#include <{h}>\n" for h in headers)
    command = [compiler, "-E", "-P", "-I", include, "-x", "c", "-"]
    run = subprocess.run(command, input=source, capture_output=True, text=True, check=True)
    return re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", run.stdout)


def body_at(text, at):
    """The text between the brace before `at` and the one that closes it."""
    depth, end = 1, at
    while depth:
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    return text[at : end - 1]


def split(text, separator):
    """Splits outside of brackets of any kind."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char in "({[") - (char in ")}]")
        if char == separator and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return parts + [text[start:]]


def plain(text):
    """One space between words, none around punctuation."""
    return re.sub(r"\s*([*(),])\s*", r"\1", " ".join(text.split()))


def members(body):
    """The name and the type of every member."""
    for declaration in split(body, ";"):
        if not declaration.strip():
            continue
        pointer = COMPANION.search(declaration)
        if pointer:
            yield pointer.group(1), plain(declaration)
            continue
        first, *others = split(declaration, ",")
        base = re.sub(r"\**\s*\w+\s*(\[[^]]*\]\s*)*$", "", first)
        for declarator in [first[len(base):], *others]:
            names = re.findall(r"\w+", re.sub(r"\[[^]]*\]|\{.*\}", "", declarator, flags=re.S))
            if names:
                yield names[-1], plain(f"{base} {declarator}")


def functions(text):
    for declaration in split(text, ";"):
        match = FUNCTION.fullmatch(declaration.strip())
        if match and not declaration.strip().startswith("typedef"):
            yield match.group(1), plain(declaration)


def program(text, headers):
    lines = ["#include <stddef.h>", "#include <stdio.h>"]
    lines += [f"#include <{h}>" for h in headers]
    lines += ["int main(void)", "{"]
    for match in STRUCT.finditer(text):
        name = match.group(1)
        lines.append(f'printf("{name} size %zu\\n", sizeof({name}));')
        for member, kind in members(body_at(text, match.end())):
            lines.append(
                f'printf("{name}.{member} at %zu, %zu bytes: {kind}\\n", '
                f"offsetof({name}, {member}), sizeof((({name} *)0)->{member}));"
            )
    for match in ENUM.finditer(text):
        for constant in match.group(2).split(","):
            name = constant.split("=")[0].strip()
            if name.startswith(("REPRISE_", "reprise_")):
                lines.append(f'printf("{name} = %lld\\n", (long long){name});')
    for _, declaration in sorted(functions(text)):
        lines.append(f'puts("{declaration}");')
    return "\n".join(lines + ["return 0;", "}", ""])


def layout(compiler, include, headers):
    text = preprocessed(compiler, include, headers)
    with tempfile.TemporaryDirectory() as directory:
        source, binary = Path(directory) / "layout.c", Path(directory) / "layout"
        source.write_text(program(text, headers))
        subprocess.run([compiler, "-I", include, source, "-o", binary], check=True)
        return subprocess.run([binary], capture_output=True, text=True, check=True).stdout


def main():
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    compiler, include, list_file, headers = *arguments[:3], arguments[3:]
    found = layout(compiler, include, headers)
    if "--update" in sys.argv:
        Path(list_file).write_text(found)
        return 0
    expected = Path(list_file).read_text().splitlines()
    for line in sorted(set(expected) - set(found.splitlines())):
        print(f"gone or moved: {line}")
    for line in sorted(set(found.splitlines()) - set(expected)):
        print(f"not in the list: {line}")
    if found.splitlines() != expected:
        print("if this is meant: " + " ".join(["tests/api/check-layout.py", "--update"] + arguments))
        return 1
    print(f"{len(expected)} sizes, members, constants and functions as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
