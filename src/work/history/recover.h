/* recover.h: finishing commits that a crash interrupted.
 *
 * * A recorded commit that is not marked done is either running, and its process holds the locks of its folders, or it
 * was cut short, and any process may finish it. A document still at its revision `before` gets the delta, one at
 * `after` is done, any other was changed by another program and is left alone and reported. Every step can be repeated,
 * so the next recovery also handles a crash inside recovery. */
#ifndef QUIRE_WORK_RECOVER_H
#define QUIRE_WORK_RECOVER_H
#include "work/root.h"

/* Finishes what can be finished without waiting. Never fails: what stays is found again by the next call. */
void recover_pending(struct call *c);
/* With the folders of these spots locked: false when a commit cut short in one of them is not finished yet; *id is that
 * commit, 0 when the history cannot be read. */
bool recover_is_clear(struct call *c, const struct spot *spots, size_t n, int64_t *id);
/* Finishes one commit, and waits for its folders as for any lock; the call holds none. False: LOCKED, or the call
 * ended. */
bool recover_commit(struct call *c, int64_t id);

#endif
