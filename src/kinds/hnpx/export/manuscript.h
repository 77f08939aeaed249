/* manuscript.h: a book in forms for readers: Markdown, plain text, HTML, EPUB 3, DOCX.
 *
 * manuscript_walk() goes through the book once and passes to the form what it prints: chapters, scene breaks, typeset
 * blocks (typeset.h) and, if requested, marks for unwritten parts. A form is a table of four functions. */
#ifndef QUIRE_KINDS_HNPX_EXPORT_MANUSCRIPT_H
#define QUIRE_KINDS_HNPX_EXPORT_MANUSCRIPT_H
#include "base/call.h"
#include "kinds/hnpx/tree/book.h"
#include "kinds/hnpx/export/picture.h"
#include "kinds/hnpx/prose/typeset.h"

enum chapter_numbers { NUMBERS_NONE, NUMBERS_ARABIC, NUMBERS_WORDS };

struct manuscript {
	const struct book *book;
	struct text title, author, language; /* author is optional */
	enum chapter_numbers numbers;
	bool marks_unwritten; /* otherwise chapters without words are left out */
	struct text cover;    /* bytes of a picture; absent: none */
	struct picture picture;
};

struct form {
	void (*chapter)(void *to, uint32_t chapter, struct text heading);
	void (*scene_break)(void *to);
	void (*block)(void *to, const struct type_block *block);
	void (*unwritten)(void *to, struct text summary);
};

/* The whole book, or one chapter of it. */
void manuscript_walk(struct arena *a, const struct manuscript *m, uint32_t top, const struct form *form, void *to);
struct text manuscript_heading(struct arena *a, const struct manuscript *m, uint32_t chapter);
bool manuscript_has(const struct manuscript *m, uint32_t chapter); /* false: left out because it has no words */
const char *cover_name(const struct manuscript *m);                /* "cover.png" or "cover.jpg" */
/* A title of several lines as one. */
struct text one_line(struct arena *a, struct text title);

struct text manuscript_markdown(struct arena *a, const struct manuscript *m);
struct text manuscript_text(struct arena *a, const struct manuscript *m);
struct text manuscript_html(struct arena *a, const struct manuscript *m);
struct text manuscript_epub(struct arena *a, const struct manuscript *m);
struct text manuscript_docx(struct arena *a, const struct manuscript *m);

/* Number of words of prose, for the result and the title page of a manuscript. */
size_t manuscript_words(const struct book *b);

#endif
