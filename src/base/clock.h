/* clock.h: what time it is.
 *
 * QUIRE_NOW (seconds since 1970, or an ISO date) fixes the wall clock for tests; the ticks always run. */
#ifndef QUIRE_BASE_CLOCK_H
#define QUIRE_BASE_CLOCK_H
#include "base/text.h"

int64_t clock_spent(void); /* CPU milliseconds of this thread, for limits that must not depend on the machine's load */
int64_t clock_ticks(void); /* monotonic milliseconds */
int64_t clock_now(void);   /* milliseconds since 1970, UTC */

/* Reads a date, or a date and a time with T or a blank between them: 2026-11-15, 2026-11-15T20:47,
 * 2026-11-15 20:47:49.5+01:00. Without Z or an offset it is UTC. False: it is none, or no such day exists. */
enum clock_form { CLOCK_DAY, CLOCK_MINUTE, CLOCK_SECOND };
bool clock_read(struct text t, int64_t *ms, enum clock_form *form); /* form may be NULL */
bool clock_is_time(struct text t);                                  /* 20:47:49.5, seconds included */

struct text clock_iso(struct arena *a, int64_t ms); /* 2026-11-15T20:47:49Z */

#endif
