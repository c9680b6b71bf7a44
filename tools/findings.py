#!/usr/bin/env python3
"""Lists every finding id of the code with its severity and message, as Markdown tables.

Findings are written down once, where they are made; docs/errors.md is filled from there by
tools/make-docs.py, and tests/docs/run checks that it is up to date.
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
FAMILIES = {
    "icrep": "ironcurtain",
    "icsave": "ironcurtain",
    "icproof": "ironcurtain",
    "mccamera": "mcreplay",
}
ID = re.compile(r'"([a-z0-9]+)\.([a-z0-9-]+)"')
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def formats():
    names = {path.name for path in (ROOT / "src/format").iterdir() if path.is_dir()}
    return names | set(FAMILIES)


def call_around(text, at):
    """The innermost call around a place with its name, or the initialiser it stands in."""
    depth, start = 0, at
    while start > 0:
        start -= 1
        if text[start] in ")}":
            depth += 1
        elif text[start] in "({":
            if depth == 0:
                break
            depth -= 1
    start -= len(re.search(r"\w*$", text[:start])[0])
    depth, end = 0, start
    while end < len(text):
        if text[end] in "({":
            depth += 1
        elif text[end] in ")}":
            depth -= 1
            if depth == 0:
                break
        end += 1
    return text[start : end + 1], at - start


def severity(call):
    if "REPRISE_E_" in call and not call.startswith("rp_note_lost("):  # a fault says what kind of failure it is
        return "fault"
    words = [w.lower() for w in re.findall(r"REPRISE_(NOTE|WARNING|FAULT)\b", call)]
    return " or ".join(dict.fromkeys(words)) or "warning"


def message(call, at):
    """The longest text behind the id; adjacent literals are one, placeholders become dots."""
    behind = re.sub(r'"\s*"', "", call[at:].split('"', 2)[2])
    texts = [t for t in STRING.findall(behind) if " " in t]
    text = max(texts, key=len, default="")
    text = re.sub(r"%[-0-9.*]*(?:hh|h|ll|l|z|j)?[a-zA-Z]", "...", text)
    return text.replace("|", "\\|").replace('\\"', '"')


def findings():
    """{family: {id: (severity, message)}}"""
    known, found = formats(), {}
    for path in sorted((ROOT / "src/format").rglob("*.c")):
        text = path.read_text(encoding="utf-8")
        for match in ID.finditer(text):
            name = match[1]
            line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
            if name not in known or line.lstrip().startswith("#include") or match[2] in ("json", "obj"):
                continue
            call, at = call_around(text, match.start())
            family = found.setdefault(FAMILIES.get(name, name), {})
            old = family.get(f"{name}.{match[2]}")
            new = (severity(call), message(call, at) or match[2].replace("-", " "))
            family[f"{name}.{match[2]}"] = old or new
    return found


def tables():
    out = []
    for family, ids in sorted(findings().items()):
        out += [f"### {family}", "", "| id | severity | means |", "|---|---|---|"]
        out += [f"| `{i}` | {level} | {text} |" for i, (level, text) in sorted(ids.items())]
        out.append("")
    return "\n".join(out).strip()


if __name__ == "__main__":
    print(tables())
