/* heap.h: blocks that outlive calls and change their size. An arena would keep every size they ever had. */
#ifndef QUIRE_KINDS_NOTES_SEARCH_HEAP_H
#define QUIRE_KINDS_NOTES_SEARCH_HEAP_H
#include "base/arena.h"

#include "base/budget.h"

#include <stdint.h>
#include <stdlib.h>

/* The block at `old` (NULL: none) made n items long; never NULL. New items are not cleared. */
static inline void *heap_array(void *old, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		arena_die("a size does not fit into memory");
	return budget_memory(old, bytes ? bytes : 1);
}

/* The capacity that holds `want`, grown by half at least. */
static inline size_t heap_room(size_t cap, size_t want)
{
	size_t more = cap + cap / 2;

	return want <= cap ? cap : want > more ? want : more;
}

#endif
