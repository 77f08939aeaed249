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
	assert_done(delete_document(f, "a.txt"));
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
	assert_done(move(f, "a.txt", "deep/er/b.txt", &s, 1));
	assert_null(fixture_bytes(f, "a.txt").at);
	assert_text(fixture_bytes(f, "deep/er/b.txt"),
		    "# moved\ntext that is long enough to keep as splices, not whole\n");
	assert_done(undo(f, "deep/er/b.txt", false));
	assert_text(fixture_bytes(f, "a.txt"), "text that is long enough to keep as splices, not whole\n");
	assert_null(fixture_bytes(f, "deep/er/b.txt").at);
	assert_done(undo(f, "a.txt", true));
	assert_text(fixture_bytes(f, "deep/er/b.txt"),
		    "# moved\ntext that is long enough to keep as splices, not whole\n");
	assert_done(move(f, "deep/er/b.txt", "c.txt", NULL, 0));
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

/* After a move out of a folder without a grant, the caller must not see the document's earlier bytes. */
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
	assert_done(move(f, "closed/a.txt", "open/a.txt", &edit, 1));
	assert_done(insert(f, "open/a.txt", 0, "more "));
	assert_int_equal(entries(f, "open/a.txt", &e), 3); /* includes the changes under its old name */
	snprintf(before, sizeof before, "%.*s", TEXT_ARGS(e[1].before));
	snprintf(after, sizeof after, "%.*s", TEXT_ARGS(e[1].after));
	assert_done(history_bytes(&f->call, TEXT("open/a.txt"), text_of(before), &bytes, &(struct text){0}));
	f->call.caller = &limited;
	assert_refused(history_bytes(&f->call, TEXT("open/a.txt"), text_of(before), &bytes, &(struct text){0}),
		       FAULT_NOT_FOUND);
	f->call.caller = &limited;
	assert_refused(history_diff(&f->call, TEXT("open/a.txt"), text_of(before), (struct text){0}, &diff),
		       FAULT_NOT_FOUND);
	f->call.caller = &limited;
	assert_true(history_bytes(&f->call, TEXT("open/a.txt"), text_of(after), &bytes, &(struct text){0}));
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

/* Performs the restore that an error recommends. */
static void restore_as_told(struct fixture *f)
{
	const char *said = strstr(error_sentence(f->call.arena, &f->call.error), "file_restore {");
	struct json_error bad;
	struct restored r;

	assert_non_null(said);
	said += strlen("file_restore ");
	struct text call = {said, (size_t)(strchr(said, '}') + 1 - said)};
	const struct json *args = json_parse(&f->arena, call, 8, &bad);
	assert_non_null(args);
	const struct json *commit = json_get(args, "commit");
	struct text word = commit ? json_source(&f->arena, commit) : json_text(json_get(args, "revision"));
	struct text path = json_text(json_get(args, "file_path"));
	f->call.error = (struct error){0};
	work_release(&f->call);
	if (!history_restore(&f->call, path, word, &r))
		fail_msg("%.*s: %s", TEXT_ARGS(call), f->call.error.message);
}

static void an_undo_keeps_what_was_changed_elsewhere_since(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;
	struct undone u;

	fixture_put(f, "a.txt", "one\ntwo\nthree\nfour\nfive\n");
	assert_done(put(f, "a.txt", "one\n2\nthree\nfour\nfive\n"));
	assert_done(put(f, "a.txt", "one\n2\nthree\nfour\n5\n"));
	fixture_put(f, "a.txt", "by hand\none\n2\nthree\nfour\n5\n");
	assert_int_equal(entries(f, "a.txt", &e), 3);
	assert_true(e[0].can_undo && e[1].can_undo && !e[2].can_undo);
	int64_t first = e[1].id;
	fixture_next(f);
	assert_done(history_undo(&f->call, TEXT("a.txt"), first, false, &u));
	assert_text(fixture_bytes(f, "a.txt"), "by hand\none\ntwo\nthree\nfour\n5\n");
	/* The hand edit is recorded, and the undo can be undone. */
	assert_int_equal(entries(f, "a.txt", &e), 5);
	assert_true(e[1].is_outside && e[0].is_undo);
	fixture_next(f);
	assert_done(history_undo(&f->call, TEXT("a.txt"), 0, true, &u));
	assert_text(fixture_bytes(f, "a.txt"), "by hand\none\n2\nthree\nfour\n5\n");
}

static void a_change_by_another_program_counts_the_bytes_that_differ(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;

	fixture_put(f, "a.txt", "one\ntwo\nthree\nfour\nfive\n");
	assert_done(put(f, "a.txt", "one\n2\nthree\nfour\nfive\n"));
	fixture_put(f, "a.txt", "one\n2\nthree drei\nfour\n");
	fixture_next(f);
	assert_done(put(f, "a.txt", "one\n2\nthree drei\nfour!\n"));
	assert_int_equal(entries(f, "a.txt", &e), 4);
	assert_true(e[1].is_outside && e[3].is_outside);
	/* The edit turns "\nfour\nfive" into " drei\nfour", between "three" and the last line end. */
	assert_int_equal(e[1].bytes_added, strlen(" drei\nfour"));
	assert_int_equal(e[1].bytes_removed, strlen("\nfour\nfive"));
	/* At first contact, everything counts as new. */
	assert_int_equal(e[3].bytes_added, strlen("one\ntwo\nthree\nfour\nfive\n"));
	assert_int_equal(e[3].bytes_removed, 0);
}

static void an_undo_that_touches_what_was_changed_since_names_lines_and_a_way(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;
	struct undone u;

	fixture_put(f, "a.txt", "one\ntwo\nthree\n");
	assert_done(put(f, "a.txt", "one\n2\nthree\n"));
	fixture_put(f, "a.txt", "one\nzwei\nthree\n");
	assert_int_equal(entries(f, "a.txt", &e), 2);
	assert_false(e[0].can_undo);
	assert_false(history_undo(&f->call, TEXT("a.txt"), 0, false, &u));
	assert_int_equal(f->call.error.fault, FAULT_CONFLICT);
	int64_t line = 0;
	assert_true(json_integer(json_get(f->call.error.details, "first_line"), &line));
	assert_int_equal(line, 2);
	assert_text(fixture_bytes(f, "a.txt"), "one\nzwei\nthree\n");
	restore_as_told(f);
	assert_text(fixture_bytes(f, "a.txt"), "one\ntwo\nthree\n");
	fixture_next(f);
	/* The bytes before were recorded first, so the restore can be undone. */
	assert_done(history_undo(&f->call, TEXT("a.txt"), 0, false, &u));
	assert_text(fixture_bytes(f, "a.txt"), "one\nzwei\nthree\n");
}

/* Edited by hand between two calls, then deleted. */
static void a_lost_document_is_brought_back_by_what_the_refusal_says(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;
	struct undone u;
	struct text diff;

	fixture_put(f, "a.txt", "one\n");
	assert_done(put(f, "a.txt", "two\n"));
	fixture_put(f, "a.txt", "by hand\n");
	assert_done(put(f, "a.txt", "three\n"));
	assert_int_equal(unlink(fixture_path(f, "a.txt")), 0);
	size_t n = entries(f, "a.txt", &e);
	assert_int_equal(n, 4);
	for (size_t i = 0; i < n; i++) {
		assert_false(e[i].can_undo);
		/* Every revision that is listed can be compared. */
		assert_true(history_diff(&f->call, TEXT("a.txt"), e[i].after, (struct text){0}, &diff));
	}
	assert_false(history_undo(&f->call, TEXT("a.txt"), 0, false, &u));
	assert_int_equal(f->call.error.fault, FAULT_CONFLICT);
	restore_as_told(f);
	assert_text(fixture_bytes(f, "a.txt"), "three\n");
}

static void every_listed_revision_is_restored_whatever_is_there(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;
	struct restored r;
	char words[300][40];
	struct text bytes;

	fixture_put(f, "a.txt", "0\n");
	for (int i = 1; i < 150; i++)
		assert_done(insert(f, "a.txt", 0, text_format(&f->arena, "line %d\n", i).at));
	fixture_put(f, "a.txt", "");
	size_t n = entries(f, "a.txt", &e);
	assert_int_equal(n, 100);
	for (size_t i = 0; i < n; i++)
		snprintf(words[i], sizeof words[i], "%.*s", TEXT_ARGS(i % 2 ? e[i].after : e[i].before));
	fixture_next(f);
	for (size_t i = 0; i < n; i += 7) {
		assert_true(history_restore(&f->call, TEXT("a.txt"), text_of(words[i]), &r));
		assert_true(r.changed);
		assert_text(r.revision, words[i]);
		fixture_next(f);
		if (i % 2)
			unlink(fixture_path(f, "a.txt"));
	}
	assert_true(history_bytes(&f->call, TEXT("a.txt"), TEXT("1"), &bytes, &(struct text){0}));
	assert_text(bytes, "0\n");
}

static void a_document_moved_by_another_program_keeps_its_past(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;
	struct undone u;

	assert_done(put(f, "a.txt", "one\n"));
	assert_done(put(f, "a.txt", "two\n"));
	assert_int_equal(rename(fixture_path(f, "a.txt"), fixture_path(f, "b.txt")), 0);
	assert_int_equal(entries(f, "b.txt", &e), 2);
	assert_true(e[0].can_undo);
	fixture_next(f);
	assert_done(history_undo(&f->call, TEXT("b.txt"), 0, false, &u));
	assert_text(fixture_bytes(f, "b.txt"), "one\n");
	assert_null(fixture_bytes(f, "a.txt").at);
	assert_int_equal(entries(f, "b.txt", &e), 4);
	assert_non_null(strstr(e[1].summary.at, "moved outside quire"));
}

/* The history of a document that came from a folder without a grant stays hidden. */
static void a_move_from_behind_the_grant_brings_no_past(void **state)
{
	struct fixture *f = *state;
	static const struct caller limited = {.name = {"limited", 7}, .may = may_touch_open};
	struct history_entry *e;
	size_t n;
	bool more;

	mkdir(fixture_path(f, "closed"), 0777);
	mkdir(fixture_path(f, "open"), 0777);
	assert_done(put(f, "closed/a.txt", "one\n"));
	assert_done(put(f, "closed/a.txt", "two\n"));
	assert_int_equal(rename(fixture_path(f, "closed/a.txt"), fixture_path(f, "open/a.txt")), 0);
	f->call.caller = &limited;
	assert_true(history_list(&f->call, TEXT("open/a.txt"), 0, 10, &e, &n, &more));
	assert_int_equal(n, 0);
	fixture_next(f);
	assert_int_equal(entries(f, "open/a.txt", &e), 2);
}

static void an_edit_is_undone_after_the_document_moved(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;
	struct undone u;

	assert_done(put(f, "a.txt", "one\n\nthree\n"));
	assert_done(put(f, "a.txt", "1\n\nthree\n"));
	assert_done(move(f, "a.txt", "b.txt", NULL, 0));
	assert_done(put(f, "b.txt", "1\n\n3\n"));
	assert_int_equal(entries(f, "b.txt", &e), 4);
	assert_true(e[0].can_undo && e[1].can_undo && e[2].can_undo && !e[3].can_undo);
	int64_t moved = e[1].id, edited = e[2].id;
	fixture_next(f);
	assert_done(history_undo(&f->call, TEXT("b.txt"), edited, false, &u));
	assert_text(fixture_bytes(f, "b.txt"), "one\n\n3\n");
	assert_done(history_undo(&f->call, TEXT("b.txt"), moved, false, &u));
	assert_text(fixture_bytes(f, "a.txt"), "one\n\n3\n");
	assert_null(fixture_bytes(f, "b.txt").at);
}

static void a_restore_makes_the_folders_that_are_gone(void **state)
{
	struct fixture *f = *state;
	struct restored r;

	mkdir(fixture_path(f, "x"), 0777);
	assert_done(put(f, "x/a.txt", "one\n"));
	unlink(fixture_path(f, "x/a.txt"));
	assert_int_equal(rmdir(fixture_path(f, "x")), 0);
	assert_done(history_restore(&f->call, TEXT("x/a.txt"), TEXT("1"), &r));
	assert_text(fixture_bytes(f, "x/a.txt"), "one\n");
}

static void a_server_prunes_only_below_its_own_roots(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;
	char other[120];
	const char *roots[] = {other, NULL};

	for (int i = 0; i < 30; i++)
		assert_done(put(f, "a.txt", text_format(&f->arena, "version %d\n", i).at));
	snprintf(other, sizeof other, "%s/other", f->top);
	assert_int_equal(mkdir(other, 0777), 0);
	fixture_reopen(f, (struct work_options){.roots = roots, .keep_bytes = 2000});
	for (int i = 0; i < 40; i++)
		assert_done(put(f, "b.txt", text_format(&f->arena, "version %d\n", i).at));
	assert_true(entries(f, "b.txt", &e) < 15);
	fixture_reopen(f, (struct work_options){0});
	assert_int_equal(entries(f, "a.txt", &e), 30);
}

static void a_copy_begins_a_history_of_its_own(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;

	assert_done(put(f, "a.txt", "one\n"));
	fixture_put(f, "copy.txt", "one\n");
	assert_int_equal(entries(f, "copy.txt", &e), 0);
	/* Two documents had the same last bytes, so it is unknown which one moved. */
	assert_done(put(f, "b.txt", "one\n"));
	unlink(fixture_path(f, "a.txt"));
	unlink(fixture_path(f, "b.txt"));
	assert_int_equal(entries(f, "copy.txt", &e), 0);
	/* A document with a history of its own keeps it. */
	assert_done(put(f, "c.txt", "first\n"));
	assert_done(put(f, "d.txt", "second\n"));
	assert_int_equal(rename(fixture_path(f, "d.txt"), fixture_path(f, "c.txt")), 0);
	assert_int_equal(entries(f, "c.txt", &e), 1);
}

static void what_is_neither_a_file_nor_known_has_no_history(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;
	size_t n;
	bool more;

	assert_refused(history_list(&f->call, TEXT("nosuch"), 0, 10, &e, &n, &more), FAULT_NOT_FOUND);
}

static void an_undo_leaves_what_is_readable_readable(void **state);

static void undo_honours_dry_run_and_if_revision(void **state)
{
	struct fixture *f = *state;
	struct undone u;

	fixture_put(f, "a.txt", "one\n");
	assert_done(put(f, "a.txt", "two\n"));
	f->call.dry_run = true;
	assert_true(history_undo(&f->call, TEXT("a.txt"), 0, false, &u));
	assert_int_equal(f->call.planned.n, 1);
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
			if (!history_bytes(&f->call, TEXT("a.txt"), text_of(revisions[i]), &bytes, &(struct text){0}))
				fail_msg("%d: %s", i, f->call.error.message);
			assert_int_equal(bytes.len, 57 + 2 * (i < 10 ? i : 9) + (i > 9 ? 3 * (i - 9) : 0));
			fixture_next(f);
		}
		/* Another program breaks the chain from the end. Reading from the beginning still works. */
		fixture_put(f, "a.txt", "something else\n");
	}
	struct text bytes;
	assert_refused(history_bytes(&f->call, TEXT("a.txt"), TEXT("aaaaaaaaaaaaaaaa"), &bytes, &(struct text){0}),
		       FAULT_NOT_FOUND);
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

/* Pruned bytes must be erased too: free pages of the database keep their bytes. */
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
	/* Its folder is locked, so it counts as running. */
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

/* Bytes that do not deflate. */
static const char *noise(struct fixture *f, unsigned seed, size_t len)
{
	char *bytes = arena_alloc(&f->arena, len + 1);

	for (size_t i = 0; i < len; i++) {
		seed = seed * 1103515245 + 12345;
		bytes[i] = (char)('!' + (seed >> 16) % 90);
	}
	bytes[len] = 0;
	return bytes;
}

static size_t kept_bytes(struct fixture *f)
{
	struct transaction *t;

	assert_true(history_begin(&f->call, STORE_READ, &t));
	struct query q = query_on(t, "SELECT sum(bytes) FROM documents");
	assert_true(query_row(&q));
	size_t n = (size_t)query_int(&q, 0);
	query_end(&q);
	transaction_rollback(t);
	return n;
}

static void old_history_goes_by_bytes_and_by_days(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;
	struct text bytes;

	assert_done(put(f, "other.txt", "kept, it is the newest of this document"));
	fixture_reopen(f, (struct work_options){.keep_bytes = 40000, .keep_days = 30});
	for (unsigned i = 0; i < 130; i++) {
		assert_done(put(f, "a.txt", noise(f, i, 1000)));
		/* The limit applies at every commit. */
		assert_true(kept_bytes(f) <= 40000);
		fixture_next(f);
	}
	size_t n = entries(f, "a.txt", &e);
	assert_true(n > 20 && n < 40);
	assert_false(e[n - 1].can_undo);
	assert_null(e[n - 1].before.at);
	/* The newest ones are listed without a gap, and each returns its own bytes. */
	for (size_t i = 0; i < n; i++) {
		assert_true(history_bytes(&f->call, TEXT("a.txt"), e[i].after, &bytes, &(struct text){0}));
		assert_text(bytes, noise(f, 129 - (unsigned)i, 1000));
	}
	assert_int_equal(entries(f, "other.txt", &e), 1);
	assert_true(history_bytes(&f->call, TEXT("other.txt"), e[0].after, &bytes, &(struct text){0}));
	assert_text(bytes, "kept, it is the newest of this document");
	fixture_next(f);
	/* There are changes every day. Those older than 30 days are removed. */
	fixture_reopen(f, (struct work_options){.keep_days = 30});
	for (int i = 0; i < 300; i++) {
		char now[32];
		snprintf(now, sizeof now, "%lld", 2000000000LL + i * 12 * 3600);
		setenv("QUIRE_NOW", now, 1);
		assert_done(insert(f, "a.txt", 0, "x"));
	}
	unsetenv("QUIRE_NOW");
	n = entries(f, "a.txt", &e);
	print_message("# %zu of 300 are kept\n", n);
	/* Two a day for 30 days, and at most one interval between two whole copies more. */
	assert_in_range(n, 60, 60 + 64);
	struct text now_there = fixture_bytes(f, "a.txt");
	for (size_t i = 0; i < n; i++) {
		assert_true(history_bytes(&f->call, TEXT("a.txt"), e[i].after, &bytes, &(struct text){0}));
		assert_true(text_same(bytes, text_slice(now_there, i, now_there.len)));
	}
	fixture_next(f);
	struct transaction *t;
	assert_true(history_begin(&f->call, STORE_READ, &t));
	struct query q =
		query_on(t, "SELECT count(*) FROM commits WHERE time < 2003000000000 AND time >= 2000000000000");
	assert_true(query_row(&q));
	assert_int_equal(query_int(&q, 0), 0);
	query_end(&q);
	transaction_rollback(t);
}

static int64_t number(struct fixture *f, const char *sql)
{
	struct transaction *t;

	assert_true(history_begin(&f->call, STORE_READ, &t));
	struct query q = query_on(t, sql);
	int64_t n = query_row(&q) ? query_int(&q, 0) : -1;
	query_end(&q);
	transaction_rollback(t);
	return n;
}

/* Whatever happens to records, the sum kept for a root is that of its records. Roots overlap. */
static void the_sum_of_a_root_follows_its_records(void **state)
{
	static const char of_root[] = "SELECT bytes FROM roots WHERE path NOT LIKE '%/root/d'";
	static const char of_inner[] = "SELECT bytes FROM roots WHERE path LIKE '%/root/d'";
	struct fixture *f = *state;
	char inner[120];
	const char *roots[] = {f->root, inner, NULL};
	size_t forgotten;

	snprintf(inner, sizeof inner, "%s/d", f->root);
	assert_int_equal(mkdir(inner, 0777), 0);
	fixture_reopen(f, (struct work_options){.roots = roots, .keep_bytes = 60000});
	for (int i = 0; i < 120; i++) {
		assert_done(put(f, i % 3 ? "a.txt" : "d/b.txt", noise(f, (unsigned)i, 1000)));
		if (i == 70)
			assert_done(move(f, "d/b.txt", "d/c.txt", NULL, 0) &&
				    (fixture_next(f), move(f, "d/c.txt", "d/b.txt", NULL, 0)));
		if (i == 80) {
			fixture_put(f, "a.txt", "outside");
			assert_done(history_undo(&f->call, TEXT("d/b.txt"), 0, false, &(struct undone){0}));
		}
	}
	assert_int_equal(number(f, "SELECT count(*) FROM roots"), 2);
	assert_int_equal(number(f, of_root), number(f, "SELECT sum(bytes) FROM documents"));
	assert_int_equal(number(f, of_inner),
			 number(f, "SELECT sum(bytes) FROM documents WHERE path LIKE '%/root/d/%'"));
	assert_done(history_forget(&f->call, TEXT("a.txt"), &forgotten));
	assert_true(forgotten > 0);
	assert_int_equal(number(f, of_root), number(f, "SELECT sum(bytes) FROM documents"));
}

/* A history of the first version is upgraded by the first process that may write, and read by one that may not. */
static void a_history_of_the_first_version_is_upgraded(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;

	assert_done(put(f, "a.txt", "one"));
	fixture_next(f);
	work_close(f->work);
	f->work = NULL;
	assert_int_equal(
		system(text_format(&f->arena,
				   "sqlite3 %s/history.db 'DROP TABLE roots; PRAGMA user_version=1' >/dev/null",
				   f->state)
			       .at),
		0);
	fixture_reopen(f, (struct work_options){.read_only = true});
	assert_int_equal(entries(f, "a.txt", &e), 1);
	fixture_next(f);
	fixture_reopen(f, (struct work_options){0});
	assert_done(put(f, "a.txt", "two"));
	assert_int_equal(entries(f, "a.txt", &e), 2);
	assert_int_equal(number(f, "PRAGMA user_version"), 2);
}

static void a_wrong_clock_erases_nothing(void **state)
{
	struct fixture *f = *state;
	struct history_entry *e;

	for (int i = 0; i < 20; i++)
		assert_done(insert(f, i ? "a.txt" : "a.txt", 0, "x") || put(f, "a.txt", "x"));
	setenv("QUIRE_NOW", "4000000000", 1);
	for (int i = 0; i < 100; i++)
		assert_done(insert(f, "a.txt", 0, "y"));
	setenv("QUIRE_NOW", "1000", 1);
	for (int i = 0; i < 100; i++)
		assert_done(insert(f, "a.txt", 0, "z"));
	unsetenv("QUIRE_NOW");
	for (int i = 0; i < 100; i++)
		assert_done(insert(f, "a.txt", 0, "z"));
	size_t n;
	bool more;
	assert_true(history_list(&f->call, TEXT("a.txt"), 0, 1000, &e, &n, &more));
	assert_int_equal(n, 320);
}

/* A format of pairs of brackets. */
static void *parse_brackets(struct arena *a, struct text bytes, struct error *error)
{
	int depth = 0;

	(void)error;
	for (size_t i = 0; i < bytes.len && depth >= 0; i++)
		depth += bytes.at[i] == '(' ? 1 : bytes.at[i] == ')' ? -1 : 0;
	return depth == 0 ? arena_new(a, int) : NULL;
}
static const struct format brackets = {.name = "brackets", .parse = parse_brackets};

static void an_undo_leaves_what_is_readable_readable(void **state)
{
	struct fixture *f = *state;
	static const struct format *const formats[] = {&brackets, NULL};
	struct undone u;

	fixture_reopen(f, (struct work_options){.formats = formats});
	fixture_put(f, "a.txt", "one\n\ntwo\n\nthree\n");
	assert_done(put(f, "a.txt", "one\n(\ntwo\n\nthree\n"));
	fixture_put(f, "a.txt", "one\n(\ntwo\n)\nthree\n");
	assert_false(history_undo(&f->call, TEXT("a.txt"), 0, false, &u));
	assert_int_equal(f->call.error.fault, FAULT_CONFLICT);
	assert_text(fixture_bytes(f, "a.txt"), "one\n(\ntwo\n)\nthree\n");
	restore_as_told(f);
	assert_text(fixture_bytes(f, "a.txt"), "one\n\ntwo\n\nthree\n");
}

/* One entry of an archive changes: the record stores that entry, not the whole file. */
static void a_binary_document_costs_what_changed(void **state)
{
	struct fixture *f = *state;
	size_t len = 300000;
	char *bytes = malloc(len + 1);
	struct document *d;

	for (size_t i = 0; i < len; i++)
		bytes[i] = (char)(i * i * 2654435761u >> 13);
	assert_true(documents_change(&f->call, &(struct want){TEXT("a.bin"), DOCUMENT_NEW, false}, 1, &d));
	assert_done(work_commit(&f->call, &(struct change){.kind = CHANGE_WHOLE, .document = d, .bytes = {bytes, len}},
				1, "first"));
	size_t first = kept_bytes(f);
	fixture_next(f);
	for (size_t i = 0; i < 1000; i++)
		bytes[100000 + i] = (char)(i * 31);
	memmove(bytes + 101000, bytes + 101001, len - 101001);
	assert_true(documents_change(&f->call, &(struct want){TEXT("a.bin"), DOCUMENT_THERE, false}, 1, &d));
	assert_done(work_commit(&f->call,
				&(struct change){.kind = CHANGE_WHOLE, .document = d, .bytes = {bytes, len - 1}}, 1,
				"second"));
	assert_true(kept_bytes(f) - first < 3000);
	free(bytes);
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
	assert_true(delete_document(f, "a.txt"));
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
		WITH_ROOT(an_undo_keeps_what_was_changed_elsewhere_since),
		WITH_ROOT(a_change_by_another_program_counts_the_bytes_that_differ),
		WITH_ROOT(an_undo_that_touches_what_was_changed_since_names_lines_and_a_way),
		WITH_ROOT(a_lost_document_is_brought_back_by_what_the_refusal_says),
		WITH_ROOT(every_listed_revision_is_restored_whatever_is_there),
		WITH_ROOT(a_document_moved_by_another_program_keeps_its_past),
		WITH_ROOT(a_copy_begins_a_history_of_its_own),
		WITH_ROOT(a_move_from_behind_the_grant_brings_no_past),
		WITH_ROOT(an_edit_is_undone_after_the_document_moved),
		WITH_ROOT(a_restore_makes_the_folders_that_are_gone),
		WITH_ROOT(a_server_prunes_only_below_its_own_roots),
		WITH_ROOT(what_is_neither_a_file_nor_known_has_no_history),
		WITH_ROOT(an_undo_leaves_what_is_readable_readable),
		WITH_ROOT(the_sum_of_a_root_follows_its_records),
		WITH_ROOT(a_history_of_the_first_version_is_upgraded),
		WITH_ROOT(a_wrong_clock_erases_nothing),
		WITH_ROOT(undo_honours_dry_run_and_if_revision),
		WITH_ROOT(every_revision_of_the_past_can_be_read),
		WITH_ROOT(a_diff_shows_what_changed_between_two_moments),
		WITH_ROOT(forgotten_bytes_are_nowhere_in_the_history),
		WITH_ROOT(what_was_let_go_before_is_forgotten_too),
		WITH_ROOT(what_is_not_finished_is_not_forgotten),
		WITH_ROOT(old_history_goes_by_bytes_and_by_days),
		WITH_ROOT(a_binary_document_costs_what_changed),
		WITH_ROOT(a_change_too_large_for_the_history_says_so),
	};

	return RUN_TESTS(tests);
}
