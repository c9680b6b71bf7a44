# What two different recordings are: runs of one course, compared place by place, or unrelated.
kz=data/../cs2kz
reprise diff --summary $kz/a3-run.replay $kz/019a9b07-044d-785c-9077-bed61db82000.replay | head -6
reprise diff --summary data/z6_match_like_1.2.4.replay data/z6_park_like_1.2.0.replay | head -1
reprise diff --summary $kz/a1-run.replay $kz/b5-edge.replay | head -1
# Nearly the same file is not unrelated.
reprise trim -q --to 3 data/z6_match_like_1.2.4.replay short.replay
reprise diff --summary data/z6_match_like_1.2.4.replay short.replay | head -1
