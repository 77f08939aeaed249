/* naming.h: gives a document's name to a finished temp, without losing any bytes under that name.
 *
 * 	naming_make      the name must be free
 * 	naming_replace   temp and document exchange names; the displaced file is compared with the expected one
 * 	naming_remove    the document's name is removed; the displaced file is compared too
 * 	naming_back      restores the state before, unless another program wrote meanwhile: then its bytes stay
 * 	naming_wait      lets a program that has the displaced file open finish its save
 * 	naming_end       drops the displaced file, or keeps it if it is still open; this cannot be undone
 *
 * Other programs do not lock, and may save between any check and any rename. So a document is never renamed over and
 * never unlinked by its name. It is displaced to `.NAME.old.quire~`. The file found there is dropped, or put back, or,
 * if a third program took the name meanwhile, kept as `.NAME.REVISION.quire~` (beside.h).
 *
 * A program that opened the file before it was displaced may still write to it. Nobody else can: the file has no name
 * that others use. So first the kernel is asked whether somebody has it open (writer.h), then it is compared. While it
 * is open, it is neither trusted nor dropped. The folder is locked all the time. */
#ifndef QUIRE_WORK_NAMING_H
#define QUIRE_WORK_NAMING_H
#include "work/temp.h"
#include "work/writer.h"

enum naming_state {
	NAMING_NOTHING,
	NAMING_MADE,      /* a new name */
	NAMING_EXCHANGED, /* `old` is the previous file */
	NAMING_REPLACED,  /* renamed over, because this file system cannot exchange names; cannot be undone */
	NAMING_REMOVED    /* the name is gone; `old` is the displaced file */
};

struct naming {
	int folder; /* borrowed */
	const char *name, *old;
	struct text path;  /* for messages */
	struct text place; /* absolute */
	struct stat fresh; /* of the temp, after it was written */
	enum naming_state state;
	enum writer writer; /* who has the displaced file open, when it was last asked */
	struct text base;   /* the revision of the displaced file */
};

/* The expected displaced file: these bytes, in this file. */
struct expected {
	struct text bytes;
	struct stat stat;
	bool is_certain; /* the stat alone proves that the bytes are these */
	struct text revision;
};

/* FOREIGN: another program's bytes have the name and stay there; nothing of ours is left. ERROR: errno. */
enum named { NAMED, NAMED_FOREIGN, NAMED_ERROR };

struct naming naming_of(struct call *c, int folder, const char *name, struct text path, struct text place);
enum named naming_make(struct call *c, struct naming *n, const struct temp *t);
enum named naming_replace(struct call *c, struct naming *n, const struct temp *t, const struct expected *before);
enum named naming_remove(struct call *c, struct naming *n, const struct expected *before);
bool naming_back(struct call *c, struct naming *n); /* false: errno, and the name is unchanged */
/* Waits for the program that has the displaced file open, and compares the file once more. */
enum named naming_wait(struct call *c, struct naming *n, const struct expected *before);
bool naming_end(struct call *c, struct naming *n); /* false: errno */

/* Can names be exchanged in this folder? If the file system is not a known one, the test exchanges two temps of our own
 * and removes them. Also true if the test is not possible. */
bool naming_exchanges(struct call *c, int folder);

/* For recovery. Does `old` exist in the locked folder? If so, it is opened for reading. */
bool naming_old(struct call *c, const struct naming *n, int *fd, struct stat *st);
/* Gives the `old` that a crash left its name back. If the name is taken, the two are exchanged. */
bool naming_restore(const struct naming *n);
/* Removes `old`, which is open and has this revision, unless somebody may still write to it: then it is kept. */
bool naming_let_go(struct call *c, const struct naming *n, int fd, struct text revision);
/* Keeps `old` as `.NAME.REVISION.quire~`, and warns. False: errno. */
bool naming_keep(struct call *c, const struct naming *n);

#endif
