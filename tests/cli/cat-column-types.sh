# The JSON type of a column of 64-bit numbers does not depend on the value: they are strings in
# every row of every family, small ones too. The clock is always a number.
cat >types.py <<'PYTHON'
import json
import subprocess
import sys


def output(*arguments):
    return subprocess.run(["reprise", *arguments], stdout=subprocess.PIPE).stdout


family, paths, small = sys.argv[1], sys.argv[2:], 0
schema = json.loads(output("schema", "--json", family))
types = {(track["name"], column["name"]): column["type"]
         for track in schema["tracks"] for column in track["columns"]}
for path in paths:
    for line in output("cat", "--track", "all", "--json", "-q", path).splitlines():
        row = json.loads(line)
        for name, value in row.items():
            clock = name in ("frame", "tick")
            if types.get((row.get("track"), name)) not in ("u64", "i64") or value is None:
                continue
            if isinstance(value, int if clock else str):
                small += not clock and value.isdigit() and int(value) < 1 << 32
            else:
                print(path, row["track"], name, json.dumps(value))
print(family, "small 64-bit values:", "some" if small else "none")
PYTHON
try() {
    python3 types.py $1 $(ls data/../$2 | head -n 12)
}
try cs2kz 'cs2kz/*.replay'
try rumble 'rumble/*.replay'
try icrep 'ironcurtain/*.icrep'
try openra 'openra/*.orarep'
try mcreplay 'mcreplay/*.replay'
try remastered 'remastered/*.bin'
