# A directory means every replay below it; other files are counted.
mkdir dir dir/sub empty
cp data/z6_edge.replay dir/b.replay
cp data/z5_empty.replay dir/a.replay
cp data/z5_empty.replay dir/.hidden.replay
cp data/z5_empty.replay dir/sub/c.replay
echo text >dir/notes.txt
reprise info dir; echo "exit $?"
reprise info dir/ data/z6_edge.replay; echo "exit $?"
reprise info --json dir -q | validate info
reprise info empty; echo "exit $?"
reprise info --json empty
