/* arena.h: bump allocation with one free at the end.
 *
 * Everything a call makes lives in the call's arena and is freed with it. Data that outlives a call (a cached tree, a
 * session) has its own arena, which `lasts`. Allocation never returns NULL. A call that uses too much memory, or for
 * which the system has none left, is ended (budget.h). Outside of a call, running out of memory ends the program. That
 * is safe: nothing acknowledged lives in memory only. Sizes that come from input are multiplied in arena_array(), which
 * refuses to overflow. */
#ifndef QUIRE_BASE_ARENA_H
#define QUIRE_BASE_ARENA_H
#include <stdbool.h>
#include <stddef.h>

/* Calls drop(&variable) where the variable's scope ends normally. A call that is ended (budget.h) leaves no scope. */
#define scoped(drop) __attribute__((cleanup(drop)))

struct arena_chunk;

struct arena {
	struct arena_chunk *head;
	char *at;
	char *end;
	size_t used; /* bytes taken from the system */
	bool lasts;  /* outlives the call that fills it, so it is not charged to that call's budget */
};

void *arena_alloc(struct arena *a, size_t size);           /* 16-byte aligned, not cleared */
void *arena_zero(struct arena *a, size_t size);            /* the same, cleared */
void *arena_array(struct arena *a, size_t n, size_t size); /* n cleared items; an overflow counts as out of memory */
void *arena_copy(struct arena *a, const void *from, size_t size);
/* Reserves exactly this many bytes in an empty arena: for thousands of arenas with one small thing each. Later
 * allocations work as usual. */
void arena_start(struct arena *a, size_t size);

/* Makes the block `old` of `size` bytes `want` bytes long: in place when it was the newest, else by copying. */
void *arena_grow(struct arena *a, void *old, size_t size, size_t want);

void arena_free(struct arena *a);
/* Frees the contents but keeps the newest chunk: for scratch memory that is filled repeatedly. */
void arena_reset(struct arena *a);
/* Restores an earlier state: `was` is a copy of the struct from then. Nothing older may have been freed since. */
void arena_back(struct arena *a, const struct arena *was);
/* Moves everything in `from` to `to`. `from` can still allocate afterwards. */
void arena_join(struct arena *to, struct arena *from);
/* Gives a block of the call (budget_block()) to the arena, cut to its first `size` bytes. Returns the block, which may
 * have moved. */
void *arena_adopt(struct arena *a, void *block, size_t size);
/* Marks the arena as outliving the call. Call this before giving it to a long-lived owner. */
void arena_keep(struct arena *a);

#define arena_new(a, type) ((type *)arena_zero((a), sizeof(type)))

/* Ends the program with a message; for states that cannot happen. */
_Noreturn void arena_die(const char *message);

#endif
