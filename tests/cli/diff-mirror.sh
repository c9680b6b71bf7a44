# A comparison the other way round says the same with the sides exchanged.
cat >law.py <<'END'
import json, subprocess

def diff(*words):
    return json.loads(subprocess.run(["reprise", "diff", "--json", *words], capture_output=True, text=True).stdout)

def mirrored(value):
    """With `first` and `second`, and what ends with _a and _b or is called a and b, exchanged."""
    other = {"a": "b", "b": "a", "first": "second", "second": "first", "only_a": "only_b", "only_b": "only_a",
             "rows_a": "rows_b", "rows_b": "rows_a", "file_a": "file_b", "file_b": "file_a"}
    if isinstance(value, dict):
        return {other.get(key, key): mirrored(member) for key, member in value.items()}
    if isinstance(value, list):
        return [mirrored(member) for member in value]
    return other.get(value, value) if isinstance(value, str) else value

def totals(report):
    """Without the common part, which is in times of the first recording."""
    counts = {key: value for key, value in (report.get("totals") or {}).items() if not key.startswith("common")}
    return counts, report.get("unrelated"), report.get("equal")

d = "data/../"
pairs = [("data/z6_match_like_1.2.4.replay", "short.replay"), ("data/z6_edge.replay", "data/z6_match_like_1.2.4.replay"),
         (d + "mccamera/pan.xml", d + "mccamera/turn.xml"), (d + "ironcurtain/full.icrep", d + "ironcurtain/basic.icrep"),
         (d + "remastered/ra-full-skirmish.bin", d + "remastered/td-full-campaign.bin"),
         (d + "mcreplay/multipart_basic.replay", d + "mcreplay/armature_basic.replay"),
         (d + "openra/p21-2p.orarep", "quiet.orarep"), (d + "openra/p21-2p.orarep", d + "openra/p20-desync.orarep")]
for a, b in pairs:
    there, back = diff(a, b), diff(b, a)
    if totals(mirrored(there)) != totals(back):
        print(a, b, totals(there), totals(back))
    if there.get("match") is not None:
        said = [sorted((one["in"], json.dumps(one, sort_keys=True).replace(one["in"], "")) for one in
                       report["match"]["said"]) for report in (mirrored(there), back)]
        print("said by one side only:", len(said[0]), said[0] == said[1])
print(len(pairs), "pairs")
END
reprise trim -q --to 3 data/z6_match_like_1.2.4.replay short.replay
reprise anonymize -q --only chat data/../openra/p21-2p.orarep quiet.orarep 2>/dev/null
python3 law.py
# What no reader knows is named by its first bytes.
for bytes in a ab abcdefg abcdefgh abcdefghi; do
    printf %s $bytes >strange
    reprise info strange 2>&1 | grep -o 'begins with.*'
done
