/* heading.h: the heading of a note that a caller means.
 *
 * A caller names a heading by its text, with or without a leading #, or by the end of its path: "A > B". If no heading
 * has that text, text without markup is compared. If several match, the full path selects one; if several have the same
 * path, a number does: "A > B [2]". */
#ifndef QUIRE_KINDS_NOTES_EDIT_HEADING_H
#define QUIRE_KINDS_NOTES_EDIT_HEADING_H
#include "base/call.h"
#include "kinds/notes/note/note.h"

/* Sets an index into n->parts.headings. On failure the error lists the headings of the note. */
bool heading_find(struct call *c, const struct note *n, struct text asked, size_t *out);

#endif
