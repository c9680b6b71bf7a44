"""Checks pictures: well-formed, nothing outside, no script, link or font. usage: svg.py FILE..."""

import re
import sys
import xml.etree.ElementTree as xml

ALLOWED = {"svg", "title", "desc", "style", "rect", "text", "path", "circle"}


def points(d):
    """Where a path goes; our own use M L H V h v z and l only."""
    x = y = 0.0
    for command, numbers in re.findall(r"([A-Za-z])([^A-Za-z]*)", d):
        values = [float(n) for n in re.findall(r"-?[0-9.]+", numbers)]
        if command in "ML":
            x, y = values
        elif command == "l":
            x, y = x + values[0], y + values[1]
        elif command == "H":
            x = values[0]
        elif command == "h":
            x += values[0]
        elif command == "V":
            y = values[0]
        elif command == "v":
            y += values[0]
        elif command != "z":
            raise ValueError(f"command {command}")
        yield x, y


def check(file):
    root = xml.parse(file).getroot()
    _, _, width, height = map(float, root.get("viewBox").split())
    problems, lines = [], 0
    for element in root.iter():
        tag = element.tag.split("}")[1]
        if tag not in ALLOWED:
            problems.append(f"<{tag}>")
        places = []
        if tag == "path":
            places = list(points(element.get("d")))
            lines += element.get("class", "")[:1] in ("l", "b", "w")
        elif tag == "text":
            places = [(float(element.get("x")), float(element.get("y")))]
        for x, y in places:
            if not (-1 <= x <= width + 1 and -1 <= y <= height + 1):
                problems.append(f"<{tag}> at {x} {y}")
    return lines, problems


def main():
    for file in sys.argv[1:]:
        lines, problems = check(file)
        print(f"{file}: {lines} lines", *problems[:3])


main()
