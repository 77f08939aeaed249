/* lock.h: waiting for another program, with a time limit.
 *
 * The lock is flock(2) on an open folder. The wait is a blocking one: the kernel wakes the waiter when the lock comes
 * free, while a poll with LOCK_NB starves behind a rival that takes it again at once. A timer's signal, sent to the
 * waiting thread alone, interrupts it now and then to look whether the call is cancelled or the wait is over. */
#ifndef QUIRE_WORK_LOCK_H
#define QUIRE_WORK_LOCK_H
#include "base/call.h"

#include <sys/types.h>

/* Makes the signal harmless; needed once a process, repeating it is safe. */
void lock_prepare(void);

/* A commit in many folders holds a descriptor of each: asks the system for as many as it may have. */
void descriptors_reserve(size_t folders);

/* Takes the exclusive lock of an open folder or file. False: LOCKED after wait_ms, or the call ended. */
bool lock_take(struct call *c, int fd, int wait_ms, struct text what);
bool lock_try(int fd); /* without waiting; false with errno EWOULDBLOCK: it is taken */

/* Locked folders of a call, each once; always taken in the order of (device, inode), so there is no deadlock. */
struct lock {
	int fd;
	dev_t dev;
	ino_t ino;
	struct text what; /* for messages */
};
struct locks {
	struct lock *items;
	size_t n, cap;
};
/* Takes all of them, or none; the descriptors become those of the list, doubles are closed. */
bool locks_take(struct call *c, struct locks *l, int wait_ms);
bool locks_try(struct locks *l);
const struct lock *locks_find(const struct locks *l, dev_t dev, ino_t ino); /* NULL: not among them */
void locks_drop(struct locks *l);                                           /* unlocks by closing */

#endif
