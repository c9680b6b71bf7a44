# A page with several runs compares the first with each other one, as `stats --against` does.
kz=data/../cs2kz
mine=$kz/019a9b07-044d-785c-9077-bed61db82000.replay
page() { rm -f x.html; reprise export -q "$@" x.html; python3 - <<'PYTHON'
import base64, gzip, json, re
text = open("x.html", encoding="utf-8").read()
block = re.search(r'data-reprise="page"[^>]*>([^<]*)<', text)[1]
json.dump(json.loads(gzip.decompress(base64.b64decode(block))), open("page.json", "w"))
PYTHON
}
page $mine $kz/a3-run.replay $mine
reprise stats --json --against $kz/a3-run.replay $mine >both.json
python3 - <<'PYTHON'
import json
page, both = json.load(open("page.json")), json.load(open("both.json"))["comparison"]
first, second = page["compare"], page["rivals"][0]
print(first["a"], first["b"], second["a"], second["b"], len(page["rivals"]))
print("final", first["final"] == both["final"] != 0, second["final"])
print("sections", first["sections"] == both["sections"], len(first["sections"]), "gap" in first)
PYTHON
page $mine $kz/a1-run.replay
python3 -c 'import json; print(sorted(json.load(open("page.json"))["compare"]))'
page data/z6_edge.replay data/z6_match_like_1.2.4.replay
python3 -c 'import json; p = json.load(open("page.json")); print(p["compare"], p["rivals"])'
page $mine
python3 -c 'import json; p = json.load(open("page.json")); print(p["compare"], p["rivals"])'
page --offset 1.5 --offset -2 $mine $kz/a3-run.replay $mine
python3 -c 'import json; print([(r["offset"], r["timeline"]) for r in json.load(open("page.json"))["replays"]])'
