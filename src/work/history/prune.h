/* prune.h: removing history: by bytes, by age, or because a user asked to forget a document.
 *
 * A server removes only commits whose documents all lie below its own roots, oldest first, and never the newest commit
 * of a document. Before a record is removed, the one after it gets its whole bytes, so every listed revision can be
 * restored. A wrong clock erases nothing: age counts from commit to commit, and records behind a gap longer than the
 * retention time are removed only by bytes. */
#ifndef QUIRE_WORK_HISTORY_PRUNE_H
#define QUIRE_WORK_HISTORY_PRUNE_H
#include "work/history/store.h"

/* In the transaction of a commit. They never fail the commit but when the database fails. */
void prune_by_bytes(struct call *c, struct transaction *t);
void prune_by_age(struct call *c, struct transaction *t);

#endif
