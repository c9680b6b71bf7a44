# The same condition has one wording and one exit code in every verb, and names the file it is about.
cp data/z6_match_like_1.2.4.replay m.replay
reprise sign -q --new-key key >/dev/null
reprise record -q --demo skirmish --ticks 100 --key key s.icrep
echo hello >text
touch old.replay old.glb old.html old.csv old.sqlite old.parquet old.svg

# WORDS after the name of the file, and how many verbs say exactly that
said() {
    while read -r line; do
        reprise $line >out 2>words </dev/null
        echo "$? $(grep -o ': .*' words | head -1)"
    done | sort | uniq -c | sed 's/^ *//'
}
echo 'a replay that does not exist'
for verb in info tracks stats verify 'cat -t frames' 'at --time 1' 'plot --what speed' 'diff m.replay' 'play --headless' view index \
    records players duplicates 'query --of cs2kz'; do echo "$verb gone"; done >lines
for verb in 'trim --from 1' convert anonymize recompress recover strip-voice import extract 'export --site' \
    'sign --key key' 'prove --tick 1 --part players'; do echo "$verb gone new"; done >>lines
echo 'export gone new.glb' >>lines
echo 'merge m.replay gone -o new' >>lines
said <lines
echo 'a file that is no replay'
sed -E '/^(index|records|players|duplicates|query|export --site)/d; s/gone/text/' lines >others
said <others
echo 'an output that exists'
cat >outputs <<'EOF'
trim --from 1 m.replay old.replay
convert m.replay old.replay
anonymize m.replay old.replay
recompress m.replay old.replay
recover m.replay old.replay
strip-voice m.replay old.replay
merge m.replay m.replay -o old.replay
export m.replay old.glb
export m.replay old.html
export m.replay old.sqlite
export --track players m.replay old.csv
export --track players m.replay old.parquet
plot --what speed -o old.svg m.replay
cat -t frames -o old.csv m.replay
record --demo skirmish old.replay
sign --key key s.icrep old.replay
prove --tick 30 --part players s.icrep old.replay
anonymize --substitutions old.csv m.replay new.replay
EOF
said <outputs
echo 'an output in a directory that does not exist'
sed 's# old\.# nowhere/new.#' outputs >missing
said <missing
