# Lines of JSON for programs, one at least for each file; nothing when quiet.
reprise verify --progress json data/z6_edge.replay data/z5_empty.replay 2>words >/dev/null
validate --lines progress <words
tail -1 words | grep -o '"files_done":2,"files_total":2'
reprise verify --progress json -q data/z6_edge.replay 2>&1 >/dev/null
reprise cat -t frames --progress json data/z6_edge.replay 2>&1 >/dev/null | tail -1
reprise verify --progress none data/z6_edge.replay 2>&1 >/dev/null
