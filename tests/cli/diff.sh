# What differs: tolerances, rotations up to their sign, the summary, exit codes.
run() { echo "\$ reprise $*"; reprise "$@" 2>&1; echo "exit $?"; }
reprise convert -q --to l1 --lossy data/tiny/z6_tiny.replay l1.replay 2>/dev/null
reprise convert -q l1.replay z6.replay
run diff data/tiny/z6_tiny.replay data/tiny/z6_tiny.replay
run diff --summary l1.replay z6.replay
run diff --rotation-tolerance 4e-5 --summary l1.replay z6.replay
reprise trim -q --keep-times --from 0.01 data/tiny/z6_tiny.replay later.replay
run diff --summary data/tiny/z6_tiny.replay later.replay
reprise trim -q --from 0.01 data/tiny/z6_tiny.replay moved.replay
run diff --summary later.replay moved.replay
run diff --tolerance 1 --summary later.replay moved.replay
run diff --tolerance minus data/tiny/z6_tiny.replay later.replay
run diff data/tiny/z6_tiny.replay nosuch.replay
