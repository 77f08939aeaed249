/* section.h: a place in a note's text, found by heading, block or exact words, and an edit there.
 *
 * If the place is not found, the error lists the places that exist. Text is never put anywhere else instead. Front
 * matter is never changed. */
#ifndef QUIRE_KINDS_NOTES_EDIT_SECTION_H
#define QUIRE_KINDS_NOTES_EDIT_SECTION_H
#include "kinds/notes/edit/front.h"

enum operation { OPERATION_APPEND, OPERATION_PREPEND, OPERATION_REPLACE, OPERATION_INSERT };

struct section_edit {
	enum operation operation;
	struct text heading, block, text; /* at most one is given; none: the whole note */
	struct text content;
};

/* The section below a heading, with its heading, or a block. One of the two is given. */
bool section_find(struct call *c, const struct note *n, struct text heading, struct text block, struct span *out);

bool section_change(struct call *c, const struct note *n, const struct section_edit *e, struct edits *out);

#endif
