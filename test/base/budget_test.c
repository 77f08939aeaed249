#include "support/check.h"

#include "base/array.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/mutex.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a handler does in the tests below, and what it leaves. */
struct handler {
	struct arena *arena;
	pthread_mutex_t lock;
	int cleaned;
	bool came_through;
	atomic_bool cancelled;
};

static void count(void *of) { ((struct handler *)of)->cleaned++; }

static void eat(struct arena *a, size_t megabytes)
{
	for (size_t i = 0; i < megabytes; i++)
		memset(arena_alloc(a, 1 << 20), 7, 1 << 20);
}

static int by_eating(const void *left, const void *right)
{
	struct handler *h = *(struct handler *const *)left;

	(void)right;
	if (!h->cleaned++)
		eat(h->arena, 40);
	return 0;
}

static void in_scratch(void *of)
{
	struct handler *h = of;
	struct arena scratch = {0};
	struct buffer buffer = {0};

	own_object(count, h);
	buffer_fill(&buffer, 'x', 2 << 20);
	eat(&scratch, 4);
	arena_alloc(h->arena, 100);
	eat(&scratch, 100);
	h->came_through = true;
	arena_free(&scratch);
}

/* So many that qsort() takes memory for them. */
static void in_a_comparator(void *of)
{
	enum { MANY = 1000 };
	struct handler *h = of, *list[MANY];

	for (int i = 0; i < MANY; i++)
		list[i] = h;
	array_sort(list, MANY, sizeof *list, by_eating);
	budget_check();
	h->came_through = true;
}

static void in_a_block(void *of)
{
	struct handler *h = of;
	char *block = NULL;

	for (size_t size = 1 << 20;; size *= 2) {
		block = budget_block(block, size);
		memset(block, 7, size);
		h->cleaned++;
	}
}

/* Blocks that nobody frees are freed with the call; the others at once. */
static void with_blocks(void *of)
{
	struct handler *h = of;

	for (int i = 0; i < 100; i++) {
		void *block = budget_block(budget_block(NULL, 4 << 20), 8 << 20);
		if (i)
			budget_block_free(block);
	}
	budget_block_free(NULL);
	h->came_through = true;
}

static void by_moments(void *of)
{
	struct handler *h = of;

	for (h->cleaned = 0; h->cleaned < 100; h->cleaned++)
		arena_alloc(h->arena, 16);
	h->came_through = true;
}

static void in_a_lock(void *of)
{
	struct handler *h = of;

	mutex_lock(&h->lock);
	eat(h->arena, 40);
	mutex_unlock(&h->lock);
	h->cleaned = 1;
	eat(h->arena, 8);
	h->came_through = true;
}

static void let_once_too_often(void *of)
{
	(void)of;
	budget_hold();
	budget_let();
	budget_let();
}

static void behind_a_commit(void *of)
{
	struct handler *h = of;

	eat(h->arena, 8);
	budget_lift();
	eat(h->arena, 60);
	h->came_through = true;
}

static void in_a_loop(void *of)
{
	struct handler *h = of;

	for (;;)
		budget_step();
	h->came_through = true;
}

static void for_all_memory(void *of)
{
	struct handler *h = of;

	arena_array(h->arena, SIZE_MAX / 4, 8);
	h->came_through = true;
}

static void within(void *of)
{
	struct handler *h = of;
	struct arena scratch = {0}, kept = {.lasts = true};

	for (int i = 0; i < 100; i++) {
		eat(&scratch, 10);
		arena_free(&scratch);
	}
	eat(&kept, 50);
	arena_free(&kept);
	h->came_through = true;
}

static enum budget_end run(void (*body)(void *), struct handler *h, struct budget b)
{
	struct arena arena = {0};
	const char *before;

	h->arena = &arena;
	pthread_mutex_init(&h->lock, NULL);
	before = arena_copy(&arena, "before", 7);
	size_t used = arena.used;
	enum budget_end why = budget_run(&b, &arena, body, h);
	if (why != BUDGET_KEPT) {
		budget_clear(&b);
		assert_int_equal(arena.used, used);
	}
	assert_string_equal(before, "before");
	assert_string_equal(arena_copy(&arena, "after", 6), "after");
	arena_free(&arena);
	pthread_mutex_destroy(&h->lock);
	return why;
}

static const struct budget small = {.most = 32 << 20};

static void what_takes_too_much_is_ended_and_leaves_nothing(void **state)
{
	struct handler h = {0};
	(void)state;

	assert_int_equal(run(in_scratch, &h, small), BUDGET_MEMORY);
	assert_false(h.came_through);
	assert_int_equal(h.cleaned, 1);
}

static void a_comparator_does_not_end_the_call_and_it_ends_right_after(void **state)
{
	struct handler h = {0};
	(void)state;

	assert_int_equal(run(in_a_comparator, &h, small), BUDGET_MEMORY);
	assert_false(h.came_through);
	assert_true(h.cleaned >= 999);
}

static void blocks_are_charged_and_freed_with_the_call(void **state)
{
	struct handler h = {0};
	(void)state;

	assert_int_equal(run(in_a_block, &h, small), BUDGET_MEMORY);
	assert_int_equal(h.cleaned, 5);
	assert_int_equal(run(with_blocks, &h, small), BUDGET_KEPT);
	assert_true(h.came_through);
	void *without = budget_block(budget_block(NULL, 10), 1000);
	budget_block_free(without);
}

static void debug_builds_end_a_call_at_any_moment(void **state)
{
	struct handler h = {0};
	(void)state;

	for (int at = 1; at <= 64; at *= 2) {
		h.came_through = false;
		assert_int_equal(run(by_moments, &h, (struct budget){.end_at = (unsigned)at, .end_as = BUDGET_TIME}),
				 BUDGET_TIME);
		assert_int_equal(h.cleaned, at - 1);
	}
	assert_int_equal(run(by_moments, &h, (struct budget){.end_at = 1000, .end_as = BUDGET_TIME}), BUDGET_KEPT);
	assert_true(h.came_through);
}

static void nobody_is_ended_while_holding_a_lock(void **state)
{
	struct handler h = {0};
	(void)state;

	assert_int_equal(run(in_a_lock, &h, small), BUDGET_MEMORY);
	assert_int_equal(h.cleaned, 1);
	assert_false(h.came_through);
}

/* Otherwise the next budget_hold() would have no effect, and a call could be ended in the middle of a commit. */
static void letting_go_of_what_is_not_held_is_a_fault_of_the_program(void **state)
{
	struct handler h = {0};
	int status;
	(void)state;

	pid_t child = fork();
	if (!child) {
		signal(SIGABRT, SIG_DFL);
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		run(let_once_too_often, &h, small);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void a_recorded_commit_is_finished(void **state)
{
	struct handler h = {0};
	struct budget b = small;
	(void)state;

	assert_int_equal(run(behind_a_commit, &h, b), BUDGET_KEPT);
	assert_true(h.came_through);
}

static void loops_end_at_the_deadline_and_when_cancelled(void **state)
{
	struct handler h = {0};
	(void)state;

	assert_int_equal(run(in_a_loop, &h, (struct budget){.deadline = clock_ticks() + 20}), BUDGET_TIME);
	atomic_store(&h.cancelled, true);
	assert_int_equal(run(in_a_loop, &h, (struct budget){.cancelled = &h.cancelled}), BUDGET_CANCELLED);
	assert_false(h.came_through);
}

static void a_failing_allocation_ends_the_call_only(void **state)
{
	struct handler h = {0};
	(void)state;

	assert_int_equal(run(for_all_memory, &h, (struct budget){0}), BUDGET_NO_MEMORY);
	assert_false(h.came_through);
}

static void what_is_given_back_and_what_lasts_is_not_counted(void **state)
{
	struct handler h = {0};
	(void)state;

	assert_int_equal(run(within, &h, small), BUDGET_KEPT);
	assert_true(h.came_through);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_takes_too_much_is_ended_and_leaves_nothing),
		cmocka_unit_test(a_comparator_does_not_end_the_call_and_it_ends_right_after),
		cmocka_unit_test(blocks_are_charged_and_freed_with_the_call),
		cmocka_unit_test(debug_builds_end_a_call_at_any_moment),
		cmocka_unit_test(nobody_is_ended_while_holding_a_lock),
		cmocka_unit_test(letting_go_of_what_is_not_held_is_a_fault_of_the_program),
		cmocka_unit_test(a_recorded_commit_is_finished),
		cmocka_unit_test(loops_end_at_the_deadline_and_when_cancelled),
		cmocka_unit_test(a_failing_allocation_ends_the_call_only),
		cmocka_unit_test(what_is_given_back_and_what_lasts_is_not_counted),
	};
	return RUN_TESTS(tests);
}
