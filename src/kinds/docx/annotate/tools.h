/* tools.h: the edits of this room that a draft can contain, and functions shared by comments and footnotes. */
#ifndef QUIRE_KINDS_DOCX_ANNOTATE_TOOLS_H
#define QUIRE_KINDS_DOCX_ANNOTATE_TOOLS_H
#include "kinds/docx/annotate/parts.h"
#include "kinds/docx/edit/tools.h"

extern const struct edit docx_add_comment, docx_delete_comment, docx_add_footnote, docx_update_footnote,
	docx_delete_footnote;

/* A run with the words. Line ends become breaks. `properties` is its w:rPr as bytes; absent: none. */
void annotation_run(struct buffer *to, const struct names *names, struct text properties, struct text words);

#endif
