# What is worth watching, for people and as JSON.
reprise stats --highlights data/../openra/p21-bots-medium.orarep | tail -3
reprise stats --highlights data/../ironcurtain/all-events.icrep
reprise stats --highlights data/../mccamera/turn.xml
reprise stats --json --highlights data/../ironcurtain/all-events.icrep >found.json
validate stats <found.json
python3 - <<'END'
import json
for one in json.load(open("found.json"))["highlights"]:
    print(one["kind"], one["score"], one.get("player"))
END
