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


def corners(element):
    """Of a rectangle, of the square around a circle."""
    number = lambda name: float(element.get(name, "0"))  # noqa: E731
    if element.get("r"):
        x, y, r = number("cx"), number("cy"), number("r")
        return [(x - r, y - r), (x + r, y + r)]
    x, y = number("x"), number("y")
    return [(x, y), (x + number("width"), y + number("height"))]


def ends(element):
    """Where a text begins and ends, for letters that are narrower than most."""
    x, y = float(element.get("x")), float(element.get("y"))
    style = element.get("class", "").split()
    own = re.search(r"font-size:([0-9.]+)px", element.get("style", ""))
    size = float(own[1]) if own else 15 if "t" in style else 11
    wide = size / 2 * len(element.text or "")
    left = x - wide if "e" in style else x - wide / 2 if "m" in style else x
    return [(left, y), (left + wide, y)]


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
            places = ends(element)
        elif tag in ("rect", "circle"):
            places = corners(element)
        for x, y in places:
            if not (-1 <= x <= width + 1 and -1 <= y <= height + 1):
                problems.append(f"<{tag}> at {x} {y}")
    return lines, problems


def main():
    for file in sys.argv[1:]:
        lines, problems = check(file)
        print(f"{file}: {lines} lines", *problems[:3])


main()
