/* commit.h: the commit itself, with parameters for undo. */
#ifndef QUIRE_WORK_COMMIT_H
#define QUIRE_WORK_COMMIT_H
#include "work/history/store.h"

/* Like work_commit(). `undoes`: the commit that this one undoes or redoes; 0: none. */
bool commit_changes(struct call *c, const struct change *changes, size_t n, struct text summary, enum record_kind kind,
		    int64_t undoes);

#endif
