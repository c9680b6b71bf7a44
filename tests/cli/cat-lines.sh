# JSON lines, with a status at the end.
f=data/z6_edge.replay
reprise cat --track events $f
reprise cat --track markers --no-status $f
reprise cat --track frames --stored --from-frame 3 $f
