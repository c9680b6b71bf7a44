# A limit is any number of 64 bits. What does not fit, also after its suffix is applied, is refused: a value that
# wrapped around would be a small limit, or none.
f=data/z6_match_like_1.2.4.replay
for value in 18446744073709551615 16777215T 17179869183G 17592186044415M 18014398509481983K; do
    reprise info --limit memory_bytes=$value $f >/dev/null; echo "$value: exit $?"
done
for value in 18446744073709551616 99999999T 16777216T 17179869184G 17592186044416M 18014398509481984K \
    -1 +5M ' 5M' 5MM 5.5M 0x10 T ''; do
    reprise info --limit "memory_bytes=$value" $f >/dev/null 2>err.txt; echo "'$value': exit $?, $(grep -c "memory_bytes=$value'" err.txt) message"
done
# The last value that is too small, and the first that is not.
size=$(stat -L -c %s $f)
for value in $((size - 1)) $size; do
    reprise info --limit input_bytes=$value $f >/dev/null 2>&1; echo "input_bytes, $((value - size)): exit $?"
done
