/* target.h: how a link names a note: the form that fits the old one, and its bytes. */
#ifndef QUIRE_KINDS_NOTES_EDIT_TARGET_H
#define QUIRE_KINDS_NOTES_EDIT_TARGET_H
#include "kinds/notes/graph/resolve.h"

/* Finds a target in the form of the old one (bare, with a path, relative, with .md) that means `node` in the note at
 * `from`. It is the shortest that is not ambiguous, and holds in every program. Only a link that did not hold elsewhere
 * may get a title or alias, if no name is possible. Returns false if there is none. */
bool target_for(const struct graph *g, struct arena *a, struct text from, const struct target *old, enum resolved_by by,
		uint32_t node, struct text *out);

/* The bytes that replace the link's old target: percent-encoded, or quoted like the value in the front matter. */
struct text target_written(struct arena *a, const struct note_link *l, struct text target);

/* A text that a wikilink can show; absent if it has characters that end a link. */
struct text shown_as(struct arena *a, struct text title);
/* The bytes to insert before the brackets that close a wikilink: the bar, escaped in a table, and the shown text. */
struct text shown_written(struct arena *a, struct text bytes, const struct note_link *l, struct text shown);

#endif
