#!/usr/bin/env python3
"""Validates JSON from standard input against a schema of docs/json.

usage: jsonschema.py [--lines] SCHEMA_FILE

Knows the part of JSON Schema (draft 2020-12) that our schemas use, and refuses a schema that uses
anything else: a keyword nobody looks at would make a test that cannot fail. With --lines every line
of the input is a document. Prints what is wrong and where, and exits with 1.
"""

import json
import re
import sys
from pathlib import Path

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
}
ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description"}


def has_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


class Validator:
    """Each method that is named after a keyword yields what is wrong with a value."""

    def __init__(self, file):
        self.files = {}
        self.root = Path(file).resolve()

    def load(self, file):
        if file not in self.files:
            self.files[file] = json.loads(file.read_text(encoding="utf-8"))
        return self.files[file]

    def check(self, value, schema=None, file=None, path="$"):
        file = file or self.root
        schema = self.load(file) if schema is None else schema
        for keyword, wanted in schema.items():
            if keyword in ANNOTATIONS:
                continue
            name = "check_" + keyword.replace("$", "")
            if not hasattr(self, name):
                raise SystemExit(f"{file.name}: keyword {keyword} is not supported")
            yield from getattr(self, name)(value, wanted, schema, file, path)

    def check_ref(self, value, wanted, _schema, file, path):
        name, _, pointer = wanted.partition("#")
        target = file.parent / name if name else file
        schema = self.load(target)
        for part in filter(None, pointer.split("/")):
            schema = schema[part]
        yield from self.check(value, schema, target, path)

    def check_type(self, value, wanted, _schema, _file, path):
        names = wanted if isinstance(wanted, list) else [wanted]
        if not any(has_type(value, name) for name in names):
            yield f"{path}: is not of type {' or '.join(names)}: {json.dumps(value)[:60]}"

    def check_enum(self, value, wanted, _schema, _file, path):
        if value not in wanted:
            yield f"{path}: {json.dumps(value)[:60]} is none of {json.dumps(wanted)}"

    def check_minimum(self, value, wanted, _schema, _file, path):
        if has_type(value, "number") and value < wanted:
            yield f"{path}: {value} is less than {wanted}"

    def check_maximum(self, value, wanted, _schema, _file, path):
        if has_type(value, "number") and value > wanted:
            yield f"{path}: {value} is more than {wanted}"

    def check_minLength(self, value, wanted, _schema, _file, path):
        if isinstance(value, str) and len(value) < wanted:
            yield f"{path}: is shorter than {wanted}"

    def check_pattern(self, value, wanted, _schema, _file, path):
        if isinstance(value, str) and not re.search(wanted, value):
            yield f"{path}: {json.dumps(value)[:60]} does not match {wanted}"

    def check_required(self, value, wanted, _schema, _file, path):
        if isinstance(value, dict):
            for name in wanted:
                if name not in value:
                    yield f"{path}: member {name} is missing"

    def check_properties(self, value, wanted, _schema, file, path):
        if isinstance(value, dict):
            for name, schema in wanted.items():
                if name in value:
                    yield from self.check(value[name], schema, file, f"{path}.{name}")

    def check_additionalProperties(self, value, wanted, schema, file, path):
        if not isinstance(value, dict):
            return
        for name in value:
            if name in schema.get("properties", {}):
                continue
            if wanted is False:
                yield f"{path}: member {name} is unknown"
            elif wanted is not True:
                yield from self.check(value[name], wanted, file, f"{path}.{name}")

    def check_items(self, value, wanted, _schema, file, path):
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield from self.check(item, wanted, file, f"{path}[{index}]")

    def check_anyOf(self, value, wanted, _schema, file, path):
        failures = [list(self.check(value, schema, file, path)) for schema in wanted]
        if all(failures):
            # The alternative that went deepest into the document is the one that was meant.
            yield from max(failures, key=lambda f: max(p.split(":")[0].count(".") for p in f))

    def check_not(self, value, wanted, _schema, file, path):
        if not list(self.check(value, wanted, file, path)):
            yield f"{path}: is what it must not be"


def no_duplicates(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError(f"duplicate member among {names}")
    return dict(pairs)


def main():
    lines = "--lines" in sys.argv
    (schema,) = [word for word in sys.argv[1:] if word != "--lines"]
    validator = Validator(schema)
    text = sys.stdin.read()
    failed = False
    for number, document in enumerate(text.splitlines() if lines else [text], 1):
        try:
            value = json.loads(document, object_pairs_hook=no_duplicates)
        except ValueError as error:
            problems = [f"not JSON: {error}"]
        else:
            problems = list(validator.check(value))
        for problem in problems[:10]:
            print(f"line {number}: {problem}" if lines else problem)
        failed |= bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
