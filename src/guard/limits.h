/* limits.h: how many in a minute, exactly.
 *
 * A window keeps the times of the last N that were let through, so one more passes exactly when the N-th last is a
 * minute old: no span of a minute ever holds more than N. There is one window for each (key, kind, what). Windows that
 * were idle for a minute are dropped when the table grows, so memory is bounded by the last minute's traffic. The
 * caller passes the time: windows have no clock. */
#ifndef QUIRE_GUARD_LIMITS_H
#define QUIRE_GUARD_LIMITS_H
#include "base/text.h"

enum { WINDOW_MS = 60 * 1000, WINDOW_LIMIT_MAX = 100000 };

struct windows; /* safe to use from any thread */

struct windows *windows_new(void);
void windows_free(struct windows *w);

/* True: taken. False: *retry_after seconds must pass before one more would be (at least 1); nothing was counted. */
bool windows_take(struct windows *w, struct text name, int limit, int64_t now, int *retry_after);
/* Gives the newest one back: what it was taken for was refused after all. */
void windows_return(struct windows *w, struct text name);

#endif
