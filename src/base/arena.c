#include "base/arena.h"

#include "base/arena_chunk.h"
#include "base/budget.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first chunk is enough for an ordinary call; doubling keeps the number of chunks small for large ones. */
enum { ALIGN = 16, CHUNK_MIN = 16 << 10, CHUNK_MAX = 4 << 20 };

_Noreturn void arena_die(const char *message)
{
	fprintf(stderr, "quire: %s\n", message);
	abort();
}

static void *take_chunk(struct arena *a, size_t size, size_t want)
{
	if (size > SIZE_MAX / 2)
		out_of_memory();
	if (size + sizeof(struct arena_chunk) > want)
		want = size + sizeof(struct arena_chunk);
	if (!a->lasts)
		budget_ask(want);
	struct arena_chunk *c = budget_memory(NULL, want);
	*c = (struct arena_chunk){.next = a->head, .size = want};
	if (!a->lasts)
		budget_take(c);
	a->head = c;
	a->used += want;
	a->at = (char *)(c + 1) + size;
	a->end = (char *)c + want;
	return c + 1;
}

static void *new_chunk(struct arena *a, size_t size)
{
	size_t want = a->head ? a->head->size * 2 : CHUNK_MIN;

	return take_chunk(a, size, want > CHUNK_MAX ? CHUNK_MAX : want);
}

static size_t rounded(size_t size)
{
	if (size > SIZE_MAX - ALIGN)
		out_of_memory();
	return (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

void arena_start(struct arena *a, size_t size)
{
	if (!a->head)
		a->at = take_chunk(a, rounded(size), 0);
}

void *arena_alloc(struct arena *a, size_t size)
{
	size = rounded(size);
	if (!a->lasts)
		budget_moment();
	if ((size_t)(a->end - a->at) < size || !a->at)
		return new_chunk(a, size);
	void *p = a->at;
	a->at += size;
	return p;
}

void *arena_zero(struct arena *a, size_t size)
{
	void *p = arena_alloc(a, size);
	memset(p, 0, size);
	return p;
}

void *arena_array(struct arena *a, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		out_of_memory();
	return arena_zero(a, bytes);
}

void *arena_copy(struct arena *a, const void *from, size_t size)
{
	void *p = arena_alloc(a, size);
	if (size)
		memcpy(p, from, size);
	return p;
}

void *arena_grow(struct arena *a, void *old, size_t size, size_t want)
{
	size_t had = rounded(size), needs = rounded(want);

	if (old && (char *)old + had == a->at && (size_t)(a->end - (char *)old) >= needs) {
		a->at = (char *)old + needs;
		return old;
	}
	void *p = arena_alloc(a, want);
	if (old && size)
		memcpy(p, old, size < want ? size : want);
	return p;
}

static void chunks_free(struct arena_chunk *from, const struct arena_chunk *to)
{
	for (struct arena_chunk *c = from, *next; c != to; c = next) {
		next = c->next;
		budget_give(c);
		free(c);
	}
}

void arena_free(struct arena *a)
{
	chunks_free(a->head, NULL);
	*a = (struct arena){.lasts = a->lasts};
}

void arena_back(struct arena *a, const struct arena *was)
{
	chunks_free(a->head, was->head);
	*a = *was;
}

void arena_join(struct arena *to, struct arena *from)
{
	struct arena_chunk *last = from->head;

	if (!to->head) {
		from->lasts = to->lasts;
		*to = *from;
	} else if (last) {
		/* Append after the newest chunk, which may have free room. */
		while (last->next)
			last = last->next;
		last->next = to->head->next;
		to->head->next = from->head;
		to->used += from->used;
	}
	*from = (struct arena){0};
}

/* The chunk becomes the newest, so that arena_back() frees it; new blocks still go to the one before. */
void *arena_adopt(struct arena *a, void *block, size_t size)
{
	struct arena_chunk *c = (struct arena_chunk *)budget_block(block, size) - 1;

	c->is_block = false;
	c->next = a->head;
	a->head = c;
	a->used += c->size;
	if (a->lasts)
		budget_give(c);
	return c + 1;
}

void arena_keep(struct arena *a)
{
	for (struct arena_chunk *c = a->head; c; c = c->next)
		budget_give(c);
	a->lasts = true;
}

void arena_reset(struct arena *a)
{
	struct arena_chunk *newest = a->head;

	if (!newest)
		return;
	struct arena older = {.head = newest->next};
	arena_free(&older);
	newest->next = NULL;
	a->at = (char *)(newest + 1);
	a->end = (char *)newest + newest->size;
	a->used = newest->size;
}
