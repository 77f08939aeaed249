/* doc.h: formatting for generated pages: Markdown cells and wrapped lines. */
#ifndef QUIRE_TOOL_DOC_H
#define QUIRE_TOOL_DOC_H
#include "base/buffer.h"

enum { DOC_COLUMNS = 80 };

void doc_cell(struct buffer *to, const char *prose); /* one cell of a table: no line breaks, bars escaped */
/* Wraps the prose to lines of at most DOC_COLUMNS, each indented by `indent` blanks. Line breaks in the prose are
 * kept. */
void doc_wrap(struct buffer *to, const char *prose, size_t indent);

#endif
