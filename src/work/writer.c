#include "work/writer.h"

#include "base/clock.h"
#include "work/workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>

/* Most editors hold a file for a few milliseconds, so the first waits are short. */
enum { FIRST_WAIT_MS = 1, LONGEST_WAIT_MS = 16 };

enum writer writer_of(int fd)
{
	if (fcntl(fd, F_SETLEASE, F_RDLCK) == 0) {
		fcntl(fd, F_SETLEASE, F_UNLCK);
		return WRITER_NONE;
	}
	return errno == EAGAIN ? WRITER_OPEN : WRITER_UNKNOWN;
}

enum writer writer_wait(struct call *c, int fd)
{
	struct work_call *h = work_hold(c);
	enum writer writer = writer_of(fd);

	for (long ms = FIRST_WAIT_MS; writer == WRITER_OPEN && h->waited_ms < WRITER_WAIT_MS && goes_on(c); ms *= 2) {
		int64_t began = clock_ticks();
		ms = ms < LONGEST_WAIT_MS ? ms : LONGEST_WAIT_MS;
		nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL);
		int64_t took = clock_ticks() - began;
		h->waited_ms += took > 0 ? took : 1;
		writer = writer_of(fd);
	}
	return writer;
}
