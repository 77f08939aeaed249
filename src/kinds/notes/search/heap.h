/* heap.h: arrays that outlive calls and grow. An arena would keep the memory of every earlier size. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_HEAP_H
#define QUIRE_KINDS_NOTES_SEARCH_HEAP_H
#include "base/arena.h"

#include "base/budget.h"

#include <stdint.h>
#include <stdlib.h>

/* Resizes the block at `old` (NULL: none) to n items. Never returns NULL. New items are not cleared. */
static inline void *heap_array(void *old, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		arena_die("a size does not fit into memory");
	return budget_memory(old, bytes ? bytes : 1);
}

/* A capacity of at least `want` that grows by at least half. */
static inline size_t heap_room(size_t cap, size_t want)
{
	size_t more = cap + cap / 2;

	return want <= cap ? cap : want > more ? want : more;
}

#endif
