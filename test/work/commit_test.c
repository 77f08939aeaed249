#include "work/work_fixture.h"

#include "format/json.h"

static void a_document_is_made_and_read(void **state)
{
	struct fixture *f = *state;
	struct document *d;

	assert_done(put(f, "a.txt", "one\n"));
	assert_text(fixture_bytes(f, "a.txt"), "one\n");
	assert_true(document_open(&f->call, TEXT("a.txt"), &d));
	assert_text(document_bytes(d), "one\n");
	assert_int_equal(document_revision(d).len, 16);
	assert_true(text_same(document_revision(d), f->call.revision));
	assert_text(document_place(d), "a.txt");
	assert_int_equal(fixture_count(f->root, "quire~"), 0);
}

static void a_splice_leaves_all_other_bytes(void **state)
{
	struct fixture *f = *state;

	assert_done(put(f, "a.txt", "one three"));
	assert_done(insert(f, "a.txt", 4, "two "));
	assert_text(fixture_bytes(f, "a.txt"), "one two three");
}

static void a_new_name_that_is_taken_is_refused(void **state)
{
	struct fixture *f = *state;
	struct document *d;

	fixture_put(f, "a.txt", "x");
	assert_refused(documents_change(&f->call, &(struct want){TEXT("a.txt"), DOCUMENT_NEW, false}, 1, &d),
		       FAULT_EXISTS);
	assert_refused(documents_change(&f->call, &(struct want){TEXT("b.txt"), DOCUMENT_THERE, false}, 1, &d),
		       FAULT_NOT_FOUND);
	/* A name is not free either if the same call wants to move its own document there. */
	struct want onto_itself[] = {{TEXT("a.txt"), DOCUMENT_THERE, false}, {TEXT("./a.txt"), DOCUMENT_NEW, false}};
	struct document *both[2];
	assert_refused(documents_change(&f->call, onto_itself, 2, both), FAULT_EXISTS);
}

static void a_stale_revision_is_refused(void **state)
{
	struct fixture *f = *state;
	struct document *d;

	fixture_put(f, "a.txt", "x");
	assert_true(document_open(&f->call, TEXT("a.txt"), &d));
	char revision[17];
	memcpy(revision, document_revision(d).at, 16);
	revision[16] = 0;
	fixture_next(f);
	fixture_put(f, "a.txt", "y");
	f->call.if_revision = text_of(revision);
	assert_refused(insert(f, "a.txt", 0, "z"), FAULT_CONFLICT);
	fixture_put(f, "a.txt", "x");
	f->call.if_revision = text_of(revision);
	assert_done(insert(f, "a.txt", 0, "z"));
	assert_text(fixture_bytes(f, "a.txt"), "zx");
}

static void a_dry_run_writes_nothing_and_says_what_it_would(void **state)
{
	struct fixture *f = *state;

	fixture_put(f, "a.txt", "x\n");
	f->call.dry_run = true;
	assert_true(insert(f, "a.txt", 2, "y\n"));
	assert_int_equal(f->call.planned.n, 1);
	assert_int_equal(f->call.planned.items[0].action, PLANNED_EDIT);
	assert_text(f->call.planned.items[0].diff, "--- a.txt\n+++ a.txt\n@@ -1 +1,2 @@\n x\n+y\n");
	assert_text(fixture_bytes(f, "a.txt"), "x\n");
	assert_int_not_equal(access(f->state, F_OK), 0);
}

static void a_commit_that_changes_no_byte_writes_nothing(void **state)
{
	struct fixture *f = *state;
	struct stat before, after;

	fixture_put(f, "a.txt", "x\n");
	assert_int_equal(stat(fixture_path(f, "a.txt"), &before), 0);
	assert_done(put(f, "a.txt", "x\n"));
	assert_int_equal(stat(fixture_path(f, "a.txt"), &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_int_not_equal(access(f->state, F_OK), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_ROOT(a_document_is_made_and_read),
		WITH_ROOT(a_splice_leaves_all_other_bytes),
		WITH_ROOT(a_new_name_that_is_taken_is_refused),
		WITH_ROOT(a_stale_revision_is_refused),
		WITH_ROOT(a_dry_run_writes_nothing_and_says_what_it_would),
		WITH_ROOT(a_commit_that_changes_no_byte_writes_nothing),
	};

	return RUN_TESTS(tests);
}
