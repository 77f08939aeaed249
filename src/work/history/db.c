/* The one file that includes sqlite3.h. */
#include "work/history/db.h"

#include "base/clock.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATEMENTS_MAX = 48 };

struct db {
	sqlite3 *sql;
	pthread_mutex_t mutex;
	bool is_durable;
	int code; /* of the last thing that went wrong, and its words */
	bool flush_failed;
	char said[200];
	struct {
		const char *text;
		sqlite3_stmt *statement;
	} kept[STATEMENTS_MAX];
	size_t n;
};

/* What went wrong is kept: a rollback after it goes well and would say so. */
static void note(struct db *db)
{
	int extended = sqlite3_extended_errcode(db->sql);

	db->code = extended & 0xff;
	db->flush_failed |= extended == SQLITE_IOERR_FSYNC || extended == SQLITE_IOERR_DIR_FSYNC;
	snprintf(db->said, sizeof db->said, "%s", sqlite3_errmsg(db->sql));
}

bool db_fail(struct call *c, struct db *db, const char *doing)
{
	int code = db->code;

	if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
		return fail(c, FAULT_LOCKED, "cannot %s: another program keeps the history busy; try again in a moment",
			    doing);
	if (code == SQLITE_FULL)
		return fail(c, FAULT_STORAGE, "cannot %s: the disk is full; free some space and try again", doing);
	if (code == SQLITE_READONLY)
		return fail(
			c, FAULT_DENIED,
			"cannot %s: this process may not write to the state folder, which even reading it takes; check "
			"its permissions",
			doing);
	if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
		return fail(c, FAULT_STORAGE,
			    "cannot %s: history.db in the state folder is damaged; move it away to begin a new one",
			    doing);
	return fail(c, FAULT_STORAGE, "cannot %s: the history says: %s", doing, db->said);
}

bool db_flush_failed(const struct db *db) { return db->flush_failed; }

void db_enter(struct db *db) { pthread_mutex_lock(&db->mutex); }
void db_leave(struct db *db) { pthread_mutex_unlock(&db->mutex); }

bool db_run(struct db *db, const char *sql)
{
	if (sqlite3_exec(db->sql, sql, NULL, NULL, NULL) == SQLITE_OK)
		return true;
	note(db);
	return false;
}

bool db_has_moved(struct db *db)
{
	int moved = 0;

	return sqlite3_file_control(db->sql, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved;
}

void db_close(struct db *db)
{
	if (!db)
		return;
	for (size_t i = 0; i < db->n; i++)
		sqlite3_finalize(db->kept[i].statement);
	sqlite3_close(db->sql);
	pthread_mutex_destroy(&db->mutex);
	free(db);
}

/* While another prepares a fresh file, switching it to WAL answers BUSY at once, whatever the timeout. */
static bool choose_journal(struct db *db, unsigned flags, int wait_ms)
{
	int64_t until = clock_ticks() + wait_ms;
	bool chosen;

	while (!(chosen = db_run(db, flags & DB_NO_WAL ? "PRAGMA journal_mode=DELETE" : "PRAGMA journal_mode=WAL")) &&
	       db->code == SQLITE_BUSY && clock_ticks() < until)
		usleep(1000);
	return chosen;
}

static bool open_once(struct db *db, const char *path, unsigned flags, int wait_ms)
{
	int mode = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_PRIVATECACHE;

	mode |= flags & DB_READ_ONLY ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
	mode |= flags & DB_CREATE ? SQLITE_OPEN_CREATE : 0;
	bool opened = sqlite3_open_v2(path, &db->sql, mode, NULL) == SQLITE_OK;
	if (!db->sql)
		arena_die("out of memory");
	if (!opened)
		note(db);
	sqlite3_busy_timeout(db->sql, wait_ms);
	/* Nothing of a document goes to temporary files outside the root. */
	opened = opened && db_run(db, "PRAGMA temp_store=MEMORY; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF;");
	if (opened && flags & DB_CREATE)
		opened = choose_journal(db, flags, wait_ms);
	if (opened && !(flags & DB_READ_ONLY))
		opened = db_run(db, "PRAGMA synchronous=FULL; PRAGMA journal_size_limit=16777216;");
	db->is_durable = true;
	return opened;
}

/* SQLite opens for reading only what it cannot open for writing, and says nothing: one failing call to the system and
 * the connection, or the memory it shares with others, could never write again. */
static bool is_degraded(struct db *db, unsigned flags)
{
	if (flags & DB_READ_ONLY)
		return false;
	if (sqlite3_db_readonly(db->sql, "main") == 1)
		return true;
	bool writes = db_run(db, "BEGIN IMMEDIATE; ROLLBACK");
	return !writes && db->code == SQLITE_READONLY;
}

struct db *db_open(struct call *c, const char *path, unsigned flags, int wait_ms)
{
	struct db *db = calloc(1, sizeof *db);

	if (!db)
		arena_die("out of memory");
	pthread_mutex_init(&db->mutex, NULL);
	bool opened = open_once(db, path, flags, wait_ms);
	if (opened && is_degraded(db, flags)) {
		sqlite3_close(db->sql);
		opened = open_once(db, path, flags, wait_ms);
		/* Who only reads may go on so; it is a matter of permissions then. */
		if (opened && flags & DB_CREATE && is_degraded(db, flags)) {
			fail(c, FAULT_DENIED,
			     "cannot write the history: history.db is read-only to this process; check its "
			     "permissions");
			db_close(db);
			return NULL;
		}
	}
	if (opened)
		return db;
	db_fail(c, db, "open the history");
	db_close(db);
	return NULL;
}

/* Whether a commit is flushed can only be set outside of a transaction. */
bool db_begin(struct db *db, bool durable)
{
	if (db->is_durable != durable) {
		if (!db_run(db, durable ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL"))
			return false;
		db->is_durable = durable;
	}
	struct query q = db_query(db, "BEGIN IMMEDIATE");
	return query_run(&q);
}

void db_rollback(struct db *db)
{
	if (!sqlite3_get_autocommit(db->sql))
		sqlite3_exec(db->sql, "ROLLBACK", NULL, NULL, NULL);
}

bool db_commit(struct db *db)
{
	struct query q = db_query(db, "COMMIT");

	if (query_run(&q))
		return true;
	db_rollback(db);
	return false;
}

int64_t db_last_id(struct db *db) { return sqlite3_last_insert_rowid(db->sql); }
int64_t db_changes(struct db *db) { return sqlite3_changes64(db->sql); }

static sqlite3_stmt *prepared(struct db *db, const char *sql)
{
	sqlite3_stmt *s = NULL;

	for (size_t i = 0; i < db->n; i++)
		if (db->kept[i].text == sql)
			return db->kept[i].statement;
	if (sqlite3_prepare_v3(db->sql, sql, -1, SQLITE_PREPARE_PERSISTENT, &s, NULL) != SQLITE_OK) {
		note(db);
		return NULL;
	}
	if (db->n == STATEMENTS_MAX)
		arena_die("more SQL statements than the history keeps");
	db->kept[db->n].text = sql;
	db->kept[db->n++].statement = s;
	return s;
}

struct query db_query(struct db *db, const char *sql)
{
	sqlite3_stmt *s = prepared(db, sql);

	return (struct query){.db = db, .statement = s, .failed = !s};
}

static void query_failed(struct query *q)
{
	note(q->db);
	q->failed = true;
}

void bind_int(struct query *q, int64_t n)
{
	if (!q->failed && sqlite3_bind_int64(q->statement, ++q->bound, n) != SQLITE_OK)
		query_failed(q);
}

void bind_text(struct query *q, struct text t)
{
	/* The bytes belong to the caller's arena and outlive the query: nothing is copied. */
	if (!q->failed &&
	    sqlite3_bind_text64(q->statement, ++q->bound, t.at, t.len, SQLITE_STATIC, SQLITE_UTF8) != SQLITE_OK)
		query_failed(q);
}

void bind_bytes(struct query *q, struct text t)
{
	if (!q->failed && sqlite3_bind_blob64(q->statement, ++q->bound, t.at, t.len, SQLITE_STATIC) != SQLITE_OK)
		query_failed(q);
}

bool query_row(struct query *q)
{
	if (q->failed)
		return false;
	int r = sqlite3_step(q->statement);
	if (r != SQLITE_ROW && r != SQLITE_DONE)
		query_failed(q);
	return r == SQLITE_ROW;
}

int64_t query_int(struct query *q, int column) { return sqlite3_column_int64(q->statement, column); }

struct text query_text(struct query *q, struct arena *a, int column)
{
	if (sqlite3_column_type(q->statement, column) == SQLITE_NULL)
		return (struct text){0};
	const void *bytes = sqlite3_column_blob(q->statement, column);
	size_t len = (size_t)sqlite3_column_bytes(q->statement, column);
	return text_copy(a, (struct text){bytes ? bytes : "", len});
}

bool query_end(struct query *q)
{
	if (!q->statement)
		return false;
	sqlite3_reset(q->statement);
	sqlite3_clear_bindings(q->statement);
	return !q->failed;
}

bool query_run(struct query *q)
{
	query_row(q);
	return query_end(q);
}
