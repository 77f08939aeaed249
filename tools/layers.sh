#!/bin/sh
# Checks the sources: includes go down only, also inside a kind whose README has an order, and kinds do not include each other, each third-party header is in one
# file, the core names no kind, no file has state of its own, nothing is left to do later. Prints every violation and
# exits 1.
cd "${1:-$(dirname "$0")/..}" || exit 2
kinds=$(find src/kinds -mindepth 1 -maxdepth 1 -type d | sed 's|.*/||' | sort | paste -sd'|' -)
find src -name '*.[ch]' | sort | xargs awk -v kinds="$kinds" '
function code(line) { line = $0; sub(/\/\*.*/, "", line); return line }
BEGIN {
	# A room may include the rooms below it and itself.
	rank["base"] = 1; rank["format"] = 2; rank["store"] = 3; rank["work"] = 4; rank["tool"] = 5; rank["kinds"] = 6;
	rank["guard"] = 6; rank["mcp"] = 7; rank["shell"] = 8; rank["src"] = 9
	# Headers of glibc, the compiler and the kernel; every other header in angle brackets is third-party.
	n = split("assert ctype dirent dlfcn errno fcntl float immintrin limits link locale malloc math netdb poll pthread pwd setjmp signal spawn stdarg stdatomic stdbool stddef stdint stdio stdlib string strings time unistd", list, " ")
	for (i = 1; i <= n; i++) system_header[list[i] ".h"] = 1
	# State that is needed: the level of the log, a key made once, the budget of the call that a thread runs, counts of what outlives calls.
	# The order of the rooms inside a kind, from its README: "order: low.h < room < other, third < high.c".
	while (("grep -H ^order: src/kinds/*/README.md 2>/dev/null" | getline line) > 0) {
		split(line, word, "/")
		sub(/^[^:]*:order: */, "", line)
		n = split(line, step, / *< */)
		for (i = 1; i <= n; i++) {
			m = split(step[i], place, /[ ,]+/)
			for (k = 1; k <= m; k++) order[word[3] "/" place[k]] = i
		}
		has_order[word[3]] = 1
	}
	stateful["src/base/log.c"] = stateful["src/base/digest.c"] = stateful["src/base/budget.c"] = stateful["src/base/own.c"] = 1
	# What a call takes, it owns (base/own.h, base/budget.h): these functions take something that nobody would release if
	# the call were ended. Here they are allowed, because:
	taking = "(malloc|calloc|realloc|strdup|strndup|v?asprintf|getline|getdelim|open_memstream|fopen|fdopen|freopen|open|open64|openat2?|creat|opendir|fdopendir|dup[23]?|socket|socketpair|accept4?|pipe2?|mkstemp|mkostemp|memfd_create|inotify_init1?|epoll_create1?|eventfd|timerfd_create|timer_create|signalfd|mmap|popen|scandir|getaddrinfo|dlopen|qsort|qsort_r)\\("
	making = "(XML_ParserCreate[A-Za-z_]*|(de|in)flateInit2?|yaml_parser_initialize|sqlite3_(open|prepare)_v[23]|utf8proc_map|PQconnectdb|curl_easy_init|FcConfigCreate|g_object_new|cairo_create|cairo_[a-z_]*surface_create[a-z_]*|pango_[a-z_]*(_new|_create_context)[a-z_]*|png_create_[a-z_]*)\\("
	takes["src/base/budget.c"] = takes["src/base/own.c"] = "they are the owners"
	takes["src/base/array.c"] = takes["src/base/utf8.c"] = "between budget_hold() and budget_let()"
	takes["src/base/lazy.c"] = "a library stays loaded"
	takes["src/format/deflate.c"] = takes["src/format/xml.c"] = "the library allocates by budget_block()"
	takes["src/format/yaml.c"] = "registered by own_object()"
	takes["src/work/watch.c"] = "registered by own_fd()"
	takes["src/work/lock.c"] = takes["src/kinds/notes/search/service.c"] = takes["src/kinds/notes/search/vector_file.c"] = "between budget_hold() and budget_let(), or under the lock of the vault"
	takes["src/store/sqlite.c"] = takes["src/store/postgres.c"] = "a transaction holds the budget"
	takes["src/kinds/floorplan/draw/canvas/canvas_cairo.c"] = takes["src/kinds/floorplan/draw/canvas/canvas_png.c"] = "the budget is held until the surface is freed"
	takes["src/guard/access_log.c"] = takes["src/mcp/output.c"] = takes["src/mcp/stdio.c"] = takes["src/mcp/http/listen.c"] = takes["src/mcp/http/peers.c"] = "no call runs, or the transport owns it"
	takes["src/kinds/docjl/commands.c"] = "a command is a process of its own"
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
	else if (kind != "" && kind in has_order && to[2] == kind) {
		here = order[kind "/" part[4]]; there = order[kind "/" to[3]]
		if (!here) { print FILENAME ": " part[4] " is not in the order of src/kinds/" kind "/README.md"; bad = 1 }
		else if (!there || there > here) { print FILENAME ":" FNR ": " part[4] " must not include " quoted[2] " (src/kinds/" kind "/README.md says the order)"; bad = 1 }
	}
	else if (room == "kinds" && target == "kinds" && to[2] != kind) { print FILENAME ":" FNR ": a kind must not include another (" quoted[2] ")"; bad = 1 }
	next
}
/^#include </ {
	split($2, angled, /[<>]/)
	if (!(angled[2] in system_header) && angled[2] !~ /^(arpa|linux|sys)\//) where[angled[2]] = where[angled[2]] " " FILENAME
	next
}
# A variable of the file or a static variable of a function: not const, and not a function, a type or a library
# (base/lazy.h).
/^static / || /^\t+static / || /^[a-z_]+ [a-z_ *]*[a-z_]+(\[[^]]*\])*( =.*)?;$/ {
	line = $0
	sub(/[=;].*/, "", line)
	if (line !~ /\(|(^|[ \t*])const( |$)|struct lazy |static struct \{|^(extern|typedef|struct [a-z_]+ *$|enum)/ && FILENAME ~ /\.c$/ && !(FILENAME in stateful)) {
		print FILENAME ":" FNR ": a file holds no state of its own: " $0; bad = 1
	}
}
# The core knows kinds only as struct kind; the list of them is in kinds/kinds.c.
room != "kinds" && $0 !~ /^[ \t]*(\/\*|\*)/ && match($0, "(^|[^a-z_])kind_(" kinds ")[^a-z_]|[^\\\\]\"(" kinds ")\"") {
	print FILENAME ":" FNR ": the core must not name a kind: " $0; bad = 1
}
room != "shell" && FILENAME ~ /\.c$/ && $0 !~ /^[ \t]*\*/ && match(code(), "(^|[^A-Za-z_0-9.>])" taking "|(^|[^A-Za-z_0-9])" making) && !(FILENAME in takes) {
	print FILENAME ":" FNR ": a call that is ended here would lose this; see base/own.h: " $0; bad = 1
}
/TODO|FIXME|XXX|HACK/ { print FILENAME ":" FNR ": left for later: " $0; bad = 1 }
END {
	for (h in where) if (split(where[h], files, " ") > 1) { print h " is included by" where[h]; bad = 1 }
	exit bad
}'
