/* unfinished.h: notes that another program is writing at this moment.
 *
 * An editor that truncates a file and rewrites it leaves the file incomplete for a moment. The watcher recognises such
 * a file: it was written to and is not closed yet. The graph keeps the old note until the file is closed, but at most
 * for UNFINISHED_MS, because a program may keep a file open for hours. After that the file is read as it is. */
#ifndef QUIRE_KINDS_NOTES_VAULT_UNFINISHED_H
#define QUIRE_KINDS_NOTES_VAULT_UNFINISHED_H
#include "base/text.h"

enum { UNFINISHED_MS = 2000 };

struct unfinished {
	struct unfinished_note *items; /* on the heap */
	uint32_t n, cap;
};

void unfinished_close(struct unfinished *u);

/* Records that the file was written to and is open. Returns true if this was not known. */
bool unfinished_begin(struct unfinished *u, struct text path, int64_t now);
/* Records that the file was closed or removed. */
void unfinished_end(struct unfinished *u, struct text path);
/* Is the file still expected to be closed? */
bool unfinished_has(const struct unfinished *u, struct text path);
/* A file whose wait is over. It is not waited for again until it is closed. Absent: none. */
struct text unfinished_due(struct unfinished *u, int64_t now);

#endif
