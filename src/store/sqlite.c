/* sqlite.c: rows in a file. The one file of this room that includes sqlite3.h. */
#include "store/driver.h"

#include "base/budget.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/own.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VALUE_MAX = 1 << 30, STATEMENTS_FIRST = 32, JOURNAL_MAX = 16 << 20, INSTRUCTIONS_A_LOOK = 16 << 10 };
/* The -wal file: the number of pages at which it is copied into the database, and the size of the zeros kept after its
 * end. */
enum { CHECKPOINT_PAGES = 1000, FRAME = 4096 + 24, AHEAD_LEAST = 64 << 10, AHEAD_MOST = 1 << 20 };

struct kept {
	const char *text;
	sqlite3_stmt *statement;
};

struct file_session {
	struct session session;
	sqlite3 *sql;
	struct kept *kept;
	size_t n, cap;
	bool is_immutable, is_lazy;
	/* True while rows are read, when the call may end; false in BEGIN, COMMIT and our own statements. */
	bool is_stepping;
	struct timespec changed; /* of an immutable file: its modification time when it was opened */
	int64_t wait_until;      /* clock_ticks(): end of the current wait for another writer */
	int64_t wal_used;        /* used bytes of the -wal file after our last commit; 0: unknown */
};

static struct file_session *mine(struct session *s) { return (struct file_session *)s; }

static enum trouble trouble_of(int code)
{
	switch (code & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED: return TROUBLE_BUSY;
	case SQLITE_FULL: return TROUBLE_FULL;
	case SQLITE_READONLY:
	case SQLITE_PERM: return TROUBLE_READ_ONLY;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB: return TROUBLE_DAMAGED;
	case SQLITE_INTERRUPT: return TROUBLE_LIMIT;
	default: return TROUBLE_OTHER;
	}
}

/* Keeps the first failure: a rollback that succeeds afterwards would hide it. */
static bool note(struct file_session *f)
{
	int code = sqlite3_extended_errcode(f->sql);
	bool is_flush = code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_DIR_FSYNC;

	if (is_flush)
		atomic_store(&f->session.store->flush_failed, true);
	if (f->session.trouble)
		return false;
	f->session.trouble = is_flush ? TROUBLE_FLUSH : trouble_of(code);
	snprintf(f->session.said, sizeof f->session.said, "%s", sqlite3_errmsg(f->sql));
	return false;
}

static bool run_sql(struct file_session *f, const char *sql)
{
	return sqlite3_exec(f->sql, sql, NULL, NULL, NULL) == SQLITE_OK || note(f);
}

static void file_close(struct session *s)
{
	struct file_session *f = mine(s);

	for (size_t i = 0; i < f->n; i++)
		sqlite3_finalize(f->kept[i].statement);
	sqlite3_close(f->sql);
	free(f->kept);
	free(f);
}

static bool file_is_current(struct session *s)
{
	struct file_session *f = mine(s);
	struct stat st;

	if (lstat(s->store->options.place, &st) || st.st_dev != s->device || st.st_ino != s->inode)
		return false;
	/* SQLite never checks an immutable file for changes, so we do. */
	return !f->is_immutable || (st.st_mtim.tv_sec == f->changed.tv_sec && st.st_mtim.tv_nsec == f->changed.tv_nsec);
}

static void distrust(sqlite3 *sql)
{
	int is;

	sqlite3_db_config(sql, SQLITE_DBCONFIG_DEFENSIVE, 1, &is);
	sqlite3_db_config(sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &is);
	sqlite3_db_config(sql, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, &is);
	sqlite3_db_config(sql, SQLITE_DBCONFIG_ENABLE_VIEW, 0, &is);
	sqlite3_db_config(sql, SQLITE_DBCONFIG_DQS_DDL, 0, &is);
	sqlite3_db_config(sql, SQLITE_DBCONFIG_DQS_DML, 0, &is);
	sqlite3_limit(sql, SQLITE_LIMIT_LENGTH, VALUE_MAX);
	sqlite3_limit(sql, SQLITE_LIMIT_ATTACHED, 0);
}

static int64_t one_number(sqlite3 *sql, const char *query)
{
	sqlite3_stmt *s = NULL;
	int64_t n = -1;

	if (sqlite3_prepare_v2(sql, query, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
		n = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return n;
}

/* ANALYZE adds statistics tables, which do not change the schema's meaning. */
static const char schema_list[] = "SELECT name, type, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE "
				  "'sqlite\\_stat_' ESCAPE '\\' ORDER BY name, type";

static bool same_column(sqlite3_stmt *a, sqlite3_stmt *b, int column)
{
	const char *one = (const char *)sqlite3_column_text(a, column);
	const char *two = (const char *)sqlite3_column_text(b, column);

	return one && two ? !strcmp(one, two) : one == two;
}

/* The first object that differs, or NULL. Both lists have the same order and are walked together. */
static const char *first_difference(struct arena *a, sqlite3 *have, sqlite3 *want)
{
	sqlite3_stmt *h = NULL, *w = NULL;
	const char *name = NULL;
	bool more = sqlite3_prepare_v2(have, schema_list, -1, &h, NULL) == SQLITE_OK &&
		    sqlite3_prepare_v2(want, schema_list, -1, &w, NULL) == SQLITE_OK;

	if (!more)
		name = "sqlite_schema";
	while (more && !name) {
		int one = sqlite3_step(h), two = sqlite3_step(w);
		bool same = one == SQLITE_ROW && two == SQLITE_ROW;

		more = same;
		for (int i = 0; same && i < 4; i++)
			same = same_column(h, w, i);
		if (same || (one == SQLITE_DONE && two == SQLITE_DONE))
			continue;
		sqlite3_stmt *at = one == SQLITE_ROW ? h : w;
		const char *said =
			one == SQLITE_ROW || two == SQLITE_ROW ? (const char *)sqlite3_column_text(at, 0) : NULL;
		name = text_string(a, text_of(said ? said : "sqlite_schema"));
	}
	sqlite3_finalize(h);
	sqlite3_finalize(w);
	return name;
}

static bool run_list(sqlite3 *sql, const char *const *list)
{
	for (; list && *list; list++)
		if (sqlite3_exec(sql, *list, NULL, NULL, NULL) != SQLITE_OK)
			return false;
	return true;
}

static size_t newest(const struct schema *schema)
{
	size_t n = 0;

	while (schema->versions[n].create)
		n++;
	return n;
}

static bool refuse_schema(struct call *c, const struct store_options *o, const char *object)
{
	return fail(
		c, FAULT_STORAGE,
		"%s is not opened: its table, index or trigger %s is not one of ours, so the file may be malicious%s%s",
		o->place, shown(c, text_of(object)), o->rescue ? "; to save its rows into a fresh file: " : "",
		o->rescue ? o->rescue : "");
}

/* Compares with the schema that our own statements create in an empty database, so nothing depends on how SQLite stores
 * it. */
static bool schema_holds(struct call *c, struct file_session *f, const struct store_options *o, int64_t version)
{
	sqlite3 *model = NULL;
	const char *differs = "sqlite_schema";

	if (sqlite3_open_v2(":memory:", &model, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
	    run_list(model, o->schema->versions[version - 1].create))
		differs = first_difference(c->arena, f->sql, model);
	sqlite3_close(model);
	return !differs || refuse_schema(c, o, differs);
}

static bool is_blank(struct file_session *f) { return one_number(f->sql, "SELECT count(*) FROM sqlite_schema") == 0; }

static bool refuse_version(struct call *c, const struct store_options *o, int64_t version)
{
	return fail(c, FAULT_STORAGE,
		    "%s has version %lld of its tables, and this quire knows versions up to %zu; use a "
		    "newer quire",
		    o->place, (long long)version, newest(o->schema));
}

static bool refuse_stranger(struct call *c, const struct store_options *o)
{
	return fail(c, FAULT_STORAGE,
		    "%s is an SQLite database of another program, so it cannot hold %s; name another file", o->place,
		    o->noun);
}

static bool upgrade(struct call *c, struct file_session *f, const struct store_options *o)
{
	char set[96];
	size_t to = newest(o->schema);

	if (!run_sql(f, "BEGIN IMMEDIATE"))
		return transaction_fail(c, (struct transaction *)f, "open the database");
	/* Another process may have upgraded it while we waited. */
	int64_t from = one_number(f->sql, "PRAGMA user_version");
	bool done = true;
	if (from == 0 && is_blank(f))
		done = run_list(f->sql, o->schema->versions[to - 1].create);
	for (int64_t v = from; done && v > 0 && v < (int64_t)to; v++)
		done = run_list(f->sql, o->schema->versions[v].migrate);
	snprintf(set, sizeof set, "PRAGMA user_version=%zu; PRAGMA application_id=%d", to,
		 (int)(int32_t)o->schema->application_id);
	done = done && run_sql(f, set) && run_sql(f, "COMMIT");
	if (done)
		return true;
	note(f);
	transaction_fail(c, (struct transaction *)f, "make the tables");
	sqlite3_exec(f->sql, "ROLLBACK", NULL, NULL, NULL);
	return false;
}

/* Reads the file's application id and version; *version stays -1 if it cannot be read. All in one snapshot: another
 * process may be making the tables at this moment. */
static bool tables_are_ours(struct call *c, struct file_session *f, const struct store_options *o, int64_t *version)
{
	int64_t now = one_number(f->sql, "PRAGMA user_version");
	int64_t application = one_number(f->sql, "PRAGMA application_id");
	int64_t tables = one_number(f->sql, "SELECT count(*) FROM sqlite_schema");
	bool is_fresh = now == 0 && tables == 0;

	/* The version and the number of tables are never negative, but an application id may be. */
	if (now < 0 || tables < 0) {
		note(f);
		return transaction_fail(c, (struct transaction *)f, "open the database");
	}
	if (!is_fresh && (uint32_t)application != o->schema->application_id)
		return refuse_stranger(c, o);
	if (now > (int64_t)newest(o->schema))
		return refuse_version(c, o, now);
	if (!is_fresh && now == 0)
		return refuse_schema(c, o, "user_version");
	*version = now;
	return is_fresh || schema_holds(c, f, o, now);
}

static bool check_tables(struct call *c, struct file_session *f, const struct store_options *o)
{
	int64_t version = -1;

	if (!run_sql(f, "BEGIN"))
		return transaction_fail(c, (struct transaction *)f, "open the database");
	bool are_ours = tables_are_ours(c, f, o, &version);
	sqlite3_exec(f->sql, "COMMIT", NULL, NULL, NULL);
	if (!are_ours)
		return false;
	if (version == (int64_t)newest(o->schema))
		return true;
	if (o->read_only && o->schema->readable_from && version >= o->schema->readable_from)
		return true;
	if (o->read_only)
		return fail(c, FAULT_READ_ONLY,
			    "%s has an older version of its tables, and this server is read-only; open it "
			    "once without --read-only",
			    o->place);
	return upgrade(c, f, o) && schema_holds(c, f, o, (int64_t)newest(o->schema));
}

/* Makes SQLite's URI of a path: only characters that would end the path are escaped. */
static void uri_of_path(const char *path, const char *query, char *to, size_t room)
{
	size_t n = (size_t)snprintf(to, room, "file:");

	for (; *path && n + 4 < room; path++)
		n += strchr("%?#", *path) ? (size_t)snprintf(to + n, room - n, "%%%02X", (unsigned char)*path)
					  : (size_t)snprintf(to + n, room - n, "%c", *path);
	snprintf(to + n, room - n, "%s", query);
}

/* SQLite's own wait checks every 100 ms. That is too rare to meet the gap between two commits of a busy writer, so
 * check often. A random sleep keeps several waiting processes out of step. */
static int wait_briefly(void *session, int looks)
{
	enum { NAP_LEAST_US = 500, NAP_MORE_US = 2000 };
	struct file_session *f = session;

	if (!looks)
		f->wait_until = clock_ticks() + f->session.store->options.wait_ms;
	if (clock_ticks() >= f->wait_until || budget_passed() != BUDGET_KEPT)
		return 0;
	usleep(NAP_LEAST_US + random_below(NAP_MORE_US));
	return 1;
}

/* A statement may run long between two rows. SQLite's frames must not be unwound, so the statement is interrupted
 * instead. */
static int ends_now(void *session)
{
	const struct file_session *f = session;

	return f->is_stepping && budget_passed() != BUDGET_KEPT;
}

/* SQLite itself sleeps up to ten seconds in all while another process has a lock that it never released. A call that is
 * over stops waiting: the remaining tries fail at once. */
static int sleep_while_allowed(sqlite3_vfs *vfs, int us)
{
	enum { STEP_US = 10 * 1000 };
	int left = us;

	(void)vfs;
	for (; left > 0 && budget_passed() == BUDGET_KEPT; left -= STEP_US)
		usleep((useconds_t)(left < STEP_US ? left : STEP_US));
	return us;
}

static const char file_system[] = "quire";

/* SQLite's own file system with that sleep, registered once in a process. */
static void prepare_files(void)
{
	sqlite3_mutex *mutex = sqlite3_initialize() == SQLITE_OK ? sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1) : NULL;

	sqlite3_mutex_enter(mutex);
	const sqlite3_vfs *own = sqlite3_vfs_find(NULL);
	if (own && !sqlite3_vfs_find(file_system)) {
		sqlite3_vfs *vfs = budget_memory(NULL, sizeof *vfs);
		*vfs = *own;
		vfs->pNext = NULL;
		vfs->zName = file_system;
		vfs->xSleep = sleep_while_allowed;
		sqlite3_vfs_register(vfs, 0);
	}
	sqlite3_mutex_leave(mutex);
}

static bool connect_file(struct file_session *f, const struct store_options *o)
{
	char uri[3 * DATABASE_PATH_MAX];
	int mode = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_URI;

	mode |= o->read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
	uri_of_path(o->place, f->is_immutable ? "?immutable=1" : "", uri, sizeof uri);
	prepare_files();
	bool opened = sqlite3_open_v2(uri, &f->sql, mode, file_system) == SQLITE_OK;
	if (!opened)
		return note(f);
	sqlite3_extended_result_codes(f->sql, 1);
	sqlite3_busy_handler(f->sql, wait_briefly, f);
	sqlite3_progress_handler(f->sql, INSTRUCTIONS_A_LOOK, ends_now, f);
	distrust(f->sql);
	/* No part of a document may be written to temporary files outside the root. */
	return run_sql(
		f, "PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY; PRAGMA foreign_keys=ON; PRAGMA mmap_size=0; "
		   "PRAGMA cache_size=-8192");
}

/* Works like SQLite's own hook, but reports a failed flush: the pages may be lost from the kernel's memory, and the
 * next checkpoint would succeed and discard their copy in the -wal file. */
static int after_commit(void *session, sqlite3 *sql, const char *name, int pages)
{
	struct file_session *f = session;

	f->wal_used = (int64_t)pages * FRAME;
	if (pages < CHECKPOINT_PAGES)
		return SQLITE_OK;
	int r = sqlite3_wal_checkpoint_v2(sql, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	if (r != SQLITE_IOERR_FSYNC)
		return SQLITE_OK;
	atomic_store(&f->session.store->flush_failed, true);
	return r;
}

static sqlite3_file *wal_of(struct file_session *f)
{
	sqlite3_file *wal = NULL;

	if (sqlite3_file_control(f->sql, "main", SQLITE_FCNTL_JOURNAL_POINTER, &wal) != SQLITE_OK || !wal)
		return NULL;
	return wal->pMethods ? wal : NULL;
}

/* The bytes of the -wal file may be in the kernel's memory only, if the process that wrote them was killed before its
 * flush. Flush them before anything acts on a record in them or reports it. A failure is not an error of this session,
 * which may still read; the store remembers it. */
static void settle_journal(struct file_session *f)
{
	struct store *s = f->session.store;

	if (s->options.is_cache || atomic_load(&s->flush_failed) || atomic_exchange(&s->is_settled, true))
		return;
	sqlite3_file *wal = wal_of(f);
	if (wal && wal->pMethods->xSync(wal, SQLITE_SYNC_NORMAL) != SQLITE_OK)
		atomic_store(&s->flush_failed, true);
}

/* A flush of bytes that extend a file waits for the file system's journal. A flush of overwritten bytes does not, and
 * costs half. So the -wal file is extended with zeros, which are not valid frames. Nobody else reads or writes after
 * its end while we hold the writer's lock. Failures are ignored here: the write itself will report them. */
static void reach_ahead(struct file_session *f)
{
	static const char zeros[AHEAD_LEAST];
	sqlite3_file *wal = f->wal_used ? wal_of(f) : NULL;
	sqlite3_int64 size;

	if (!wal || wal->pMethods->xFileSize(wal, &size) != SQLITE_OK || size - f->wal_used >= AHEAD_LEAST)
		return;
	sqlite3_int64 more = f->wal_used < AHEAD_MOST ? f->wal_used : AHEAD_MOST;
	for (sqlite3_int64 i = 0; i < more; i += AHEAD_LEAST)
		if (wal->pMethods->xWrite(wal, zeros, AHEAD_LEAST, size + i) != SQLITE_OK)
			return;
}

static bool choose_journal(struct file_session *f, const struct store_options *o, bool is_remote)
{
	int64_t until = clock_ticks() + o->wait_ms;
	char limit[64];
	bool chosen;

	/* While another process creates the file, switching to WAL reports BUSY at once, whatever the timeout. */
	while (!(chosen = run_sql(f, is_remote ? "PRAGMA journal_mode=DELETE" : "PRAGMA journal_mode=WAL")) &&
	       f->session.trouble == TROUBLE_BUSY && clock_ticks() < until && budget_passed() == BUDGET_KEPT) {
		f->session.trouble = TROUBLE_NONE;
		usleep(1000);
	}
	snprintf(limit, sizeof limit, "PRAGMA journal_size_limit=%d", JOURNAL_MAX);
	sqlite3_wal_hook(f->sql, after_commit, f);
	return chosen && run_sql(f, o->is_cache ? "PRAGMA synchronous=NORMAL" : "PRAGMA synchronous=FULL") &&
	       run_sql(f, limit);
}

/* SQLite opens a file read-only when it cannot open it for writing, and reports no error. */
static bool is_degraded(struct file_session *f, const struct store_options *o)
{
	return !o->read_only && sqlite3_db_readonly(f->sql, "main") == 1;
}

static struct file_session *session_new(struct store *s, const struct database_file *look)
{
	struct file_session *f = budget_zero(1, sizeof *f);

	f->session =
		(struct session){.driver = &sqlite_driver, .store = s, .device = look->device, .inode = look->inode};
	return f;
}

static bool may_read_only(struct call *c, const struct store_options *o, const struct database_file *look)
{
	if (!o->read_only || !look->has_wal || look->has_shm)
		return true;
	return fail(c, FAULT_STORAGE,
		    "%s has changes in its -wal file, and reading them would make a new file, which a read-only server "
		    "does not; open it once without --read-only",
		    o->place);
}

static struct session *open_there(struct call *c, struct store *s, const struct database_file *look)
{
	struct file_session *f = session_new(s, look);
	const struct store_options *o = &s->options;
	struct stat st;

	f->is_immutable = o->read_only && !look->has_wal;
	if (f->is_immutable && !lstat(o->place, &st))
		f->changed = st.st_mtim;
	bool opened = connect_file(f, o) && (o->read_only || choose_journal(f, o, look->is_remote));
	if (!opened)
		transaction_fail(c, (struct transaction *)f, "open the database");
	if (opened && is_degraded(f, o))
		opened = fail(c, FAULT_DENIED, "%s is read-only to this process; check its permissions", o->place);
	/* Another process is about to create the tables: there is nothing to read yet. */
	bool is_unmade = opened && o->read_only && one_number(f->sql, "PRAGMA user_version") == 0 && is_blank(f);
	if (opened && !is_unmade && check_tables(c, f, o)) {
		if (!o->read_only && look->has_wal)
			settle_journal(f);
		return &f->session;
	}
	file_close(&f->session);
	return NULL;
}

static struct session *file_open(struct call *c, struct store *s, enum store_mode mode)
{
	const struct store_options *o = &s->options;
	struct database_file look;
	struct session *opened = NULL;

	if (!database_file_look(c, o, &look) || !may_read_only(c, o, &look))
		return NULL;
	if (look.is_there && look.size && !o->read_only)
		return open_there(c, s, &look);
	/* An empty file is left over from a crash while it was being created. */
	if (mode == STORE_READ || o->read_only)
		return look.is_there && (look.size || look.has_wal) ? open_there(c, s, &look) : NULL;
	int folder = database_file_lock(c, o);
	if (folder < 0)
		return NULL;
	if (database_file_make(c, o, folder) && database_file_look(c, o, &look))
		opened = open_there(c, s, &look);
	fd_drop(&folder);
	return opened;
}

static bool file_begin(struct session *s, enum store_mode mode)
{
	struct file_session *f = mine(s);
	bool lazy = mode == STORE_WRITE_LAZY;

	/* SQLite allows changing this setting only outside of a transaction. */
	if (mode != STORE_READ && !s->store->options.is_cache && f->is_lazy != lazy) {
		if (!run_sql(f, lazy ? "PRAGMA synchronous=NORMAL" : "PRAGMA synchronous=FULL"))
			return false;
		f->is_lazy = lazy;
	}
	sqlite3_stmt *begin = s->driver->prepared(s, mode == STORE_READ ? "BEGIN" : "BEGIN IMMEDIATE");
	if (!begin)
		return false;
	bool begun = sqlite3_step(begin) == SQLITE_DONE;
	sqlite3_reset(begin);
	if (begun && mode == STORE_WRITE)
		reach_ahead(f);
	return begun || note(f);
}

static bool file_commit(struct session *s)
{
	sqlite3_stmt *commit = s->driver->prepared(s, "COMMIT");
	bool done = commit && sqlite3_step(commit) == SQLITE_DONE;

	if (!done)
		note(mine(s));
	sqlite3_reset(commit);
	return done;
}

static void file_rollback(struct session *s)
{
	struct file_session *f = mine(s);

	/* Without memory even a rollback can fail. Then the session is not used again. */
	if (!sqlite3_get_autocommit(f->sql) && sqlite3_exec(f->sql, "ROLLBACK", NULL, NULL, NULL) != SQLITE_OK &&
	    !sqlite3_get_autocommit(f->sql))
		note(f);
}

static void *file_prepared(struct session *s, const char *sql)
{
	struct file_session *f = mine(s);
	sqlite3_stmt *made = NULL;

	for (size_t i = 0; i < f->n; i++)
		if (f->kept[i].text == sql)
			return f->kept[i].statement;
	if (sqlite3_prepare_v3(f->sql, sql, -1, SQLITE_PREPARE_PERSISTENT, &made, NULL) != SQLITE_OK) {
		note(f);
		return NULL;
	}
	if (f->n == f->cap) {
		f->cap = f->cap ? f->cap * 2 : STATEMENTS_FIRST;
		f->kept = budget_memory(f->kept, f->cap * sizeof *f->kept);
	}
	f->kept[f->n++] = (struct kept){sql, made};
	return made;
}

static void file_bind(struct query *q, struct text value, int64_t number, int type)
{
	int at = ++q->bound, r = SQLITE_OK;

	/* The bytes belong to the caller's arena and outlive the query: nothing is copied. */
	if (type == BIND_INT)
		r = sqlite3_bind_int64(q->statement, at, number);
	else if (type == BIND_TEXT)
		r = sqlite3_bind_text64(q->statement, at, value.at, value.len, SQLITE_STATIC, SQLITE_UTF8);
	else if (type == BIND_BYTES)
		r = sqlite3_bind_blob64(q->statement, at, value.at, value.len, SQLITE_STATIC);
	else
		r = sqlite3_bind_null(q->statement, at);
	if (r != SQLITE_OK)
		q->failed = !note(mine(&q->on->session));
}

static bool file_row(struct query *q)
{
	struct file_session *f = mine(&q->on->session);

	f->is_stepping = true;
	int r = sqlite3_step(q->statement);
	f->is_stepping = false;
	if (r != SQLITE_ROW && r != SQLITE_DONE)
		q->failed = !note(f);
	return r == SQLITE_ROW;
}

static struct text file_column(struct query *q, int column)
{
	if (sqlite3_column_type(q->statement, column) == SQLITE_NULL)
		return (struct text){0};
	const void *bytes = sqlite3_column_blob(q->statement, column);
	return (struct text){bytes ? bytes : "", (size_t)sqlite3_column_bytes(q->statement, column)};
}

static int64_t file_number(struct query *q, int column) { return sqlite3_column_int64(q->statement, column); }
static bool file_run(struct query *q) { return file_row(q) || !q->failed; }

static void file_end(struct query *q)
{
	sqlite3_reset(q->statement);
	sqlite3_clear_bindings(q->statement);
}

const struct driver sqlite_driver = {
	.open = file_open,
	.close = file_close,
	.is_current = file_is_current,
	.begin = file_begin,
	.commit = file_commit,
	.rollback = file_rollback,
	.prepared = file_prepared,
	.bind = file_bind,
	.row = file_row,
	.column = file_column,
	.number = file_number,
	.run = file_run,
	.end = file_end,
};

int64_t sqlite_last_id(struct session *s) { return sqlite3_last_insert_rowid(mine(s)->sql); }

bool sqlite_compact(struct session *s)
{
	struct file_session *f = mine(s);

	/* VACUUM attaches its copy for a moment. */
	sqlite3_limit(f->sql, SQLITE_LIMIT_ATTACHED, 1);
	bool done = run_sql(f, "VACUUM");
	sqlite3_limit(f->sql, SQLITE_LIMIT_ATTACHED, 0);
	if (!done)
		return false;
	if (one_number(f->sql, "PRAGMA wal_checkpoint(TRUNCATE)") <= 0)
		return true;
	s->trouble = TROUBLE_BUSY;
	return false;
}

/* Copies one table from a file that may be damaged. The first column read is the row's number. */
struct copying {
	sqlite3 *from, *to;
	const char *table;
	sqlite3_stmt *read, *write;
	bool has_numbers; /* false: a table WITHOUT ROWID, which can only be read from its start */
	int columns;
	int64_t rows;
};

/* The rows from number *at on, until one cannot be read; *at: after the last one that was copied. */
static bool copy_from(struct copying *k, int64_t *at)
{
	bool advances = true;
	int r;

	if (k->has_numbers)
		sqlite3_bind_int64(k->read, 1, *at);
	while ((r = sqlite3_step(k->read)) == SQLITE_ROW && advances) {
		int64_t row = sqlite3_column_int64(k->read, 0);
		advances = !k->has_numbers || (row >= *at && row < INT64_MAX);
		if (!advances)
			break;
		for (int i = 0; i < k->columns; i++)
			sqlite3_bind_value(k->write, i + 1, sqlite3_column_value(k->read, i + 1));
		k->rows += sqlite3_step(k->write) == SQLITE_DONE;
		sqlite3_reset(k->write);
		*at = row + 1;
	}
	sqlite3_reset(k->read);
	return r == SQLITE_DONE;
}

static bool can_read(struct copying *k, int64_t at)
{
	sqlite3_bind_int64(k->read, 1, at);
	int r = sqlite3_step(k->read);
	sqlite3_reset(k->read);
	return r == SQLITE_ROW || r == SQLITE_DONE;
}

/* Finds the first number after a bad page from which rows can be read again. False: there is none. */
static bool skip(struct copying *k, int64_t *at)
{
	int64_t bad = *at, good = bad;

	for (int64_t step = 1; good == bad; step *= 2) {
		if (step > (INT64_MAX - *at) / 2)
			return false;
		if (can_read(k, *at + step))
			good = *at + step;
		else
			bad = good = *at + step;
		if (bad != good)
			break;
	}
	while (good - bad > 1) {
		int64_t middle = bad + (good - bad) / 2;
		*(can_read(k, middle) ? &good : &bad) = middle;
	}
	*at = good;
	return true;
}

static void lose(struct call *c, struct texts *lost, struct text what)
{
	ARRAY(struct text) list = {.items = lost->items, .n = lost->n, .cap = lost->n};

	*ARRAY_PUSH(c->arena, &list) = what;
	*lost = (struct texts){list.items, list.n};
}

static void copy_all(struct call *c, struct copying *k, struct texts *lost)
{
	int64_t at = INT64_MIN + 1;

	while (!copy_from(k, &at)) {
		int64_t from = at = at < 0 ? 0 : at; /* our rows are counted from 1 */
		bool more = k->has_numbers && skip(k, &at);
		lose(c, lost,
		     !k->has_numbers ? text_format(c->arena, "rows of %s after the first bad page", k->table)
		     : more ? text_format(c->arena, "rows %lld to %lld of %s", (long long)from, (long long)at - 1,
					  k->table)
			    : text_format(c->arena, "the rows of %s from %lld on", k->table, (long long)from));
		if (!more)
			break;
	}
}

static bool has_table(sqlite3 *sql, const char *table)
{
	char query[256];

	snprintf(query, sizeof query, "SELECT count(*) FROM sqlite_schema WHERE name = '%s'", table);
	return one_number(sql, query) != 0; /* also if that cannot be read */
}

/* A file of an earlier version may lack a column. */
static bool has_column(struct call *c, sqlite3 *sql, const char *table, const char *column)
{
	sqlite3_stmt *look = NULL;
	const char *words = text_format(c->arena, "SELECT \"%s\" FROM main.\"%s\" LIMIT 0", column, table).at;
	int r = sqlite3_prepare_v2(sql, words, -1, &look, NULL);

	sqlite3_finalize(look);
	return r != SQLITE_ERROR;
}

/* A table of a later version is not in the file of an earlier one. */
static bool copy_table(struct call *c, struct copying *k, struct texts *lost)
{
	struct buffer select = {.arena = c->arena}, insert = {.arena = c->arena};
	const char *table = k->table;
	sqlite3_stmt *shape = NULL;

	if (!has_table(k->from, table))
		return true;
	const char *sql = text_format(c->arena, "SELECT * FROM main.\"%s\" LIMIT 0", table).at;
	if (sqlite3_prepare_v2(k->to, sql, -1, &shape, NULL) != SQLITE_OK)
		return false;
	k->columns = sqlite3_column_count(shape);
	buffer_put(&select, "SELECT rowid");
	buffer_format(&insert, "INSERT OR IGNORE INTO \"%s\" VALUES (", table);
	for (int i = 0; i < k->columns; i++) {
		const char *column = sqlite3_column_name(shape, i);
		buffer_format(&select, has_column(c, k->from, table, column) ? ", \"%s\"" : ", NULL AS \"%s\"", column);
		buffer_put(&insert, i ? ", ?" : "?");
	}
	const char *plain = text_format(c->arena, "SELECT 0%.*s FROM main.\"%s\"",
					(int)(buffer_text(&select).len - strlen("SELECT rowid")),
					buffer_text(&select).at + strlen("SELECT rowid"), table)
				    .at;
	buffer_format(&select, " FROM main.\"%s\" WHERE rowid >= ?1 ORDER BY rowid", table);
	buffer_byte(&insert, ')');
	sqlite3_finalize(shape);
	bool can = sqlite3_prepare_v2(k->to, buffer_text(&insert).at, -1, &k->write, NULL) == SQLITE_OK;
	int r = can ? sqlite3_prepare_v2(k->from, buffer_text(&select).at, -1, &k->read, NULL) : SQLITE_ERROR;
	k->has_numbers = r != SQLITE_ERROR;
	if (can && !k->has_numbers)
		r = sqlite3_prepare_v2(k->from, plain, -1, &k->read, NULL);
	bool is_damaged = (r & 0xff) == SQLITE_CORRUPT || (r & 0xff) == SQLITE_NOTADB;
	can = r == SQLITE_OK || (can && is_damaged);
	if (r == SQLITE_OK)
		copy_all(c, k, lost);
	else if (is_damaged)
		lose(c, lost, text_format(c->arena, "all rows of %s", table));
	sqlite3_finalize(k->read);
	sqlite3_finalize(k->write);
	k->read = k->write = NULL;
	return can;
}

static bool copy_tables(struct call *c, struct copying *k, struct texts *lost)
{
	sqlite3_stmt *tables = NULL;
	bool done = sqlite3_prepare_v2(k->to,
				       "SELECT name FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite_%'",
				       -1, &tables, NULL) == SQLITE_OK;

	while (done && sqlite3_step(tables) == SQLITE_ROW) {
		k->table = text_string(c->arena, text_of((const char *)sqlite3_column_text(tables, 0)));
		done = copy_table(c, k, lost) ||
		       fail(c, FAULT_STORAGE, "the rows of %s cannot be read: %s", k->table, sqlite3_errmsg(k->from));
	}
	sqlite3_finalize(tables);
	return done;
}

/* A new file with the tables. A row may stay while the row that it refers to is lost, so references are not checked. */
static bool begin_rescue(struct call *c, struct store *target, struct transaction **t)
{
	int is;

	if (!store_begin(c, target, STORE_WRITE, t) || !transaction_commit(c, *t, "make the tables"))
		return *t = NULL, false;
	if (!store_begin(c, target, STORE_READ, t))
		return *t = NULL, false;
	sqlite3 *made = mine(&(*t)->session)->sql;
	transaction_rollback(*t);
	sqlite3_db_config(made, SQLITE_DBCONFIG_ENABLE_FKEY, 0, &is);
	return store_begin(c, target, STORE_WRITE, t) || (*t = NULL, false);
}

bool sqlite_rescue(struct call *c, const struct store_options *options, const char *to, int64_t *rows,
		   struct texts *lost)
{
	struct store_options fresh = *options;
	struct database_file look;
	struct transaction *t = NULL;

	*rows = 0;
	*lost = (struct texts){0};
	if (!database_file_look(c, options, &look))
		return false;
	if (!look.is_there)
		return fail(c, FAULT_NOT_FOUND, "there is no file %s", options->place);
	fresh.place = to;
	fresh.read_only = false;
	struct store *target = store_open(&fresh), *source = store_open(options);
	if (database_file_look(c, &target->options, &look) && look.is_there) {
		store_close(target);
		store_close(source);
		return fail(c, FAULT_EXISTS, "%s exists; give the name of a new file", to);
	}
	source->options.read_only = false;
	struct file_session *f = session_new(source, &look);
	bool opened = connect_file(f, &source->options), is_ruined = !opened && f->session.trouble == TROUBLE_DAMAGED;
	bool done = opened || is_ruined || transaction_fail(c, (struct transaction *)f, "open the database");
	done = done && begin_rescue(c, target, &t);
	if (is_ruined)
		lose(c, lost, TEXT("everything; the file is no database any more"));
	struct copying k = {.from = f->sql, .to = t ? mine(&t->session)->sql : NULL};
	done = done && (is_ruined || copy_tables(c, &k, lost));
	*rows = k.rows;
	if (t && done)
		done = transaction_commit(c, t, "save the rows");
	else
		transaction_rollback(t);
	file_close(&f->session);
	store_close(source);
	store_close(target);
	return done;
}
