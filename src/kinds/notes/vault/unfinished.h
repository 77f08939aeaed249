/* unfinished.h: notes that another program is writing at this moment.
 *
 * An editor that truncates a file and writes it anew shows half of it in between. The watcher knows such a file: it was
 * written to and not closed since. The graph keeps the note as it was until the file is closed, but no longer than
 * UNFINISHED_MS: a program may keep a file open for hours. From then on the file is taken as it stands. */
#ifndef QUIRE_KINDS_NOTES_VAULT_UNFINISHED_H
#define QUIRE_KINDS_NOTES_VAULT_UNFINISHED_H
#include "base/text.h"

enum { UNFINISHED_MS = 2000 };

struct unfinished {
	struct unfinished_note *items; /* on the heap */
	uint32_t n, cap;
};

void unfinished_close(struct unfinished *u);

/* The file was written to and is open. True: this is news. */
bool unfinished_begin(struct unfinished *u, struct text path, int64_t now);
/* It was closed, or is gone. */
void unfinished_end(struct unfinished *u, struct text path);
/* Is it still waited for? */
bool unfinished_has(const struct unfinished *u, struct text path);
/* One that was waited for long enough; it is not waited for again before it is closed. Absent: none. */
struct text unfinished_due(struct unfinished *u, int64_t now);

#endif
