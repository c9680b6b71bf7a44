# What two different recordings are: runs of one course, compared place by place, or unrelated.
kz=data/../cs2kz
reprise diff --summary $kz/a3-run.replay $kz/019a9b07-044d-785c-9077-bed61db82000.replay | head -7
reprise diff --summary data/z6_match_like_1.2.4.replay data/z6_park_like_1.2.0.replay | head -1
reprise diff --summary $kz/a1-run.replay $kz/b5-edge.replay | head -1
# Nearly the same file is not unrelated.
reprise trim -q --to 3 data/z6_match_like_1.2.4.replay short.replay
reprise diff --summary data/z6_match_like_1.2.4.replay short.replay | head -1
# In every family: recordings that have nothing to do with each other, and where they differ first.
for pair in rumble/z6_match_like_1.2.4.replay,rumble/z6_edge.replay mcreplay/multipart_basic.replay,mcreplay/armature_basic.replay \
    mccamera/pan.xml,mccamera/turn.xml openra/p21-2p.orarep,openra/p20-desync.orarep \
    remastered/ra-full-skirmish.bin,remastered/td-full-campaign.bin remastered/ra-full-skirmish.bin,remastered/ra-full-campaign.bin \
    ironcurtain/full.icrep,ironcurtain/basic.icrep; do
    reprise diff --summary data/../${pair%,*} data/../${pair#*,} | head -2
done
reprise anonymize -q data/z6_match_like_1.2.4.replay public.replay 2>/dev/null
reprise anonymize -q data/../openra/p21-2p.orarep public.orarep 2>/dev/null
reprise record -q --demo skirmish --seed 7 --ticks 60 seven.icrep
reprise record -q --demo skirmish --seed 8 --ticks 60 eight.icrep
reprise diff --summary data/z6_match_like_1.2.4.replay public.replay | head -2
reprise diff --summary data/../openra/p21-2p.orarep public.orarep | head -3
reprise diff --summary seven.icrep eight.icrep | head -2
reprise diff --json seven.icrep eight.icrep | validate diff
