#!/bin/sh
# Installs the missing Debian packages of the named sections of packages.txt.
# If nothing is missing it only asks dpkg. Needs root or sudo only to install. A package followed by
# ?COMMAND is not missing if that command exists, whoever installed it. Sections after --optional are
# installed where that is possible; it is no failure if it is not.
#
# usage: tools/install-packages.sh SECTION... [--optional SECTION...]
set -eu

list=$(dirname "$0")/packages.txt
newline='
'

# The packages of a section, one word each, without those whose command is there.
packages_of() {
    current=
    known=
    while read -r word other _; do
        case $word in
        '' | '#'*) continue ;;
        '['*']') current=$word; continue ;;
        esac
        if [ "$current" != "[$1]" ]; then continue; fi
        known=yes
        case $other in
        '?'*) if command -v "${other#?}" >/dev/null 2>&1; then continue; fi ;;
        esac
        echo "$word"
    done <"$list"
    if [ -z "$known" ]; then
        echo "install-packages: no section [$1] in $list" >&2
        return 2
    fi
}

# Those of the named packages that are not installed.
missing_of() {
    [ $# -gt 0 ] || return 0
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
    seen=
    for package in "$@"; do
        case "$newline$installed$newline$seen " in
        *"${newline}installed $package$newline"* | *" $package "*) ;;
        *) seen="$seen $package"; echo "$package" ;;
        esac
    done
}

required= optional= section_is=required
for section in "$@"; do
    if [ "$section" = --optional ]; then
        section_is=optional
    elif [ $section_is = required ]; then
        packages=$(packages_of "$section")
        required="$required $packages"
    else
        packages=$(packages_of "$section")
        optional="$optional $packages"
    fi
done

if ! command -v dpkg-query >/dev/null 2>&1; then
    # shellcheck disable=SC2086 # the lists are split into words on purpose
    [ -z "$(echo $required)" ] ||
        echo "install-packages: not a Debian system; assuming that these are installed:" $required >&2
    exit 0
fi
# shellcheck disable=SC2086,SC2046
required=$(echo $(missing_of $required))
# shellcheck disable=SC2086,SC2046
optional=$(echo $(missing_of $optional))
[ -n "$required$optional" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1; then
    as_root=sudo
else
    echo "install-packages: these Debian packages are missing: $required $optional" >&2
    echo "install-packages: neither root nor sudo here; as root run:" >&2
    echo "    apt-get update && apt-get install --no-install-recommends $required $optional" >&2
    [ -z "$required" ]
    exit
fi

apt() {
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 "$@"
}

install() {
    apt install -y --no-install-recommends "$@" </dev/null >/dev/null
}

echo "Installing Debian packages: $required $optional"
# Ignore failures here, such as a broken extra repository: only the install has to succeed.
apt update || echo "install-packages: apt-get update failed, trying with the lists at hand" >&2
# shellcheck disable=SC2086
if install $required $optional; then
    exit 0
fi
echo "install-packages: apt-get could not install: $required $optional" >&2
if [ -n "$required" ]; then
    [ -n "$optional" ] || exit 1
    # shellcheck disable=SC2086
    install $required || { echo "install-packages: apt-get could not install: $required" >&2; exit 1; }
fi
