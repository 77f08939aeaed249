/* tail.h: paragraphs that are inserted or deleted at the end of a cell, a note or the body.
 *
 * The last paragraph mark there can be neither inserted nor deleted: Word keeps it, with an empty paragraph. So the
 * marks before it are tracked instead, as in Word. If a user presses Enter at the end of a cell, the mark of the former
 * last paragraph is inserted. The new paragraph takes over the old mark and, in a record of former properties, the old
 * properties of that mark's paragraph.
 *
 * A tail is the last paragraph that stays, and all paragraphs after it. The mark of each is tracked like the next
 * paragraph; the last mark is not tracked. The mark that ends a section cannot be tracked either. If its paragraph is
 * deleted and the one before takes over the section, the two are a tail. */
#ifndef QUIRE_KINDS_DOCX_TRACK_TAIL_H
#define QUIRE_KINDS_DOCX_TRACK_TAIL_H
#include "kinds/docx/track/redline.h"

/* An absent `before` is a new paragraph, an absent `after` a deleted one; the first of a tail has both. */
struct tail_paragraph {
	struct text before, after;
};

/* Writes the bytes of each, in order. Returns false if they cannot be a tail (a section ends in another of them), or
 * are not well-formed. */
bool tail_write(struct arena *a, const struct tail_paragraph *list, size_t n, const struct names *names,
		struct stamp *stamp, struct text *out);

/* Does a section end with the paragraph that has this w:pPr? */
bool tail_has_section(struct text ppr);
/* The w:pPr element without its section; empty: nothing else was in it. */
struct text tail_without_section(struct arena *a, struct text ppr, const struct names *names);

/* Do the bytes at `at` close a cell, a note or a text box, end the body, or begin a table? Then the paragraph mark
 * before has no next paragraph to join. Marks between paragraphs are skipped. */
bool tail_ends(struct text bytes, size_t at, const struct names *names);
/* Are there only marks between the two places? */
bool tail_touches(struct text bytes, size_t from, size_t to, const struct names *names);

#endif
