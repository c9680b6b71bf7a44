# With --json, usage errors are documents too, wherever the option is.
for words in 'inof --json' 'info --json --nope x' 'info --nope x --json' 'at --json x' \
    'cat --json --format-out csv x' 'info --limit x=1 --json x'; do
    reprise $words | tee doc.json
    validate error <doc.json
done
reprise info --json --nope -- x >doc.json 2>/dev/null; echo "exit $?"
reprise info --nope -- --json 2>/dev/null | wc -c
