# What every verb prints with --json is what docs/json says, for sound and for damaged files.
mkdir info tracks stats verify at cat frames
for file in data/*.replay data/bad/*.replay nosuch; do
    name=${file//\//_}
    for verb in info tracks stats verify 'at --frame 0'; do
        reprise $verb --json -q "$file" >${verb%% *}/$name
    done
    reprise cat --track all --stored -q "$file" >cat/$name
    reprise cat --track all --json --every-frame -q "$file" >frames/$name
done
for verb in info tracks stats verify 'at --time 0'; do
    reprise $verb --json -q data/*.replay data/bad/*.replay >${verb%% *}/together
    validate ${verb%% *} ${verb%% *}/*
done
validate --lines cat cat/* frames/*
reprise formats --json | validate formats
reprise schema --json rumble | validate schema
reprise schema --json nosuch 2>/dev/null | validate error
reprise completion --json | validate completion
reprise verify --progress json data/z6_edge.replay 2>&1 >/dev/null | validate --lines progress
