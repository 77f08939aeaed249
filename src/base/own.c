#include "base/own.h"

#include "base/arena.h"
#include "base/budget.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BITS = 64 };

static atomic_long kept[LASTING_SORTS];

/* The word with the descriptor's bit; NULL: there is none yet. */
static uint64_t *word_of(struct owned *o, int fd)
{
	size_t at = (size_t)fd / BITS;

	if (at < OWNED_WORDS)
		return &o->fds[at];
	return at - OWNED_WORDS < o->more_n ? &o->more_fds[at - OWNED_WORDS] : NULL;
}

static uint64_t bit_of(int fd) { return (uint64_t)1 << (unsigned)fd % BITS; }

static bool words_grow(struct owned *o, int fd)
{
	size_t n = ((size_t)fd / BITS - OWNED_WORDS + 1) * 2;
	uint64_t *more = budget_try(o->more_fds, n * sizeof *more);

	if (!more)
		return false;
	memset(more + o->more_n, 0, (n - o->more_n) * sizeof *more);
	o->more_fds = more;
	o->more_n = n;
	return true;
}

int own_fd(int fd)
{
	struct owned *o = budget_owned();

	if (!o || fd < 0)
		return fd;
	if (!word_of(o, fd) && !words_grow(o, fd)) {
		close(fd);
		out_of_memory();
	}
	*word_of(o, fd) |= bit_of(fd);
	return fd;
}

static void fd_forget(int fd)
{
	struct owned *o = budget_owned();
	uint64_t *word = o ? word_of(o, fd) : NULL;

	if (word)
		*word &= ~bit_of(fd);
}

int open_at(int folder, const char *name, int flags, mode_t mode)
{
	int fd;

	do
		fd = openat(folder, name, flags | O_CLOEXEC, mode);
	while (fd < 0 && errno == EINTR);
	return own_fd(fd);
}

int fd_copy(int fd) { return own_fd(fcntl(fd, F_DUPFD_CLOEXEC, 0)); }

void fd_drop(int *fd)
{
	int saved = errno;

	if (*fd >= 0) {
		fd_forget(*fd);
		close(*fd);
	}
	*fd = -1;
	errno = saved;
}

static void folder_release(void *dir) { closedir(dir); }

DIR *folder_open(int *fd)
{
	DIR *dir = *fd < 0 ? NULL : fdopendir(*fd);

	if (!dir) {
		fd_drop(fd);
		return NULL;
	}
	fd_forget(*fd); /* closedir() closes it */
	*fd = -1;
	own_object(folder_release, dir);
	return dir;
}

void folder_close(DIR **dir)
{
	int saved = errno;

	if (*dir) {
		own_not(*dir);
		closedir(*dir);
	}
	*dir = NULL;
	errno = saved;
}

static struct owned_thing *things(struct owned *o) { return o->more ? o->more : o->few; }

static bool things_grow(struct owned *o)
{
	size_t cap = o->more ? o->cap * 2 : (size_t)OWNED_FEW * 4;
	struct owned_thing *more = budget_try(o->more, cap * sizeof *more);

	if (!more)
		return false;
	if (!o->more)
		memcpy(more, o->few, o->n * sizeof *more);
	o->more = more;
	o->cap = cap;
	return true;
}

void own_object(void (*release)(void *), void *of)
{
	struct owned *o = budget_owned();

	if (!o)
		return;
	if (o->n == (o->more ? o->cap : OWNED_FEW) && !things_grow(o)) {
		release(of);
		out_of_memory();
	}
	things(o)[o->n++] = (struct owned_thing){release, of};
}

/* Usually one of the newest. */
static bool thing_take(void *of, struct owned_thing *out)
{
	struct owned *o = budget_owned();

	for (size_t i = o ? o->n : 0; i-- > 0;) {
		struct owned_thing *t = &things(o)[i];
		if (t->of != of)
			continue;
		*out = *t;
		memmove(t, t + 1, (o->n - i - 1) * sizeof *t);
		o->n--;
		return true;
	}
	return false;
}

void own_not(void *of)
{
	struct owned_thing ignored;

	thing_take(of, &ignored);
}

void own_keep(enum lasting as, int fd)
{
	if (fd >= 0)
		fd_forget(fd);
	atomic_fetch_add_explicit(&kept[as], 1, memory_order_relaxed);
}

void own_gone(enum lasting as) { atomic_fetch_sub_explicit(&kept[as], 1, memory_order_relaxed); }

long own_kept(enum lasting as) { return atomic_load_explicit(&kept[as], memory_order_relaxed); }

void own_check(void)
{
#ifdef QUIRE_DEBUG
	for (int i = 0; i < LASTING_SORTS; i++)
		if (own_kept((enum lasting)i))
			arena_die("something that outlives its call was not released");
#endif
}

static void fds_release(uint64_t *words, size_t n, size_t from)
{
	for (size_t i = 0; i < n; i++)
		while (words[i]) {
			int bit = __builtin_ctzll(words[i]);
			words[i] &= words[i] - 1;
			close((int)(from + i) * BITS + bit);
		}
}

void owned_release(struct owned *o)
{
	while (o->n) {
		struct owned_thing t = things(o)[--o->n];
		t.release(t.of);
	}
	fds_release(o->fds, OWNED_WORDS, 0);
	fds_release(o->more_fds, o->more_n, OWNED_WORDS);
	free(o->more);
	free(o->more_fds);
	*o = (struct owned){0};
}
