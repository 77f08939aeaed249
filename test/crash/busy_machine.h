/* busy_machine.h: makes rare collisions between processes frequent.
 *
 * Two threads collide when one is suspended between two system calls. A quiet machine hardly ever does that, so here
 * system calls sometimes sleep before and after. If the point of collision is known, a simulated program acts just
 * before the n-th call of a kind. A test that includes this is linked with BUSY_MACHINE (crash.mk). */
#ifndef QUIRE_TEST_BUSY_MACHINE_H
#define QUIRE_TEST_BUSY_MACHINE_H
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { NAP_US = 3000 };

static bool machine_is_busy;
static unsigned nap_every = 150; /* average number of calls */

static void maybe_nap(void)
{
	static _Thread_local unsigned dice;

	if (!machine_is_busy)
		return;
	if (!dice)
		dice = (unsigned)gettid() * 2654435761u | 1;
	dice ^= dice << 13;
	dice ^= dice >> 17;
	dice ^= dice << 5;
	if (dice % nap_every == 0)
		usleep(dice / nap_every % NAP_US);
}

/* What another program does just before the n-th call with this name, once. */
static struct {
	const char *call;
	int countdown;
	void (*what)(void);
} meddler;

static inline void meddle_before(const char *call, int n, void (*what)(void))
{
	meddler.call = call;
	meddler.countdown = n;
	meddler.what = what;
}

static void maybe_meddle(const char *call)
{
	if (!meddler.what || strcmp(call, meddler.call) != 0 || --meddler.countdown > 0)
		return;
	void (*what)(void) = meddler.what;
	meddler.what = NULL;
	what();
}

#define WRAP(type, name, parameters, arguments)                                                                        \
	type __real_##name parameters;                                                                                 \
	type __wrap_##name parameters;                                                                                 \
	type __wrap_##name parameters                                                                                  \
	{                                                                                                              \
		maybe_nap();                                                                                           \
		maybe_meddle(#name);                                                                                   \
		type result = __real_##name arguments;                                                                 \
		int error = errno;                                                                                     \
		maybe_nap();                                                                                           \
		errno = error;                                                                                         \
		return result;                                                                                         \
	}

WRAP(int, openat, (int at, const char *path, int flags, mode_t mode), (at, path, flags, mode))
WRAP(ssize_t, pread, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
WRAP(ssize_t, pread64, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
WRAP(int, fsync, (int fd), (fd))
WRAP(int, fdatasync, (int fd), (fd))
WRAP(int, fstat, (int fd, struct stat *st), (fd, st))
WRAP(int, fstatat, (int at, const char *path, struct stat *st, int flags), (at, path, st, flags))
WRAP(ssize_t, readlink, (const char *path, char *to, size_t n), (path, to, n))
WRAP(int, renameat2, (int from, const char *old, int to, const char *new, unsigned flags), (from, old, to, new, flags))
WRAP(int, unlinkat, (int at, const char *path, int flags), (at, path, flags))
WRAP(int, close, (int fd), (fd))
WRAP(int, mkdirat, (int at, const char *path, mode_t mode), (at, path, mode))
WRAP(int, flock, (int fd, int how), (fd, how))

/* The error that leases are refused with; 0: none. */
static int lease_error;

WRAP(int, fcntl64, (int fd, int what, void *with), (fd, what, with))

int __real_fcntl(int fd, int what, long with);
int __wrap_fcntl(int fd, int what, long with);
int __wrap_fcntl(int fd, int what, long with)
{
	maybe_nap();
	maybe_meddle("fcntl");
	if (lease_error && what == F_SETLEASE)
		return errno = lease_error, -1;
	return __real_fcntl(fd, what, with);
}

/* The error that openat2 returns, and the file system type to report; 0: the real ones. */
static int syscall_error;
static long file_system;

long __real_syscall(long number, long a, long b, long c, long d);
long __wrap_syscall(long number, long a, long b, long c, long d);
long __wrap_syscall(long number, long a, long b, long c, long d)
{
	maybe_nap();
	maybe_meddle("syscall");
	if (syscall_error)
		return errno = syscall_error, -1;
	return __real_syscall(number, a, b, c, d);
}

int __real_statfs(const char *path, struct statfs *fs);
int __wrap_statfs(const char *path, struct statfs *fs);
int __wrap_statfs(const char *path, struct statfs *fs)
{
	int result = __real_statfs(path, fs);

	if (file_system)
		fs->f_type = file_system;
	return result;
}

int __real_fstatfs(int fd, struct statfs *fs);
int __wrap_fstatfs(int fd, struct statfs *fs);
int __wrap_fstatfs(int fd, struct statfs *fs)
{
	int result = __real_fstatfs(fd, fs);

	if (file_system)
		fs->f_type = file_system;
	return result;
}

#endif
