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
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    echo "Installing$missing for $whose ..."
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing >/dev/null && exit 0
fi
echo "$whose: programs expected that are missing. On Debian: apt-get install$missing" >&2
