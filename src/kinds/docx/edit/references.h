/* references.h: cross-references and defined terms that an edit leaves behind: what a person would have to check. */
#ifndef QUIRE_KINDS_DOCX_EDIT_REFERENCES_H
#define QUIRE_KINDS_DOCX_EDIT_REFERENCES_H
#include "kinds/docx/style/numbering.h"

/* After a paragraph went: warns of fields and links that pointed to its bookmarks, which are a neighbour's now, of
 * terms that it defined, and of numbers that moved. */
void references_warn_deletion(struct call *c, const struct numbering *n, const struct story *s, uint32_t p);
/* After a numbered paragraph came or went: warns that fields show old numbers until Word updates them. */
void references_warn_numbers(struct call *c, const struct numbering *n, const struct story *s, uint32_t p);

#endif
