/* edits.h: a planned edit of a book: splices, and their effect on the nodes.
 *
 * Bytes outside the splices cannot change. The resulting book is made from the old one by shifting offsets, so a write
 * needs no parsing. Nodes outside all splices move. Nodes inside a replaced range are removed, unless they are planted
 * in the new bytes of a splice: either moved there with their subtree, byte for byte, or fresh. New text has the line
 * ends and the indentation of the file, without blank lines. Comments stay with the node that follows them. */
#ifndef QUIRE_KINDS_HNPX_TREE_EDITS_H
#define QUIRE_KINDS_HNPX_TREE_EDITS_H
#include "format/splice.h"
#include "kinds/hnpx/tree/book.h"

struct planting {
	uint32_t splice;   /* the splice whose new bytes contain it */
	uint32_t at;       /* offset in these bytes */
	uint32_t old;      /* root of a moved subtree; BOOK_NONE: fresh */
	struct node fresh; /* offsets from the start of the new bytes */
};

struct edits {
	struct arena *arena;
	const struct book *book;
	ARRAY(struct splice) splices;
	ARRAY(struct planting) plantings; /* those of one splice are in order */
	bool needs_parsing; /* shifting does not support this layout (a summary between reordered children) */
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

/* Inserts new children of `parent` before its child number `place`, or at the end if it has fewer. */
void edits_insert(struct edits *p, uint32_t parent, uint32_t place, const struct sprout *sprouts, size_t n);
void edits_remove(struct edits *p, uint32_t node);
/* Goes back over the blanks at the start of a line, including the newline. Elsewhere returns the place itself. */
uint32_t book_line_start(const struct book *b, uint32_t from);
/* `order` contains each of the parent's children once. */
void edits_reorder(struct edits *p, uint32_t parent, const uint32_t *order, size_t n);
/* Moves the nodes, in this order, to `parent`, before its child number `place`, counted without them. */
void edits_move(struct edits *p, uint32_t parent, uint32_t place, const uint32_t *nodes, size_t n);

void edits_summary(struct edits *p, uint32_t node, struct text summary);
void edits_prose(struct edits *p, uint32_t paragraph, struct text prose);      /* in the frame of the file's dialect */
void edits_prose_kept(struct edits *p, uint32_t paragraph, struct text whole); /* as it is, without a new frame */

/* Sets attributes of one node, or removes them if the value is absent. At most one edits_attributes() per node. */
struct attribute_edit {
	const char *name;
	struct text value;
};
void edits_attributes(struct edits *p, uint32_t node, const struct attribute_edit *edits, size_t n);

/* The resulting book, in the arena, without its bytes. NULL: it must be parsed, because an edit changed markup. */
struct book *edits_book(struct edits *p, struct arena *a);

#endif
