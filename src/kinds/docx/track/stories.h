/* stories.h: compares all parts of two documents that have text, not only the body: headers, footers, footnotes and
 * endnotes. (Comments and new notes: notes.h.) */
#ifndef QUIRE_KINDS_DOCX_TRACK_STORIES_H
#define QUIRE_KINDS_DOCX_TRACK_STORIES_H
#include "kinds/docx/track/compare.h"

/* Compares the headers and footers that are at the same place in both. Changed parts are added to the carry. */
bool stories_headers(struct call *c, struct text original, struct text revised, struct carry *carry,
		     struct notes *notes, struct stamp *stamp, struct comparison *counts);
/* Compares the pairs of footnotes and endnotes. Call it after the parts that refer to them were compared. */
bool stories_notes(struct call *c, struct carry *carry, struct notes *notes, struct stamp *stamp,
		   struct comparison *counts);

#endif
