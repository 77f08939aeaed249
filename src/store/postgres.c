/* postgres.c: rows on a PostgreSQL server. The one file that includes libpq-fe.h, which is loaded at first use.
 *
 * The statements of a transaction are sent in pipeline mode. A statement without rows is only queued; its result is
 * read when rows are requested, or at the commit. So a write costs two or three round trips for any number of
 * statements. The end of a read is sent and not waited for: its result is read with the next transaction. */
#include "store/driver.h"

#include "base/budget.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/lazy.h"

#include <errno.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define FUNCTIONS(X)                                                                                                   \
	X(PQconnectdb)                                                                                                 \
	X(PQfinish)                                                                                                    \
	X(PQstatus)                                                                                                    \
	X(PQsocket)                                                                                                    \
	X(PQerrorMessage)                                                                                              \
	X(PQenterPipelineMode)                                                                                         \
	X(PQpipelineSync)                                                                                              \
	X(PQsendFlushRequest)                                                                                          \
	X(PQsendPrepare)                                                                                               \
	X(PQsendQueryPrepared)                                                                                         \
	X(PQsendQueryParams)                                                                                           \
	X(PQexec)                                                                                                      \
	X(PQgetResult)                                                                                                 \
	X(PQresultStatus)                                                                                              \
	X(PQresultErrorField)                                                                                          \
	X(PQclear)                                                                                                     \
	X(PQntuples)                                                                                                   \
	X(PQgetvalue)                                                                                                  \
	X(PQgetlength)                                                                                                 \
	X(PQgetisnull)                                                                                                 \
	X(PQftype)                                                                                                     \
	X(PQflush)
static struct {
	FUNCTIONS(LAZY_SLOT)
} pq;
static const char *const pq_names[] = {FUNCTIONS(LAZY_NAME) NULL};
static struct lazy pq_library = LAZY("libpq.so.5", "libpq5", pq_names, &pq);

enum {
	QUEUED_MAX = 200, /* limit on unread results: a server that cannot write its results stops reading */
	TRIES_MAX = 20,
	TYPE_INT2 = 21,
	TYPE_INT4 = 23
};

struct kept {
	const char *text;
	char name[16];
};

struct server_session {
	struct session session;
	PGconn *connection;
	struct kept *kept;
	size_t n, cap;
	int queued; /* number of statements whose results are not read yet */
	int unread; /* the same, of the transaction before: results up to the next end of a pipeline */
	bool is_committing;
};

static struct server_session *mine(struct session *s) { return (struct server_session *)s; }

static void remember(struct session *s, enum trouble trouble, const char *said)
{
	if (s->trouble)
		return;
	s->trouble = trouble;
	snprintf(s->said, sizeof s->said, "%s", said ? said : "");
	for (size_t i = strlen(s->said); i && s->said[i - 1] == '\n'; i--)
		s->said[i - 1] = 0;
	for (char *newline = s->said; (newline = strchr(newline, '\n'));)
		*newline = ' ';
}

/* SQLSTATE, PostgreSQL's appendix A. */
static enum trouble trouble_of(const char *state)
{
	if (!state)
		return TROUBLE_LOST;
	if (!strcmp(state, "40001") || !strcmp(state, "40P01"))
		return TROUBLE_AGAIN;
	if (!strcmp(state, "55P03"))
		return TROUBLE_BUSY;
	if (!strcmp(state, "57014"))
		return TROUBLE_LATE;
	if (!strncmp(state, "53", 2))
		return !strcmp(state, "53100") ? TROUBLE_FULL : TROUBLE_LOST;
	if (!strncmp(state, "57P", 3) || !strncmp(state, "08", 2))
		return TROUBLE_LOST;
	if (!strcmp(state, "25006") || !strcmp(state, "42501"))
		return TROUBLE_READ_ONLY;
	return TROUBLE_OTHER;
}

static void lost(struct server_session *f)
{
	remember(&f->session, f->is_committing ? TROUBLE_UNKNOWN : TROUBLE_LOST, pq.PQerrorMessage(f->connection));
}

/* Checks a result that is not kept. */
static void judge(struct server_session *f, PGresult *r)
{
	ExecStatusType status = pq.PQresultStatus(r);

	if (status != PGRES_FATAL_ERROR && status != PGRES_BAD_RESPONSE)
		return;
	const char *state = pq.PQresultErrorField(r, PG_DIAG_SQLSTATE);
	const char *words = pq.PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
	enum trouble trouble = trouble_of(state);
	if (trouble == TROUBLE_LOST && f->is_committing)
		trouble = TROUBLE_UNKNOWN;
	remember(&f->session, trouble, words ? words : pq.PQerrorMessage(f->connection));
}

/* The result of the oldest queued statement; NULL: none. Each is followed by a NULL, which is read too. */
static PGresult *next_result(struct server_session *f)
{
	PGresult *r = pq.PQgetResult(f->connection);

	if (!r) {
		lost(f);
		return NULL;
	}
	judge(f, r);
	if (pq.PQresultStatus(r) == PGRES_PIPELINE_SYNC)
		return r;
	for (PGresult *more; (more = pq.PQgetResult(f->connection)); pq.PQclear(more))
		judge(f, more);
	return r;
}

/* Reads what the read before this transaction left: the results of its last statements, and the end of its pipeline.
 * The transaction is over, so its failures mean nothing, but a lost connection does. */
static bool read_rest(struct server_session *f)
{
	while (f->unread > 0) {
		PGresult *r = pq.PQgetResult(f->connection);
		bool is_end = r && pq.PQresultStatus(r) == PGRES_PIPELINE_SYNC;

		if (!r && pq.PQstatus(f->connection) != CONNECTION_OK) {
			lost(f);
			return false;
		}
		pq.PQclear(r);
		f->unread -= is_end;
	}
	return true;
}

static bool drain(struct server_session *f, int leave)
{
	if (f->unread && !read_rest(f))
		return false;
	while (f->queued > leave) {
		PGresult *r = next_result(f);

		if (!r)
			return false;
		pq.PQclear(r);
		f->queued--;
	}
	return !f->session.trouble;
}

static bool flush(struct server_session *f)
{
	if (pq.PQsendFlushRequest(f->connection) && pq.PQflush(f->connection) >= 0)
		return true;
	lost(f);
	return false;
}

static bool queue_sql(struct server_session *f, const char *sql)
{
	if (pq.PQsendQueryParams(f->connection, sql, 0, NULL, NULL, NULL, NULL, 0)) {
		f->queued++;
		return true;
	}
	lost(f);
	return false;
}

static void server_close(struct session *s)
{
	struct server_session *f = mine(s);

	pq.PQfinish(f->connection);
	free(f->kept);
	free(f);
}

/* If the server was stopped or restarted, it has closed the socket. */
static bool server_is_current(struct session *s)
{
	struct server_session *f = mine(s);
	char byte;
	ssize_t n = recv(pq.PQsocket(f->connection), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
	bool is_quiet = n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);

	return pq.PQstatus(f->connection) == CONNECTION_OK && (is_quiet || (n > 0 && f->unread));
}

/* Drops INDEXED BY: only SQLite knows it. */
static size_t index_hint(const char *at)
{
	static const char begins[] = " INDEXED BY ";

	if (strncmp(at, begins, sizeof begins - 1) != 0)
		return 0;
	return sizeof begins - 1 + strcspn(at + sizeof begins - 1, " ");
}

/* Translates SQLite's dialect to PostgreSQL's. */
static struct text translated(struct arena *a, const char *sql)
{
	static const struct {
		const char *from, *to;
	} words[] = {{"INTEGER", "BIGINT"},
		     {"BLOB", "BYTEA"},
		     {" WITHOUT ROWID, STRICT", ""},
		     {" WITHOUT ROWID", ""},
		     {" STRICT", ""}};
	struct buffer b = {.arena = a};

	for (const char *at = sql; *at;) {
		size_t i = 0;
		at += index_hint(at);
		while (i < ARRAY_COUNT(words) && strncmp(at, words[i].from, strlen(words[i].from)) != 0)
			i++;
		if (i < ARRAY_COUNT(words)) {
			buffer_put(&b, words[i].to);
			at += strlen(words[i].from);
		} else {
			buffer_byte(&b, *at == '?' ? '$' : *at);
			at++;
		}
	}
	return buffer_text(&b);
}

static PGresult *ask_server(struct server_session *f, const char *sql)
{
	PGresult *r = pq.PQexec(f->connection, sql);

	judge(f, r);
	return r;
}

static bool run_sql(struct server_session *f, const char *sql)
{
	pq.PQclear(ask_server(f, sql));
	return !f->session.trouble;
}

static bool make_tables(struct call *c, struct server_session *f, const struct schema *schema, size_t from, size_t to)
{
	for (size_t v = from ? from : to - 1; v < to && !f->session.trouble; v++)
		for (const char *const *s = from ? schema->versions[v].migrate : schema->versions[v].create; s && *s;
		     s++)
			if (!run_sql(f, translated(c->arena, *s).at))
				return false;
	return run_sql(
		f,
		text_format(c->arena, "UPDATE quire_schema SET version = %zu WHERE name = '%s'", to, schema->name).at);
}

static bool refuse_newer(struct call *c, size_t version, size_t known)
{
	return fail(
		c, FAULT_STORAGE,
		"the database has version %zu of its tables, and this quire knows versions up to %zu; use a newer quire",
		version, known);
}

/* The schema's row is the lock for creating tables. It is inserted first, then locked. */
static bool upgrade(struct call *c, struct server_session *f, const struct store_options *o)
{
	const struct schema *schema = o->schema;
	size_t to = 0, from = 0;

	while (schema->versions[to].create)
		to++;
	run_sql(f, "CREATE TABLE IF NOT EXISTS quire_schema (name TEXT PRIMARY KEY, version BIGINT NOT NULL)");
	run_sql(f,
		text_format(c->arena, "INSERT INTO quire_schema VALUES ('%s', 0) ON CONFLICT DO NOTHING", schema->name)
			.at);
	run_sql(f, "BEGIN");
	PGresult *r = ask_server(
		f, text_format(c->arena, "SELECT version FROM quire_schema WHERE name = '%s' FOR UPDATE", schema->name)
			   .at);
	if (pq.PQresultStatus(r) == PGRES_TUPLES_OK && pq.PQntuples(r) == 1)
		from = strtoul(pq.PQgetvalue(r, 0, 0), NULL, 10);
	pq.PQclear(r);
	if (from > to) {
		pq.PQclear(pq.PQexec(f->connection, "ROLLBACK"));
		return refuse_newer(c, from, to);
	}
	bool done = !f->session.trouble && (from == to || make_tables(c, f, schema, from, to));
	pq.PQclear(pq.PQexec(f->connection, done ? "COMMIT" : "ROLLBACK"));
	return done;
}

/* Two servers that start together may both try to create the same table. The one that fails checks again. */
static bool check_tables(struct call *c, struct server_session *f, const struct store_options *o)
{
	for (int i = 0; i < TRIES_MAX; i++) {
		f->session.trouble = TROUBLE_NONE;
		PGresult *r = pq.PQexec(
			f->connection,
			text_format(c->arena, "SELECT version FROM quire_schema WHERE name = '%s'", o->schema->name)
				.at);
		size_t version = 0, want = 0;
		while (o->schema->versions[want].create)
			want++;
		const char *state = pq.PQresultErrorField(r, PG_DIAG_SQLSTATE);
		bool is_answered = pq.PQresultStatus(r) == PGRES_TUPLES_OK;
		bool is_empty = is_answered ? !pq.PQntuples(r) : state && !strcmp(state, "42P01"); /* undefined_table */
		if (is_answered && pq.PQntuples(r) == 1)
			version = strtoul(pq.PQgetvalue(r, 0, 0), NULL, 10);
		pq.PQclear(r);
		if (version == want)
			return true;
		if (version > want)
			return refuse_newer(c, version, want);
		/* Version 0: another server is about to create the tables. */
		is_empty = is_empty || (is_answered && !version);
		if (o->read_only && is_empty)
			return false; /* no error: there is nothing to read yet */
		if (o->read_only)
			return fail(
				c, FAULT_READ_ONLY,
				"the tables of %s are of another version or cannot be read, and this server is read-only; "
				"start quire once without --read-only, or grant the user SELECT",
				o->noun);
		if (upgrade(c, f, o))
			return true;
		if (c->error.fault)
			return false;
		if (f->session.trouble != TROUBLE_OTHER && f->session.trouble != TROUBLE_AGAIN)
			break;
		usleep(20000);
	}
	return transaction_fail(c, (struct transaction *)f, "make the tables");
}

static bool prepare_session(struct server_session *f, const struct store_options *o)
{
	char set[160];

	snprintf(set, sizeof set, "SET lock_timeout = %d; SET statement_timeout = %d; SET synchronous_commit = %s",
		 o->wait_ms, o->wait_ms * 6, o->is_cache ? "off" : "on");
	/* Our statements find a few rows by key, with any values bound. A new plan or compilation would cost more than
	 * the query. Servers compatible with PostgreSQL may not know these settings. */
	return run_sql(f, set) &&
	       run_sql(f,
		       "SELECT set_config(name, CASE name WHEN 'jit' THEN 'off' ELSE 'force_generic_plan' END, false) "
		       "FROM pg_settings WHERE name IN ('jit', 'plan_cache_mode')") &&
	       run_sql(f, "SET client_encoding = 'UTF8'; SET client_min_messages = error; "
			  "SET idle_in_transaction_session_timeout = 60000");
}

static struct session *server_open(struct call *c, struct store *s, enum store_mode mode)
{
	const struct store_options *o = &s->options;

	(void)mode;
	if (!lazy_load(&pq_library)) {
		fail(c, FAULT_STORAGE, "%s", pq_library.error);
		return NULL;
	}
	struct server_session *f = budget_zero(1, sizeof *f);
	f->session = (struct session){.driver = &postgres_driver, .store = s};
	f->connection = pq.PQconnectdb(o->place);
	bool opened = false;
	if (pq.PQstatus(f->connection) != CONNECTION_OK) {
		lost(f);
		fail(c, FAULT_STORAGE, "the database cannot be reached: %s; check --store and that the server runs",
		     f->session.said);
		c->error.retry_after = 1;
		c->again = true;
	} else if (!prepare_session(f, o)) {
		transaction_fail(c, (struct transaction *)f, "open the database");
	} else {
		opened = check_tables(c, f, o);
	}
	f->session.trouble = TROUBLE_NONE;
	if (opened && pq.PQenterPipelineMode(f->connection))
		return &f->session;
	server_close(&f->session);
	return NULL;
}

static bool server_begin(struct session *s, enum store_mode mode)
{
	struct server_session *f = mine(s);

	f->is_committing = false;
	f->queued = 0;
	if (!queue_sql(f, mode == STORE_READ ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
					     : "BEGIN ISOLATION LEVEL READ COMMITTED"))
		return false;
	return mode != STORE_WRITE_LAZY || queue_sql(f, "SET LOCAL synchronous_commit = off");
}

/* Ends the pipeline: when this returns, everything queued is done or refused. */
static bool settle(struct server_session *f)
{
	if (!pq.PQpipelineSync(f->connection)) {
		lost(f);
		return false;
	}
	bool done = drain(f, 0);
	PGresult *r =
		f->session.trouble == TROUBLE_LOST || f->session.trouble == TROUBLE_UNKNOWN ? NULL : next_result(f);
	pq.PQclear(r);
	return done && r && !f->session.trouble;
}

static bool server_commit(struct session *s)
{
	struct server_session *f = mine(s);

	/* After an error before COMMIT, the server does a ROLLBACK instead. If the connection is lost from here on, the
	 * outcome is unknown. */
	if (s->writes && f->queued > QUEUED_MAX && !(flush(f) && drain(f, 0)))
		return false;
	if (!queue_sql(f, "COMMIT"))
		return false;
	f->is_committing = s->writes;
	return settle(f);
}

static void server_rollback(struct session *s)
{
	struct server_session *f = mine(s);

	/* After a failure the session is closed, and the server rolls back by itself. */
	if (s->trouble || !queue_sql(f, "ROLLBACK"))
		return;
	if (s->writes) {
		settle(f);
		return;
	}
	/* An earlier rest has been read, unless this transaction sent nothing else. */
	if (!read_rest(f))
		return;
	if (!pq.PQpipelineSync(f->connection)) {
		lost(f);
		return;
	}
	f->queued = 0;
	f->unread = 1;
}

static void *server_prepared(struct session *s, const char *sql)
{
	struct server_session *f = mine(s);
	struct arena scratch = {0};

	for (size_t i = 0; i < f->n; i++)
		if (f->kept[i].text == sql)
			return f->kept[i].name;
	if (f->n == f->cap) {
		/* Callers keep pointers to the statements' names, so the list must not move: it gets its final size
		 * here. */
		if (f->cap)
			arena_die("more SQL statements than a session keeps");
		f->cap = 512;
		f->kept = budget_zero(f->cap, sizeof *f->kept);
	}
	struct kept *k = &f->kept[f->n];
	k->text = sql;
	snprintf(k->name, sizeof k->name, "q%zu", f->n);
	bool sent = pq.PQsendPrepare(f->connection, k->name, translated(&scratch, sql).at, 0, NULL);
	arena_free(&scratch);
	if (!sent) {
		lost(f);
		return NULL;
	}
	f->queued++;
	f->n++;
	return k->name;
}

static void server_bind(struct query *q, struct text value, int64_t number, int type)
{
	if (q->bound == QUERY_VALUES_MAX)
		arena_die("a query binds more values than it may");
	__typeof__(&q->values[0]) v = &q->values[q->bound++];
	v->at = value.at;
	v->len = value.len;
	v->is_bytes = type == BIND_BYTES || type == BIND_TEXT;
	if (type == BIND_INT) {
		v->len = (size_t)snprintf(v->digits, sizeof v->digits, "%lld", (long long)number);
		v->at = NULL; /* taken from `digits` when it is sent, since the struct may move before */
		v->is_bytes = false;
	}
	if (type == BIND_NULL)
		v->len = SIZE_MAX;
}

static bool send_query(struct query *q)
{
	struct server_session *f = mine(&q->on->session);
	const char *values[QUERY_VALUES_MAX];
	int lengths[QUERY_VALUES_MAX], formats[QUERY_VALUES_MAX];

	for (int i = 0; i < q->bound; i++) {
		bool is_null = q->values[i].len == SIZE_MAX;
		values[i] = is_null ? NULL : q->values[i].at ? q->values[i].at : q->values[i].digits;
		lengths[i] = is_null ? 0 : (int)q->values[i].len;
		formats[i] = q->values[i].is_bytes; /* text and bytes are sent in binary form with their length */
	}
	if (f->queued >= QUEUED_MAX && !(flush(f) && drain(f, 0)))
		return false;
	if (!pq.PQsendQueryPrepared(f->connection, q->statement, q->bound, values, lengths, formats, 1)) {
		lost(f);
		return false;
	}
	f->queued++;
	return true;
}

static bool fetch(struct query *q)
{
	struct server_session *f = mine(&q->on->session);

	q->started = true;
	if (!send_query(q) || !flush(f) || !drain(f, 1))
		return false;
	PGresult *r = next_result(f);
	f->queued--;
	if (!r)
		return false;
	q->rows = r;
	q->n = pq.PQresultStatus(r) == PGRES_TUPLES_OK ? pq.PQntuples(r) : 0;
	return !f->session.trouble;
}

static bool server_row(struct query *q)
{
	if (!q->started && !fetch(q)) {
		q->failed = true;
		return false;
	}
	return ++q->row < q->n;
}

static struct text server_column(struct query *q, int column)
{
	if (pq.PQgetisnull(q->rows, q->row, column))
		return (struct text){0};
	return (struct text){pq.PQgetvalue(q->rows, q->row, column), (size_t)pq.PQgetlength(q->rows, q->row, column)};
}

static int64_t server_number(struct query *q, int column)
{
	struct text t = server_column(q, column);
	uint64_t n = 0;

	if (!t.at || t.len > 8)
		return 0;
	for (size_t i = 0; i < t.len; i++)
		n = n << 8 | (unsigned char)t.at[i];
	switch (pq.PQftype(q->rows, column)) {
	case TYPE_INT4: return (int32_t)n;
	case TYPE_INT2: return (int16_t)n;
	default: return (int64_t)n;
	}
}

static bool server_run(struct query *q)
{
	q->started = true;
	if (!send_query(q))
		q->failed = true;
	return !q->failed;
}

static void server_end(struct query *q)
{
	pq.PQclear(q->rows);
	q->rows = NULL;
}

const struct driver postgres_driver = {
	.open = server_open,
	.close = server_close,
	.is_current = server_is_current,
	.begin = server_begin,
	.commit = server_commit,
	.rollback = server_rollback,
	.prepared = server_prepared,
	.bind = server_bind,
	.row = server_row,
	.column = server_column,
	.number = server_number,
	.run = server_run,
	.end = server_end,
};
