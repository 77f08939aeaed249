/* session.c: creates, finds and ends sessions; see session.h. */
#include "mcp/inner.h"

#include "base/mutex.h"

#include <stdlib.h>

void session_release(struct session *s)
{
	mutex_lock(&s->server->lock);
	bool last = --s->refs == 0;
	mutex_unlock(&s->server->lock);
	if (!last)
		return;
	if (s->key)
		key_release(s->key);
	watches_free(s->watches, s->n_watches);
	pthread_mutex_destroy(&s->lock);
	arena_free(&s->arena);
	free(s);
}

/* A session belongs to the key that opened it. For other keys it does not exist. */
static bool belongs(struct session *s, const struct key *key) { return text_same(key_name(s->key), key_name(key)); }

struct session *session_find(struct server *server, struct text id, const struct key *key)
{
	struct session *found = NULL;

	if (!id.len)
		return NULL;
	mutex_lock(&server->lock);
	for (struct session *s = server->sessions; s; s = s->next)
		if (s->id[0] && strlen(s->id) == id.len && secret_same(s->id, id.at, id.len) && belongs(s, key))
			found = s;
	if (found)
		found->refs++;
	mutex_unlock(&server->lock);
	if (found) {
		mutex_lock(&found->lock);
		found->used = clock_ticks();
		mutex_unlock(&found->lock);
	}
	return found;
}

/* Removes it from the list, so that it cannot be found any more. The caller has a reference. */
static bool unlist(struct session *gone)
{
	struct server *server = gone->server;
	bool was = false;

	mutex_lock(&server->lock);
	for (struct session **at = &server->sessions; *at; at = &(*at)->next)
		if (*at == gone) {
			*at = gone->next;
			server->n_sessions--;
			gone->refs--; /* the list's reference; never the last one, because the caller has one */
			was = true;
			break;
		}
	mutex_unlock(&server->lock);
	return was;
}

static void end_held(struct session *s, bool cancels)
{
	if (!unlist(s))
		return;
	mutex_lock(&s->lock);
	s->ended = true;
	for (struct exchange_inner *i = s->running; cancels && i; i = i->next_running)
		atomic_store(&i->exchange->cancelled, true);
	struct session_stream stream = s->stream;
	s->stream = (struct session_stream){0};
	mutex_unlock(&s->lock);
	asks_expire(s, true);
	if (stream.closed)
		stream.closed(stream.stream);
}

/* When it was used last; INT64_MAX: it is in use. */
static int64_t session_used(struct session *s)
{
	mutex_lock(&s->lock);
	int64_t used = s->stream.send || s->running ? INT64_MAX : s->used;
	mutex_unlock(&s->lock);
	return used;
}

/* Adds it to the list. False: there are too many. */
static bool list(struct session *s)
{
	struct server *server = s->server;

	mutex_lock(&server->lock);
	bool full = server->n_sessions >= SESSIONS_MAX;
	if (!full) {
		s->next = server->sessions;
		server->sessions = s;
		server->n_sessions++;
	}
	mutex_unlock(&server->lock);
	return !full;
}

/* Ends the session of this key that was unused for the longest time. A session with an open stream or a running call is
 * in use, and is ended only if all are in use. */
static void make_room_for_key(struct server *server, const struct key *key)
{
	struct arena a = {0};
	size_t n, own = 0, most = server->options.sessions_max ? server->options.sessions_max : SESSIONS_A_KEY;
	struct session **all = sessions_held(server, &a, &n), *oldest = NULL;
	int64_t oldest_used = 0;

	for (size_t k = 0; k < n; k++) {
		mutex_lock(&server->lock);
		bool is_own = all[k]->id[0] && belongs(all[k], key);
		mutex_unlock(&server->lock);
		if (!is_own)
			continue;
		own++;
		/* The newest come first, and several may be created in the same millisecond. */
		int64_t used = session_used(all[k]);
		if (!oldest || used <= oldest_used) {
			oldest = all[k];
			oldest_used = used;
		}
	}
	if (own >= most)
		end_held(oldest, true);
	for (size_t k = 0; k < n; k++)
		session_release(all[k]);
	arena_free(&a);
}

/* Ends the session that was unused for the longest time. It prefers a session of the same key, so that one key does not
 * evict another's sessions. The evicted client must initialize again. False: all of them are in use. */
static bool make_room(struct server *server, const struct key *key)
{
	struct arena a = {0};
	size_t n;
	struct session **all = sessions_held(server, &a, &n), *oldest = NULL;
	bool oldest_is_own = false;
	int64_t oldest_used = 0;

	for (size_t k = 0; k < n; k++) {
		struct session *s = all[k];
		mutex_lock(&s->lock);
		bool idle = s->id[0] && !s->stream.send && !s->running;
		int64_t used = s->used;
		mutex_unlock(&s->lock);
		mutex_lock(&server->lock);
		bool own = belongs(s, key);
		mutex_unlock(&server->lock);
		if (!idle || (oldest && (own == oldest_is_own ? used >= oldest_used : oldest_is_own)))
			continue;
		oldest = s;
		oldest_is_own = own;
		oldest_used = used;
	}
	if (oldest)
		end_held(oldest, true);
	for (size_t k = 0; k < n; k++)
		session_release(all[k]);
	arena_free(&a);
	return oldest;
}

struct session *session_new(struct server *server, const struct key *key, bool is_pipe)
{
	struct session *s = budget_zero(1, sizeof *s);

	*s = (struct session){.server = server,
			      .arena = {.lasts = true},
			      .key = key ? key_hold(key) : NULL,
			      .refs = 2,
			      .version = -1,
			      .log_level = -1,
			      .used = clock_ticks()};
	pthread_mutex_init(&s->lock, NULL);
	if (!is_pipe) {
		unsigned char secret[24];
		struct arena a = {0};
		random_bytes(secret, sizeof secret);
		struct text id = base64url_encode(&a, (struct text){(char *)secret, sizeof secret});
		memcpy(s->id, id.at, id.len < sizeof s->id ? id.len : sizeof s->id - 1);
		arena_free(&a);
	}
	if (!is_pipe)
		make_room_for_key(server, key);
	bool is_listed = list(s) || (make_room(server, key) && list(s));
	if (!is_listed) {
		s->refs = 1;
		session_release(s);
		return NULL;
	}
	if (!is_pipe)
		server_tick_needed(server); /* the session expires, and its key may expire too */
	return s;
}

bool session_end(struct server *server, struct text id, const struct key *key)
{
	struct session *s = session_find(server, id, key);

	if (!s)
		return false;
	end_held(s, true);
	session_release(s);
	return true;
}

void session_attach(struct session *s, struct session_stream stream)
{
	mutex_lock(&s->lock);
	struct session_stream before = s->stream;
	s->stream = stream;
	mutex_unlock(&s->lock);
	if (before.closed)
		before.closed(before.stream);
}

bool session_detach(struct session *s, const void *stream)
{
	mutex_lock(&s->lock);
	bool was_there = s->stream.stream == stream;
	if (was_there)
		s->stream = (struct session_stream){0};
	mutex_unlock(&s->lock);
	return was_there;
}

void session_running(struct exchange *x, bool on)
{
	struct exchange_inner *i = x->inner;
	struct session *s = i->session;

	mutex_lock(&s->lock);
	struct exchange_inner **at = &s->running;
	while (*at && *at != i)
		at = &(*at)->next_running;
	if (on && !*at) {
		i->next_running = NULL;
		*at = i;
	} else if (!on && *at) {
		*at = i->next_running;
	}
	mutex_unlock(&s->lock);
}

/* The client cancels a request. A parked call or a subscription ends here. A running call notices the cancellation
 * itself. */
void session_cancel(struct session *s, struct text id)
{
	struct exchange *listening = NULL;

	mutex_lock(&s->lock);
	for (struct exchange_inner *i = s->running; i; i = i->next_running)
		if (text_same(i->id, id)) {
			atomic_store(&i->exchange->cancelled, true);
			if (i->is_listen)
				listening = i->exchange;
		}
	mutex_unlock(&s->lock);
	if (listening)
		listens_end(s->server, listening, false);
	asks_expire(s, false);
}

struct session **sessions_held(struct server *server, struct arena *a, size_t *n)
{
	mutex_lock(&server->lock);
	struct session **all = arena_array(a, server->n_sessions + 1, sizeof *all);
	*n = 0;
	for (struct session *s = server->sessions; s; s = s->next) {
		s->refs++;
		all[(*n)++] = s;
	}
	mutex_unlock(&server->lock);
	return all;
}

/* Ends idle HTTP sessions and unanswered questions. */
void sessions_tick(struct server *server)
{
	struct arena a = {0};
	size_t n;
	struct session **all = sessions_held(server, &a, &n);
	int64_t now = clock_ticks();

	for (size_t k = 0; k < n; k++) {
		struct session *s = all[k];
		mutex_lock(&s->lock);
		bool idle = s->id[0] && !s->stream.send && !s->running && now - s->used > SESSION_IDLE_MS;
		mutex_unlock(&s->lock);
		if (idle)
			end_held(s, true);
		else
			asks_expire(s, false);
		session_release(s);
	}
	arena_free(&a);
}

void sessions_renew(struct server *server)
{
	struct arena a = {0};
	size_t n;
	struct session **all = sessions_held(server, &a, &n);

	for (size_t k = 0; k < n; k++) {
		mutex_lock(&server->lock);
		const struct key *was = all[k]->key;
		const struct key *now = was ? guard_key_now(server->options.guard, was) : NULL;
		if (now)
			all[k]->key = now;
		mutex_unlock(&server->lock);
		if (now)
			key_release(was);
		else if (was)
			end_held(all[k], false); /* running calls of a key end together with it */
		session_release(all[k]);
	}
	arena_free(&a);
}

void sessions_close(struct server *server)
{
	struct arena a = {0};
	size_t n;
	struct session **all = sessions_held(server, &a, &n);

	for (size_t k = 0; k < n; k++) {
		end_held(all[k], true);
		session_release(all[k]);
	}
	arena_free(&a);
}
