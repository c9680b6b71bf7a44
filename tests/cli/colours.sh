# Colours on a terminal only, not with NO_COLOR, and always if asked for.
f=data/z6_edge.replay
count() { grep -c $'\033'; }
reprise info $f | count
reprise info --color always $f | grep -e '^[^ ]' -e length -e note | cat -v
script -qec "reprise info $f" /dev/null | count
NO_COLOR=1 script -qec "reprise info $f" /dev/null | count
NO_COLOR= script -qec "reprise info --color never $f" /dev/null | count
TERM=dumb script -qec "reprise info $f" /dev/null | count
reprise info --color always data/bad/zip_cut.replay 2>&1 | cat -v
