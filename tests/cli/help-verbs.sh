# Every verb has help with examples and each heading once, by both names; asking for it wins over later
# mistakes.
for verb in $(reprise help | sed -n "s/^  \([a-z][a-z-]*\)  .*/\1/p") man; do
    reprise $verb --help >help.txt || echo "failed: $verb"
    reprise help $verb | cmp - help.txt
    reprise $verb -h --nosuch | cmp - help.txt
    head -1 help.txt
    grep -x '[A-Z][A-Za-z ]*' help.txt | sort | uniq -d
    sed '1,/^Examples/d' help.txt | grep -q '^  [^ ]' || echo "no examples: $verb"
done
