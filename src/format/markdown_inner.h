/* markdown_inner.h: shared by markdown.c (lines) and markdown_inline.c (the content of a run of lines). */
#ifndef QUIRE_FORMAT_MARKDOWN_INNER_H
#define QUIRE_FORMAT_MARKDOWN_INNER_H
#include "format/markdown.h"

struct markdown_scan {
	struct arena *arena;
	struct text bytes;
	struct markdown *out;
};

/* Finds links, tags, code spans and the block's name in a run of lines. Returns the run, because a name on the next
 * line of its own may belong to it. */
struct span markdown_run(struct markdown_scan *s, struct span run, struct span previous);

#endif
