# Orders are translated; what has no counterpart is left out and listed, or carried.
all=data/..
export SOURCE_DATE_EPOCH=1771156800
reprise import "$all/openra/p21-2p.orarep" match.icrep; echo "exit $?"
reprise import --lossless "$all/openra/p21-2p.orarep" whole.icrep; echo "exit $?"
reprise verify whole.icrep; echo "exit $?"
reprise import --json --lossless "$all/openra/p21-2p.orarep" again.icrep | validate import
cmp whole.icrep again.icrep
reprise info --json match.icrep | grep -o '"translation_warnings":[0-9]*'
# A folder: one bad file does not stop the rest, and what is done is skipped.
mkdir replays
cp "$all"/openra/p8-2p.orarep "$all"/remastered/td-full-campaign.bin replays
cp "$all/openra/bad/zip-corrupt.orarep" replays
reprise import --batch -o imported replays; echo "exit $?"
reprise import --batch -o imported replays; echo "exit $?"
reprise import --batch --json -o imported replays | validate batch
reprise verify -q imported >verdicts.txt; echo "exit $?"
reprise import --batch replays; echo "exit $?"
reprise import "$all/ironcurtain/basic.icrep" x.icrep; echo "exit $?"
# Damage is reported and does not stop the import.
reprise import --lossless "$all/openra/bad/truncated-packet.orarep" cut.icrep; echo "exit $?"
mkdir cut; cp "$all/openra/bad/truncated-packet.orarep" cut
reprise import --batch --lossless -o imported cut; echo "exit $?"
reprise import --json --force --lossless cut/truncated-packet.orarep cut.icrep | validate import
# And back: what was carried as it was, the rest made anew and named.
reprise convert --to openra whole.icrep back.orarep; echo "exit $?"
reprise verify back.orarep; echo "exit $?"
reprise convert --to openra "$all/ironcurtain/basic.icrep" x.orarep; echo "exit $?"
