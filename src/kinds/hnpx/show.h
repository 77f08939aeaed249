/* show.h: nodes as XML for a model, and how long an answer may be.
 *
 * Two blanks a level from column 0, attributes as stored, the summary, the prose. Comments only where asked for. */
#ifndef QUIRE_KINDS_HNPX_SHOW_H
#define QUIRE_KINDS_HNPX_SHOW_H
#include "base/buffer.h"
#include "kinds/hnpx/tree/book.h"

/* No answer is longer: what is whole by the specification is whole up to here, then cut between nodes. */
/* Bytes of an answer unless more is asked for: common clients refuse 25,000 tokens. ANSWER_MAX at most. */
enum { ANSWER_USUAL = 60000, ANSWER_MAX = 4 << 20 };

void show_open(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t node, int depth);
void show_close(struct buffer *to, const struct book *b, uint32_t node, int depth);
void show_node(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t node, int depth);

/* The author's comments before a node, each on a line; and those behind its last child, or between its words. */
void show_comments_before(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t node, int depth);
void show_comments_inside(struct buffer *to, struct arena *scratch, const struct book *b, uint32_t node, int depth);

/* A walk over a subtree in document order that may start late and end early.
 *
 * With `start`, subtrees that end before that node are passed over, so that the path to it is still seen. */
struct walk {
	const struct book *book;
	uint32_t top, start; /* start: BOOK_NONE: from the top */
	int deepest;         /* level of the last nodes seen */
	uint32_t at;         /* the node to be seen next; BOOK_NONE: none left */
};
void walk_begin(struct walk *w, const struct book *b, uint32_t top, uint32_t start, int deepest);
void walk_on(struct walk *w);

#endif
