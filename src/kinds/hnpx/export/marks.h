/* marks.h: which quotation marks of a text open, which close, and which are apostrophes.
 *
 * A straight mark looks the same in all three roles, and some curly ones open in one language and close in another, so
 * the role comes from the characters around the mark and from the marks before it. An empty line ends every open
 * quotation: the next part of a long speech opens anew. */
#ifndef QUIRE_KINDS_HNPX_EXPORT_MARKS_H
#define QUIRE_KINDS_HNPX_EXPORT_MARKS_H
#include "base/array.h"
#include "base/text.h"

enum mark_role { MARK_OPEN, MARK_CLOSE, MARK_APOSTROPHE, MARK_INCHES };

struct mark {
	size_t at, len;
	uint32_t c;
	enum mark_role role;
	bool is_single;   /* ' and its kin; those open a quotation inside another, or speech in British books */
	bool ends_speech; /* closes behind punctuation, as speech does */
	uint32_t mate;    /* MARK_CLOSE: the character that opened; 0: none did */
};
struct marks {
	ARRAY(struct mark) list;
};

void marks_find(struct arena *a, struct text t, struct marks *out);

#endif
