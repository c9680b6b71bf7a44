#!/bin/sh
# The demo of `make run`: a table of the sample replays, one of them in detail, one exported, a picture,
# and finally the viewer, or what to do if it could not be built.
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
printf '\nA picture of it: %s\n' "$PWD/$out/match.svg"

left_out=$(dirname "$reprise")/../viewer/left-out.txt
if [ -f "$left_out" ]; then
    printf '\nThe viewer is missing: %s\n' "$(cat "$left_out")"
    printf 'It needs Node 18, npm and the npm registry. When they can be reached, run "make" again, then:\n'
    printf '    %s view %s\n' "$reprise" "$match"
else
    "$reprise" export --quiet --force "$match" "$out/match.html"
    printf 'The viewer as one file: %s\n' "$PWD/$out/match.html"
    printf '\nWatch it:  %s view %s\n' "$reprise" "$match"
fi
