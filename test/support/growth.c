#include "support/growth.h"

#include <time.h>

int64_t cost_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t less(int64_t best, int64_t one) { return one < 1 ? 1 : one < best ? one : best; }

double growth(int64_t (*cost)(const void *of, int size), const void *of, int size)
{
	enum { RUNS = 3, RUNS_MAX = 12 };
	int64_t large = INT64_MAX, small = INT64_MAX;
	double quotient = 0;

	/* Other programs use the caches too, and disturb the longer run more. So a high quotient is measured again
	 * before the test fails. Quadratic code stays above the bound. */
	for (int i = 0; i < RUNS || (i < RUNS_MAX && quotient > GROWTH_BOUND); i++) {
		large = less(large, cost(of, size * GROWTH_TIMES));
		small = less(small, cost(of, size));
		quotient = (double)large / (double)small;
	}
	return quotient;
}
