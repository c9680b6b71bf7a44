#!/usr/bin/env python3
"""Validates JSON against a schema of docs/json.

usage: validate.py [--lines] SCHEMA_FILE [FILE...]

Without a FILE it reads standard input; many files at once cost one start of Python. With --lines
every line of the input is a document, and equal lines are looked at once. Prints what is wrong and
where, and exits with 1 if any document is invalid. A member that occurs twice in an object is an
error, too.
"""

import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator


def bundle(file):
    """One schema without references to other files, so that nothing has to resolve them."""
    schemas = {}

    def inline(value, name):
        if isinstance(value, list):
            return [inline(item, name) for item in value]
        if not isinstance(value, dict):
            return value
        value = {key: inline(item, name) for key, item in value.items() if key != "$id"}
        if isinstance(value.get("$ref"), str):
            target, _, pointer = value["$ref"].partition("#")
            value["$ref"] = f"#/$defs/{load(target or name)}{pointer}"
        return value

    def load(name):
        if name not in schemas:
            schemas[name] = {}
            text = (Path(file).parent / name).read_text(encoding="utf-8")
            schemas[name] = inline(json.loads(text), name)
        return name

    return {"$ref": f"#/$defs/{load(Path(file).name)}", "$defs": schemas}


class Validator:
    def __init__(self, file):
        schema = bundle(file)
        Draft202012Validator.check_schema(schema)
        self.validator = Draft202012Validator(schema)

    def check(self, value):
        """Yields a message for each error."""
        for error in self.validator.iter_errors(value):
            while error.context:  # of several alternatives, the one that matched furthest was meant
                error = max(error.context, key=lambda inner: len(inner.absolute_path))
            yield f"{error.json_path}: {error.message[:200]}"


def no_duplicates(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError(f"duplicate member among {names}")
    return dict(pairs)


def problems_of(document, validator):
    try:
        value = json.loads(document, object_pairs_hook=no_duplicates)
    except ValueError as error:
        return [f"not JSON: {error}"]
    return list(validator.check(value))


def check_text(text, lines, validator, name):
    """Prints what is wrong; returns whether anything is."""
    documents = dict.fromkeys(text.splitlines()) if lines else [text]
    failed = False
    for number, document in enumerate(documents, 1):
        problems = problems_of(document, validator)
        for problem in problems[:10]:
            print(name + (f"line {number}: {problem}" if lines else problem))
        failed |= bool(problems)
    return failed


def main():
    lines = "--lines" in sys.argv
    schema, *files = [word for word in sys.argv[1:] if word != "--lines"]
    validator = Validator(schema)
    if not files:
        return 1 if check_text(sys.stdin.read(), lines, validator, "") else 0
    wrong = [check_text(Path(file).read_text(encoding="utf-8"), lines, validator, f"{file}: ") for file in files]
    return 1 if any(wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
