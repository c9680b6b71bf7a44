# Options that were renamed still work by their former name, with a note; help shows the new one only.
reprise anonymize --map who.json data/tiny/z6_tiny.replay public.replay 2>&1 | grep -e --map
test -s who.json && echo written
reprise anonymize -q --map=again.json data/tiny/z6_tiny.replay again.replay; echo "exit $?"
reprise convert --embed map --map nowhere data/../ironcurtain/basic.icrep x.icrep; echo "exit $?"
reprise export --map nowhere.glb data/z6_edge.replay x.html; echo "exit $?"
for verb in anonymize convert record view export; do
    reprise $verb --help | grep -e '--map '
done
reprise anonymize --help | grep -o -e '--substitutions FILE'
reprise convert --help | grep -o -e '--embed-map FILE'
reprise export --help | grep -o -e '--scenery FILE'
