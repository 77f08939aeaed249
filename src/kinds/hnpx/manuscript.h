/* manuscript.h: a book in forms for readers: Markdown, EPUB 3. */
#ifndef QUIRE_KINDS_HNPX_MANUSCRIPT_H
#define QUIRE_KINDS_HNPX_MANUSCRIPT_H
#include "base/call.h"
#include "kinds/hnpx/book.h"

struct manuscript {
	const struct book *book;
	struct text title, author, language; /* author may be absent */
};

struct text manuscript_markdown(struct arena *a, const struct manuscript *m);
struct text manuscript_epub(struct arena *a, const struct manuscript *m);

/* Quotation marks of the language for dialogue that brings none: “ ” or « » or „ “. */
struct quotes {
	const char *open, *close;
};
struct quotes quotes_for(struct text language);

#endif
