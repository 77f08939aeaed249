/* own.h: what a call holds besides the memory of its arenas: descriptors, folders, heap blocks, objects of libraries,
 * locks, references.
 *
 * A call may be ended at almost any point (budget.h). The code after that point does not run, so it cannot release
 * anything. Therefore the function that takes something also registers it with the running call, and the call releases
 * what is still registered when it ends, however it ends, the newest first:
 *
 * 	int fd = open_at(folder, name, O_RDONLY, 0);      registered
 * 	own_object(parser_drop, parser);                  registered: parser_drop(parser) runs at the end
 *
 * Releasing earlier is allowed and usual: fd_drop(), folder_close(). Forgetting it only means that the call holds the
 * thing until its end. An object that is registered with own_object() is on the heap or in an arena, never on the
 * stack: when it is released, the frames of the call are gone.
 *
 * What outlives its call is handed over with own_keep(), which counts it by name. From then on its new owner releases
 * it, and calls own_gone(). If that is forgotten, debug builds stop at the end of the program.
 *
 * Where no call runs (at start, in the threads of the transports), nothing is registered, and the code releases what it
 * takes. */
#ifndef QUIRE_BASE_OWN_H
#define QUIRE_BASE_OWN_H
#include "base/arena.h"

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* openat() with close-on-exec, retried after a signal; -1: errno. */
int open_at(int folder, const char *name, int flags, mode_t mode);
int own_fd(int fd);    /* registers a descriptor that another system call made, and returns it; -1 is allowed */
int fd_copy(int fd);   /* another descriptor of the same file; -1: errno */
void fd_drop(int *fd); /* closes, keeps errno, sets -1 */

DIR *folder_open(int *fd); /* fdopendir(): takes the descriptor and sets -1; NULL: errno, and *fd is closed */
void folder_close(DIR **dir);

void own_object(void (*release)(void *of), void *of);
void own_not(void *of); /* whoever calls this releases it now */

/* What outlives the call that made it. */
enum lasting {
	LASTING_STATE_FOLDER, /* the descriptor of the state folder */
	LASTING_MET_FOLDER,   /* the descriptor of a folder that another process's commit has locked */
	LASTING_WATCH,        /* an inotify descriptor */
	LASTING_VECTORS,      /* the descriptors of a file of vectors */
	LASTING_SORTS
};
void own_keep(enum lasting as, int fd);
void own_gone(enum lasting as);
long own_kept(enum lasting as);
void own_check(void); /* debug builds: ends the program if something that was handed over was not released */

/* The rest is for budget.c. */
enum { OWNED_WORDS = 16, OWNED_FEW = 8 };
struct owned_thing {
	void (*release)(void *);
	void *of;
};
struct owned {
	uint64_t fds[OWNED_WORDS], *more_fds; /* a bit for each descriptor */
	size_t more_n;
	struct owned_thing few[OWNED_FEW], *more;
	size_t n, cap;
};
void owned_release(struct owned *o);

#endif
