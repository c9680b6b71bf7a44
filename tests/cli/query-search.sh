# Words are searched in all texts of a replay: names, map and chat, each on its own.
d=$(dirname "$(readlink -f data)")
mkdir replays
cp $d/openra/p21-2p.orarep replays/two.orarep
cp $d/ironcurtain/full.icrep replays/three.icrep
cp data/z6_match_like_1.2.4.replay replays/one.replay
reprise index -q replays >/dev/null
search() { echo "$1: $(reprise query replays --search "$1" --columns file --format-out csv | tail -n +2 | paste -s -d' ')"; }
search 'alice AND hf'
search 'alice hf'
search 'alice NOT hf'
search '"gl hf"'
search 'ali* AND tournament'
search 'ragna OR hf'
search '(ragna OR alice) AND ring'
search 'NOT'
