/* hidden.h: what a note hides from people and shows to models: comments, and characters without a look.
 *
 * An HTML comment is not shown by any reader of Markdown. A character without width, a tag character outside a flag and
 * a control of writing direction can hide words inside others. Joiners where a script or an emoji wants them are
 * ordinary. */
#ifndef QUIRE_KINDS_NOTES_NOTE_HIDDEN_H
#define QUIRE_KINDS_NOTES_NOTE_HIDDEN_H
#include "base/array.h"
#include "format/markdown.h"

struct hidden_part {
	const char *sort;
	struct span place;
};

struct hidden {
	ARRAY(struct hidden_part) parts; /* by place; neighbours of one sort are one part */
};

void hidden_find(struct arena *a, struct text t, struct hidden *out);
struct text hidden_removed(struct arena *a, struct text t);

#endif
