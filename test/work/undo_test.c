#include "work/work_fixture.h"

#include "format/json.h"

/* If a commit cannot be undone, the error says why, and no byte changes. */

static struct undone undone;

static bool undo(struct fixture *f, const char *path, int64_t id)
{
	return history_undo(&f->call, text_of(path), id, false, &undone);
}

static bool redo(struct fixture *f, const char *path, int64_t id)
{
	return history_undo(&f->call, text_of(path), id, true, &undone);
}

/* The newest change of the document. */
static int64_t newest(struct fixture *f, const char *path)
{
	struct history_entry *e;
	size_t n;
	bool more;

	assert_true(history_list(&f->call, text_of(path), 0, 1, &e, &n, &more));
	assert_int_equal(n, 1);
	int64_t id = e[0].id;
	fixture_next(f);
	return id;
}

#define assert_refused_with(claim, reason, words)                                                                      \
	do {                                                                                                           \
		assert_false(claim);                                                                                   \
		assert_int_equal(f->call.error.fault, (reason));                                                       \
		if (!strstr(error_sentence(f->call.arena, &f->call.error), (words)))                                   \
			fail_msg("%s: no \"%s\" in: %s", #claim, (words), f->call.error.message);                      \
	} while (0)

static void a_change_is_one_of_its_own_documents_only(void **state)
{
	struct fixture *f = *state;

	assert_done(put(f, "a.txt", "a"));
	assert_done(put(f, "b.txt", "b"));
	int64_t id = newest(f, "a.txt");
	assert_refused_with(undo(f, "b.txt", id), FAULT_NOT_FOUND, "the history of b.txt has no commit");
	fixture_next(f);
	assert_refused(undo(f, "b.txt", id + 1000), FAULT_NOT_FOUND);
	struct text diff;
	assert_refused(history_diff(&f->call, TEXT("b.txt"), text_format(&f->arena, "%lld", (long long)id),
				    (struct text){0}, &diff),
		       FAULT_NOT_FOUND);
	assert_text(fixture_bytes(f, "a.txt"), "a");
	assert_text(fixture_bytes(f, "b.txt"), "b");
}

static void a_change_is_undone_once(void **state)
{
	struct fixture *f = *state;

	assert_done(put(f, "a.txt", "1"));
	assert_done(put(f, "a.txt", "2"));
	int64_t id = newest(f, "a.txt");
	assert_done(undo(f, "a.txt", id));
	assert_refused_with(undo(f, "a.txt", id), FAULT_CONFLICT, "is undone already");
	assert_text(fixture_bytes(f, "a.txt"), "1");
}

static void undo_takes_edits_and_redo_takes_undos(void **state)
{
	struct fixture *f = *state;

	assert_done(put(f, "a.txt", "1"));
	assert_done(put(f, "a.txt", "2"));
	assert_refused_with(redo(f, "a.txt", newest(f, "a.txt")), FAULT_ARGUMENT, "is an edit");
	fixture_next(f);
	assert_done(undo(f, "a.txt", 0));
	assert_refused_with(undo(f, "a.txt", newest(f, "a.txt")), FAULT_ARGUMENT, "is an undo");
	fixture_next(f);
	assert_done(redo(f, "a.txt", 0));
	int64_t id = newest(f, "a.txt");
	assert_refused_with(undo(f, "a.txt", id), FAULT_ARGUMENT, "is a redo");
	fixture_next(f);
	assert_refused_with(redo(f, "a.txt", id), FAULT_ARGUMENT, "is a redo");
	assert_text(fixture_bytes(f, "a.txt"), "2");
}

static void what_was_made_again_since_its_deletion_is_not_replaced(void **state)
{
	struct fixture *f = *state;

	fixture_put(f, "a.txt", "precious");
	assert_done(delete_document(f, "a.txt"));
	fixture_put(f, "a.txt", "newer");
	assert_refused_with(undo(f, "a.txt", 0), FAULT_CONFLICT, "was made again since");
	assert_text(json_text(json_get(f->call.error.details, "expected")), "none");
	assert_text(fixture_bytes(f, "a.txt"), "newer");
	fixture_next(f);
	assert_int_equal(unlink(fixture_path(f, "a.txt")), 0);
	assert_done(undo(f, "a.txt", 0));
	assert_text(fixture_bytes(f, "a.txt"), "precious");
}

static void what_is_gone_since_is_told_and_where_to_see_it(void **state)
{
	struct fixture *f = *state;

	assert_done(put(f, "a.txt", "1\n"));
	assert_done(put(f, "a.txt", "1\n2\n"));
	assert_int_equal(unlink(fixture_path(f, "a.txt")), 0);
	assert_refused_with(undo(f, "a.txt", 0), FAULT_CONFLICT, "is gone since commit");
	struct text held = text_copy(&f->arena, json_text(json_get(f->call.error.details, "expected"))), bytes;
	assert_text(json_text(json_get(f->call.error.details, "revision")), "none");
	f->call.error = (struct error){0};
	/* The call that the error recommends returns the bytes. */
	assert_true(history_bytes(&f->call, TEXT("a.txt"), held, &bytes, &(struct text){0}));
	assert_text(bytes, "1\n2\n");
	assert_null(fixture_bytes(f, "a.txt").at);
}

static void a_move_is_not_undone_onto_another_file(void **state)
{
	struct fixture *f = *state;

	fixture_put(f, "a.txt", "mine");
	assert_done(move(f, "a.txt", "b.txt", NULL, 0));
	fixture_put(f, "a.txt", "another's");
	assert_refused(undo(f, "b.txt", 0), FAULT_CONFLICT);
	assert_text(fixture_bytes(f, "a.txt"), "another's");
	assert_text(fixture_bytes(f, "b.txt"), "mine");
}

static void a_move_that_rewrote_the_whole_is_undone_whole(void **state)
{
	struct fixture *f = *state;
	struct splice s = {0, 8, TEXT("all of it is new")};

	fixture_put(f, "a.txt", "the old!");
	assert_done(move(f, "a.txt", "deep/b.txt", &s, 1));
	assert_text(fixture_bytes(f, "deep/b.txt"), "all of it is new");
	assert_done(undo(f, "deep/b.txt", 0));
	assert_text(fixture_bytes(f, "a.txt"), "the old!");
	assert_null(fixture_bytes(f, "deep/b.txt").at);
	assert_done(redo(f, "a.txt", 0));
	assert_text(fixture_bytes(f, "deep/b.txt"), "all of it is new");
	assert_null(fixture_bytes(f, "a.txt").at);
}

static void a_change_in_a_root_that_is_not_served_is_not_undone_by_half(void **state)
{
	struct fixture *f = *state;
	char other[100];
	struct document *d[2];

	snprintf(other, sizeof other, "%s/other", f->top);
	assert_int_equal(mkdir(other, 0777), 0);
	const char *const both[] = {f->root, other, NULL};
	fixture_reopen(f, (struct work_options){.roots = both});
	struct want wants[] = {{TEXT("a.txt"), DOCUMENT_EITHER, false},
			       {text_format(&f->arena, "%s/b.txt", other), DOCUMENT_EITHER, false}};
	assert_true(documents_change(&f->call, wants, 2, d));
	const struct change changes[] = {{.kind = CHANGE_WHOLE, .document = d[0], .bytes = TEXT("a")},
					 {.kind = CHANGE_WHOLE, .document = d[1], .bytes = TEXT("b")}};
	assert_done(work_commit(&f->call, changes, 2, "both"));
	fixture_reopen(f, (struct work_options){0});
	assert_refused_with(undo(f, "a.txt", 0), FAULT_PATH, "outside the roots");
	assert_text(fixture_bytes(f, "a.txt"), "a");
	fixture_reopen(f, (struct work_options){.roots = both});
	assert_done(undo(f, "a.txt", 0));
	assert_null(fixture_bytes(f, "a.txt").at);
	assert_null(fixture_bytes(f, "../other/b.txt").at);
}

static bool put_bytes(struct fixture *f, const char *path, struct text bytes)
{
	struct document *d;

	return documents_change(&f->call, &(struct want){text_of(path), DOCUMENT_EITHER, false}, 1, &d) &&
	       work_commit(&f->call, &(struct change){.kind = CHANGE_WHOLE, .document = d, .bytes = bytes}, 1, "bytes");
}

static void bytes_that_are_no_text_go_and_come_back(void **state)
{
	struct fixture *f = *state;
	struct text one = TEXT("head\0\1\2\3 and a long tail that stays as it is"),
		    two = TEXT("head\0\1\xFF\3 and a long tail that stays as it is"), diff;

	assert_done(put_bytes(f, "a.bin", one));
	assert_done(put_bytes(f, "a.bin", two));
	struct history_entry *e;
	size_t n;
	bool more;
	assert_true(history_list(&f->call, TEXT("a.bin"), 0, 1, &e, &n, &more));
	/* Only the bytes from the first difference to the last are stored. */
	assert_int_equal(e[0].bytes_added, 1);
	assert_int_equal(e[0].bytes_removed, 1);
	assert_true(history_diff(&f->call, TEXT("a.bin"), (struct text){0}, (struct text){0}, &diff));
	assert_text(diff, text_format(&f->arena, "%zu bytes became %zu; the file is not text\n", one.len, two.len).at);
	fixture_next(f);
	assert_done(undo(f, "a.bin", 0));
	assert_true(text_same(fixture_bytes(f, "a.bin"), one));
	assert_done(redo(f, "a.bin", 0));
	assert_true(text_same(fixture_bytes(f, "a.bin"), two));
}

static const struct planned *planned(struct fixture *f)
{
	assert_int_equal(f->call.planned.n, 1);
	return &f->call.planned.items[0];
}

static void a_dry_run_of_bytes_tells_their_number(void **state)
{
	struct fixture *f = *state;

	assert_done(put_bytes(f, "a.bin", TEXT("\0one")));
	f->call.dry_run = true;
	assert_true(put_bytes(f, "a.bin", TEXT("\0three")));
	assert_text(planned(f)->diff, "4 bytes become 6");
	assert_int_equal(fixture_bytes(f, "a.bin").len, 4);
}

static void a_dry_run_of_a_move_tells_where_to(void **state)
{
	struct fixture *f = *state;

	fixture_put(f, "a.txt", "a");
	f->call.dry_run = true;
	assert_true(move(f, "a.txt", "deep/b.txt", NULL, 0));
	assert_int_equal(planned(f)->action, PLANNED_MOVE);
	assert_text(planned(f)->path, "a.txt");
	assert_text(planned(f)->to, "deep/b.txt");
	assert_text(fixture_bytes(f, "a.txt"), "a");
	assert_int_not_equal(access(fixture_path(f, "deep"), F_OK), 0);
}

static void a_long_diff_of_a_dry_run_is_cut_and_says_so(void **state)
{
	struct fixture *f = *state;
	struct buffer lines = {0};

	for (int i = 0; i < 60000; i++)
		buffer_format(&lines, "line %d\n", i);
	f->call.dry_run = true;
	assert_true(put_bytes(f, "a.txt", buffer_text(&lines)));
	struct text diff = planned(f)->diff;
	assert_in_range(diff.len, 256 << 10, (256 << 10) + 100);
	assert_true(text_ends(diff, " bytes of diff in all)\n"));
	buffer_free(&lines);
}

static void a_condition_on_what_does_not_exist_is_a_conflict(void **state)
{
	struct fixture *f = *state;

	f->call.if_revision = TEXT("aaaaaaaaaaaaaaaa");
	assert_refused_with(put(f, "new.txt", "x"), FAULT_CONFLICT, "does not exist, so it has no revision");
	assert_null(fixture_bytes(f, "new.txt").at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_ROOT(a_change_is_one_of_its_own_documents_only),
		WITH_ROOT(a_change_is_undone_once),
		WITH_ROOT(undo_takes_edits_and_redo_takes_undos),
		WITH_ROOT(what_was_made_again_since_its_deletion_is_not_replaced),
		WITH_ROOT(what_is_gone_since_is_told_and_where_to_see_it),
		WITH_ROOT(a_move_is_not_undone_onto_another_file),
		WITH_ROOT(a_move_that_rewrote_the_whole_is_undone_whole),
		WITH_ROOT(a_change_in_a_root_that_is_not_served_is_not_undone_by_half),
		WITH_ROOT(bytes_that_are_no_text_go_and_come_back),
		WITH_ROOT(a_dry_run_of_bytes_tells_their_number),
		WITH_ROOT(a_dry_run_of_a_move_tells_where_to),
		WITH_ROOT(a_long_diff_of_a_dry_run_is_cut_and_says_so),
		WITH_ROOT(a_condition_on_what_does_not_exist_is_a_conflict),
	};
	return RUN_TESTS(tests);
}
