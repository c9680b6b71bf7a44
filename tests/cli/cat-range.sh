# From and to, by time and by frame, both inclusive.
f=data/z6_match_like_1.2.4.replay
frames() { reprise cat -t frames -c frame,time --no-status "$@" $f | sed -n '1p;$p'; }
frames --from 1.5 --to 0:02
frames --from '#10' --to '#12'
frames --from-frame 168
frames --to-frame 0
frames --from 0:0:3.3 --to-frame 167
frames --from 1 --to 0.5
frames --from -5 --to 0
reprise cat -t frames --from soon $f
reprise cat -t frames --to-frame '#1' $f
