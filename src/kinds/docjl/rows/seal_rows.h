/* seal_rows.h: the leaves of the tree: hashes over the rows of blocks, runs and counters.
 *
 * A leaf is SHA-256 over all columns of the rows, each as its length and its text. So no two sets of rows have the same
 * bytes. */
#ifndef QUIRE_KINDS_DOCJL_ROWS_SEAL_ROWS_H
#define QUIRE_KINDS_DOCJL_ROWS_SEAL_ROWS_H
#include "kinds/docjl/rows/manual.h"

struct seal_ids {
	ARRAY(int64_t) items;
};
/* The leaves of these blocks and runs, and the pages `pages` (level and number alternate) into m->seals: on a server in
 * one statement. */
void seal_rows_read(struct manual *m, const struct seal_ids *ids, const struct seal_ids *pages, bool with_top,
		    struct seal_hash *leaves);
/* Calls `leaf` for every leaf of the document, in the order of the ids. Reads some thousand rows at a time. */
void seal_rows_all(struct manual *m, void (*leaf)(void *with, int64_t id, const struct seal_hash *h), void *with);
void seal_pages_read(struct manual *m); /* all pages */
/* A page that the transaction has read or makes now. */
struct seal_page *seal_page_at(struct manual *m, int64_t level, int64_t number, bool *was);

#endif
