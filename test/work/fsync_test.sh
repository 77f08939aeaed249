#!/bin/sh
# Counts the flushes of a durable write, as the kernel sees them: at most three. Compares two runs that differ by ten
# writes, so that opening and closing the history does not count.
top=$(cd "$(dirname "$0")/../.." && pwd)
quire=${QUIRE_RELEASE:-$top/build/quire}
command -v strace > /dev/null || { echo '1..0 # SKIP strace is not installed'; exit 0; }
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
export XDG_STATE_HOME="$root/state-home"
unset STATE_DIRECTORY
call() { printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' "$1" "$2" "$3"; }
talk() {
	printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'
	call 2 create_document '{"file_path":"a.hnpx"}'
	n=0
	while [ $n -lt "$1" ]; do
		n=$((n + 1))
		call 1$n create_chapter "{\"file_path\":\"a.hnpx\",\"parent_id\":\"book\",\"title\":\"t$n\",\"summary\":\"s\"}"
	done
}
# Sets $answered and $flushed for a run with that many chapters.
run() {
	mkdir "$root/$1"
	talk "$1" | strace -f -e trace=fsync,fdatasync,sync_file_range -o "$root/trace" "$quire" serve hnpx --root "$root/$1" > "$root/out" 2> /dev/null
	[ -s "$root/trace" ] || { echo '1..0 # SKIP strace may not trace here'; exit 0; }
	answered=$(grep '"content":' "$root/out" | grep -vc '"isError":true')
	flushed=$(grep -c 'sync(' "$root/trace")
}
run 5
few=$flushed
run 15
many=$flushed
[ "$answered" = 16 ] && echo "ok 1 - every write was answered" || { echo "not ok 1 - every write was answered"; echo "# $answered"; }
spent=$((many - few))
[ $spent -ge 10 ] && [ $spent -le 30 ] && echo "ok 2 - a write flushes at most three times" || { echo "not ok 2 - a write flushes at most three times"; echo "# ten writes: $spent"; }
echo 1..2
