/* resolve.h: which note a link means.
 *
 * In this order: ./ and ../ from the linking note; a path from the root, from the note's folder, then the end of a
 * path; a bare name at the root, in the note's folder, then the shortest path; a title; an alias; the name with hyphens
 * for blanks or the other way round. Case never matters, but an exact match wins. */
#ifndef QUIRE_KINDS_NOTES_GRAPH_RESOLVE_H
#define QUIRE_KINDS_NOTES_GRAPH_RESOLVE_H
#include "kinds/notes/graph/graph.h"

enum resolved_by { BY_NOTHING, BY_RELATIVE, BY_ROOT, BY_FOLDER, BY_END, BY_NAME, BY_TITLE, BY_ALIAS, BY_VARIANT };

struct resolved {
	uint32_t node;
	enum resolved_by by;
	bool is_ambiguous; /* another note matches too; the shorter path was chosen */
};

/* `from` is the linking note's path. */
struct resolved resolve(const struct graph *g, struct arena *a, struct text from, enum link_form form,
			struct text target);
/* The same for a target of the graph, which already has its key. */
struct resolved resolve_target(const struct graph *g, struct arena *a, struct text from, const struct target *t);
/* Does the target have an extension that is not a note's, such as an image? If no note has that name, such a link is
 * not broken. */
bool target_is_file(struct text target);
/* Is a link of this form broken if its target resolves to nothing? A Markdown link without .md may mean anything. */
bool target_names_note(enum link_form form, struct text target);

#endif
