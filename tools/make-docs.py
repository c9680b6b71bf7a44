#!/usr/bin/env python3
"""Writes the field tables into docs/formats/*.md, between `<!-- schema NAME -->` and `<!-- end -->`.

usage: tools/make-docs.py PATH_OF_REPRISE
"""
import pathlib
import re
import subprocess
import sys

COMMAND = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[1]


def table(match):
    made = subprocess.run([COMMAND, "schema", match[1]], stdout=subprocess.PIPE, check=True)
    return f"<!-- schema {match[1]} -->\n\n{made.stdout.decode().strip()}\n\n<!-- end -->"


for page in sorted((ROOT / "docs/formats").glob("*.md")):
    text = page.read_text(encoding="utf-8")
    page.write_text(re.sub(r"<!-- schema (\w+) -->\n.*?<!-- end -->", table, text, flags=re.S),
                    encoding="utf-8")
