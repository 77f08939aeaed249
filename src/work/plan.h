/* plan.h: what a commit will do to each document: the same plan is used for the dry run's result, the write and the
 * record.
 *
 * A plan leads from a document (or none) to a document (or none): made, changed, moved, deleted. Changes that change no
 * byte are not planned at all. */
#ifndef QUIRE_WORK_PLAN_H
#define QUIRE_WORK_PLAN_H
#include "work/history/store.h"
#include "work/workspace.h"

struct plan {
	struct document *from;         /* NULL: it is made */
	struct document *to;           /* NULL: it is deleted; `from` itself unless it moves */
	struct entry *result;          /* NULL: deleted; counted by the call */
	const struct document *source; /* of an export; NULL: none */
	struct pieces after;           /* the bytes of the result */
	const struct splice *splices;  /* from the old bytes to the new, when there are both; sorted */
	size_t n;
};

/* Takes over the arenas of all changes in every case. False: a result is larger than documents may be. */
bool plans_make(struct call *c, const struct change *changes, size_t n, struct plan **out, size_t *planned);
struct record_document plan_record(struct call *c, const struct plan *p);
void plans_describe(struct call *c, const struct plan *plans, size_t n);

#endif
