# No words; the exit code tells.
for file in data/bad/zip_cut.replay nosuch data/bad/not_a_replay.replay; do
    reprise info -q $file; echo "exit $?"
    reprise cat -q -t frames --format-out csv $file; echo "exit $?"
done
reprise info -q --nope; echo "exit $?"
