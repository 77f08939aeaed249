/* prune.h: removes history: by bytes, by age, or when a user wants to forget a document.
 *
 * A server removes only commits whose documents are all below its own roots, oldest first, and never the newest commit
 * of a document. Before a record is removed, the next one gets its whole bytes, so every listed revision can be
 * restored. A wrong clock removes nothing: age counts from commit to commit, and records before a gap longer than the
 * retention time are removed only by bytes. */
#ifndef QUIRE_WORK_HISTORY_PRUNE_H
#define QUIRE_WORK_HISTORY_PRUNE_H
#include "work/history/store.h"

/* Removes what is due, in transactions of bounded size, outside of commits: the ticker calls it, and work_close(). */
void history_upkeep(struct work *w);

#endif
