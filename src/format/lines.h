/* lines.h: which lines changed between two texts.
 *
 * A line includes its newline; the last one may lack it. The changes are in order and never touch. They are ranges of
 * line numbers, counted from 0. The search is Myers'. If two texts differ too much for it, they are compared piece by
 * piece, between the lines that occur exactly once in both. A piece that differs too much is one change. */
#ifndef QUIRE_FORMAT_LINES_H
#define QUIRE_FORMAT_LINES_H
#include "base/array.h"
#include "base/text.h"

struct lines {
	struct text bytes;
	uint32_t *starts; /* n + 1 offsets; the last one is the end of the bytes */
	uint32_t n;
};

struct line_change {
	uint32_t before, before_to;
	uint32_t after, after_to;
};

struct line_changes {
	struct lines before, after;
	struct line_change *items;
	size_t n, cap;
};

struct line_changes lines_compare(struct arena *a, struct text before, struct text after);

uint32_t line_start(const struct lines *l, uint32_t line);
struct text lines_text(const struct lines *l, uint32_t from, uint32_t to);

#endif
