/* arena_chunk.h: what arena.c and budget.c share of a chunk: it is found by its arena, and by the call it is charged
 * to.
 */
#ifndef QUIRE_BASE_ARENA_CHUNK_H
#define QUIRE_BASE_ARENA_CHUNK_H
#include <stddef.h>

struct arena_chunk {
	struct arena_chunk *next; /* older, of the same arena */
	size_t size;
	struct budget *budget; /* NULL: not charged */
	struct arena_chunk *before, *after;
	size_t spare; /* keeps what follows at 16 bytes */
};

#endif
