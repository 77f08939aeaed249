/* An editor saves at the worst moments of a commit: between the last check and the exchange, while its save is put
 * back, over a name that is being removed. Afterwards its save has the name, or is kept beside it. Nothing is lost
 * silently. */
#include "crash/busy_machine.h"
#include "work/work_fixture.h"

#include <signal.h>

static struct fixture *met;

static void save(const char *name, const char *bytes, bool in_place)
{
	const char *path = fixture_path(met, name);
	char other[512];

	snprintf(other, sizeof other, "%s/.editor", met->root);
	FILE *file = fopen(in_place ? path : other, "w");
	assert_non_null(file);
	fputs(bytes, file);
	assert_int_equal(fclose(file), 0);
	if (!in_place)
		assert_int_equal(rename(other, path), 0);
}

static void save_in_place(void) { save("a.txt", "theirs", true); }
static void save_by_renaming(void) { save("a.txt", "theirs", false); }
static void save_again(void) { save("a.txt", "newest", false); }
static void save_again_in_place(void) { save("a.txt", "newest", true); }
static void delete_it(void) { unlink(fixture_path(met, "a.txt")); }
static void make_it(void) { save("new.txt", "theirs", false); }

static void save_twice(void)
{
	save_by_renaming();
	meddle_before("renameat2", 1, save_again);
}
static void save_twice_in_place(void)
{
	save_by_renaming();
	meddle_before("renameat2", 1, save_again_in_place);
}

static size_t temps(struct fixture *f) { return fixture_count(f->root, "quire~"); }

/* The rename that frees the name for the displaced file, and the exchange itself. */
static void a_save_just_before_the_exchange_is_not_overwritten(void **state)
{
	struct fixture *f = met = *state;
	void (*const ways[])(void) = {save_in_place, save_by_renaming};

	for (int n = 1; n <= 2; n++)
		for (size_t i = 0; i < ARRAY_COUNT(ways); i++) {
			assert_done(put(f, "a.txt", "before"));
			meddle_before("renameat2", n, ways[i]);
			assert_refused(put(f, "a.txt", "ours"), FAULT_CONFLICT);
			assert_null(meddler.what);
			assert_text(fixture_bytes(f, "a.txt"), "theirs");
			assert_int_equal(temps(f), 0);
			/* Nothing is pending, and the next change is based on theirs. */
			assert_done(insert(f, "a.txt", 6, " and ours"));
			assert_text(fixture_bytes(f, "a.txt"), "theirs and ours");
		}
}

static void a_document_deleted_just_before_the_exchange_stays_deleted(void **state)
{
	struct fixture *f = met = *state;

	for (int n = 1; n <= 2; n++) {
		assert_done(put(f, "a.txt", "before"));
		meddle_before("renameat2", n, delete_it);
		assert_refused(put(f, "a.txt", "ours"), FAULT_CONFLICT);
		assert_false(fixture_bytes(f, "a.txt").at);
		assert_int_equal(temps(f), 0);
	}
}

static bool is_kept(struct fixture *f, const char *name, const char *bytes)
{
	struct text found, revision;
	bool is = history_bytes(&f->call, text_of(name), text_of(revision_of(text_of(bytes)).chars), &found, &revision);

	is = is && text_same(found, text_of(bytes));
	fixture_next(f);
	return is;
}

/* A second save while the first one is put back: the newest has the name, the other is kept, and the call says
 * where. */
static void a_save_while_another_is_put_back_is_not_lost(void **state)
{
	struct fixture *f = met = *state;
	void (*const ways[])(void) = {save_twice, save_twice_in_place};

	for (size_t i = 0; i < ARRAY_COUNT(ways); i++) {
		assert_done(put(f, "a.txt", "before"));
		meddle_before("renameat2", 2, ways[i]);
		assert_false(put(f, "a.txt", "ours"));
		assert_int_equal(f->call.error.fault, FAULT_CONFLICT);
		assert_int_equal(f->call.warnings.n, 1);
		char kept[256];
		snprintf(kept, sizeof kept, ".a.txt.%s.quire~", revision_of(TEXT("theirs")).chars);
		assert_non_null(strstr(text_string(&f->arena, f->call.warnings.items[0]), kept));
		fixture_next(f);
		assert_text(fixture_bytes(f, "a.txt"), "newest");
		assert_text(fixture_bytes(f, kept), "theirs");
		/* The next call moves it into the history. */
		assert_done(put(f, "a.txt", "ours at last"));
		assert_int_equal(temps(f), 0);
		assert_true(is_kept(f, "a.txt", "theirs"));
		assert_true(is_kept(f, "a.txt", "newest"));
	}
}

static void a_new_name_that_is_taken_is_not_overwritten(void **state)
{
	struct fixture *f = met = *state;

	meddle_before("renameat2", 1, make_it);
	assert_refused(put(f, "new.txt", "ours"), FAULT_CONFLICT);
	assert_text(fixture_bytes(f, "new.txt"), "theirs");
	assert_int_equal(temps(f), 0);
}

static void a_save_just_before_a_deletion_is_not_deleted(void **state)
{
	struct fixture *f = met = *state;

	assert_done(put(f, "a.txt", "before"));
	meddle_before("renameat2", 1, save_by_renaming);
	assert_refused(delete_document(f, "a.txt"), FAULT_CONFLICT);
	assert_text(fixture_bytes(f, "a.txt"), "theirs");
	assert_int_equal(temps(f), 0);
	assert_done(delete_document(f, "a.txt"));
	assert_false(fixture_bytes(f, "a.txt").at);
	assert_int_equal(temps(f), 0);
}

static void a_save_just_before_a_move_stays_and_the_move_is_taken_back(void **state)
{
	struct fixture *f = met = *state;

	for (int n = 1; n <= 2; n++) {
		assert_done(put(f, "a.txt", "before"));
		meddle_before("renameat2", n, save_in_place);
		assert_refused(move(f, "a.txt", "moved.txt", NULL, 0), FAULT_CONFLICT);
		assert_text(fixture_bytes(f, "a.txt"), "theirs");
		assert_false(fixture_bytes(f, "moved.txt").at);
		assert_int_equal(temps(f), 0);
	}
}

/* The third of three documents meets a save: the first two, already exchanged, are restored. */
static void one_save_takes_the_whole_commit_back(void **state)
{
	struct fixture *f = met = *state;
	struct want wants[] = {{TEXT("n.txt"), DOCUMENT_NEW, false},
			       {TEXT("b.txt"), DOCUMENT_THERE, false},
			       {TEXT("a.txt"), DOCUMENT_THERE, false}};
	struct document *d[3];

	assert_done(put(f, "a.txt", "before a"));
	assert_done(put(f, "b.txt", "before b"));
	assert_true(documents_change(&f->call, wants, 3, d));
	struct change changes[] = {{.kind = CHANGE_WHOLE, .document = d[0], .bytes = TEXT("made")},
				   {.kind = CHANGE_WHOLE, .document = d[1], .bytes = TEXT("ours b")},
				   {.kind = CHANGE_WHOLE, .document = d[2], .bytes = TEXT("ours a")}};
	meddle_before("renameat2", 5, save_by_renaming);
	assert_refused(work_commit(&f->call, changes, 3, "three"), FAULT_CONFLICT);
	assert_null(meddler.what);
	assert_text(fixture_bytes(f, "a.txt"), "theirs");
	assert_text(fixture_bytes(f, "b.txt"), "before b");
	assert_false(fixture_bytes(f, "n.txt").at);
	assert_int_equal(temps(f), 0);
	assert_done(put(f, "b.txt", "goes on"));
}

static void die(void) { kill(getpid(), SIGKILL); }
static void save_and_die_after_the_exchange(void)
{
	save_by_renaming();
	meddle_before("renameat2", 1, die);
}

/* Killed between the exchange and the check of the displaced file: that file is the only copy of the save. */
static void a_save_that_came_out_when_we_were_killed_is_put_back(void **state)
{
	struct fixture *f = met = *state;
	struct document *d;
	int status;

	assert_done(put(f, "a.txt", "before"));
	fixture_next(f);
	work_close(f->work);
	f->work = NULL;
	fflush(NULL);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		fixture_reopen(f, (struct work_options){0});
		meddle_before("renameat2", 2, save_and_die_after_the_exchange);
		put(f, "a.txt", "ours");
		_exit(1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_text(fixture_bytes(f, "a.txt"), "ours");
	assert_text(fixture_bytes(f, ".a.txt.old.quire~"), "theirs");
	fixture_reopen(f, (struct work_options){0});
	assert_true(document_open(&f->call, TEXT("a.txt"), &d));
	assert_text(document_bytes(d), "theirs");
	fixture_next(f);
	assert_text(fixture_bytes(f, "a.txt"), "theirs");
	assert_int_equal(temps(f), 0);
}

/* A file left by another quire with another history may be the only copy of a save: it goes into the history. */
static void an_old_one_of_unknown_origin_is_kept(void **state)
{
	struct fixture *f = met = *state;

	assert_done(put(f, "a.txt", "before"));
	fixture_put(f, ".a.txt.old.quire~", "a save");
	assert_done(insert(f, "a.txt", 0, "and "));
	assert_int_equal(temps(f), 0);
	assert_true(is_kept(f, "a.txt", "a save"));
	assert_text(fixture_bytes(f, "a.txt"), "and before");
}

/* The next call on a name removes the temp of a document that was never created, whatever that call does. */
static void temps_of_documents_that_never_came_to_be_are_swept(void **state)
{
	struct fixture *f = met = *state;
	struct document *d;

	fixture_put(f, ".never.txt.quire~", "half");
	assert_refused(document_open(&f->call, TEXT("never.txt"), &d), FAULT_NOT_FOUND);
	assert_int_equal(temps(f), 0);
	fixture_put(f, ".never.txt.quire~", "half");
	assert_refused(insert(f, "never.txt", 0, "x"), FAULT_NOT_FOUND);
	assert_int_equal(temps(f), 0);
	fixture_put(f, ".never.txt.quire~", "half");
	assert_done(put(f, "never.txt", "whole"));
	assert_int_equal(temps(f), 0);
}

/* An editor saves repeatedly, by renaming as editors do, while quire appends. Each save begins with its number. The
 * name must have that save, or quire's edit of it. An older number there means that a save was overwritten. */
#ifdef QUIRE_DEBUG
enum { SAVES = 150 };
#else
enum { SAVES = 1500 };
#endif

static int number_saved(struct fixture *f)
{
	struct text now = fixture_bytes(f, "a.txt");
	int number = now.at ? atoi(text_string(&f->arena, now)) : -1;

	arena_free(&f->arena);
	return number;
}

static _Noreturn void save_on(struct fixture *f)
{
	enum { LOOKS = 20000, LOOK_US = 500 };
	char bytes[32];

	machine_is_busy = false;
	for (int i = 1; i <= SAVES; i++) {
		snprintf(bytes, sizeof bytes, "%d\n", i);
		save("a.txt", bytes, false);
		usleep((unsigned)(rand() % 3000));
		/* For a moment an older save may have the name, until the editor's own is put back. */
		for (int look = 0; number_saved(f) != i; look++) {
			if (look == LOOKS) {
				fprintf(stderr, "# save %d is lost: there is %d\n", i, number_saved(f));
				_exit(1);
			}
			usleep(LOOK_US);
		}
	}
	_exit(0);
}

static void saves_beside_writes_are_never_overwritten(void **state)
{
	struct fixture *f = met = *state;
	int done = 0, met_saves = 0, status = 0;
	pid_t editor;

	fixture_put(f, "a.txt", "0\n");
	fixture_next(f);
	work_close(f->work);
	f->work = NULL;
	fflush(NULL);
	if (!(editor = fork()))
		save_on(f);
	fixture_reopen(f, (struct work_options){0});
	machine_is_busy = true;
	while (waitpid(editor, &status, WNOHANG) == 0) {
		struct document *d;
		bool is_open = documents_change(&f->call, &(struct want){TEXT("a.txt"), DOCUMENT_THERE, false}, 1, &d);
		if (is_open) {
			uint32_t end = (uint32_t)document_bytes(d).len;
			struct splice s = {end, end, TEXT("ours\n")};
			struct change change = {.kind = CHANGE_SPLICE, .document = d, .splices = &s, .n = 1};
			bool written = work_commit(&f->call, &change, 1, "append");
			done += written;
			met_saves += !written;
		}
		if (f->call.error.fault && f->call.error.fault != FAULT_CONFLICT)
			fail_msg("%s", f->call.error.message);
		fixture_next(f);
	}
	machine_is_busy = false;
	assert_int_equal(status, 0);
	TRIED("%d saves, %d writes, %d of them met a save\n", SAVES, done, met_saves);
	assert_true(done > 0 && met_saves > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_ROOT(a_save_just_before_the_exchange_is_not_overwritten),
		WITH_ROOT(a_document_deleted_just_before_the_exchange_stays_deleted),
		WITH_ROOT(a_save_while_another_is_put_back_is_not_lost),
		WITH_ROOT(a_new_name_that_is_taken_is_not_overwritten),
		WITH_ROOT(a_save_just_before_a_deletion_is_not_deleted),
		WITH_ROOT(a_save_just_before_a_move_stays_and_the_move_is_taken_back),
		WITH_ROOT(one_save_takes_the_whole_commit_back),
		WITH_ROOT(a_save_that_came_out_when_we_were_killed_is_put_back),
		WITH_ROOT(an_old_one_of_unknown_origin_is_kept),
		WITH_ROOT(temps_of_documents_that_never_came_to_be_are_swept),
		WITH_ROOT(saves_beside_writes_are_never_overwritten),
	};
	return RUN_TESTS(tests);
}
