/* growth.h: measures how a cost grows with the size of the input.
 *
 * No test asserts a time, because a machine may be slow or busy. But on any machine, eight times the size must cost far
 * less than sixty-four times as much. The test compares two costs in processor time, each the best of a few runs. The
 * bound is far above linear growth (8) and below quadratic growth (64). */
#ifndef QUIRE_TEST_GROWTH_H
#define QUIRE_TEST_GROWTH_H
#include <stdint.h>

enum { GROWTH_TIMES = 8, GROWTH_BOUND = 32 };

int64_t cost_now(void); /* processor time of this thread, nanoseconds */

/* `cost` does the work at a size and returns the difference of cost_now() around the measured part. */
double growth(int64_t (*cost)(const void *of, int size), const void *of, int size);

#define assert_not_quadratic(cost, of, size)                                                                           \
	do {                                                                                                           \
		double growth_ = growth((cost), (of), (size));                                                         \
		if (growth_ > GROWTH_BOUND)                                                                            \
			fail_msg("%d times the size costs %.1f times as much", (int)GROWTH_TIMES, growth_);            \
	} while (0)

#endif
