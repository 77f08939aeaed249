/* pass.h: one pass over an element of a part, with what each tag means there.
 *
 *	pass_begin(&w, scratch, bytes, names);
 *	while (pass_next(&w))
 *		use w.scan and pass_tag(&w);
 *	if (w.scan.is_bad) ... not well-formed
 *
 * For elements too large to keep a node for each tag (text/fragment.h): a body, a table of a thousand rows. Nothing is
 * kept but the open elements. The element itself is at depth 1, what stands right in it at depth 2. */
#ifndef QUIRE_KINDS_DOCX_TRACK_PASS_H
#define QUIRE_KINDS_DOCX_TRACK_PASS_H
#include "base/array.h"
#include "format/xml_scan.h"
#include "kinds/docx/text/fragment.h"

struct pass {
	struct xml_scan scan;
	struct arena *arena;
	struct error why;
	const struct names *names[FRAGMENT_DEPTH_MAX + 1]; /* inside of the open element of that depth; 0: around all */
	uint8_t tags[FRAGMENT_DEPTH_MAX + 1];
};

/* `names` is the scope around the element. */
void pass_begin(struct pass *w, struct arena *a, struct text element, const struct names *names);
bool pass_next(struct pass *w);                        /* false: the end, or not well-formed */
bool pass_is(const struct pass *w, const char *local); /* is the token an element of the main namespace called so? */

/* Of the element that the token opens or closes, or of the one around a text. */
static inline uint8_t pass_tag(const struct pass *w) { return w->tags[w->scan.depth]; }

/* An element somewhere in a part. */
struct place {
	uint32_t from, to;
	const struct names *names; /* around it */
};
struct places {
	ARRAY(struct place) list;
};

/* The children of an element that have this tag, at most `most` of them. False: not well-formed. */
bool pass_children(struct arena *a, struct text part, struct place parent, enum tag tag, size_t most,
		   struct places *out);

#endif
