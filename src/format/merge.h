/* merge.h: merges lists of edits, made in parallel or one after the other.
 *
 * Two parallel lists refer to the same original. If no edit of one touches an edit of the other, both can be applied:
 * each list is moved to its positions in the result of the other. */
#ifndef QUIRE_FORMAT_MERGE_H
#define QUIRE_FORMAT_MERGE_H
#include "format/splice.h"

/* Moves `mine` to the result of `theirs`; both are sorted. NULL: they touch, and *clash is the first edit of `theirs`
 * that does. */
struct splice *splice_move(struct arena *a, const struct splice *mine, size_t n, const struct splice *theirs, size_t m,
			   size_t *clash);

/* Makes one list of two: `then` refers to the result of `first`, the new list to the original. Both are sorted. Bytes
 * of `first` that `then` overwrites or removes are left out. */
struct splice *splice_then(struct arena *a, const struct splice *first, size_t n, const struct splice *then, size_t m,
			   size_t *count);

/* The edits that turn `before` into `after`: by lines in texts, by blocks in anything else. */
struct splice *splice_found(struct arena *a, struct text before, struct text after, size_t *n);
/* Compares by blocks that occur in both, in the same order. Bytes of an archive that only moved are not an edit. */
struct splice *splice_blocks(struct arena *a, struct text before, struct text after, size_t *n);

#endif
