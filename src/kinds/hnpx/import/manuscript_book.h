/* manuscript_book.h: the parts of a manuscript as a new book, with fresh ids and first words for summaries. */
#ifndef QUIRE_KINDS_HNPX_IMPORT_MANUSCRIPT_BOOK_H
#define QUIRE_KINDS_HNPX_IMPORT_MANUSCRIPT_BOOK_H
#include "kinds/hnpx/import/manuscript_read.h"

/* *root: the id of the book. The words must be such as XML can hold. */
struct text manuscript_book(struct arena *a, const struct manuscript_parts *m, struct text *root);

#endif
