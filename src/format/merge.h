/* merge.h: edits made beside one another, and after one another.
 *
 * Two lists of edits refer to the same original. If no edit of one touches an edit of the other, both can be had: each
 * is then moved to where its place is after the other. */
#ifndef QUIRE_FORMAT_MERGE_H
#define QUIRE_FORMAT_MERGE_H
#include "format/splice.h"

/* What `mine` means in the result of `theirs`; both are sorted. NULL: they touch, and *clash is the first of `theirs`
 * that does. */
struct splice *splice_move(struct arena *a, const struct splice *mine, size_t n, const struct splice *theirs, size_t m,
			   size_t *clash);

/* One list for two made one after the other: `then` refers to the result of `first`, and the list to the original. Both
 * are sorted; bytes that `then` overwrites or removes again are in it no more. */
struct splice *splice_then(struct arena *a, const struct splice *first, size_t n, const struct splice *then, size_t m,
			   size_t *count);

/* The edits that turn `before` into `after`: by lines in texts, by blocks in anything else. */
struct splice *splice_found(struct arena *a, struct text before, struct text after, size_t *n);
/* By blocks that occur in both, in the same order: what moved by a few bytes in an archive is not an edit. */
struct splice *splice_blocks(struct arena *a, struct text before, struct text after, size_t *n);

#endif
