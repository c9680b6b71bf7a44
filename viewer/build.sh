#!/bin/sh
# Installs what the lock file names, once for all build directories, and builds the page.
#
# usage: viewer/build.sh DIRECTORY required|auto
#
# Where npm cannot fetch its packages, `auto` says so and leaves the viewer out instead of failing.
set -eu

out=$(cd "$1" && pwd)
mode=$2
cd "$(dirname "$0")"

install() {
    stamp=node_modules/.reprise-lock
    if [ -f "$stamp" ] && cmp -s package-lock.json "$stamp"; then
        return 0
    fi
    # Whoever is not on the network should not wait for minutes to hear that.
    npm ci --no-audit --no-fund --ignore-scripts --loglevel=error --fetch-retries=1 \
        --fetch-retry-mintimeout=1000 >"$out/npm.log" 2>&1 || return 1
    cp package-lock.json "$stamp"
}

# Several builds of one tree may come here at a time.
exec 9>.lock
if command -v flock >/dev/null 2>&1; then
    flock 9
fi
if install; then
    node build.mjs "$out"
elif [ "$mode" = auto ]; then
    echo "viewer: left out, npm cannot install its packages (see $out/npm.log)" >&2
    cp no_page.c "$out/page_data.c"
    : >"$out/page.html"
else
    cat "$out/npm.log" >&2
    exit 1
fi
