# Did this moment happen? The nearest signatures answer, by at most one cadence of replaying.
ic=data/../ironcurtain
for tick in 600 630 617 7 0 3355 3356; do
    reprise verify --tick $tick "$ic/full.icrep"; echo "exit $?"
    reprise verify --tick $tick --json "$ic/full.icrep" | validate verify
done
reprise verify --tick 3357 "$ic/full.icrep"; echo "exit $?"
reprise verify --tick 305 --json "$ic/cadence-45.icrep"; echo "exit $?"
# What is unsigned, missing or cannot be simulated is not established.
reprise verify --tick 5 "$ic/basic.icrep"; echo "exit $?"
forge 'game_module="td"' "$ic/full.icrep" td.icrep
reprise verify --tick 600 td.icrep; echo "exit $?"
reprise verify --tick 617 td.icrep; echo "exit $?"
reprise verify --tick 31 "$ic/lost-frames.icrep"; echo "exit $?"
# A changed order refutes the moments that it led to, up to the next keyframe, and no others.
forge no-order "$ic/full.icrep" order.icrep
for tick in 2 3 29 30 630 617; do
    reprise verify --tick $tick order.icrep >words.txt; code=$?
    head -n 1 words.txt; echo "exit $code"
done
forge signature "$ic/full.icrep" bit.icrep
reprise verify --tick 20 bit.icrep; echo "exit $?"
reprise verify --tick 1000 bit.icrep | head -n 1
reprise verify --tick 5 --simulate "$ic/full.icrep"; echo "exit $?"
reprise verify --tick 5 data/z6_edge.replay; echo "exit $?"
