# A damaged file is named by its damage; --json has a document for any input at all.
mkdir answers
for file in data/bad/*.replay /dev/null nosuch data; do
    reprise info --json -q "$file" >answers/${file//\//_}
    code=$?
    test $code -eq 0 && echo "0: $file" && continue
    reprise info "$file" >/dev/null
    echo "$code: $?: $file"
done
head -c 1000000 /dev/urandom >noise
reprise info --json -q noise >answers/noise
validate info answers/*
reprise info noise 2>/dev/null
