# On a terminal, rows are a table as wide as the terminal; columns that do not fit are named.
f=data/z6_match_like_1.2.4.replay
on_terminal() { script -qec "stty cols $1; $2" /dev/null | tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g'; }
on_terminal 80 "reprise cat -t markers $f"
on_terminal 80 "reprise cat -t players --to 0 $f" >wide
awk 'length > 80' wide
head -3 wide
grep -o '^not shown [^:]*: [a-z_]*, [a-z_]*,' wide
on_terminal 80 "reprise cat -t frames --to 0 --json $f"
on_terminal 80 "reprise cat -t frames --to 0 --format-out csv $f"
# Names before numbers, the fullest columns first, dates as dates, records without quotation marks, units in a last line.
d=$(dirname "$(readlink -f data)")
on_terminal 80 "reprise cat -t entities --to 0 $d/ironcurtain/full.icrep" | sed -n '1,3p;/^units/p'
on_terminal 80 "reprise cat -t events $d/ironcurtain/full.icrep" | tail -1
on_terminal 100 "reprise cat -t ticks $d/cs2kz/a3-run.replay" | sed -n '1,2p'
on_terminal 100 "reprise cat -t orders $d/openra/p21-2p.orarep" | sed -n '1,3p'
on_terminal 80 "reprise cat $d/mccamera/pan.xml" | tail -1
