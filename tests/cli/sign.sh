# Keys are made, replays signed, parts of states proven; trust comes from a list of keys.
ic=data/../ironcurtain
reprise sign --new-key relay.key >trusted.txt; echo "exit $?"
stat -c %A relay.key
grep -cE '^[0-9a-f]{64}$' trusted.txt relay.key
reprise sign --new-key relay.key; echo "exit $?"
reprise sign --key relay.key "$ic/basic.icrep" signed.icrep; echo "exit $?"
reprise verify --json signed.icrep | grep -o '"ranked_verifiable":[a-z]*\|"key_trusted":[a-z]*'
reprise verify --json --trusted-keys trusted.txt signed.icrep | grep -o '"key_trusted":[a-z]*'
reprise sign --key relay.key --every 7 --json "$ic/basic.icrep" seven.icrep | validate sign
reprise cat --track signatures seven.icrep -q | head -2 | cut -c-40
reprise sign --key relay.key signed.icrep twice.icrep; echo "exit $?"
reprise prove --tick 60 --part players signed.icrep players.icproof; echo "exit $?"
reprise verify --trusted-keys trusted.txt players.icproof; echo "exit $?"
reprise prove --tick 60 --part arch:nosuch signed.icrep x.icproof; echo "exit $?"
reprise prove --tick 61 --part players signed.icrep x.icproof; echo "exit $?"
reprise prove --tick 60 --part core --json signed.icrep core.icproof | validate sign
reprise prove --tick 60 signed.icrep x.icproof; echo "exit $?"
reprise sign signed.icrep x.icrep; echo "exit $?"
reprise sign --new-key other.key --json | validate sign
reprise strip-voice "$ic/full.icrep" quiet.icrep; echo "exit $?"
reprise info --json quiet.icrep | grep -c 'voice recordings'
reprise verify --json quiet.icrep | grep -o '"ranked_verifiable":[a-z]*'
