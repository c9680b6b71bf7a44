# Output files appear whole or not at all, and replace nothing unasked.
f=data/z6_edge.replay
try() { reprise "$@"; echo "exit $?"; }
try cat -t frames -o rows.jsonl $f
tail -1 rows.jsonl
echo precious >rows.csv
try cat -t frames -o rows.csv $f
cat rows.csv
try cat -t frames -o rows.csv --force -q $f
head -1 rows.csv
try cat -t frames -o damaged.jsonl data/bad/zip_fewer_frames.replay
tail -1 damaged.jsonl | cut -c1-30
try cat -t frames -o refused.jsonl data/bad/zip_cut.replay
try cat -t frames -o nosuch/rows.csv $f
try cat -t frames -o . $f
try cat -t frames -o /dev/null $f
test -c /dev/null && echo still a device
umask 027
try cat -t frames -o private.csv -q $f
stat -c %a private.csv
ls
