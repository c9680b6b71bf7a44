# A match is recorded, killed, recovered, played and verified by playing it again.
export SOURCE_DATE_EPOCH=1771156800
reprise record --demo skirmish --seed 7 --ticks 330 -q match.icrep; echo "exit $?"
reprise record --demo skirmish --seed 7 --ticks 330 -q again.icrep; cmp match.icrep again.icrep
reprise record --demo skirmish match.icrep; echo "exit $?"
reprise verify --simulate match.icrep; echo "exit $?"
reprise play --headless match.icrep; echo "exit $?"
reprise play --headless --json match.icrep | validate --lines play
reprise play --headless --json --from 328 match.icrep
reprise play --screen --from 300 --height 18 match.icrep
reprise play --screen --from 300 --height 18 --spoiler-free match.icrep | grep '~' | cut -c-20
# A relay signs every 30 ticks and the end; its key is trusted by who knows it.
reprise sign --new-key relay.key >trusted.txt
reprise record --demo skirmish --seed 7 --ticks 330 --key relay.key -q signed.icrep; echo "exit $?"
reprise verify --simulate --trusted-keys trusted.txt signed.icrep; echo "exit $?"
reprise cat --track signatures signed.icrep | grep -o '^{"tick":[0-9]*' | tr '\n' ' '; echo
reprise record --demo skirmish --seed 7 --ticks 100 --key relay.key --every 45 -q few.icrep
reprise verify -q few.icrep >verdict.txt; echo "exit $?"
reprise cat --track signatures few.icrep | grep -o '^{"tick":[0-9]*' | tr '\n' ' '; echo
reprise record --demo skirmish --every 45 x.icrep; echo "exit $?"
# Killed in the middle, the file plays as it is, and is recovered.
{ reprise record --demo skirmish --seed 7 --crash-at 250 crashed.icrep; echo "exit $?"; } 2>/dev/null
reprise play --headless crashed.icrep | sed 's/[0-9]* ticks/N ticks/'
reprise recover -q crashed.icrep saved.icrep; echo "exit $?"
reprise verify -q --simulate saved.icrep >verdict.txt; echo "exit $?"
grep -c ': ok' verdict.txt
# A branch has what its parent had, and continues.
reprise record --branch match.icrep --at 200 --ticks 50 -q branch.icrep; echo "exit $?"
reprise verify --simulate branch.icrep; echo "exit $?"
reprise info --json branch.icrep | grep -o '"branch_tick":[0-9]*'
reprise record --json --demo skirmish --ticks 40 small.icrep | validate record
reprise record --demo skirmish --fail-write 3 --ticks 300 -q failing.icrep; echo "exit $?"
reprise verify -q failing.icrep >verdict.txt; echo "exit $?"
reprise record x.icrep; echo "exit $?"
reprise record --demo chess x.icrep; echo "exit $?"
reprise play data/z6_edge.replay --headless; echo "exit $?"
reprise play match.icrep </dev/null; echo "exit $?"
