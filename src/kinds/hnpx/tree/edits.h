/* edits.h: an edit of a book before it is made: splices, and what they do to the nodes.
 *
 * Bytes that no splice names cannot change. The book of the result is made from the old one by shifting offsets, so a
 * write costs no parsing: nodes that stand outside of all splices move, nodes inside a replaced range are gone unless
 * they are planted in the new bytes of some splice: either carried there with their subtree, byte for byte, or fresh.
 * What is written has the line ends and the indentation of the file, without blank lines. Comments stay with what
 * follows them. */
#ifndef QUIRE_KINDS_HNPX_TREE_EDITS_H
#define QUIRE_KINDS_HNPX_TREE_EDITS_H
#include "format/splice.h"
#include "kinds/hnpx/tree/book.h"

struct planting {
	uint32_t splice;   /* whose new bytes hold it */
	uint32_t at;       /* where in them */
	uint32_t old;      /* root of a subtree that is carried along; BOOK_NONE: fresh */
	struct node fresh; /* offsets from the start of the new bytes */
};

struct edits {
	struct arena *arena;
	const struct book *book;
	ARRAY(struct splice) splices;
	ARRAY(struct planting) plantings; /* those of one splice in the order of their places */
	bool needs_parsing; /* the layout is one that shifting does not follow (a summary between reordered children) */
};

/* A node to be written. Absent members are not written. */
struct sprout {
	enum level level;
	uint32_t id;
	struct text title, location, time, pov, mode, character, summary, text;
	struct sprout *children;
	size_t n;
};

void edits_replace(struct edits *p, uint32_t from, uint32_t to, struct text with);

/* New children of `parent`, before its child number `place` (at its end when there are not so many). */
void edits_insert(struct edits *p, uint32_t parent, uint32_t place, const struct sprout *sprouts, size_t n);
void edits_remove(struct edits *p, uint32_t node);
/* Back over the blanks of a line to its start, newline included; elsewhere the place itself. */
uint32_t book_line_start(const struct book *b, uint32_t from);
/* `order` holds the parent's children, each once. */
void edits_reorder(struct edits *p, uint32_t parent, const uint32_t *order, size_t n);
/* The nodes, in this order, become children of `parent`, before its child number `place` counted without them. */
void edits_move(struct edits *p, uint32_t parent, uint32_t place, const uint32_t *nodes, size_t n);

void edits_summary(struct edits *p, uint32_t node, struct text summary);
void edits_prose(struct edits *p, uint32_t paragraph, struct text prose);      /* in the frame of the file's dialect */
void edits_prose_kept(struct edits *p, uint32_t paragraph, struct text whole); /* as it stands, without a new frame */

/* Sets (value) or removes (absent value) attributes of one node; at most one edits_attributes() a node. */
struct attribute_edit {
	const char *name;
	struct text value;
};
void edits_attributes(struct edits *p, uint32_t node, const struct attribute_edit *edits, size_t n);

/* The book of the result, in the arena, without its bytes. NULL: it must be parsed, as an edit went through markup. */
struct book *edits_book(struct edits *p, struct arena *a);

#endif
