/* beside.h: the story bible next to a book: novel.hnpx has novel.bible.md.
 *
 * The bible is optional. A tool that can work without it calls bible_look(), which never fails. */
#ifndef QUIRE_KINDS_HNPX_BIBLE_BESIDE_H
#define QUIRE_KINDS_HNPX_BIBLE_BESIDE_H
#include "kinds/hnpx/bible/bible_edits.h"
#include "kinds/hnpx/hnpx.h"

struct beside {
	struct text path;
	struct document *document;
	const struct bible *bible; /* NULL: there is none */
};

struct text bible_path(struct arena *a, struct text book);

bool bible_open(struct call *c, struct text book, struct beside *out); /* to read; the bible may be missing */
/* The same, but a bible that cannot be read gives a warning and counts as missing. */
const struct bible *bible_look(struct call *c, struct text book);
/* The bible of a document that was opened for a change. Fails if the bytes are not text. */
bool bible_of(struct call *c, struct text path, struct document *d, struct beside *out);

/* Opens a book for a change, and its bible if there is one. A bible that may not be read is skipped with a warning. */
bool book_change_beside(struct call *c, struct text path, struct opened *o, struct beside *bible);
/* Writes both plans as one commit. */
bool book_commit_beside(struct call *c, const struct opened *o, struct edits *p, const struct beside *bible,
			const struct bible_edits *q, const char *format, ...) __attribute__((format(printf, 6, 7)));

#endif
