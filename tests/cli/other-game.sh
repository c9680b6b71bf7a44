# A replay of another game cannot be simulated here: no verb calls it damaged or out of sync.
ic=data/../ironcurtain
forge 'game_module="td"' "$ic/full.icrep" td.icrep
forge "data_version=\"sha256:$(printf '0%.0s' {1..64})\"" "$ic/full.icrep" rules.icrep
for file in td.icrep rules.icrep "$ic/imported-lossless.icrep"; do
    reprise verify --simulate -q "$file"; echo "verify: exit $?"
    reprise play --headless "$file"; echo "play: exit $?"
    reprise play --json "$file" | validate --lines play
    reprise play --json "$file" | tail -n 1
    reprise at --tick 50 --json "$file" | validate at
    reprise at --tick 50 --json "$file" | grep -oE '"(exact|not_simulated)":[^,]*(, and[^"]*")?'
done
# A signed tick that is a keyframe can be proven all the same, others cannot.
reprise prove --tick 300 --part core td.icrep core.icproof && reprise verify -q core.icproof
reprise prove --tick 330 --part core td.icrep no.icproof; echo "prove: exit $?"
forge 'game_module="td"' "$ic/basic.icrep" unsigned.icrep
reprise sign --new-key relay.key -q >/dev/null
reprise sign --key relay.key unsigned.icrep no.icrep; echo "sign: exit $?"
reprise record --branch td.icrep --at 50 no.icrep; echo "record: exit $?"
# Rules that are embedded may be others than those of the built-in game: it has to reproduce the first
# tick before it may judge. With rules that it knows the same difference is a fault.
reprise verify --simulate -q "$ic/self-contained.icrep"; echo "verify: exit $?"
forge first-hash "$ic/self-contained.icrep" embedded.icrep
reprise verify --simulate -q embedded.icrep; echo "verify: exit $?"
reprise play --headless embedded.icrep; echo "play: exit $?"
forge first-hash "$ic/basic.icrep" known.icrep
reprise verify --simulate -q known.icrep; echo "verify: exit $?"
reprise play --headless known.icrep; echo "play: exit $?"
