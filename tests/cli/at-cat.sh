# The state is that of dense rows of the same frame.
for file in data/z6_match_like_1.2.4.replay data/l2_chunked.replay data/z2_unframed.replay; do
    reprise at --frame 20 --json $file >at.json
    reprise cat -t players,structures,pedestals --every-frame --from-frame 20 --to-frame 20 \
        --no-status $file >rows.jsonl
    python3 - <<'END'
import json
state = json.load(open("at.json"))
rows = {"players": [], "structures": [], "pedestals": []}
for line in open("rows.jsonl"):
    row = json.loads(line)
    del row["frame"], row["time"]
    rows[row.pop("track")].append(row)
print({name: (len(rows[name]), state[name] == rows[name]) for name in rows})
END
done
