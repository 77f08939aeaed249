/* limits.h: exact limits per minute.
 *
 * A window keeps the times of the last N requests that passed. One more passes exactly when the N-th last is a minute
 * old, so no minute ever has more than N. There is one window for each (key, kind, what). Windows that were idle for a
 * minute are dropped when the table grows, so memory is bounded by the last minute's traffic. The caller passes the
 * time: windows have no clock. */
#ifndef QUIRE_GUARD_LIMITS_H
#define QUIRE_GUARD_LIMITS_H
#include "base/text.h"

enum { WINDOW_MS = 60 * 1000, WINDOW_LIMIT_MAX = 100000 };

struct windows; /* safe to use from any thread */

struct windows *windows_new(void);
void windows_free(struct windows *w);

/* True: counted. False: not counted; after *retry_after seconds (at least 1) one more would pass. */
bool windows_take(struct windows *w, struct text name, int limit, int64_t now, int *retry_after);
/* Uncounts the newest one, because the request was refused after all. */
void windows_return(struct windows *w, struct text name);

#endif
