#!/bin/sh
# build.sh DIR: fetches the page's libraries by npm and bundles web/ to DIR/page.bin. If npm cannot fetch them, the file is
# empty: the program is then built without the page, and reports this.
set -u
dir=$1 here=$(dirname "$0")
mkdir -p "$dir"
if ! cmp -s "$here/package-lock.json" "$dir/fetched.json"; then
	rm -f "$dir/fetched.json"
	cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$dir/"
	if ! (cd "$dir" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
		--fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000); then
		echo "the libraries of the page could not be fetched: this build has no page; the next make tries again" >&2
		[ -s "$dir/page.bin" ] || : >"$dir/page.bin"
		exit 0
	fi
	cp "$here/package-lock.json" "$dir/fetched.json"
fi
node "$here/build.mjs" "$(realpath "$dir")/page.bin"
