# A hint that names a limit names one that --limit takes, in every family and for every limit; what
# a format itself does not allow has no such hint.
all=$(dirname "$(realpath data)")
for limit in none input_bytes decoded_bytes expansion_ratio memory_bytes zip_entries string_bytes \
    record_bytes text_bytes material_bytes items depth; do
    case $limit in
    none) set -- ;;
    memory_bytes) set -- --limit memory_bytes=64K ;;
    *) set -- --limit $limit=2 ;;
    esac
    reprise verify --json "$@" "$all"/*/bad data/tiny 2>/dev/null >verdicts.json
    grep -o '"hint":"[^"]*limit[^"]*"' verdicts.json | sort -u | sed "s/^/$limit /"
done >hints.txt
cat hints.txt
# Taken at its word, each of them is an option.
sed 's/.*--limit \([^=]*\)=VALUE.*/\1/' hints.txt | sort -u | while read -r name; do
    reprise info --limit "$name=1T" data/tiny/z6_tiny.replay >/dev/null && echo "$name is taken"
done
for f in bomb-header.icsave ratio.icsave meta-cap.icsave embed-big-map.icrep; do
    reprise verify --json "$all/ironcurtain/bad/$f" 2>/dev/null | grep -c -- --limit
done
exit 0
