/* shared_limits.h: the same limits for several servers on one PostgreSQL database.
 *
 * The times of the last minute are rows. They are counted and added under the lock of their key's row, so the limit is
 * exact over all servers. Times come from the database's clock. */
#ifndef QUIRE_GUARD_SHARED_LIMITS_H
#define QUIRE_GUARD_SHARED_LIMITS_H
#include "base/call.h"

struct shared_windows; /* safe to use from any thread */

struct shared_windows *shared_windows_new(const char *url);
void shared_windows_free(struct shared_windows *w);
/* Like windows_take(). False with *known false: the database did not respond, so the count is unknown. */
bool shared_windows_take(struct shared_windows *w, struct text name, int limit, int *retry_after, bool *known);
void shared_windows_return(struct shared_windows *w, struct text name);

#endif
