#!/bin/sh
# Spark's tests start real Spark, which needs Java. Install it where apt-get may be used; elsewhere say what is missing,
# and let the tests say so, too.
command -v java >/dev/null && exit 0
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    echo "Installing openjdk-17-jre-headless for Spark's tests ..."
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq openjdk-17-jre-headless >/dev/null && exit 0
fi
echo "Spark's tests need Java. On Debian: apt-get install openjdk-17-jre-headless" >&2
