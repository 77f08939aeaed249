/* splice.h: edits to bytes, applied at once.
 *
 * An edit replaces the range [from, to) of the original by new bytes. Ranges refer to the original, never to each
 * other's results, so the order in which edits are made does not matter, but for insertions at one place, which
 * stay in the order given. Two edits may touch but not overlap: an overlap is a bug of the caller and asserts. Bytes in
 * no range are copied as they are. */
#ifndef QUIRE_FORMAT_SPLICE_H
#define QUIRE_FORMAT_SPLICE_H
#include "base/buffer.h"

struct splice {
	uint32_t from, to;
	struct text with;
};

/* In order of place, in the arena; asserts that none overlaps and all lie within `len`. */
struct splice *splice_sorted(struct arena *a, const struct splice *edits, size_t n, size_t len);

struct text splice_apply(struct arena *a, struct text original, const struct splice *edits, size_t n);

/* The result without building it: what stays, lent by the original, and what is new, in their order. At least one. */
struct pieces {
	struct text *items;
	size_t n;
	size_t len; /* of all of them */
};
struct pieces splice_pieces(struct arena *a, struct text original, const struct splice *edits, size_t n);
void pieces_join(struct pieces p, char *to); /* with a NUL behind */

/* The result in the place of the original, whose memory has room for it and a NUL. The edits are sorted, and their
 * bytes stand elsewhere. */
void splice_within(char *bytes, size_t len, const struct splice *sorted, size_t n);

/* The few edits that turn `before` into `after`, found line by line; for whole bytes handed in, and for diffs. */
struct splice *splice_between(struct arena *a, struct text before, struct text after, size_t *n);

/* A unified diff of two texts for people and models, with `context` lines around each change. */
struct text splice_diff(struct arena *a, struct text before, struct text after, const char *name, unsigned context);

/* As bytes, for the history. Reading checks everything: a damaged record is refused, never applied. */
void splice_pack(struct buffer *to, const struct splice *edits, size_t n);
struct splice *splice_unpack(struct arena *a, struct text packed, size_t *n); /* NULL: damaged */

#endif
