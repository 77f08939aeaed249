/* budget.h: how much memory and time a call may use, and how a call that exceeds it is ended.
 *
 * 	struct budget b = {.most = 256 << 20, .deadline = clock_ticks() + 30000, .cancelled = &flag};
 * 	if (budget_run(&b, arena, handler, of) != BUDGET_KEPT) {
 * 		... release what the call holds; the handler was ended at some point in the middle ...
 * 		budget_clear(&b);
 * 		... refuse ...
 * 	}
 *
 * While budget_run() runs a handler, every chunk of an arena that this thread takes is charged to the budget. A call
 * that takes more than `most`, that is out of time, or for which malloc() fails, is ended where it stands: the stack is
 * unwound to budget_run(), as for a cancelled thread, so everything declared `scoped` is released, and the memory of
 * abandoned arenas is freed. The rest of the program is not affected.
 *
 * A call cannot be ended where that would leave something half done: between budget_hold() and budget_let(), which
 * base/mutex.h does for every mutex. It ends soon after, at its next allocation or step. After budget_lift() nothing
 * ends it: a commit is recorded and must be finished. An arena that outlives the call says so (`lasts`); it is not
 * charged.
 *
 * If malloc() fails while the call cannot be ended, a reserve is freed so that the unfinished work can complete; then
 * the call ends. The next call allocates the reserve again, or is ended at its first allocation or step.
 *
 * Which budget a thread works under and the reserve of the program are the variables of this file. */
#ifndef QUIRE_BASE_BUDGET_H
#define QUIRE_BASE_BUDGET_H
#include "base/arena.h"

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CALL_MEMORY = 256 << 20 }; /* unless the configuration says otherwise */

enum budget_end { BUDGET_KEPT, BUDGET_MEMORY, BUDGET_NO_MEMORY, BUDGET_TIME, BUDGET_CANCELLED };

struct arena_chunk;

struct budget {
	size_t most;                  /* bytes; 0: any */
	int64_t deadline;             /* clock_ticks(), 0: none */
	const atomic_bool *cancelled; /* NULL: never */
	/* The rest is its own. */
	size_t used;
	struct budget *outer;
	struct arena_chunk *chunks; /* charged to it */
	unsigned held, steps;
	bool is_lifted, is_ending, is_short; /* is_short: it lives on the reserve */
	enum budget_end why;
	struct arena *arena; /* the call's, and how it was before */
	struct arena was;
	void *frame;
	jmp_buf back;
	_Alignas(16) char exception[64]; /* the unwinder's, which outlives the frames it leaves */
};

/* Takes the reserve of the program, so that running out of memory ends calls only; before the first of them. */
void budget_prepare(void);
/* Results of the handler are in the call's arena. */
enum budget_end budget_run(struct budget *b, struct arena *arena, void (*run)(void *of), void *of);
/* After a call was ended: restores its arena to the state before the call and frees everything else it allocated. */
void budget_clear(struct budget *b);

/* One round of a loop that may be long. Cheap: it reads the clock only now and then. */
void budget_step(void);
void budget_check(void); /* the same, but reads the clock now */
/* Charges memory that a library is about to allocate by itself, because a library may end the program when there is
 * none. budget_credit() reverses the charge. */
void budget_charge(size_t bytes);
void budget_credit(size_t bytes);
/* Raises the call's limit to this many bytes, if it is lower; a kind passes a multiple of its document's size. */
void budget_raise(size_t most);
void budget_widen(size_t more); /* for what will be kept, and is bounded there, while it is made */
void budget_narrow(size_t less);

void budget_hold(void);
void budget_let(void);
void budget_lift(void);
bool budget_is_ending(void); /* for cleanups: the call is being ended, what it was changing may be half changed */
/* The limit that the running call has passed while it could not be ended; BUDGET_KEPT: none. For loops that can fail
 * by themselves, between budget_hold() and budget_let(). */
enum budget_end budget_passed(void);
bool budget_goes_on(void); /* the same as a step of a loop: it reads the clock only now and then */

/* realloc() that never returns NULL: without memory the call is ended, or the reserve is used. */
void *budget_memory(void *old, size_t bytes);
void *budget_zero(size_t n, size_t size);        /* as calloc() */
char *budget_text(const char *from, size_t len); /* a copy with a NUL behind it */
/* For libraries that take an allocator, through which nothing may be unwound. NULL: there is not even a reserve. */
void *budget_try(void *old, size_t bytes);
/* malloc() failed: ends the call, or the program where there is no call that can be ended. */
_Noreturn void out_of_memory(void);

/* For arena.c. */
void budget_ask(size_t bytes); /* ends a call for which that is too much, before the system is asked */
void budget_take(struct arena_chunk *c);
void budget_give(struct arena_chunk *c);

#endif
