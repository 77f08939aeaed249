/* split.h: cuts a paragraph or a beat in two, and joins neighbours. The facts of the story bible follow their words.
 *
 * Bytes that are not at the cut are unchanged. Each function opens the book, commits, and refuses like a tool. */
#ifndef QUIRE_KINDS_HNPX_STORY_SPLIT_H
#define QUIRE_KINDS_HNPX_STORY_SPLIT_H
#include "kinds/hnpx/hnpx.h"

/* The second part begins with these words of the paragraph, or with this paragraph of the beat. */
bool book_split(struct call *c, struct text path, struct text node_id, struct text at, struct text summary,
		struct text *new_id);

struct merged {
	struct text parent_id, id, summary; /* of the node that stays, the first */
	struct texts removed;
};
bool book_merge(struct call *c, struct text path, struct text parent_id, struct texts node_ids, struct merged *out);

#endif
