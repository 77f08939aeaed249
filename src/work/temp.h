/* temp.h: temporary files: the new bytes of a document, beside it, before they get its name.
 *
 * `.NAME.quire~` is created, renamed and removed only while its folder is locked. So a temp in an unlocked folder is
 * left over from a crash. It contains only an unfinished write (naming.h), so the next call on that name removes it,
 * unless a recorded commit still needs it (recover.c). A temp has no lock of its own: that could only be taken shortly
 * after its creation, and a cleaning reader could come in between. */
#ifndef QUIRE_WORK_TEMP_H
#define QUIRE_WORK_TEMP_H
#include "format/splice.h"
#include "work/root.h"

struct temp {
	int fd;           /* -1: closed */
	int folder;       /* borrowed */
	const char *name; /* NULL: none */
	/* True if every change after a stat changes this file's ctime. Then a file with the stamp that we saw after
	 * writing it is unchanged. This includes mmap: its first store changes the stamp like any write. */
	bool exact;
	struct stat written; /* when all bytes were written */
};

const char *temp_name(struct arena *a, const char *name);
const char *old_name(struct arena *a, const char *name); /* the displaced file after an exchange of names: naming.h */

/* How it is written. BATCH: many files at once, which are flushed together and whose times are not checked. */
enum temp_manner { TEMP_FLUSHED, TEMP_BATCH };
/* Writes a temp in a locked folder. `like` is the open file whose mode, owner, ACL and user attributes are copied. -1:
 * a new document, which gets `mode`; 0 means the system's default mode. */
bool temp_write(struct call *c, int folder, const char *name, struct text path, int like, mode_t mode,
		struct pieces bytes, enum temp_manner manner, struct temp *out);
/* The same, flushed. */
bool temp_make(struct call *c, int folder, const char *name, struct text path, int like, struct pieces bytes,
	       struct temp *out);
/* Opens the temp that a crash left in a locked folder, if it exists. */
bool temp_open(struct call *c, int folder, const char *name, struct temp *out);
/* Stats the document as soon as it has its name, because from then on others may find it. A change in between was not
 * ours, and then nothing about the file is certain. False: the name now belongs to another file. */
bool temp_named(struct temp *t, const char *name, struct stat *st);
void temp_drop(struct temp *t);  /* closes it */
void temp_erase(struct temp *t); /* removes it */

/* Removes the temps that a crash left beside this document, in a locked folder. Never fails: a leftover temp is
 * harmless. */
void temp_sweep(struct call *c, const struct root *root, int folder, const char *name, struct text path);
/* The same for a reader without a lock: works only if the folder's lock is free. */
void temp_sweep_idle(struct call *c, const struct root *root, int folder, const char *name, struct text path);
/* The same for a document that was never created. Keeps the call's error. */
void temp_sweep_missing(struct call *c, struct text path);

/* Flushes a file, a folder, or with `whole` the file system it is on. A failed flush is never retried: the kernel may
 * have dropped the data, and the next flush would report success. After a failure this process writes nothing more
 * (work_is_broken()). False: errno. */
bool flush_to_disk(struct call *c, int fd, bool whole, const char *what);

#endif
