/* inline.h: the words of a Markdown block as prose of a book.
 *
 * Escapes, character references and the tags em, strong, i, b and br are read. Emphasis stays light markup. A block
 * without any of them stays as typed. */
#ifndef QUIRE_KINDS_HNPX_IMPORT_INLINE_H
#define QUIRE_KINDS_HNPX_IMPORT_INLINE_H
#include "base/text.h"

struct text inline_prose(struct arena *a, struct text markdown);
struct text inline_title(struct arena *a, struct text markdown); /* without emphasis */

#endif
