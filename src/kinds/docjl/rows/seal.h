/* seal.h: a tree of hashes over the rows of a document, so that the trail protects the text.
 *
 * Every block, every run and the counters have a hash over all columns of their rows: a leaf. 32 leaves make a page, 32
 * pages a page of the next level; the pages of the highest level and the document's own row make the state. Each entry
 * of the trail contains the state after its change. An edit costs one leaf and four pages for each block that it
 * changes.
 *
 *	seal_block(m, uid);               before the first statement that changes rows of the block
 *	... INSERT, UPDATE, DELETE ...
 *	seal_state(m, state);             manual_record(): the state for the entry
 *	seal_write(m);                    manual_commit(): the changed pages
 *
 * seal_block() reads the rows as they are stored, and seal_state() compares their leaf with the page. So an edit cannot
 * take over what another program changed in the rows: its entry of the trail names these blocks. */
#ifndef QUIRE_KINDS_DOCJL_ROWS_SEAL_H
#define QUIRE_KINDS_DOCJL_ROWS_SEAL_H
#include "base/array.h"
#include "base/map.h"
#include "base/text.h"

struct manual;

enum { SEAL_BITS = 5, SEAL_SLOTS = 1 << SEAL_BITS, SEAL_TOP = 3, SEAL_NAMED_MAX = 10 };
/* Leaves are numbered: a block's uid, and from here on the runs. This one is the leaf of all counters. */
#define SEAL_COUNTERS ((int64_t)1 << 40)

struct seal_hash {
	unsigned char bytes[32]; /* zero: there are no rows */
};
struct seal_leaf {
	int64_t id;
	struct seal_hash before;
};
struct seal_page {
	int64_t level, number;
	struct seal_hash slots[SEAL_SLOTS];
	bool is_changed;
};
struct seals {
	ARRAY(struct seal_leaf) leaves; /* that this change may have changed */
	struct map leaf_at;
	ARRAY(struct seal_page *) pages; /* read by this transaction */
	struct map page_at;
	struct seal_hash row, state; /* the document's row as it was read, and what the trail says */
	bool has_top;                /* all pages of the highest level were read */
	bool is_whole;               /* the tree is made at once by seal_whole(), not at the cost of a change */
	struct seal_hash root;       /* then: its root */
	ARRAY(int64_t) altered;      /* leaves whose rows are not as the trail says */
	bool is_torn;                /* the pages or the document's row are not as the trail says */
};

void seal_block(struct manual *m, int64_t uid);
void seal_blocks(struct manual *m, const int64_t *uids, size_t n);
void seal_fresh(struct manual *m, int64_t uid); /* the block has no rows yet */
void seal_run(struct manual *m, int64_t run);
void seal_runs(struct manual *m, const int64_t *runs, size_t n);
void seal_counters(struct manual *m);

/* The state for the entry that is about to be written. The document's row is as it will be after the entry. */
void seal_state(struct manual *m, struct seal_hash *out);
void seal_write(struct manual *m);
/* Makes the whole tree: of a document that was imported, or that has none yet. */
void seal_whole(struct manual *m);

/* Compares all rows with the tree, and the tree with the state (of the newest entry). */
struct seal_finding {
	bool is_same;        /* the rows are as the trail says */
	bool is_tree_intact; /* and so is the tree beside them */
	int64_t n;           /* how many leaves differ */
	ARRAY(int64_t) ids;  /* the first SEAL_NAMED_MAX of them */
};
void seal_compare(struct manual *m, const struct seal_hash *state, struct seal_finding *out);
struct text seal_name(struct manual *m, int64_t id); /* of a leaf, for messages: the block's label, or in words */

/* For the files of this pair. */

void seal_row(struct manual *m, struct seal_hash *out);
void seal_join(const struct seal_hash *root, const struct seal_hash *row, struct seal_hash *out);
void seal_hash_page(const struct seal_page *p, struct seal_hash *out);
struct text seal_page_bytes(const struct seal_page *p); /* as they are stored: without empty slots at the end */
void seal_page_read(struct text stored, struct seal_page *out);
#endif
