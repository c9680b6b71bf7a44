# Everything about one file: people, map, parts, private data.
reprise info data/z6_match_like_1.2.4.replay
