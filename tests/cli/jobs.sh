# The number of threads changes nothing but the time, and must be one or more.
reprise info --json --jobs 1 data/z6_edge.replay data/z6_match_like_1.2.4.replay > one.json
reprise info --json -j 3 data/z6_edge.replay data/z6_match_like_1.2.4.replay > three.json
cmp one.json three.json && echo same
reprise cat --jobs 2 --track players data/z6_edge.replay > two.jsonl
taskset -c 0 reprise cat --track players data/z6_edge.replay | cmp - two.jsonl && echo same
reprise info --jobs 0 data/z6_edge.replay
