# Pictures of every family are well-formed, stay inside their frame and are the same every time.
draw() { reprise plot --what "$2" -o "$3.svg" "data/../$1"; echo "$3 $?"; }
draw rumble/z6_match_like_1.2.4.replay health,damage,speed,height,moves,path rumble
draw cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay speed,height,keys,latency,sync,width,checkpoints,timer,path cs2kz
draw ironcurtain/full.icrep economy,army,power,apm,kills,harvesters,health,path icrep
draw openra/p21-bots-medium.orarep apm,apm_economy,apm_military,orders,latency,sync openra
draw remastered/ra-events-campaign-long.bin apm remastered
draw mcreplay/mixed_windows.replay entities,speed,path mcreplay
reprise plot --what path --side -o side.svg data/../cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay; echo $?
reprise plot --what path --side -o entities.svg data/../mcreplay/mixed_windows.replay; echo $?
# More than four names go below the title; what a damaged file does not give is hatched.
draw openra/p20-server-4p-disconnect.orarep apm,orders,timeline four
draw ironcurtain/bad/baseline.icrep economy,army,timeline damaged
draw cs2kz/bad/a-zstd-damage.replay speed,height nothing
grep -c 'class="h"' four.svg damaged.svg nothing.svg
grep -c '>no values<' four.svg damaged.svg nothing.svg
python3 data/../../cli/svg.py *.svg
reprise plot --what health,path data/z6_match_like_1.2.4.replay >a
reprise plot --what health,path data/z6_match_like_1.2.4.replay | cmp - a
# A small one, whole.
reprise plot --what health --players 2 --size 240x120 --theme light data/z6_match_like_1.2.4.replay
# Part of the time; nothing to draw; what it does not have; what it cannot be.
reprise plot --what speed --from 1 --to 2 data/z6_match_like_1.2.4.replay | grep -c 'class="l s'
reprise plot --what health -o empty.svg data/z5_empty.replay; echo $?
grep -c 'no values' empty.svg
reprise plot --what mood data/z6_edge.replay; echo $?
reprise plot --what path data/../openra/p21-2p.orarep; echo $?
reprise plot data/z6_edge.replay; echo $?
reprise plot --what health --size wide data/z6_edge.replay; echo $?
reprise plot --what health --size 10x10 data/z6_edge.replay; echo $?
reprise plot --what health --players 0 data/z6_edge.replay; echo $?
reprise plot --what health -o rumble.svg data/z6_edge.replay; echo $?
# A report instead of a picture on standard output.
reprise plot --json --what health,path -o report.svg data/z6_match_like_1.2.4.replay | tee report.json
validate plot <report.json
reprise plot --json -q --what mood -o none.svg data/z6_edge.replay | validate plot
reprise plot --json --what health data/z6_edge.replay >out.json; echo $?
validate plot <out.json
# What plots say in words: how long orders wait, what was ordered, how well jumps were strafed.
for of in openra/p21-2p.orarep remastered/ra-events-internet.bin cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay mcreplay/multipart_basic.replay; do
    reprise export -q "data/../$of" said.json -f
    python3 -c 'import json
for p in json.load(open("said.json"))["plots"]:
    if p["id"] in ("latency", "orders", "sync", "width", "checkpoints", "timer", "speed"):
        print(p["id"], p["kind"], p["summary"].replace("long name ", ""))'
done
# Markers by kind are lanes, in which each is visible; busy stretches are in the background.
reprise plot --what timeline data/../openra/p21-bots-medium.orarep | grep -o '>[a-z]*</text>'
reprise plot --what timeline data/../openra/p21-bots-medium.orarep | grep -c 'class="b'
reprise plot --what speed data/../cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay | grep -c 'class="n"'
# Stretches in which a run was paused are hatched, in another colour than what cannot be read.
reprise plot --what speed data/../cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay | grep -o '<path class="[hp]".*' | sed 's/ d="[^"]*"//'
