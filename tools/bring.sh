#!/bin/sh
# Bring programs that tests need beyond Python: bring.sh WHOSE PROGRAM[=PACKAGE] ...
# What is missing is installed where apt-get may be used. Elsewhere it is named, and the tests that need it fail.
whose=$1
shift
missing=""
for one in "$@"; do
    command -v "${one%%=*}" >/dev/null || missing="$missing ${one#*=}"
done
[ -z "$missing" ] && exit 0
as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo -n"  # never asks for a password
if command -v apt-get >/dev/null && $as_root true 2>/dev/null; then
    echo "Installing$missing for $whose ..."
    $as_root apt-get update -qq && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing >/dev/null && exit 0
fi
echo "$whose: programs expected that are missing. On Debian: apt-get install$missing" >&2
