# What can still be read is counted, and the exit code says that it was not all.
reprise tracks --track frames,players data/bad/zip_fewer_frames.replay | head -4
reprise tracks --json -q data/bad/zip_fewer_frames.replay >out.json
echo "exit $?"
validate tracks <out.json
python3 -c 'import json
document = json.load(open("out.json"))
print(document["tracks"][0]["rows"], document["error"]["status"])'
reprise tracks --track nosuch data/z6_edge.replay
