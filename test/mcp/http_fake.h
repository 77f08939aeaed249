/* http_fake.h: a fake server and guard, controlled by the request's body, to test only the transport.
 *
 * A body is a word: "inline" gets its response at once, "work" from a worker, and so on. So a client can observe how
 * the transport handles each action of the server. */
#ifndef QUIRE_TEST_HTTP_FAKE_H
#define QUIRE_TEST_HTTP_FAKE_H
#include "guard/visits.h"
#include "mcp/server.h"
#include "mcp/session.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct session {
	struct session_stream stream;
};

static struct {
	pthread_mutex_t lock;
	struct exchange *open, *parked;
	struct session session;
	bool has_session, needs_key;
	atomic_int left, running, cancelled, freed, received, limit;
	atomic_bool is_stopping;
	char line[400]; /* the newest line of the access log */
} fake = {.lock = PTHREAD_MUTEX_INITIALIZER, .limit = -1};

static bool says(const struct exchange *x, const char *word) { return text_starts(x->bytes, word); }

static void finish(struct exchange *x, int status, const char *message)
{
	x->wire->finish(x, status, text_of(message));
}

static const struct kind fake_kind = {.name = "thing"};
static const struct kind *const fake_kinds[] = {&fake_kind, NULL};
static const struct endpoint fake_all = {fake_kinds, false}, fake_alone = {fake_kinds, true};

const struct endpoint *server_endpoint(struct server *s, struct text path)
{
	(void)s;
	return text_is(path, "/mcp") ? &fake_all : text_is(path, "/mcp/thing") ? &fake_alone : NULL;
}

bool server_knows_version(struct text version) { return text_is(version, "2025-11-25"); }

void server_keys_changed(struct server *s) { (void)s; }

void server_looks_again(struct server *s) { (void)s; }

void server_turned_away(struct server *s, const struct endpoint *at, enum fault fault, const char *message,
			struct client who)
{
	(void)s, (void)at, (void)fault, (void)message, (void)who;
}

struct guard *server_guard(struct server *s) { return (struct guard *)s; }

struct work *server_workspace(struct server *s)
{
	(void)s;
	return NULL;
}

bool server_is_read_only(const struct server *s)
{
	(void)s;
	return false;
}

static void echo_header(struct exchange *x)
{
	struct text value = x->header(x, "x-test"), none = x->header(x, "x-none");

	x->wire->finish(x, 200, text_format(&x->arena, "[%.*s]%s", TEXT_ARGS(value), none.at ? "none?" : ""));
}

static void be_huge(struct exchange *x)
{
	size_t n = 3 << 20;
	char *bytes = arena_alloc(&x->arena, n);

	memset(bytes, 'x', n);
	x->wire->finish(x, 200, (struct text){bytes, n});
}

enum server_step server_receive(struct exchange *x)
{
	atomic_fetch_add(&fake.received, 1);
	if (says(x, "work") || says(x, "progress") || says(x, "slow") || says(x, "flood") || says(x, "park"))
		return SERVER_WORK;
	if (says(x, "listen"))
		return SERVER_OPEN;
	if (says(x, "note")) {
		finish(x, 202, NULL);
	} else if (says(x, "init")) {
		x->new_session = TEXT("session-1");
		fake.has_session = true;
		finish(x, 200, "{\"hello\":1}");
	} else if (says(x, "tell")) {
		pthread_mutex_lock(&fake.lock);
		if (fake.session.stream.send)
			fake.session.stream.send(fake.session.stream.stream, TEXT("{\"news\":\n1}"));
		pthread_mutex_unlock(&fake.lock);
		finish(x, 202, NULL);
	} else if (says(x, "rate")) {
		x->retry_after = 7;
		finish(x, 429, "{\"slow\":1}");
	} else if (says(x, "stream")) {
		x->is_stream = true;
		finish(x, 200, "{\"last\":1}");
	} else if (says(x, "plain")) {
		x->content_type = "text/plain";
		finish(x, 422, "plainly");
	} else if (says(x, "resume")) {
		pthread_mutex_lock(&fake.lock);
		struct exchange *parked = fake.parked;
		fake.parked = NULL;
		pthread_mutex_unlock(&fake.lock);
		if (parked)
			parked->wire->again(parked);
		finish(x, 202, NULL);
	} else if (says(x, "header")) {
		echo_header(x);
	} else if (says(x, "huge")) {
		be_huge(x);
	} else {
		x->wire->finish(x, 200, text_format(&x->arena, "{\"bytes\":%zu}", x->bytes.len));
	}
	return SERVER_DONE;
}

void server_work(struct exchange *x)
{
	if (says(x, "progress")) {
		for (int i = 0; i < 3; i++) {
			char message[] = "{\"step\":0}";

			message[8] = (char)('0' + i);
			x->wire->send(x, text_of(message));
			usleep(20000);
		}
	} else if (says(x, "flood")) {
		static char block[64 << 10];

		memset(block, 'y', sizeof block);
		for (int i = 0; i < 200; i++)
			x->wire->send(x, (struct text){block, sizeof block});
	} else if (says(x, "slow")) {
		atomic_fetch_add(&fake.running, 1);
		for (int i = 0; i < 6000 && !x->cancelled; i++)
			usleep(10000);
		if (x->cancelled) {
			atomic_fetch_add(&fake.cancelled, 1);
			finish(x, 0, NULL);
			return;
		}
	} else if (says(x, "listen") && !x->cancelled) {
		pthread_mutex_lock(&fake.lock);
		fake.open = x;
		x->wire->send(x, TEXT("{\"ack\":1}"));
		pthread_mutex_unlock(&fake.lock);
		return;
	} else if (says(x, "park") && !x->inner) {
		x->inner = (struct exchange_inner *)x;
		pthread_mutex_lock(&fake.lock);
		fake.parked = x;
		pthread_mutex_unlock(&fake.lock);
		x->wire->send(x, TEXT("{\"question\":1}"));
		return;
	}
	finish(x, 200, "{\"done\":1}");
}

static void end_open(struct exchange *only)
{
	pthread_mutex_lock(&fake.lock);
	struct exchange *x = fake.open;
	if (x && (!only || x == only))
		fake.open = NULL;
	else
		x = NULL;
	pthread_mutex_unlock(&fake.lock);
	if (x)
		finish(x, 200, "{\"over\":1}");
}

void server_left(struct exchange *x)
{
	atomic_fetch_add(&fake.left, 1);
	x->cancelled = true;
	end_open(x);
}

void server_stop(struct server *s)
{
	(void)s;
	end_open(NULL);
}

void exchange_free(struct exchange *x)
{
	atomic_fetch_add(&fake.freed, 1);
	arena_free(&x->arena);
}

struct session *session_find(struct server *s, struct text id, const struct key *key)
{
	(void)s;
	(void)key;
	return fake.has_session && text_is(id, "session-1") ? &fake.session : NULL;
}

void session_release(struct session *s) { (void)s; }

bool session_end(struct server *s, struct text id, const struct key *key)
{
	if (!session_find(s, id, key))
		return false;
	fake.has_session = false;
	pthread_mutex_lock(&fake.lock);
	struct session_stream stream = fake.session.stream;
	if (stream.closed)
		stream.closed(stream.stream);
	fake.session.stream = (struct session_stream){0};
	pthread_mutex_unlock(&fake.lock);
	return true;
}

void session_attach(struct session *s, struct session_stream stream)
{
	pthread_mutex_lock(&fake.lock);
	if (s->stream.closed)
		s->stream.closed(s->stream.stream);
	s->stream = stream;
	pthread_mutex_unlock(&fake.lock);
}

bool session_detach(struct session *s, const void *stream)
{
	pthread_mutex_lock(&fake.lock);
	bool was_there = s->stream.stream == stream;
	if (was_there)
		s->stream = (struct session_stream){0};
	pthread_mutex_unlock(&fake.lock);
	return was_there;
}

/* The guard. The only key is "secret". */

bool guard_needs_key(const struct guard *g)
{
	(void)g;
	return fake.needs_key;
}

bool guard_reopen_log(struct call *c, struct guard *g)
{
	(void)c;
	(void)g;
	return true;
}

bool guard_reload(struct call *c, struct guard *g)
{
	(void)g;
	return fail(c, FAULT_ARGUMENT, "there is nothing to read");
}

const struct key *guard_key(struct guard *g, struct text authorization, const char **why)
{
	(void)g;
	if (text_is(authorization, "Bearer secret"))
		return (const struct key *)&fake;
	*why = "the key is unknown";
	return NULL;
}

void key_release(const struct key *k) { (void)k; }

bool key_may_kind(const struct key *k, const struct kind *kind)
{
	(void)k;
	(void)kind;
	return false;
}

struct text key_name(const struct key *k) { return k ? TEXT("anna") : (struct text){0}; }

bool guard_logs(const struct guard *g)
{
	(void)g;
	return true;
}

void guard_log(struct guard *g, const struct access *a)
{
	(void)g;
	pthread_mutex_lock(&fake.lock);
	snprintf(fake.line, sizeof fake.line, "%.*s|%.*s|%.*s|%s|%d", TEXT_ARGS(a->peer), TEXT_ARGS(a->key),
		 TEXT_ARGS(a->method), a->outcome, a->code);
	pthread_mutex_unlock(&fake.lock);
}

bool guard_take(struct guard *g, struct client who, const struct kind *kind, enum guard_what what, int *retry_after)
{
	(void)g;
	(void)who;
	(void)kind;
	(void)what;
	*retry_after = 9;
	return fake.limit < 0 || atomic_fetch_sub(&fake.limit, 1) > 0;
}

void guard_return(struct guard *g, struct client who, const struct kind *kind)
{
	(void)g;
	(void)who;
	(void)kind;
}

bool guard_has_own_key(struct guard *g)
{
	(void)g;
	return false;
}

bool key_writes(const struct key *k)
{
	(void)k;
	return true;
}

/* Nobody visits the page: test/page does that with the whole program. */

struct visits *visits_new(struct guard *guard, struct work *work, int port)
{
	(void)guard;
	(void)work;
	(void)port;
	return NULL;
}

void visits_free(struct visits *v) { (void)v; }

const char *visits_cookie(struct visits *v)
{
	(void)v;
	return "";
}

void visits_begin(struct visits *v, const struct key *key, struct visit *out)
{
	(void)v;
	(void)key;
	*out = (struct visit){0};
}

const struct key *visits_key(struct visits *v, struct text cookie, struct text token)
{
	(void)v;
	(void)cookie;
	(void)token;
	return NULL;
}

void visits_end(struct visits *v, struct text cookie, struct text token)
{
	(void)v;
	(void)cookie;
	(void)token;
}

struct text visits_offer(struct visits *v, struct arena *a)
{
	(void)v;
	(void)a;
	return (struct text){0};
}

const struct key *visits_accept(struct visits *v, struct text once)
{
	(void)v;
	(void)once;
	return NULL;
}

#endif
