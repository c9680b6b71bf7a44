# Parts of what is private: what publication needs, single kinds, and what a refusal says.
run() { echo "\$ reprise $*"; reprise "$@" 2>&1; echo "exit $?"; }
ora=data/../openra/p21-2p.orarep
run anonymize --share $ora share.orarep
reprise cat -t chat --columns channel,text,player --format-out csv share.orarep
run anonymize --share --drop-chat $ora quiet.orarep
run anonymize --only ids $ora ids.orarep
reprise cat -t chat --columns channel,text,player --format-out csv ids.orarep
run anonymize --only addresses,times $ora where.orarep
run anonymize --only moods $ora no.orarep
# Voices are named after accounts.
run anonymize --share data/z6_voices_extensions.replay share.replay
reprise cat -t voices --columns master_id,file_name,size --format-out csv share.replay
# A layout that is only read: the one that is written may have no place for everything.
run anonymize --share data/z3_full_rotations.replay z3.replay
run anonymize --share --lossy data/z3_full_rotations.replay z3.replay
run trim --to 0.1 data/z3_full_rotations.replay cut.replay
run trim --to 0.1 --lossy data/z3_full_rotations.replay cut.replay
# Saves are read only.
run anonymize --share data/../ironcurtain/players-tick-600.icproof no.icproof
# Without the table there is no result, and what was there stays.
run anonymize --substitutions /dev/full $ora no.orarep
echo before >old.orarep
run anonymize --force --substitutions /dev/full $ora old.orarep
cat old.orarep
reprise anonymize --substitutions /dev/full $ora - 2>&1 >out.orarep | tail -1
run anonymize --force --substitutions who.json $ora old.orarep
reprise verify -q old.orarep; echo "exit $?"
python3 -c 'import json; print(json.load(open("who.json"))[0]["what"])'
ls
