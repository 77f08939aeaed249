/* Commits of thousands of documents: with few descriptors, cancelled, with progress, killed at sampled steps, and
 * killed again during recovery. Afterwards all documents are as before or all as after. */
#include "work/work_fixture.h"

#include <signal.h>
#include <sys/resource.h>
#include <time.h>

enum { DOCUMENTS = 3000, FOLDERS = 20 };
#ifdef QUIRE_DEBUG
enum { KILLS = 4, KILLS_OF_A_CAMPAIGN = 20 };
#else
enum { KILLS = 10, KILLS_OF_A_CAMPAIGN = 40 };
#endif

static const char *name_of(struct arena *a, int i) { return text_format(a, "d%d/n%d.md", i % FOLDERS, i).at; }

/* 2 KB each, like typical notes. */
static struct text text_of_note(struct arena *a, int i, const char *word)
{
	struct buffer b = {.arena = a};

	buffer_format(&b, "note %d: %s\n", i, word);
	while (b.len < 2000)
		buffer_put(&b, "some words that stay as they are\n");
	return buffer_text(&b);
}

static void begin_world(struct fixture *f)
{
	fixture_next(f);
	for (int i = 0; i < FOLDERS; i++)
		mkdir(fixture_path(f, text_format(&f->arena, "d%d", i).at), 0777);
	for (int i = 0; i < DOCUMENTS; i++) {
		int fd = open(fixture_path(f, name_of(&f->arena, i)), O_WRONLY | O_CREAT | O_TRUNC, 0666);
		struct text t = text_of_note(&f->arena, i, "before");
		assert_int_equal(write(fd, t.at, t.len), t.len);
		close(fd);
	}
	fixture_next(f);
}

static bool change_all(struct fixture *f)
{
	struct arena *a = &f->arena;
	struct want *wants = arena_array(a, DOCUMENTS, sizeof *wants);
	struct document **documents = arena_array(a, DOCUMENTS, sizeof *documents);
	struct change *changes = arena_array(a, DOCUMENTS, sizeof *changes);
	struct splice *splices = arena_array(a, DOCUMENTS, sizeof *splices);

	for (int i = 0; i < DOCUMENTS; i++)
		wants[i] = (struct want){text_of(name_of(a, i)), DOCUMENT_THERE, false};
	if (!documents_change(&f->call, wants, DOCUMENTS, documents))
		return false;
	for (int i = 0; i < DOCUMENTS; i++) {
		uint32_t at = (uint32_t)text_find(document_bytes(documents[i]), TEXT("before"), 0);
		splices[i] = (struct splice){at, at + 6, TEXT("after")};
		changes[i] = (struct change){
			.kind = CHANGE_SPLICE, .document = documents[i], .splices = &splices[i], .n = 1};
	}
	return work_commit(&f->call, changes, DOCUMENTS, "all of them");
}

static int count(struct fixture *f, const char *word)
{
	int n = 0;

	for (int i = 0; i < DOCUMENTS; i++)
		n += text_same(fixture_bytes(f, name_of(&f->arena, i)), text_of_note(&f->arena, i, word));
	return n;
}

static size_t temps(struct fixture *f)
{
	size_t n = 0;

	for (int i = 0; i < FOLDERS; i++)
		n += fixture_count(fixture_path(f, text_format(&f->arena, "d%d", i).at), "quire~");
	return n;
}

/* Runs in a process of its own, because a hard limit cannot be raised again. */
static int change_all_with_few(struct fixture *f)
{
	struct document *d;

	fixture_reopen(f, (struct work_options){0});
	if (!put(f, "warm.md", "up"))
		return 2;
	fixture_next(f);
	if (!document_open(&f->call, TEXT("warm.md"), &d))
		return 3;
	fixture_next(f);
	size_t before = open_descriptors();
	struct rlimit few = {before + 64, before + 64};
	if (setrlimit(RLIMIT_NOFILE, &few) != 0)
		return 4;
	bool done = change_all(f);
	if (!done)
		fprintf(stderr, "# %s\n", f->call.error.message);
	fixture_next(f);
	return !done ? 5 : open_descriptors() != before ? 6 : 0;
}

static void sixty_four_descriptors_are_enough(void **state)
{
	struct fixture *f = *state;
	struct undone u;
	int status;

	begin_world(f);
	fflush(NULL);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		_exit(change_all_with_few(f));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(count(f, "after"), DOCUMENTS);
	assert_int_equal(temps(f), 0);
	assert_done(history_undo(&f->call, TEXT("d0/n0.md"), 0, false, &u));
	assert_int_equal(count(f, "before"), DOCUMENTS);
}

static struct {
	double last, total;
	int n;
	bool rises;
	atomic_bool *cancel;
	double cancel_at;
} told;

static void tell(struct call *c, double done, double total, const char *message)
{
	(void)c;
	assert_true(message && *message);
	told.rises &= done > told.last;
	told.last = done;
	told.total = total;
	told.n++;
	if (told.cancel && done >= told.cancel_at)
		atomic_store(told.cancel, true);
}

static void progress_rises_to_its_total(void **state)
{
	struct fixture *f = *state;

	begin_world(f);
	memset(&told, 0, sizeof told);
	told.rises = true;
	f->call.progress = tell;
	assert_done(change_all(f));
	assert_true(told.rises);
	assert_true(told.n > 50 && told.n < 200);
	assert_true(told.last <= told.total && told.last > told.total * 0.95);
}

/* Cancelled while the temps are written, nothing changes. Once it is recorded, it is finished. */
static void a_cancelled_commit_did_not_happen_unless_it_is_recorded(void **state)
{
	struct fixture *f = *state;
	atomic_bool cancelled = false;

	begin_world(f);
	for (int late = 0; late < 2; late++) {
		atomic_store(&cancelled, false);
		memset(&told, 0, sizeof told);
		told.cancel = &cancelled;
		told.cancel_at = late ? DOCUMENTS * 1.5 : DOCUMENTS * 0.5;
		f->call.progress = tell;
		f->call.cancelled = &cancelled;
		if (late)
			assert_done(change_all(f));
		else
			assert_refused(change_all(f), FAULT_CANCELLED);
		assert_int_equal(count(f, late ? "after" : "before"), DOCUMENTS);
		assert_int_equal(temps(f), 0);
	}
}

static void close_work(struct fixture *f)
{
	fixture_next(f);
	work_close(f->work);
	f->work = NULL;
}

/* Runs it in a process of its own, which dies at step n (0: never), or after this many us. True: it died. */
static bool run_dying(struct fixture *f, bool (*what)(struct fixture *), long n, long us)
{
	int status;
	char step[32];

	snprintf(step, sizeof step, "%ld", n);
	fflush(NULL);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		if (n)
			setenv("QUIRE_CRASH_AT", step, 1);
		fixture_reopen(f, (struct work_options){0});
		_exit(what(f) ? 0 : 3);
	}
	if (us) {
		usleep((useconds_t)us);
		kill(pid, SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFSIGNALED(status))
		assert_int_equal(WEXITSTATUS(status), 0);
	return WIFSIGNALED(status);
}

static bool look(struct fixture *f)
{
	struct document *d;

	return document_open(&f->call, TEXT("d0/n0.md"), &d);
}

/* A call on every document removes what a crash before the record left. */
static void look_at_all(struct fixture *f)
{
	for (int i = 0; i < DOCUMENTS; i++) {
		struct document *d;
		assert_true(document_open(&f->call, text_of(name_of(&f->arena, i)), &d));
		if (i % 500 == 499)
			fixture_next(f);
	}
	fixture_next(f);
}

static void thousands_change_together_or_not_at_all(void **state)
{
	struct fixture *f = *state;
	unsigned seed = 11;
	int died = 0, again = 0, forward = 0;
	/* There are about seven steps per document. After the last step it does not die. */
	const long steps = DOCUMENTS * 7L;
	const int kills = is_campaign() ? KILLS_OF_A_CAMPAIGN : KILLS;
	struct timespec from, to;

	begin_world(f);
	close_work(f);
	clock_gettime(CLOCK_MONOTONIC, &from);
	assert_false(run_dying(f, change_all, 0, 0));
	clock_gettime(CLOCK_MONOTONIC, &to);
	const long whole = (to.tv_sec - from.tv_sec) * 1000000 + (to.tv_nsec - from.tv_nsec) / 1000;

	/* At moments that depend on the machine: until one of them was after the record, too. */
	for (int i = 0; i < kills || (!forward && i < KILLS_OF_A_CAMPAIGN); i++) {
		fixture_reopen(f, (struct work_options){0});
		begin_world(f);
		close_work(f);
#ifdef QUIRE_DEBUG
		(void)whole;
		long n = 1 + (steps * i + rand_r(&seed) % steps) / kills, us = 0;
#else
		long n = 0, us = whole / 100 + (whole * (i % kills) + rand_r(&seed) % whole) * 3 / 2 / kills;
		(void)steps;
#endif
		bool dead = run_dying(f, change_all, n, us);
		died += dead;
		/* And once more during recovery. */
		if (dead)
			again += run_dying(f, look, n ? 1 + rand_r(&seed) % (DOCUMENTS * 3) : 0,
					   us ? 1000 + rand_r(&seed) % 300000 : 0);
		fixture_reopen(f, (struct work_options){0});
		look_at_all(f);
		int before = count(f, "before"), after = count(f, "after");
		if (before != DOCUMENTS && after != DOCUMENTS)
			fail_msg("killed at %ld: %d are before, %d are after", n ? n : us, before, after);
		assert_int_equal(temps(f), 0);
		forward += dead && after;
		if (after) {
			struct undone u;
			assert_done(history_undo(&f->call, TEXT("d0/n0.md"), 0, false, &u));
			assert_int_equal(count(f, "before"), DOCUMENTS);
		}
		close_work(f);
	}
	TRIED("%d kills, %d again in recovery, %d were finished\n", died, again, forward);
	assert_true(died > kills / 4 && forward > 0);
	fixture_reopen(f, (struct work_options){0});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_ROOT(sixty_four_descriptors_are_enough),
		WITH_ROOT(progress_rises_to_its_total),
		WITH_ROOT(a_cancelled_commit_did_not_happen_unless_it_is_recorded),
		WITH_ROOT(thousands_change_together_or_not_at_all),
	};
	return RUN_TESTS(tests);
}
