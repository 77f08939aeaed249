/* anchor.h: inserts marks between the characters of a paragraph, and removes them. */
#ifndef QUIRE_KINDS_DOCX_ANNOTATE_ANCHOR_H
#define QUIRE_KINDS_DOCX_ANNOTATE_ANCHOR_H
#include "kinds/docx/session/session.h"

/* The place of `words` in the paragraph's visible text, in code points. They must occur once. Fails with TEXT_NOT_FOUND
 * or MULTIPLE_MATCHES. */
bool anchor_find(struct call *c, const struct story *s, uint32_t p, struct text words, uint32_t *from, uint32_t *to);

/* Inserts the bytes before the character at `at`. Splits the run if necessary. */
bool anchor_put(struct call *c, struct story *s, uint32_t p, uint32_t at, struct text bytes);

/* Removes every mark of comment `id` (ranges and references), or the reference to footnote `id`. Returns whether there
 * was one. */
bool anchor_take(struct call *c, struct story *s, uint32_t p, bool is_comment, int32_t id);
/* The ids of comment references, or footnote references, in a paragraph, in order. */
size_t anchor_ids(struct call *c, const struct story *s, uint32_t p, bool is_comment, int32_t **out);

#endif
