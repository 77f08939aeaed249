#include "format/deflate.h"

#include "base/budget.h"

#include <assert.h>
#include <limits.h>
#include <zlib.h>

/* The call owns what zlib allocates, so it may be ended between two calls of zlib. */
static void *take(void *of, unsigned n, unsigned size)
{
	(void)of;
	return budget_block(NULL, (size_t)n * size);
}

static void give(void *of, void *memory)
{
	(void)of;
	budget_block_free(memory);
}

/* Most data shrinks to a fraction, so the buffer grows as needed. Full size from the start would waste memory. */
static void more_room(struct arena *a, z_stream *s, char **to, size_t *room, size_t len)
{
	enum { ROOM_MIN = 1 << 16 };
	size_t first = len / 8 > ROOM_MIN ? len / 8 : ROOM_MIN, most = deflateBound(s, len);
	size_t want = *room ? 2 * *room : first;

	want = want < most ? want : most;
	*to = arena_grow(a, *to, *room, want);
	s->next_out = (unsigned char *)*to + s->total_out;
	s->avail_out = (unsigned)(want - s->total_out);
	*room = want;
}

static struct text packed_at(struct arena *a, const struct text *pieces, size_t n, int level)
{
	z_stream s = {.zalloc = take, .zfree = give};
	size_t len = 0, room = 0;
	char *to = NULL;
	int done = Z_OK;

	for (size_t i = 0; i < n; i++)
		len += pieces[i].len;
	budget_hold();
	int begun = deflateInit2(&s, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
	budget_let();
	if (begun != Z_OK)
		out_of_memory();
	assert(len <= UINT_MAX);
	for (size_t i = 0; i < n && s.total_out < len; i++) {
		s.next_in = (unsigned char *)(uintptr_t)pieces[i].at;
		s.avail_in = (unsigned)pieces[i].len;
		do {
			if (!s.avail_out)
				more_room(a, &s, &to, &room, len);
			done = deflate(&s, i + 1 < n ? Z_NO_FLUSH : Z_FINISH);
		} while (s.total_out < len && (i + 1 < n ? !s.avail_out : done != Z_STREAM_END));
	}
	size_t packed = s.total_out;
	deflateEnd(&s);
	return done == Z_STREAM_END && packed < len ? (struct text){to, packed} : (struct text){0};
}

struct text deflate_pack(struct arena *a, struct text bytes) { return deflate_pieces(a, &bytes, 1); }
struct text deflate_pieces(struct arena *a, const struct text *pieces, size_t n)
{
	return packed_at(a, pieces, n, Z_DEFAULT_COMPRESSION);
}
struct text deflate_quick(struct arena *a, struct text bytes) { return packed_at(a, &bytes, 1, 1); }

enum inflated deflate_unpack(struct text packed, char *to, size_t most, size_t *len)
{
	z_stream s = {.zalloc = take, .zfree = give};
	unsigned char beyond;

	assert(packed.len <= UINT_MAX && most <= UINT_MAX);
	budget_hold();
	int begun = inflateInit2(&s, -MAX_WBITS);
	budget_let();
	if (begun != Z_OK)
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

uint32_t deflate_crc(struct text bytes) { return deflate_crc_pieces(&bytes, 1); }

uint32_t deflate_crc_pieces(const struct text *pieces, size_t n)
{
	uLong crc = 0;

	for (size_t i = 0; i < n; i++)
		crc = crc32_z(crc, (const unsigned char *)(pieces[i].len ? pieces[i].at : ""), pieces[i].len);
	return (uint32_t)crc;
}
