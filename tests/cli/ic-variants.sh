# Iron Curtain files of other writers are read, those of engines to come are not called damaged.
all=$(dirname "$(realpath data)")
ln -s "$all/ironcurtain/variants" variants
python3 "$all/../common/ic_variants.py" made && diff -r made variants/ && echo reproducible
for f in variants/*.ic* variants/bad/*.ic*; do
    reprise verify "$f"
    echo "exit $?"
done
reprise verify --simulate variants/bad/changed-order.icrep
echo "exit $?"
# Playing names the part of a desync as well.
reprise play --headless variants/bad/changed-order.icrep
echo "exit $?"
reprise play --headless --json variants/bad/changed-order.icrep >played.jsonl
validate --lines play <played.jsonl
grep -e desync_parts -e status played.jsonl
for f in future-rest.icsave future-orders.icrep future-events.icrep; do
    for verb in convert anonymize recover recompress; do
        reprise $verb "variants/bad/$f" out.bin 2>&1
        echo "$verb: exit $?"
    done
    reprise info "variants/bad/$f" >/dev/null
    echo "info: exit $?"
done
for f in future-voice.icrep future-resources.icrep damaged-event.icrep; do
    reprise recover "variants/bad/$f" "whole-$f" 2>&1
    echo "recover: exit $?"
done
reprise cat --track signatures variants/bad/future-orders.icrep | wc -l
reprise extract variants/bad/future-rest.icsave out
echo "extract: exit $?"
