# The examples of the help are real: each is run, without the programs after the pipe.
export HOME=$PWD
mkdir -p replays archive .config/fish/completions
cp data/z6_match_like_1.2.4.replay match.replay
cp data/../ironcurtain/basic.icrep match.icrep
cp data/z6_edge.replay replays
cp data/z6_park_like_1.2.0.replay archive
cp data/../cs2kz/a3-run.replay record.replay
cp data/../cs2kz/019a9b07-044d-785c-9077-bed61db82000.replay run.replay
mkdir openra
cp data/../openra/p21-bots-medium.orarep openra
cp data/../openra/zip-p21.orarep match.orarep
for verb in info tracks cat at stats verify import formats schema completion; do
    reprise $verb --help | sed '1,/^Examples/d' | grep '^  [^ ]' | sed 's/ | jq .*//' |
        while read -r example; do
            bash -c "$example" >out.txt 2>err.txt || { echo "exit $?: $example"; cat err.txt; }
            echo "$example"
        done
done
wc -l <health.csv
