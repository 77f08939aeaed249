/* again.h: running a handler again when a store asks for it.
 *
 *	struct again mark = again_mark(c);
 *	do
 *		done = handler(c, in, out);
 *	while (!done && again(c, &mark));
 *
 * A store that met a rival (SQLITE_BUSY, a serialization failure, a deadlock) sets the error and c->again. A handler
 * changes nothing outside its transaction, so it can run again from the top. This is the only place that does so. The
 * wait before each new run is random and grows, so that rivals do not meet again. Neither the deadline nor cancellation
 * is passed over; when the runs are used up, the store's error stands. */
#ifndef QUIRE_TOOL_AGAIN_H
#define QUIRE_TOOL_AGAIN_H
#include "base/call.h"

enum { AGAIN_RUNS_MAX = 10 }; /* the last wait is at most half a second, all together about one */

struct again {
	int runs;
	size_t warnings, touched;
	struct text revision;
};

struct again again_mark(const struct call *c);
/* True: the call is as it was at the mark, less what the handler held, and the handler should run again. */
bool again(struct call *c, struct again *mark);

#endif
