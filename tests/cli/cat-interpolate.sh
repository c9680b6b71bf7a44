# What a frame leaves out is held, or interpolated between its neighbours.
file=data/../mcreplay/omission_rules.replay
for how in step linear; do
    reprise cat --track frames --every-frame --interpolate $how --columns entity,frame,pos_x,pos_y \
        --where 'entity == 0' --no-status $file
done
reprise cat -t players --every-frame --interpolate linear data/z5_empty.replay || echo "exit $?"
