#!/bin/sh
# Installs the missing Debian packages of the named sections of packages.txt.
# If nothing is missing it only asks dpkg. Needs root or sudo only to install. A package followed by
# ?COMMAND is not missing if that command exists, whoever installed it.
#
# usage: tools/install-packages.sh SECTION...
set -eu

list=$(dirname "$0")/packages.txt
newline='
'

wanted=
for section in "$@"; do
    current=
    known=
    while read -r word other _; do
        case $word in
        '' | '#'*) continue ;;
        '['*']') current=$word; continue ;;
        esac
        if [ "$current" != "[$section]" ]; then continue; fi
        known=yes
        case $other in
        '?'*) if command -v "${other#?}" >/dev/null 2>&1; then continue; fi ;;
        esac
        wanted="$wanted $word"
    done <"$list"
    if [ -z "$known" ]; then
        echo "install-packages: no section [$section] in $list" >&2
        exit 2
    fi
done

if [ -z "$wanted" ]; then
    exit 0
fi
if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "install-packages: not a Debian system; going on as if these were there:$wanted" >&2
    exit 0
fi

# shellcheck disable=SC2086 # the lists are split into words on purpose
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null || true)
missing=
for package in $wanted; do
    case "$newline$installed$newline$missing " in
    *"${newline}installed $package$newline"* | *" $package "*) ;;
    *) missing="$missing $package" ;;
    esac
done
if [ -z "$missing" ]; then
    exit 0
fi

if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1; then
    as_root=sudo
else
    echo "install-packages: these Debian packages are missing:$missing" >&2
    echo "install-packages: neither root nor sudo here; as root run:" >&2
    echo "    apt-get update && apt-get install --no-install-recommends$missing" >&2
    exit 1
fi

apt() {
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 "$@"
}

echo "Installing Debian packages:$missing"
# Ignore failures here, such as a broken extra repository: only the install has to succeed.
apt update || echo "install-packages: apt-get update failed, trying with the lists at hand" >&2
# shellcheck disable=SC2086
if ! apt install -y --no-install-recommends $missing </dev/null >/dev/null; then
    echo "install-packages: apt-get could not install:$missing" >&2
    exit 1
fi
