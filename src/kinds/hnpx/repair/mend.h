/* mend.h: the bytes of a broken book as a valid one.
 *
 * Each pass mends what it sees and leaves the inside of what it moved or wrapped to the next, until nothing is wrong.
 * No word is dropped: what has no place becomes a comment before the element it stood on. */
#ifndef QUIRE_KINDS_HNPX_REPAIR_MEND_H
#define QUIRE_KINDS_HNPX_REPAIR_MEND_H
#include "base/array.h"
#include "base/error.h"
#include "base/text.h"

struct mended {
	uint32_t line; /* in the bytes given; 0: in what an earlier repair made */
	struct text sentence;
};
struct mends {
	struct text bytes;
	ARRAY(struct mended) list;
};

/* False: the bytes are no XML, or their root is no book; the error says which. */
bool mend_book(struct arena *a, struct text bytes, struct mends *out, struct error *error);

#endif
