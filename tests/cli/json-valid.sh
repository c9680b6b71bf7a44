# What every verb prints with --json is what docs/json says, for sound and for damaged files.
for file in data/*.replay data/bad/*.replay nosuch; do
    for verb in info tracks stats verify 'at --frame 0'; do
        reprise $verb --json -q "$file" >out.json
        validate ${verb%% *} <out.json || echo "$verb $file"
    done
    reprise cat --track all --stored -q "$file" | validate --lines cat || echo "cat $file"
    reprise cat --track all --json --every-frame -q "$file" | validate --lines cat
done
for verb in info tracks stats verify 'at --time 0'; do
    reprise $verb --json -q data/*.replay data/bad/*.replay >out.json
    validate ${verb%% *} <out.json || echo "$verb"
done
reprise formats --json | validate formats
reprise schema --json rumble | validate schema
reprise schema --json nosuch 2>/dev/null | validate error
reprise completion --json | validate completion
reprise verify --progress json data/z6_edge.replay 2>&1 >/dev/null | validate --lines progress
