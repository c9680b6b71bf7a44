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
# Times in conditions are written as they are shown.
kz=data/../cs2kz
reprise info --where 'time > 0:01 and time < 0:02.5' --columns layout,time $kz/a1-run.replay $kz/a3-run.replay
reprise info --where 'time > 0:00:01' --columns layout,time $kz/a1-run.replay $kz/a3-run.replay
reprise info --where 'time > 0:' --columns layout,time $kz/a1-run.replay
echo "exit $?"
# Columns of several formats are offered once.
reprise info --columns nosuch data/tiny $kz/a1-run.replay 2>&1 | grep -o 'the columns are .*' | tr ' ' '\n' >offered
grep -cxE 'outcome|course|signed' offered
sort offered | uniq -d
# The exit code of the last command is that of the script.
reprise info --json empty
