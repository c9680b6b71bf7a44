# Files that end early are read as far as they go by all families, and that this is not all is said.
all=data/..
cp "$all/openra/bad/truncated-packet.orarep" cut.orarep
cp "$all/ironcurtain/live-torn.icrep" torn.icrep
head -c 20000 "$all/remastered/ra-full-skirmish.bin" >cut.bin
cp data/bad/zip_fewer_frames.replay cut.replay
for file in cut.orarep:orders torn.icrep:orders cut.bin:events cut.replay:frames; do
    name=${file%:*}
    reprise cat -t "${file#*:}" "$name" | tail -n 1; echo "cat: exit ${PIPESTATUS[0]}"
    reprise cat -t "${file#*:}" -c time "$name" -q | validate --lines cat
    reprise stats --json "$name" | validate stats; echo "stats: exit ${PIPESTATUS[0]}"
    reprise at --time 0.01 --json "$name" | validate at; echo "at: exit ${PIPESTATUS[0]}"
    reprise play --headless "$name"; echo "play: exit $?"
    reprise convert -f "$name" new; echo "convert: exit $?"
    reprise export -q -f "$name" new.json; echo "export: exit $?"
    grep -o '"complete": *[a-z]*\|The file is damaged: everything up to [0-9:.]*' new.json
done
# A table that the cut did not reach, or that has no rows, is no reason to refuse.
reprise cat -t disconnects -q cut.orarep; echo "exit $?"
# What is whole says nothing.
reprise cat -t orders "$all/openra/p21-2p.orarep" | tail -n 1; echo "exit ${PIPESTATUS[0]}"
reprise recover -q cut.orarep sound.orarep; reprise cat -t orders sound.orarep | tail -n 1; echo "exit ${PIPESTATUS[0]}"
# Who stops reading early has not seen the damage, who wants a part only does not miss the rest.
reprise export -q --to 1 torn.icrep part.json; echo "exit $?"
grep -o '"complete": *[a-z]*' part.json
reprise play --screen --from 5 torn.icrep >/dev/null; echo "exit $?"
