/* Programs that have a document open while quire writes it: they opened it before quire gave its name to a new file,
 * and write to it afterwards. Whatever they write is in the document, or in its history. */
#include "crash/busy_machine.h"
#include "work/work_fixture.h"

#include <pthread.h>
#include <signal.h>

enum style { TRUNCATE, IN_PLACE, APPEND, BY_RENAMING, WITH_BACKUP, STYLES };

static struct fixture *met;
static int held = -1; /* what the simulated program has open */

static void open_it(void)
{
	held = open(fixture_path(met, "a.txt"), O_WRONLY | O_CLOEXEC);
	assert_true(held >= 0);
}

static void save_held(const char *bytes)
{
	assert_int_equal(pwrite(held, bytes, strlen(bytes), 0), (ssize_t)strlen(bytes));
	assert_int_equal(ftruncate(held, (off_t)strlen(bytes)), 0);
	assert_int_equal(close(held), 0);
	held = -1;
}

static void *save_soon(void *bytes)
{
	usleep(30 * 1000);
	save_held(bytes);
	return NULL;
}

static size_t temps(struct fixture *f) { return fixture_count(f->root, "quire~"); }

/* Any call looks at the files that were kept. */
static void look(struct fixture *f)
{
	struct document *d;

	assert_done(document_open(&f->call, TEXT("a.txt"), &d));
}

static bool history_holds(struct fixture *f, const char *name, const char *bytes)
{
	struct text found, revision;
	bool is = history_bytes(&f->call, text_of(name), text_of(revision_of(text_of(bytes)).chars), &found, &revision);

	is = is && text_same(found, text_of(bytes));
	fixture_next(f);
	return is;
}

/* The program has the document open before the call, and saves it while the call waits. */
static void a_save_that_is_under_way_is_waited_for(void **state)
{
	struct fixture *f = met = *state;
	pthread_t editor;

	assert_done(put(f, "a.txt", "before"));
	open_it();
	assert_int_equal(pthread_create(&editor, NULL, save_soon, "theirs"), 0);
	assert_done(insert(f, "a.txt", 0, "ours and "));
	pthread_join(editor, NULL);
	assert_text(fixture_bytes(f, "a.txt"), "ours and theirs");
	assert_int_equal(temps(f), 0);
}

/* It opens the document just before each renaming of the commit, and writes a moment after the exchange. */
static void a_save_into_the_displaced_file_is_not_lost(void **state)
{
	struct fixture *f = met = *state;

	for (int n = 1; n <= 2; n++) {
		pthread_t editor;
		assert_done(put(f, "a.txt", "before"));
		meddle_before("renameat2", n, open_it);
		assert_int_equal(pthread_create(&editor, NULL, save_soon, "theirs"), 0);
		assert_refused(put(f, "a.txt", "ours"), FAULT_CONFLICT);
		pthread_join(editor, NULL);
		assert_text(fixture_bytes(f, "a.txt"), "theirs");
		assert_int_equal(temps(f), 0);
	}
}

static void *save_both(void *unused)
{
	usleep(30 * 1000);
	int fd = open(fixture_path(met, "a.txt"), O_WRONLY | O_TRUNC | O_CLOEXEC);
	assert_true(fd >= 0 && write(fd, "newest", 6) == 6);
	close(fd);
	save_held("theirs");
	return unused;
}

/* While the commit waits for one program, another saves the new file under the name: the newest has the name, and the
 * other is kept. */
static void of_two_saves_neither_is_lost(void **state)
{
	struct fixture *f = met = *state;
	pthread_t editors;

	assert_done(put(f, "a.txt", "before"));
	meddle_before("renameat2", 2, open_it);
	assert_int_equal(pthread_create(&editors, NULL, save_both, NULL), 0);
	assert_refused(put(f, "a.txt", "ours"), FAULT_CONFLICT);
	pthread_join(editors, NULL);
	assert_text(fixture_bytes(f, "a.txt"), "newest");
	look(f);
	assert_text(fixture_bytes(f, "a.txt"), "newest");
	assert_true(history_holds(f, "a.txt", "theirs"));
	assert_int_equal(temps(f), 0);
}

static void *save_then_rename(void *unused)
{
	usleep(30 * 1000);
	save_held("theirs");
	/* From what it read under the name while quire waited. */
	for (int i = 0; i < 200 && !text_is(fixture_bytes(met, "a.txt"), "theirs"); i++)
		usleep(1000);
	FILE *file = fopen(fixture_path(met, ".other"), "w");
	assert_non_null(file);
	fputs("ours and newest", file);
	assert_int_equal(fclose(file), 0);
	char other[256];
	snprintf(other, sizeof other, "%s", fixture_path(met, ".other"));
	assert_int_equal(rename(other, fixture_path(met, "a.txt")), 0);
	return unused;
}

/* A save that is put back is replaced at once by a program that never saw it: the history has it. */
static void a_save_that_is_replaced_unseen_is_in_the_history(void **state)
{
	struct fixture *f = met = *state;
	pthread_t editors;

	assert_done(put(f, "a.txt", "before"));
	meddle_before("renameat2", 2, open_it);
	assert_int_equal(pthread_create(&editors, NULL, save_then_rename, NULL), 0);
	assert_false(put(f, "a.txt", "ours"));
	assert_int_equal(f->call.error.fault, FAULT_CONFLICT);
	pthread_join(editors, NULL);
	fixture_next(f);
	assert_text(fixture_bytes(f, "a.txt"), "ours and newest");
	assert_true(history_holds(f, "a.txt", "theirs"));
}

static void a_save_after_a_deletion_or_a_move_is_not_lost(void **state)
{
	struct fixture *f = met = *state;
	pthread_t editor;

	for (int moves = 0; moves < 2; moves++) {
		assert_done(put(f, "a.txt", "before"));
		meddle_before("renameat2", moves + 1, open_it);
		assert_int_equal(pthread_create(&editor, NULL, save_soon, "theirs"), 0);
		assert_refused(moves ? move(f, "a.txt", "b.txt", NULL, 0) : delete_document(f, "a.txt"),
			       FAULT_CONFLICT);
		pthread_join(editor, NULL);
		assert_text(fixture_bytes(f, "a.txt"), "theirs");
		assert_false(fixture_bytes(f, "b.txt").at);
		assert_int_equal(temps(f), 0);
	}
}

/* One document that stays open for longer than the commit waits: the file is kept until it is closed. */
static void what_is_written_much_later_is_merged(void **state)
{
	struct fixture *f = met = *state;

	assert_done(put(f, "a.txt", "one\ntwo\nthree\n"));
	open_it();
	assert_done(insert(f, "a.txt", 0, "ours\n"));
	assert_text(fixture_bytes(f, "a.txt"), "ours\none\ntwo\nthree\n");
	assert_int_equal(temps(f), 1);
	look(f);
	assert_done(insert(f, "a.txt", 0, "and "));
	assert_int_equal(temps(f), 1);
	save_held("one\ntwo\nthree\ntheirs\n");
	look(f);
	assert_text(fixture_bytes(f, "a.txt"), "and ours\none\ntwo\nthree\ntheirs\n");
	assert_int_equal(temps(f), 0);
	assert_true(history_holds(f, "a.txt", "one\ntwo\nthree\ntheirs\n"));
}

static void what_cannot_be_merged_is_a_version(void **state)
{
	struct fixture *f = met = *state;

	assert_done(put(f, "a.txt", "one\n"));
	open_it();
	assert_done(put(f, "a.txt", "ours\n"));
	save_held("theirs\n");
	look(f);
	assert_text(fixture_bytes(f, "a.txt"), "ours\n");
	assert_int_equal(temps(f), 0);
	assert_true(history_holds(f, "a.txt", "theirs\n"));
	assert_true(history_holds(f, "a.txt", "one\n"));
}

static void nothing_that_was_only_open_is_kept(void **state)
{
	struct fixture *f = met = *state;

	assert_done(put(f, "a.txt", "one\n"));
	open_it();
	assert_done(put(f, "a.txt", "ours\n"));
	assert_int_equal(temps(f), 1);
	assert_int_equal(close(held), 0);
	look(f);
	assert_text(fixture_bytes(f, "a.txt"), "ours\n");
	assert_int_equal(temps(f), 0);
}

/* What is written follows a document that quire moved; a deleted one is there again. */
static void what_is_written_much_later_finds_its_document(void **state)
{
	struct fixture *f = met = *state;

	assert_done(put(f, "a.txt", "one\ntwo\n"));
	open_it();
	assert_done(move(f, "a.txt", "d/b.txt", NULL, 0));
	save_held("one\ntwo\ntheirs\n");
	assert_done(insert(f, "d/b.txt", 0, "ours\n"));
	assert_text(fixture_bytes(f, "d/b.txt"), "ours\none\ntwo\ntheirs\n");
	assert_false(fixture_bytes(f, "a.txt").at);
	assert_int_equal(temps(f), 0);

	assert_done(put(f, "a.txt", "deleted"));
	open_it();
	assert_done(delete_document(f, "a.txt"));
	assert_false(fixture_bytes(f, "a.txt").at);
	save_held("saved all the same");
	assert_done(insert(f, "d/b.txt", 0, "x"));
	assert_text(fixture_bytes(f, "a.txt"), "saved all the same");
	assert_int_equal(temps(f), 0);
}

/* Another process finds the kept file at its next writing call in the folder, under any name. */
static void another_process_takes_kept_files_in(void **state)
{
	struct fixture *f = met = *state;

	assert_done(put(f, "a.txt", "one\ntwo\n"));
	open_it();
	assert_done(insert(f, "a.txt", 0, "ours\n"));
	assert_int_equal(temps(f), 1);
	fixture_reopen(f, (struct work_options){0});
	assert_done(put(f, "b.txt", "x"));
	assert_int_equal(temps(f), 1);
	save_held("one\ntwo\ntheirs\n");
	fixture_reopen(f, (struct work_options){0});
	assert_done(put(f, "b.txt", "y"));
	assert_text(fixture_bytes(f, "a.txt"), "ours\none\ntwo\ntheirs\n");
	assert_int_equal(temps(f), 0);
}

static void a_document_that_was_emptied_to_be_written_is_not_taken_as_empty(void **state)
{
	struct fixture *f = met = *state;

	assert_done(put(f, "a.txt", "before"));
	open_it();
	assert_int_equal(ftruncate(held, 0), 0);
	assert_refused(put(f, "a.txt", "ours"), FAULT_LOCKED);
	save_held("theirs");
	assert_done(insert(f, "a.txt", 0, "ours and "));
	assert_text(fixture_bytes(f, "a.txt"), "ours and theirs");
	/* Once nobody has it open, an empty document is empty. */
	open_it();
	save_held("");
	assert_done(put(f, "a.txt", "ours"));
	assert_text(fixture_bytes(f, "a.txt"), "ours");
	assert_int_equal(temps(f), 0);
}

#ifdef QUIRE_DEBUG
/* Killed before each step of a commit while a program has the document open, which then saves it. */
static void a_kill_loses_no_save_either(void **state)
{
	struct fixture *f = met = *state;
	int status = 0, n = 0;

	do {
		char steps[16];
		snprintf(steps, sizeof steps, "%d", ++n);
		fixture_reopen(f, (struct work_options){0});
		assert_done(put(f, "a.txt", "one\ntwo\n"));
		open_it();
		fflush(NULL);
		pid_t pid = fork();
		if (!pid) {
			setenv("QUIRE_CRASH_AT", steps, 1);
			fixture_reopen(f, (struct work_options){0});
			_exit(!insert(f, "a.txt", 0, "ours\n"));
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		char theirs[64];
		snprintf(theirs, sizeof theirs, "one\ntwo\ntheirs %d\n", n);
		save_held(theirs);
		fixture_reopen(f, (struct work_options){0});
		assert_done(put(f, "b.txt", "x") && (fixture_next(f), put(f, "b.txt", "y")));
		struct text now = fixture_bytes(f, "a.txt");
		if (text_find(now, TEXT("theirs"), 0) == SIZE_MAX)
			assert_true(history_holds(f, "a.txt", theirs));
		assert_int_equal(temps(f), 0);
	} while (WIFSIGNALED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_true(n > 5);
}
#endif

/* Without leases nobody knows whether a file is open: it is kept until it was quiet for a while. */
static void without_leases_displaced_files_are_kept_for_a_while(void **state)
{
	struct fixture *f = met = *state;

	assert_done(put(f, "a.txt", "one\ntwo\n"));
	lease_error = EINVAL;
	open_it();
	assert_done(insert(f, "a.txt", 0, "ours\n"));
	assert_int_equal(temps(f), 1);
	look(f);
	assert_int_equal(temps(f), 1);
	save_held("one\ntwo\ntheirs\n");
	look(f);
	assert_text(fixture_bytes(f, "a.txt"), "ours\none\ntwo\n");
	lease_error = 0;
	look(f);
	assert_text(fixture_bytes(f, "a.txt"), "ours\none\ntwo\ntheirs\n");
	assert_int_equal(temps(f), 0);
}

/* While a lease is held, somebody who opens the file makes the kernel send this signal, which would end the program. */
static void the_signal_of_a_lease_is_ignored(void **state)
{
	struct sigaction now;

	(void)state;
	assert_int_equal(sigaction(SIGIO, NULL, &now), 0);
	assert_true(now.sa_handler == SIG_IGN);
}

/* One editor saves in five ways and holds the file for up to 50 ms, while quire writes. Each save adds a line with its
 * number. In the end each line is in the document or in a version of it. */
#ifdef QUIRE_DEBUG
enum { ROUNDS = 3 };
#else
enum { ROUNDS = 20 };
#endif
enum { SAVES = 50, HOLD_MS = 50, TEXT_MAX = 64 << 10 };

static void hold(void) { usleep((unsigned)(rand() % (HOLD_MS * 1000))); }

static void write_all(int fd, const char *bytes)
{
	if (fd < 0 || write(fd, bytes, strlen(bytes)) != (ssize_t)strlen(bytes))
		_exit(3);
}

static void save_as(enum style style, const char *path, const char *line)
{
	static char bytes[TEXT_MAX], other[600];
	static const int flags[] = {O_WRONLY | O_TRUNC, O_WRONLY, O_WRONLY | O_APPEND};
	int fd = open(path, O_RDONLY);
	ssize_t n = fd >= 0 ? read(fd, bytes, sizeof bytes - TEXT_MAX / 16) : -1;

	if (n < 0)
		_exit(2);
	close(fd);
	snprintf(bytes + n, sizeof bytes - (size_t)n, "%s", line);
	snprintf(other, sizeof other, "%s~", path);
	if (style <= APPEND) {
		fd = open(path, flags[style]);
		hold();
		write_all(fd, style == APPEND ? line : bytes);
	} else if (style == BY_RENAMING) {
		fd = open(other, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		write_all(fd, bytes);
		hold();
		if (rename(other, path) != 0)
			_exit(4);
	} else {
		if (rename(path, other) != 0)
			_exit(5);
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		hold();
		write_all(fd, bytes);
	}
	close(fd);
}

static _Noreturn void edit_on(const char *path)
{
	char line[32];

	machine_is_busy = false;
	for (int i = 0; i < SAVES; i++) {
		snprintf(line, sizeof line, "save %d.\n", i);
		save_as((enum style)(i % STYLES), path, line);
		usleep((unsigned)(rand() % 4000));
	}
	_exit(0);
}

static bool has_line(struct text bytes, int i)
{
	char line[32];

	snprintf(line, sizeof line, "save %d.\n", i);
	return text_find(bytes, text_of(line), 0) != SIZE_MAX;
}

static int lost(struct fixture *f, const char *name)
{
	struct history_entry *entries;
	bool seen[SAVES] = {false}, more;
	size_t n;
	int lost = 0;

	for (int64_t before = 0;; before = entries[n - 1].id) {
		assert_true(history_list(&f->call, text_of(name), before, 100, &entries, &n, &more));
		for (size_t i = 0; i < n; i++) {
			struct text bytes = {0}, revision;
			if (entries[i].after.at &&
			    history_bytes(&f->call, text_of(name), entries[i].after, &bytes, &revision))
				for (int k = 0; k < SAVES; k++)
					seen[k] |= has_line(bytes, k);
		}
		if (!more)
			break;
	}
	struct text now = fixture_bytes(f, name);
	for (int k = 0; k < SAVES; k++)
		if (!seen[k] && !(now.at && has_line(now, k))) {
			printf("# save %d of %s is lost (style %d)\n", k, name, k % STYLES);
			lost++;
		}
	fixture_next(f);
	return lost;
}

static bool write_once(struct fixture *f, const char *name, int i)
{
	struct document *d;
	bool at_end = i % 2;

	if (!documents_change(&f->call, &(struct want){text_of(name), DOCUMENT_THERE, false}, 1, &d))
		return false;
	uint32_t at = at_end ? (uint32_t)document_bytes(d).len : 0;
	struct splice s = {at, at, text_format(f->call.arena, "ours %d\n", i)};
	return work_commit(&f->call, &(struct change){.kind = CHANGE_SPLICE, .document = d, .splices = &s, .n = 1}, 1,
			   "write");
}

static void saves_of_five_styles_are_never_lost(void **state)
{
	struct fixture *f = met = *state;
	const char *seed = getenv("QUIRE_SEED");
	int lines_lost = 0, done = 0, refused = 0;

	srand(seed ? (unsigned)atoi(seed) : 1);
	for (int round = 0; round < ROUNDS; round++) {
		char name[32], path[512];
		int status = 0;
		snprintf(name, sizeof name, "round%d.txt", round);
		fixture_put(f, name, "begin\n");
		snprintf(path, sizeof path, "%s", fixture_path(f, name));
		int next = rand();
		fflush(NULL);
		pid_t editor = fork();
		if (!editor) {
			srand((unsigned)next);
			edit_on(path);
		}
		for (int i = 0; waitpid(editor, &status, WNOHANG) == 0; i++) {
			bool written = write_once(f, name, i);
			enum fault fault = f->call.error.fault;
			done += written;
			refused += !written;
			if (!written && fault != FAULT_CONFLICT && fault != FAULT_NOT_FOUND && fault != FAULT_LOCKED)
				fail_msg("%s", f->call.error.message);
			fixture_next(f);
			usleep((unsigned)(rand() % 8000));
		}
		assert_int_equal(status, 0);
		assert_done(write_once(f, name, 0) || true);
		lines_lost += lost(f, name);
	}
	TRIED("%d saves of five styles, %d writes, %d refused\n", ROUNDS * SAVES, done, refused);
	assert_int_equal(lines_lost, 0);
	assert_true(done > 0);
	assert_int_equal(temps(f), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_ROOT(a_save_that_is_under_way_is_waited_for),
		WITH_ROOT(a_save_into_the_displaced_file_is_not_lost),
		WITH_ROOT(of_two_saves_neither_is_lost),
		WITH_ROOT(a_save_that_is_replaced_unseen_is_in_the_history),
		WITH_ROOT(a_save_after_a_deletion_or_a_move_is_not_lost),
		WITH_ROOT(what_is_written_much_later_is_merged),
		WITH_ROOT(what_cannot_be_merged_is_a_version),
		WITH_ROOT(nothing_that_was_only_open_is_kept),
		WITH_ROOT(what_is_written_much_later_finds_its_document),
		WITH_ROOT(another_process_takes_kept_files_in),
		WITH_ROOT(a_document_that_was_emptied_to_be_written_is_not_taken_as_empty),
#ifdef QUIRE_DEBUG
		WITH_ROOT(a_kill_loses_no_save_either),
#endif
		WITH_ROOT(without_leases_displaced_files_are_kept_for_a_while),
		WITH_ROOT(the_signal_of_a_lease_is_ignored),
		WITH_ROOT(saves_of_five_styles_are_never_lost),
	};
	return RUN_TESTS(tests);
}
