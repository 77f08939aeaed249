/* sse.h: the output queue of an event stream.
 *
 * Messages are added as events, and bytes for the socket are taken out. An empty queue uses no memory, so a thousand
 * idle streams cost almost nothing. The owner checks whether a queue is full and decides what to drop. There is no lock
 * here: the owner's lock protects it. */
#ifndef QUIRE_MCP_SSE_H
#define QUIRE_MCP_SSE_H
#include "base/buffer.h"

/* Bytes that may wait for one client. With more, the client is not reading. */
enum { SSE_WAITING_MAX = 4 << 20 };

struct sse {
	struct buffer waiting;
	size_t taken; /* bytes of `waiting` that are already on the socket */
	/* The last event may contain shared bytes, at this position in all bytes that were ever queued. */
	struct text large;
	size_t large_at, large_taken;
};

/* Adds the message as one event. A line break in it (legal between JSON tokens) starts another data line. */
void sse_event(struct sse *s, struct text message);
/* The same with large bytes inserted at a position. They are not copied and must stay valid until the end. This must be
 * the last event. */
void sse_event_around(struct sse *s, struct text message, size_t at, struct text large);
void sse_keepalive(struct sse *s); /* a comment, which clients ignore */
size_t sse_waiting(const struct sse *s);
size_t sse_take(struct sse *s, char *to, size_t most);
void sse_free(struct sse *s);

#endif
