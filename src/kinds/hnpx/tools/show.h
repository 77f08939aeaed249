/* show.h: nodes as XML for a model.
 *
 * Two blanks per level from column 0, attributes as stored, the summary, the prose. Comments only on request. */
#ifndef QUIRE_KINDS_HNPX_SHOW_H
#define QUIRE_KINDS_HNPX_SHOW_H
#include "base/buffer.h"
#include "kinds/hnpx/tree/book.h"

void show_open(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t node, int depth);
void show_close(struct buffer *to, const struct book *b, uint32_t node, int depth);
void show_node(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t node, int depth);

/* The author's comments before a node, one per line, and those after its last child or between its words. */
void show_comments_before(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t node, int depth);
void show_comments_inside(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t node, int depth);

/* A walk over a subtree in document order that may start late and end early.
 *
 * With `start`, subtrees that end before that node are skipped, but the nodes above it are still visited. */
struct walk {
	const struct book *book;
	uint32_t top, start; /* start: BOOK_NONE: from the top */
	int deepest;         /* deepest level to visit */
	uint32_t at;         /* the next node; BOOK_NONE: none left */
};
void walk_begin(struct walk *w, const struct book *b, uint32_t top, uint32_t start, int deepest);
void walk_on(struct walk *w);

#endif
