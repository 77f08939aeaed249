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

/* To read. view_close() ends the transaction in every case. */
bool view_open(struct call *c, struct text path, struct view *out);
void view_close(struct view *v);

/* The bytes that a word means (history.h). *deleted: the commit that it names, if that commit deleted the document. */
bool view_bytes(struct call *c, struct view *v, struct text word, struct text *bytes, struct text *revision,
		const struct step **deleted);

/* The document as it is now, by its name; absent bytes: there is none. */
bool bytes_now(struct call *c, struct text path, struct text *bytes, struct text *revision);

/* For messages: what lists the history, and what restores a state. A tool, or a command in the shell. */
const char *advise_history(struct call *c, struct text place);
const char *advise_restore(struct call *c, struct text place, struct text word);

/* Would an undo of this commit succeed now? Tries it, unless it would read more than *budget bytes. */
bool undo_would_work(struct call *c, struct view *v, const struct step *s, size_t *budget);

#endif
