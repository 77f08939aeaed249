/* taken.h: takes the words of other programs in, from a displaced file that was kept (work/beside.h).
 *
 * Its bytes are recorded in the document's history, as changed outside. If the file's name says what it contained when
 * it was displaced, and the history has that revision, then what was written since is merged into the document, if it
 * does not touch what changed there since, and if the document stays readable. Then the file is removed. If this is
 * interrupted, the history already has the bytes, so nothing is merged twice. */
#ifndef QUIRE_WORK_HISTORY_TAKEN_H
#define QUIRE_WORK_HISTORY_TAKEN_H
#include "work/work.h"

enum taken {
	TAKEN_KNOWN,   /* the history had its bytes */
	TAKEN_VERSION, /* its bytes are in the history now */
	TAKEN_MERGED,  /* and what was written is in the document */
	TAKEN_BACK,    /* the document was deleted, and has its name again with these bytes */
	LEFT_OPEN,     /* another program has it open for writing, or may have */
	LEFT_NEEDED,   /* a commit is running or unfinished there, or the history cannot be written */
	LEFT_ALONE,    /* the document is gone, and nothing shows which is newer */
	LEFT_GONE      /* there is no such file, or it cannot be read */
};
/* The file is given by its true absolute path. This is a call of its own, with the rights of quire itself: the calling
 * one must have no locks. Sets no error. */
enum taken taken_in(struct call *c, struct text file);

/* The sentence about it, for messages; NULL: nothing to tell. */
const char *taken_sentence(struct call *c, enum taken how, struct text document);

#endif
