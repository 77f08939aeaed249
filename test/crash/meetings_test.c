/* Meetings with other processes: an editor that saves at the same time, a recovery beside writers, a state folder that
 * is deleted. All acknowledged writes and all writes by others stay, and every error has a true reason. */
#include "crash/busy_machine.h"
#include "work/work_fixture.h"

#include "work/history/store.h"

#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>

static struct fixture *met;

static void write_in_place(void)
{
	int fd = open(fixture_path(met, "a.txt"), O_WRONLY);
	assert_int_equal(pwrite(fd, "theirs", 6, 0), 6);
	close(fd);
}

static void save_by_renaming(void)
{
	fixture_put(met, "a.txt~", "theirs");
	assert_int_equal(rename(fixture_path(met, "a.txt~"), fixture_path(met, "a.txt")), 0);
}

static void delete_it(void) { assert_int_equal(unlink(fixture_path(met, "a.txt")), 0); }

static void what_an_editor_saves_while_we_record_is_kept(void **state)
{
	static const struct {
		void (*what)(void);
		const char *after;
	} hands[] = {{write_in_place, "theirs"}, {save_by_renaming, "theirs"}, {delete_it, NULL}};
	struct fixture *f = met = *state;

	for (size_t i = 0; i < ARRAY_COUNT(hands); i++) {
		struct history_entry *e;
		size_t n;
		bool more;
		assert_done(put(f, "a.txt", "before"));
		assert_done(history_list(&f->call, TEXT(""), 0, 100, &e, &n, &more));
		/* The record's own flush takes long. */
		meddle_before("fdatasync", 1, hands[i].what);
		assert_refused(put(f, "a.txt", "ours"), FAULT_CONFLICT);
		assert_null(meddler.what);
		struct text now = fixture_bytes(f, "a.txt");
		if (hands[i].after)
			assert_text(now, hands[i].after);
		else
			assert_null(now.at);
		assert_int_equal(fixture_count(f->root, "quire~"), 0);
		size_t then = n;
		assert_true(history_list(&f->call, TEXT(""), 0, 100, &e, &n, &more));
		/* Nothing of ours is recorded; the save is, because a third program may replace it at once. */
		assert_int_equal(n, then + (hands[i].after != NULL));
		assert_true(!hands[i].after || e[0].is_outside);
		fixture_next(f);
		assert_done(put(f, "a.txt", "ours at last"));
	}
}

/* We stat the file after it has its name. At that point others may already have written to it. */
static void what_is_written_between_our_rename_and_our_answer_is_theirs(void **state)
{
	struct fixture *f = met = *state;
	struct document *d;

	assert_done(put(f, "a.txt", "before"));
	/* The first flush is for the temp, the second one for the folder. */
	meddle_before("fsync", 2, write_in_place);
	assert_done(put(f, "a.txt", "we all"));
	assert_null(meddler.what);
	assert_true(document_open(&f->call, TEXT("a.txt"), &d));
	assert_text(document_bytes(d), "theirs");
	fixture_next(f);
	assert_done(insert(f, "a.txt", 6, " and ours"));
	assert_text(fixture_bytes(f, "a.txt"), "theirs and ours");
}

enum { FINDERS = 4, FINDS = 6 };

struct finders {
	atomic_int ready, written, failed;
	atomic_bool begin;
};

static void die(void) { kill(getpid(), SIGKILL); }

/* A change of documents in two folders, interrupted before one of its calls. */
static bool three_at_once(struct fixture *f)
{
	struct document *d[3];
	struct want wants[] = {{TEXT("a.txt"), DOCUMENT_THERE, false},
			       {TEXT("x/b.txt"), DOCUMENT_THERE, false},
			       {TEXT("x/c.txt"), DOCUMENT_THERE, false}};
	struct splice s = {0, 0, TEXT("new ")};

	if (!documents_change(&f->call, wants, 3, d))
		return false;
	struct change changes[] = {{.kind = CHANGE_SPLICE, .document = d[0], .splices = &s, .n = 1},
				   {.kind = CHANGE_SPLICE, .document = d[1], .splices = &s, .n = 1},
				   {.kind = CHANGE_DELETE, .document = d[2]}};
	return work_commit(&f->call, changes, 3, "three at once");
}

static void die_in_a_commit(struct fixture *f, const char *call, int n)
{
	int status;

	fflush(NULL);
	pid_t pid = fork();
	if (!pid) {
		fixture_reopen(f, (struct work_options){0});
		if (!put(f, "x/warm.txt", "x"))
			_exit(3);
		fixture_next(f);
		meddle_before(call, n, die);
		_exit(three_at_once(f) ? 1 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
}

struct finder {
	struct work *work;
	struct finders *shared;
	int number;
};

static void *write_one_way_or_the_other(void *arg)
{
	struct finder *w = arg;
	const char *path = w->number % 2 ? "a.txt" : "x/b.txt";

	while (!atomic_load(&w->shared->begin))
		;
	for (int i = 0; i < FINDS; i++) {
		struct arena arena = {0};
		struct call c = {.arena = &arena, .work = w->work, .tool = "find"};
		struct document *d[2];
		struct want wants[] = {{text_of(path), DOCUMENT_THERE, false},
				       {TEXT("x/b.txt"), DOCUMENT_THERE, false}};
		bool both = w->number % 4 == 1;
		struct splice s = {0, 0, TEXT("w")};
		bool done = documents_change(&c, wants, both ? 2 : 1, d);
		if (done) {
			struct change changes[] = {
				{.kind = CHANGE_SPLICE, .document = d[0], .splices = &s, .n = 1},
				{.kind = CHANGE_SPLICE, .document = both ? d[1] : NULL, .splices = &s, .n = 1}};
			done = work_commit(&c, changes, both ? 2 : 1, "find");
		}
		if (done)
			atomic_fetch_add(&w->shared->written, both ? 2 : 1);
		else
			atomic_fetch_add(&w->shared->failed, 1);
		if (!done || c.warnings.n)
			fprintf(stderr, "# %s\n", done ? c.warnings.items[0].at : c.error.message);
		work_release(&c);
		arena_free(&arena);
	}
	return NULL;
}

static void *read_both(void *arg)
{
	struct finder *w = arg;

	while (!atomic_load(&w->shared->begin))
		;
	for (int i = 0; i < FINDS * 2; i++) {
		struct arena arena = {0};
		struct call c = {.arena = &arena, .work = w->work};
		struct document *d;
		if (!document_open(&c, i % 2 ? TEXT("a.txt") : TEXT("x/b.txt"), &d) || c.warnings.n ||
		    !text_ends(document_bytes(d), "old")) {
			fprintf(stderr, "# %s\n", c.error.message ? c.error.message : "a warning, or other bytes");
			atomic_fetch_add(&w->shared->failed, 1);
		}
		work_release(&c);
		arena_free(&arena);
	}
	return NULL;
}

static void run_finder(struct fixture *f, struct finders *shared, int number)
{
	struct finder w[] = {{.shared = shared, .number = number}, {.shared = shared, .number = number + 2}};
	pthread_t threads[3];

	fixture_reopen(f, (struct work_options){.lock_wait_ms = 30000});
	w[0].work = w[1].work = f->work;
	machine_is_busy = true;
	nap_every = 20;
	pthread_create(&threads[0], NULL, write_one_way_or_the_other, &w[0]);
	pthread_create(&threads[1], NULL, write_one_way_or_the_other, &w[1]);
	pthread_create(&threads[2], NULL, read_both, &w[0]);
	atomic_fetch_add(&shared->ready, 1);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	fixture_next(f);
	work_close(f->work);
	_exit(0);
}

static void let_many_find_it(struct fixture *f, struct finders *shared)
{
	pid_t pids[FINDERS];
	int status;

	memset(shared, 0, sizeof *shared);
	fflush(NULL);
	for (int i = 0; i < FINDERS; i++)
		if (!(pids[i] = fork()))
			run_finder(f, shared, i);
	while (atomic_load(&shared->ready) < FINDERS)
		usleep(100);
	atomic_store(&shared->begin, true);
	for (int i = 0; i < FINDERS; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
}

static void many_that_find_what_a_crash_left_are_all_served(void **state)
{
	static const struct {
		const char *call;
		int n;
		bool happens;
	} deaths[] = {{"fsync", 1, false},   {"renameat2", 1, true}, {"renameat2", 2, true},
		      {"unlinkat", 1, true}, {"fsync", 3, true},     {"fsync", 4, true}};
	struct fixture *f = *state;
	struct finders *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(shared, MAP_FAILED);
	assert_int_equal(mkdir(fixture_path(f, "x"), 0777), 0);
	fixture_next(f);
	work_close(f->work);
	f->work = NULL;
	for (size_t i = 0; i < ARRAY_COUNT(deaths); i++) {
		fixture_put(f, "a.txt", "old");
		fixture_put(f, "x/b.txt", "old");
		fixture_put(f, "x/c.txt", "old");
		die_in_a_commit(f, deaths[i].call, deaths[i].n);
		let_many_find_it(f, shared);
		assert_int_equal(atomic_load(&shared->failed), 0);
		struct text a = fixture_bytes(f, "a.txt"), b = fixture_bytes(f, "x/b.txt");
		size_t whole = strlen(deaths[i].happens ? "new old" : "old");
		assert_int_equal(a.len + b.len, (size_t)atomic_load(&shared->written) + 2 * whole);
		assert_true(text_ends(a, deaths[i].happens ? "new old" : "old") &&
			    text_ends(b, deaths[i].happens ? "new old" : "old"));
		assert_int_equal(access(fixture_path(f, "x/c.txt"), F_OK) != 0, deaths[i].happens);
		assert_int_equal(fixture_count(f->root, "quire~") + fixture_count(fixture_path(f, "x"), "quire~"), 0);
	}
	munmap(shared, sizeof *shared);
	fixture_reopen(f, (struct work_options){0});
}

/* An interrupted change in two folders, one of which another process has just locked. A writer in the other folder
 * waits, as for any lock, and then everything is finished. */
static void a_change_cut_short_is_waited_for_like_a_lock(void **state)
{
	struct fixture *f = *state;
	int ready[2], status;
	char byte;

	assert_int_equal(mkdir(fixture_path(f, "x"), 0777), 0);
	fixture_put(f, "a.txt", "old");
	fixture_put(f, "x/b.txt", "old");
	fixture_put(f, "x/c.txt", "old");
	die_in_a_commit(f, "renameat2", 2);
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	fflush(NULL);
	pid_t pid = fork();
	if (!pid) {
		int fd = open(fixture_path(f, "x"), O_RDONLY | O_DIRECTORY);
		if (flock(fd, LOCK_EX) != 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		usleep(200000);
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	/* Readers never wait. */
	struct document *d;
	assert_done(document_open(&f->call, TEXT("x/b.txt"), &d));
	assert_int_equal(waitpid(pid, &status, WNOHANG), 0);
	assert_done(insert(f, "a.txt", 0, "w"));
	assert_text(fixture_bytes(f, "a.txt"), "wnew old");
	assert_text(fixture_bytes(f, "x/b.txt"), "new old");
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);

	/* The wait has a limit. */
	fixture_put(f, "x/c.txt", "old");
	die_in_a_commit(f, "renameat2", 2);
	fixture_reopen(f, (struct work_options){.lock_wait_ms = 200});
	int rival = open(fixture_path(f, "x"), O_RDONLY | O_DIRECTORY);
	assert_int_equal(flock(rival, LOCK_EX), 0);
	assert_refused(insert(f, "a.txt", 0, "w"), FAULT_LOCKED);
	close(rival);
	assert_done(insert(f, "a.txt", 0, "w"));
	assert_text(fixture_bytes(f, "a.txt"), "wnew wnew old");
}

static bool two_roots_at_once(struct fixture *f, struct text other)
{
	struct document *d[2];
	struct want wants[] = {{TEXT("a.txt"), DOCUMENT_EITHER, false}, {other, DOCUMENT_EITHER, false}};

	if (!documents_change(&f->call, wants, 2, d))
		return false;
	struct change changes[] = {{.kind = CHANGE_WHOLE, .document = d[0], .bytes = TEXT("both")},
				   {.kind = CHANGE_WHOLE, .document = d[1], .bytes = TEXT("both")}};
	return work_commit(&f->call, changes, 2, "both roots");
}

static void a_change_cut_short_in_a_root_that_is_not_served_names_it(void **state)
{
	struct fixture *f = *state;
	char other[100], path[120];
	const char *roots[] = {f->root, other, NULL};
	int status;

	snprintf(other, sizeof other, "%s/other", f->top);
	snprintf(path, sizeof path, "%s/b.txt", other);
	assert_int_equal(mkdir(other, 0777), 0);
	assert_done(put(f, "a.txt", "old"));
	fflush(NULL);
	pid_t pid = fork();
	if (!pid) {
		fixture_reopen(f, (struct work_options){.roots = roots});
		meddle_before("renameat2", 2, die);
		_exit(two_roots_at_once(f, text_of(path)));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_false(insert(f, "a.txt", 0, "w"));
	assert_non_null(strstr(error_sentence(f->call.arena, &f->call.error), other));
	fixture_next(f);
	fixture_reopen(f, (struct work_options){.roots = roots});
	assert_done(insert(f, "a.txt", 0, "w"));
	assert_text(fixture_bytes(f, "a.txt"), "wboth");
	assert_text(fixture_bytes(f, "../other/b.txt"), "both");
}

/* A copied tree may contain a history with an unfinished change. */
static void a_history_that_came_with_the_tree_changes_nothing(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;
	struct document *d;
	size_t n;
	bool more;

	assert_int_equal(mkdir(fixture_path(f, "x"), 0777), 0);
	fixture_put(f, "a.txt", "old");
	fixture_put(f, "x/b.txt", "old");
	fixture_put(f, "x/c.txt", "old");
	die_in_a_commit(f, "renameat2", 1);
	assert_int_equal(rename(f->state, fixture_path(f, ".quire")), 0);
	fixture_reopen(f, (struct work_options){0});
	assert_true(document_open(&f->call, TEXT("a.txt"), &d));
	assert_text(document_bytes(d), "old");
	fixture_next(f);
	assert_text(fixture_bytes(f, "x/b.txt"), "old");
	assert_text(fixture_bytes(f, "x/c.txt"), "old");
	assert_true(history_list(&f->call, TEXT("a.txt"), 0, 10, &e, &n, &more));
	assert_int_equal(n, 0);
	fixture_next(f);
	assert_done(put(f, "a.txt", "ours"));
	/* Our own change is finished again. */
	fixture_put(f, "x/c.txt", "old");
	die_in_a_commit(f, "renameat2", 1);
	assert_done(document_open(&f->call, TEXT("a.txt"), &d));
	assert_text(fixture_bytes(f, "a.txt"), "new ours");
	assert_text(fixture_bytes(f, "x/b.txt"), "new old");
}

static void remove_state(void) { nftw(met->state, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS); }

static size_t changes_kept(struct fixture *f)
{
	struct history_entry *e;
	size_t n;
	bool more;

	/* Open it again like another process: a deleted file does not exist for it. */
	fixture_reopen(f, (struct work_options){0});
	if (!history_list(&f->call, TEXT(""), 0, 100, &e, &n, &more))
		fail_msg("%s", f->call.error.message);
	size_t ours = 0;
	for (size_t i = 0; i < n; i++)
		ours += !e[i].is_outside;
	fixture_next(f);
	return ours;
}

/* rm -r deletes the files first and the folder last; a call comes in between. */
static void a_state_folder_may_go_file_by_file(void **state)
{
	static const char *const names[] = {"history.db", "history.db-wal", "history.db-shm"};
	struct fixture *f = *state;
	struct document *d;

	assert_done(put(f, "a.txt", "one"));
	for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
		assert_int_equal(unlink(fixture_path(f, text_format(&f->arena, "../../state/%s", names[i]).at)), 0);
		assert_done(document_open(&f->call, TEXT("a.txt"), &d));
	}
	assert_int_equal(rmdir(f->state), 0);
	assert_done(put(f, "a.txt", "two"));
	assert_int_equal(changes_kept(f), 1);
}

/* Even if it is deleted while a connection is opened, the record is written to a file that has a name. */
static void a_state_folder_may_go_while_it_is_opened(void **state)
{
	static const char *const calls[] = {"fcntl64", "fstatat", "openat", "readlink", "pread64", "mkdirat"};
	struct fixture *f = met = *state;
	int met_at = 0;

	for (size_t i = 0; i < ARRAY_COUNT(calls); i++)
		for (int n = 1;; n++) {
			remove_state();
			fixture_reopen(f, (struct work_options){0});
			fixture_put(f, "a.txt", "old");
			struct document *d;
			assert_true(documents_change(&f->call, &(struct want){TEXT("a.txt"), DOCUMENT_THERE, false}, 1,
						     &d));
			meddle_before(calls[i], n, remove_state);
			struct transaction *t;
			bool opened =
				history_begin(&f->call, STORE_WRITE, &t) && transaction_commit(&f->call, t, "open");
			bool fired = !meddler.what;
			meddler.what = NULL;
			if (!opened)
				fail_msg("%s %d: %s", calls[i], n, f->call.error.message);
			met_at += fired;
			struct change change = {.kind = CHANGE_WHOLE, .document = d, .bytes = TEXT("new")};
			if (!work_commit(&f->call, &change, 1, "new"))
				fail_msg("%s %d: %s", calls[i], n, f->call.error.message);
			if (changes_kept(f) != 1)
				fail_msg("%s %d: the record is lost", calls[i], n);
			if (!fired)
				break;
		}
	TRIED("%d moments at which the folder went\n", met_at);
	assert_true(met_at > 20);
}

/* On a network file system a reader delays the end of a commit. The caller gets the error LOCKED. */
static void a_history_that_is_read_on_a_far_file_system_is_locked(void **state)
{
	struct fixture *f = *state;
	/* The lock that SQLite takes to read a file that is not in WAL mode. */
	struct flock reading = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 0x40000002, .l_len = 1};
	int ready[2], status;
	char byte;

	file_system = 0x6969;
	fixture_reopen(f, (struct work_options){.lock_wait_ms = 100});
	assert_done(put(f, "a.txt", "one"));
	assert_int_equal(fixture_count(f->state, "-wal"), 0);
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	fflush(NULL);
	pid_t pid = fork();
	if (!pid) {
		int fd = open(fixture_path(f, "../../state/history.db"), O_RDONLY);
		if (fcntl(fd, F_SETLK, &reading) != 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		alarm(5); /* also when the test fails */
		pause();
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_refused(put(f, "a.txt", "two"), FAULT_LOCKED);
	assert_text(fixture_bytes(f, "a.txt"), "one");
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_done(put(f, "a.txt", "two"));
	file_system = 0;
	close(ready[0]);
	close(ready[1]);
}

/* Any rename on the machine makes the kernel unsure about a "..", so it returns EAGAIN. */
static void names_are_found_however_much_is_renamed(void **state)
{
	struct fixture *f = *state;
	struct document *d;

	assert_int_equal(mkdir(fixture_path(f, "x"), 0777), 0);
	fixture_put(f, "a.txt", "one");
	syscall_error = EAGAIN;
	assert_true(document_open(&f->call, TEXT("x/../a.txt"), &d));
	assert_text(document_place(d), "a.txt");
	fixture_next(f);
	assert_refused(document_open(&f->call, TEXT("x/../../root/a.txt"), &d), FAULT_PATH);
	assert_done(put(f, "x/../a.txt", "two"));
	syscall_error = 0;
}

#ifdef QUIRE_DEBUG
enum { ACTORS = 5, MORTALS = 8, ACTS = 120 };
#else
enum { ACTORS = 6, MORTALS = 40, ACTS = 600 };
#endif

static const char *const stage[] = {"a.txt", "b.txt", "x/a.txt", "x/b.txt"};

struct actor {
	struct fixture *f;
	unsigned dice;
	char draft[64];
};

static unsigned roll(struct actor *a, unsigned sides)
{
	a->dice = a->dice * 1664525u + 1013904223u;
	return (a->dice >> 8) % sides;
}

static struct text any_name(struct actor *a) { return text_of(stage[roll(a, ARRAY_COUNT(stage))]); }

static bool never(struct call *c, const char *what)
{
	c->error = (struct error){.fault = FAULT_INTERNAL, .message = what};
	return false;
}

static bool act_read(struct actor *a, struct call *c)
{
	struct document *d;

	if (!document_open(c, any_name(a), &d))
		return false;
	return text_ends(document_bytes(d), ".") || never(c, "bytes that nobody wrote");
}

static bool act_make(struct actor *a, struct call *c)
{
	struct document *d;

	return documents_change(c, &(struct want){any_name(a), DOCUMENT_NEW, true}, 1, &d) &&
	       work_commit(c, &(struct change){.kind = CHANGE_WHOLE, .document = d, .bytes = TEXT("made.")}, 1, "make");
}

static bool act_edit(struct actor *a, struct call *c)
{
	struct document *d;
	struct splice s = {0, 0, TEXT("w")};

	return documents_change(c, &(struct want){any_name(a), DOCUMENT_THERE, false}, 1, &d) &&
	       work_commit(c, &(struct change){.kind = CHANGE_SPLICE, .document = d, .splices = &s, .n = 1}, 1, "edit");
}

static bool act_delete(struct actor *a, struct call *c)
{
	struct document *d;

	return documents_change(c, &(struct want){any_name(a), DOCUMENT_THERE, false}, 1, &d) &&
	       work_commit(c, &(struct change){.kind = CHANGE_DELETE, .document = d}, 1, "delete");
}

static bool act_move(struct actor *a, struct call *c)
{
	struct document *d[2];
	struct want wants[] = {{any_name(a), DOCUMENT_THERE, false}, {any_name(a), DOCUMENT_NEW, true}};

	return documents_change(c, wants, 2, d) &&
	       work_commit(c, &(struct change){.kind = CHANGE_MOVE, .document = d[0], .target = d[1]}, 1, "move");
}

static bool act_undo(struct actor *a, struct call *c)
{
	struct undone u;

	return history_undo(c, any_name(a), 0, roll(a, 3) == 0, &u);
}

static bool act_list(struct actor *a, struct call *c)
{
	struct file_entry *files;
	size_t n;

	(void)a;
	if (!work_list(c, TEXT(""), ".txt", 100, &files, &n))
		return false;
	return n <= ARRAY_COUNT(stage) || never(c, "files that nobody made");
}

static bool act_look_back(struct actor *a, struct call *c)
{
	struct history_entry *e;
	struct text name = any_name(a), diff;
	size_t n;
	bool more;

	if (!history_list(c, name, 0, 5, &e, &n, &more))
		return false;
	return n < 2 || !e[1].after.at || history_diff(c, name, e[1].after, e[0].after, &diff);
}

static bool act_draft(struct actor *a, struct call *c)
{
	struct document *base;
	struct draft d;

	if (!a->draft[0]) {
		if (!document_open(c, any_name(a), &base) || !draft_new(c, base, (struct text){0}, &d))
			return false;
		snprintf(a->draft, sizeof a->draft, "%.*s", TEXT_ARGS(d.id));
		return true;
	}
	if (!draft_open(c, text_of(a->draft), &d))
		return a->draft[0] = '\0', false;
	if (d.requests.n < 4)
		return draft_append(c, &d, TEXT("request")) && draft_set_mark(c, &d, d.mark / 2 + 1);
	a->draft[0] = '\0';
	return draft_close(c, d.id);
}

static bool act_forget(struct actor *a, struct call *c)
{
	size_t n;

	return roll(a, 8) || history_forget(c, any_name(a), &n);
}

#define MAY(fault) (1u << FAULT_##fault)
static const struct act {
	const char *name;
	bool (*act)(struct actor *, struct call *);
	unsigned may; /* the errors that can be correct */
	bool reads;
} acts[] = {
	{"read", act_read, MAY(NOT_FOUND), true},
	{"make", act_make, MAY(EXISTS) | MAY(CONFLICT), false},
	{"edit", act_edit, MAY(NOT_FOUND), false},
	{"edit", act_edit, MAY(NOT_FOUND), false},
	{"delete", act_delete, MAY(NOT_FOUND), false},
	{"move", act_move, MAY(NOT_FOUND) | MAY(EXISTS) | MAY(CONFLICT), false},
	{"undo", act_undo, MAY(NOT_FOUND) | MAY(CONFLICT), false},
	{"list", act_list, 0, true},
	{"look back", act_look_back, MAY(NOT_FOUND), true},
	/* Forgetting a document removes its drafts. */
	{"draft", act_draft, MAY(NOT_FOUND), false},
	{"forget", act_forget, MAY(LOCKED), false},
};

/* Some actors die in the middle of an operation. */
static void choose_death(struct actor *a)
{
	static const char *const calls[] = {"renameat2", "unlinkat", "fsync",  "fdatasync",
					    "mkdirat",   "flock",    "fcntl64"};

	meddle_before(calls[roll(a, ARRAY_COUNT(calls))], 1 + (int)roll(a, 20), die);
}

/* Each actor is a process of its own, which sometimes closes its workspace and opens it again. */
static void run_actor(struct fixture *f, atomic_int *wrong, unsigned number)
{
	struct actor a = {.f = f, .dice = (unsigned)getpid() * 31 + number};
	struct work_options options = {.lock_wait_ms = 30000, .keep_bytes = 20000, .read_only = number == 0};

	fixture_reopen(f, options);
	machine_is_busy = true;
	nap_every = 60;
	if (number >= ACTORS)
		choose_death(&a);
	for (int i = 0; i < ACTS; i++) {
		const struct act *act = &acts[roll(&a, ARRAY_COUNT(acts))];
		if (options.read_only && !act->reads)
			continue;
		if (!act->act(&a, &f->call) && !(act->may & (1u << f->call.error.fault))) {
			fprintf(stderr, "# %s: fault %d: %s\n", act->name, f->call.error.fault, f->call.error.message);
			atomic_fetch_add(wrong, 1);
		}
		/* No other program changes files here, so every interrupted change can be finished. */
		if (f->call.warnings.n) {
			fprintf(stderr, "# %s: %s\n", act->name, f->call.warnings.items[0].at);
			atomic_fetch_add(wrong, 1);
		}
		fixture_next(f);
		if (roll(&a, 20) == 0)
			fixture_reopen(f, options);
	}
	work_close(f->work);
	_exit(0);
}

static void whoever_meets_is_refused_for_a_true_reason_only(void **state)
{
	struct fixture *f = *state;
	atomic_int *wrong = mmap(NULL, sizeof *wrong, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pids[ACTORS + MORTALS];
	int status, died = 0;

	assert_ptr_not_equal(wrong, MAP_FAILED);
	fixture_next(f);
	work_close(f->work);
	f->work = NULL;
	fflush(NULL);
	for (unsigned i = 0; i < ARRAY_COUNT(pids); i++) {
		if (!(pids[i] = fork()))
			run_actor(f, wrong, i);
		/* The actors that die run one after the other. */
		if (i >= ACTORS) {
			assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
			assert_true(status == 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
			died += WIFSIGNALED(status);
		}
	}
	for (unsigned i = 0; i < ACTORS; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	TRIED("%d calls that meet, %d processes died\n", ACTORS * ACTS, died);
	fixture_reopen(f, (struct work_options){0});
	assert_int_equal(atomic_load(wrong), 0);
	munmap(wrong, sizeof *wrong);
	for (size_t i = 0; i < ARRAY_COUNT(stage); i++) {
		struct history_entry *e;
		struct document *d;
		size_t n = 0;
		bool more;
		/* The history refuses a name only if there is neither a file nor a record, for instance when the file
		 * was deleted and then forgotten. */
		bool has_past = history_list(&f->call, text_of(stage[i]), 0, 1, &e, &n, &more);
		if (!has_past) {
			if (f->call.error.fault != FAULT_NOT_FOUND)
				fail_msg("%s: %s", stage[i], f->call.error.message);
			print_message("# %s has neither a file nor a history\n", stage[i]);
			fixture_next(f);
		}
		/* Open for changing, so that temps beside missing documents are removed too. */
		assert_true(
			documents_change(&f->call, &(struct want){text_of(stage[i]), DOCUMENT_EITHER, true}, 1, &d));
		bool is_there = document_exists(d);
		if (!has_past)
			assert_false(is_there);
		/* The newest change of a name agrees with its file, unless the document moved away or was forgotten. */
		if (n && strcmp(text_string(&f->arena, e[0].path), stage[i]) == 0) {
			assert_int_equal(is_there, e[0].after.at != NULL);
			if (is_there)
				assert_true(text_same(document_revision(d), e[0].after));
		}
		fixture_next(f);
	}
	assert_int_equal(fixture_count(f->root, "quire~") + fixture_count(fixture_path(f, "x"), "quire~"), 0);
}

int main(void)
{
	alarm(240);
	const struct CMUnitTest tests[] = {
		WITH_ROOT(what_an_editor_saves_while_we_record_is_kept),
		WITH_ROOT_ON_DISK(what_is_written_between_our_rename_and_our_answer_is_theirs),
		WITH_ROOT(many_that_find_what_a_crash_left_are_all_served),
		WITH_ROOT(a_change_cut_short_is_waited_for_like_a_lock),
		WITH_ROOT(a_change_cut_short_in_a_root_that_is_not_served_names_it),
		WITH_ROOT(a_history_that_came_with_the_tree_changes_nothing),
		WITH_ROOT(a_state_folder_may_go_file_by_file),
		WITH_ROOT(a_state_folder_may_go_while_it_is_opened),
		WITH_ROOT(a_history_that_is_read_on_a_far_file_system_is_locked),
		WITH_ROOT(names_are_found_however_much_is_renamed),
		WITH_ROOT(whoever_meets_is_refused_for_a_true_reason_only),
	};

	return RUN_TESTS(tests);
}
