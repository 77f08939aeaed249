#include "support/growth.h"

#include <time.h>

int64_t cost_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t least(int64_t (*cost)(const void *, int), const void *of, int size)
{
	enum { RUNS = 3 };
	int64_t best = INT64_MAX;

	for (int i = 0; i < RUNS; i++) {
		int64_t one = cost(of, size);

		best = one < best ? one : best;
	}
	return best > 0 ? best : 1;
}

double growth(int64_t (*cost)(const void *of, int size), const void *of, int size)
{
	int64_t large = least(cost, of, size * GROWTH_TIMES), small = least(cost, of, size);

	return (double)large / (double)small;
}
