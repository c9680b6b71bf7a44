# Columns are chosen and ordered; a name that no track has is a mistake.
f=data/z6_edge.replay
try() { reprise "$@"; echo "exit $?"; }
try cat -t frames -c time,frame,size --to-frame 1 $f
try cat -t frames -c nosuch $f
try cat -t frames,files -c frame,name --to-frame 0 $f
