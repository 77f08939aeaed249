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
		/* A blank line would end the event; between tokens it says nothing. */
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

size_t sse_waiting(const struct sse *s) { return s->waiting.len - s->taken; }

size_t sse_take(struct sse *s, char *to, size_t most)
{
	size_t n = sse_waiting(s) < most ? sse_waiting(s) : most;

	if (!n)
		return 0;
	memcpy(to, s->waiting.at + s->taken, n);
	s->taken += n;
	if (s->taken == s->waiting.len)
		sse_free(s);
	return n;
}

void sse_free(struct sse *s)
{
	buffer_free(&s->waiting);
	*s = (struct sse){0};
}
