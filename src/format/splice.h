/* splice.h: edits to bytes, applied at once.
 *
 * An edit replaces the range [from, to) of the original by new bytes. Ranges refer to the original, never to each
 * other's results, so the order of edits does not matter. Only insertions at the same position keep the order given.
 * Two edits may touch but not overlap: an overlap is a bug of the caller and asserts. Bytes in no range are copied as
 * they are. */
#ifndef QUIRE_FORMAT_SPLICE_H
#define QUIRE_FORMAT_SPLICE_H
#include "base/buffer.h"

struct splice {
	uint32_t from, to;
	struct text with;
};

/* Sorted by position, in the arena; asserts that no edits overlap and that all are within `len`. */
struct splice *splice_sorted(struct arena *a, const struct splice *edits, size_t n, size_t len);

struct text splice_apply(struct arena *a, struct text original, const struct splice *edits, size_t n);

/* The result without building it: kept bytes, borrowed from the original, and new bytes, in order. At least one
 * piece. */
struct pieces {
	struct text *items;
	size_t n;
	size_t len; /* total length */
};
struct pieces splice_pieces(struct arena *a, struct text original, const struct splice *edits, size_t n);
void pieces_join(struct pieces p, char *to); /* adds a NUL at the end */

/* Applies the edits in place. The memory has room for the result and a NUL. The edits are sorted, and their bytes are
 * elsewhere. */
void splice_within(char *bytes, size_t len, const struct splice *sorted, size_t n);

/* The edits that turn `before` into `after`, found line by line; for whole documents passed in, and for diffs. */
struct splice *splice_between(struct arena *a, struct text before, struct text after, size_t *n);

/* A unified diff of two texts for people and models, with `context` lines around each change. */
struct text splice_diff(struct arena *a, struct text before, struct text after, const char *name, unsigned context);

/* Packs edits as bytes, for the history. Unpacking checks everything: a damaged record is refused, never applied. */
void splice_pack(struct buffer *to, const struct splice *edits, size_t n);
struct splice *splice_unpack(struct arena *a, struct text packed, size_t *n); /* NULL: damaged */

#endif
