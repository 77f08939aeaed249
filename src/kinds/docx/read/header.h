/* header.h: the words at the start of a paragraph that stand out and name it; the row's own. */
#ifndef QUIRE_KINDS_DOCX_READ_HEADER_H
#define QUIRE_KINDS_DOCX_READ_HEADER_H
#include "kinds/docx/read/row.h"

/* Sets header and body where there is one. */
void header_find(struct row *r);

#endif
