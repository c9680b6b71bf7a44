# Tables for other programs: by suffix, by --format-out, and a directory of them. They appear whole
# or not at all, and replace nothing unasked. tests/tables reads what is inside.
f=data/z6_edge.replay
try() { reprise "$@"; echo "exit $?"; }
ends() { head -c 6 $1 | tr -c '[:print:]' .; echo -n ' '; tail -c 6 $1 | tr -c '[:print:]' .; echo; }
try export -t frames $f frames.parquet
ends frames.parquet
try export -t frames $f frames.arrow
ends frames.arrow
try export -t frames $f frames.arrows
ends frames.arrows
try export -t frames $f frames.parquet
try export -t frames $f frames.parquet --force -q
reprise cat -t frames --format-out parquet $f | cmp - frames.parquet && echo same Parquet
reprise cat -t frames --format-out arrow $f | cmp - frames.arrows && echo same stream
try cat -t frames -q -o again.arrow $f
cmp again.arrow frames.arrow && echo same file
try cat -t frames -c frame --to '#2' --format-out table data/l1_published_spec.replay
try export $f tables/
ls tables
mkdir two && cp $f two/
try export $f two all/
find all -type f | sort
echo damaged input:
try export -t frames data/bad/zip_fewer_frames.replay damaged.parquet
try export -t frames data/bad/zip_cut.replay refused.parquet
try export data/bad/zip_cut.replay refused/
echo misuse:
try export -t frames,players $f two.parquet
try export $f $f two.parquet
try export -t nosuch $f nosuch.parquet
try export -t nosuch $f nosuch/
try cat -t frames -w 'frame = 1' --format-out parquet $f
try cat -t frames --json --format-out arrow $f
try export -t frames $f nosuch/x/frames.parquet
try export -t frames $f frames.pdf
ls
