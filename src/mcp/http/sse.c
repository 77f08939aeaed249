#include "mcp/http/sse.h"

#include <string.h>

/* What waits is sent by another thread, after the call that wrote it. */
static struct buffer *waiting(struct sse *s)
{
	s->waiting.lasts = true;
	return &s->waiting;
}

void sse_event(struct sse *s, struct text message)
{
	struct buffer *to = waiting(s);

	buffer_put(to, "event: message\n");
	for (size_t from = 0; from <= message.len;) {
		const char *line = message.at + from;
		size_t len = 0;

		while (from + len < message.len && line[len] != '\n' && line[len] != '\r')
			len++;
		/* A blank line would end the event. Between tokens it has no meaning, so it is left out. */
		if (len) {
			buffer_put(to, "data: ");
			buffer_add(to, (struct text){line, len});
			buffer_byte(to, '\n');
		}
		from += len + 1;
	}
	buffer_byte(to, '\n');
}

void sse_keepalive(struct sse *s) { buffer_put(waiting(s), ": keepalive\n\n"); }

void sse_event_around(struct sse *s, struct text message, size_t at, struct text large)
{
	static const char lead[] = "event: message\ndata: ";
	struct buffer *to = waiting(s);

	/* This is one line, because the server writes no line breaks between tokens. */
	s->large = large;
	s->large_at = s->waiting.len + sizeof lead - 1 + at;
	s->large_taken = 0;
	buffer_put(to, lead);
	buffer_add(to, message);
	buffer_put(to, "\n\n");
}

static size_t large_left(const struct sse *s) { return s->large.len - s->large_taken; }

size_t sse_waiting(const struct sse *s) { return s->waiting.len - s->taken + large_left(s); }

size_t sse_take(struct sse *s, char *to, size_t most)
{
	size_t end = large_left(s) ? s->large_at : s->waiting.len, n = end - s->taken;

	if (n) {
		n = n < most ? n : most;
		memcpy(to, s->waiting.at + s->taken, n);
		s->taken += n;
	} else if (large_left(s)) {
		n = large_left(s) < most ? large_left(s) : most;
		memcpy(to, s->large.at + s->large_taken, n);
		s->large_taken += n;
	}
	if (n && !sse_waiting(s))
		sse_free(s);
	return n;
}

void sse_free(struct sse *s)
{
	buffer_free(&s->waiting);
	*s = (struct sse){0};
}
