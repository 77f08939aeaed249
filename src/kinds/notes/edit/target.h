/* target.h: how a link names a note: the form that fits the old one, and its bytes. */
#ifndef QUIRE_KINDS_NOTES_EDIT_TARGET_H
#define QUIRE_KINDS_NOTES_EDIT_TARGET_H
#include "kinds/notes/graph/resolve.h"

/* Finds a target in the form of the old one (bare, with a path, relative, with .md, by title) that means `node` in the
 * note at `from`. It is the shortest that is not ambiguous. Returns false if there is none. */
bool target_for(const struct graph *g, struct arena *a, struct text from, const struct target *old, enum resolved_by by,
		uint32_t node, struct text *out);

/* The bytes that replace the link's old target: percent-encoded, or quoted like the value in the front matter. */
struct text target_written(struct arena *a, const struct note_link *l, struct text target);

#endif
