/* Where others meet us: an editor that saves while we do, a recovery beside writers, a state folder that goes. Whatever
 * was acknowledged stays, whatever another wrote stays, and nobody is refused without a true reason. */
#include "crash/busy_machine.h"
#include "work/work_fixture.h"

/* --- an editor, which does not lock ---------------------------------------------------------------------------------
 */

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
		/* The record's own flush is what takes long. */
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
		assert_done(history_list(&f->call, TEXT(""), 0, 100, &e, &n, &more));
		assert_int_equal(n, then);
		assert_done(put(f, "a.txt", "ours at last"));
	}
}

/* Our stamp of the file is taken after it has its name, and by then it is everybody's. */
static void what_is_written_between_our_rename_and_our_answer_is_theirs(void **state)
{
	struct fixture *f = met = *state;
	struct document *d;

	assert_done(put(f, "a.txt", "before"));
	/* The first flush is the temp's, the second one the folder's. */
	meddle_before("fsync", 2, write_in_place);
	assert_done(put(f, "a.txt", "we all"));
	assert_null(meddler.what);
	assert_true(document_open(&f->call, TEXT("a.txt"), &d));
	assert_text(document_bytes(d), "theirs");
	fixture_next(f);
	assert_done(insert(f, "a.txt", 6, " and ours"));
	assert_text(fixture_bytes(f, "a.txt"), "theirs and ours");
}

int main(void)
{
	alarm(240);
	const struct CMUnitTest tests[] = {
		WITH_ROOT(what_an_editor_saves_while_we_record_is_kept),
		WITH_ROOT_ON_DISK(what_is_written_between_our_rename_and_our_answer_is_theirs),
	};

	return RUN_TESTS(tests);
}
