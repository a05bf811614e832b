#!/bin/sh
# The page's tests drive a real Chromium and build the static page with Node. Install what is missing where apt-get may
# be used; elsewhere say what is missing, and let the tests say so, too.
missing=""
command -v chromium >/dev/null || missing="$missing chromium"
command -v node >/dev/null || missing="$missing nodejs"
command -v npm >/dev/null || missing="$missing npm"
[ -z "$missing" ] && exit 0
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    echo "Installing$missing for the page's tests ..."
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing >/dev/null && exit 0
fi
echo "The page's tests need$missing. On Debian: apt-get install$missing" >&2
