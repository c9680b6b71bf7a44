# Numbers for fighters and coaches; long lists are cut unless all is wanted.
reprise stats data/z6_match_like_1.2.4.replay
reprise stats data/z6_edge.replay data/z5_empty.replay | grep '^[^ ]'
