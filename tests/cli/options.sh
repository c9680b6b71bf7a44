# The forms that options can have.
f=data/z6_edge.replay
reprise cat --track=markers --columns=time -q $f
reprise cat -tmarkers -ctime -q -- $f
reprise cat -qt markers -c time $f
reprise cat $f -t markers -c name,time --columns r --where 'name = core.manual' --no-status
cp $f -- -odd.replay
reprise info -- -odd.replay | head -1
reprise info ./-odd.replay | head -1
