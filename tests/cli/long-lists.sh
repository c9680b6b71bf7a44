# Long lists are cut and say so; --all shows them whole. JSON is never cut.
python3 - <<'END'
import json, zipfile
source = zipfile.ZipFile("data/z6_edge.replay")
manifest = json.loads(source.read("manifest.json").decode("utf-8-sig"))
manifest["Title"] = "long " * 60
manifest["Markers"] = [{"name": f"mod.marker{i}", "time": i / 8} for i in range(30)]
with zipfile.ZipFile("long.replay", "w") as target:
    target.writestr("manifest.json", json.dumps(manifest))
    target.writestr("replay", source.read("replay"))
END
reprise info long.replay | sed -n '/^  title/,/^  version/p;/^  Markers/,/more/p'
reprise info --all long.replay | grep -c -e mod.marker
reprise info -a long.replay | grep -c more
reprise info --json long.replay | grep -o mod.marker | wc -l
# Long logs of what happened at ticks, and their parts, are only counted; totals can be seen at once.
d=$(dirname "$(readlink -f data)")
reprise stats $d/cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay | grep -A1 -E '^ {4}(Jumps|Strafes)$'
reprise stats --all $d/cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay | grep -A1 -E '^ {4}(Jumps|Strafes)$'
