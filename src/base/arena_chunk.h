/* arena_chunk.h: a chunk of memory, as arena.c and budget.c use it. It is linked to its arena and to the budget of the
 * call that pays for it. */
#ifndef QUIRE_BASE_ARENA_CHUNK_H
#define QUIRE_BASE_ARENA_CHUNK_H
#include <stddef.h>

struct arena_chunk {
	struct arena_chunk *next; /* the next older one of the same arena */
	size_t size;
	struct budget *budget; /* NULL: not charged */
	struct arena_chunk *before, *after;
	size_t is_block; /* budget_block(): belongs to no arena; a size_t makes the struct a multiple of 16 bytes */
};

#endif
