# On a terminal, rows are a table as wide as the terminal; columns that do not fit are named.
f=data/z6_match_like_1.2.4.replay
on_terminal() { script -qec "stty cols $1; $2" /dev/null | tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g'; }
on_terminal 80 "reprise cat -t markers $f"
on_terminal 80 "reprise cat -t players --to 0 $f" >wide
awk 'length > 80' wide
head -3 wide
grep -c '^not shown' wide
on_terminal 80 "reprise cat -t frames --to 0 --json $f"
on_terminal 80 "reprise cat -t frames --to 0 --format-out csv $f"
