/* again.h: runs a handler again when a store requires it.
 *
 * 	struct again mark = again_mark(c);
 * 	do
 * 		done = handler(c, in, out);
 * 	while (!done && again(c, &mark));
 *
 * A store that met a concurrent writer (SQLITE_BUSY, a serialization failure, a deadlock) sets the error and c->again.
 * A handler changes nothing outside its transaction, so it can run again from the top. This is the only place that does
 * so. The wait before each retry is random and grows, so the writers do not collide again. The deadline and
 * cancellation still apply; after the last retry the store's error remains. */
#ifndef QUIRE_TOOL_AGAIN_H
#define QUIRE_TOOL_AGAIN_H
#include "base/call.h"

enum { AGAIN_RUNS_MAX = 10 }; /* the longest wait is half a second, all waits together about one second */

struct again {
	int runs;
	size_t warnings, touched;
	struct text revision;
};

struct again again_mark(const struct call *c);
/* True: the call is reset to the mark, its documents and locks are released, and the handler should run again. */
bool again(struct call *c, struct again *mark);

#endif
