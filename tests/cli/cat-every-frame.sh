# Dense rows: one for each object and frame.
f=data/z6_match_like_1.2.4.replay
count() { reprise cat --no-status "$@" $f | wc -l; }
count -t frames
count -t players
count -t players --every-frame
count -t structures --every-frame
count -t events --every-frame
reprise cat -t pedestals -c frame,pedestal,pos_y --every-frame --to-frame 1 --stored --no-status $f
