/* db.h: SQL statements on one file.
 *
 * A connection serves one thread at a time: db_enter() to db_leave(). Statements are prepared once for each SQL literal
 * and kept. A step that fails makes the whole query fail; the caller looks once, at the end. */
#ifndef QUIRE_WORK_HISTORY_DB_H
#define QUIRE_WORK_HISTORY_DB_H
#include "base/call.h"

struct db;

enum db_flags {
	DB_CREATE = 1, /* make the file; the caller holds the lock of its folder */
	DB_READ_ONLY = 2,
	DB_NO_WAL = 4 /* a network file system, where shared memory is not shared */
};

/* NULL: c->error says why. */
struct db *db_open(struct call *c, const char *path, unsigned flags, int wait_ms);
void db_close(struct db *db);
void db_enter(struct db *db);
void db_leave(struct db *db);

bool db_has_moved(struct db *db); /* the file that is open has not the name any more */

bool db_begin(struct db *db, bool durable); /* to write: takes the write lock at once */
bool db_commit(struct db *db);              /* false: rolled back */
void db_rollback(struct db *db);
bool db_run(struct db *db, const char *sql); /* no values, no rows */
int64_t db_last_id(struct db *db);
int64_t db_changes(struct db *db); /* rows of the last statement */

/* FAULT_STORAGE with what the database says, LOCKED when it is busy. */
bool db_fail(struct call *c, struct db *db, const char *doing);
/* Once a flush failed it is not known what the disk has; then the last commit may be there or not. */
bool db_flush_failed(const struct db *db);

/* store/ has these names; this file goes when the history is moved there. */
#define bind_int history_bind_int
#define bind_text history_bind_text
#define bind_bytes history_bind_bytes
#define query_row history_query_row
#define query_int history_query_int
#define query_text history_query_text
#define query_end history_query_end
#define query_run history_query_run

struct query {
	struct db *db;
	void *statement;
	int bound;
	bool failed;
};

struct query db_query(struct db *db, const char *sql); /* sql: a literal */
void bind_int(struct query *q, int64_t n);             /* values in their order */
void bind_text(struct query *q, struct text t);        /* absent: NULL */
void bind_bytes(struct query *q, struct text t);
bool query_row(struct query *q); /* the next row; false: none, or failed */
int64_t query_int(struct query *q, int column);
struct text query_text(struct query *q, struct arena *a, int column); /* a copy; absent: NULL */
bool query_end(struct query *q);                                      /* false: something failed */
bool query_run(struct query *q);                                      /* for statements without rows */

#endif
