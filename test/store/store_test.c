/* Runs on an SQLite file, and on the server in DATABASE_URL if it is set (postgres_test.py sets it). */
#include "support/check.h"

#include "base/budget.h"
#include "base/clock.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const create_1[] = {"CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT, bytes BLOB) STRICT",
				       NULL};
static const char *const create_2[] = {
	"CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT, bytes BLOB, size INTEGER) STRICT",
	"CREATE INDEX thing_name ON thing (name)", NULL};
static const char *const migrate_2[] = {
	"CREATE TABLE old_thing (id INTEGER PRIMARY KEY, name TEXT, bytes BLOB) STRICT",
	"INSERT INTO old_thing SELECT id, name, bytes FROM thing",
	"DROP TABLE thing",
	"CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT, bytes BLOB, size INTEGER) STRICT",
	"INSERT INTO thing SELECT id, name, bytes, 7 FROM old_thing",
	"DROP TABLE old_thing",
	"CREATE INDEX thing_name ON thing (name)",
	NULL};
static const struct schema_version one[] = {{create_1, NULL}, {NULL, NULL}};
static const struct schema_version two[] = {{create_1, NULL}, {create_2, migrate_2}, {NULL, NULL}};
static const struct schema first = {.name = "test", .application_id = 0x51544553, .versions = one},
			   second = {.name = "test", .application_id = 0x51544553, .versions = two};

static char folder[64], path[128];
static struct arena arena;
static struct call call_;
static struct call *c = &call_;

static const char *server(void) { return getenv("DATABASE_URL"); }

static int setup(void **state)
{
	(void)state;
	snprintf(folder, sizeof folder, "/tmp/quire-store.XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/a#b?c%%.db", folder);
	call_ = (struct call){.arena = &arena};
	return 0;
}

static int teardown(void **state)
{
	char line[128];

	(void)state;
	snprintf(line, sizeof line, "rm -rf %s", folder);
	assert_int_equal(system(line), 0);
	arena_free(&arena);
	return 0;
}

static struct store *open_as(const struct schema *schema, bool read_only)
{
	return store_open(&(struct store_options){.place = server() ? server() : path,
						  .schema = schema,
						  .noun = "the things",
						  .rescue = "quire test rescue",
						  .read_only = read_only,
						  .wait_ms = 2000});
}

static void put(struct transaction *t, int64_t id, const char *name)
{
	struct query q = query_on(t, "INSERT INTO thing (id, name, bytes) VALUES (?1, ?2, ?3)");
	bind_int(&q, id);
	bind_text(&q, text_of(name));
	bind_bytes(&q, (struct text){"\0\1", 2});
	query_run(&q);
}

static void clear(struct store *s)
{
	struct transaction *t;

	assert_true(store_begin(c, s, STORE_WRITE, &t));
	struct query q = query_on(t, "DELETE FROM thing");
	query_run(&q);
	assert_true(transaction_commit(c, t, "clear"));
}

static int64_t count(struct store *s)
{
	struct transaction *t;

	assert_true(store_begin(c, s, STORE_READ, &t));
	struct query q = query_on(t, "SELECT count(*) FROM thing");
	assert_true(query_row(&q));
	int64_t n = query_int(&q, 0);
	assert_true(query_end(&q));
	transaction_rollback(t);
	return n;
}

static void values_come_back_as_they_were(void **state)
{
	struct store *s = open_as(&first, false);
	struct transaction *t;

	(void)state;
	clear(s);
	assert_true(store_begin(c, s, STORE_WRITE, &t));
	put(t, -9007199254740993, "árvíztűrő");
	put(t, 2, NULL);
	assert_true(transaction_commit(c, t, "put"));
	assert_true(store_begin(c, s, STORE_READ, &t));
	struct query q = query_on(t, "SELECT id, name, bytes FROM thing WHERE id < ?1 ORDER BY id");
	bind_int(&q, 3);
	assert_true(query_row(&q));
	assert_int_equal(query_int(&q, 0), -9007199254740993);
	assert_text(query_text(&q, c->arena, 1), "árvíztűrő");
	struct text bytes = query_text(&q, c->arena, 2);
	assert_int_equal(bytes.len, 2);
	assert_memory_equal(bytes.at, "\0\1", 2);
	assert_true(query_row(&q));
	assert_null(query_lent(&q, 1).at);
	assert_false(query_row(&q));
	assert_true(query_end(&q));
	transaction_rollback(t);
	store_close(s);
}

static void a_rollback_and_a_failed_step_leave_nothing(void **state)
{
	struct store *s = open_as(&first, false);
	struct transaction *t;

	(void)state;
	clear(s);
	assert_true(store_begin(c, s, STORE_WRITE, &t));
	put(t, 1, "a");
	transaction_rollback(t);
	assert_int_equal(count(s), 0);
	assert_true(store_begin(c, s, STORE_WRITE, &t));
	put(t, 1, "a");
	put(t, 1, "again");
	assert_false(transaction_commit(c, t, "put"));
	assert_int_equal(c->error.fault, FAULT_STORAGE);
	assert_false(c->again);
	assert_int_equal(count(s), 0);
	store_close(s);
}

static void many_queued_statements_do_not_stall(void **state)
{
	struct store *s = open_as(&first, false);
	struct transaction *t;

	(void)state;
	clear(s);
	assert_true(store_begin(c, s, STORE_WRITE, &t));
	for (int i = 0; i < 5000; i++)
		put(t, i, "x");
	assert_true(transaction_commit(c, t, "put"));
	assert_int_equal(count(s), 5000);
	store_close(s);
}

/* Eight processes add one to the same number, a hundred times each, at the same time. None is refused: each succeeds
 * within the default wait. */
static void writers_do_not_overwrite_each_other(void **state)
{
	struct store *s = open_as(&first, false);
	struct transaction *t;
	enum { WRITERS = 8, ROUNDS = 100 };

	(void)state;
	clear(s);
	assert_true(store_begin(c, s, STORE_WRITE, &t));
	put(t, 1, "0");
	assert_true(transaction_commit(c, t, "put"));
	store_close(s);
	for (int i = 0; i < WRITERS; i++)
		if (!fork()) {
			struct store *mine = store_open(&(struct store_options){
				.place = server() ? server() : path, .schema = &first, .noun = "the things"});
			for (int n = 0; n < ROUNDS; n++) {
				if (!store_begin(c, mine, STORE_WRITE, &t)) {
					fprintf(stderr, "# round %d: %s\n", n, c->error.message);
					_exit(1);
				}
				struct query q = query_on(t, "UPDATE thing SET id = id WHERE id = 1");
				query_run(&q);
				q = query_on(t, "SELECT name FROM thing WHERE id = 1");
				query_row(&q);
				int was = atoi(query_text(&q, c->arena, 0).at);
				query_end(&q);
				q = query_on(t, "UPDATE thing SET name = ?1 WHERE id = 1");
				bind_text(&q, text_format(c->arena, "%d", was + 1));
				query_run(&q);
				if (!transaction_commit(c, t, "count"))
					_exit(1);
			}
			store_close(mine);
			_exit(0);
		}
	for (int i = 0, status; i < WRITERS; i++) {
		wait(&status);
		assert_int_equal(status, 0);
	}
	s = open_as(&first, false);
	assert_true(store_begin(c, s, STORE_READ, &t));
	struct query q = query_on(t, "SELECT name FROM thing WHERE id = 1");
	assert_true(query_row(&q));
	assert_text(query_text(&q, c->arena, 0), "800");
	query_end(&q);
	transaction_rollback(t);
	store_close(s);
}

static void an_older_version_is_migrated_and_keeps_its_rows(void **state)
{
	struct store *s = open_as(&first, false);
	struct transaction *t;

	(void)state;
	clear(s);
	assert_true(store_begin(c, s, STORE_WRITE, &t));
	put(t, 1, "kept");
	assert_true(transaction_commit(c, t, "put"));
	store_close(s);
	s = open_as(&second, false);
	assert_true(store_begin(c, s, STORE_READ, &t));
	struct query q = query_on(t, "SELECT name, size FROM thing");
	assert_true(query_row(&q));
	assert_text(query_text(&q, c->arena, 0), "kept");
	assert_int_equal(query_int(&q, 1), 7);
	query_end(&q);
	transaction_rollback(t);
	store_close(s);
	/* An older program does not change it. */
	s = open_as(&first, false);
	assert_false(store_begin(c, s, STORE_READ, &t));
	assert_non_null(strstr(c->error.hint, "newer quire"));
	store_close(s);
}

static void make_file(void)
{
	struct store *s = open_as(&first, false);
	struct transaction *t;

	assert_true(store_begin(c, s, STORE_WRITE, &t));
	put(t, 1, "x");
	assert_true(transaction_commit(c, t, "put"));
	store_close(s);
}

static void shell(const char *format, ...)
{
	char line[600];
	va_list ap;

	va_start(ap, format);
	vsnprintf(line, sizeof line, format, ap);
	va_end(ap);
	assert_int_equal(system(line), 0);
}

static void reading_makes_no_file(void **state)
{
	struct store *s = open_as(&first, false);
	struct transaction *t = (struct transaction *)1;

	(void)state;
	assert_true(store_begin(c, s, STORE_READ, &t));
	assert_null(t);
	assert_int_not_equal(access(path, F_OK), 0);
	store_close(s);
	s = open_as(&first, true);
	assert_true(store_begin(c, s, STORE_READ, &t));
	assert_null(t);
	assert_false(store_begin(c, s, STORE_WRITE, &t));
	assert_int_equal(c->error.fault, FAULT_READ_ONLY);
	assert_int_not_equal(access(path, F_OK), 0);
	store_close(s);
}

static void read_only_opening_leaves_no_file_behind_and_sees_later_writes(void **state)
{
	char name[160];

	(void)state;
	make_file();
	struct store *s = open_as(&first, true);
	assert_int_equal(count(s), 1);
	snprintf(name, sizeof name, "%s-wal", path);
	assert_int_not_equal(access(name, F_OK), 0);
	struct store *writer = open_as(&first, false);
	struct transaction *t;
	assert_true(store_begin(c, writer, STORE_WRITE, &t));
	put(t, 2, "y");
	assert_true(transaction_commit(c, t, "put"));
	store_close(writer);
	assert_int_equal(count(s), 2);
	store_close(s);
}

static void refused(const char *words)
{
	struct store *s = open_as(&first, false);
	struct transaction *t;

	c->error = (struct error){0};
	assert_false(store_begin(c, s, STORE_WRITE, &t));
	if (!strstr(c->error.message, words))
		fail_msg("%s", c->error.message);
	store_close(s);
}

static void a_planted_trigger_view_or_index_is_refused_by_name(void **state)
{
	(void)state;
	make_file();
	shell("sqlite3 '%s' 'CREATE TRIGGER evil AFTER INSERT ON thing BEGIN DELETE FROM thing; END'", path);
	refused("evil");
	assert_non_null(strstr(c->error.message, "quire test rescue"));
	shell("sqlite3 '%s' 'DROP TRIGGER evil; CREATE VIEW sight AS SELECT 1'", path);
	refused("sight");
	shell("sqlite3 '%s' 'DROP VIEW sight; CREATE INDEX extra ON thing (bytes)'", path);
	refused("extra");
	shell("sqlite3 '%s' 'DROP INDEX extra; ANALYZE'", path);
	struct store *s = open_as(&first, false);
	assert_int_equal(count(s), 1);
	store_close(s);
}

static void the_rows_of_a_refused_file_are_saved(void **state)
{
	char to[128];
	struct texts lost;
	int64_t rows;

	(void)state;
	make_file();
	shell("sqlite3 '%s' 'CREATE TRIGGER evil AFTER INSERT ON thing BEGIN DELETE FROM thing; END'", path);
	snprintf(to, sizeof to, "%s/saved.db", folder);
	const struct store_options o = {.place = path, .schema = &first, .noun = "the things", .wait_ms = 1000};
	assert_true(store_rescue(c, &o, to, &rows, &lost));
	assert_int_equal(rows, 1);
	assert_false(store_rescue(c, &o, to, &rows, &lost)); /* the file exists now */
	snprintf(path, sizeof path, "%s", to);
	struct store *s = open_as(&first, false);
	assert_int_equal(count(s), 1);
	store_close(s);
}

static void what_is_no_database_of_ours_is_refused_and_kept(void **state)
{
	(void)state;
	shell("printf 'words, not rows, and quite a lot of them, so that it could be a page' > '%s'", path);
	refused("damaged");
	shell("grep -q 'words, not rows' '%s'", path);
	shell("rm '%s'; sqlite3 '%s' 'CREATE TABLE other (x)'", path, path);
	refused("another program");
}

static void links_and_journals_that_name_other_files_are_refused(void **state)
{
	(void)state;
	shell("ln -s /etc/passwd '%s'", path);
	refused("not a regular file");
	shell("rm '%s'", path);
	make_file();
	shell("ln -s /tmp '%s-wal'", path);
	refused("not a regular file");
	shell("rm -f '%s-wal'; printf 'name\\331\\325\\005\\371\\040\\241\\143\\327' > '%s-journal'", path, path);
	refused("names another file");
}

static void a_file_that_was_replaced_is_opened_anew(void **state)
{
	(void)state;
	make_file();
	shell("cp '%s' '%s.backup'", path, path);
	struct store *s = open_as(&first, false);
	struct transaction *t;
	assert_true(store_begin(c, s, STORE_WRITE, &t));
	put(t, 2, "later");
	assert_true(transaction_commit(c, t, "put"));
	assert_int_equal(count(s), 2);
	shell("rm -f '%s' '%s-wal' '%s-shm'; cp '%s.backup' '%s'", path, path, path, path, path);
	assert_int_equal(count(s), 1);
	store_close(s);
}

static void a_private_file_is_the_owners_alone(void **state)
{
	struct stat st;
	struct transaction *t;

	(void)state;
	struct store *s = store_open(&(struct store_options){
		.place = path, .schema = &first, .noun = "the things", .mode = 0600, .is_cache = true});
	assert_true(store_begin(c, s, STORE_WRITE, &t));
	assert_true(transaction_commit(c, t, "make"));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	store_close(s);
}

/* Another process creates the tables when the countdown ends: before one of SQLite's locks. */
static int moments_left, tables_made;

static void make_tables_elsewhere(void)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		execl("/proc/self/exe", "store_test", path, NULL);
		_exit(1);
	}
	/* If this process holds a lock, the other one cannot continue, so do not wait for it. */
	for (int i = 0; i < 15; i++) {
		if (waitpid(pid, &status, WNOHANG) == pid) {
			tables_made += status == 0;
			return;
		}
		usleep(10000);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
}

int __real_fcntl64(int fd, int command, void *more);
int __wrap_fcntl64(int fd, int command, void *more);
int __wrap_fcntl64(int fd, int command, void *more)
{
	if (moments_left && !--moments_left)
		make_tables_elsewhere();
	return __real_fcntl64(fd, command, more);
}

static void tables_that_are_made_while_the_file_is_opened_are_ours(void **state)
{
	int n = 1;

	(void)state;
	for (bool fired = true; fired; n++) {
		struct transaction *t;

		snprintf(path, sizeof path, "%s/%d.db", folder, n);
		shell("sqlite3 %s 'PRAGMA journal_mode=WAL' >/dev/null", path);
		struct store *s = open_as(&first, false);
		moments_left = n;
		bool begun = store_begin(c, s, STORE_READ, &t);
		fired = !moments_left;
		moments_left = 0;
		if (!begun)
			fail_msg("at lock %d: %s", n, c->error.message);
		transaction_rollback(t);
		assert_int_equal(count(s), 0);
		store_close(s);
	}
	print_message("# %d moments, tables made at %d of them\n", n, tables_made);
	assert_true(n > 10);
}

static int make_tables(const char *place)
{
	struct transaction *t;
	struct store *s = store_open(
		&(struct store_options){.place = place, .schema = &first, .noun = "the things", .wait_ms = 2000});

	call_ = (struct call){.arena = &arena};
	bool made = store_begin(c, s, STORE_WRITE, &t) && transaction_commit(c, t, "make");
	store_close(s);
	return made ? 0 : 1;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

/* A statement that never returns its first row, and one that never ends writing. */
static void count_for_ever(void *of)
{
	struct transaction *t;

	assert_true(store_begin(c, of, STORE_READ, &t));
	struct query q =
		query_on(t, "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
	assert_false(query_row(&q));
	assert_false(query_end(&q));
	assert_false(transaction_fail(c, t, "count"));
	transaction_rollback(t);
}

static void write_for_ever(void *of)
{
	struct transaction *t;

	assert_true(store_begin(c, of, STORE_WRITE, &t));
	struct query q = query_on(t, "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
				     "INSERT INTO thing (id, name) SELECT i, 'n' FROM n");
	assert_false(query_run(&q));
	assert_false(transaction_commit(c, t, "write"));
}

static void a_statement_without_end_ends_with_its_call(void **state)
{
	struct store *s = open_as(&first, false);
	void (*const endless[])(void *) = {count_for_ever, write_for_ever};

	(void)state;
	clear(s);
	for (size_t i = 0; i < 2; i++) {
		struct budget b = {.deadline = clock_ticks() + 20};

		call_.error = (struct error){0};
		budget_run(&b, &arena, endless[i], s); /* ends because it is refused */
		assert_int_equal(call_.error.fault, FAULT_TIMEOUT);
		assert_int_equal(count(s), 0);
	}
	store_close(s);
}

static bool flush_fails;
static int flushes;

int __real_fdatasync(int fd);
int __wrap_fdatasync(int fd);
int __wrap_fdatasync(int fd)
{
	flushes++;
	return flush_fails ? (errno = EIO, -1) : __real_fdatasync(fd);
}

static bool put_one(struct store *s, int64_t id)
{
	struct transaction *t;

	if (!store_begin(c, s, STORE_WRITE, &t))
		return false;
	put(t, id, "one");
	return transaction_commit(c, t, "put it");
}

static void after_a_failed_flush_nothing_is_written_any_more(void **state)
{
	struct store *s = open_as(&first, false);

	(void)state;
	assert_true(put_one(s, 1));
	flush_fails = true;
	assert_false(put_one(s, 2));
	flush_fails = false;
	assert_non_null(strstr(call_.error.message, "unknown whether"));
	flushes = 0;
	assert_false(put_one(s, 3));
	assert_int_equal(call_.error.fault, FAULT_STORAGE);
	assert_non_null(strstr(call_.error.hint, "nothing was changed now"));
	assert_int_equal(flushes, 0);
	assert_int_equal(count(s), 1);
	store_close(s);
	s = open_as(&first, false); /* like another process */
	assert_true(put_one(s, 4));
	assert_true(count(s) >= 2);
	store_close(s);
}

/* A process was killed between writing and flushing: the next one flushes the data before it relies on it. */
static void what_a_killed_process_left_in_the_journal_is_flushed_first(void **state)
{
	(void)state;
	for (int fails = 0; fails < 2; fails++) {
		pid_t pid = fork();
		if (!pid) {
			struct store *dying = open_as(&first, false);
			_exit(put_one(dying, 10 + fails) ? 0 : 1);
		}
		int status;
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
		struct store *s = open_as(&first, false);
		flushes = 0;
		flush_fails = fails;
		assert_int_equal(count(s), 1 + fails);
		flush_fails = false;
		int once = flushes;
		assert_true(once > 0);
		assert_int_equal(count(s), 1 + fails);
		assert_int_equal(flushes, once);
		assert_int_equal(store_flush_failed(s), fails);
		if (fails)
			assert_false(put_one(s, 20));
		store_close(s);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return make_tables(argv[1]);
	const struct CMUnitTest both[] = {
		TEST(values_come_back_as_they_were),
		TEST(a_rollback_and_a_failed_step_leave_nothing),
		TEST(many_queued_statements_do_not_stall),
		TEST(writers_do_not_overwrite_each_other),
		TEST(an_older_version_is_migrated_and_keeps_its_rows),
	};
	const struct CMUnitTest all[] = {
		TEST(values_come_back_as_they_were),
		TEST(a_rollback_and_a_failed_step_leave_nothing),
		TEST(many_queued_statements_do_not_stall),
		TEST(writers_do_not_overwrite_each_other),
		TEST(an_older_version_is_migrated_and_keeps_its_rows),
		TEST(tables_that_are_made_while_the_file_is_opened_are_ours),
		TEST(a_statement_without_end_ends_with_its_call),
		TEST(reading_makes_no_file),
		TEST(read_only_opening_leaves_no_file_behind_and_sees_later_writes),
		TEST(a_planted_trigger_view_or_index_is_refused_by_name),
		TEST(the_rows_of_a_refused_file_are_saved),
		TEST(what_is_no_database_of_ours_is_refused_and_kept),
		TEST(links_and_journals_that_name_other_files_are_refused),
		TEST(a_file_that_was_replaced_is_opened_anew),
		TEST(a_private_file_is_the_owners_alone),
		TEST(after_a_failed_flush_nothing_is_written_any_more),
		TEST(what_a_killed_process_left_in_the_journal_is_flushed_first),
	};

	return server() ? RUN_TESTS(both) : RUN_TESTS(all);
}
