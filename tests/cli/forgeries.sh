# A valid chain covers hashes of states. Each forgery leaves every signature valid, and verify says
# what that establishes and what it does not.
ic=data/../ironcurtain
reprise verify --json "$ic/full.icrep" | grep -o '"relay_public_key":"[0-9a-f]*"' | cut -d'"' -f4 >trusted.txt
shown='"(status|ranked_verifiable|key_trusted|chain|states|orders|diverged_at|chat|end|metadata|events)":("[^"]*"|[a-z0-9]+)'
mkdir verdicts
judge() {
    echo "$1"
    reprise verify --json --trusted-keys trusted.txt "$2" >verdicts/"${2##*/}"; code=$?
    grep -oE "$shown" verdicts/"${2##*/}" | grep -vE '"(orders|events)":[0-9]' | paste -sd' '
    echo "exit $code"
}
judge 'as the relay signed it' "$ic/full.icrep"
forge compose "$ic/full.icrep" same.icrep && judge 'taken apart and put together' same.icrep
forge no-order "$ic/full.icrep" order.icrep && judge 'an order is gone, its block mended' order.icrep
forge 'players.0.name="Eve"' "$ic/full.icrep" name.icrep && judge 'another name' name.icrep
forge 'players.0.outcome="lost"' "$ic/full.icrep" outcome.icrep && judge 'another outcome' outcome.icrep
forge 'timestamp="2001-01-01T00:00:00Z"' "$ic/full.icrep" date.icrep && judge 'another date' date.icrep
forge events "$ic/full.icrep" events.icrep && judge 'the events have another winner' events.icrep
forge chat "$ic/full.icrep" chat.icrep && judge 'a chat message says something else' chat.icrep
forge cut=3330 "$ic/full.icrep" cut.icrep && judge 'cut at a signed tick' cut.icrep
forge cut=30 "$ic/full.icrep" first.icrep && judge 'cut at the first signed tick' first.icrep
forge total_ticks=9000 "$ic/full.icrep" ticks.icrep && judge 'metadata has another length' ticks.icrep
forge initial_rng_seed=5 "$ic/full.icrep" seed.icrep && judge 'metadata has another seed' seed.icrep
forge "map_hash=\"sha256:$(printf 'f%.0s' {1..64})\"" "$ic/cadence-45.icrep" map.icrep
judge 'metadata has another map' map.icrep
forge frame-hash "$ic/full.icrep" hash.icrep && judge 'a frame has another hash' hash.icrep
forge keyframe "$ic/full.icrep" state.icrep && judge 'the first keyframe has another seed' state.icrep
forge signature "$ic/full.icrep" bit.icrep && judge 'one bit of a signature' bit.icrep
# In words.
reprise verify --trusted-keys trusted.txt "$ic/full.icrep"
reprise verify --trusted-keys trusted.txt order.icrep
reprise verify --trusted-keys trusted.txt cut.icrep
# What was not replayed is not established, and not refuted either.
reprise verify --trusted-keys trusted.txt --no-simulate order.icrep
reprise verify --json --no-simulate order.icrep | grep -o '"ranked_verifiable":[a-z]*'
forge 'game_module="td"' "$ic/full.icrep" td.icrep && judge 'a replay of another game' td.icrep
reprise verify --simulate --no-simulate "$ic/full.icrep"; echo "exit $?"
validate verify verdicts/*
