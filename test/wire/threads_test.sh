#!/bin/sh
# Runs the tests of the pipe, HTTP and drawing again under ThreadSanitizer: no data race, no lock order that could
# deadlock. The sanitizer waits at the end of a process for races of its last threads, by default for a second. False alarms from other libraries are listed in test/support/tsan.txt, with the reason.
top=$(cd "$(dirname "$0")/../.." && pwd)
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
export TSAN_OPTIONS="log_path=$log/report exitcode=0 atexit_sleep_ms=50 suppressions=$top/test/support/tsan.txt print_suppressions=0"
export QUIRE="$top/build/tsan/quire" QUIRE_CONFORMANCE="$top/build/tsan/quire-conformance"
n=0
check() {
	n=$((n + 1))
	if "$@" > "$log/out" 2>&1; then echo "ok $n - $(basename "$1") holds with the sanitizer"; else
		echo "not ok $n - $(basename "$1") holds with the sanitizer"; grep -A5 '^not ok' "$log/out" | sed 's/^/# /'; fi
}
for script in stdio pipe eras http; do check "$top/test/wire/${script}_test.py"; done
check "$top/test/hostile/drawing_test.py"
check "$top/test/node/interop_test.sh"
n=$((n + 1))
if ls "$log"/report* > /dev/null 2>&1; then echo "not ok $n - no data race"; cat "$log"/report* | head -60 | sed 's/^/# /'; else echo "ok $n - no data race"; fi
echo "1..$n"
