# What was typed wrongly is said in a line, with what was meant if that can be told.
try() { reprise "$@"; echo "exit $?: reprise $*"; }
try inof data/z6_edge.replay
try frobnicate
try data/z6_edge.replay
try info
try info --jsn data/z6_edge.replay
try info --frobnicate data/z6_edge.replay
try info -z data/z6_edge.replay
try info --json=yes data/z6_edge.replay
try info --format
try info --color sometimes data/z6_edge.replay
try info --format nosuch data/z6_edge.replay
try info --layout nosuch data/z6_edge.replay
try formats rumble
try schema
try schema rumbel
try completion
try completion tcsh
try at data/z6_edge.replay
try at --time soon data/z6_edge.replay
try at --frame 1.5 data/z6_edge.replay
try at --time 1 --frame 1 data/z6_edge.replay
