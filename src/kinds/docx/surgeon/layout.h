/* layout.h: a paragraph's spacing and number, and its runs without formatting of their own. Pure: bytes in, bytes out.
 */
#ifndef QUIRE_KINDS_DOCX_SURGEON_LAYOUT_H
#define QUIRE_KINDS_DOCX_SURGEON_LAYOUT_H
#include "kinds/docx/text/atoms.h"

/* Attributes of w:spacing, in twips; -1: as it is. */
struct spacing {
	int32_t before, after, line;
	struct text line_rule; /* auto, exact, atLeast; absent: as it is */
};

struct text layout_spacing(struct arena *a, const struct atoms *p, const struct spacing *to);

/* The paragraph in that list, at that level; num_id 0: in none. */
struct text layout_numbering(struct arena *a, const struct atoms *p, int32_t num_id, int level);

enum clear_flags {
	CLEAR_BOLD = 1,
	CLEAR_ITALIC = 2,
	CLEAR_UNDERLINE = 4,
	CLEAR_HIGHLIGHT = 8,
	CLEAR_COLOR = 16,
	CLEAR_FONT = 32,
	CLEAR_SIZE = 64,
	CLEAR_ALL = 127
};

/* Takes these properties off every run's own rPr. *runs: how many changed. */
struct text layout_clear(struct arena *a, const struct atoms *p, unsigned what, uint32_t *runs);

#endif
