#include "work/lock.h"

#include "base/array.h"
#include "base/clock.h"
#include "work/root.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* How often a wait checks whether to stop. A signal that comes just before the wait begins is lost, but the next one is
 * not. */
enum { LOOK_MS = 100 };

static int wake_signal(void) { return SIGRTMIN + 3; }

static void wake(int signal) { (void)signal; }

void lock_prepare(void)
{
	struct sigaction action = {.sa_handler = wake}; /* no SA_RESTART: the wait must end */

	sigemptyset(&action.sa_mask);
	sigaction(wake_signal(), &action, NULL);
	signal(SIGIO, SIG_IGN);
}

void descriptors_reserve(size_t folders)
{
	enum { FEW = 64, OTHERS = 1024 };
	struct rlimit limit;

	if (folders <= FEW || getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= folders + OTHERS)
		return;
	limit.rlim_cur = limit.rlim_max < folders + OTHERS ? limit.rlim_max : folders + OTHERS;
	setrlimit(RLIMIT_NOFILE, &limit);
}

bool lock_try(int fd)
{
	int r;

	do
		r = flock(fd, LOCK_EX | LOCK_NB);
	while (r != 0 && errno == EINTR);
	return r == 0;
}

static bool cannot_lock(struct call *c, int error, struct text what)
{
	return fail(c, FAULT_STORAGE,
		    "the folder %s cannot be locked: %s; documents can be changed on a local file system only",
		    shown(c, what), strerrordesc_np(error));
}

static bool wait_for(struct call *c, int fd, int64_t until, struct text what)
{
	while (flock(fd, LOCK_EX) != 0) {
		if (errno != EINTR)
			return cannot_lock(c, errno, what);
		if (!goes_on(c))
			return false;
		if (clock_ticks() < until)
			continue;
		fail(c, FAULT_LOCKED, "another program keeps the folder %s locked; try again in a moment",
		     shown(c, what));
		c->error.retry_after = 1;
		return false;
	}
	return true;
}

bool lock_take(struct call *c, int fd, int wait_ms, struct text what)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = wake_signal()};
	struct itimerspec often = {{0, LOOK_MS * 1000000L}, {0, LOOK_MS * 1000000L}};
	sigset_t set, before;
	timer_t timer;

	if (lock_try(fd))
		return true;
	if (errno != EWOULDBLOCK)
		return cannot_lock(c, errno, what);
	event.sigev_notify_thread_id = gettid();
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
		return fail(c, FAULT_STORAGE, "no timer is available for waiting: %s", strerrordesc_np(errno));
	budget_hold();
	sigemptyset(&set);
	sigaddset(&set, wake_signal());
	pthread_sigmask(SIG_UNBLOCK, &set, &before);
	timer_settime(timer, 0, &often, NULL);
	bool taken = wait_for(c, fd, clock_ticks() + wait_ms, what);
	timer_delete(timer);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	budget_let();
	return taken;
}

static int by_inode(const void *left, const void *right)
{
	const struct lock *a = left, *b = right;

	if (a->dev != b->dev)
		return a->dev < b->dev ? -1 : 1;
	return a->ino < b->ino ? -1 : a->ino > b->ino;
}

static void put_in_order(struct locks *l)
{
	size_t n = 0;

	if (l->n)
		array_sort(l->items, l->n, sizeof *l->items, by_inode);
	for (size_t i = 0; i < l->n; i++)
		if (n && by_inode(&l->items[n - 1], &l->items[i]) == 0)
			fd_drop(&l->items[i].fd);
		else
			l->items[n++] = l->items[i];
	l->n = n;
}

bool locks_take(struct call *c, struct locks *l, int wait_ms)
{
	put_in_order(l);
	for (size_t i = 0; i < l->n; i++)
		if (!lock_take(c, l->items[i].fd, wait_ms, l->items[i].what)) {
			locks_drop(l);
			return false;
		}
	return true;
}

bool locks_try(struct locks *l)
{
	put_in_order(l);
	for (size_t i = 0; i < l->n; i++)
		if (!lock_try(l->items[i].fd)) {
			locks_drop(l);
			return false;
		}
	return true;
}

const struct lock *locks_find(const struct locks *l, dev_t dev, ino_t ino)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->items[i].dev == dev && l->items[i].ino == ino)
			return &l->items[i];
	return NULL;
}

void locks_drop(struct locks *l)
{
	for (size_t i = 0; i < l->n; i++)
		fd_drop(&l->items[i].fd);
	l->n = 0;
}
