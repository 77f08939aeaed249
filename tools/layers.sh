#!/bin/sh
# Reads the #include lines: calls go down only, each third-party header is in one file, no file holds state of its own.
# Prints what breaks a rule and exits 1.
cd "$(dirname "$0")/.." || exit 2
find src -name '*.[ch]' | sort | xargs awk '
BEGIN {
	# A room may include the rooms below it and itself.
	rank["base"] = 1; rank["format"] = 2; rank["store"] = 3; rank["work"] = 4; rank["tool"] = 5; rank["kinds"] = 6;
	rank["guard"] = 6; rank["mcp"] = 7; rank["shell"] = 8; rank["src"] = 9
	n = split("microhttpd.h sqlite3.h libpq-fe.h expat.h zip.h zlib.h cairo.h cairo-pdf.h pango/pangocairo.h png.h pcre2.h sodium.h xxhash.h utf8proc.h curl/curl.h yaml.h", list, " ")
	for (i = 1; i <= n; i++) foreign[list[i]] = 1
}
FNR == 1 {
	split(FILENAME, part, "/")
	room = part[3] == "" ? "src" : part[2]
	kind = room == "kinds" && part[4] != "" ? part[3] : ""
}
/^#include "/ {
	split($2, quoted, "\"")
	split(quoted[2], to, "/")
	target = to[1]
	if (!(target in rank)) { print FILENAME ":" FNR ": " quoted[2] " names no room"; bad = 1 }
	else if (target != room && rank[target] >= rank[room]) { print FILENAME ":" FNR ": " room " must not include " quoted[2]; bad = 1 }
	else if (room == "kinds" && target == "kinds" && to[2] != kind) { print FILENAME ":" FNR ": a kind must not include another (" quoted[2] ")"; bad = 1 }
}
/^#include </ {
	split($2, angled, /[<>]/)
	if (angled[2] in foreign) where[angled[2]] = where[angled[2]] " " FILENAME
}
/TODO|FIXME|XXX|HACK/ { print FILENAME ":" FNR ": left for later: " $0; bad = 1 }
END {
	for (h in where) if (split(where[h], files, " ") > 1) { print h " is included by" where[h]; bad = 1 }
	exit bad
}'
