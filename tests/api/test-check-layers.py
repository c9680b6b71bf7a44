#!/usr/bin/env python3
"""Plants one offence after the other in a small tree and expects tools/check-layers.py to name it.

usage: test-check-layers.py CHECK_LAYERS_PY
"""

import subprocess
import sys
import tempfile
from pathlib import Path

SOUND = {
    "include/reprise/reprise.h": "int reprise_x(void);\n",
    "src/base/context.c": '#include "context.h"\nint f(void)\n{\n    free(malloc(1));\n}\n',
    "src/base/context.h": '#include "reprise/reprise.h"\n',
    "src/codec/json.h": '#include "context.h"\n',
    "src/codec/json.c": '/* strcpy(a, b) */\n#include "json.h"\nconst char *s = "atoi(x)";\n',
    "src/format/rumble/read.c": '#include "json.h"\n#include "rumble/read.h"\n',
    "src/format/rumble/read.h": "#define RUMBLE_READ_H\nvoid rumble_read(int x);\n",
    "src/format/mcreplay/camera_read.c": "\n",
    "src/format/openra/read.c": "void f(void)\n{\n    x->free(y);\n    a.realloc(b);\n}\n",
    "cli/main.c": '#include "output.h"\n#include <reprise/reprise.h>\n',
    "cli/ui/output.h": "\n",
    "include/reprise/ironcurtain/types.h": "\n" * 801,
    "tests/unit/test_json.c": '#include "json.h"\nvoid f(void)\n{\n    free(0);\n}\n',
}

OFFENCES = {
    "higher layer": ("src/base/context.h", '#include "json.h"\n', "layer base is below codec"),
    "relative path": ("src/base/context.h", '#include "../codec/json.h"\n', "no relative"),
    "by layer name": ("src/base/context.h", '#include "codec/json.h"\n', "without the name"),
    "angle brackets": ("src/codec/json.h", "#include <context.h>\n", "with quotes"),
    "other family": ("src/format/openra/read.c", '#include "rumble/read.h"\n', "one another"),
    "command inside": ("cli/main.c", '#include "json.h"\n', "only reprise.h"),
    "same name": ("src/codec/context.h", "\n", "same name"),
    "other prefix": ("src/format/rumble/read.h", "void rp_read(int x);\n", "start with rumble_"),
    "type without prefix": ("cli/ui/output.h", "typedef struct show {\n} show;\n", "start with cli_"),
    "macro without prefix": ("src/codec/json.h", "#define MOST 1\n", "start with rp_"),
    "no part": ("src/format/rumble/names.c", "\n", "after no part"),
    "no layer": ("src/extra/x.c", "\n", "is in no layer"),
    "banned": ("tests/unit/test_json.c", "int x = atoi(y);\n", "atoi: banned"),
    "memory": ("src/codec/json.c", "void *x = malloc (1);\n", "malloc: memory"),
    "long file": ("cli/main.c", "\n" * 801, "801 lines"),
    "long test": ("tests/unit/test_json.c", "\n" * 801, "801 lines"),
    "long header": ("include/reprise/reprise.h", "\n" * 801, "801 lines"),
    "long function": ("src/codec/json.c", "int f(void)\n{\n" + "\n" * 69 + "}\n", "71 lines"),
}


def run(check, files):
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            file = Path(root, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        done = subprocess.run([check, root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


def main():
    passed = failed = 0
    cases = {"sound tree": (dict(SOUND), 0, "")}
    for name, (file, text, expected) in OFFENCES.items():
        cases[name] = ({**SOUND, file: text}, 1, expected)
    for name, (files, code_expected, text_expected) in cases.items():
        code, output = run(sys.argv[1], files)
        if code == code_expected and text_expected in output and (output or not code_expected):
            passed += 1
        else:
            failed += 1
            print(f"{name}: exit {code}, expected {code_expected} and '{text_expected}':\n{output}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
