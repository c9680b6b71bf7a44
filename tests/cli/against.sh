# Two runs over one course: sections that add up, a plot of the gap, and what cannot be compared.
kz=data/../cs2kz
mine=$kz/019a9b07-044d-785c-9077-bed61db82000.replay
reprise stats --against $kz/a3-run.replay $mine | sed -n '/Comparison/,$p'
reprise stats --json --against $kz/a3-run.replay $mine >both.json
validate stats <both.json
python3 - <<'EOF'
import json
c = json.load(open("both.json"))["comparison"]
print(sum(s["delta"] for s in c["sections"]) == c["final"])
EOF
reprise stats --json --against $mine $mine | python3 -c '
import json, sys
c = json.load(sys.stdin)["comparison"]
print(c["final"], len(c["sections"]), {s["delta"] for s in c["sections"]})'
reprise plot --what gap,speed --against $kz/a3-run.replay -o gap.svg $mine; echo $?
python3 data/../../cli/svg.py gap.svg
reprise plot --what gap $mine; echo $?
reprise stats --against $kz/a1-run.replay $mine; echo $?
reprise stats --against data/z6_edge.replay $mine; echo $?
reprise plot --what gap --against nothing.replay $mine; echo $?
reprise stats --json --against $kz/a1-run.replay $mine | validate stats
