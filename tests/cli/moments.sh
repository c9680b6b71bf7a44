# Markers name moments wherever times do; a range that ends before it starts is refused everywhere, and so
# is a value that a column does not have.
f=data/z6_match_like_1.2.4.replay
reprise at --time core.manual --json $f | grep -o '"frame":[0-9]*' | head -1
reprise cat -t events --from core.manual --to core.largeDamage --columns frame $f
reprise plot --what health --from core.manual --to core.matchEnded -o a.svg $f
reprise export --from core.manual -q $f a.glb
ls a.svg a.glb
for verb in "export -f" "plot --what health -f -o" "trim -f"; do
    case $verb in export*) files="$f b.glb" ;; trim*) files="$f b.replay" ;; *) files="b.svg $f" ;; esac
    reprise $verb $files --from 2 --to 1
    echo "exit $?"
    reprise $verb $files --from nosuch
    echo "exit $?"
done
# No address is shown of a page that cannot be made.
reprise view --no-open --wait 1 --from 2 --to 1 $f
echo "exit $?"
reprise cat -t players --where 'stack = Nonsense' --no-status $f
echo "exit $?"
reprise cat -t players --where 'stack = Uppercut' --columns frame,stack --no-status $f
# A range in which nothing was recorded is said to be that, with what was.
reprise trim --from 100 --to 200 $f none.replay
echo "exit $?"
