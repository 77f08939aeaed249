/* node.h: a row with all its facts, as JSON. */
#ifndef QUIRE_KINDS_DOCX_READ_NODE_H
#define QUIRE_KINDS_DOCX_READ_NODE_H
#include "kinds/docx/read/view.h"

/* The style column: the style's name, or the cell: th(row,col), td(row,col). */
struct text node_style(struct call *c, struct session *s, const struct row *r);
void node_put(struct call *c, struct session *s, struct row *r, bool with_tags, uint8_t base, struct text text,
	      struct buffer *to);

#endif
