# The run itself: cut out with a lead, and moments by its timer.
cp data/../cs2kz/a3-run.replay run.replay
reprise trim --run --lead-in 0.5 --lead-out 0:00.25 run.replay cut.replay
reprise info run.replay cut.replay --json | python3 -c 'import json, sys
print(*[file["ticks"] for file in json.load(sys.stdin)])'
reprise at --run-time 0.5 cut.replay --json | validate at
reprise at --run-time 0.5 cut.replay | head -3
reprise at --run-time 3 cut.replay
reprise trim --run data/z6_match_like_1.2.4.replay no.replay
reprise trim --run --from 3 run.replay no.replay
reprise trim --lead-in 3 run.replay no.replay
reprise at --run-time 3 --tick 3 run.replay
ls
