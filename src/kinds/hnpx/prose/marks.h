/* marks.h: which quotation marks of a text open, which close, and which are apostrophes.
 *
 * A straight mark looks the same in all three roles, and some curly ones open in one language and close in another. So
 * the role depends on the characters around the mark and on the marks before it. An empty line ends every open
 * quotation: the next part of a long speech has its own opening mark. */
#ifndef QUIRE_KINDS_HNPX_PROSE_MARKS_H
#define QUIRE_KINDS_HNPX_PROSE_MARKS_H
#include "base/array.h"
#include "base/text.h"

enum mark_role { MARK_OPEN, MARK_CLOSE, MARK_APOSTROPHE, MARK_MEASURE /* feet, inches: 6'2" */ };

struct mark {
	size_t at, len;
	uint32_t c;
	enum mark_role role;
	bool is_single;   /* ' and similar marks, for a quotation inside another, or for speech in British books */
	bool ends_speech; /* closes after punctuation, as in speech */
	uint32_t mate;    /* MARK_CLOSE: the matching opening mark; 0: none */
};
struct marks {
	ARRAY(struct mark) list;
};

void marks_find(struct arena *a, struct text t, struct marks *out);

#endif
