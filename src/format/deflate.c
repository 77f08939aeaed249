#include "format/deflate.h"

#include "base/budget.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

static void *take(void *of, unsigned n, unsigned size)
{
	(void)of;
	return budget_try(NULL, (size_t)n * size);
}

static void give(void *of, void *memory)
{
	(void)of;
	free(memory);
}

/* Most data shrinks to a fraction: room for all of it would be as large as the data. */
static struct text packed_at(struct arena *a, struct text bytes, int level)
{
	enum { ROOM_MIN = 1 << 16 };
	z_stream s = {.zalloc = take, .zfree = give};
	int done;

	if (deflateInit2(&s, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		out_of_memory();
	assert(bytes.len <= UINT_MAX);
	s.next_in = (unsigned char *)(uintptr_t)bytes.at;
	s.avail_in = (unsigned)bytes.len;
	size_t most = deflateBound(&s, bytes.len), first = bytes.len / 8 > ROOM_MIN ? bytes.len / 8 : ROOM_MIN,
	       room = 0;
	char *to = NULL;
	do {
		size_t more = room ? 2 * room : first;
		more = more < most ? more : most;
		to = arena_grow(a, to, room, more);
		s.next_out = (unsigned char *)to + s.total_out;
		s.avail_out = (unsigned)(more - room);
		room = more;
		done = deflate(&s, Z_FINISH);
	} while (done == Z_OK && s.total_out < bytes.len);
	size_t len = s.total_out;
	deflateEnd(&s);
	return done == Z_STREAM_END && len < bytes.len ? (struct text){to, len} : (struct text){0};
}

struct text deflate_pack(struct arena *a, struct text bytes) { return packed_at(a, bytes, Z_DEFAULT_COMPRESSION); }
struct text deflate_quick(struct arena *a, struct text bytes) { return packed_at(a, bytes, 1); }

enum inflated deflate_unpack(struct text packed, char *to, size_t most, size_t *len)
{
	z_stream s = {.zalloc = take, .zfree = give};
	unsigned char beyond;

	assert(packed.len <= UINT_MAX && most <= UINT_MAX);
	if (inflateInit2(&s, -MAX_WBITS) != Z_OK)
		out_of_memory();
	s.next_in = (unsigned char *)(uintptr_t)packed.at;
	s.avail_in = (unsigned)packed.len;
	s.next_out = (unsigned char *)to;
	s.avail_out = (unsigned)most;
	int done = inflate(&s, Z_FINISH);
	*len = s.total_out;
	if (done != Z_STREAM_END && !s.avail_out) {
		/* The output is full and the stream continues: check if there is one more byte, or only its end. */
		s.next_out = &beyond;
		s.avail_out = 1;
		done = inflate(&s, Z_FINISH);
	}
	size_t left = s.avail_in;
	bool is_over = s.total_out > most;
	inflateEnd(&s);
	if (is_over)
		return INFLATED_OVER;
	return done == Z_STREAM_END && !left ? INFLATED_DONE : INFLATED_BROKEN;
}

uint32_t deflate_crc(struct text bytes)
{
	return (uint32_t)crc32_z(0, (const unsigned char *)(bytes.len ? bytes.at : ""), bytes.len);
}
