# Sound files, notes, faults; the highest code of several.
try() { reprise verify "$@"; echo "exit $?"; }
try data/z6_park_like_1.2.0.replay
try data/z6_edge.replay
try data/bad/rgzp_flag.replay
try data/z6_edge.replay data/bad/zip_fewer_frames.replay data/bad/empty_file.replay
try -q data/bad/zip_cut.replay
try --limit decoded_bytes=100 data/z6_edge.replay
try nosuch
