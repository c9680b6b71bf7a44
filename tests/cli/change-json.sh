# What these verbs print with --json is what docs/json says, also when they refuse.
check() { reprise "$@" --json -q >out.json 2>/dev/null; echo "$1: exit $?"; validate "$schema" <out.json; }
schema=change
check convert data/l2_chunked.replay z6.replay
check convert --to l1 data/z6_edge.replay l1.replay
check convert nosuch.replay x.replay
check trim --from 0.01 --to 0.05 data/tiny/z4_tiny.replay cut.replay
check anonymize data/tiny/z6_tiny.replay public.replay
grep -c substitutions out.json
head -c 1080 data/tiny/z6_tiny.replay >broken.replay
check recover broken.replay whole.replay
check recompress data/tiny/z6_tiny.replay small.replay
schema=merge
check merge data/tiny/z6_tiny.replay data/tiny/z6_tiny.replay --offset 0 -o both.replay
check merge data/tiny/z6_tiny.replay data/tiny/l1_tiny.replay -o mixed.replay
schema=diff
check diff data/tiny/z6_tiny.replay small.replay
check diff data/tiny/z6_tiny.replay public.replay
check diff data/tiny/z6_tiny.replay cut.replay
check diff data/tiny/z6_tiny.replay nosuch.replay
schema=info
check info --sizes data/tiny/z6_tiny.replay
