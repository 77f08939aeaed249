/* manuscript.h: a book in forms for readers: Markdown, plain text, HTML, EPUB 3, DOCX.
 *
 * manuscript_walk() goes through the book once and hands each form what it prints: chapters, scene breaks, blocks of
 * set type (typeset.h) and, where wanted, marks for what is unwritten. A form is a table of four functions. */
#ifndef QUIRE_KINDS_HNPX_EXPORT_MANUSCRIPT_H
#define QUIRE_KINDS_HNPX_EXPORT_MANUSCRIPT_H
#include "base/call.h"
#include "kinds/hnpx/tree/book.h"
#include "kinds/hnpx/export/picture.h"
#include "kinds/hnpx/export/typeset.h"

enum chapter_numbers { NUMBERS_NONE, NUMBERS_ARABIC, NUMBERS_WORDS };

struct manuscript {
	const struct book *book;
	struct text title, author, language; /* author may be absent */
	enum chapter_numbers numbers;
	bool marks_unwritten; /* else chapters without a word are left out */
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
bool manuscript_has(const struct manuscript *m, uint32_t chapter); /* false: left out, as it has no words */
const char *cover_name(const struct manuscript *m);                /* "cover.png" or "cover.jpg" */
/* A title of several lines as one. */
struct text one_line(struct arena *a, struct text title);

struct text manuscript_markdown(struct arena *a, const struct manuscript *m);
struct text manuscript_text(struct arena *a, const struct manuscript *m);
struct text manuscript_html(struct arena *a, const struct manuscript *m);
struct text manuscript_epub(struct arena *a, const struct manuscript *m);
struct text manuscript_docx(struct arena *a, const struct manuscript *m);

/* Words of prose, for the answer and the title page of a manuscript. */
size_t manuscript_words(const struct book *b);

#endif
