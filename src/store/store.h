/* store.h: rows that several threads, processes or machines share.
 *
 * One interface over an SQLite file and a PostgreSQL server. A store hands out transactions; a transaction belongs to
 * one thread. SQL is written once, in SQLite's dialect with ?1, ?2 for values:
 *
 *	struct transaction *t;
 *	if (!store_begin(c, s, STORE_WRITE, &t))
 *		return false;
 *	struct query q = query_on(t, "SELECT name FROM thing WHERE id = ?1");
 *	bind_int(&q, 7);
 *	while (query_row(&q))
 *		... query_text(&q, c->arena, 0) ...
 *	query_end(&q);
 *	return transaction_commit(c, t, "rename the thing");
 *
 * A step that fails makes its transaction fail for good: later queries return no rows and the commit is refused, so a
 * caller may look once, at the end. Code that decides on "no row" asks transaction_failed() first. A failure that may
 * pass when everything is done again (a serialization failure, a lost connection before the commit) sets c->again.
 *
 * An SQLite file is hostile input: anybody may have put it there. It is opened without triggers, views and extensions,
 * and refused unless its schema is, text by text, the one that its version number names. */
#ifndef QUIRE_STORE_STORE_H
#define QUIRE_STORE_STORE_H
#include "base/call.h"

struct store;
struct transaction;

/* A version is made from nothing by `create`; `migrate` turns the version before it into this one and must leave the
 * same text in the schema, so tables are rebuilt, never altered. Both are NULL-terminated lists of single statements.
 * For PostgreSQL INTEGER is read as BIGINT, BLOB as BYTEA, and STRICT and WITHOUT ROWID are left out, as is INDEXED BY
 * in queries. */
struct schema_version {
	const char *const *create;
	const char *const *migrate; /* NULL for the first */
};
struct schema {
	const char *name;                      /* of these tables, unique in a PostgreSQL database */
	uint32_t application_id;               /* in the header of an SQLite file */
	const struct schema_version *versions; /* the first is version 1; ended by one without `create` */
};

struct store_options {
	const char *place; /* path of a file, or postgresql://... */
	const struct schema *schema;
	const char *noun;   /* for messages: "the history" */
	const char *rescue; /* the command that saves the rows of a file that is refused; NULL: none */
	bool read_only;     /* no file is made or changed */
	bool is_private;    /* the file is made 0600; else as the umask says */
	bool is_cache;      /* may lose its last commits in a power failure */
	int wait_ms;        /* for locks; 0: 10 s */
};

/* Only looks at the options: nothing is opened or made before the first transaction. */
struct store *store_open(const struct store_options *options);
void store_close(struct store *s);           /* no transaction is open any more; NULL is allowed */
bool store_is_shared(const struct store *s); /* a server: other machines use it too */

enum store_mode {
	STORE_READ,      /* one snapshot */
	STORE_WRITE,     /* alone (SQLite) or beside others (PostgreSQL: lock the rows that decide) */
	STORE_WRITE_LAZY /* the same, but a power failure may undo the commit */
};
/* True with *out NULL: a read of a file that does not exist, so there are no rows. A write makes the file. */
bool store_begin(struct call *c, struct store *s, enum store_mode mode, struct transaction **out);
/* False: rolled back, or the outcome is unknown and the message says so. Ends the transaction in every case. */
bool transaction_commit(struct call *c, struct transaction *t, const char *doing);
void transaction_rollback(struct transaction *t); /* NULL is allowed */
bool transaction_failed(const struct transaction *t);
/* Sets the call's error from what went wrong in the transaction; false. */
bool transaction_fail(struct call *c, struct transaction *t, const char *doing);
bool transaction_is_shared(const struct transaction *t); /* on a server */

enum { QUERY_VALUES_MAX = 24 };
struct query {
	struct transaction *on;
	void *statement;
	void *rows;   /* PostgreSQL: the result */
	int bound, n; /* values; rows */
	int row;
	bool failed, started;
	struct {
		const char *at;
		size_t len;
		bool is_bytes;
		char digits[24];
	} values[QUERY_VALUES_MAX]; /* PostgreSQL: sent with the first row */
};

/* `sql` is a literal: statements are prepared once for each pointer and kept. One query of a literal is open at a time.
 */
struct query query_on(struct transaction *t, const char *sql);
void bind_int(struct query *q, int64_t n);      /* values in their order */
void bind_text(struct query *q, struct text t); /* absent: NULL. The bytes stay until the query ends */
void bind_bytes(struct query *q, struct text t);
void bind_null(struct query *q);
bool query_row(struct query *q);                                      /* the next row; false: none, or failed */
int64_t query_int(struct query *q, int column);                       /* NULL: 0 */
struct text query_text(struct query *q, struct arena *a, int column); /* a copy; absent: NULL */
struct text query_lent(struct query *q, int column);                  /* not copied: until the next row or the end */
bool query_end(struct query *q);                                      /* false: something failed */
/* For statements without rows. A server need not have seen it yet when this returns; what fails shows later. */
bool query_run(struct query *q);
int64_t store_last_id(struct transaction *t); /* SQLite only: the rowid of the last insert */

/* Rewrites an SQLite file, so no deleted data is left in it or in its log. False with an error; LOCKED when another
 * program still reads in the log. */
bool store_compact(struct call *c, struct store *s);
/* A flush of this store failed: what its last commit left on the disk is not known. */
bool store_flush_failed(const struct store *s);
/* Copies the rows of the schema's tables out of a file whose schema is refused into a fresh file at `to`. */
bool store_rescue(struct call *c, const struct store_options *options, const char *to, int64_t *rows);

#endif
