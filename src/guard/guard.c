#include "guard/guard.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/mutex.h"
#include "format/json_write.h"
#include "guard/keys.h"
#include "guard/limits.h"
#include "guard/shared_limits.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct guard {
	pthread_mutex_t lock; /* protects swapping the set and taking a reference */
	struct key_set *keys; /* NULL: no keys needed */
	bool needs_key;       /* the same from start to end, so it is read without the lock */
	char *keys_file;
	struct key_set *of_pipe; /* NULL: a pipe is granted everything */
	struct windows *windows;
	struct shared_windows *shared; /* NULL: the limits apply to this server only */
	struct access_log *access_log; /* NULL: none */
	int requests, writes;          /* as in guard_options */
	bool local;
};

/* One key that may do everything. It exists only in this process. */
static struct key_set *fresh_set(struct call *c, const char *secret)
{
	struct key_set *keys = key_set_parse(
		c,
		text_format(c->arena,
			    "[{\"name\":\"this run\",\"key\":\"%s\",\"grants\":{\"kinds\":[\"*\"],\"tools\":[\"*\"],"
			    "\"documents\":[\"**\"],\"write\":[\"**\"]}}]",
			    secret),
		"the key of this run");

	for (size_t i = 0; keys && i < keys->n; i++)
		keys->keys[i].is_fresh = true;
	return keys;
}

static void put_globs(struct json_out *o, const char *name, const char *const *globs, bool all)
{
	json_key(o, name);
	json_open(o, '[');
	for (; globs && *globs; globs++)
		json_put_string(o, *globs);
	if (all)
		json_put_string(o, "**");
	json_close(o, ']');
}

/* The grants of the command line, as a key that nobody needs to show. If only hidden documents are named, the others
 * may be read and written. */
static struct key_set *pipe_set(struct call *c, const struct guard_options *options)
{
	struct buffer b = {.arena = c->arena};
	struct json_out o = {.to = &b};
	bool none = !options->reads && !options->writes;

	buffer_put(&b, "[{\"name\":\"pipe\",\"key\":\"of the pipe\",\"grants\":");
	json_open(&o, '{');
	put_globs(&o, "kinds", NULL, true);
	put_globs(&o, "tools", NULL, true);
	put_globs(&o, "documents", options->reads, none);
	put_globs(&o, "write", options->writes, none);
	put_globs(&o, "hide", options->hides, false);
	json_close(&o, '}');
	buffer_put(&b, "}]");
	struct key_set *keys = key_set_parse(c, buffer_text(&b), "the command line");
	for (size_t i = 0; keys && i < keys->n; i++)
		keys->keys[i].is_local = true;
	return keys;
}

const struct key *guard_local_key(const struct guard *g) { return g && g->of_pipe ? g->of_pipe->keys : NULL; }

bool guard_open(struct call *c, const struct guard_options *options, struct guard **out)
{
	struct key_set *keys = NULL;
	struct key_set *of_pipe = NULL;
	struct access_log *access_log = NULL;

	if ((options->reads || options->writes || options->hides) && !(of_pipe = pipe_set(c, options)))
		return false;
	if (options->access_log && !(access_log = access_log_open(c, options->access_log))) {
		key_set_release(of_pipe);
		return false;
	}
	if (options->keys_file && !(keys = key_set_read(c, options->keys_file))) {
		access_log_close(access_log);
		key_set_release(of_pipe);
		return false;
	}
	if (!keys && options->fresh_key && !(keys = fresh_set(c, options->fresh_key))) {
		access_log_close(access_log);
		key_set_release(of_pipe);
		return false;
	}
	struct guard *g = budget_zero(1, sizeof *g);
	pthread_mutex_init(&g->lock, NULL);
	g->keys = keys;
	g->needs_key = keys != NULL;
	g->keys_file = options->keys_file ? budget_text(options->keys_file, strlen(options->keys_file)) : NULL;
	g->of_pipe = of_pipe;
	g->windows = windows_new();
	if (options->store && !options->local)
		g->shared = shared_windows_new(options->store);
	g->access_log = access_log;
	g->requests = options->requests_a_minute;
	g->writes = options->writes_a_minute;
	g->local = options->local;
	*out = g;
	return true;
}

void guard_close(struct guard *g)
{
	if (!g)
		return;
	key_set_release(g->keys);
	key_set_release(g->of_pipe);
	windows_free(g->windows);
	shared_windows_free(g->shared);
	access_log_close(g->access_log);
	pthread_mutex_destroy(&g->lock);
	free(g->keys_file);
	free(g);
}

bool guard_needs_key(const struct guard *g) { return g->needs_key; }

bool guard_reload(struct call *c, struct guard *g)
{
	if (!g->keys_file)
		return true;
	struct key_set *fresh = key_set_read(c, g->keys_file);
	if (!fresh)
		return false;
	mutex_lock(&g->lock);
	struct key_set *old = g->keys;
	g->keys = fresh;
	mutex_unlock(&g->lock);
	key_set_release(old);
	return true;
}

/* The secret of "Bearer SECRET"; absent: another scheme, or no secret. */
static struct text bearer(struct text authorization)
{
	struct text t = text_trim(authorization);
	const struct text none = {0};

	if (t.len < 8 || strncasecmp(t.at, "Bearer ", 7) != 0)
		return none;
	t = text_trim(text_slice(t, 7, t.len));
	for (size_t i = 0; i < t.len; i++)
		if (t.at[i] <= ' ' || t.at[i] == 0x7f)
			return none;
	return t.len && t.len <= KEY_SECRET_MAX ? t : none;
}

const struct key *guard_key(struct guard *g, struct text authorization, const char **why)
{
	if (!g->needs_key) {
		*why = "this server does not use keys";
		return NULL;
	}
	if (!authorization.at) {
		*why = "no key was sent: add the header Authorization: Bearer KEY";
		return NULL;
	}
	struct text secret = bearer(authorization);
	if (!secret.at) {
		*why = "the Authorization header must be Bearer and a key";
		return NULL;
	}
	mutex_lock(&g->lock);
	struct key_set *set = g->keys;
	atomic_fetch_add(&set->held, 1);
	mutex_unlock(&g->lock);
	const struct key *k = key_set_find(set, secret);
	if (k && k->expires > clock_now())
		return k;
	*why = k ? "this key has expired" : "unknown key";
	key_set_release(set);
	return NULL;
}

const struct key *guard_key_known(struct guard *g, struct text name, const unsigned char *digest)
{
	const struct key *now = NULL;

	mutex_lock(&g->lock);
	struct key_set *set = g->keys;
	for (size_t i = 0; set && !now && i < set->n; i++)
		if (text_same(set->keys[i].name, name))
			now = &set->keys[i];
	if (now && (now->expires <= clock_now() || !secret_same(now->digest, digest, sizeof now->digest)))
		now = NULL;
	key_hold(now);
	mutex_unlock(&g->lock);
	return now;
}

const struct key *guard_key_now(struct guard *g, const struct key *k) { return guard_key_known(g, k->name, k->digest); }

const struct key *guard_key_of_run(struct guard *g)
{
	const struct key *own = NULL;

	mutex_lock(&g->lock);
	for (size_t i = 0; g->keys && !own && i < g->keys->n; i++)
		if (g->keys->keys[i].is_fresh)
			own = key_hold(&g->keys->keys[i]);
	mutex_unlock(&g->lock);
	return own;
}

bool guard_has_own_key(struct guard *g)
{
	const struct key *own = guard_key_of_run(g);

	if (own)
		key_release(own);
	return own != NULL;
}

/* A key's own limit overrides the server's, the server's overrides the kind's. 0: none. */
static int limit_of(const struct guard *g, const struct key *k, const struct kind *kind, enum guard_what what)
{
	int own = !k ? -1 : what == GUARD_WRITE ? k->writes : k->requests;
	int server = what == GUARD_WRITE ? g->writes : g->requests;

	if (own >= 0)
		return own;
	if (server >= 0)
		return server;
	if (g->local || !kind)
		return 0;
	return what == GUARD_WRITE ? kind->writes_a_minute : kind->requests_a_minute;
}

/* A window's name contains the key's name, so a reload keeps its count; an address cannot be mistaken for a key. */
static struct text window_name(char *to, size_t room, struct client who, const struct kind *kind, enum guard_what what)
{
	struct text name = who.key ? who.key->name : who.peer;
	int n = snprintf(to, room, "%c%c/%s/%.*s", what == GUARD_WRITE ? 'w' : 'r', who.key ? 'k' : 'p',
			 kind ? kind->name : "", TEXT_ARGS(name));

	return (struct text){to, (size_t)n < room ? (size_t)n : room - 1};
}

bool guard_take(struct guard *g, struct client who, const struct kind *kind, enum guard_what what, int *retry_after)
{
	char name[600]; /* a key's name has at most 100 characters of 4 bytes, checked when it is read */
	int limit = limit_of(g, who.key, kind, what);

	if (!limit)
		return true;
	struct text window = window_name(name, sizeof name, who, kind, what);
	if (g->shared) {
		bool known, taken = shared_windows_take(g->shared, window, limit, retry_after, &known);
		if (known)
			return taken;
		/* Without the database no document can be reached either. Until it is back, this server's own count
		 * limits callers. */
	}
	return windows_take(g->windows, window, limit, clock_ticks(), retry_after);
}

void guard_return(struct guard *g, struct client who, const struct kind *kind)
{
	char name[600];

	struct text window = window_name(name, sizeof name, who, kind, GUARD_REQUEST);
	if (g->shared)
		shared_windows_return(g->shared, window);
	else
		windows_return(g->windows, window);
}

struct text guard_hash(struct arena *a, struct text secret)
{
	unsigned char digest[32];

	sha256(secret, digest);
	struct text hex = hex_encode(a, (struct text){(const char *)digest, sizeof digest});
	secret_clear(digest, sizeof digest);
	return text_format(a, "sha256:%.*s", TEXT_ARGS(hex));
}

bool guard_reopen_log(struct call *c, struct guard *g) { return access_log_reopen(c, g->access_log); }

bool guard_logs(const struct guard *g) { return g->access_log != NULL; }

void guard_log(struct guard *g, const struct access *a) { access_log_line(g->access_log, a); }
