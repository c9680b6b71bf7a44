# The verbs that write a new replay: what they say, what they refuse, their exit codes.
run() { echo "\$ reprise $*"; reprise "$@" 2>&1; echo "exit $?"; }
run convert data/l2_chunked.replay z6.replay
run convert data/l2_chunked.replay z6.replay
run convert --to l1 data/z6_edge.replay l1.replay
run convert --to l1 --lossy data/tiny/z6_tiny.replay l1.replay
run trim --from 0.01 --to 0.05 data/tiny/z4_tiny.replay cut.replay
run trim --from 90 data/tiny/z4_tiny.replay no.replay
run anonymize --substitutions who.json data/tiny/z6_tiny.replay public.replay
run anonymize --substitutions who.json data/tiny/z6_tiny.replay other.replay
head -c 1080 data/tiny/z6_tiny.replay >broken.replay
run recover broken.replay whole.replay
run recompress --level compact data/tiny/z6_tiny.replay small.replay
run merge data/tiny/z6_tiny.replay data/tiny/z6_tiny.replay --offset 0 -o both.replay
run merge data/tiny/z6_tiny.replay data/tiny/l1_tiny.replay -o mixed.replay
reprise convert data/tiny/z6_tiny.replay - 2>/dev/null | head -c 2
echo
reprise convert data/tiny/z6_tiny.replay - >/dev/full
echo "exit $?"
ls *.replay* *.json
