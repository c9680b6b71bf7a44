# A file read from a pipe and from disk gives the same rows, and naming its format changes nothing.
for file in data/*.replay; do
    reprise cat -t all --every-frame --stored "$file" >file.jsonl
    cat "$file" | reprise cat -t all --every-frame --stored - | cmp - file.jsonl
    layout=$(reprise info --json "$file" | python3 -c 'import json, sys
print(json.load(sys.stdin)["layout"])')
    reprise cat -t all --every-frame --stored --format rumble --layout $layout "$file" |
        cmp - file.jsonl
done
