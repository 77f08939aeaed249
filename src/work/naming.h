/* naming.h: a finished temp takes a document's name, and no bytes under that name are lost.
 *
 * 	naming_make      the name must be free
 * 	naming_replace   temp and document exchange their names; what came out is compared with what was planned on
 * 	naming_remove    the document's name goes; what came out is compared too
 * 	naming_back      as it was before, unless somebody wrote meanwhile: then their bytes stay
 * 	naming_end       what came out is dropped: from here there is no way back
 *
 * Another program does not lock, and may save between any check and any rename. So a document is never renamed over and
 * never unlinked by its name: it comes out as `.NAME.old.quire~`, and what is found there is what is dropped, put back,
 * or, when a third program took the name meanwhile, kept as `.NAME.REVISION.quire~`. A file `.NAME.quire~` therefore
 * holds nothing but an unfinished write of ours, and may always be removed; the two others may hold the only copy of
 * somebody's save. The folder is locked throughout. */
#ifndef QUIRE_WORK_NAMING_H
#define QUIRE_WORK_NAMING_H
#include "work/temp.h"

enum naming_state {
	NAMING_NOTHING,
	NAMING_MADE, /* a new name */
	NAMING_EXCHANGED,
	/* `old` holds the previous file */ NAMING_REPLACED, /* renamed over: this file system does not exchange; no way
								back */
	NAMING_REMOVED                                       /* the name is gone; `old` holds what came out */
};

struct naming {
	int folder; /* lent */
	const char *name, *old;
	struct text path;  /* for messages */
	struct stat fresh; /* the temp, once it was written */
	enum naming_state state;
};

/* What should come out: these bytes, in this file. */
struct expected {
	struct text bytes;
	struct stat stat;
	bool is_certain; /* the stat alone shows that the bytes are these */
};

/* FOREIGN: the name has another program's bytes, which stay there, and nothing of ours. ERROR: errno. */
enum named { NAMED, NAMED_FOREIGN, NAMED_ERROR };

struct naming naming_of(struct call *c, int folder, const char *name, struct text path);
enum named naming_make(struct call *c, struct naming *n, const struct temp *t);
enum named naming_replace(struct call *c, struct naming *n, const struct temp *t, const struct expected *before);
enum named naming_remove(struct call *c, struct naming *n, const struct expected *before);
bool naming_back(struct call *c, struct naming *n); /* false: errno, and the name is as naming left it */
bool naming_end(struct naming *n);                  /* false: errno */

/* Can names be exchanged in this folder? Where the file system is none that is known for it, two temps of our own are
 * exchanged and removed. True also where that cannot be tried. */
bool naming_exchanges(struct call *c, int folder);

/* For recovery. Is there an `old` in the locked folder? It is opened for reading. */
bool naming_old(struct call *c, const struct naming *n, int *fd, struct stat *st);
/* Puts the `old` of a crash back under its name. If the name is taken, the two are exchanged. */
bool naming_restore(const struct naming *n);
/* Keeps what `old` holds as `.NAME.REVISION.quire~`, and warns. False: errno. */
bool naming_keep(struct call *c, const struct naming *n);

#endif
