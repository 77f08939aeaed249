/* mend.h: repairs the bytes of a broken book.
 *
 * Each pass repairs what it can and leaves the content of moved or wrapped elements to the next pass, until nothing is
 * wrong. No word is dropped: misplaced content becomes a comment before its element. */
#ifndef QUIRE_KINDS_HNPX_REPAIR_MEND_H
#define QUIRE_KINDS_HNPX_REPAIR_MEND_H
#include "base/array.h"
#include "base/error.h"
#include "base/text.h"

struct mended {
	uint32_t line; /* in the given bytes; 0: in the result of an earlier pass */
	struct text sentence;
};
struct mends {
	struct text bytes;
	ARRAY(struct mended) list;
	size_t more;  /* mends that are not listed */
	size_t first; /* the offset of the first bare character that rough_escape() mended */
};

/* Fails if the bytes are not XML, or if the root is not a book. */
bool mend_book(struct arena *a, struct text bytes, struct mends *out, struct error *error);

#endif
