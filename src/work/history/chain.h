/* chain.h: all changes of one document, and its bytes at any moment.
 *
 * Steps are newest first and follow the document through its moves, including moves by other programs (store.h). Each
 * step's `before` is the `after` of the next one, unless older steps were pruned or forgotten (is_cut). A step before a
 * move from outside the grant is hidden from the caller, but is still used to rebuild the bytes of visible steps. */
#ifndef QUIRE_WORK_HISTORY_CHAIN_H
#define QUIRE_WORK_HISTORY_CHAIN_H
#include "work/history/store.h"

struct step {
	int64_t row, id;
	struct text path, old_path; /* as in the record */
	struct text before, after;
	enum record_form form;
	enum record_kind kind;
	bool is_cut, is_undone;
};
struct chain {
	struct step *items;
	size_t n;   /* steps that the caller may see */
	size_t all; /* with the hidden ones, which only help to rebuild bytes */
};

/* `revision`: of the document as it is now; absent: it does not exist. */
bool chain_load(struct call *c, struct transaction *t, struct text place, struct text revision, struct chain *out);
/* The same up to commit `id`, for pruning and checks: includes unfinished commits, and nothing is hidden. */
bool chain_to(struct call *c, struct transaction *t, struct text place, int64_t id, struct chain *out);
/* The bytes after step i; with `before`, the bytes before it. Absent: the history does not have them (pruned,
 * forgotten, too large), or there was no document. False: the database failed, the record is damaged or the call
 * ended. */
bool chain_bytes(struct call *c, struct transaction *t, const struct chain *chain, size_t i, bool before,
		 struct text *out);
/* Does the history have the bytes? Does not rebuild them. */
bool chain_holds(const struct chain *chain, size_t i, bool before);

#endif
