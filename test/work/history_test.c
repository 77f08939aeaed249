#include "work/work_fixture.h"

#include "format/json.h"
#include "work/history/store.h"

#include <sys/file.h>

static bool undo(struct fixture *f, const char *path, bool redo)
{
	struct undone u;

	return history_undo(&f->call, text_of(path), 0, redo, &u);
}

static size_t entries(struct fixture *f, const char *path, struct history_entry **out)
{
	size_t n;
	bool more;

	assert_true(history_list(&f->call, text_of(path), 0, 100, out, &n, &more));
	return n;
}

static bool remove_document(struct fixture *f, const char *path)
{
	struct document *d;

	return documents_change(&f->call, &(struct want){text_of(path), DOCUMENT_THERE, false}, 1, &d) &&
	       work_commit(&f->call, &(struct change){.kind = CHANGE_DELETE, .document = d}, 1, "delete");
}

static bool move_document(struct fixture *f, const char *from, const char *to, const struct splice *s, size_t n)
{
	struct document *d[2];
	struct want wants[] = {{text_of(from), DOCUMENT_THERE, false}, {text_of(to), DOCUMENT_NEW, true}};

	return documents_change(&f->call, wants, 2, d) &&
	       work_commit(
		       &f->call,
		       &(struct change){.kind = CHANGE_MOVE, .document = d[0], .target = d[1], .splices = s, .n = n}, 1,
		       "move");
}

static void every_commit_is_listed_newest_first(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;

	assert_done(put(f, "a.txt", "one\n"));
	assert_done(insert(f, "a.txt", 4, "two\n"));
	assert_int_equal(entries(f, "a.txt", &e), 2);
	assert_true(e[0].id > e[1].id);
	assert_text(e[0].summary, "insert");
	assert_text(e[0].who, "tester");
	assert_text(e[0].tool, "test_tool");
	assert_text(e[0].path, "a.txt");
	assert_true(text_same(e[0].before, e[1].after));
	assert_null(e[1].before.at);
	assert_int_equal(e[0].bytes_added, 4);
	assert_int_equal(e[0].documents, 1);
	assert_true(e[0].can_undo);
}

static void a_page_of_history_ends_where_it_should(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;
	size_t n;
	bool more;

	for (int i = 0; i < 5; i++)
		assert_done(put(f, "a.txt", text_format(&f->arena, "%d\n", i).at));
	assert_true(history_list(&f->call, TEXT("a.txt"), 0, 2, &e, &n, &more));
	assert_int_equal(n, 2);
	assert_true(more);
	assert_true(history_list(&f->call, TEXT("a.txt"), e[1].id, 3, &e, &n, &more));
	assert_int_equal(n, 3);
	assert_false(more);
}

static void undo_and_redo_walk_back_and_forth(void **state)
{
	struct fixture *f = *state;

	assert_done(put(f, "a.txt", "1"));
	assert_done(put(f, "a.txt", "2"));
	assert_done(put(f, "a.txt", "3"));
	assert_done(undo(f, "a.txt", false));
	assert_text(fixture_bytes(f, "a.txt"), "2");
	assert_done(undo(f, "a.txt", false));
	assert_text(fixture_bytes(f, "a.txt"), "1");
	assert_done(undo(f, "a.txt", true));
	assert_text(fixture_bytes(f, "a.txt"), "2");
	assert_done(undo(f, "a.txt", true));
	assert_text(fixture_bytes(f, "a.txt"), "3");
	assert_refused(undo(f, "a.txt", true), FAULT_NOT_FOUND);
	assert_done(undo(f, "a.txt", false));
	assert_text(fixture_bytes(f, "a.txt"), "2");
	assert_done(undo(f, "a.txt", false));
	assert_done(undo(f, "a.txt", false));
	assert_null(fixture_bytes(f, "a.txt").at);
	assert_refused(undo(f, "a.txt", false), FAULT_NOT_FOUND);
	assert_done(undo(f, "a.txt", true));
	assert_text(fixture_bytes(f, "a.txt"), "1");
}

static void undoing_a_deletion_restores(void **state)
{
	struct fixture *f = *state;

	fixture_put(f, "a.txt", "precious");
	assert_done(remove_document(f, "a.txt"));
	assert_null(fixture_bytes(f, "a.txt").at);
	assert_done(undo(f, "a.txt", false));
	assert_text(fixture_bytes(f, "a.txt"), "precious");
	assert_done(undo(f, "a.txt", true));
	assert_null(fixture_bytes(f, "a.txt").at);
}

static void undoing_a_move_moves_back(void **state)
{
	struct fixture *f = *state;
	struct splice s = {0, 0, TEXT("# moved\n")};

	fixture_put(f, "a.txt", "text that is long enough to keep as splices, not whole\n");
	assert_done(move_document(f, "a.txt", "deep/er/b.txt", &s, 1));
	assert_null(fixture_bytes(f, "a.txt").at);
	assert_text(fixture_bytes(f, "deep/er/b.txt"),
		    "# moved\ntext that is long enough to keep as splices, not whole\n");
	assert_done(undo(f, "deep/er/b.txt", false));
	assert_text(fixture_bytes(f, "a.txt"), "text that is long enough to keep as splices, not whole\n");
	assert_null(fixture_bytes(f, "deep/er/b.txt").at);
	assert_done(undo(f, "a.txt", true));
	assert_text(fixture_bytes(f, "deep/er/b.txt"),
		    "# moved\ntext that is long enough to keep as splices, not whole\n");
	assert_done(move_document(f, "deep/er/b.txt", "c.txt", NULL, 0));
	assert_done(undo(f, "c.txt", false));
	assert_text(fixture_bytes(f, "deep/er/b.txt"),
		    "# moved\ntext that is long enough to keep as splices, not whole\n");
}

static bool may_touch_open(const struct caller *caller, struct text place, bool to_write)
{
	(void)caller;
	(void)to_write;
	return text_starts(place, "open/");
}

/* What a document held where the caller may not look stays there when it moves. */
static void the_past_of_a_moved_document_ends_where_the_grant_does(void **state)
{
	struct fixture *f = *state;
	static const struct caller limited = {.name = {"limited", 7}, .may = may_touch_open};
	struct splice edit = {0, 6, TEXT("public")};
	char before[32], after[32];
	struct text bytes, diff;
	struct history_entry *e;

	mkdir(fixture_path(f, "closed"), 0777);
	assert_done(put(f, "closed/a.txt", "secret words that are long enough to be kept as splices\n"));
	assert_done(move_document(f, "closed/a.txt", "open/a.txt", &edit, 1));
	assert_done(insert(f, "open/a.txt", 0, "more "));
	assert_int_equal(entries(f, "open/a.txt", &e), 2);
	snprintf(before, sizeof before, "%.*s", TEXT_ARGS(e[1].before));
	snprintf(after, sizeof after, "%.*s", TEXT_ARGS(e[1].after));
	assert_done(history_bytes(&f->call, TEXT("open/a.txt"), text_of(before), &bytes));
	f->call.caller = &limited;
	assert_refused(history_bytes(&f->call, TEXT("open/a.txt"), text_of(before), &bytes), FAULT_NOT_FOUND);
	f->call.caller = &limited;
	assert_refused(history_diff(&f->call, TEXT("open/a.txt"), text_of(before), (struct text){0}, &diff),
		       FAULT_NOT_FOUND);
	f->call.caller = &limited;
	assert_true(history_bytes(&f->call, TEXT("open/a.txt"), text_of(after), &bytes));
	assert_true(text_starts(bytes, "public words"));
	fixture_next(f);
	f->call.caller = &limited;
	assert_refused(undo(f, "open/a.txt", false) &&
			       (fixture_next(f), f->call.caller = &limited, undo(f, "open/a.txt", false)),
		       FAULT_DENIED);
}

static void undo_takes_all_documents_of_a_commit_back(void **state)
{
	struct fixture *f = *state;
	struct document *d[3];
	struct undone u;

	fixture_put(f, "a.txt", "a");
	fixture_put(f, "b.txt", "b");
	struct want wants[] = {{TEXT("a.txt"), DOCUMENT_THERE, false},
			       {TEXT("b.txt"), DOCUMENT_THERE, false},
			       {TEXT("x/c.txt"), DOCUMENT_NEW, true}};
	assert_true(documents_change(&f->call, wants, 3, d));
	struct change changes[] = {{.kind = CHANGE_WHOLE, .document = d[0], .bytes = TEXT("A")},
				   {.kind = CHANGE_DELETE, .document = d[1]},
				   {.kind = CHANGE_WHOLE, .document = d[2], .bytes = TEXT("C")}};
	assert_done(work_commit(&f->call, changes, 3, "three at once"));
	assert_text(fixture_bytes(f, "x/c.txt"), "C");
	assert_true(history_undo(&f->call, TEXT("b.txt"), 0, false, &u));
	assert_int_equal(u.paths.n, 3);
	assert_text(u.summary, "three at once");
	assert_int_equal(u.revision.len, 16);
	assert_text(fixture_bytes(f, "a.txt"), "a");
	assert_text(fixture_bytes(f, "b.txt"), "b");
	assert_null(fixture_bytes(f, "x/c.txt").at);
}

static void undo_after_a_foreign_edit_is_a_conflict_that_shows_it(void **state)
{
	struct fixture *f = *state;
	struct undone u;

	fixture_put(f, "a.txt", "one\n");
	assert_done(put(f, "a.txt", "two\n"));
	fixture_put(f, "a.txt", "two\nby hand\n");
	assert_false(history_undo(&f->call, TEXT("a.txt"), 0, false, &u));
	assert_int_equal(f->call.error.fault, FAULT_CONFLICT);
	assert_text(json_text(json_get(f->call.error.details, "changed_since")),
		    "--- a.txt\n+++ a.txt\n@@ -1 +1,2 @@\n two\n+by hand\n");
	assert_text(fixture_bytes(f, "a.txt"), "two\nby hand\n");
}

static void undo_honours_dry_run_and_if_revision(void **state)
{
	struct fixture *f = *state;
	struct undone u;

	fixture_put(f, "a.txt", "one\n");
	assert_done(put(f, "a.txt", "two\n"));
	f->call.dry_run = true;
	assert_true(history_undo(&f->call, TEXT("a.txt"), 0, false, &u));
	assert_int_equal(f->call.changes->len, 1);
	assert_text(fixture_bytes(f, "a.txt"), "two\n");
	fixture_next(f);
	f->call.if_revision = TEXT("aaaaaaaaaaaaaaaa");
	assert_refused(undo(f, "a.txt", false), FAULT_CONFLICT);
	assert_text(fixture_bytes(f, "a.txt"), "two\n");
}

static void every_revision_of_the_past_can_be_read(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;
	char revisions[20][17];
	enum { LINES = 12 };

	assert_done(put(f, "a.txt", "the first line of a text that is long enough for splices\n"));
	for (int i = 1; i < LINES; i++)
		assert_done(insert(f, "a.txt", 0, text_format(&f->arena, "%d\n", i).at));
	assert_int_equal(entries(f, "a.txt", &e), LINES);
	for (int i = 0; i < LINES; i++)
		memcpy(revisions[i], e[LINES - 1 - i].after.at, 17);
	for (int foreign = 0; foreign < 2; foreign++) {
		for (int i = 0; i < LINES; i++) {
			struct text bytes;
			if (!history_bytes(&f->call, TEXT("a.txt"), text_of(revisions[i]), &bytes))
				fail_msg("%d: %s", i, f->call.error.message);
			assert_int_equal(bytes.len, 57 + 2 * (i < 10 ? i : 9) + (i > 9 ? 3 * (i - 9) : 0));
			fixture_next(f);
		}
		/* Another program breaks the chain from the end; the beginning still leads there. */
		fixture_put(f, "a.txt", "something else\n");
	}
	struct text bytes;
	assert_refused(history_bytes(&f->call, TEXT("a.txt"), TEXT("aaaaaaaaaaaaaaaa"), &bytes), FAULT_NOT_FOUND);
}

static void a_diff_shows_what_changed_between_two_moments(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;
	struct text diff;

	assert_done(put(f, "a.txt", "one\n"));
	assert_done(put(f, "a.txt", "one\ntwo\n"));
	assert_int_equal(entries(f, "a.txt", &e), 2);
	struct text first = text_format(&f->arena, "%lld", (long long)e[1].id);
	assert_true(history_diff(&f->call, TEXT("a.txt"), first, (struct text){0}, &diff));
	assert_text(diff, "--- a.txt\n+++ a.txt\n@@ -1 +1,2 @@\n one\n+two\n");
	assert_true(history_diff(&f->call, TEXT("a.txt"), (struct text){0}, (struct text){0}, &diff));
	assert_text(diff, "--- a.txt\n+++ a.txt\n@@ -1 +1,2 @@\n one\n+two\n");
	assert_true(history_diff(&f->call, TEXT("a.txt"), e[0].after, first, &diff));
	assert_text(diff, "--- a.txt\n+++ a.txt\n@@ -1,2 +1 @@\n one\n-two\n");
	assert_refused(history_diff(&f->call, TEXT("a.txt"), TEXT("999"), (struct text){0}, &diff), FAULT_NOT_FOUND);
}

static void assert_nowhere(struct fixture *f, const char *word)
{
	static const char *const names[] = {"../../state/history.db", "../../state/history.db-wal"};

	for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
		struct text bytes = fixture_bytes(f, names[i]);
		assert_true(!bytes.at || !memmem(bytes.at, bytes.len, word, strlen(word)));
	}
}

static void forgotten_bytes_are_nowhere_in_the_history(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;
	size_t n;

	assert_done(put(f, "a.txt", "the-secret-word"));
	assert_done(put(f, "a.txt", "nothing"));
	assert_done(put(f, "b.txt", "kept"));
	assert_true(history_forget(&f->call, TEXT("a.txt"), &n));
	assert_int_equal(n, 2);
	assert_int_equal(entries(f, "a.txt", &e), 0);
	assert_int_equal(entries(f, "b.txt", &e), 1);
	fixture_next(f);
	assert_nowhere(f, "the-secret-word");
}

/* Not what went of itself before, either: pages that were let go keep their bytes. */
static void what_was_let_go_before_is_forgotten_too(void **state)
{
	struct fixture *f = *state;
	struct document *d;
	struct draft draft;
	struct buffer long_secret = {.arena = &f->arena};
	size_t n;

	fixture_reopen(f, (struct work_options){.keep_bytes = 3000});
	assert_done(put(f, "b.txt", "x"));
	assert_done(history_forget(&f->call, TEXT("b.txt"), &n));
	for (int i = 0; i < 5000; i++)
		buffer_format(&long_secret, "the-secret-word %d\n", i);
	assert_done(put(f, "a.txt", text_string(&f->arena, buffer_text(&long_secret))));
	assert_true(document_open(&f->call, TEXT("a.txt"), &d));
	assert_true(draft_new(&f->call, d, (struct text){0}, &draft));
	assert_done(draft_close(&f->call, draft.id));
	for (int i = 0; i < 70; i++)
		assert_done(put(f, "a.txt", text_format(&f->arena, "%d", i).at));
	assert_done(history_forget(&f->call, TEXT("a.txt"), &n));
	assert_true(n < 60);
	assert_nowhere(f, "the-secret-word");
}

static void what_is_not_finished_is_not_forgotten(void **state)
{
	struct fixture *f = *state;
	struct record r = {.who = TEXT("x"), .tool = TEXT("x"), .summary = TEXT("x"), .n = 1};
	struct record_document d = {.path = text_of(fixture_path(f, "x/a.txt")), .after = TEXT("none")};
	size_t n;

	char *path = strdup(d.path.at);

	d.path = text_of(path);
	/* Its folder is locked: it is under way. */
	assert_int_equal(mkdir(fixture_path(f, "x"), 0777), 0);
	int rival = open(fixture_path(f, "x"), O_RDONLY | O_DIRECTORY);
	assert_int_equal(flock(rival, LOCK_EX), 0);
	r.documents = &d;
	assert_done(history_record(&f->call, &r));
	assert_refused(history_forget(&f->call, TEXT("x/a.txt"), &n), FAULT_LOCKED);
	close(rival);
	assert_done(history_forget(&f->call, TEXT("x/a.txt"), &n));
	assert_int_equal(n, 1);
	free(path);
}

static void old_history_goes_by_bytes_and_by_days(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;

	fixture_reopen(f, (struct work_options){.keep_bytes = 20000});
	char *large = malloc(1001);
	for (int i = 0; i < 130; i++) {
		memset(large, 'a' + i % 20, 1000);
		large[1000] = 0;
		assert_done(put(f, "a.txt", large));
	}
	free(large);
	size_t n = entries(f, "a.txt", &e);
	assert_true(n >= 8 && n < 80);
	assert_int_equal(e[0].id, 130);
	fixture_next(f);
	setenv("QUIRE_NOW", "4000000000", 1); /* the next pruning comes in the far future */
	for (int i = 0; i < 64; i++)
		assert_done(put(f, "b.txt", text_format(&f->arena, "%d", i).at));
	unsetenv("QUIRE_NOW");
	assert_int_equal(entries(f, "a.txt", &e), 0);
	assert_true(entries(f, "b.txt", &e) > 60);
}

static void a_change_too_large_for_the_history_says_so(void **state)
{
	struct fixture *f = *state;
	size_t len = (size_t)65 << 20;
	struct document *d;

	fixture_reopen(f, (struct work_options){.document_max = (size_t)100 << 20});
	char *large = malloc(len);
	memset(large, 'x', len);
	assert_true(documents_change(&f->call, &(struct want){TEXT("a.txt"), DOCUMENT_NEW, false}, 1, &d));
	assert_done(work_commit(&f->call, &(struct change){.kind = CHANGE_WHOLE, .document = d, .bytes = {large, len}},
				1, "large"));
	free(large);
	assert_true(remove_document(f, "a.txt"));
	assert_int_equal(f->call.warnings.n, 1);
	fixture_next(f);
	assert_refused(undo(f, "a.txt", false), FAULT_CONFLICT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_ROOT(every_commit_is_listed_newest_first),
		WITH_ROOT(a_page_of_history_ends_where_it_should),
		WITH_ROOT(undo_and_redo_walk_back_and_forth),
		WITH_ROOT(undoing_a_deletion_restores),
		WITH_ROOT(undoing_a_move_moves_back),
		WITH_ROOT(the_past_of_a_moved_document_ends_where_the_grant_does),
		WITH_ROOT(undo_takes_all_documents_of_a_commit_back),
		WITH_ROOT(undo_after_a_foreign_edit_is_a_conflict_that_shows_it),
		WITH_ROOT(undo_honours_dry_run_and_if_revision),
		WITH_ROOT(every_revision_of_the_past_can_be_read),
		WITH_ROOT(a_diff_shows_what_changed_between_two_moments),
		WITH_ROOT(forgotten_bytes_are_nowhere_in_the_history),
		WITH_ROOT(what_was_let_go_before_is_forgotten_too),
		WITH_ROOT(what_is_not_finished_is_not_forgotten),
		WITH_ROOT(old_history_goes_by_bytes_and_by_days),
		WITH_ROOT(a_change_too_large_for_the_history_says_so),
	};

	return RUN_TESTS(tests);
}
