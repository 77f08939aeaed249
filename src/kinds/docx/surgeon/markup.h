/* markup.h: the tags that a caller may use in new_string, and their looks.
 *
 * <b> <i> <u> <highlight> <highlighting> <font color size face> add to the look of the run that gets the text.
 * <header>, <RunInHeader> and <definition> name a role whose look is found in the document. <a> is removed. Only these
 * names are tags: every other < and & is text. A text becomes segments of one look each. */
#ifndef QUIRE_KINDS_DOCX_SURGEON_MARKUP_H
#define QUIRE_KINDS_DOCX_SURGEON_MARKUP_H
#include "base/array.h"
#include "base/call.h"
#include "kinds/docx/surgeon/look.h"
#include "kinds/docx/surgeon/runes.h"

enum role { ROLE_NONE, ROLE_HEADER, ROLE_DEFINITION };

struct segment {
	uint32_t from, to; /* code points of the plain text */
	struct look look;
	enum role role;
};

struct markup {
	struct text text;         /* without tags */
	struct segment *segments; /* cover the text from 0 to its end, in order; none is empty */
	size_t n;
	bool has_highlight;
};

/* Fails with UNBALANCED_..._TAGS, or on an invalid font attribute. */
bool markup_read(struct call *c, struct text t, struct markup *out);
/* Adds a look to the segments of a range. */
void markup_add_look(struct arena *a, struct markup *m, uint32_t from, uint32_t to, const struct look *look);
void markup_add_role(struct arena *a, struct markup *m, uint32_t from, uint32_t to, enum role role);
/* Replaces [from, to) by `with`, which gets the look of the replaced text, or of the text before it. */
void markup_splice(struct arena *a, struct markup *m, uint32_t from, uint32_t to, struct text with);
/* `text` is m->text as runes. */
struct markup markup_slice(struct arena *a, const struct markup *m, const struct runes *text, uint32_t from,
			   uint32_t to);
const struct segment *markup_at(const struct markup *m, uint32_t offset); /* NULL: after the end */

#endif
