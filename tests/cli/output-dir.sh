# Many files into a directory: relative paths are kept, and one bad file does not stop the rest.
mkdir -p in/deep/er
cp data/z6_edge.replay in/a.replay
cp data/z6_match_like_1.2.4.replay in/deep/er/b.replay
cp data/bad/zip_cut.replay in/deep/cut.replay
echo hello >in/notes.txt
reprise recompress --output-dir out in; echo "exit $?"
find out -type f | sort
# What is done is skipped; what is not ours is refused.
reprise recompress --output-dir out in/a.replay in/deep in/deep/er/b.replay; echo "exit $?"
reprise recompress --level fastest --output-dir out in; echo "exit $?"
reprise recompress --force --level fastest --output-dir out in/deep/er; echo "exit $?"
for verb in recompress anonymize 'convert --lossy' recover 'trim --from 0' strip-voice 'export --as glb'; do
    reprise $verb --json -q --output-dir "out-${verb%% *}" in | validate batch; echo "exit ${PIPESTATUS[0]}"
    reprise $verb --json -q --output-dir "out-${verb%% *}" in | validate batch
done
reprise recompress --json --output-dir none/such in | validate batch
reprise recompress --output-dir in in; echo "exit $?"
reprise recompress --output-dir empty --include nothing in; echo "exit $?"
