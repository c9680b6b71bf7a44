# Several files in full.
reprise info --long data/z5_empty.replay data/z6_edge.replay | grep -v -e '^    ' -e tracks
