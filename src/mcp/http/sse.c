#include "mcp/http/sse.h"

#include <string.h>

void sse_event(struct sse *s, struct text message)
{
	buffer_put(&s->waiting, "event: message\n");
	for (size_t from = 0; from <= message.len;) {
		const char *line = message.at + from;
		size_t len = 0;

		while (from + len < message.len && line[len] != '\n' && line[len] != '\r')
			len++;
		/* A blank line would end the event. Between tokens it has no meaning, so it is left out. */
		if (len) {
			buffer_put(&s->waiting, "data: ");
			buffer_add(&s->waiting, (struct text){line, len});
			buffer_byte(&s->waiting, '\n');
		}
		from += len + 1;
	}
	buffer_byte(&s->waiting, '\n');
}

void sse_keepalive(struct sse *s) { buffer_put(&s->waiting, ": keepalive\n\n"); }

void sse_event_around(struct sse *s, struct text message, size_t at, struct text large)
{
	static const char lead[] = "event: message\ndata: ";

	/* This is one line, because the server writes no line breaks between tokens. */
	s->large = large;
	s->large_at = s->waiting.len + sizeof lead - 1 + at;
	s->large_taken = 0;
	buffer_put(&s->waiting, lead);
	buffer_add(&s->waiting, message);
	buffer_put(&s->waiting, "\n\n");
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
