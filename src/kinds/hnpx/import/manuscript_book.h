/* manuscript_book.h: writes the parts of a manuscript as a new book, with new ids and with first words as summaries. */
#ifndef QUIRE_KINDS_HNPX_IMPORT_MANUSCRIPT_BOOK_H
#define QUIRE_KINDS_HNPX_IMPORT_MANUSCRIPT_BOOK_H
#include "kinds/hnpx/import/manuscript_read.h"

/* *root: the id of the book. XML must be able to contain the words. */
struct text manuscript_book(struct arena *a, const struct manuscript_parts *m, struct text *root);

#endif
