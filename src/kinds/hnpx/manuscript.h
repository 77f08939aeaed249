/* manuscript.h: a book in forms for readers: Markdown, EPUB 3.
 *
 * A paragraph of the book becomes one paragraph of the reader's, or several where its prose has empty lines. Dialogue
 * gets the quotation marks of the language unless it brings its own; a thought is set in italics. */
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

/* Prose to be set: what is not yet read of it, and what stands around each part. */
struct passage {
	struct text rest;
	const char *open, *close; /* quotation marks, or nothing; each part opens, the last one closes */
	bool is_thought;
};
struct passage passage_of(struct arena *a, const struct manuscript *m, uint32_t paragraph);
bool passage_next(struct passage *p, struct text *part); /* the lines up to the next empty one */
bool line_next(struct text *part, struct text *line);    /* without the blanks around it */

#endif
