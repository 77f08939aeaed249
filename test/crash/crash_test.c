/* A process is killed at every step of a commit, at every step of the recovery, and at random moments. Afterwards the
 * documents are as before or as after, never between, and everything acknowledged is there. */
#include "work/work_fixture.h"

#include "base/digest.h"

#include "work/history/store.h"

#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <time.h>

/* A debug build can be killed at a given step. The shipped program, which starts faster, is killed at random
 * moments. */
#ifdef QUIRE_DEBUG
enum { STEPS_MAX = 200, RANDOM_KILLS = 30, TRIED_EVERY = 10 };
#else
enum { RANDOM_KILLS = 2000, TRIED_EVERY = 100 };
#endif

static const char long_text[] =
	"a text that is long enough to be kept as splices and not as whole bytes in the history\n";

static void begin_world(struct fixture *f)
{
	assert_int_equal(mkdir(fixture_path(f, "x"), 0777), 0);
	fixture_put(f, "a.txt", long_text);
	fixture_put(f, "x/b.txt", long_text);
	fixture_put(f, "x/c.txt", "short");
}

#ifdef QUIRE_DEBUG
static bool one_splice(struct fixture *f) { return insert(f, "a.txt", 2, "new "); }

static bool one_new(struct fixture *f) { return make(f, "n/e/w.txt", "made"); }
static bool one_deletion(struct fixture *f) { return delete_document(f, "a.txt"); }

static bool one_move(struct fixture *f)
{
	return move(f, "a.txt", "x/moved.txt", &(struct splice){0, 1, TEXT("THE")}, 1);
}

static bool four_at_once(struct fixture *f)
{
	return change_four(f, (const char *const[]){"a.txt", "x/b.txt", "x/c.txt", "n/e/w.txt"}, "whole");
}

static bool an_undo(struct fixture *f)
{
	struct undone u;

	return history_undo(&f->call, TEXT("a.txt"), 0, false, &u);
}

static bool four_and_back(struct fixture *f)
{
	if (!four_at_once(f))
		return false;
	fixture_next(f);
	return an_undo(f);
}

/* Every document's bytes in one text, for comparing worlds. */
static struct text picture(struct fixture *f)
{
	static const char *const names[] = {"a.txt", "x/b.txt", "x/c.txt", "x/moved.txt", "n/e/w.txt"};
	struct buffer b = {.arena = &f->arena};

	for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
		struct text bytes = fixture_bytes(f, names[i]);
		buffer_format(&b, "%s=%s%.*s|", names[i], bytes.at ? "" : "-", TEXT_ARGS(bytes));
	}
	return buffer_text(&b);
}

#endif

static size_t temps_left(struct fixture *f)
{
	return fixture_count(f->root, "quire~") + fixture_count(fixture_path(f, "x"), "quire~") +
	       fixture_count(fixture_path(f, "n/e"), "quire~");
}

static void close_work(struct fixture *f)
{
	fixture_next(f);
	work_close(f->work);
	f->work = NULL;
}

#ifdef QUIRE_DEBUG
/* Makes a call on every document, which finishes and cleans up. */
static bool look_around(struct fixture *f)
{
	static const char *const names[] = {"a.txt", "x/b.txt", "x/c.txt", "x/moved.txt", "n/e/w.txt"};

	for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
		struct document *d;
		/* Opens for changing, so that temps beside missing documents are found too. */
		if (!documents_change(&f->call, &(struct want){text_of(names[i]), DOCUMENT_EITHER, true}, 1, &d))
			return false;
		fixture_next(f);
	}
	return true;
}

/* Runs `what` in a process of its own that dies before its n-th step. 0: it was killed; 1: done; 2: refused. */
static int run_dying(struct fixture *f, bool (*what)(struct fixture *), int n)
{
	fflush(NULL);
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		char steps[16];
		snprintf(steps, sizeof steps, "%d", n);
		setenv("QUIRE_CRASH_AT", steps, 1);
		fixture_reopen(f, (struct work_options){0});
		_exit(what(f) ? 1 : 2);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFSIGNALED(status)) {
		assert_int_equal(WTERMSIG(status), SIGKILL);
		return 0;
	}
	return WEXITSTATUS(status);
}

#endif

static void empty_root(struct fixture *f)
{
	close_work(f);
	nftw(f->root, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	nftw(f->state, fixture_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	assert_int_equal(mkdir(f->root, 0777), 0);
	fixture_reopen(f, (struct work_options){0});
	begin_world(f);
	/* The history exists already, as in a workspace that is in use. */
	assert_done(put(f, "x/other.txt", "other"));
	close_work(f);
}

#ifdef QUIRE_DEBUG
struct world_text {
	char bytes[2048];
};

static struct world_text keep(struct text t)
{
	struct world_text w;

	snprintf(w.bytes, sizeof w.bytes, "%.*s", TEXT_ARGS(t));
	return w;
}

/* Kills the commit before its n-th step, then its recovery before its m-th, until neither is killed any more. Outside
 * campaigns, every third m, another third after each n. */
static void kill_everywhere(struct fixture *f, bool (*commit)(struct fixture *), const char *middle)
{
	const int stride = is_campaign() ? 1 : 3;
	int runs = 0, died = 0;

	empty_root(f);
	struct world_text before = keep(picture(f));
	assert_int_equal(run_dying(f, commit, -1), 1);
	struct world_text after = keep(picture(f));
	for (int n = 1, outcome = 0; outcome == 0; n++) {
		assert_true(n < STEPS_MAX);
		for (int m = 0, again = 0; again == 0; m += m ? stride : 1 + n % stride) {
			assert_true(m < STEPS_MAX);
			empty_root(f);
			outcome = run_dying(f, commit, n);
			assert_int_not_equal(outcome, 2);
			again = m ? run_dying(f, look_around, m) : 1;
			if (!m)
				again = outcome != 0; /* first without a second crash */
			else
				died += again == 0;
			fixture_reopen(f, (struct work_options){0});
			assert_true(look_around(f));
			struct world_text now = keep(picture(f));
			bool is_old = strcmp(now.bytes, before.bytes) == 0,
			     is_new = strcmp(now.bytes, after.bytes) == 0;
			if (middle && strcmp(now.bytes, middle) == 0)
				is_old = true;
			if (!is_new && (!is_old || outcome == 1))
				fail_msg("killed at %d, recovery at %d: %s", n, m, now.bytes);
			assert_int_equal(temps_left(f), 0);
			assert_done(put(f, "x/after.txt", "the workspace goes on"));
			close_work(f);
			runs++;
			if (outcome == 1)
				break;
		}
	}
	TRIED("%d kills, %d of them again in recovery\n", runs, died);
	fixture_reopen(f, (struct work_options){0});
}

static void a_splice_is_whole_or_not_at_all(void **state) { kill_everywhere(*state, one_splice, NULL); }
static void a_new_document_is_whole_or_not_at_all(void **state) { kill_everywhere(*state, one_new, NULL); }
static void a_deletion_is_whole_or_not_at_all(void **state) { kill_everywhere(*state, one_deletion, NULL); }
static void a_move_is_whole_or_not_at_all(void **state) { kill_everywhere(*state, one_move, NULL); }
static void four_documents_change_together_or_not_at_all(void **state) { kill_everywhere(*state, four_at_once, NULL); }

static void an_undo_is_whole_or_not_at_all(void **state)
{
	struct fixture *f = *state;

	empty_root(f);
	assert_int_equal(run_dying(f, four_at_once, -1), 1);
	struct world_text middle = keep(picture(f));
	kill_everywhere(f, four_and_back, middle.bytes);
}

static void die_while_another_waits(struct fixture *f, int n, int ready)
{
	struct document *d;
	char steps[16];

	snprintf(steps, sizeof steps, "%d", n);
	setenv("QUIRE_CRASH_AT", steps, 1);
	fixture_reopen(f, (struct work_options){0});
	if (!documents_change(&f->call, &(struct want){TEXT("a.txt"), DOCUMENT_THERE, false}, 1, &d))
		_exit(2);
	if (write(ready, "x", 1) != 1)
		_exit(3);
	usleep(60000);
	struct splice s = {0, 0, TEXT("first ")};
	_exit(work_commit(&f->call, &(struct change){.kind = CHANGE_SPLICE, .document = d, .splices = &s, .n = 1}, 1,
			  "first")
		      ? 1
		      : 2);
}

/* A process that gets the lock of a killed process finishes its commit before it reads the bytes. */
static void who_waited_for_the_dead_plans_on_what_it_finished(void **state)
{
	struct fixture *f = *state;
	int finished = 0;

	for (int n = 1;; n++) {
		int ready[2], status;
		char byte;
		assert_true(n < STEPS_MAX);
		empty_root(f);
		assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
		fflush(NULL);
		pid_t pid = fork();
		assert_true(pid >= 0);
		if (!pid)
			die_while_another_waits(f, n, ready[1]);
		assert_int_equal(read(ready[0], &byte, 1), 1);
		close(ready[0]);
		close(ready[1]);
		fixture_reopen(f, (struct work_options){0});
		assert_true(insert(f, "a.txt", 0, "second "));
		assert_int_equal(f->call.warnings.n, 0);
		fixture_next(f);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		struct text now = fixture_bytes(f, "a.txt");
		assert_true(text_starts(now, "second "));
		bool has_first = text_starts(now, "second first a text");
		assert_true(has_first || text_starts(now, "second a text"));
		/* The history agrees with the document. */
		struct history_entry *e;
		size_t count;
		bool more;
		assert_true(history_list(&f->call, TEXT("a.txt"), 0, 10, &e, &count, &more));
		size_t ours = 0;
		for (size_t i = 0; i < count; i++)
			ours += !e[i].is_outside;
		assert_int_equal(ours, has_first ? 2 : 1);
		finished += has_first && WIFSIGNALED(status);
		close_work(f);
		if (!WIFSIGNALED(status)) {
			assert_true(has_first);
			break;
		}
	}
	assert_true(finished >= 2);
	fixture_reopen(f, (struct work_options){0});
}

static void a_document_changed_by_hand_after_the_crash_is_left_alone(void **state)
{
	struct fixture *f = *state;
	int left = 0;

	for (int n = 1, outcome = 0; outcome == 0; n++) {
		empty_root(f);
		outcome = run_dying(f, four_at_once, n);
		if (outcome)
			break;
		fixture_put(f, "x/b.txt", "by hand");
		fixture_reopen(f, (struct work_options){0});
		struct document *d;
		assert_true(document_open(&f->call, TEXT("x/b.txt"), &d));
		assert_text(document_bytes(d), "by hand");
		if (f->call.warnings.n) {
			left++;
			/* It is reported only once. */
			fixture_next(f);
			assert_true(document_open(&f->call, TEXT("x/b.txt"), &d));
			assert_int_equal(f->call.warnings.n, 0);
			fixture_next(f);
			/* The bytes that were found are in the history, too. */
			struct history_entry *e;
			size_t count;
			bool more;
			assert_true(history_list(&f->call, TEXT("x/b.txt"), 0, 10, &e, &count, &more));
			assert_true(count && e[0].is_outside &&
				    text_same(e[0].after, text_of(revision_of(TEXT("by hand")).chars)));
		}
		fixture_next(f);
		assert_true(look_around(f));
		assert_int_equal(temps_left(f), 0);
		close_work(f);
	}
	assert_true(left > 0);
	fixture_reopen(f, (struct work_options){0});
}

/* The temp of an unfinished commit must not be removed, not even by a reader that finds the folder unlocked. */
static void a_temp_that_a_recorded_commit_needs_is_not_swept(void **state)
{
	struct fixture *f = *state;
	int kept = 0;

	for (int n = 1;; n++) {
		empty_root(f);
		if (run_dying(f, four_at_once, n) != 0)
			break;
		int rival = open(fixture_path(f, "x"), O_RDONLY | O_DIRECTORY);
		assert_int_equal(flock(rival, LOCK_EX), 0);
		size_t left = fixture_count(f->root, ".a.txt.quire~");
		fixture_reopen(f, (struct work_options){0});
		int64_t *ids;
		size_t pending;
		struct document *d;
		assert_done(history_pending(&f->call, &ids, &pending));
		assert_done(document_open(&f->call, TEXT("a.txt"), &d));
		assert_int_equal(fixture_count(f->root, ".a.txt.quire~"), pending ? left : 0);
		kept += pending && left;
		close(rival);
		close_work(f);
	}
	assert_true(kept > 0);
	fixture_reopen(f, (struct work_options){0});
}

#endif

static void *write_until_killed(struct fixture *f, int acks)
{
	fixture_reopen(f, (struct work_options){0});
	for (;;) {
		struct document *d[2];
		struct want wants[] = {{TEXT("log.txt"), DOCUMENT_EITHER, false},
				       {TEXT("x/log.txt"), DOCUMENT_EITHER, false}};
		if (!documents_change(&f->call, wants, 2, d))
			_exit(2);
		uint32_t len = (uint32_t)document_bytes(d[0]).len, number = len / 8 + 1;
		struct text line = text_format(&f->arena, "%07u\n", number);
		struct splice s[2];
		struct change changes[2];
		for (int i = 0; i < 2; i++) {
			uint32_t end = (uint32_t)document_bytes(d[i]).len;
			s[i] = (struct splice){end, end, line};
			changes[i] = document_exists(d[i])
					     ? (struct change){.kind = CHANGE_SPLICE,
							       .document = d[i],
							       .splices = &s[i],
							       .n = 1}
					     : (struct change){.kind = CHANGE_WHOLE, .document = d[i], .bytes = line};
		}
		if (!work_commit(&f->call, changes, number % 3 ? 1 : 2, "line %u", number))
			_exit(3);
		if (write(acks, &number, sizeof number) != sizeof number)
			_exit(4);
		fixture_next(f);
	}
}

static uint32_t last_of(int acks, uint32_t last)
{
	uint32_t number;

	while (read(acks, &number, sizeof number) == sizeof number)
		last = number;
	return last;
}

/* Half of the kills come right after the start, during opening and recovery, the others in the middle of commits. */
static void kill_soon(pid_t pid, int acks)
{
	struct timespec t = {0, (long)(rand() % 3000000)};

	if (rand() % 2)
		poll(&(struct pollfd){.fd = acks, .events = POLLIN}, 1, 2000);
	nanosleep(&t, NULL);
	kill(pid, SIGKILL);
}

/* Each kill since the last check may have left one more line than was acknowledged. */
static void check_log(struct fixture *f, uint32_t acknowledged, uint32_t kills)
{
	struct document *d;

	fixture_reopen(f, (struct work_options){0});
	if (document_open(&f->call, TEXT("log.txt"), &d)) {
		struct text bytes = document_bytes(d);
		assert_int_equal(bytes.len % 8, 0);
		size_t lines = bytes.len / 8;
		if (lines < acknowledged || lines > acknowledged + kills)
			fail_msg("%u acknowledged, %zu there after %u kills", acknowledged, lines, kills);
		for (size_t i = 0; i < lines; i++)
			assert_int_equal(atoi(text_string(&f->arena, text_slice(bytes, i * 8, i * 8 + 7))), i + 1);
		/* Every third line is written to both documents, together. */
		struct text second = fixture_bytes(f, "x/log.txt");
		assert_int_equal(second.len / 8, lines / 3);
	} else {
		assert_int_equal(f->call.error.fault, FAULT_NOT_FOUND);
		assert_int_equal(acknowledged, 0);
	}
	fixture_next(f);
	assert_true(documents_change(
		&f->call,
		(struct want[]){{TEXT("log.txt"), DOCUMENT_EITHER, false}, {TEXT("x/log.txt"), DOCUMENT_EITHER, false}},
		2, (struct document *[2]){0}));
	fixture_next(f);
	assert_int_equal(temps_left(f), 0);
	close_work(f);
}

static void killed_at_any_moment_nothing_acknowledged_is_lost(void **state)
{
	struct fixture *f = *state;
	uint32_t acknowledged = 0, most = 0, kills = 0;

	srand(2);
	for (int i = 0; i < RANDOM_KILLS; i++) {
		int acks[2];
		if (i % 100 == 0) {
			if (!f->work)
				fixture_reopen(f, (struct work_options){0});
			empty_root(f);
			acknowledged = kills = 0;
		}
		assert_int_equal(pipe2(acks, O_CLOEXEC), 0);
		fflush(NULL);
		pid_t pid = fork();
		assert_true(pid >= 0);
		if (!pid)
			write_until_killed(f, acks[1]);
		close(acks[1]);
		kill_soon(pid, acks[0]);
		int status;
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
		uint32_t last = last_of(acks[0], acknowledged);
		if (last > acknowledged) {
			acknowledged = last;
			kills = 0;
		}
		kills++;
		most = acknowledged > most ? acknowledged : most;
		close(acks[0]);
		/* Two of three times the next writer comes first, and is killed too. */
		if (i % 3 == 0 || i % 100 == 99) {
			check_log(f, acknowledged, kills);
			kills = 0;
			acknowledged = (uint32_t)(fixture_bytes(f, "log.txt").len / 8);
		}
		if (i % TRIED_EVERY == TRIED_EVERY - 1)
			TRIED("%d kills at any moment\n", TRIED_EVERY);
	}
	print_message("# up to %u acknowledged lines\n", most);
	assert_true(most > 0);
	fixture_reopen(f, (struct work_options){0});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef QUIRE_DEBUG
		WITH_ROOT(a_splice_is_whole_or_not_at_all),
		WITH_ROOT(a_new_document_is_whole_or_not_at_all),
		WITH_ROOT(a_deletion_is_whole_or_not_at_all),
		WITH_ROOT(a_move_is_whole_or_not_at_all),
		WITH_ROOT(four_documents_change_together_or_not_at_all),
		WITH_ROOT(an_undo_is_whole_or_not_at_all),
		WITH_ROOT(who_waited_for_the_dead_plans_on_what_it_finished),
		WITH_ROOT(a_document_changed_by_hand_after_the_crash_is_left_alone),
		WITH_ROOT(a_temp_that_a_recorded_commit_needs_is_not_swept),
#endif
		WITH_ROOT(killed_at_any_moment_nothing_acknowledged_is_lost),
	};

	return RUN_TESTS(tests);
}
