/* clock.h: what time it is.
 *
 * QUIRE_NOW (seconds since 1970, or an ISO date) fixes the wall clock for tests; the ticks always run. */
#ifndef QUIRE_BASE_CLOCK_H
#define QUIRE_BASE_CLOCK_H
#include "base/text.h"

int64_t clock_spent(void); /* CPU milliseconds of this thread, for limits that must not depend on the machine's load */
int64_t clock_ticks(void); /* monotonic milliseconds */
int64_t clock_now(void);   /* milliseconds since 1970, UTC */
struct text clock_iso(struct arena *a, int64_t ms); /* 2026-11-15T20:47:49Z */

#endif
