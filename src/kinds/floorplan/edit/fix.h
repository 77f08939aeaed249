/* fix.h: operations that were tried before they are offered.
 *
 * Checks only suggest operations. A trial applies one to a copy of the plan's text and reads the result: an operation
 * that is refused, changes nothing or adds any error or warning is no fix. The caller still has to see that its own
 * finding is gone from the new plan.
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

/* Limits of one answer: the number of trials, and the bytes of plans they read. One trial is always allowed. */
enum { TRIALS_MAX = 48, TRIAL_BYTES_MAX = 2 * 1024 * 1024 };

struct fix_trial {
	struct call *c;
	const struct plan *before;
	struct arena arena;      /* of what follows */
	struct map known;        /* each problem of the plan to its place in `counts` */
	uint32_t *counts, *seen; /* how often it occurs before; how often it is left after the last trial */
	struct arena after;      /* of the last trial's plan */
	size_t left;             /* trials that may still be run */
};

void fix_trial_open(struct fix_trial *t, struct call *c, const struct plan *before);
const struct plan *fix_trial_run(struct fix_trial *t, const struct json *operation);
void fix_trial_close(struct fix_trial *t);
/* After a successful run: does this problem of the plan occur less often now? */
bool fix_trial_solved(const struct fix_trial *t, const struct problem *p);

/* An operation as JSON: {action, target, params}; target and params may be absent. */
struct json *operation_json(struct arena *a, const char *action, struct text target, struct json *params);

/* Sets `fix` of every problem that has a candidate that works. When not all could be tried, a warning of the call says
 * so. False only when the call must end. */
bool fixes_offer(struct call *c, struct plan *p);

/* The same for the warnings that an edit brought: those that `before` has as often are dropped from `after`. */
bool fixes_offer_new(struct call *c, const struct plan *before, struct plan *after);

/* Can modify_floorplan edit this text? Not one with parse errors or broken statements. */
bool plan_is_editable(const struct plan *p);

#endif
