/* page.h: a document in pages, each at the cost of its own blocks.
 *
 * Blocks come in document order. A page ends between two blocks, where its bytes are used up. Containers that a page
 * continues are written as {type, label, continued: true, children}; those that it leaves incomplete say how many
 * children_omitted. All pages are of one revision: the caller compares it. */
#ifndef QUIRE_KINDS_DOCJL_TREE_PAGE_H
#define QUIRE_KINDS_DOCJL_TREE_PAGE_H
#include "kinds/docjl/tree/tree.h"

struct page_request {
	const struct uids *roots; /* these subtrees; NULL: the whole document */
	int64_t depth;            /* levels; 0: all */
	int64_t after;            /* the last block of the page before; 0: from the start */
	size_t bytes;
};
struct page_result {
	int64_t n;    /* blocks of this page */
	int64_t last; /* the last one, if others follow; 0: this is the end */
};
/* Writes the list of blocks. */
bool page_put(struct json_out *o, struct manual *m, const struct page_request *r, struct page_result *out);

#endif
