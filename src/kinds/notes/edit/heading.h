/* heading.h: the heading of a note that a caller means.
 *
 * A heading is named by its text, with or without # in front, or by the end of its path: "A > B"; if none
 * has that text, by its text without markup. Of several one is named by its full path and, if need be, its number among
 * those with this path: "A > B [2]". */
#ifndef QUIRE_KINDS_NOTES_EDIT_HEADING_H
#define QUIRE_KINDS_NOTES_EDIT_HEADING_H
#include "base/call.h"
#include "kinds/notes/note/note.h"

/* An index into n->parts.headings. False: refused, with the headings there are. */
bool heading_find(struct call *c, const struct note *n, struct text asked, size_t *out);

#endif
