#!/bin/sh
# Installs what the lock file names, once for all build directories, and builds the page.
#
# usage: viewer/build.sh DIRECTORY required|auto
#
# Without npm, or where npm cannot fetch its packages, `auto` leaves the viewer out instead of failing
# and writes the reason to DIRECTORY/left-out.txt. `make` then tries again each time.
set -eu

out=$(cd "$1" && pwd)
mode=$2
cd "$(dirname "$0")"
rm -f "$out/left-out.txt"

leave_out() {
    if [ "$mode" != auto ]; then
        echo "viewer: $1" >&2
        exit 1
    fi
    echo "viewer: left out: $1" >&2
    echo "$1" >"$out/left-out.txt"
    cp no_page.c "$out/page_data.c"
    : >"$out/page.html"
    exit 0
}

fetch_packages() {
    stamp=node_modules/.reprise-lock
    if [ -f "$stamp" ] && cmp -s package-lock.json "$stamp"; then
        return 0
    fi
    # Without a network, npm should give up after seconds; its defaults are ten minutes. A registry that
    # takes connections and does not answer is noticed by asking it something small, because a package
    # may take its time; then packages that were fetched before are enough.
    fetch="npm ci --no-audit --no-fund --ignore-scripts --loglevel=error --fetch-retries=1
        --fetch-retry-mintimeout=1000 --fetch-timeout=60000"
    npm ping --loglevel=error --fetch-retries=0 --fetch-timeout=20000 >"$out/npm.log" 2>&1 || true
    if grep -q 'network timeout' "$out/npm.log"; then
        $fetch --offline >"$out/npm-offline.log" 2>&1 || return 1
    else
        $fetch >"$out/npm.log" 2>&1 || return 1
    fi
    cp package-lock.json "$stamp"
}

# The one line of npm's report that says why.
npm_reason() {
    sed -n 's/^npm \(ERR!\|error\) *//p' "$out/npm.log" |
        grep -v '^code\|^syscall\|^errno\|^$' >"$out/npm-reason.txt" || true
    grep -m 1 'reason:\|Not Found\|timeout' "$out/npm-reason.txt" || head -n 1 "$out/npm-reason.txt"
    rm -f "$out/npm-reason.txt"
}

for program in node npm; do
    command -v $program >/dev/null 2>&1 || leave_out "$program is not installed"
done
node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' ||
    leave_out "Node $(node --version) is too old; 18 is needed"

# Several build directories may share this tree.
exec 9>.lock
if command -v flock >/dev/null 2>&1; then
    flock 9
fi
fetch_packages || leave_out "npm cannot fetch its packages from $(npm config get registry): $(npm_reason) \
(see $out/npm.log)"
node build.mjs "$out"
