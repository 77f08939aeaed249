/* growth.h: how the cost of something grows with its size.
 *
 * No test asserts a time: a machine may be slow, or busy. What can be asserted is that eight times the size costs
 * nothing like sixty-four times as much: the quotient of two costs in processor time, each the best of a few runs, says
 * so on any machine. The bound lies far above what is linear (8) and below what is quadratic (64). */
#ifndef QUIRE_TEST_GROWTH_H
#define QUIRE_TEST_GROWTH_H
#include <stdint.h>

enum { GROWTH_TIMES = 8, GROWTH_BOUND = 32 };

int64_t cost_now(void); /* processor time of this thread, nanoseconds */

/* `cost` does the work at a size and answers the difference of cost_now() around what is measured. */
double growth(int64_t (*cost)(const void *of, int size), const void *of, int size);

#define assert_not_quadratic(cost, of, size)                                                                           \
	do {                                                                                                           \
		double growth_ = growth((cost), (of), (size));                                                         \
		if (growth_ > GROWTH_BOUND)                                                                            \
			fail_msg("%d times the size costs %.1f times as much", (int)GROWTH_TIMES, growth_);            \
	} while (0)

#endif
