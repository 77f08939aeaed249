/* applied.h: applies edits like the workspace: the resulting bytes, and the book on them. */
#ifndef QUIRE_TEST_HNPX_APPLIED_H
#define QUIRE_TEST_HNPX_APPLIED_H
#include "kinds/hnpx/tree/edits.h"

#include <stdlib.h>

static inline struct book *edits_applied(struct edits *e, struct arena *a)
{
	struct text bytes = splice_apply(a, e->book->bytes, e->splices.items, e->splices.n);
	struct book *book = edits_book(e, a);

	if (!book)
		book = book_parse(a, bytes, NULL, &(struct error){0});
	if (!book)
		abort();
	book->bytes = bytes;
	return book;
}

#endif
