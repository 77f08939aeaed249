/* xhtml.h: the body of a book as XHTML, which is valid HTML too: for EPUB and for a page of its own. */
#ifndef QUIRE_KINDS_HNPX_EXPORT_XHTML_H
#define QUIRE_KINDS_HNPX_EXPORT_XHTML_H
#include "base/buffer.h"
#include "kinds/hnpx/export/manuscript.h"

struct xhtml {
	struct buffer out;
	const char *heading; /* the element of chapter titles: "h1" or "h2" */
};

extern const struct form xhtml_form; /* takes a struct xhtml */
extern const char book_style[];      /* the rules of a style sheet that all of it shares */

void xhtml_add(struct buffer *to, struct text words);               /* escaped */
void xhtml_language(struct buffer *to, const struct manuscript *m); /* lang and dir attributes' values */
bool is_right_to_left(struct text language);

#endif
