# A reader that has seen enough is no reason for words; a disk that is full is.
f=data/z6_match_like_1.2.4.replay
reprise cat -t all --every-frame $f | head -1 | cut -c1-40
echo "${PIPESTATUS[0]}"
# The same when a parent ignores the signal, as some programs do.
(trap '' PIPE; reprise cat -t all --every-frame $f; echo "exit $?" >&2) | head -c 1 | wc -c
reprise formats >/dev/full; echo "exit $?"
reprise cat -t all $f >/dev/full; echo "exit $?"
reprise info data/*.replay >/dev/full; echo "exit $?"
reprise info --json data/*.replay -q >/dev/full; echo "exit $?"
reprise formats >&-; echo "exit $?"
# Tables too: a file that cannot be written is named, standard output is named once.
reprise cat -t players --format-out parquet $f >/dev/full; echo "exit $?"
(trap '' PIPE; reprise cat -t players --format-out arrow $f; echo "exit $?" >&2) | head -c 1 | wc -c
for name in players.parquet players.arrows tables/ all.sqlite; do
    (trap '' XFSZ; ulimit -f 8; reprise export $([[ $name = players* ]] && echo -t players) $f $name)
    echo "exit $? $(ls -d tables players* all*  2>/dev/null)"
done
