#!/usr/bin/env python3
"""Draws what a command prints as an SVG, for the README: real output, not a screenshot.

usage: tools/terminal-picture.py OUT.svg SHOWN_COMMAND -- COMMAND...
"""
import html
import subprocess
import sys
import unicodedata

CELL_WIDTH, LINE_HEIGHT, MARGIN = 8.4, 19, 18


def cells(text):
    """How many terminal cells a text takes."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def pieces(line):
    """Splits a line at wide characters, so that columns stay aligned whatever font draws them."""
    at, run, start = 0, "", 0
    for c in line:
        wide = unicodedata.east_asian_width(c) in "WF"
        if wide and run:
            yield start, run
            run = ""
        if not run:
            start = at
        run += c
        at += 2 if wide else 1
        if wide:
            yield start, run
            run = ""
    if run:
        yield start, run


def main():
    out, shown = sys.argv[1], sys.argv[2]
    command = sys.argv[sys.argv.index("--") + 1 :]
    text = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()
    lines = ["$ " + shown] + text.rstrip("\n").split("\n")
    width = max(cells(line) for line in lines) * CELL_WIDTH + 2 * MARGIN
    height = len(lines) * LINE_HEIGHT + 2 * MARGIN
    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'role="img" aria-label="{html.escape(shown)}">',
        f'<rect width="100%" height="100%" rx="8" fill="#16181d"/>',
        '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" '
        'fill="#d7dae0" xml:space="preserve">',
    ]
    for number, line in enumerate(lines):
        y = MARGIN + LINE_HEIGHT * (number + 0.75)
        for start, run in pieces(line):
            if not run.strip():
                continue
            style = ' fill="#7fd1b9"' if number == 0 else ""
            length = f' textLength="{cells(run) * CELL_WIDTH:.1f}" lengthAdjust="spacingAndGlyphs"'
            svg.append(
                f'<text x="{MARGIN + start * CELL_WIDTH:.1f}" y="{y:.1f}"{length}{style}>'
                f"{html.escape(run)}</text>"
            )
    svg += ["</g>", "</svg>", ""]
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(svg))


main()
