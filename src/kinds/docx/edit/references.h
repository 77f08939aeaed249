/* references.h: cross-references and defined terms that a person must check after an edit. */
#ifndef QUIRE_KINDS_DOCX_EDIT_REFERENCES_H
#define QUIRE_KINDS_DOCX_EDIT_REFERENCES_H
#include "base/array.h"
#include "kinds/docx/style/numbering.h"

/* Terms whose definition an edit removed. */
struct lost_terms {
	ARRAY(struct text) list;
};
/* Adds the terms that the text defined before and does not define now. */
void references_lost(struct call *c, struct text before, struct text after, struct lost_terms *to);
/* Called after all edits of a call. Warns of terms that are still used but defined nowhere else. `where` says where
 * they were defined. */
void references_warn_lost(struct call *c, const struct story *body, const struct lost_terms *lost, const char *where);

/* Called after a paragraph was deleted. Warns of fields and links to its bookmarks, which moved to a neighbour, and of
 * list numbers that changed. */
void references_warn_deletion(struct call *c, const struct numbering *n, const struct story *s, uint32_t p);
/* After a numbered paragraph was added or deleted: warns that fields show old numbers until Word updates them. */
void references_warn_numbers(struct call *c, const struct numbering *n, const struct story *s, uint32_t p);

#endif
