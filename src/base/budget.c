#include "base/budget.h"

#include "base/arena.h"
#include "base/arena_chunk.h"
#include "base/clock.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
void __asan_handle_no_return(void); /* the frames above are abandoned */
#define FRAMES_END() __asan_handle_no_return()
#else
#define FRAMES_END() ((void)0)
#endif

/* Reading the clock costs tens of nanoseconds, a step costs one. */
enum { STEPS_A_LOOK = 256 };
enum { RESERVE_BYTES = 32 << 20 };

static _Thread_local struct budget *now;
/* Never written, so it costs address space only. Freeing it gives malloc() this much for other blocks. */
static _Atomic(void *) reserve;
static atomic_long calls_running, calls_ended;

static bool can_end(const struct budget *b) { return b && !b->held && !b->is_lifted && !b->is_ending; }

static _Noreturn void end(struct budget *b, enum budget_end why)
{
	b->why = why;
	b->is_ending = true;
	FRAMES_END();
	longjmp(b->back, 1);
}

void out_of_memory(void)
{
	if (can_end(now))
		end(now, BUDGET_NO_MEMORY);
	arena_die("out of memory");
}

/* False: malloc() has not enough memory for the reserve. */
static bool reserve_make(void)
{
	void *none = NULL;

	if (atomic_load_explicit(&reserve, memory_order_relaxed))
		return true;
	void *made = malloc(RESERVE_BYTES);
	if (made && !atomic_compare_exchange_strong(&reserve, &none, made))
		free(made);
	return made;
}

/* Frees the reserve, if there is one, and allocates from it. */
static void *take_from_reserve(void *old, size_t bytes)
{
	void *spare = atomic_exchange(&reserve, NULL);

	if (!spare)
		return NULL;
	free(spare);
	if (now)
		now->is_short = true;
	return realloc(old, bytes);
}

struct owned *budget_owned(void) { return now ? &now->owned : NULL; }

void budget_prepare(void) { reserve_make(); }

void *budget_try(void *old, size_t bytes)
{
	void *p = realloc(old, bytes);

	return p ? p : take_from_reserve(old, bytes);
}

void *budget_memory(void *old, size_t bytes)
{
	budget_moment();
	void *p = realloc(old, bytes);

	if (!p && !can_end(now))
		p = take_from_reserve(old, bytes);
	if (!p)
		out_of_memory();
	return p;
}

void *budget_zero(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		out_of_memory();
	budget_moment();
	/* calloc() knows which memory is zero already, and does not touch it. */
	void *p = calloc(1, bytes ? bytes : 1);
	return p ? p : memset(budget_memory(NULL, bytes ? bytes : 1), 0, bytes);
}

char *budget_text(const char *from, size_t len)
{
	char *copy = budget_memory(NULL, len + 1);

	if (len)
		memcpy(copy, from, len);
	copy[len] = '\0';
	return copy;
}

static enum budget_end passed(const struct budget *b)
{
	if (b->is_lifted)
		return BUDGET_KEPT;
	if (b->is_short)
		return BUDGET_NO_MEMORY;
#ifdef QUIRE_DEBUG
	if (b->end_at && b->moments >= b->end_at)
		return b->end_as;
#endif
	if (b->most && b->used > b->most)
		return BUDGET_MEMORY;
	if (b->cancelled && atomic_load_explicit(b->cancelled, memory_order_relaxed))
		return BUDGET_CANCELLED;
	if (b->deadline && clock_ticks() >= b->deadline)
		return BUDGET_TIME;
	return BUDGET_KEPT;
}

static void look(struct budget *b)
{
	enum budget_end why = can_end(b) ? passed(b) : BUDGET_KEPT;

	if (why != BUDGET_KEPT)
		end(b, why);
}

#ifdef QUIRE_DEBUG
void budget_moment(void)
{
	struct budget *b = now;

	if (b && b->end_at && ++b->moments >= b->end_at && can_end(b))
		end(b, b->end_as);
}
#endif

static void strike(struct arena_chunk *c)
{
	c->budget = NULL;
	c->before = c->after = NULL;
}

/* The call's arena stays. By now everything else is freed, or belongs to an arena that stays without being marked
 * `lasts`. */
static void conclude(struct budget *b)
{
	for (struct arena_chunk *c = b->arena->head; c; c = c->next)
		budget_give(c);
	for (struct arena_chunk *c = b->chunks, *next; c; c = next) {
		next = c->after;
		if (c->is_block) {
			budget_give(c);
			free(c);
		}
	}
#ifdef QUIRE_DEBUG
	if (b->chunks)
		arena_die("a call left an arena behind that is neither its own nor says that it lasts");
#endif
	for (struct arena_chunk *c = b->chunks, *next; c; c = next) {
		next = c->after;
		strike(c);
	}
	b->chunks = NULL;
}

/* Abandoned arenas on the stack cannot be found any more, but their chunks can. */
void budget_clear(struct budget *b)
{
	arena_back(b->arena, &b->was);
	for (struct arena_chunk *c = b->chunks, *next; c; c = next) {
		next = c->after;
		free(c);
	}
	b->chunks = NULL;
}

enum budget_end budget_run(struct budget *b, struct arena *arena, void (*run)(void *), void *of)
{
	b->arena = arena;
	b->was = *arena;
	b->outer = now;
	b->is_short = !reserve_make();
	now = b;
	atomic_fetch_add_explicit(&calls_running, 1, memory_order_relaxed);
	if (!_setjmp(b->back))
		run(of);
	b->is_ending = true; /* what is released now must not end the call again */
	owned_release(&b->owned);
	now = b->outer;
	atomic_fetch_add_explicit(&calls_ended, 1, memory_order_relaxed);
	atomic_fetch_sub_explicit(&calls_running, 1, memory_order_relaxed);
	if (b->why == BUDGET_KEPT)
		conclude(b);
	return b->why;
}

struct budget_calls budget_calls(void)
{
	return (struct budget_calls){atomic_load_explicit(&calls_ended, memory_order_relaxed),
				     atomic_load_explicit(&calls_running, memory_order_relaxed)};
}

void budget_ask(size_t bytes)
{
	struct budget *b = now;

	budget_moment();
	if (!can_end(b))
		return;
	if (b->most && (b->used > b->most || bytes > b->most - b->used))
		end(b, BUDGET_MEMORY);
	look(b);
}

static void take(struct budget *b, struct arena_chunk *c)
{
	if (!b)
		return;
	c->budget = b;
	c->after = b->chunks;
	if (c->after)
		c->after->before = c;
	b->chunks = c;
	b->used += c->size;
}

void budget_take(struct arena_chunk *c) { take(now, c); }

void budget_give(struct arena_chunk *c)
{
	struct budget *b = c->budget;

	if (!b)
		return;
	if (c->after)
		c->after->before = c->before;
	if (c->before)
		c->before->after = c->after;
	else
		b->chunks = c->after;
	b->used -= c->size < b->used ? c->size : b->used;
	strike(c);
}

void *budget_block(void *old, size_t bytes)
{
	struct arena_chunk *c = old ? (struct arena_chunk *)old - 1 : NULL;
	struct budget *owner = c ? c->budget : now;
	size_t want;

	if (__builtin_add_overflow(bytes, sizeof *c, &want))
		out_of_memory();
	budget_ask(want);
	if (c)
		budget_give(c);
	struct arena_chunk *made = realloc(c, want);
	if (!made && !can_end(now))
		made = take_from_reserve(c, want);
	if (!made) {
		if (c)
			take(owner, c);
		out_of_memory();
	}
	*made = (struct arena_chunk){.size = want, .is_block = true};
	take(owner, made);
	return made + 1;
}

void budget_block_free(void *block)
{
	struct arena_chunk *c = block ? (struct arena_chunk *)block - 1 : NULL;

	if (!c)
		return;
	budget_give(c);
	free(c);
}

void budget_charge(size_t bytes)
{
	if (!now)
		return;
	now->used += bytes;
	look(now);
	void *there = malloc(bytes ? bytes : 1);
	if (!there)
		out_of_memory();
	free(there);
}

void budget_credit(size_t bytes)
{
	if (now)
		now->used -= bytes < now->used ? bytes : now->used;
}

void budget_raise(size_t most)
{
	if (now && now->most && now->most < most)
		now->most = most;
}

void budget_widen(size_t more)
{
	if (now && now->most)
		now->most += more;
}

void budget_narrow(size_t less)
{
	if (now && now->most)
		now->most -= less;
}

void budget_step(void)
{
	struct budget *b = now;

	budget_moment();
	if (b && ++b->steps % STEPS_A_LOOK == 0)
		look(b);
}

void budget_check(void)
{
	if (now)
		look(now);
}

void budget_hold(void)
{
	if (now)
		now->held++;
}

void budget_let(void)
{
	if (!now)
		return;
	/* With one budget_let() too many, the next budget_hold() would have no effect. */
	assert(now->held);
	now->held--;
}

void budget_lift(void)
{
	if (now)
		now->is_lifted = true;
}

bool budget_goes_on(void)
{
	struct budget *b = now;

	return !b || ++b->steps % STEPS_A_LOOK || passed(b) == BUDGET_KEPT;
}

enum budget_end budget_passed(void) { return now ? passed(now) : BUDGET_KEPT; }
