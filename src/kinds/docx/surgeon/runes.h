/* runes.h: a text as code points, with the byte offset of each.
 *
 * Offsets of matches and edits count code points. A cluster (a letter and its combining marks, an emoji sequence) is
 * never split: runes_may_cut() says where a text may be cut. */
#ifndef QUIRE_KINDS_DOCX_SURGEON_RUNES_H
#define QUIRE_KINDS_DOCX_SURGEON_RUNES_H
#include "base/text.h"

struct runes {
	struct text text;
	uint32_t *at;   /* n code points */
	uint32_t *byte; /* n + 1 offsets into the text */
	uint32_t n;
};

struct runes runes_of(struct arena *a, struct text t); /* the text is well-formed UTF-8 */
struct text runes_slice(const struct runes *r, uint32_t from, uint32_t to);
bool runes_may_cut(const struct runes *r, uint32_t at); /* between at - 1 and at */
bool rune_is_blank(uint32_t c);                         /* white space, including NBSP and similar */
bool rune_is_double_quote(uint32_t c);
bool rune_is_single_quote(uint32_t c);
/* Does a word begin, or end, between at - 1 and at? */
bool runes_word_edge(const struct runes *r, uint32_t at);

#endif
