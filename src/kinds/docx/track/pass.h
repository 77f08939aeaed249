/* pass.h: one pass over an element of a part, with the meaning of each tag.
 *
 *	pass_begin(&w, scratch, bytes, names);
 *	while (pass_next(&w))
 *		use w.scan and pass_tag(&w);
 *	if (w.scan.is_bad) ... not well-formed
 *
 * For elements that are too large for a node for each tag (text/fragment.h): a body, a table of a thousand rows. Only
 * the open elements are kept. The element itself is at depth 1, its children are at depth 2. */
#ifndef QUIRE_KINDS_DOCX_TRACK_PASS_H
#define QUIRE_KINDS_DOCX_TRACK_PASS_H
#include "base/array.h"
#include "format/xml_scan.h"
#include "kinds/docx/text/fragment.h"

struct pass {
	struct xml_scan scan;
	struct arena *arena;
	struct error why;
	const struct names *names[FRAGMENT_DEPTH_MAX + 1]; /* in the open element of that depth; 0: around the root */
	uint8_t tags[FRAGMENT_DEPTH_MAX + 1];
};

/* `names` is the scope around the element. */
void pass_begin(struct pass *w, struct arena *a, struct text element, const struct names *names);
bool pass_next(struct pass *w);                        /* false: at the end, or not well-formed */
bool pass_is(const struct pass *w, const char *local); /* is it the element `local` of the main namespace? */

/* The tag of the element that the token opens or closes, or that contains the text. */
static inline uint8_t pass_tag(const struct pass *w) { return w->tags[w->scan.depth]; }

/* The place of an element in a part. */
struct place {
	uint32_t from, to;
	const struct names *names; /* around it */
};
struct places {
	ARRAY(struct place) list;
};

/* Lists the children of an element that have this tag, at most `most` of them. Returns false if not well-formed. */
bool pass_children(struct arena *a, struct text part, struct place parent, enum tag tag, size_t most,
		   struct places *out);

#endif
