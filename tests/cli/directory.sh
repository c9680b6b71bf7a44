# A directory means every replay below it; one without any is not a success.
mkdir -p archive/2025/may empty others/deep .hidden
cp data/z5_empty.replay archive/one.replay
cp data/z5_empty.replay archive/2025/may/two.replay
cp data/z5_empty.replay .hidden/three.replay
echo text >archive/2025/notes.txt
echo text >others/deep/notes.txt
ln -s .. archive/2025/round
for verb in verify info; do
    for directory in archive empty others; do
        reprise $verb $directory; echo "$verb $directory: exit $?"
    done
    reprise $verb archive empty >/dev/null; echo "$verb archive and empty: exit $?"
    reprise $verb --json empty | validate $verb; echo "$verb --json: exit ${PIPESTATUS[0]}"
done
# For scripts: sound, warned, damaged, nothing there.
cp data/bad/zip_fewer_frames.replay empty/cut.replay
cp data/../openra/bad/truncated-packet.orarep others/warned.orarep
for directory in archive others empty .hidden/none; do
    reprise verify --quiet $directory >/dev/null || echo "look closer: $directory ($?)"
done
