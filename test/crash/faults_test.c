/* The n-th system call fails, for every n: the caller gets an error, the documents are unchanged, and no descriptor is
 * lost. The faults also reach SQLite, which is linked in. */
#include "work/work_fixture.h"

#include "base/log.h"
#include "work/workspace.h"

#include "base/clock.h"
#include "work/naming.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>

static struct {
	long countdown; /* 1: the next call fails; 0: none does */
	bool lasting;   /* all calls after it fail as well */
	int error;
	long calls;
	bool fired;
	long flushes;
} fault;

static bool strikes(void)
{
	fault.calls++;
	if (fault.countdown == 0)
		return false;
	if (fault.countdown > 1) {
		fault.countdown--;
		return false;
	}
	if (!fault.lasting)
		fault.countdown = 0;
	fault.fired = true;
	errno = fault.error;
	return true;
}

#define WRAP(type, name, parameters, arguments)                                                                        \
	type __real_##name parameters;                                                                                 \
	type __wrap_##name parameters;                                                                                 \
	type __wrap_##name parameters { return strikes() ? -1 : __real_##name arguments; }

WRAP(int, open, (const char *path, int flags, mode_t mode), (path, flags, mode))
WRAP(int, open64, (const char *path, int flags, mode_t mode), (path, flags, mode))
WRAP(int, openat, (int at, const char *path, int flags, mode_t mode), (at, path, flags, mode))
WRAP(long, syscall, (long number, long a, long b, long c, long d), (number, a, b, c, d))
WRAP(ssize_t, write, (int fd, const void *from, size_t n), (fd, from, n))
WRAP(ssize_t, pwrite64, (int fd, const void *from, size_t n, off_t at), (fd, from, n, at))
WRAP(ssize_t, pread, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
WRAP(ssize_t, pread64, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
static long flush_to_fail; /* this one, counted from 1; 0: none */

static bool flush_strikes(void)
{
	fault.flushes++;
	if (flush_to_fail == 0 || fault.flushes != flush_to_fail)
		return strikes();
	errno = EIO;
	return true;
}

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd) { return flush_strikes() ? -1 : __real_fsync(fd); }
int __real_fdatasync(int fd);
int __wrap_fdatasync(int fd);
int __wrap_fdatasync(int fd) { return flush_strikes() ? -1 : __real_fdatasync(fd); }

static bool exchange_fails;

int __real_renameat2(int from, const char *old, int to, const char *new, unsigned flags);
int __wrap_renameat2(int from, const char *old, int to, const char *new, unsigned flags);
int __wrap_renameat2(int from, const char *old, int to, const char *new, unsigned flags)
{
	if (exchange_fails && flags & RENAME_EXCHANGE)
		return errno = EINVAL, -1;
	return strikes() ? -1 : __real_renameat2(from, old, to, new, flags);
}

WRAP(int, mkdirat, (int at, const char *path, mode_t mode), (at, path, mode))
WRAP(int, unlinkat, (int at, const char *path, int flags), (at, path, flags))
WRAP(int, ftruncate64, (int fd, off_t size), (fd, size))
WRAP(int, fchmod, (int fd, mode_t mode), (fd, mode))
WRAP(int, flock, (int fd, int how), (fd, how))

/* fallocate() has faults of its own: if the file system does not support it, that is not a fault. */
static struct {
	int error; /* of the next call */
	long calls;
} reserving;

int __real_fallocate(int fd, int how, off_t at, off_t size);
int __wrap_fallocate(int fd, int how, off_t at, off_t size);
int __wrap_fallocate(int fd, int how, off_t at, off_t size)
{
	int error = reserving.error;

	reserving.error = 0;
	reserving.calls++;
	return error ? (errno = error, -1) : __real_fallocate(fd, how, at, size);
}

/* A file system that cannot exchange names, and is not one of the known ones. */
static bool is_plain_disk;

int __real_fstatfs(int fd, struct statfs *out);
int __wrap_fstatfs(int fd, struct statfs *out);
int __wrap_fstatfs(int fd, struct statfs *out)
{
	int r = __real_fstatfs(fd, out);

	if (is_plain_disk)
		out->f_type = 0x4d44;
	return r;
}

/* Locks of databases that stay locked when they are released. */
static bool unlock_fails;

int __real_fcntl64(int fd, int what, void *of);
int __wrap_fcntl64(int fd, int what, void *of);
int __wrap_fcntl64(int fd, int what, void *of)
{
	if (unlock_fails && (what == F_SETLK || what == F_SETLKW) && ((struct flock *)of)->l_type == F_UNLCK)
		return errno = EIO, -1;
	return __real_fcntl64(fd, what, of);
}

static void arm(long n, int error, bool lasting)
{
	memset(&fault, 0, sizeof fault);
	fault.countdown = n;
	fault.error = error;
	fault.lasting = lasting;
}

static void disarm(void) { fault.countdown = 0; }

static const char old_text[] =
	"a text that is long enough to be kept as splices and not as whole bytes in the history\n";
static const char *const names[] = {"a.txt", "x/b.txt", "x/moved.txt", "n/e/w.txt"};

static bool one_splice(struct fixture *f) { return insert(f, "a.txt", 2, "new "); }

static bool one_new(struct fixture *f) { return make(f, "n/e/w.txt", "made"); }

static bool two_and_a_move(struct fixture *f)
{
	struct document *d[3];
	struct want wants[] = {{TEXT("a.txt"), DOCUMENT_THERE, false},
			       {TEXT("x/b.txt"), DOCUMENT_THERE, false},
			       {TEXT("x/moved.txt"), DOCUMENT_NEW, false}};

	if (!documents_change(&f->call, wants, 3, d))
		return false;
	struct splice s = {5, 5, TEXT(" spliced")};
	struct change changes[] = {{.kind = CHANGE_SPLICE, .document = d[0], .splices = &s, .n = 1},
				   {.kind = CHANGE_MOVE, .document = d[1], .target = d[2]}};
	return work_commit(&f->call, changes, 2, "two");
}

static void begin_world(struct fixture *f)
{
	fixture_next(f);
	work_close(f->work);
	f->work = NULL;
	nftw(f->root, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	assert_int_equal(mkdir(f->root, 0777), 0);
	assert_int_equal(mkdir(fixture_path(f, "x"), 0777), 0);
	fixture_put(f, "a.txt", old_text);
	fixture_put(f, "x/b.txt", old_text);
	fixture_reopen(f, (struct work_options){.lock_wait_ms = 300});
}

static void warm_up(struct fixture *f)
{
	struct document *d;

	assert_done(put(f, "x/other.txt", "other"));
	assert_done(document_open(&f->call, TEXT("a.txt"), &d));
}

struct world_text {
	char bytes[1024];
};

static struct world_text picture(struct fixture *f)
{
	struct buffer b = {.arena = &f->arena};
	struct world_text w;

	for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
		struct text bytes = fixture_bytes(f, names[i]);
		buffer_format(&b, "%s=%s%.*s|", names[i], bytes.at ? "" : "-", TEXT_ARGS(bytes));
	}
	snprintf(w.bytes, sizeof w.bytes, "%s", buffer_text(&b).at);
	return w;
}

static bool same(const struct world_text *a, const struct world_text *b) { return strcmp(a->bytes, b->bytes) == 0; }

/* After a failed flush the process refuses to write for that reason, until it is started again. */
static void start_again_if_broken(struct fixture *f)
{
	if (work_takes_writes(&f->call)) {
		fixture_next(f);
		return;
	}
	fixture_next(f);
	assert_false(put(f, "x/refused.txt", "refused"));
	assert_int_equal(f->call.error.fault, FAULT_STORAGE);
	assert_non_null(strstr(error_sentence(f->call.arena, &f->call.error), "no further writes"));
	fixture_next(f);
	assert_false(fixture_bytes(f, "x/refused.txt").at);
	fixture_reopen(f, (struct work_options){.lock_wait_ms = 300});
}

/* Makes a later call on every document, which finishes and cleans up everything left over. */
static void look_around(struct fixture *f)
{
	for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
		struct document *d;
		assert_done(
			documents_change(&f->call, &(struct want){text_of(names[i]), DOCUMENT_EITHER, true}, 1, &d));
	}
	assert_int_equal(fixture_count(f->root, "quire~") + fixture_count(fixture_path(f, "x"), "quire~") +
				 fixture_count(fixture_path(f, "n/e"), "quire~"),
			 0);
}

static const struct {
	int error;
	const char *name;
} errors[] = {{ENOSPC, "ENOSPC"}, {EIO, "EIO"}, {EINTR, "EINTR"}, {EMFILE, "EMFILE"}};

/* Causes one fault at the n-th call. False: there is no n-th call. */
static bool strike(struct fixture *f, bool (*what)(struct fixture *), long n, size_t e, bool lasting, bool warm,
		   const struct world_text *before, const struct world_text *after)
{
	begin_world(f);
	if (warm)
		warm_up(f);
	size_t descriptors = open_descriptors();
	arm(n, errors[e].error, lasting);
	bool done = what(f);
	disarm();
	bool fired = fault.fired;
	enum fault why = f->call.error.fault;
	bool will_finish =
		f->call.error.message && strstr(error_sentence(f->call.arena, &f->call.error), "finishes it");
	bool is_unknown =
		f->call.error.message && strstr(error_sentence(f->call.arena, &f->call.error), "unknown whether");
	const char *message = f->call.error.message ? strdup(f->call.error.message) : NULL;
	fixture_next(f);
	if (warm)
		assert_true(open_descriptors() <= descriptors); /* a failed connection is closed */
	struct world_text now = picture(f);
	if (done && !same(&now, after))
		fail_msg("%s at %ld: done, but %s", errors[e].name, n, now.bytes);
	if (!done && (why == FAULT_NONE || why == FAULT_INTERNAL))
		fail_msg("%s at %ld: failed without a reason", errors[e].name, n);
	if (!done && !will_finish && !is_unknown && !same(&now, before))
		fail_msg("%s at %ld: %s, but %s", errors[e].name, n, message, now.bytes);
	start_again_if_broken(f);
	look_around(f);
	now = picture(f);
	if (is_unknown ? !same(&now, before) && !same(&now, after) : !same(&now, done || will_finish ? after : before))
		fail_msg("%s at %ld (%s): afterwards %s", errors[e].name, n, message ? message : "done", now.bytes);
	free((char *)message);
	/* The workspace still works. */
	assert_done(put(f, "x/after.txt", "after"));
	return fired;
}

static void strike_everywhere(struct fixture *f, bool (*what)(struct fixture *), bool warm)
{
	long strikes_in_all = 0;

	begin_world(f);
	struct world_text before = picture(f);
	if (warm)
		warm_up(f);
	assert_done(what(f));
	struct world_text after = picture(f);
	/* A first write makes many more calls, so only two kinds of fault are tried there. */
	for (size_t e = 0; e < (warm ? ARRAY_COUNT(errors) : 2); e++)
		for (int lasting = 0; lasting < (warm && errors[e].error != EINTR ? 2 : 1); lasting++)
			for (long n = 1; strike(f, what, n, e, lasting, warm, &before, &after); n++) {
				strikes_in_all++;
				assert_true(n < 1000);
			}
	TRIED("%ld faults\n", strikes_in_all);
	assert_true(strikes_in_all > 100);
}

static void a_splice_survives_any_fault(void **state) { strike_everywhere(*state, one_splice, true); }
static void a_first_write_survives_any_fault(void **state) { strike_everywhere(*state, one_splice, false); }
static void a_new_document_survives_any_fault(void **state) { strike_everywhere(*state, one_new, true); }
static void a_commit_of_several_survives_any_fault(void **state) { strike_everywhere(*state, two_and_a_move, true); }

static void a_read_survives_any_fault(void **state)
{
	struct fixture *f = *state;

	begin_world(f);
	warm_up(f);
	for (size_t e = 0; e < ARRAY_COUNT(errors); e++)
		for (long n = 1;; n++) {
			struct document *d;
			size_t descriptors = open_descriptors();
			fixture_put(f, "a.txt", n % 2 ? old_text : "another text");
			arm(n, errors[e].error, false);
			bool done = document_open(&f->call, TEXT("a.txt"), &d);
			disarm();
			if (done)
				assert_text(document_bytes(d), n % 2 ? old_text : "another text");
			else
				assert_int_not_equal(f->call.error.fault, FAULT_NONE);
			if (errors[e].error == EINTR)
				assert_true(done);
			fixture_next(f);
			assert_int_equal(open_descriptors(), descriptors);
			if (!fault.fired)
				break;
		}
}

/* A list is complete, or the caller gets an error. */
static void a_list_is_whole_or_refused(void **state)
{
	struct fixture *f = *state;
	struct file_entry *files;
	size_t n;

	assert_int_equal(mkdir(fixture_path(f, "x"), 0777), 0);
	assert_int_equal(mkdir(fixture_path(f, "x/y"), 0777), 0);
	fixture_put(f, "a.txt", "x");
	fixture_put(f, "x/b.txt", "x");
	fixture_put(f, "x/y/c.txt", "x");
	for (int i = 1, refused = 0;; i++) {
		arm(i, EMFILE, false);
		bool listed = work_list(&f->call, TEXT(""), ".txt", 100, &files, &n);
		disarm();
		if (listed)
			assert_int_equal(n, 3);
		else
			assert_int_equal(f->call.error.fault, FAULT_STORAGE);
		refused += !listed;
		fixture_next(f);
		if (fault.fired)
			continue;
		assert_true(refused >= 3);
		break;
	}
}

static void a_recovery_survives_any_fault(void **state)
{
	struct fixture *f = *state;

	for (size_t e = 0; e < 2; e++)
		for (long n = 1;; n++) {
			struct document *d;
			int status;
			begin_world(f);
			warm_up(f);
			fixture_next(f);
			work_close(f->work);
			f->work = NULL;
			fflush(NULL);
			pid_t pid = fork();
			assert_true(pid >= 0);
			if (!pid) {
				setenv("QUIRE_CRASH_AT", "5", 1); /* the record exists, no document has its name yet */
				fixture_reopen(f, (struct work_options){0});
				_exit(one_splice(f) ? 1 : 2);
			}
			assert_int_equal(waitpid(pid, &status, 0), pid);
			assert_true(WIFSIGNALED(status));
			assert_text(fixture_bytes(f, "a.txt"), old_text);
			fixture_reopen(f, (struct work_options){.lock_wait_ms = 300});
			arm(n, errors[e].error, false);
			document_open(&f->call, TEXT("a.txt"), &d);
			disarm();
			fixture_next(f);
			start_again_if_broken(f);
			assert_done(document_open(&f->call, TEXT("x/b.txt"), &d));
			if (!text_starts(fixture_bytes(f, "a.txt"), "a new text"))
				fail_msg("%s at %ld: not recovered", errors[e].name, n);
			look_around(f);
			if (!fault.fired)
				break;
		}
}

/* Every flush of a commit fails in turn. As long as the record cannot exist, the error says that nothing happened, and
 * nothing does. After that it says that the outcome is unknown. It never reports success, and never retries the
 * flush. */
static void a_failed_flush_is_never_acknowledged(void **state)
{
	struct fixture *f = *state;
	int nothing = 0, unknown = 0;

	for (long n = 1; n <= 3; n++) {
		begin_world(f);
		warm_up(f);
		assert_done(one_splice(f));
		fault.flushes = 0;
		flush_to_fail = n;
		assert_false(one_splice(f));
		flush_to_fail = 0;
		assert_int_equal(f->call.error.fault, FAULT_STORAGE);
		bool is_unknown = strstr(error_sentence(f->call.arena, &f->call.error), "unknown whether");
		assert_true(is_unknown || strstr(error_sentence(f->call.arena, &f->call.error), "nothing was changed"));
		unknown += is_unknown;
		nothing += !is_unknown;
		assert_int_equal(fault.flushes, n);
		fixture_next(f);
		assert_int_equal(is_unknown, n > 1);
		struct world_text now = picture(f);
		start_again_if_broken(f);
		look_around(f);
		struct world_text later = picture(f);
		if (!is_unknown)
			assert_true(same(&now, &later));
		assert_true(strstr(later.bytes, "a new text") || strstr(later.bytes, "a new new text"));
		assert_done(put(f, "x/after.txt", "after"));
	}
	assert_int_equal(nothing, 1);
	assert_int_equal(unknown, 2);
}

/* Three flushes make one document durable: its new bytes, the record, the folder. */
static void a_warm_commit_flushes_three_times(void **state)
{
	struct fixture *f = *state;

	begin_world(f);
	warm_up(f);
	assert_done(one_splice(f));
	for (int i = 0; i < 5; i++) {
		fault.flushes = 0;
		assert_done(one_splice(f));
		assert_int_equal(fault.flushes, 3);
	}
}

/* A flush that makes the file longer would also wait for the file system's journal. */
static void the_journal_of_the_history_seldom_grows(void **state)
{
	struct fixture *f = *state;
	enum { COMMITS = 200 };
	off_t last = 0, most = 0;
	int grown = 0;

	for (int i = 0; i < COMMITS; i++) {
		struct stat st;
		assert_done(put(f, "a.txt", i % 2 ? "one" : "other"));
		assert_int_equal(stat(text_format(&f->arena, "%s/history.db-wal", f->state).at, &st), 0);
		grown += st.st_size != last;
		last = st.st_size;
		most = last > most ? last : most;
	}
	assert_true(grown < COMMITS / 10);
	assert_true(most < 8 << 20); /* it starts again at its beginning */
}

/* SQLite copies the history's pages from its journal from time to time. If a flush of that fails, the next one would
 * seem to succeed, and the journal would be discarded. */
static void a_failed_flush_of_the_history_itself_is_never_forgotten(void **state)
{
	struct fixture *f = *state;
	struct document *d;
	int i = 0;

	/* The first commit creates the file. After that a commit flushes three times, without such copying. */
	assert_done(put(f, "a.txt", "first"));
	flush_to_fail = 4;
	for (fault.flushes = 0; put(f, "a.txt", ++i % 2 ? "one" : "other"); fault.flushes = 0) {
		assert_true(i < 1000);
		fixture_next(f);
	}
	flush_to_fail = 0;
	assert_true(i > 10);
	assert_int_equal(f->call.error.fault, FAULT_STORAGE);
	assert_non_null(strstr(error_sentence(f->call.arena, &f->call.error), "unknown whether"));
	fixture_next(f);
	start_again_if_broken(f);
	/* The record existed already, so the next process finishes it. */
	assert_done(document_open(&f->call, TEXT("a.txt"), &d));
	assert_text(fixture_bytes(f, "a.txt"), i % 2 ? "one" : "other");
	assert_done(put(f, "a.txt", "after"));
}

static void room_for_a_large_document_is_reserved_before_it_is_written(void **state)
{
	struct fixture *f = *state;
	static const int harmless[] = {0, EINTR, EOPNOTSUPP, ENOSYS};
	char *large = malloc(1 << 20);

	memset(large, 'x', 1 << 20);
	large[(1 << 20) - 1] = '\0';
	for (size_t i = 0; i < ARRAY_COUNT(harmless); i++) {
		reserving.error = harmless[i];
		reserving.calls = 0;
		large[0] = (char)('a' + i);
		assert_done(put(f, "large.txt", large));
		assert_int_equal(reserving.calls, harmless[i] == EINTR ? 2 : 1);
		assert_text(fixture_bytes(f, "large.txt"), large);
	}
	reserving.error = ENOSPC;
	assert_refused(insert(f, "large.txt", 0, "one more"), FAULT_STORAGE);
	assert_int_equal(reserving.error, 0);
	assert_text(fixture_bytes(f, "large.txt"), large);
	assert_int_equal(fixture_count(f->root, "quire~"), 0);
	reserving.calls = 0;
	assert_done(put(f, "small.txt", "small"));
	assert_int_equal(reserving.calls, 0);
	free(large);
}

static void a_root_that_cannot_exchange_names_is_told(void **state)
{
	struct fixture *f = *state;

	assert_null(work_not_exchanging(&f->call, f->work));
	is_plain_disk = true;
	assert_null(work_not_exchanging(&f->call, f->work));
	exchange_fails = true;
	assert_non_null(work_not_exchanging(&f->call, f->work));
	assert_int_equal(fixture_count(f->root, "quire~"), 0);
	/* Writing still works there: it compares, then renames. */
	assert_done(put(f, "a.txt", "one"));
	assert_done(put(f, "a.txt", "two"));
	assert_text(fixture_bytes(f, "a.txt"), "two");
	is_plain_disk = exchange_fails = false;
}

/* Takes the history's lock for writers (byte 120 of its -shm), as if an unlock had failed. */
static bool keep_the_writers_lock(struct fixture *f)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 120, .l_len = 1};
	int fd = open(text_format(&f->arena, "%s/history.db-shm", f->state).at, O_RDWR);

	return fd >= 0 && __real_fcntl64(fd, F_SETLK, &lock) == 0;
}

/* A process whose unlocks fail: it keeps the history's lock and stays alive. */
static pid_t start_a_hoarder(struct fixture *f)
{
	int ready[2];
	char byte;

	assert_int_equal(pipe(ready), 0);
	fixture_next(f);
	work_close(f->work);
	f->work = NULL;
	pid_t child = fork();
	if (child == 0) {
		fixture_reopen(f, (struct work_options){0});
		put(f, "a.txt", "the hoarder's");
		work_release(&f->call);
		unlock_fails = true;
		if (!keep_the_writers_lock(f) || write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	fixture_reopen(f, (struct work_options){0});
	return child;
}

static void a_lock_that_was_never_let_go_ends_calls_at_their_deadline(void **state)
{
	enum { WAIT_MS = 1500, HANG_MS = 30 * 1000 };
	struct fixture *f = *state;

	begin_world(f);
	warm_up(f);
	pid_t hoarder = start_a_hoarder(f);
	for (int i = 0; i < 3; i++) {
		int64_t from = clock_ticks();
		f->call.deadline = from + WAIT_MS;
		assert_false(put(f, "x/b.txt", "ours"));
		assert_true(clock_ticks() - from < HANG_MS);
		assert_true(f->call.error.fault == FAULT_LOCKED || f->call.error.fault == FAULT_TIMEOUT);
		fixture_next(f);
	}
	kill(hoarder, SIGKILL);
	waitpid(hoarder, NULL, 0);
	assert_done(put(f, "x/b.txt", "ours at last"));
	assert_text(fixture_bytes(f, "x/b.txt"), "ours at last");
}

static void put_b(void *of) { put(of, "x/b.txt", "ours"); }

/* The same, and the index of the history's log must be read again, which needs that lock: SQLite retries for ten
 * seconds by itself. */
static void a_lock_that_was_never_let_go_ends_the_retries_of_the_database_too(void **state)
{
	enum { WAIT_MS = 300, HANG_MS = 8 * 1000, INDEX_HEAD = 136 };
	static const char zeros[INDEX_HEAD];
	struct fixture *f = *state;

	begin_world(f);
	warm_up(f);
	pid_t hoarder = start_a_hoarder(f);
	int index = open(text_format(&f->arena, "%s/history.db-shm", f->state).at, O_RDWR);
	assert_int_equal(pwrite(index, zeros, sizeof zeros, 0), sizeof zeros);
	close(index);
	int64_t from = clock_ticks();
	struct budget budget = {.deadline = from + WAIT_MS};
	if (budget_run(&budget, &f->arena, put_b, f) != BUDGET_KEPT)
		budget_clear(&budget);
	assert_true(clock_ticks() - from < HANG_MS);
	f->call.held = NULL;
	fixture_call(f);
	kill(hoarder, SIGKILL);
	waitpid(hoarder, NULL, 0);
	assert_done(put(f, "x/b.txt", "ours at last"));
}

int main(void)
{
	alarm(240);
	log_set(LOG_ERROR); /* many warnings are expected here */
	const struct CMUnitTest tests[] = {
		WITH_ROOT(a_splice_survives_any_fault),
		WITH_ROOT(a_first_write_survives_any_fault),
		WITH_ROOT(a_new_document_survives_any_fault),
		WITH_ROOT(a_commit_of_several_survives_any_fault),
		WITH_ROOT(a_read_survives_any_fault),
		WITH_ROOT(a_list_is_whole_or_refused),
		WITH_ROOT(a_recovery_survives_any_fault),
		WITH_ROOT(a_failed_flush_is_never_acknowledged),
		WITH_ROOT(a_warm_commit_flushes_three_times),
		WITH_ROOT(a_root_that_cannot_exchange_names_is_told),
		WITH_ROOT(a_lock_that_was_never_let_go_ends_calls_at_their_deadline),
		WITH_ROOT(a_lock_that_was_never_let_go_ends_the_retries_of_the_database_too),
		WITH_ROOT(the_journal_of_the_history_seldom_grows),
		WITH_ROOT(a_failed_flush_of_the_history_itself_is_never_forgotten),
		WITH_ROOT(room_for_a_large_document_is_reserved_before_it_is_written),
	};

	return RUN_TESTS(tests);
}
