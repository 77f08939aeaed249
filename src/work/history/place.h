/* place.h: a document as the history knows it: whether it exists now or not. */
#ifndef QUIRE_WORK_HISTORY_PLACE_H
#define QUIRE_WORK_HISTORY_PLACE_H
#include "work/root.h"

struct history_place {
	const struct root *root;
	struct text path;
};

/* Through the path gate, and with the caller's grant asked for. */
bool history_place(struct call *c, struct text path, bool to_write, struct history_place *out);
/* The way back: how a caller names a document that the history knows. Absent: its root is not served now. */
struct text history_path(struct call *c, struct text root, struct text path);

#endif
