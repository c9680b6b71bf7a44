#!/bin/sh
# Installs a build into a temporary directory and builds examples/info.c against it as users do:
# with what pkg-config says and nothing else, once with the shared and once with the static library.
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

# Says which library of ours a program loads.
needed() {
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(libreprise[^]]*\)\]/\1/p'
}

# build_and_run NAME PKG_CONFIG_FLAG...
build_and_run() {
    name=$1
    shift
    # shellcheck disable=SC2046 # flags are words
    "$compiler" -std=c17 -Wall -Wextra -Werror "$extra" "$source/examples/info.c" \
        $(pkg-config --cflags --libs "$@" reprise) -o "$stage/$name"
    LD_LIBRARY_PATH=$libdir "$stage/$name" "$sample" >"$stage/$name.out"
    grep -q '^rumble, layout z6' "$stage/$name.out" || fail "$name says: $(cat "$stage/$name.out")"
}

stated=$(sed -n 's/^#define REPRISE_VERSION "\(.*\)"/\1/p' "$source/include/reprise/reprise.h")
[ "$(pkg-config --modversion reprise)" = "$stated" ] || fail "reprise.pc is not version $stated"

build_and_run shared
[ "$(needed "$stage/shared")" = libreprise.so.0 ] || fail "the program needs $(needed "$stage/shared")"

rm "$libdir"/libreprise.so*
build_and_run static --static
[ -z "$(needed "$stage/static")" ] || fail "the static program needs $(needed "$stage/static")"
cmp "$stage/shared.out" "$stage/static.out"

cat "$stage/static.out"
