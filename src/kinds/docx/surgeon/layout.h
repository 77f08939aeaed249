/* layout.h: sets a paragraph's spacing and number, and removes direct formatting of its runs. Pure: bytes in, bytes
 * out. */
#ifndef QUIRE_KINDS_DOCX_SURGEON_LAYOUT_H
#define QUIRE_KINDS_DOCX_SURGEON_LAYOUT_H
#include "kinds/docx/text/atoms.h"

/* Attributes of w:spacing, in twips; -1: unchanged. */
struct spacing {
	int32_t before, after, line;
	struct text line_rule; /* auto, exact, atLeast; absent: unchanged */
};

struct text layout_spacing(struct arena *a, const struct atoms *p, const struct spacing *to);

/* Puts the paragraph into that list, at that level; num_id 0: into no list. */
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

/* Removes these properties from every run's own rPr. *runs: number of changed runs. */
struct text layout_clear(struct arena *a, const struct atoms *p, unsigned what, uint32_t *runs);

#endif
