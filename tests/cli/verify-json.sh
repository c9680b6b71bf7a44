reprise verify --json data/z6_edge.replay
for file in data/bad/{zip_fewer_frames,zip_cut,not_a_replay}.replay nosuch; do
    reprise verify --json -q $file | python3 -c 'import json, sys
print(json.load(sys.stdin)["status"])'
done
