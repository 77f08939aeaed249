/* buffer.h: text that grows.
 *
 * Bytes are kept in an arena when one is given, else on the heap and freed by buffer_free(), or at the end of the call.
 * The bytes may move while the buffer grows, so keep offsets, not pointers. */
#ifndef QUIRE_BASE_BUFFER_H
#define QUIRE_BASE_BUFFER_H
#include "base/text.h"

struct buffer {
	char *at;
	size_t len, cap;
	struct arena *arena; /* NULL: heap */
	bool lasts;          /* without an arena: outlives the call that fills it */
};

char *buffer_more(struct buffer *b, size_t n); /* buffer_room() when it must grow */

/* n writable bytes at the end; add the number used to len. There is one byte more than requested, for the closing NUL.
 */
static inline char *buffer_room(struct buffer *b, size_t n)
{
	return n < b->cap - b->len ? b->at + b->len : buffer_more(b, n);
}

void buffer_add(struct buffer *b, struct text t);
void buffer_put(struct buffer *b, const char *s);
static inline void buffer_byte(struct buffer *b, char c)
{
	*buffer_room(b, 1) = c;
	b->len++;
}

void buffer_fill(struct buffer *b, char c, size_t n);
void buffer_format(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct text buffer_text(const struct buffer *b); /* never absent; also ends in a NUL byte */
void buffer_free(struct buffer *b);

#endif
