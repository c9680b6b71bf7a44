#!/bin/sh
# Runs the recording example and checks what it made: sound, as long as it says, and the same twice.
# usage: check-record.sh EXAMPLE REPRISE
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" "$work/walk.replay"
"$1" "$work/again.replay" >/dev/null
cmp "$work/walk.replay" "$work/again.replay"
"$2" verify "$work/walk.replay"
frames=$("$2" cat --track frames --no-status "$work/walk.replay" | wc -l)
test "$frames" -eq 100
"$2" info --json "$work/walk.replay" | grep -q '"layout":"z6"'
if "$1" "$work/walk.replay" 2>/dev/null; then
    echo "an existing file was replaced" >&2
    exit 1
fi
test "$(ls "$work" | wc -l)" -eq 2
