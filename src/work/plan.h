/* plan.h: the changes of a commit to each document. The same plan is used for the dry run's result, the write and the
 * record.
 *
 * A plan turns a document (or none) into a document (or none): created, changed, moved, deleted. A change that changes
 * no byte has no plan. */
#ifndef QUIRE_WORK_PLAN_H
#define QUIRE_WORK_PLAN_H
#include "work/history/store.h"
#include "work/workspace.h"

struct plan {
	struct document *from;         /* NULL: a new document */
	struct document *to;           /* NULL: it is deleted; the same as `from` unless it moves */
	struct entry *result;          /* NULL: deleted; the call has a reference */
	const struct document *source; /* of an export; NULL: none */
	const struct draft *draft;     /* that is saved; NULL: none */
	struct pieces after;           /* the bytes of the result */
	const struct splice *splices;  /* from the old bytes to the new ones, if both exist; sorted */
	size_t n;
};

/* Takes ownership of the arenas of all changes, even if it fails. False: a result is larger than documents may be. */
bool plans_make(struct call *c, const struct change *changes, size_t n, struct plan **out, size_t *planned);
struct record_document plan_record(struct call *c, const struct plan *p);
void plans_describe(struct call *c, const struct plan *plans, size_t n);

#endif
