/* view.h: a document as a caller named it, its current bytes, and its whole history. For the files of this room. */
#ifndef QUIRE_WORK_HISTORY_VIEW_H
#define QUIRE_WORK_HISTORY_VIEW_H
#include "work/history/chain.h"

struct view {
	struct text path;            /* as named */
	struct text place;           /* absolute */
	struct text bytes, revision; /* now; absent: there is none */
	struct transaction *t;       /* NULL: there is no history at all */
	struct chain chain;
};

/* To read. view_close() ends the transaction, whatever came of it. */
bool view_open(struct call *c, struct text path, struct view *out);
void view_close(struct view *v);

/* The bytes that a word means (history.h). *is_none: there was no document then. */
bool view_bytes(struct call *c, struct view *v, struct text word, struct text *bytes, struct text *revision,
		bool *is_none);

/* The document as it is now, by its name; absent bytes: there is none. */
bool bytes_now(struct call *c, struct text path, struct text *bytes, struct text *revision);

/* The call that restores a state, for messages: a tool call, or a command in the shell. */
const char *advise_restore(struct call *c, struct text place, struct text word);

/* Would an undo of this commit succeed now? Tries it, unless it would read more than *budget bytes. */
bool undo_would_work(struct call *c, struct view *v, const struct step *s, size_t *budget);

#endif
