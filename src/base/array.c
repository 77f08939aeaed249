#include "base/array.h"

#include "base/budget.h"

#include <stdlib.h>
#include <string.h>

void *array_room(struct arena *a, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		out_of_memory();
	return arena_alloc(a, bytes);
}

void *array_more(struct arena *a, void *items, size_t *n, size_t *cap, size_t size)
{
	if (*n == *cap) {
		size_t more = *cap ? *cap * 2 : 8;
		items = arena_grow(a, items, *cap * size, more * size);
		*cap = more;
	}
	memset((char *)items + *n * size, 0, size);
	++*n;
	return items;
}

void array_sort(void *items, size_t n, size_t size, int (*order)(const void *, const void *))
{
	if (n < 2)
		return;
	budget_hold();
	qsort(items, n, size, order);
	budget_let();
}

void array_sort_by(void *items, size_t n, size_t size, int (*order)(const void *, const void *, void *), void *of)
{
	if (n < 2)
		return;
	budget_hold();
	qsort_r(items, n, size, order, of);
	budget_let();
}
