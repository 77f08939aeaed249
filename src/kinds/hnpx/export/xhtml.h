/* xhtml.h: the body of a book as XHTML that is also valid HTML, for EPUB and for a single page. */
#ifndef QUIRE_KINDS_HNPX_EXPORT_XHTML_H
#define QUIRE_KINDS_HNPX_EXPORT_XHTML_H
#include "base/buffer.h"
#include "kinds/hnpx/export/manuscript.h"

struct xhtml {
	struct buffer out;
	const char *heading; /* the element of chapter titles: "h1" or "h2" */
};

extern const struct form xhtml_form; /* takes a struct xhtml */
extern const char book_style[];      /* the shared style sheet */

void xhtml_add(struct buffer *to, struct text words);               /* escaped */
void xhtml_language(struct buffer *to, const struct manuscript *m); /* the values of the lang and dir attributes */
bool is_right_to_left(struct text language);

#endif
