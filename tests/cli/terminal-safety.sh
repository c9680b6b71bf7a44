# Names in a replay, and names of files, cannot control the terminal.
python3 - <<'END'
import json, zipfile
source = zipfile.ZipFile("data/z6_edge.replay")
manifest = json.loads(source.read("manifest.json").decode("utf-8-sig"))
manifest["Title"] = "\x1b]0;owned\x07\x1b[31mred\nnext\u202eline\x9b"
manifest["Players"][0]["Name"] = "\x1b[2J岩\x7f"
with zipfile.ZipFile("hostile.replay", "w") as target:
    target.writestr("manifest.json", json.dumps(manifest))
    target.writestr("replay", source.read("replay"))
END
reprise info hostile.replay | sed -n '1,3p;/People/,/Bob/p' | head -6
reprise info hostile.replay hostile.replay
mv hostile.replay $'odd\nname\033[1m.replay'
reprise info odd* | head -1
reprise info --json odd* | validate info
reprise info $'no\nsuch\033file'
reprise info $'no such \377' --json -q | validate info
