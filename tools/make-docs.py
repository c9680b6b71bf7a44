#!/usr/bin/env python3
"""Writes what the code knows into the documents, between a mark and `<!-- end -->`: field tables
behind `<!-- schema NAME -->` in docs/formats/*.md, findings behind `<!-- findings -->` in
docs/errors.md.

usage: tools/make-docs.py PATH_OF_REPRISE
"""
import pathlib
import re
import subprocess
import sys

import findings

COMMAND = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[1]


def table(match):
    made = subprocess.run([COMMAND, "schema", match[1]], stdout=subprocess.PIPE, check=True)
    return f"<!-- schema {match[1]} -->\n\n{made.stdout.decode().strip()}\n\n<!-- end -->"


for page in sorted((ROOT / "docs/formats").glob("*.md")):
    text = page.read_text(encoding="utf-8")
    page.write_text(re.sub(r"<!-- schema (\w+) -->\n.*?<!-- end -->", table, text, flags=re.S),
                    encoding="utf-8")

errors = ROOT / "docs/errors.md"
text = errors.read_text(encoding="utf-8")
filled = f"<!-- findings -->\n\n{findings.tables()}\n\n<!-- end -->"
errors.write_text(re.sub(r"<!-- findings -->.*?<!-- end -->", lambda _: filled, text, flags=re.S),
                  encoding="utf-8")
