#include "format/merge.h"

#include "base/array.h"

#include <string.h>

/* Texts up to this size are compared by lines. */
static const size_t lines_max = (size_t)16 << 20;

/* Two insertions at one position have no order, so they overlap. Other edits that only share a boundary do not. */
static bool touches(const struct splice *x, const struct splice *y)
{
	bool x_is_empty = x->from == x->to, y_is_empty = y->from == y->to;

	if (x_is_empty && y_is_empty)
		return x->from == y->from;
	if (x_is_empty)
		return y->from < x->from && x->from < y->to;
	if (y_is_empty)
		return x->from < y->from && y->from < x->to;
	return x->from < y->to && y->from < x->to;
}

struct splice *splice_move(struct arena *a, const struct splice *mine, size_t n, const struct splice *theirs, size_t m,
			   size_t *clash)
{
	struct splice *moved = arena_array(a, n ? n : 1, sizeof *moved);
	int64_t shift = 0;
	size_t j = 0;

	for (size_t i = 0; i < n; i++) {
		for (; j < m && theirs[j].to <= mine[i].from && !touches(&mine[i], &theirs[j]); j++)
			shift += (int64_t)theirs[j].with.len - (theirs[j].to - theirs[j].from);
		for (size_t k = j; k < m && theirs[k].from <= mine[i].to; k++)
			if (touches(&mine[i], &theirs[k])) {
				*clash = k;
				return NULL;
			}
		moved[i] =
			(struct splice){(uint32_t)(mine[i].from + shift), (uint32_t)(mine[i].to + shift), mine[i].with};
	}
	return moved;
}

/* Walks the edits of the first list in the coordinates of their result: the next edit, and its shift. */
struct walk {
	const struct splice *at, *end;
	int64_t shift;
};

static int64_t walk_from(const struct walk *w) { return w->at->from + w->shift; }
static int64_t walk_to(const struct walk *w) { return walk_from(w) + (int64_t)w->at->with.len; }
static void walk_on(struct walk *w)
{
	w->shift += (int64_t)w->at->with.len - (w->at->to - w->at->from);
	w->at++;
}

/* Adds the bytes that the first list wrote into [from, to) of its result. */
static void put_written(struct buffer *b, struct walk w, const struct splice *end, int64_t from, int64_t to)
{
	for (; w.at < end; walk_on(&w)) {
		int64_t low = walk_from(&w) > from ? walk_from(&w) : from, high = walk_to(&w) < to ? walk_to(&w) : to;

		if (low < high)
			buffer_add(b, text_slice(w.at->with, (size_t)(low - walk_from(&w)),
						 (size_t)(high - walk_from(&w))));
	}
}

/* Joins overlapping edits of both lists into one. Between its ends, every byte was written by the first list or is
 * replaced by the second. */
static struct splice joined(struct arena *a, struct walk *w, const struct splice **then, const struct splice *last)
{
	const struct walk start = *w;
	const struct splice *j = *then;
	int64_t from = walk_from(w) < j->from ? walk_from(w) : j->from, end = j->to, at = from;
	struct buffer with = {.arena = a};

	for (bool grows = true; grows;) {
		grows = false;
		for (; w->at < w->end && walk_from(w) < end; walk_on(w), grows = true)
			end = walk_to(w) > end ? walk_to(w) : end;
		for (; *then < last && (*then)->from < end; ++*then, grows = true)
			end = (*then)->to > end ? (*then)->to : end;
	}
	for (; j < *then; j++) {
		put_written(&with, start, w->at, at, j->from);
		buffer_add(&with, j->with);
		at = j->to;
	}
	put_written(&with, start, w->at, at, end);
	return (struct splice){(uint32_t)(from - start.shift), (uint32_t)(end - w->shift), buffer_text(&with)};
}

struct splice *splice_then(struct arena *a, const struct splice *first, size_t n, const struct splice *then, size_t m,
			   size_t *count)
{
	struct splice *out = arena_array(a, n + m ? n + m : 1, sizeof *out);
	/* An empty list may be NULL, and nothing may be added to NULL. */
	struct walk w = {first, n ? first + n : first, 0};
	const struct splice *last = m ? then + m : then;

	*count = 0;
	while (w.at < w.end || then < last) {
		if (then == last || (w.at < w.end && walk_to(&w) <= then->from)) {
			out[(*count)++] = *w.at;
			walk_on(&w);
		} else if (w.at == w.end || then->to <= walk_from(&w)) {
			out[(*count)++] = (struct splice){(uint32_t)(then->from - w.shift),
							  (uint32_t)(then->to - w.shift), then->with};
			then++;
		} else {
			out[(*count)++] = joined(a, &w, &then, last);
		}
	}
	return out;
}

/* BLOCK: recording a shorter match would cost more than it saves. */
enum { BLOCK = 32, FACTOR = 0x01000193 };

struct blocks {
	struct text bytes;
	uint32_t *at; /* positions by hash, each plus one; 0: none */
	size_t mask;
};

static uint32_t hash_of(const char *at)
{
	uint32_t h = 0;

	for (int i = 0; i < BLOCK; i++)
		h = h * FACTOR + (unsigned char)at[i];
	return h;
}

static size_t slot_of(const struct blocks *b, uint32_t h) { return (h ^ h >> 15) & b->mask; }

static struct blocks blocks_of(struct arena *a, struct text bytes)
{
	struct blocks b = {.bytes = bytes, .mask = 1023};

	while (b.mask < bytes.len / BLOCK * 2)
		b.mask = b.mask * 2 + 1;
	b.at = arena_zero(a, (b.mask + 1) * sizeof *b.at);
	/* Backwards, so that the first of equal blocks is found. */
	for (size_t i = bytes.len / BLOCK; i-- > 0;)
		b.at[slot_of(&b, hash_of(bytes.at + i * BLOCK))] = (uint32_t)(i * BLOCK + 1);
	return b;
}

static size_t same_ahead(struct text x, size_t i, struct text y, size_t j)
{
	size_t n = 0;

	while (i + n < x.len && j + n < y.len && x.at[i + n] == y.at[j + n])
		n++;
	return n;
}

struct splice *splice_blocks(struct arena *a, struct text before, struct text after, size_t *n)
{
	ARRAY(struct splice) list = {0};
	size_t head = same_ahead(before, 0, after, 0), tail = 0, old = head, new = head;

	while (tail < before.len - head && tail < after.len - head &&
	       before.at[before.len - 1 - tail] == after.at[after.len - 1 - tail])
		tail++;
	struct text x = text_slice(before, 0, before.len - tail), y = text_slice(after, 0, after.len - tail);
	struct blocks blocks = blocks_of(a, x);
	uint32_t drop = 1, h = 0;
	for (int i = 1; i < BLOCK; i++)
		drop *= FACTOR;
	for (size_t at = head; at + BLOCK <= y.len;) {
		h = at == new ? hash_of(y.at + at)
			      : (h - drop * (unsigned char)y.at[at - 1]) * FACTOR + (unsigned char)y.at[at + BLOCK - 1];
		size_t found = blocks.at[slot_of(&blocks, h)], from = found - 1, back = 0;
		if (!found || from < old || memcmp(x.at + from, y.at + at, BLOCK) != 0) {
			at++;
			continue;
		}
		while (from - back > old && at - back > new &&x.at[from - back - 1] == y.at[at - back - 1])
			back++;
		if (from - back > old || at - back > new)
			*ARRAY_PUSH(a, &list) =
				(struct splice){(uint32_t)old, (uint32_t)(from - back), text_slice(y, new, at - back)};
		size_t same = same_ahead(x, from, y, at);
		old = from + same;
		at = new = at + same;
	}
	if (old < x.len || new < y.len)
		*ARRAY_PUSH(a, &list) = (struct splice){(uint32_t)old, (uint32_t)x.len, text_slice(y, new, y.len)};
	*n = list.n;
	return list.items ? list.items : arena_array(a, 1, sizeof *list.items);
}

static bool is_binary(struct text t) { return text_has_nul(text_slice(t, 0, 8192)); }

struct splice *splice_found(struct arena *a, struct text before, struct text after, size_t *n)
{
	if (before.len > lines_max || after.len > lines_max || is_binary(before) || is_binary(after))
		return splice_blocks(a, before, after, n);
	return splice_between(a, before, after, n);
}
