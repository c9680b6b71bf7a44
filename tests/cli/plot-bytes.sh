# One picture per family, every byte of it: the same input is drawn the same everywhere.
draw() { echo "$1"; reprise plot --what "$2" --size 320x140 --theme light "data/../$1" | grep -v '^<style>'; }
draw rumble/z6_match_like_1.2.4.replay health,moves
draw cs2kz/a1-run.replay speed,keys
draw mcreplay/multipart_basic.replay entities,speed,path
draw ironcurtain/lost-frames.icrep economy,timeline
draw openra/p20-server-4p-disconnect.orarep apm,orders
draw remastered/ra-events-internet.bin apm,latency
# What is the same in all of them.
reprise plot --what health data/z6_edge.replay | grep '^<style>'
