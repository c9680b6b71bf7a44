# A scene is written whole, with its counts; the timeline and the report are what docs/json says.
reprise export data/z6_match_like_1.2.4.replay match.glb
head -c 4 match.glb; echo
reprise export --json -q data/z6_edge.replay edge.gltf | validate export
reprise export -q data/z6_match_like_1.2.4.replay match.json && validate timeline <match.json
reprise export -q --exact data/z6_edge.replay exact.glb
reprise export -q --from 1 --to 2 --fps 10 data/z6_match_like_1.2.4.replay part.json
validate timeline <part.json
python3 -c 'import json; s = json.load(open("part.json"))["source"]
print(round(s["time_offset"], 3), round(s["duration"], 2))'
reprise export --track players -q data/z6_edge.replay players.csv && head -1 players.csv | cut -c1-30
# How many keys there were and are; samples are others than those recorded.
reprise export --exact data/z6_match_like_1.2.4.replay keys.glb
reprise export --tolerance 10,1 -f data/z6_match_like_1.2.4.replay keys.glb
reprise export --fps 240 -f data/z6_match_like_1.2.4.replay keys.glb
rm keys.glb
# What exists stays, an unknown ending and a missing output are mistakes.
reprise export data/z6_edge.replay match.glb; echo $?
reprise export data/z6_edge.replay match.xyz; echo $?
reprise export data/z6_edge.replay; echo $?
reprise export --fps fast data/z6_edge.replay x.glb; echo $?
reprise export --track nosuch data/z6_edge.replay x.glb; echo $?
reprise export data/z6_edge.replay data/z5_empty.replay x.glb; echo $?
reprise export --offset 1 data/z6_edge.replay x.html; echo $?
reprise export --offset soon data/z6_edge.replay data/z6_edge.replay x.html; echo $?
reprise export data/{1..9}.replay x.html; echo $?
reprise export --scenery nowhere.glb data/z6_edge.replay x.html; echo $?
reprise export --scenery data/z6_edge.replay data/z6_edge.replay x.html; echo $?
reprise export --maps nowhere data/z6_edge.replay x.html; echo $?
reprise export --maps data -q data/z6_edge.replay x.html; echo $?; rm x.html
reprise export --scene-max much data/z6_edge.replay x.html; echo $?
# Clips are drawn by a browser; what is asked of them is checked before one is started.
reprise export --size 640x361 data/z6_edge.replay x.webm; echo $?
reprise export --size 640x360 data/z6_edge.replay x.glb; echo $?
reprise export --fps 0.5 data/z6_edge.replay x.gif; echo $?
reprise export --camera '/../' data/z6_edge.replay x.mp4; echo $?
CHROMIUM=/nowhere/chromium reprise export data/z6_edge.replay x.webm; echo $?
ls *.glb
