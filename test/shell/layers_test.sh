#!/bin/sh
# tools/layers.sh checks what it claims: one source that breaks each rule, and one that breaks none.
top=$(cd "$(dirname "$0")/../.." && pwd)
n=0
failed=0
claim() { # words that must be printed (none: no output), file, line of source, the claim
	n=$((n + 1))
	tree=$(mktemp -d)
	mkdir -p "$tree/src/base" "$tree/src/work" "$tree/src/kinds/hnpx" "$tree/src/kinds/notes" "$tree/$(dirname "$2")"
	echo "order: low.h < first < second, third < top.c" > "$tree/src/kinds/notes/README.md"
	printf '%b\n' "$3" > "$tree/$2"
	out=$(sh "$top/tools/layers.sh" "$tree" 2>&1)
	status=$?
	rm -r "$tree"
	if [ -z "$1" ]; then [ $status = 0 ] && [ -z "$out" ]; else [ $status != 0 ] && case $out in *"$1"*) true ;; *) false ;; esac; fi
	if [ $? = 0 ]; then echo "ok $n - $4"; else echo "not ok $n - $4"; echo "# $status $out"; failed=1; fi
}
claim "must not include" src/base/a.c '#include "work/work.h"' "includes go down only"
claim "names no room" src/base/a.c '#include "util/x.h"' "an include names its room"
claim "must not include another" src/kinds/hnpx/a.c '#include "kinds/notes/note.h"' "kinds do not include each other"
claim "first must not include" src/kinds/notes/first/a.c '#include "kinds/notes/second/b.h"' "a kind's README orders its rooms"
claim "first must not include" src/kinds/notes/first/a.c '#include "kinds/notes/other/b.h"' "a room that the order does not have is not included"
claim "other is not in the order" src/kinds/notes/other/a.c '#include "kinds/notes/low.h"' "and includes nothing"
claim "" src/kinds/notes/second/a.c '#include "kinds/notes/low.h"\n#include "kinds/notes/third/b.h"\n#include "kinds/notes/second/c.h"' "rooms of one step may include each other"
claim "is included by" src/base/b.c '#include <zlib.h>\n#include <zlib.h>' "a third-party header is in one place"
claim "is included by" src/base/b.c '#include <new/library.h>\n#include <new/library.h>' "one that nobody listed too"
claim "no state" src/work/a.c 'static int count;' "a variable of a file is seen"
claim "no state" src/work/a.c 'int count = 1;' "one that is not static too"
claim "no state" src/work/a.c '\tstatic char *kept;' "and one that a function keeps"
claim "name a kind" src/work/a.c 'if (!strcmp(name, "hnpx"))' "the core names no kind"
claim "name a kind" src/work/a.c 'return &kind_notes;' "nor its record"
claim "left for later" src/base/a.c '/* TODO: all of it */' "nothing is left for later"
claim "" src/work/a.c '#include "base/text.h"\n#include <sys/stat.h>\n#include <string.h>\n#include <string.h>\nstatic const char word[] = "x";\nstatic int twice(int n) { return n * 2; }\nenum { A, B };' "good code is passed in silence"
echo "1..$n"
exit $failed
