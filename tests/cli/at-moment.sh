# By time: the last frame at or before it. By frame: exactly that one.
f=data/z6_match_like_1.2.4.replay
at() { reprise at --json "$@" $f | python3 -c 'import json, sys
state = json.load(sys.stdin)
print(state.get("frame"), state.get("time"), state.get("error", {}).get("message"))'; }
at --time 0
at --time 1.4879
at --time 0:03.3818276
at --time 999
at --frame 169
at --tick 3
at --time '#7'
at --frame 170
at --frame -1
at --time -1
