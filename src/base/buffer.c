#include "base/buffer.h"

#include "base/budget.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *buffer_more(struct buffer *b, size_t n)
{
	if (n > SIZE_MAX / 4 || b->len > SIZE_MAX / 4)
		out_of_memory();
	size_t need = b->len + n + 1;
	size_t cap = b->cap * 2 > need ? b->cap * 2 : need + 64;
	if (b->arena) {
		b->at = arena_grow(b->arena, b->at, b->cap, cap);
	} else {
		b->at = (b->lasts ? budget_memory : budget_block)(b->at, cap);
	}
	b->cap = cap;
	return b->at + b->len;
}

void buffer_add(struct buffer *b, struct text t)
{
	char *to = buffer_room(b, t.len);

	if (t.len)
		memcpy(to, t.at, t.len);
	b->len += t.len;
}

void buffer_put(struct buffer *b, const char *s) { buffer_add(b, text_of(s)); }

void buffer_fill(struct buffer *b, char c, size_t n)
{
	memset(buffer_room(b, n), c, n);
	b->len += n;
}

void buffer_format(struct buffer *b, const char *format, ...)
{
	va_list ap, again;

	va_start(ap, format);
	va_copy(again, ap);
	char *to = buffer_room(b, 120);
	int n = vsnprintf(to, 121, format, ap);
	if (n < 0)
		arena_die("a message cannot be formatted");
	if (n > 120)
		vsnprintf(buffer_room(b, (size_t)n), (size_t)n + 1, format, again);
	b->len += (size_t)n;
	va_end(again);
	va_end(ap);
}

struct text buffer_text(const struct buffer *b)
{
	if (!b->at)
		return TEXT("");
	b->at[b->len] = 0;
	return (struct text){b->at, b->len};
}

void buffer_free(struct buffer *b)
{
	if (!b->arena)
		(b->lasts ? free : budget_block_free)(b->at);
	*b = (struct buffer){.arena = b->arena, .lasts = b->lasts};
}
