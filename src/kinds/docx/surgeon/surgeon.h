/* surgeon.h: replaces a range of a paragraph's text like a careful person in Word.
 *
 * Only differences are changed. The old and the new text are compared by words; unchanged words keep their runs. A
 * change across runs with different looks is divided among them. A change that would split a link, a content control or
 * a field is refused; the error names the place and the longest part that can be changed.
 *
 *	struct surgery s = {.p = &atoms, .at = match, .new = markup};
 *	surgeon_compare(a, &s);             what changes: s.hunks
 *	... looks of roles are put into s.new ...
 *	surgeon_operate(c, &s, &fragment)   the new bytes, or a refusal
 *
 * Pure: changes only the struct. */
#ifndef QUIRE_KINDS_DOCX_SURGEON_SURGEON_H
#define QUIRE_KINDS_DOCX_SURGEON_SURGEON_H
#include "kinds/docx/surgeon/hunks.h"
#include "kinds/docx/surgeon/markup.h"

struct surgery {
	const struct atoms *p;
	struct match at;
	struct markup new;
	bool allow_field_result; /* change text that Word will compute again */
	struct runes text;       /* the paragraph's text; set by surgeon_compare() if missing */
	/* Set by surgeon_compare(): */
	struct hunks hunks;  /* old side: offsets in the paragraph; new side: in `new` */
	bool is_placeholder; /* the whole match is a highlighted placeholder */
};

void surgeon_compare(struct arena *a, struct surgery *s);
/* Joins several compared surgeries of one paragraph, in order and not overlapping. The text between them is
 * unchanged. */
struct surgery surgeon_join(struct arena *a, const struct surgery *list, size_t n);
bool surgeon_changes(const struct surgery *s, uint32_t new_from, uint32_t new_to); /* does a hunk put text there? */
bool surgeon_operate(struct call *c, const struct surgery *s, struct text *out);

/* Writes the first text of an empty paragraph. */
bool surgeon_fill(struct call *c, const struct atoms *p, const struct markup *new, struct text *out);

/* Divides `total` new characters in proportion to `old`, without regard to words: n - 1 cuts. */
void surgeon_shares(const uint32_t *old, size_t n, uint32_t total, uint32_t *cuts);

#endif
