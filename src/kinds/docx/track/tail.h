/* tail.h: paragraphs that come and go at the end of a cell, a note or the body.
 *
 * The last paragraph mark there can be neither inserted nor deleted: Word keeps it, and an empty paragraph with it. So
 * the marks before it are tracked instead, as Word itself does it. Someone who presses Enter at the end of a cell
 * inserts the mark of the paragraph that was the last one; the new paragraph takes over the old mark, and with it, in a
 * record of former properties, what that mark's paragraph looked like.
 *
 * A tail is the last paragraph that stays, and all behind it. Each one's mark is tracked as the next paragraph is, and
 * the last one's not at all. The mark that ends a section cannot be tracked either: where its paragraph goes, and the
 * one before takes the section over, the two are a tail. */
#ifndef QUIRE_KINDS_DOCX_TRACK_TAIL_H
#define QUIRE_KINDS_DOCX_TRACK_TAIL_H
#include "kinds/docx/track/redline.h"

/* An absent `before` is a new paragraph, an absent `after` a deleted one; the first of a tail has both. */
struct tail_paragraph {
	struct text before, after;
};

/* The bytes of each, in order. False: they cannot be a tail (a section ends in another of them), or are not
 * well-formed. */
bool tail_write(struct arena *a, const struct tail_paragraph *list, size_t n, const struct names *names,
		struct stamp *stamp, struct text *out);

/* Does a section end with this paragraph, by its w:pPr? And that element without it; empty: it held nothing else. */
bool tail_has_section(struct text ppr);
struct text tail_without_section(struct arena *a, struct text ppr, const struct names *names);

/* Do the bytes from `at` on close a cell, a note or a text box, end the body, or begin a table? The mark before that
 * has no next paragraph to join. Marks between paragraphs do not count. */
bool tail_ends(struct text bytes, size_t at, const struct names *names);
/* Is there nothing but marks between the two places? */
bool tail_touches(struct text bytes, size_t from, size_t to, const struct names *names);

#endif
