# Which tracks: one is needed, several say which they are, unknown ones are listed.
f=data/z6_edge.replay
try() { reprise "$@"; echo "exit $?"; }
try cat $f
try cat --track nosuch $f
try cat --track markers,files --columns name $f
try cat -t props -t voices $f
try cat --track frames,players --format-out csv $f
try cat --track frames --json --format-out csv $f
try cat --track frames --stored --format-out csv $f
reprise cat --track all --no-status $f | cut -d, -f1 | uniq -c
