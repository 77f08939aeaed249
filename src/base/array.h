/* array.h: lists that grow, in an arena.
 *
 * A list is any struct with `items`, `n` and `cap`. ARRAY_PUSH makes room for one more and yields a pointer to it,
 * cleared. Items may move while the list grows, so keep indices, not pointers. */
#ifndef QUIRE_BASE_ARRAY_H
#define QUIRE_BASE_ARRAY_H
#include "base/arena.h"

#define ARRAY(type)                                                                                                    \
	struct {                                                                                                       \
		type *items;                                                                                           \
		size_t n, cap;                                                                                         \
	}

void *array_room(struct arena *a, size_t n, size_t size);
void *array_more(struct arena *a, void *items, size_t *n, size_t *cap, size_t size);

#define ARRAY_PUSH(a, list)                                                                                            \
	((list)->items = array_more((a), (list)->items, &(list)->n, &(list)->cap, sizeof *(list)->items),              \
	 &(list)->items[(list)->n - 1])

/* Reserves room in an empty list for a known number of items. */
#define ARRAY_RESERVE(a, list, count)                                                                                  \
	((list)->cap = (count), (list)->items = array_room((a), (list)->cap, sizeof *(list)->items))

/* qsort() that leaves items alone if there are none. The call is not ended inside, because qsort() would lose its
 * memory. */
void array_sort(void *items, size_t n, size_t size, int (*order)(const void *, const void *));
void array_sort_by(void *items, size_t n, size_t size, int (*order)(const void *, const void *, void *of), void *of);

#define ARRAY_COUNT(fixed) (sizeof(fixed) / sizeof *(fixed))

#endif
