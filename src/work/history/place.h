/* place.h: how the history names a document: by its true absolute path, whether it exists now or not. */
#ifndef QUIRE_WORK_HISTORY_PLACE_H
#define QUIRE_WORK_HISTORY_PLACE_H
#include "work/root.h"

/* The absolute path of a path below a root, links resolved. */
struct text place_of(struct arena *a, const struct root *root, struct text below);
/* The reverse: the deepest served root that contains the path. NULL: none does. */
const struct root *place_root(const struct work *w, struct text place, struct text *below);
/* How a caller names the document: relative to the first root, or absolute. Absent: it is below no root. */
struct text place_name(struct call *c, struct text place);
/* May the caller read (or change) it? False without an error. */
bool place_is_granted(struct call *c, struct text place, bool to_write);

/* Resolves a path from a caller: through the path gate, with the caller's grant checked. */
bool history_place(struct call *c, struct text path, bool to_write, struct text *place);

#endif
