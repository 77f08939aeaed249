/* recover.h: finishes commits that a crash interrupted.
 *
 * A recorded commit that is not marked done is either running, and its process holds the locks of its folders, or it
 * was interrupted, and any process may finish it. A document with revision `before` gets the delta. A document with
 * revision `after` is done. Any other was changed by another program; it is not changed, but reported. Every step can
 * be repeated, so the next recovery also handles a crash inside recovery. */
#ifndef QUIRE_WORK_RECOVER_H
#define QUIRE_WORK_RECOVER_H
#include "work/root.h"

/* Finishes all commits that can be finished without waiting. Never fails: the next call finds the remaining ones
 * again. */
void recover_pending(struct call *c);
void recover_forget(struct work *w); /* closes the folder of the pending commit that was found last */
/* Call it with the folders of these spots locked. False: an interrupted commit in one of them is not finished yet; *id
 * is that commit, or 0 when the history cannot be read. */
bool recover_is_clear(struct call *c, const struct spot *spots, size_t n, int64_t *id);
/* Finishes one commit and waits for its folders' locks; the call must hold none. False: LOCKED, or the call ended. */
bool recover_commit(struct call *c, int64_t id);

#endif
