/* lock.h: waiting for another program, with a time limit.
 *
 * The lock is flock(2) on an open folder. The wait blocks: the kernel wakes the waiter when the lock is released.
 * Polling with LOCK_NB would starve behind a process that takes the lock again at once. A timer's signal, sent to the
 * waiting thread only, interrupts the wait regularly to check whether the call is cancelled or the time is over. */
#ifndef QUIRE_WORK_LOCK_H
#define QUIRE_WORK_LOCK_H
#include "base/call.h"

#include <sys/types.h>

/* Makes the signals harmless: the timer's, and the one about a lease (writer.h). Needed once per process; repeating it
 * is safe. */
void lock_prepare(void);

/* A commit needs one descriptor for each folder. Raises the limit as far as the system allows. */
void descriptors_reserve(size_t folders);

/* Takes the exclusive lock of an open folder or file. False: LOCKED after wait_ms, or the call ended. */
bool lock_take(struct call *c, int fd, int wait_ms, struct text what);
bool lock_try(int fd); /* without waiting; false with errno EWOULDBLOCK: another process has it */

struct root;

/* The locked folders of a call, each once. They are always locked in the order of (device, inode), so there is no
 * deadlock. */
struct lock {
	int fd;
	dev_t dev;
	ino_t ino;
	struct text what; /* for messages */
	/* The root that it is below, and its path there; NULL: a folder that a commit made or recovers. */
	const struct root *root;
	struct text below;
	bool is_swept; /* it contains nothing of ours that is not known (beside.h) */
};
struct locks {
	struct lock *items;
	size_t n, cap;
};
/* Locks all of them, or none. The list then owns the descriptors; duplicates are closed. */
bool locks_take(struct call *c, struct locks *l, int wait_ms);
bool locks_try(struct locks *l);
const struct lock *locks_find(const struct locks *l, dev_t dev, ino_t ino); /* NULL: not in the list */
void locks_drop(struct locks *l);                                           /* unlocks by closing */

#endif
