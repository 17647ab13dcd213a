#!/bin/sh
# Installs what the browser tests need: Chromium and fonts for the languages of the tutorials, from Debian's packages.
# Only root can; anybody else gets the tests without a browser, and pytest says so.

[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 0

missing=""
command -v chromium >/dev/null || missing="$missing chromium"
for font in fonts-noto-core fonts-noto-cjk; do
    dpkg-query --show --showformat='${db:Status-Status}' "$font" 2>/dev/null | grep -q '^installed' || missing="$missing $font"
done
[ -z "$missing" ] && exit 0

echo "graphlab: installing$missing for the browser tests (a minute) …"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
if ! { apt-get update && apt-get install --yes --no-install-recommends $missing; } </dev/null >"$log" 2>&1; then
    tail -n 5 "$log"
    echo "graphlab: could not install$missing; the browser tests will be skipped"
fi
rm -f "$log"
