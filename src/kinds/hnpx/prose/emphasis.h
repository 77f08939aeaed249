/* emphasis.h: which stars and underlines of a text are emphasis, by the rules of CommonMark.
 *
 * The prose of a book has light markup: *italics*, _italics_, **bold**; \* and \_ are an ordinary star and underline.
 * Everything else, a backslash too, is as typed. In prose a star between two word characters of which one is a digit is
 * a multiplication sign: 2*3*4. In Markdown a backslash escapes all ASCII punctuation, and code spans have no emphasis.
 *
 * The text is one paragraph. Reading takes linear time. */
#ifndef QUIRE_KINDS_HNPX_PROSE_EMPHASIS_H
#define QUIRE_KINDS_HNPX_PROSE_EMPHASIS_H
#include "base/array.h"
#include "base/text.h"

enum emphasis_dialect {
	EMPHASIS_ESCAPES = 1, /* Markdown: escapes of all punctuation, code spans */
	EMPHASIS_TIMES = 2,   /* stars beside digits are multiplication signs */
	EMPHASIS_PROSE = EMPHASIS_TIMES,
	EMPHASIS_MARKDOWN = EMPHASIS_ESCAPES,
	EMPHASIS_IMPORTED = EMPHASIS_ESCAPES | EMPHASIS_TIMES
};

/* Bytes of the text that are markup. They are not shown. */
struct emphasis_mark {
	uint32_t at, pair; /* the two marks of a pair have the same number; 0: an escape */
	uint8_t len;       /* of emphasis: 1 italics, 2 bold */
	bool opens;
};
struct emphasis {
	ARRAY(struct emphasis_mark) marks; /* in the order of the text */
};

void emphasis_find(struct arena *a, struct text t, enum emphasis_dialect dialect, struct emphasis *out);

/* Is the whole text inside one pair? */
bool emphasis_is_whole(struct text t, const struct emphasis *e);

/* A text without markup, and for each byte how it looks. */
enum look { LOOK_ITALIC = 1, LOOK_BOLD = 2 };
struct looks {
	struct text words;
	uint8_t *look; /* as long as the words */
};

/* Italics inside italics are upright. `base` is the look of the text outside emphasis. */
struct looks emphasis_looks(struct arena *a, struct text t, enum emphasis_dialect dialect, uint8_t base);

/* Blanks of any script, no-break spaces and line ends too. */
bool emphasis_blank(uint32_t c);

#endif
