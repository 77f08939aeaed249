/* arena.h: bump allocation with one free at the end.
 *
 * Everything a call makes lives in the call's arena and goes with it. What outlives a call (a cached tree, a session)
 * owns an arena of its own, which `lasts`. Allocation never returns NULL: a call that takes too much is ended, and so is
 * one for which the system has no memory (budget.h). Elsewhere running out of memory ends the program, and ending is
 * safe because nothing acknowledged lives in memory only. Sizes that come from input are multiplied in arena_array(), which
 * refuses to overflow. */
#ifndef QUIRE_BASE_ARENA_H
#define QUIRE_BASE_ARENA_H
#include <stdbool.h>
#include <stddef.h>

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
void *arena_array(struct arena *a, size_t n, size_t size); /* n cleared items; overflow is too much memory */
void *arena_copy(struct arena *a, const void *from, size_t size);
/* Room for so much in an empty arena, and no more: for thousands of arenas that hold one small thing each. What comes
 * after it is taken as usual. */
void arena_start(struct arena *a, size_t size);

/* Makes the block `old` of `size` bytes `want` bytes long: in place when it was the newest, else by copying. */
void *arena_grow(struct arena *a, void *old, size_t size, size_t want);

void arena_free(struct arena *a);
/* Forgets what is in it and keeps the newest chunk: for scratch that is filled again and again. */
void arena_reset(struct arena *a);
/* As it was: `was` is a copy of the struct from then, and nothing from before was freed since. */
void arena_back(struct arena *a, const struct arena *was);
/* What `from` holds is in `to` from here, which allocates on as before. */
void arena_join(struct arena *to, struct arena *from);
/* From here it outlives the call. Before the arena is given to what stays. */
void arena_keep(struct arena *a);

#define arena_new(a, type) ((type *)arena_zero((a), sizeof(type)))

/* Ends the program with a message; for what cannot happen. */
_Noreturn void arena_die(const char *message);

#endif
