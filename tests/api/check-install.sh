#!/bin/sh
# Installs a build into a temporary directory and builds the examples against it as users do: with
# the flags that pkg-config prints and nothing else, once with the shared and once with the static
# library. Then runs them and checks their results.
#
# usage: check-install.sh BUILD_DIR SOURCE_DIR COMPILER EXTRA_FLAG
set -eu

build=$1 source=$2 compiler=$3 extra=$4
sample=$source/tests/data/rumble/z6_edge.replay

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
meson install -C "$build" --no-rebuild --quiet --destdir "$stage" >/dev/null

fail() {
    echo "check-install: $*" >&2
    exit 1
}

pc=$(find "$stage" -name reprise.pc)
[ -n "$pc" ] || fail "no reprise.pc was installed"
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
libdir=$(dirname "$PKG_CONFIG_PATH")
bindir=$(dirname "$(find "$stage" -name reprise -path '*/bin/*')")

# Says which library of ours a program loads.
needed() {
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(libreprise[^]]*\)\]/\1/p'
}

examples="consumer ironcurtain_save own_game players sum_column write_replays"
[ "$(cd "$source/examples" && echo *.c)" = "$(printf '%s.c ' $examples | sed 's/ $//')" ] ||
    fail "examples/ has programs that are not run here"
for example in $examples; do
    lines=$(wc -l <"$source/examples/$example.c")
    [ "$lines" -le 40 ] || fail "examples/$example.c has $lines lines; 40 are allowed"
done

# build LIBRARY PKG_CONFIG_FLAG...: all examples
build() {
    mkdir "$stage/$1"
    kind=$1
    shift
    for example in $examples; do
        # shellcheck disable=SC2046 # flags are words
        "$compiler" -std=c17 -Wall -Wextra -Werror "$extra" "$source/examples/$example.c" \
            $(pkg-config --cflags --libs "$@" reprise) -o "$stage/$kind/$example"
    done
}

# expect TEXT COMMAND...: the output holds this line
expect() {
    wanted=$1
    shift
    found=$("$@") || fail "$* fails: $found"
    printf '%s\n' "$found" | grep -qxF "$wanted" || fail "$* says: $found"
}

run() {
    at=$stage/$1
    LD_LIBRARY_PATH=$libdir
    export LD_LIBRARY_PATH
    kz=$source/tests/data/cs2kz/a1-run.replay
    expect "  🐸 hop" "$at/players" "$sample" "$kz"
    expect "300 rows, sum 73233450.00" "$at/sum_column" ticks tick "$kz" "$kz"
    expect "  tick l: 150 values, 0 null" "$at/consumer" "$kz" ticks
    "$at/own_game" "$at/own.icrep" || fail "own_game plays another state than it recorded"
    "$bindir/reprise" verify "$at/own.icrep" >/dev/null || fail "own_game records a faulty file"
    for round in first second; do
        "$at/ironcurtain_save" "$at/tank.icsave" || fail "ironcurtain_save fails the $round time"
    done
    expect "$at/tank.icsave: icsave, layout profile1" "$at/players" "$at/tank.icsave"
    "$at/write_replays" "$at/made.rumble" "$at/made.kz"
    expect "100 rows, sum 1262.50" "$at/sum_column" props pos_x "$at/made.rumble"
    expect "100 rows, sum 1262.50" "$at/sum_column" ticks pre_origin_x "$at/made.kz"
    if "$at/write_replays" "$at/made.rumble" "$at/made.kz" 2>/dev/null; then
        fail "write_replays replaced an existing file"
    fi
}

stated=$(sed -n 's/^#define REPRISE_VERSION *"\(.*\)"/\1/p' "$source/include/reprise/reprise.h")
[ "$(pkg-config --modversion reprise)" = "$stated" ] || fail "reprise.pc is not version $stated"

build shared
run shared
[ "$(needed "$stage/shared/players")" = libreprise.so.0 ] ||
    fail "the program needs $(needed "$stage/shared/players")"

rm "$libdir"/libreprise.so*
build static --static
run static
[ -z "$(needed "$stage/static/players")" ] ||
    fail "the static program needs $(needed "$stage/static/players")"
cmp "$stage/shared/made.rumble" "$stage/static/made.rumble"
cmp "$stage/shared/made.kz" "$stage/static/made.kz"
echo "all examples built and run, shared and static"
