/* Compares the windows with a model that remembers everything. */
#include "guard/limits.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"

/* Stores the time of every request that passed, and counts by searching all of them. */
struct model {
	int64_t times[20000];
	int n;
};

static bool model_take(struct model *m, int limit, int64_t now, int *retry_after)
{
	int within = 0;

	for (int i = 0; i < m->n; i++)
		within += m->times[i] > now - WINDOW_MS;
	if (within < limit) {
		m->times[m->n++] = now;
		return true;
	}
	/* The first second at which one more would pass. */
	for (int wait = 1;; wait++) {
		int then = 0;

		for (int i = 0; i < m->n; i++)
			then += m->times[i] > now + wait * 1000 - WINDOW_MS;
		if (then < limit) {
			*retry_after = wait;
			return false;
		}
	}
}

static void the_window_agrees_with_a_model_that_forgets_nothing(void **state)
{
	static const int limits[] = {1, 2, 10, 37, 100};

	(void)state;
	srand(7);
	for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
		struct windows *w = windows_new();
		struct model *m = calloc(1, sizeof *m);
		int64_t now = 1000;

		for (int i = 0; i < 4000; i++) {
			/* Mostly bursts, sometimes a pause, sometimes exactly the edge of the window. */
			int r = rand() % 20;
			now += r < 12 ? rand() % 300 : r < 18 ? rand() % 5000 : r == 18 ? WINDOW_MS : WINDOW_MS - 1;
			int want_retry = 0, retry = 0;
			bool want = model_take(m, limits[l], now, &want_retry);

			assert_int_equal(windows_take(w, TEXT("k"), limits[l], now, &retry), want);
			assert_int_equal(retry, want_retry);
		}
		free(m);
		windows_free(w);
	}
}

static void after_the_seconds_told_one_more_passes_and_not_before(void **state)
{
	struct windows *w = windows_new();
	int retry = 0;

	(void)state;
	for (int i = 0; i < 10; i++)
		assert_true(windows_take(w, TEXT("k"), 10, 5000 + i * 100, &retry));
	assert_false(windows_take(w, TEXT("k"), 10, 6000, &retry));
	assert_int_equal(retry, 59);
	assert_false(windows_take(w, TEXT("k"), 10, 5000 + WINDOW_MS - 1, &retry));
	assert_int_equal(retry, 1);
	assert_true(windows_take(w, TEXT("k"), 10, 5000 + WINDOW_MS, &retry));
	assert_false(windows_take(w, TEXT("k"), 10, 5000 + WINDOW_MS, &retry));
	windows_free(w);
}

static void refused_ones_do_not_count(void **state)
{
	struct windows *w = windows_new();
	int retry = 0;

	(void)state;
	assert_true(windows_take(w, TEXT("k"), 1, 0, &retry));
	for (int i = 1; i < 600; i++)
		assert_false(windows_take(w, TEXT("k"), 1, i * 100, &retry));
	assert_true(windows_take(w, TEXT("k"), 1, WINDOW_MS, &retry));
	windows_free(w);
}

static void one_given_back_can_be_taken_again(void **state)
{
	struct windows *w = windows_new();
	int retry = 0;

	(void)state;
	windows_return(w, TEXT("k"));
	assert_true(windows_take(w, TEXT("k"), 1, 0, &retry));
	assert_false(windows_take(w, TEXT("k"), 1, 0, &retry));
	windows_return(w, TEXT("k"));
	assert_true(windows_take(w, TEXT("k"), 1, 0, &retry));
	windows_free(w);
}

static void a_limit_may_change_between_two_requests(void **state)
{
	struct windows *w = windows_new();
	int retry = 0;

	(void)state;
	for (int i = 0; i < 50; i++)
		assert_true(windows_take(w, TEXT("k"), 50, i * 1000, &retry));
	/* Lowered to 10: one more passes only when fewer than ten are left in the window. */
	assert_false(windows_take(w, TEXT("k"), 10, 50000, &retry));
	assert_int_equal(retry, 50);
	assert_false(windows_take(w, TEXT("k"), 10, 99999, &retry));
	assert_true(windows_take(w, TEXT("k"), 10, 100000, &retry));
	assert_true(windows_take(w, TEXT("k"), 100, 100000, &retry));
	windows_free(w);
}

/* From the sanitizer; absent in a build without one. */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static size_t heap_bytes(void)
{
	return __sanitizer_get_current_allocated_bytes ? __sanitizer_get_current_allocated_bytes() : 0;
}

static void windows_that_are_idle_are_dropped_and_busy_ones_kept(void **state)
{
	enum { BYTES_MAX = 1 << 20 }; /* 100,000 windows take eight times as much */
	size_t before = heap_bytes();
	struct windows *w = windows_new();
	int retry = 0;
	char name[32];

	(void)state;
	for (int i = 0; i < 100000; i++) {
		int n = snprintf(name, sizeof name, "key %d", i);

		assert_true(windows_take(w, (struct text){name, (size_t)n}, 1, i * 100, &retry));
		/* A window that is always in use keeps its count through every sweep. */
		if (i % 600 == 0)
			assert_true(windows_take(w, TEXT("busy"), 1, i * 100, &retry));
		else
			assert_false(windows_take(w, TEXT("busy"), 1, i * 100, &retry));
	}
	assert_true(heap_bytes() - before < BYTES_MAX);
	windows_free(w);
}

struct crowd {
	struct windows *w;
	atomic_int taken;
};

static void *take_many(void *arg)
{
	struct crowd *crowd = arg;
	int retry;

	for (int i = 0; i < 5000; i++)
		if (windows_take(crowd->w, TEXT("k"), 1000, 50000 + i, &retry))
			atomic_fetch_add(&crowd->taken, 1);
	return NULL;
}

static void eight_threads_together_get_exactly_the_limit(void **state)
{
	struct crowd crowd = {.w = windows_new()};
	pthread_t threads[8];

	(void)state;
	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, take_many, &crowd);
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(crowd.taken, 1000);
	windows_free(crowd.w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_window_agrees_with_a_model_that_forgets_nothing),
		cmocka_unit_test(after_the_seconds_told_one_more_passes_and_not_before),
		cmocka_unit_test(refused_ones_do_not_count),
		cmocka_unit_test(one_given_back_can_be_taken_again),
		cmocka_unit_test(a_limit_may_change_between_two_requests),
		cmocka_unit_test(windows_that_are_idle_are_dropped_and_busy_ones_kept),
		cmocka_unit_test(eight_threads_together_get_exactly_the_limit),
	};

	return RUN_TESTS(tests);
}
