/* prune.h: what leaves the history: by bytes, by age, or because a person wants it forgotten.
 *
 * A server removes only commits whose documents all lie below its own roots, oldest first, and never the newest commit
 * of a document. Before a record goes, the one after it gets its whole bytes: what stays listed can be had back. A
 * clock that is wrong erases nothing: age counts from commit to commit, and what lies behind a gap longer than the time
 * to be kept is left to the rule of bytes. */
#ifndef QUIRE_WORK_HISTORY_PRUNE_H
#define QUIRE_WORK_HISTORY_PRUNE_H
#include "work/history/store.h"

/* In the transaction of a commit. They never fail the commit but when the database fails. */
void prune_by_bytes(struct call *c, struct transaction *t);
void prune_by_age(struct call *c, struct transaction *t);

#endif
