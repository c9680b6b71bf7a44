#!/usr/bin/env python3
"""Fills the generated parts of the documents, which end with `<!-- end -->`: the tables of a format
after `<!-- schema NAME -->` in docs/formats/*.md, and the findings of all formats after
`<!-- findings -->` in docs/errors.md. tests/docs/run checks that they are up to date.

usage: tools/make-docs.py PATH_OF_REPRISE
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def run(command, *arguments):
    return subprocess.run([command, *arguments], stdout=subprocess.PIPE, check=True).stdout.decode()


def schema_table(command, name):
    return run(command, "schema", name).strip()


def finding_tables(command):
    """A table of the findings that all formats share, and one for each format."""
    sections = {}
    for name in sorted(format["name"] for format in json.loads(run(command, "formats", "--json"))):
        for finding in json.loads(run(command, "schema", "--json", name))["findings"]:
            shared = finding["shared"]
            id = finding["id"].replace(f"{name}.", "<format>.", 1) if shared else finding["id"]
            rows = sections.setdefault("Every format" if shared else name, {})
            rows[id] = f"| `{id}` | {finding['severity']} | {finding['doc']} |"
    out = []
    for name in sorted(sections):
        out += [f"### {name}", "", "| id | severity | meaning |", "|---|---|---|"]
        out += [row for _, row in sorted(sections[name].items())] + [""]
    return "\n".join(out).strip()


def fill(page, mark, table):
    text = page.read_text(encoding="utf-8")
    pattern = rf"<!-- {mark} -->\n.*?<!-- end -->"
    made = re.sub(pattern, lambda match: table(match) + "\n\n<!-- end -->", text, flags=re.S)
    page.write_text(made, encoding="utf-8")


def main(command):
    for page in sorted((ROOT / "docs/formats").glob("*.md")):
        fill(page, r"schema (\w+)",
             lambda match: f"<!-- schema {match[1]} -->\n\n{schema_table(command, match[1])}")
    fill(ROOT / "docs/errors.md", "findings",
         lambda _: f"<!-- findings -->\n\n{finding_tables(command)}")


if __name__ == "__main__":
    main(sys.argv[1])
