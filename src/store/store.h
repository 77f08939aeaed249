/* store.h: rows that several threads, processes or machines share.
 *
 * One interface for SQLite files and PostgreSQL servers. A store opens transactions; a transaction belongs to one
 * thread. SQL is written once, in SQLite's dialect with ?1, ?2 for values:
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
 * If a step fails, the whole transaction fails: later queries return no rows and the commit is refused, so a caller may
 * check once, at the end. Code that decides on "no row" must check transaction_failed() first. If a retry may succeed
 * (after a serialization failure, or a lost connection before the commit), c->again is set.
 *
 * An SQLite file is hostile input: anybody may have put it there. It is opened without triggers, views and extensions.
 * It is refused unless its schema is, text by text, the schema of its version number. */
#ifndef QUIRE_STORE_STORE_H
#define QUIRE_STORE_STORE_H
#include "base/call.h"

struct store;
struct transaction;

/* `create` makes this version in an empty database. `migrate` turns the version before into this one. It must leave the
 * same text in the schema, so tables are rebuilt, never altered. Both are NULL-terminated lists of single statements.
 * For PostgreSQL, INTEGER becomes BIGINT and BLOB becomes BYTEA; STRICT, WITHOUT ROWID and, in queries, INDEXED BY are
 * left out. */
struct schema_version {
	const char *const *create;
	const char *const *migrate; /* NULL for the first */
};
struct schema {
	const char *name;                      /* name of this set of tables, unique in a PostgreSQL database */
	uint32_t application_id;               /* in the header of an SQLite file */
	const struct schema_version *versions; /* the first is version 1; the list ends with one without `create` */
	int64_t readable_from;                 /* the oldest version that a read-only process can use; 0: the newest */
};

struct store_options {
	const char *place; /* path of a file, or postgresql://... */
	const struct schema *schema;
	const char *noun;   /* for messages: "the history" */
	const char *rescue; /* the command that saves the rows of a refused file; NULL: none */
	bool read_only;     /* no file is created or changed */
	int mode;           /* of the file when it is created, less the umask; 0: 0666 */
	bool is_cache;      /* a power failure may lose the last commits */
	int wait_ms;        /* how long to wait for locks; 0: 10 s */
};

/* Only copies the options: nothing is opened or created before the first transaction. */
struct store *store_open(const struct store_options *options);
void store_close(struct store *s);           /* all transactions must have ended; NULL is allowed */
bool store_is_shared(const struct store *s); /* true for a server: other machines use it too */

enum store_mode {
	STORE_READ, /* one snapshot */
	/* Exclusive in SQLite, concurrent in PostgreSQL (lock the rows that your decision depends on). */
	STORE_WRITE,
	STORE_WRITE_LAZY /* the same, but a power failure may undo the commit */
};
/* True with *out NULL: a read of a file that does not exist, so there are no rows. A write creates the file. */
bool store_begin(struct call *c, struct store *s, enum store_mode mode, struct transaction **out);
/* False: rolled back, or the outcome is unknown and the message says so. Ends the transaction in every case. */
bool transaction_commit(struct call *c, struct transaction *t, const char *doing);
void transaction_rollback(struct transaction *t); /* NULL is allowed */
bool transaction_failed(const struct transaction *t);
/* Sets the call's error from the transaction's failure; returns false. */
bool transaction_fail(struct call *c, struct transaction *t, const char *doing);
bool transaction_is_shared(const struct transaction *t); /* true on a server */

enum { QUERY_VALUES_MAX = 24 };
struct query {
	struct transaction *on;
	void *statement;
	void *rows;   /* PostgreSQL: the result */
	int bound, n; /* number of bound values; number of rows */
	int row;
	bool failed, started;
	struct {
		const char *at;
		size_t len;
		bool is_bytes;
		char digits[24];
	} values[QUERY_VALUES_MAX]; /* PostgreSQL: sent with the first row */
};

/* `sql` must be a literal: each pointer is prepared once and kept. Only one query of a literal can be open at a
 * time. */
struct query query_on(struct transaction *t, const char *sql);
void bind_int(struct query *q, int64_t n);      /* binds the values in order */
void bind_text(struct query *q, struct text t); /* absent: NULL. The bytes must stay valid until the query ends */
void bind_bytes(struct query *q, struct text t);
void bind_null(struct query *q);
bool query_row(struct query *q);                                      /* the next row; false: none, or failed */
int64_t query_int(struct query *q, int column);                       /* NULL: 0 */
struct text query_text(struct query *q, struct arena *a, int column); /* a copy; absent: NULL */
/* Not copied: valid until the next row or the end. */
struct text query_lent(struct query *q, int column);
bool query_end(struct query *q); /* false: something failed */
/* For statements without rows. A server may receive it later, so a failure may show later. */
bool query_run(struct query *q);
int64_t store_last_id(struct transaction *t); /* SQLite only: the rowid of the last insert */

/* Rewrites an SQLite file, so that no deleted data is left in it or in its log. False with an error; LOCKED when
 * another program still reads the log. */
bool store_compact(struct call *c, struct store *s);
/* True after a flush of this store failed: it is unknown whether its last commit is on the disk. */
bool store_flush_failed(const struct store *s);
/* Copies the rows of the schema's tables from a refused or damaged file into a new file at `to`. Rows in pages that
 * cannot be read are left out, and *lost tells which. */
bool store_rescue(struct call *c, const struct store_options *options, const char *to, int64_t *rows,
		  struct texts *lost);

#endif
