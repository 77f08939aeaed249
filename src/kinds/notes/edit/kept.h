/* kept.h: links that hold in every program.
 *
 * Other programs find a note by its file's name only. A link that is found here by title, alias or variant is written
 * by the file's name, and shows what it showed before. Links that were in the note already stay as they are. */
#ifndef QUIRE_KINDS_NOTES_EDIT_KEPT_H
#define QUIRE_KINDS_NOTES_EDIT_KEPT_H
#include "base/call.h"
#include "kinds/notes/vault/vault.h"

/* [[name]], as any note may link to this one. */
struct text node_link(const struct graph *g, struct arena *a, uint32_t node);

/* The bytes of the note at `path` with its new links rewritten. `before`: its bytes until now; absent: it is new. Warns
 * about each rewritten link. */
struct text links_kept(struct call *c, struct vault *v, struct text path, struct text before, struct text after);

/* Refuses a text that ends in the mark with which get_node cuts long notes: the rest would be lost. */
bool content_is_whole(struct call *c, struct text content);

#endif
