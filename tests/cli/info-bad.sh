# A damaged file is named by its damage; --json has a document for any input at all.
for file in data/bad/*.replay /dev/null nosuch data; do
    reprise info --json -q "$file" >out.json
    code=$?
    validate info <out.json
    test $code -eq 0 && echo "0: $file" && continue
    reprise info "$file" >/dev/null
    echo "$code: $?: $file"
done
head -c 1000000 /dev/urandom >noise
reprise info --json -q noise | validate info
reprise info noise 2>/dev/null
