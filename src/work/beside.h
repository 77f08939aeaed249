/* beside.h: the files that quire keeps beside documents.
 *
 * 	.NAME.quire~            an unfinished write of ours; may always be removed
 * 	.NAME.old.quire~        a displaced file of a commit that was interrupted
 * 	.NAME.REVISION.quire~   a displaced file that was kept: another program had it open for writing, or saved it
 * 	                        while a commit was exchanging names. REVISION is what it contained when it was kept
 *
 * The last two may contain the only copy of another program's words. Once nobody has such a file open, it is taken in
 * (history/taken.h). This process remembers the files that it kept, and every later call looks at them. A writing call
 * in a folder that changed since this process last wrote there looks for all such files, under the folder's lock. So
 * nothing is scanned at start. */
#ifndef QUIRE_WORK_BESIDE_H
#define QUIRE_WORK_BESIDE_H
#include "work/lock.h"
#include "work/work.h"

#include <pthread.h>

struct work_call;

enum beside_kind { BESIDE_NOTHING, BESIDE_TEMP, BESIDE_OLD, BESIDE_KEPT };
struct beside {
	enum beside_kind kind;
	const char *document; /* the name of its document */
	struct text revision; /* KEPT, if the name has one */
};
/* What a file name says. `folder`: a document's own name may end like a mark. */
struct beside beside_parse(struct arena *a, int folder, const char *name);
/* The name of a kept file; number 0 is the plain one. */
const char *beside_name(struct arena *a, const char *document, const char *mark, int number);

/* What a workspace remembers. */
enum { BESIDE_FOLDERS = 64, BESIDE_FILES = 256 };
struct beside_memory {
	pthread_mutex_t mutex;
	/* Folders that contained nothing of ours when this process released their lock. */
	struct {
		uint64_t device, inode;
		int64_t modified;
	} folders[BESIDE_FOLDERS];
	unsigned next;
	char *files[BESIDE_FILES]; /* kept files, as "FOLDER/NAME"; on the heap. Any further ones are found by sweeps */
	atomic_uint n;
};
void beside_open(struct beside_memory *m);
void beside_close(struct beside_memory *m);

/* Remembers a kept file, given by its true absolute path. */
void beside_remember(struct beside_memory *m, struct text file);
/* Looks at the files that this process remembers, and takes in those that nobody has open. Does nothing if the call has
 * locks. Sets no error. */
void beside_look(struct call *c);

/* For a writing call that has its folders locked: removes the temps of interrupted writes. True: there are files to
 * take in; the call must release its locks, then call beside_take_all(). */
bool beside_sweep(struct call *c, struct locks *l, struct texts *files);
void beside_take_all(struct call *c, const struct texts *files);
/* Before the locks are released: remembers that these folders contain nothing that is not known. */
void beside_swept(struct beside_memory *m, const struct locks *l);

#endif
