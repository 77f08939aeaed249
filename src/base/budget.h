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
 * that takes more than `most`, that is out of time, or for which malloc() fails, is ended at that point: control jumps
 * back to budget_run(), as by longjmp(). The code in between does not run, `scoped` variables included. So everything
 * that a call takes is registered with the call when it is taken (own.h), and budget_run() releases it; the memory of
 * abandoned arenas is freed. The rest of the program is not affected.
 *
 * A call is not ended between budget_hold() and budget_let(), because that would leave something half done.
 * base/mutex.h calls both for every mutex. Code that a library calls back (a comparator, an allocator, a handler of
 * events) runs between them too, because a library that is left in the middle loses memory: it looks at
 * budget_goes_on() and stops the library. The call ends soon after, at its next allocation or step. After
 * budget_lift() nothing ends it: a commit is recorded and must be finished. An arena that outlives the call is marked
 * `lasts` and is not charged.
 *
 * If malloc() fails while the call cannot be ended, a reserve is freed so that the unfinished work can complete; then
 * the call ends. The next call allocates the reserve again, or is ended at its first allocation or step.
 *
 * The only variables of this file are the current budget of each thread, the program's reserve, and counts of calls. */
#ifndef QUIRE_BASE_BUDGET_H
#define QUIRE_BASE_BUDGET_H
#include "base/arena.h"
#include "base/own.h"

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CALL_MEMORY = 256 << 20 }; /* default of the configuration */

enum budget_end { BUDGET_KEPT, BUDGET_MEMORY, BUDGET_NO_MEMORY, BUDGET_TIME, BUDGET_CANCELLED };

struct arena_chunk;

struct budget {
	size_t most;                  /* bytes; 0: no limit */
	int64_t deadline;             /* clock_ticks(), 0: none */
	const atomic_bool *cancelled; /* NULL: never */
	/* The rest is private to budget.c. */
	size_t used;
	struct budget *outer;
	struct arena_chunk *chunks; /* chunks charged to it */
	struct owned owned;
	unsigned held, steps;
	bool is_lifted, is_ending, is_short; /* is_short: the call uses the reserve */
	enum budget_end why;
	struct arena *arena; /* the call's arena, and its state before the call */
	struct arena was;
	jmp_buf back;
#ifdef QUIRE_DEBUG
	unsigned long end_at, moments; /* for tests: the call is ended at this moment of those at which it can be */
	enum budget_end end_as;
#endif
};

/* Allocates the program's reserve, so that running out of memory ends calls only. Call it before the first call
 * runs. */
void budget_prepare(void);
/* Results of the handler are in the call's arena. */
enum budget_end budget_run(struct budget *b, struct arena *arena, void (*run)(void *of), void *of);
/* Call it after a call was ended. Restores the call's arena to its state before the call and frees everything else it
 * allocated. */
void budget_clear(struct budget *b);

/* Call it in each round of a loop that may be long. It is cheap: it reads the clock only once in a while. */
void budget_step(void);
void budget_check(void); /* the same, but reads the clock now */
/* Charges memory that a library is about to allocate. Charge first: the library may end the program when it gets no
 * memory. budget_credit() reverses the charge. */
void budget_charge(size_t bytes);
void budget_credit(size_t bytes);
/* Raises the call's limit to this many bytes, if it is lower; a kind passes a multiple of its document's size. */
void budget_raise(size_t most);
/* Raises the limit while building something that will be kept and has a limit of its own. */
void budget_widen(size_t more);
void budget_narrow(size_t less);

void budget_hold(void);
void budget_let(void);
void budget_lift(void);
/* The limit that the running call exceeded while it could not be ended; BUDGET_KEPT: none. For loops between
 * budget_hold() and budget_let() that can fail by themselves. */
enum budget_end budget_passed(void);
bool budget_goes_on(void); /* the same as a step of a loop: it reads the clock only once in a while */

/* A block of the heap that the running call owns, made longer or shorter; NULL makes one. It is charged to the call and
 * freed when the call ends, however it ends. For what grows often, and for the allocators of libraries. Where no call
 * runs, budget_block_free() must be called. */
void *budget_block(void *old, size_t bytes);
void budget_block_free(void *block);

/* For objects that outlive the call, which is not ended before they have an owner. */
/* realloc() that never returns NULL: without memory the call is ended, or the reserve is used. */
void *budget_memory(void *old, size_t bytes);
void *budget_zero(size_t n, size_t size);        /* like calloc() */
char *budget_text(const char *from, size_t len); /* a copy with a NUL at its end */
/* The same, but does not end the call. NULL: even the reserve is used up. */
void *budget_try(void *old, size_t bytes);
/* malloc() failed: ends the call, or the program if there is no call that can be ended. */
_Noreturn void out_of_memory(void);

/* How many calls have ended so far, and how many run now. */
struct budget_calls {
	long ended, running;
};
struct budget_calls budget_calls(void);

struct owned *budget_owned(void); /* for own.c: what the running call owns; NULL: no call runs */

/* For arena.c. */
void budget_ask(size_t bytes); /* ends the call if that is too much, before the system is asked for memory */
void budget_take(struct arena_chunk *c);
void budget_give(struct arena_chunk *c);
#ifdef QUIRE_DEBUG
void budget_moment(void); /* a call may be ended here */
#else
static inline void budget_moment(void) {}
#endif

#endif
