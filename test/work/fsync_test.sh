#!/bin/sh
# How often a durable write flushes, counted by the kernel: at most three times, once the history is open.
top=$(cd "$(dirname "$0")/../.." && pwd)
quire=${QUIRE_RELEASE:-$top/build/quire}
command -v strace > /dev/null || { echo '1..0 # SKIP strace is not installed'; exit 0; }
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
call() { printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' "$1" "$2" "$3"; }
talk() {
	printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'
	call 2 create_document '{"file_path":"a.hnpx"}'
	for n in 3 4 5 6 7 8 9 10 11 12 13; do
		call $n create_chapter "{\"file_path\":\"a.hnpx\",\"parent_id\":\"book\",\"title\":\"t$n\",\"summary\":\"s\"}"
	done
}
talk | strace -f -e trace=fsync,fdatasync,write -s 60 -o "$root/trace" "$quire" serve hnpx --root "$root" > "$root/out" 2>&1
if [ ! -s "$root/trace" ]; then echo '1..0 # SKIP strace may not trace here'; exit 0; fi
answered=$(grep -c '"structuredContent"' "$root/out")
# Between two answers: the flushes of one write.
most=$(awk '/f(data)?sync\(/ { n++ } /write\(1,/ { if (++answers > 3 && n > most) most = n; n = 0 } END { print most + 0 }' "$root/trace")
[ "$answered" = 12 ] && echo "ok 1 - twelve writes were answered" || { echo "not ok 1 - twelve writes were answered"; echo "# $answered"; }
[ "$most" -ge 1 ] && [ "$most" -le 3 ] && echo "ok 2 - a write flushes at most three times" || { echo "not ok 2 - a write flushes at most three times"; echo "# $most"; }
echo 1..2
