/* header.h: finds a run-in header: emphasised words at the start of a paragraph that name it. */
#ifndef QUIRE_KINDS_DOCX_READ_HEADER_H
#define QUIRE_KINDS_DOCX_READ_HEADER_H
#include "kinds/docx/read/row.h"

/* Sets header and body if there is a header. */
void header_find(struct row *r);
/* Is all the text after the label emphasised or in capitals, and short? Then the paragraph is a heading by itself. */
bool header_is_whole(const struct row *r);

#endif
