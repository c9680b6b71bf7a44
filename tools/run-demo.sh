#!/bin/sh
# The demo of `make run`: a table of the sample replays, one of them in detail, one exported, and
# finally a picture, which needs no browser.
#
# usage: tools/run-demo.sh PATH_OF_REPRISE
set -eu

reprise=$1
samples=tests/data/rumble
match=$samples/z6_match_like_1.2.4.replay
out=out

show() {
    printf '\n$ reprise %s\n' "$*"
    "$reprise" "$@"
}

show info "$samples"/*.replay
show info "$match"
show stats "$match"

mkdir -p "$out"
show cat --track players --force --output "$out/players.csv" "$match"
printf '\nExported %s rows of the players to %s\n' \
    "$(($(wc -l <"$out/players.csv") - 1))" "$PWD/$out/players.csv"

show plot --what health --what speed --theme light --force --output "$out/match.svg" "$match"
# A build without npm has no viewer.
if "$reprise" export --quiet --force "$match" "$out/match.html" 2>/dev/null; then
    printf '\nWatch it:  %s view %s\nThe same page as one file: %s\n' \
        "$reprise" "$match" "$PWD/$out/match.html"
fi
printf '\nA picture of it: %s\n' "$PWD/$out/match.svg"
