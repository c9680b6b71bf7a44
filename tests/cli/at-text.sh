# The whole state at a moment.
reprise at --time 1.5 data/z6_match_like_1.2.4.replay
reprise at --frame 2 data/z6_edge.replay
