/* fix.h: tries operations before they are offered as fixes.
 *
 * Checks only suggest operations. A trial applies one to a copy of the plan's text and reads the result. An operation
 * that is refused, changes nothing or adds an error or warning is not a fix. The caller must still check that its own
 * finding is solved in the new plan.
 *
 *	struct fix_trial t;
 *	fix_trial_open(&t, c, plan);
 *	const struct plan *after = fix_trial_run(&t, operation);    NULL: no fix; lives until the next run
 *	fix_trial_close(&t);
 *
 * A trial reads the whole plan again, so their number is limited (fix_trial_left). */
#ifndef QUIRE_KINDS_FLOORPLAN_FIX_H
#define QUIRE_KINDS_FLOORPLAN_FIX_H
#include "base/arena.h"
#include "base/call.h"
#include "base/map.h"
#include "kinds/floorplan/plan/plan.h"

/* Limits for one result: the number of trials, and the bytes of plans that they read. One trial is always allowed. */
enum { TRIALS_MAX = 48, TRIAL_BYTES_MAX = 2 * 1024 * 1024 };

struct fix_trial {
	struct call *c;
	const struct plan *before;
	struct arena arena;      /* of what follows */
	struct map known;        /* maps each problem of the plan to its index in `counts` */
	uint32_t *counts, *seen; /* occurrences before; occurrences that the last trial solved */
	struct arena after;      /* of the last trial's plan */
	size_t left;             /* trials that may still be run */
};

void fix_trial_open(struct fix_trial *t, struct call *c, const struct plan *before);
const struct plan *fix_trial_run(struct fix_trial *t, const struct json *operation);
void fix_trial_close(struct fix_trial *t);
/* After a successful run: does this problem of the plan occur less often now? */
bool fix_trial_solved(const struct fix_trial *t, const struct problem *p);

/* An operation as JSON: {action, target, params}; target and params are optional. */
struct json *operation_json(struct arena *a, const char *action, struct text target, struct json *params);

/* Sets `fix` of every problem with a candidate that works. If not all could be tried, the call gets a warning. Returns
 * false only if the call must end. */
bool fixes_offer(struct call *c, struct plan *p);

/* The same for new warnings after an edit: warnings that `before` also has are dropped from `after`. */
bool fixes_offer_new(struct call *c, const struct plan *before, struct plan *after);

/* Can modify_floorplan edit this text? Not if it has parse errors or broken statements. */
bool plan_is_editable(const struct plan *p);

#endif
