# Help, manual pages and completion come from one table: all say the same of every option of every verb.
cat >law.py <<'END'
import json, re, subprocess

def run(*words):
    return subprocess.run(["reprise", *words], check=True, capture_output=True, text=True).stdout

def of_help(text):
    """[(group, option, text)] as --help shows them."""
    found, group = [], None
    for line in text.split("\nExamples\n")[0].splitlines():
        if re.fullmatch(r"[A-Z]\w*( \w+)*", line):
            group = line
        option = group and re.match(r"  (?:(-\w), |    )(--\S+)(?: (\S+))?(?:  +(.*))?$", line)
        if option:
            found.append([group, option[1], option[2], option[3], option[4] or ""])
        elif group and found and line.startswith("          "):
            found[-1][4] = (found[-1][4] + " " + line.strip()).strip()
    return found

def of_page(text):
    found, group = [], None
    lines = text.split("# OPTIONS\n")[1].split("\n# ")[0].splitlines()
    for line in lines:
        head = re.fullmatch(r"(?:\*(-\w)\*, )?\*(--\S+)\*(?: _(\S+)_)?", line)
        if line.startswith("## "):
            group = line[3:]
        elif head:
            found.append([group, head[1], head[2], head[3], ""])
        elif line.startswith("\t"):
            found[-1][4] = re.sub(r"\\(.)", r"\1", line.strip())
    return found

verbs = re.findall(r"^  ([a-z][a-z-]*)  ", run("help"), re.M)
fish, bash, zsh = run("completion", "fish"), run("completion", "bash"), run("completion", "zsh")
formats = json.loads(run("formats", "--json"))
formats = formats.get("formats", formats) if isinstance(formats, dict) else formats
count = 0
for verb in verbs:
    shown, page = of_help(run(verb, "--help")), of_page(run("man", verb))
    assert len(shown) > 3, verb
    assert [one[:4] for one in shown] == [one[:4] for one in page], (verb, shown, page)
    for one, other in zip(shown, page):
        assert one[4].split() == other[4].split(), (verb, one, other)
        name, letter = one[2][2:], one[1]
        line = [l for l in fish.splitlines() if f"from {verb}'" in l and f" -l {name} " in l]
        assert len(line) == 1, (verb, name, line)
        assert re.findall(r" -s (\w) ", line[0]) == ([letter[1]] if letter else []), line
        assert (" -x " in line[0] or " -r" in line[0]) == bool(one[3]), line
        label = f"'{verb} --{name}'" + (f" | '{verb} {letter}'" if letter else "")
        assert (label + ")" in bash) == bool(one[3]), (label, one)
        count += 1
words = {key: re.search(rf"'cat --{key}'\S*(?: \| '[^']*'\))? mapfile.*?-W '([^']*)'", bash)[1].split()
         for key in ("format", "layout", "track")}
assert words["format"] == [one["name"] for one in formats], words["format"]
layouts = [layout["name"] for one in formats for layout in one["layouts"]]
assert set(words["layout"]) == set(layouts) and len(words["layout"]) == len(set(layouts)), words["layout"]
print(len(verbs) > 20, count > 200)
END
python3 law.py
for value in 0 1 25 1000000000 1000000001 -1 +1 1x '' 99999999999999999999; do
    printf '[recording]\nkeyframe_ticks = %s\n' "$value" >mine.toml
    reprise record --demo skirmish --ticks 60 --settings mine.toml x.icrep 2>said
    echo "keyframe_ticks = $value: exit $?, $(grep -c 'above 0' said) refused"
    rm -f x.icrep
done
