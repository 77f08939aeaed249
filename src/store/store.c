/* store.c: the pool of sessions, and what both drivers share. */
#include "store/driver.h"

#include "base/mutex.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { IDLE_MAX = 16, WAIT_MS = 10 * 1000 };

static char *kept(const char *s) { return s ? budget_text(s, strlen(s)) : NULL; }

struct store *store_open(const struct store_options *options)
{
	struct store *s = budget_zero(1, sizeof *s);

	s->options = *options;
	s->options.place = kept(options->place);
	s->options.rescue = kept(options->rescue);
	if (!s->options.wait_ms)
		s->options.wait_ms = WAIT_MS;
	bool is_server = !strncmp(options->place, "postgresql://", 13) || !strncmp(options->place, "postgres://", 11);
	s->driver = is_server ? &postgres_driver : &sqlite_driver;
	pthread_mutex_init(&s->lock, NULL);
	pthread_mutex_init(&s->writer, NULL);
	return s;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	for (struct session *i = s->idle, *next; i; i = next) {
		next = i->next;
		s->driver->close(i);
	}
	pthread_mutex_destroy(&s->lock);
	pthread_mutex_destroy(&s->writer);
	free((char *)(uintptr_t)s->options.place);
	free((char *)(uintptr_t)s->options.rescue);
	free(s);
}

bool store_is_shared(const struct store *s) { return s->driver == &postgres_driver; }
bool transaction_is_shared(const struct transaction *t) { return t->session.driver == &postgres_driver; }

static struct session *idle_take(struct store *s)
{
	mutex_lock(&s->lock);
	struct session *i = s->idle;
	if (i) {
		s->idle = i->next;
		s->n_idle--;
	}
	mutex_unlock(&s->lock);
	return i;
}

static void idle_give(struct session *i)
{
	struct store *s = i->store;

	mutex_lock(&s->lock);
	bool has_room = s->n_idle < IDLE_MAX;
	if (has_room) {
		i->next = s->idle;
		s->idle = i;
		s->n_idle++;
	}
	mutex_unlock(&s->lock);
	if (!has_room)
		s->driver->close(i);
}

/* Threads of one process wait for each other here; a mutex wakes the next one at once. */
static bool writer_enter(struct call *c, struct store *s)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += s->options.wait_ms / 1000;
	until.tv_nsec += s->options.wait_ms % 1000 * 1000000L;
	if (until.tv_nsec >= 1000000000L) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000L;
	}
	if (!pthread_mutex_timedlock(&s->writer, &until))
		return true;
	return fail(c, FAULT_LOCKED, "%s is busy with other writes; try again in a moment", s->options.noun);
}

static void writer_leave(struct session *i)
{
	if (i->writes && i->driver == &sqlite_driver)
		pthread_mutex_unlock(&i->store->writer);
	i->writes = false;
}

static void session_end(struct session *i)
{
	writer_leave(i);
	/* After a failure the state of the other side is unknown, so close the session. After a failed flush keep it
	 * open: closing it would flush again. */
	if (i->trouble && !atomic_load(&i->store->flush_failed))
		i->driver->close(i);
	else
		idle_give(i);
}

static const char broken_advice[] = "This process writes to it no more: check the disk, then start quire again";

static bool takes_writes(struct call *c, const struct store *s)
{
	return !store_flush_failed(s) ||
	       fail(c, FAULT_STORAGE,
		    "an earlier change of %s could not be flushed to disk; nothing was changed now. %s",
		    s->options.noun, broken_advice);
}

static bool begin(struct call *c, struct store *s, enum store_mode mode, struct transaction **out)
{
	bool writes = mode != STORE_READ;
	struct session *i;

	if (writes && !takes_writes(c, s))
		return false;
	if (writes && s->driver == &sqlite_driver && !writer_enter(c, s))
		return false;
	while ((i = idle_take(s)) && !s->driver->is_current(i))
		s->driver->close(i);
	if (!i) {
		c->error = (struct error){0};
		i = s->driver->open(c, s, mode);
	}
	if (!i) {
		if (writes && s->driver == &sqlite_driver)
			pthread_mutex_unlock(&s->writer);
		return !writes && !c->error.fault;
	}
	i->writes = writes;
	i->trouble = TROUBLE_NONE;
	/* Opening the session may have found a failed flush. */
	if (writes && !takes_writes(c, s)) {
		session_end(i);
		return false;
	}
	if (s->driver->begin(i, mode)) {
		*out = (struct transaction *)i;
		return true;
	}
	transaction_fail(c, (struct transaction *)i, "begin");
	session_end(i);
	return false;
}

/* A call is not ended in the middle of a transaction. When it reaches a limit, its rows end: see query_row(). */
bool store_begin(struct call *c, struct store *s, enum store_mode mode, struct transaction **out)
{
	*out = NULL;
	if (mode != STORE_READ && s->options.read_only)
		return fail(c, FAULT_READ_ONLY, "this server is read-only, so %s cannot be changed", s->options.noun);
	budget_hold();
	bool begun = begin(c, s, mode, out);
	if (!*out)
		budget_let();
	return begun;
}

bool transaction_failed(const struct transaction *t) { return t->session.trouble != TROUBLE_NONE; }

bool transaction_fail(struct call *c, struct transaction *t, const char *doing)
{
	const struct session *i = &t->session;
	const char *noun = i->store->options.noun, *rescue = i->store->options.rescue;

	switch (i->trouble) {
	case TROUBLE_BUSY:
		fail(c, FAULT_LOCKED, "cannot %s: another program keeps %s locked; try again in a moment", doing, noun);
		c->error.retry_after = 1;
		return false;
	case TROUBLE_AGAIN:
		fail(c, FAULT_LOCKED, "cannot %s: other writers changed the same rows; try again", doing);
		c->error.retry_after = 1;
		c->again = true;
		return false;
	case TROUBLE_FULL:
		return fail(c, FAULT_STORAGE, "cannot %s: the disk is full; free some space and try again", doing);
	case TROUBLE_READ_ONLY:
		return fail(c, FAULT_DENIED, "cannot %s: this process may not write %s; check the file's permissions",
			    doing, noun);
	case TROUBLE_DAMAGED:
		return fail(
			c, FAULT_STORAGE,
			"cannot %s: the file of %s is damaged (%s); restore it from a backup, move it away to start "
			"with an empty one%s%s",
			doing, noun, i->said, rescue ? ", or save what can be read into a fresh file: " : "",
			rescue ? rescue : "");
	case TROUBLE_LOST:
		fail(c, FAULT_STORAGE,
		     "cannot %s: the connection to the database is lost (%s); nothing was written, try again", doing,
		     i->said);
		c->error.retry_after = 1;
		c->again = true;
		return false;
	case TROUBLE_FLUSH:
		return fail(
			c, FAULT_STORAGE,
			"cannot %s: %s could not be flushed to disk, so it is unknown whether this change happened. "
			"Start quire again, then read to find out. %s",
			doing, noun, broken_advice);
	case TROUBLE_UNKNOWN:
		return fail(c, FAULT_STORAGE,
			    "the connection to the database ended during the commit (%s), so this write may or may not "
			    "have happened; read again before you repeat it",
			    doing);
	case TROUBLE_LIMIT: return fail_ended(c, budget_passed());
	case TROUBLE_LATE: return fail(c, FAULT_TIMEOUT, "cannot %s: the database took too long; try again", doing);
	case TROUBLE_NONE:
	case TROUBLE_OTHER: break;
	}
	return fail(c, FAULT_STORAGE, "cannot %s: the database says: %s", doing, i->said);
}

bool transaction_commit(struct call *c, struct transaction *t, const char *doing)
{
	struct session *i = &t->session;
	bool committed = !i->trouble && i->driver->commit(i);

	if (!committed) {
		transaction_fail(c, t, doing);
		if (i->trouble != TROUBLE_UNKNOWN)
			i->driver->rollback(i);
	}
	session_end(i);
	budget_let();
	return committed;
}

void transaction_rollback(struct transaction *t)
{
	if (!t)
		return;
	t->session.driver->rollback(&t->session);
	session_end(&t->session);
	budget_let();
}

static const struct driver *of(const struct query *q) { return q->on->session.driver; }

struct query query_on(struct transaction *t, const char *sql)
{
	struct session *i = &t->session;
	void *statement = i->trouble ? NULL : i->driver->prepared(i, sql);
	struct query q;

	/* Set single members only: the room for values is large, and most queries bind two or three. */
	q.on = t;
	q.statement = statement;
	q.rows = NULL;
	q.bound = q.n = 0;
	q.row = -1;
	q.failed = !statement;
	q.started = false;
	return q;
}

void bind_int(struct query *q, int64_t n)
{
	if (!q->failed)
		of(q)->bind(q, (struct text){0}, n, BIND_INT);
}

void bind_text(struct query *q, struct text t)
{
	if (!q->failed)
		of(q)->bind(q, t, 0, t.at ? BIND_TEXT : BIND_NULL);
}

void bind_bytes(struct query *q, struct text t)
{
	if (!q->failed)
		of(q)->bind(q, t, 0, t.at ? BIND_BYTES : BIND_NULL);
}

void bind_null(struct query *q)
{
	if (!q->failed)
		of(q)->bind(q, (struct text){0}, 0, BIND_NULL);
}

/* A call in a transaction notices here that its time or memory is used up. */
bool query_row(struct query *q)
{
	if (!q->failed && !budget_goes_on()) {
		q->failed = true;
		q->on->session.trouble = TROUBLE_LIMIT;
	}
	return !q->failed && of(q)->row(q);
}
int64_t query_int(struct query *q, int column) { return of(q)->number(q, column); }
struct text query_lent(struct query *q, int column) { return of(q)->column(q, column); }

struct text query_text(struct query *q, struct arena *a, int column)
{
	struct text t = query_lent(q, column);

	return t.at ? text_copy(a, t) : t;
}

bool query_end(struct query *q)
{
	if (q->statement)
		of(q)->end(q);
	return !q->failed;
}

bool query_run(struct query *q)
{
	if (!q->failed)
		of(q)->run(q);
	return query_end(q);
}

int64_t store_last_id(struct transaction *t) { return sqlite_last_id(&t->session); }

bool store_flush_failed(const struct store *s) { return s && atomic_load(&s->flush_failed); }

bool store_compact(struct call *c, struct store *s)
{
	struct transaction *t;

	if (!store_begin(c, s, STORE_WRITE, &t))
		return false;
	t->session.driver->rollback(&t->session);
	bool done = sqlite_compact(&t->session) || transaction_fail(c, t, "write the file anew");
	session_end(&t->session);
	budget_let();
	return done;
}

bool store_rescue(struct call *c, const struct store_options *options, const char *to, int64_t *rows,
		  struct texts *lost)
{
	return sqlite_rescue(c, options, to, rows, lost);
}
