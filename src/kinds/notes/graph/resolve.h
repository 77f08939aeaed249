/* resolve.h: which note a link means.
 *
 * First as Obsidian resolves it: ./ and ../ from the linking note; a path or bare name from the root; then the end of a
 * path, below the linking note's folder before elsewhere, the shortest path first. A name counts as written, and only
 * then with .md. A Markdown link is tried from its own folder before the root, as other programs do. Case never
 * matters, but an exact match wins.
 *
 * Then leniently, for reading only: a title; an alias; the name with hyphens for blanks or the other way round. Other
 * programs do not find these, so a link that resolves strictly is never left to them. */
#ifndef QUIRE_KINDS_NOTES_GRAPH_RESOLVE_H
#define QUIRE_KINDS_NOTES_GRAPH_RESOLVE_H
#include "kinds/notes/graph/graph.h"

enum resolved_by { BY_NOTHING, BY_RELATIVE, BY_ROOT, BY_FOLDER, BY_END, BY_NAME, BY_TITLE, BY_ALIAS, BY_VARIANT };

/* Does only quire find the note? */
static inline bool by_leniency(enum resolved_by by) { return by >= BY_TITLE; }
/* "title", "alias", "variant"; NULL: the link holds in every program. */
const char *by_name(enum resolved_by by);

struct resolved {
	uint32_t node;
	enum resolved_by by;
	bool is_ambiguous; /* another note matches too; the shorter path was chosen */
	bool is_tied;      /* another path is as short: other programs may choose that one */
};

/* `from` is the linking note's path. */
struct resolved resolve(const struct graph *g, struct arena *a, struct text from, enum link_form form,
			struct text target);
/* The same for a target of the graph, which already has its key. */
struct resolved resolve_target(const struct graph *g, struct arena *a, struct text from, const struct target *t);
/* Is a link of this form broken if its target resolves to nothing? A Markdown link may mean what is no file here. */
bool target_names_file(enum link_form form, struct text target);

#endif
