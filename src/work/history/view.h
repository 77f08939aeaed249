/* view.h: a document as a caller named it, its current bytes, and its whole history. For the files of this room. */
#ifndef QUIRE_WORK_HISTORY_VIEW_H
#define QUIRE_WORK_HISTORY_VIEW_H
#include "work/history/chain.h"

struct view {
	struct text path;            /* as the caller wrote it */
	struct text place;           /* absolute */
	struct text bytes, revision; /* current; absent: there is no document */
	struct transaction *t;       /* NULL: there is no history */
	struct chain chain;
};

/* Opens it for reading. view_close() must end the transaction in every case. */
bool view_open(struct call *c, struct text path, struct view *out);
void view_close(struct view *v);

/* The bytes that a word names (history.h). *deleted: the commit that it names, if that commit deleted the document. */
bool view_bytes(struct call *c, struct view *v, struct text word, struct text *bytes, struct text *revision,
		const struct step **deleted);

/* The document as it is now, by its name; absent bytes: it does not exist. */
bool bytes_now(struct call *c, struct text path, struct text *bytes, struct text *revision);

/* For messages: the tool or shell command that lists the history, and the one that restores a state. */
const char *advise_history(struct call *c, struct text place);
const char *advise_restore(struct call *c, struct text place, struct text word);

const char *advise_undo(struct call *c, struct text place, int64_t id);

/* outside.c: if a kind can read the document now, can it still read the result? */
bool stays_readable(struct call *c, struct text now, struct text result);
/* Could a kind read the bytes after step `from` (or, if another program made that step, after the newest older step
 * that none made), and can it no longer read the current bytes? */
bool broke_since(struct call *c, struct view *v, size_t from);
/* The newest change that is not undone, if another program made it and broke the document; else NULL. */
const struct step *broken_by(struct call *c, struct view *v);

/* Would an undo of this commit succeed now? Tries it, unless it would read more than *budget bytes. */
bool undo_would_work(struct call *c, struct view *v, const struct step *s, size_t *budget);

#endif
