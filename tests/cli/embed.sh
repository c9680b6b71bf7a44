# Replays get or lose their map and rules; nothing else in them changes.
ic=data/../ironcurtain
embedding() { reprise info --json "$1" | grep -o '"embedding":{"mode":"[A-Za-z]*","bytes":[0-9]*'; }
reprise convert --embed minimal "$ic/self-contained.icrep" bare.icrep; echo "exit $?"
embedding bare.icrep
reprise verify bare.icrep
reprise diff "$ic/self-contained.icrep" bare.icrep
reprise convert --embed map --json "$ic/self-contained.icrep" map.icrep | validate change
embedding map.icrep
reprise convert --embed map bare.icrep x.icrep; echo "exit $?"
reprise convert --embed everything bare.icrep x.icrep; echo "exit $?"
reprise convert --embed map --to final bare.icrep x.icrep; echo "exit $?"
reprise convert --embed-map x bare.icrep x.icrep; echo "exit $?"
reprise convert --embed map --embed-map /dev/null bare.icrep x.icrep; echo "exit $?"
reprise convert --embed minimal data/../rumble/z4p_edge.replay x.replay; echo "exit $?"
# A match of the built-in game brings its map along; it has no rules.
reprise record -q --demo skirmish --ticks 30 --embed map match.icrep; echo "exit $?"
embedding match.icrep
reprise verify --simulate match.icrep
reprise record --demo skirmish --ticks 30 --embed self-contained x.icrep; echo "exit $?"
printf 'skirmish demonstration map' >demo.map
reprise convert -q --embed minimal match.icrep none.icrep
reprise convert --embed map --embed-map demo.map none.icrep again.icrep; echo "exit $?"
cmp match.icrep again.icrep
# Rules that are installed: those of the replay's mods, and no others.
reprise extract -q --allow-embedded --only rules "$ic/self-contained.icrep" own
mkdir own/rules/other && echo 'Other:' >own/rules/other/x.yaml
reprise convert --embed self-contained --installed own/rules map.icrep whole.icrep; echo "exit $?"
embedding whole.icrep
reprise diff "$ic/self-contained.icrep" whole.icrep
echo '# changed' >>own/rules/base-ra1/rules/infantry.yaml
reprise convert --embed self-contained --installed own/rules map.icrep x.icrep; echo "exit $?"
rm -r own/rules/mod-*
reprise convert --embed self-contained --installed own/rules map.icrep x.icrep; echo "exit $?"
