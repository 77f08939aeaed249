/* surgeon.h: replacing a range of a paragraph's text as a careful person would in Word.
 *
 * Only what differs is touched: the old and the new text are compared by words, unchanged words keep their runs, and a
 * change that spans runs of different looks is shared out among them. A change that would tear a link, a content
 * control or a field apart is refused; the refusal names the place and the longest part that can be changed.
 *
 *	struct surgery s = {.p = &atoms, .at = match, .new = markup};
 *	surgeon_compare(a, &s);             what changes: s.hunks
 *	... looks of roles are put into s.new ...
 *	surgeon_operate(c, &s, &fragment)   the new bytes, or a refusal
 *
 * Pure: nothing is changed but the struct. */
#ifndef QUIRE_KINDS_DOCX_SURGEON_SURGEON_H
#define QUIRE_KINDS_DOCX_SURGEON_SURGEON_H
#include "kinds/docx/surgeon/hunks.h"
#include "kinds/docx/surgeon/markup.h"

struct surgery {
	const struct atoms *p;
	struct match at;
	struct markup new;
	bool allow_field_result; /* change text that Word will compute anew */
	struct runes text;       /* the paragraph's; made by surgeon_compare() where it is not there yet */
	/* Made by surgeon_compare(): */
	struct hunks hunks;  /* old side: offsets in the paragraph; new side: in `new` */
	bool is_placeholder; /* the whole match is a highlighted blank */
};

void surgeon_compare(struct arena *a, struct surgery *s);
/* Several compared ones of one paragraph, in order and apart, as one: what stands between them stays. */
struct surgery surgeon_join(struct arena *a, const struct surgery *list, size_t n);
bool surgeon_changes(const struct surgery *s, uint32_t new_from, uint32_t new_to); /* does a hunk put text there? */
bool surgeon_operate(struct call *c, const struct surgery *s, struct text *out);

/* The first text of a paragraph that has none. */
bool surgeon_fill(struct call *c, const struct atoms *p, const struct markup *new, struct text *out);

/* Where `total` new characters are cut for shares in proportion to `old`, before words are minded: n - 1 cuts. */
void surgeon_shares(const uint32_t *old, size_t n, uint32_t total, uint32_t *cuts);

#endif
