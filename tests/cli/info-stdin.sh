# "-" is standard input, a pipe or a file.
cat data/z6_edge.replay | reprise info - | head -2
reprise info --json - <data/z6_edge.replay | python3 -c 'import json, sys
print(json.load(sys.stdin)["file"])'
cat data/z6_match_like_1.2.4.replay | reprise verify -
printf '' | reprise info -
