# Tables from a catalog fit the terminal: what is left out is named; games' colours and JSON stay out of them.
d=$(dirname "$(readlink -f data)")
on_terminal() { script -qec "stty cols $1; $2" /dev/null | tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g'; }
mkdir all
cp $d/cs2kz/019a9b07*.replay $d/cs2kz/a3-run.replay $d/cs2kz/b2-run.replay all
cp $d/rumble/z6_voices_extensions.replay $d/openra/p21-2p.orarep all
cp all/a3-run.replay all/again.replay
reprise index -q all >/dev/null
for width in 60 80 120; do
    for verb in records 'records --history' players duplicates query; do
        case $verb in query) more='"select * from file"' ;; *) more= ;; esac
        on_terminal $width "reprise $verb all $more" >shown
        test "$(LC_ALL=C.UTF-8 wc -L <shown)" -le $width || echo "$verb is wider than $width columns"
        echo "$width $verb: $(grep -c '^not shown' shown) not shown"
    done
done
on_terminal 80 "reprise records all" | sed -n '1,3p;$p'
on_terminal 120 "reprise players all" | grep -cE '<#|\["'
on_terminal 120 "reprise records all" | grep -o 'AutoBhop, LegacyJump'
