#!/usr/bin/env python3
"""Checks the rules of the source tree that the compiler cannot.

Layers: a file includes only headers of its own layer and of those below, and never by a relative
path, which would get around the include directories of the build. Families of formats do not know
one another. Programs outside the library include reprise.h and their own headers only.

Names: what a header in src/ or cli/ declares starts with the prefix of its folder, and the files of a
family are named after the parts that docs/design.md lists.

Also: functions that are banned everywhere, memory taken anywhere but in src/base/context.c, files
over 800 lines (tests and headers too, unless they are generated) and functions over 70.

usage: tools/check-layers.py [ROOT]
Prints one line per finding, "file:line: what", and exits with 1 if there was any.
"""

import re
import sys
from pathlib import Path

LAYERS = ["base", "io", "codec", "schema", "model", "format", "sim", "ops", "api"]
FILE_LINES_MAX = 800
FUNCTION_LINES_MAX = 70

# The prefix of a folder's names, and of their macros in upper case.
PREFIXES = {
    "src": "rp",
    "src/format/cs2kz": "kz",
    "src/format/ironcurtain": "ic",
    "src/format/mcreplay": "mc",
    "src/format/openra": "ora",
    "src/format/remastered": "cnc",
    "src/format/rumble": "rumble",
    "src/sim/skirmish": "skirmish",
    "cli": "cli",
}
# docs/design.md says what each part is. A second format in a folder comes before the part.
PARTS = ("format grammar finding_list read write edit redact recover recompress merge analyse stats "
         "timeline scene verify info summary foreign map").split()
SECOND_FORMATS = {"mcreplay": "camera"}
FAMILIES_IN_ROOMS = {"ironcurtain"}

DECLARED = re.compile(
    r"""^(?:(?:static|inline|extern|const|struct|enum|union|unsigned)\ )*[a-z_]\w*[ *]+(?:const\ )?\*?
        (?P<name>\w+)(?=[(;\[,])
      | ^typedef\ (?:struct|enum|union)\ (?P<type>\w+)
      | ^\#define\ (?P<macro>\w+)""", re.M | re.X)

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
# A name after '.' or '->' is a member of that name, and after a word character another name.
CALL = r"(?<![\w.>])(?:%s)\s*\("
BANNED = re.compile(CALL % "strcpy|strcat|sprintf|vsprintf|gets|atoi|atol|atoll|atof|strtok")
MEMORY = re.compile(CALL % "malloc|calloc|realloc|reallocarray|free|strdup|strndup|aligned_alloc")
MEMORY_HOME = "src/base/context.c"
GENERATED = {"include/reprise/ironcurtain/types.h"}  # as long as the format needs it

# Comments, strings and character constants, which must not be mistaken for code.
NOT_CODE = re.compile(
    r"""/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'""", re.S | re.X
)


def blank(match):
    """Blanks a match but keeps its line breaks, so that line numbers stay right."""
    return "\n" * match.group().count("\n") or " "


class Tree:
    def __init__(self, root):
        self.root = root
        self.findings = []
        self.headers = self.collect_headers()

    def report(self, file, line, text):
        self.findings.append((str(file.relative_to(self.root)), line, text))

    def files(self, *tops):
        for top in tops:
            for file in sorted((self.root / top).rglob("*.[ch]")):
                yield file

    def layer_of(self, file):
        return file.relative_to(self.root / "src").parts[0]

    def collect_headers(self):
        """What an include may say ("writer.h", "rumble/grammar.h") -> the file meant."""
        headers = {}
        for file in self.files("src"):
            if file.suffix != ".h":
                continue
            name = file.relative_to(self.root / "src" / self.layer_of(file)).as_posix()
            if name in headers:
                other = headers[name].relative_to(self.root)
                self.report(file, 1, f"header of the same name as {other}: includes are ambiguous")
            headers[name] = file
        return headers

    def check_includes(self, file, text):
        inside = file.is_relative_to(self.root / "src")
        tests = file.is_relative_to(self.root / "tests")
        for match in INCLUDE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            quote, name = match.groups()
            if ".." in Path(name).parts or name.startswith("/"):
                self.report(file, line, f"include of {name}: no relative or absolute paths")
                continue
            if (self.root / "src" / name).is_file():
                self.report(file, line, f"include of {name}: without the name of the layer")
                continue
            meant = self.headers.get(name)
            beside = file.parent / name
            if beside.is_file():
                meant = beside if inside else None
            if not meant or tests:
                continue
            if not inside:
                self.report(file, line, f"include of {name}: only reprise.h is for use outside src")
            elif quote == "<":
                self.report(file, line, f"include of <{name}>: own headers are included with quotes")
            else:
                self.check_direction(file, line, name, meant)

    def check_direction(self, file, line, name, meant):
        mine, theirs = self.layer_of(file), self.layer_of(meant)
        if LAYERS.index(theirs) > LAYERS.index(mine):
            self.report(file, line, f"include of {name}: layer {mine} is below {theirs}")
        if mine == theirs == "format":
            families = [self.family_of(f) for f in (file, meant)]
            if families[0] and families[1] and families[0] != families[1]:
                self.report(file, line, f"include of {name}: families do not know one another")

    def family_of(self, file):
        parts = file.relative_to(self.root / "src" / "format").parts
        return parts[0] if len(parts) > 1 else None

    def check_calls(self, file, code, pattern, reason):
        for match in pattern.finditer(code):
            line = code.count("\n", 0, match.start()) + 1
            self.report(file, line, f"{match.group().rstrip('( ')}: {reason}")

    def check_lengths(self, file, code, with_functions):
        lines = code.split("\n")
        if len(lines) - 1 > FILE_LINES_MAX:
            self.report(file, 1, f"{len(lines) - 1} lines; a file has at most {FILE_LINES_MAX}")
        if not with_functions:
            return
        # In our format only the braces of functions are alone at the start of a line.
        start = None
        for number, line in enumerate(lines, 1):
            if line.rstrip() == "{":
                start = number
            elif line.startswith("}") and start:
                if number - start + 1 > FUNCTION_LINES_MAX:
                    self.report(
                        file,
                        start,
                        f"function of {number - start + 1} lines; at most {FUNCTION_LINES_MAX}",
                    )
                start = None

    def check_names(self, file, code):
        """Of a header: format tables, which are named after formats, and include guards are free."""
        folder = file.relative_to(self.root).parent
        while folder.as_posix() not in PREFIXES:
            folder = folder.parent
        prefix = PREFIXES[folder.as_posix()] + "_"
        for match in DECLARED.finditer(code):
            name = match.group(match.lastgroup)
            free = name.startswith("__") or re.search("_format$|_H$", name)
            if not free and not name.lower().startswith(prefix):
                line = code.count("\n", 0, match.start()) + 1
                self.report(file, line, f"{name}: names in {folder.as_posix()} start with {prefix}")

    def check_part(self, file):
        """Of a file in the folder of a family."""
        family = self.family_of(file)
        second = SECOND_FORMATS.get(family)
        names = {family, second} | set(PARTS)
        stem = file.stem.removeprefix(f"{second}_")
        if family not in FAMILIES_IN_ROOMS and stem not in names and stem.split("_")[0] not in PARTS:
            self.report(file, 1, "is named after no part of a family (docs/design.md)")

    def check(self):
        for file in self.files("src"):
            if self.layer_of(file) not in LAYERS:
                self.report(file, 1, "is in no layer")
        if self.findings:
            return self.findings
        for file in self.files("include", "src", "cli", "examples", "python", "tests"):
            text = file.read_text(encoding="utf-8")
            code = NOT_CODE.sub(blank, text)
            top = file.relative_to(self.root).parts[0]
            self.check_includes(file, text)
            if top in ("src", "cli") and file.suffix == ".h":
                self.check_names(file, code)
            if top == "src" and self.layer_of(file) == "format" and self.family_of(file):
                self.check_part(file)
            self.check_calls(file, code, BANNED, "banned, it cannot know sizes or tell failures")
            if top == "src" and str(file.relative_to(self.root)) != MEMORY_HOME:
                self.check_calls(file, code, MEMORY, f"memory is taken in {MEMORY_HOME} only")
            if str(file.relative_to(self.root)) not in GENERATED:
                self.check_lengths(file, code, top in ("src", "cli", "python"))
        return self.findings


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    findings = Tree(root).check()
    for file, line, text in sorted(findings):
        print(f"{file}:{line}: {text}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
