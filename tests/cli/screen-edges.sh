# What screens do at their edges: more people than fit, files without readable rows, narrow and wide terminals.
d=$(dirname "$(readlink -f data)")
on_terminal() { script -qec "stty cols $1; $2" /dev/null | tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g'; }
longest() { awk '{ n = length($0); if (n > most) most = n } END { print most }'; }
reprise info $d/openra/p20-server-4p-disconnect.orarep $d/openra/p21-2p.orarep | grep -oE 'Alice \(.*\)( \+[0-9]+)?'
cut=$d/cs2kz/bad/a-cut-in-ticks.replay
reprise diff $cut $cut 2>/dev/null; echo "exit $?"
reprise diff -q $cut $cut 2>/dev/null; echo "exit $?"
for width in 60 99 100 101 200; do
    echo "help of $width columns: $(on_terminal $width "reprise cat --help" | sed '/^Examples/,$d' | longest)"
done
