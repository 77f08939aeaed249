/* target.h: how a link names a note: the form that fits the old one, and its bytes. */
#ifndef QUIRE_KINDS_NOTES_EDIT_TARGET_H
#define QUIRE_KINDS_NOTES_EDIT_TARGET_H
#include "kinds/notes/graph/resolve.h"

/* A target in the form of the old one (bare, with a path, relative, with .md, by title) that means `node`, seen from
 * the note at `from`. The shortest that is not ambiguous. False: there is none. */
bool target_for(const struct graph *g, struct arena *a, struct text from, const struct target *old, enum resolved_by by,
		uint32_t node, struct text *out);

/* The target as bytes in the place of the link's old one: percent-encoded, or quoted as the front matter's value is. */
struct text target_written(struct arena *a, const struct note_link *l, struct text target);

#endif
