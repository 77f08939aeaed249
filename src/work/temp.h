/* temp.h: the new bytes of a document, beside it, before they take its name.
 *
 * `.NAME.quire~` is made, renamed and removed with its folder locked, and with nothing else: a temp in a folder that
 * nobody has locked was left by a crash. It never holds anything but an unfinished write (naming.h), so the next call
 * on that name removes it, unless a recorded commit still needs it (recover.c). A temp has no lock of its own: it could
 * only be taken a moment after its creation, and a sweeping reader could hit that moment. */
#ifndef QUIRE_WORK_TEMP_H
#define QUIRE_WORK_TEMP_H
#include "format/splice.h"
#include "work/root.h"

struct temp {
	int fd;           /* -1: closed */
	int folder;       /* lent */
	const char *name; /* NULL: none */
	/* Every change after a stat moves this file's ctime. Then a file whose stamp is still the one we saw when we
	 * had made it has not been touched, not even through mmap, whose first store moves the stamp like any write. */
	bool exact;
	struct stat written; /* when all bytes were */
};

const char *temp_name(struct arena *a, const char *name);
const char *old_name(struct arena *a, const char *name); /* what came out when a temp took the name: naming.h */

/* How it is written. BATCH: many at once, which are flushed together and whose times are not looked into. */
enum temp_manner { TEMP_FLUSHED, TEMP_BATCH };
/* Written, in a locked folder. `like` is the open file whose mode, owner, ACL and user attributes it takes over; -1: a
 * new document, which gets `mode`, or with 0 what the system gives to new files. */
bool temp_write(struct call *c, int folder, const char *name, struct text path, int like, mode_t mode,
		struct pieces bytes, enum temp_manner manner, struct temp *out);
/* The same, flushed. */
bool temp_make(struct call *c, int folder, const char *name, struct text path, int like, struct pieces bytes,
	       struct temp *out);
/* One that a crash left in a locked folder, if it is there. */
bool temp_open(struct call *c, int folder, const char *name, struct temp *out);
/* The stamp of the document, as soon as it has its name: from here others may find it. What came in between is not
 * ours, and nothing about the file is certain then. False: the name is another file's by now. */
bool temp_named(struct temp *t, const char *name, struct stat *st);
void temp_drop(struct temp *t);  /* closes it */
void temp_erase(struct temp *t); /* removes it */

/* Removes what a crash left beside this document, in a locked folder. Never fails: a leftover temp is harmless. */
void temp_sweep(struct call *c, const struct root *root, int folder, const char *name, struct text path);
/* The same for a reader, which holds no lock: only if the folder's lock is free. */
void temp_sweep_idle(struct call *c, const struct root *root, int folder, const char *name, struct text path);
/* The same for a name that does not exist: the document never came to be. Keeps the call's error. */
void temp_sweep_missing(struct call *c, struct text path);

/* Flushes a file, a folder, or with `whole` the file system it is on. A failure is never tried again: what the kernel
 * could not write may be gone from its memory, and the next flush would say that all is well. From then on this process
 * writes nothing more (work_is_broken()). False: errno. */
bool flush_to_disk(struct call *c, int fd, bool whole, const char *what);

#endif
