# Replays of other games play without being converted, gaps are told, and doubts are not desyncs.
all=data/..
reprise play --headless "$all/openra/p21-2p.orarep"; echo "exit $?"
reprise play --headless "$all/openra/p20-desync.orarep"; echo "exit $?"
reprise play --headless --json "$all/openra/p20-desync.orarep" | grep divergence
reprise play --headless "$all/remastered/td-full-campaign.bin"; echo "exit $?"
reprise play --headless "$all/ironcurtain/lost-frames.icrep"; echo "exit $?"
reprise play --headless --json "$all/ironcurtain/lost-frames.icrep" | validate --lines play
reprise play --headless --json "$all/ironcurtain/lost-frames.icrep" | grep gap
reprise play --headless --strict "$all/ironcurtain/lost-frames.icrep"; echo "exit $?"
reprise play --headless "$all/ironcurtain/imported-lossless.icrep"; echo "exit $?"
# A jump past the divergence still shows where it began.
reprise play --screen --from 140 --height 14 "$all/openra/p20-desync.orarep" | tail -n 1
