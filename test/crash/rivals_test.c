/* Several processes with several threads each use one root: no acknowledged write is lost, and nobody waits forever. */
#include "crash/busy_machine.h"
#include "work/work_fixture.h"

#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>

#ifdef QUIRE_DEBUG
enum { WRITES = 400 };
#else
enum { WRITES = 10000 };
#endif
enum { PROCESSES = 2, THREADS = 4 };

struct shared {
	atomic_int acknowledged, left, failed;
};

struct writer {
	struct fixture *f;
	struct shared *shared;
};

static void *count_up(void *arg)
{
	struct writer *w = arg;

	while (atomic_fetch_sub(&w->shared->left, 1) > 0) {
		struct arena arena = {0};
		struct call c = {.arena = &arena, .work = w->f->work, .tool = "count"};
		struct document *d;
		bool done = documents_change(&c, &(struct want){TEXT("count.txt"), DOCUMENT_THERE, false}, 1, &d);
		if (done) {
			struct text now = document_bytes(d),
				    next = text_format(&arena, "%d", atoi(text_string(&arena, now)) + 1);
			struct splice s = {0, (uint32_t)now.len, next};
			done = work_commit(
				&c, &(struct change){.kind = CHANGE_SPLICE, .document = d, .splices = &s, .n = 1}, 1,
				"count");
		}
		atomic_fetch_add(done ? &w->shared->acknowledged : &w->shared->failed, 1);
		if (!done)
			fprintf(stderr, "# %s\n", c.error.message);
		work_release(&c);
		arena_free(&arena);
	}
	return NULL;
}

/* Readers see a number at any time, and it never decreases. */
static void *read_on(void *arg)
{
	struct writer *w = arg;
	int last = 0;

	while (atomic_load(&w->shared->left) > 0) {
		struct arena arena = {0};
		struct call c = {.arena = &arena, .work = w->f->work};
		struct document *d;
		int now = document_open(&c, TEXT("count.txt"), &d) ? atoi(text_string(&arena, document_bytes(d))) : -1;
		if (now < last) {
			fprintf(stderr, "# read %d after %d: %s\n", now, last, c.error.message ? c.error.message : "");
			atomic_fetch_add(&w->shared->failed, 1);
		}
		last = now;
		work_release(&c);
		arena_free(&arena);
		usleep(500);
	}
	return NULL;
}

static void run_process(struct fixture *f, struct shared *shared)
{
	struct writer w = {f, shared};
	pthread_t threads[THREADS + 1];

	fixture_reopen(f, (struct work_options){.lock_wait_ms = 60000});
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, count_up, &w);
	pthread_create(&threads[THREADS], NULL, read_on, &w);
	for (int i = 0; i <= THREADS; i++)
		pthread_join(threads[i], NULL);
	fixture_next(f);
	work_close(f->work);
	_exit(0);
}

static void count_to(struct fixture *f, int writes)
{
	struct shared *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pids[PROCESSES];

	assert_ptr_not_equal(shared, MAP_FAILED);
	fixture_put(f, "count.txt", "0");
	atomic_store(&shared->left, writes);
	fixture_next(f);
	work_close(f->work);
	f->work = NULL;
	fflush(NULL);
	for (int i = 0; i < PROCESSES; i++)
		if (!(pids[i] = fork()))
			run_process(f, shared);
	for (int i = 0; i < PROCESSES; i++) {
		int status;
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	fixture_reopen(f, (struct work_options){0});
	assert_int_equal(atomic_load(&shared->failed), 0);
	assert_int_equal(atomic_load(&shared->acknowledged), writes);
	assert_int_equal(atoi(text_string(&f->arena, fixture_bytes(f, "count.txt"))), writes);
	TRIED("%d writes of rivals\n", writes);
	munmap(shared, sizeof *shared);
}

static void every_acknowledged_write_is_in_the_result(void **state) { count_to(*state, WRITES); }

static void so_it_is_on_a_busy_machine(void **state)
{
	machine_is_busy = true;
	count_to(*state, WRITES / 2);
	machine_is_busy = false;
}

enum { VERSES = 20, VERSE = 8, EDITS = 300, READERS = 3 };

struct chorus {
	struct fixture *f;
	atomic_bool ended;
	atomic_int torn, read;
};

static bool is_of_one_piece(struct text bytes)
{
	for (size_t i = VERSE; i < bytes.len; i++)
		if (bytes.at[i] != bytes.at[i - VERSE])
			return false;
	return bytes.len == VERSES * VERSE;
}

static void *listen(void *arg)
{
	struct chorus *k = arg;

	while (!atomic_load(&k->ended)) {
		struct arena arena = {0};
		struct call c = {.arena = &arena, .work = k->f->work};
		struct document *d;
		bool whole = document_open(&c, TEXT("verses.txt"), &d) && is_of_one_piece(document_bytes(d));
		struct text first = whole ? text_copy(&arena, document_bytes(d)) : TEXT("");
		usleep(4000); /* usually longer than a commit */
		if (!whole || !text_same(document_bytes(d), first))
			atomic_fetch_add(&k->torn, 1);
		atomic_fetch_add(&k->read, 1);
		work_release(&c);
		arena_free(&arena);
	}
	return NULL;
}

static void who_reads_sees_one_version_and_keeps_it(void **state)
{
	struct fixture *f = *state;
	struct chorus k = {.f = f};
	pthread_t readers[READERS];
	char verses[VERSES * VERSE + 1];

	for (int i = 0; i < VERSES; i++)
		snprintf(verses + i * VERSE, sizeof verses - (size_t)(i * VERSE), "%07d\n", 0);
	fixture_put(f, "verses.txt", verses);
	machine_is_busy = true;
	for (int i = 0; i < READERS; i++)
		pthread_create(&readers[i], NULL, listen, &k);
	for (int n = 1; n <= EDITS; n++) {
		struct splice splices[VERSES];
		struct document *d;
		struct text number = text_format(&f->arena, "%03d", n);
		for (uint32_t i = 0; i < VERSES; i++)
			splices[i] = (struct splice){i * VERSE + VERSE - 4, i * VERSE + VERSE - 1, number};
		struct want want = {TEXT("verses.txt"), DOCUMENT_THERE, false};
		assert_true(documents_change(&f->call, &want, 1, &d));
		struct change change = {.kind = CHANGE_SPLICE, .document = d, .splices = splices, .n = VERSES};
		assert_done(work_commit(&f->call, &change, 1, "verse"));
	}
	/* On a machine with one core the readers may not have run yet. */
	while (atomic_load(&k.read) < READERS)
		usleep(1000);
	atomic_store(&k.ended, true);
	for (int i = 0; i < READERS; i++)
		pthread_join(readers[i], NULL);
	machine_is_busy = false;
	assert_int_equal(atomic_load(&k.torn), 0);
	assert_true(is_of_one_piece(fixture_bytes(f, "verses.txt")));
}

struct swapper {
	struct fixture *f;
	bool other_way;
	int done;
};

static void *write_both(void *arg)
{
	struct swapper *s = arg;

	for (int i = 0; i < 60; i++) {
		struct arena arena = {0};
		struct call c = {.arena = &arena, .work = s->f->work};
		struct want wants[] = {{TEXT("one/a.txt"), DOCUMENT_THERE, false},
				       {TEXT("two/a.txt"), DOCUMENT_THERE, false}};
		struct document *d[2];
		if (s->other_way) {
			struct want first = wants[0];
			wants[0] = wants[1];
			wants[1] = first;
		}
		if (documents_change(&c, wants, 2, d)) {
			struct splice a = {0, 0, TEXT("x")};
			struct change changes[] = {{.kind = CHANGE_SPLICE, .document = d[0], .splices = &a, .n = 1},
						   {.kind = CHANGE_SPLICE, .document = d[1], .splices = &a, .n = 1}};
			s->done += work_commit(&c, changes, 2, "both");
		}
		work_release(&c);
		arena_free(&arena);
	}
	return NULL;
}

static void folders_named_in_either_order_do_not_wait_in_a_ring(void **state)
{
	struct fixture *f = *state;
	struct swapper s[] = {{f, false, 0}, {f, true, 0}};
	pthread_t threads[2];

	mkdir(fixture_path(f, "one"), 0777);
	mkdir(fixture_path(f, "two"), 0777);
	fixture_put(f, "one/a.txt", "");
	fixture_put(f, "two/a.txt", "");
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, write_both, &s[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(s[0].done, 60);
	assert_int_equal(s[1].done, 60);
	assert_int_equal(fixture_bytes(f, "one/a.txt").len, 120);
	assert_int_equal(fixture_bytes(f, "two/a.txt").len, 120);
}

static void a_lock_that_is_kept_ends_the_wait(void **state)
{
	struct fixture *f = *state;

	fixture_put(f, "a.txt", "x");
	fixture_reopen(f, (struct work_options){.lock_wait_ms = 300});
	int rival = open(f->root, O_RDONLY | O_DIRECTORY);
	assert_int_equal(flock(rival, LOCK_EX), 0);
	assert_false(put(f, "a.txt", "y"));
	assert_int_equal(f->call.error.fault, FAULT_LOCKED);
	assert_true(f->call.error.retry_after > 0);
	fixture_next(f);
	/* Reading never waits. */
	struct document *d;
	assert_done(document_open(&f->call, TEXT("a.txt"), &d));
	close(rival);
	assert_done(put(f, "a.txt", "y"));
}

static void *cancel_soon(void *flag)
{
	usleep(150000);
	atomic_store((atomic_bool *)flag, true);
	return NULL;
}

static void a_cancelled_call_stops_waiting(void **state)
{
	struct fixture *f = *state;
	atomic_bool cancelled = false;
	sigset_t all, before;
	pthread_t thread;

	fixture_put(f, "a.txt", "x");
	int rival = open(f->root, O_RDONLY | O_DIRECTORY);
	assert_int_equal(flock(rival, LOCK_EX), 0);
	/* A server's threads run with blocked signals. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	pthread_create(&thread, NULL, cancel_soon, &cancelled);
	f->call.cancelled = &cancelled;
	assert_false(put(f, "a.txt", "y"));
	assert_int_equal(f->call.error.fault, FAULT_CANCELLED);
	pthread_join(thread, NULL);
	sigset_t now;
	pthread_sigmask(SIG_SETMASK, &before, &now);
	assert_true(sigismember(&now, SIGRTMIN + 3));
	close(rival);
}

static void a_lock_dies_with_its_process(void **state)
{
	struct fixture *f = *state;

	fixture_put(f, "a.txt", "x");
	fflush(NULL);
	pid_t pid = fork();
	if (!pid) {
		int fd = open(f->root, O_RDONLY | O_DIRECTORY);
		flock(fd, LOCK_EX);
		raise(SIGSTOP);
		_exit(0);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	assert_done(put(f, "a.txt", "y"));
}

/* Two quires create one history at the same time. SQLite reports BUSY to one of them at once, whatever the timeout. */
static void a_history_that_another_begins_is_waited_for(void **state)
{
	struct fixture *f = *state;
	/* The lock that SQLite takes to write to a file that is not in WAL mode yet. */
	struct flock reserved = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0x40000001, .l_len = 1};
	struct document *d;
	int ready[2], status;
	char byte;

	fixture_put(f, "a.txt", "x");
	assert_true(documents_change(&f->call, &(struct want){TEXT("a.txt"), DOCUMENT_THERE, false}, 1, &d));
	assert_int_equal(mkdir(f->state, 0700), 0);
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	fflush(NULL);
	pid_t pid = fork();
	if (!pid) {
		int fd = open(fixture_path(f, "../../state/history.db"), O_RDWR | O_CREAT, 0600);
		if (fcntl(fd, F_SETLK, &reserved) != 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		usleep(150000);
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	struct change change = {.kind = CHANGE_WHOLE, .document = d, .bytes = TEXT("y")};
	assert_done(work_commit(&f->call, &change, 1, "first"));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close(ready[0]);
	close(ready[1]);
}

/* Two calls that create the same folders at the same time run one after the other, and both documents exist. */
static void *make_deep(void *arg)
{
	struct swapper *s = arg;

	for (int i = 0; i < 20; i++) {
		struct arena arena = {0};
		struct call c = {.arena = &arena, .work = s->f->work};
		struct document *d;
		struct text path = text_format(&arena, "deep%d/er/%s.txt", i, s->other_way ? "a" : "b");
		bool done = documents_change(&c, &(struct want){path, DOCUMENT_NEW, true}, 1, &d) &&
			    work_commit(&c, &(struct change){.kind = CHANGE_WHOLE, .document = d, .bytes = TEXT("x")},
					1, "deep");
		if (!done && c.error.fault == FAULT_CONFLICT)
			i--; /* the other one was slightly faster: try again, as the message says */
		else if (!done)
			fprintf(stderr, "# %s\n", c.error.message);
		s->done += done;
		work_release(&c);
		arena_free(&arena);
	}
	return NULL;
}

static void folders_made_by_two_at_once_are_made_once(void **state)
{
	struct fixture *f = *state;
	struct swapper s[] = {{f, false, 0}, {f, true, 0}};
	pthread_t threads[2];

	machine_is_busy = true;
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, make_deep, &s[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	machine_is_busy = false;
	assert_int_equal(s[0].done + s[1].done, 40);
	for (int i = 0; i < 20; i++)
		assert_int_equal(fixture_count(fixture_path(f, text_format(&f->arena, "deep%d/er", i).at), ".txt"), 2);
}

static struct fixture *meddled;
static int rival_lock = -1;

static void lock_the_new_folder(void)
{
	rival_lock = open(fixture_path(meddled, "new"), O_RDONLY | O_DIRECTORY);
	assert_int_equal(__real_flock(rival_lock, LOCK_EX | LOCK_NB), 0);
}

static void remove_the_new_folder(void) { assert_int_equal(rmdir(fixture_path(meddled, "new")), 0); }

static bool make_in_new_folder(struct fixture *f, void (*meddling)(void))
{
	struct document *d;

	if (!documents_change(&f->call, &(struct want){TEXT("new/a.txt"), DOCUMENT_NEW, true}, 1, &d))
		return false;
	meddle_before("flock", 1, meddling);
	return work_commit(&f->call, &(struct change){.kind = CHANGE_WHOLE, .document = d, .bytes = TEXT("x")}, 1, "a");
}

static void a_new_folder_belongs_to_who_locked_it_first(void **state)
{
	struct fixture *f = meddled = *state;

	assert_done(put(f, "first.txt", "so that there is a history"));
	assert_refused(make_in_new_folder(f, lock_the_new_folder), FAULT_CONFLICT);
	/* The other process is about to write into it. */
	assert_int_equal(access(fixture_path(f, "new"), F_OK), 0);
	assert_int_equal(close(rival_lock), 0);
	assert_int_equal(rmdir(fixture_path(f, "new")), 0);
	assert_refused(make_in_new_folder(f, remove_the_new_folder), FAULT_CONFLICT);
	assert_done(make_in_new_folder(f, NULL));
	assert_text(fixture_bytes(f, "new/a.txt"), "x");
}

int main(void)
{
	alarm(240);
	const struct CMUnitTest tests[] = {
		WITH_ROOT(every_acknowledged_write_is_in_the_result),
		WITH_ROOT(so_it_is_on_a_busy_machine),
		WITH_ROOT(who_reads_sees_one_version_and_keeps_it),
		WITH_ROOT(folders_named_in_either_order_do_not_wait_in_a_ring),
		WITH_ROOT(a_lock_that_is_kept_ends_the_wait),
		WITH_ROOT(a_cancelled_call_stops_waiting),
		WITH_ROOT(a_lock_dies_with_its_process),
		WITH_ROOT(a_history_that_another_begins_is_waited_for),
		WITH_ROOT(folders_made_by_two_at_once_are_made_once),
		WITH_ROOT(a_new_folder_belongs_to_who_locked_it_first),
	};

	return RUN_TESTS(tests);
}
