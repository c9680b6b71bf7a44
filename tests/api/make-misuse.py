#!/usr/bin/env python3
"""Writes a C program that calls every public function wrongly.

First with nothing: NULL for each pointer, 0 for each number. Calls that can fail must answer
REPRISE_E_USAGE, the others must return. Then with something valid of everything but one pointer,
which is NULL, and with handles that are used up, numbers out of range and structs without a size.
No call may crash; misuse_things.h has the valid things.

A function that is added to a public header is covered from then on. One that the library exports
but no header declares, or the other way round, is an error.

usage: make-misuse.py OUTPUT.c SYMBOLS INCLUDE_DIRECTORY HEADER...
"""

import re
import sys
from pathlib import Path

COMMENT = re.compile(r"/\*.*?\*/", re.S)
MACRO = re.compile(r"^#(?:[^\n]*\\\n)*[^\n]*", re.M)
DECLARATION = re.compile(r"REPRISE_API\s+([^;{]*?)\b(reprise_\w+)\(([^;]*)\);")
SIZED = re.compile(r"typedef struct (reprise_\w+) \{\s*size_t struct_size;")
ENUM = re.compile(r"typedef enum (reprise_\w+) \{")
NUMBERS = {"int", "unsigned", "bool", "double", "float", "size_t"}

# What a valid argument of a type is; `state` is a round. Other structs are all zero.
THINGS = {
    "reprise_replay": "a_replay(state)",
    "reprise_options": "some_options(state)",
    "reprise_rows": "some_rows(state)",
    "reprise_printer": "a_printer(state)",
    "reprise_batches": "some_batches(state)",
    "reprise_array": "an_array(state)",
    "ArrowArrayStream": "an_arrow_stream(state)",
    "ArrowSchema": "&(struct ArrowSchema){0}",
    "reprise_scene": "a_scene(state)",
    "reprise_database": "a_database(state)",
    "reprise_catalog": "a_catalog(state)",
    "reprise_catalog_record": "a_record(state)",
    "reprise_library": "a_library(state)",
    "reprise_foreign": "some_foreign(state)",
    "reprise_document": "a_document(state)",
    "reprise_value": "a_value(state)",
    "reprise_writer": "a_writer(state)",
    "reprise_sink": "a_sink(state)",
    "reprise_ic_codec": "a_codec(state)",
    "reprise_ic_skirmish": "a_skirmish(state)",
    "reprise_ic_writer": "an_ic_writer(state)",
    "reprise_ic_recorder": "a_recorder(state)",
    "reprise_ic_playback": "a_playback(state)",
    "char": '"/absent/x"',
    "void": '"0123456789abcdef"',
}
# Pointers to functions, which may all be missing.
FUNCTIONS = {"reprise_progress", "reprise_ic_migration", "reprise_catalog_row"}


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


def is_pointer(parameter):
    return "*" in parameter or "[" in parameter


def type_and_name(parameter):
    """"const reprise_value **ret_info" -> "reprise_value", "ret_info"."""
    name = re.search(r"(\w+)(?:\[\w*\])?$", parameter).group(1)
    return re.sub(r"\bconst\b|\bstruct\b", "", parameter).split()[0].rstrip("*"), name


def nothing(parameter):
    """The empty value of this type."""
    if is_pointer(parameter):
        return "NULL"
    kind = parameter.rsplit(" ", 1)[0]
    if kind in NUMBERS or re.fullmatch(r"u?int\d+_t", kind):
        return "0"
    return f"({kind}){{0}}"


def number(kind, name):
    """Sizes are those of the data given; others are 0, 1 or out of range."""
    if re.search("size|count", name):
        return "1"
    if kind == "bool":
        return "state == USED_UP"
    if kind in ("double", "float"):
        return f"({kind})(state == STRANGE ? 1e300 : (double)state)"
    return f"({kind})(state == STRANGE ? -1 : (int)state)"


def something(parameter, sized, enums):
    if "(*" in parameter:
        return "NULL"
    kind, name = type_and_name(parameter)
    if "[" in parameter:
        return "(uint8_t[64]){1}"
    if not is_pointer(parameter):
        given = parameter.rsplit(" ", 1)[0]
        if given in NUMBERS or re.fullmatch(r"u?int\d+_t", given):
            return number(given, name)
        if given in enums:
            return f"({given})(state == STRANGE ? 99 : state)"
        return f"({given}){{0}}"
    stars = parameter.count("*")
    if stars == 2:
        own = "const " if parameter.startswith("const ") else ""
        if "*const *" in parameter:
            return f"({kind} *[]){{{THINGS[kind]}}}"
        return f"&({own}{kind} *){{NULL}}"
    if kind in FUNCTIONS:
        return "NULL"
    if kind == "char" and "const" not in parameter:
        return "(char[64]){0}"
    if kind == "void" and "const" not in parameter:
        return "NULL"
    if kind in THINGS:
        return THINGS[kind]
    if kind in sized:
        return f"&({kind}){{.struct_size = state == STRANGE ? 0 : sizeof({kind})}}"
    if kind.startswith("reprise_"):
        return f"&({kind}){{0}}"
    return f"({kind}[64]){{0}}"


def declarations(header):
    text = MACRO.sub("", COMMENT.sub("", header))
    for result, name, given in DECLARATION.findall(text):
        yield name, result, [p for p in parameters(given) if p != "void"]


def check_complete(names, symbols):
    exported = {line.split("@")[0] for line in symbols.split()}
    if exported != set(names):
        sys.exit(f"headers and symbols differ: {sorted(exported ^ set(names))}")


def can_refuse(result, given):
    return result.split() == ["reprise_status"] and any("reprise_error" in p for p in given)


def with_nothing(name, result, given):
    call = f"{name}({', '.join(nothing(p) for p in given)})"
    if not can_refuse(result, given):
        return [f"    (void){call};"]
    return [f"    if ({call} != REPRISE_E_USAGE) {{",
            f'        fputs("{name} accepts nothing\\n", stderr);', "        wrong++;", "    }"]


def with_one_missing(name, result, given, sized, enums):
    """A function that makes all these calls, in every round."""
    ignore = "(void)!" if result.split()[-1] == "reprise_status" else ""
    valid = [something(p, sized, enums) for p in given]
    lines = [f"static void call_{name}(void)", "{",
             "    for (given state = FRESH; state < ROUNDS; state++) {"]
    for missing in [None] + [i for i, p in enumerate(given) if is_pointer(p)]:
        arguments = ["NULL" if i == missing else a for i, a in enumerate(valid)]
        lines.append(f"        {ignore}{name}({', '.join(arguments)});")
    return lines + ["        (void)state;", "    }", "}", ""]


def main():
    output, symbols, root = (Path(name) for name in sys.argv[1:4])
    headers = [Path(name) for name in sys.argv[4:]]
    texts = [header.read_text(encoding="utf-8") for header in headers]
    functions = [f for text in texts for f in declarations(text)]
    sized = {name for text in texts for name in SIZED.findall(text)}
    enums = {name for text in texts for name in ENUM.findall(text)}
    check_complete([name for name, _, _ in functions], symbols.read_text(encoding="utf-8"))
    lines = ["/* Made by make-misuse.py. */"]
    lines += [f"#include <{header.relative_to(root).as_posix()}>" for header in headers]
    lines += ['#include "misuse_things.h"', ""]
    for name, result, given in functions:
        lines += with_one_missing(name, result, given, sized, enums)
    lines += ["int main(void)", "{", "    int wrong = 0;"]
    for function in functions:
        lines += with_nothing(*function)
    for name, _, _ in functions:
        lines.append(f'    wrong += survives("{name}", call_{name});')
    cases = len(functions) + sum(can_refuse(result, given) for _, result, given in functions)
    lines += [f'    printf("%d passed, %d failed\\n", {cases} - wrong, wrong);',
              "    return wrong != 0;", "}", ""]
    output.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
