/* sse.h: the output queue of an event stream.
 *
 * Messages go in at one end as events, bytes for the socket come out at the other. An empty queue holds no memory, so a
 * thousand idle streams cost next to nothing; a full one reports that to its owner, which decides what to drop. Not
 * locked: the owner's lock protects it. */
#ifndef QUIRE_MCP_SSE_H
#define QUIRE_MCP_SSE_H
#include "base/buffer.h"

/* What may wait for one client. Beyond it the client is not reading. */
enum { SSE_WAITING_MAX = 4 << 20 };

struct sse {
	struct buffer waiting;
	size_t taken; /* of waiting: on the socket already */
	/* The last event may contain shared bytes, at this position of all bytes that were ever queued. */
	struct text large;
	size_t large_at, large_taken;
};

/* The message as one event. A line break in it (legal between JSON tokens) becomes a further data line. */
void sse_event(struct sse *s, struct text message);
/* The same with bytes put in at a place of it, which are not copied and stay until the end. The last one. */
void sse_event_around(struct sse *s, struct text message, size_t at, struct text large);
void sse_keepalive(struct sse *s); /* a comment, which clients ignore */
size_t sse_waiting(const struct sse *s);
size_t sse_take(struct sse *s, char *to, size_t most);
void sse_free(struct sse *s);

#endif
