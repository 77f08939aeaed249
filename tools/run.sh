#!/bin/sh
# make run: serves a copy of examples/ over HTTP on this machine, and prints how to try it. Ctrl-C ends it and removes
# the copy. PORT chooses the port; default 8080, or any free one if that is in use.
set -eu
quire=$(realpath "${1:-build/quire}")
top=$(dirname "$(dirname "$(realpath "$0")")")
copy=$(mktemp -d "${TMPDIR:-/tmp}/quire-run.XXXXXX")
said=$copy.said
state=$copy.state
server=

finish() {
	trap '' INT TERM
	[ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
	rm -rf "$copy" "$said" "$state"
}
trap finish EXIT
trap 'exit 0' INT TERM

cp -R "$top/examples/." "$copy"
# Manuals are in a database, not in files.
"$quire" docjl import "$copy/manual.json" --id keepers-manual --root "$copy" --state "$state" >"$said" 2>&1 || { cat "$said" >&2; exit 1; }
rm "$copy/manual.json"

# Starts the server and waits for the line with its address. 1: it ended instead.
start() {
	"$quire" serve --root "$copy" --state "$state" --http "127.0.0.1:$1" 2>"$said" &
	server=$!
	while kill -0 "$server" 2>/dev/null; do
		url=$(sed -n 's/^quire: serving .* at \(http:.*\)$/\1/p' "$said")
		page=$(sed -n "s/^quire: the page, opened once: //p" "$said")
		key=$(sed -n "s/^quire: the key of this run, stored nowhere: //p" "$said")
		[ -n "$url" ] && [ -n "$key" ] && grep -q 'for a lasting key' "$said" && return 0
		sleep 0.05
	done
	server=
	return 1
}
start "${PORT:-8080}" || { [ -z "${PORT:-}" ] && start 0; } || {
	cat "$said" >&2
	exit 1
}

# What to try: with programs that are here.
if command -v curl >/dev/null; then
	try="  curl -s $url -H 'Content-Type: application/json' -H 'Authorization: Bearer $key' \\
    -d '{\"method\": \"hnpx_get_next_empty_container\", \"params\": {\"file_path\": \"lighthouse.hnpx\", \"progress\": true}}'"
else
	try="  $quire call --root $copy --state $state hnpx get_next_empty_container --file-path lighthouse.hnpx --progress"
fi
if command -v claude >/dev/null; then
	add="  claude mcp add --transport http quire $url --header 'Authorization: Bearer $key'

"
fi
cat <<END
quire serves a copy of examples/ at $url: a book, two plans, a contract, a vault of notes and a manual.
The copy is $copy and goes when you press Ctrl-C.

${page:+Open this in a browser to see the documents and every change:

  $page

}Try a tool:

$try

Connect a client. The key is good until Ctrl-C:

${add-}$(sed -n 's/^{/  {/p' "$said")

END
wait "$server" || true
