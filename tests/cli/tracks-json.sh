# Rows and times of the summary are those of the rows themselves.
for file in data/*.replay; do
    reprise tracks --json "$file" >tracks.json
    reprise cat --track all --no-status "$file" >rows.jsonl
    python3 - "$file" <<'END'
import collections, json, sys
rows = collections.defaultdict(list)
for line in open("rows.jsonl"):
    row = json.loads(line)
    rows[row["track"]].append(row.get("time"))
for track in json.load(open("tracks.json"))["tracks"]:
    times = rows[track["name"]]
    span = (min(times), max(times)) if times and times[0] is not None else (None, None)
    if (track["rows"], track["time_from"], track["time_to"]) != (len(times), *span):
        print(sys.argv[1], track["name"], track["rows"], len(times), span)
END
done
