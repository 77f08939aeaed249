#include "tool/again.h"

#include "base/clock.h"
#include "base/digest.h"
#include "tool/reply.h"
#include "work/work.h"

#include <time.h>

enum { FIRST_MS = 2, SLICE_MS = 20 };

struct again again_mark(const struct call *c)
{
	return (struct again){.warnings = c->warnings.n, .touched = c->touched.n, .revision = c->revision};
}

/* Sleeps for a random time between 0 and 2, 4, 8 ... ms. It sleeps in slices, so that a cancelled call stops soon. */
static bool rest(struct call *c, int runs)
{
	unsigned char random[2];

	random_bytes(random, sizeof random);
	int64_t most = (int64_t)FIRST_MS << (runs < 8 ? runs : 8);
	int64_t until = clock_ticks() + (random[0] << 8 | random[1]) % (most + 1);
	for (int64_t left; (left = until - clock_ticks()) > 0;) {
		if (!goes_on(c))
			return false;
		left = left < SLICE_MS ? left : SLICE_MS;
		nanosleep(&(struct timespec){.tv_nsec = left * 1000 * 1000}, NULL);
	}
	return goes_on(c);
}

bool again(struct call *c, struct again *mark)
{
	bool wanted = c->again;

	c->again = false;
	if (!wanted || ++mark->runs >= AGAIN_RUNS_MAX)
		return false;
	if (c->work)
		work_release(c);
	if (!rest(c, mark->runs))
		return false;
	c->error = (struct error){0};
	c->warnings.n = mark->warnings;
	c->touched.n = mark->touched;
	c->revision = mark->revision;
	c->planned.n = 0;
	if (c->reply) {
		c->reply->blocks.n = 0;
		c->reply->questions.n = 0;
		c->reply->kept_state = (struct text){0};
	}
	return true;
}
