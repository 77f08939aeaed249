/* server.c: the server: its kinds' states, its ticker. */
#include "mcp/inner.h"

#include "base/mutex.h"
#include "mcp/notice.h"
#include "mcp/offer.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

struct guard *server_guard(struct server *s) { return s->options.guard; }

struct work *server_workspace(struct server *s) { return s->options.work; }

bool server_is_read_only(const struct server *s) { return s->options.read_only; }

const char *kind_documents(struct arena *a, const struct server *s, const struct kind *k)
{
	for (size_t i = 0; i < s->n_kinds; i++)
		if (s->kinds[i].kind == k)
			return kind_extensions(a, k, s->kinds[i].config);
	return k->extensions;
}

bool kind_state(struct call *c, struct server *s, const struct kind *k, void **out)
{
	struct kind_state *state = s->kinds, *end = s->kinds + s->n_kinds;

	*out = NULL;
	while (state < end && state->kind != k)
		state++;
	if (!k->open || state == end)
		return true;
	if (!atomic_load(&state->is_open)) {
		mutex_lock(&state->opening);
		if (!atomic_load(&state->is_open)) {
			void *opened = NULL;
			bool done = k->open(c, state->config, &opened);
			state->state = opened;
			atomic_store(&state->is_open, done);
		}
		mutex_unlock(&state->opening);
	}
	*out = atomic_load(&state->is_open) ? state->state : NULL;
	return atomic_load(&state->is_open);
}

/* A kind's part of the configuration is decoded at start, so mistakes are reported at once. */
static bool decode_config(struct call *c, struct server *s, struct kind_state *state)
{
	const struct kind *k = state->kind;
	const struct json *tree = json_get(json_get(s->options.config, "kinds"), k->name);

	if (!k->config)
		return true;
	void *config = arena_zero(&s->arena, k->config_size);
	struct arena *mine = c->arena;
	size_t warned = c->warnings.n;
	c->arena = &s->arena;
	bool done = fields_decode(c, k->config, k->config_size, tree ? tree : json_new_object(&s->arena), config,
				  &(struct decode_options){.lenient = true, .noun = "key"});
	c->arena = mine;
	for (size_t i = warned; i < c->warnings.n; i++)
		c->warnings.items[i] =
			text_format(c->arena, "[kinds.%s]: %.*s", k->name, TEXT_ARGS(c->warnings.items[i]));
	if (!done)
		c->error.message = text_format(c->arena, "[kinds.%s]: %s", k->name, c->error.message).at;
	state->config = config;
	return done;
}

bool server_open(struct call *c, const struct server_options *options, struct server **out)
{
	struct server *s = budget_zero(1, sizeof *s);
	size_t n = 0;

	budget_prepare();
	while (options->kinds[n])
		n++;
	*s = (struct server){
		.options = *options, .arena = {.lasts = true}, .n_kinds = n, .n_served = n + 1, .round = 1};
	pthread_mutex_init(&s->lock, NULL);
	pthread_mutex_init(&s->writing, NULL);
	pthread_mutex_init(&s->outputs.lock, NULL);
	pthread_condattr_t monotonic;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&s->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
	if (options->state_key.at)
		sha256(options->state_key, s->state_key);
	else
		random_bytes(s->state_key, sizeof s->state_key);
	s->kinds = arena_array(&s->arena, n, sizeof *s->kinds);
	s->served = arena_array(&s->arena, n + 1, sizeof *s->served);
	for (size_t i = 0; i < n; i++) {
		s->kinds[i].kind = options->kinds[i];
		pthread_mutex_init(&s->kinds[i].opening, NULL);
	}
	for (size_t i = 0; i < n; i++)
		if (!decode_config(c, s, &s->kinds[i])) {
			server_close(s);
			return false;
		}
	s->served[0].endpoint = (struct endpoint){options->kinds, n == 1};
	for (size_t i = 0; i < n; i++) {
		const struct kind **one = arena_array(&s->arena, 2, sizeof *one);
		one[0] = options->kinds[i];
		s->served[i + 1].endpoint = (struct endpoint){one, true};
	}
	*out = s;
	return true;
}

void server_keys_changed(struct server *s)
{
	if (!guard_needs_key(s->options.guard))
		return;
	sessions_renew(s);
	listens_renew(s);
}

/* The next moment of the ticker: in a second, or sooner while somebody watches all changes. */
static struct timespec next_tick(const struct server *s)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += !s->notices;
	t.tv_nsec += s->notices ? NOTICE_MS * 1000000L : 0;
	t.tv_sec += t.tv_nsec / 1000000000L;
	t.tv_nsec %= 1000000000L;
	return t;
}

/* Looks at all changes while somebody watches them. True: there is a new one. */
static bool sees_change(struct server *s)
{
	bool is_wanted_now = subscriptions_want(s, CHANGES_URI);

	if (is_wanted_now && !s->notices)
		s->notices = notices_new(s);
	if (!is_wanted_now && s->notices) {
		notices_free(s->notices);
		s->notices = NULL;
	}
	return s->notices && notices_look(s->notices);
}

void server_looks_again(struct server *s) { offers_renew(s); }

static void *tick(void *arg)
{
	struct server *s = arg;
	int64_t housekept = 0;

	mutex_lock(&s->lock);
	while (!atomic_load(&s->stopping)) {
		struct timespec until = next_tick(s);
		while (!s->poked && !atomic_load(&s->stopping) &&
		       pthread_cond_timedwait(&s->wake, &s->lock, &until) != ETIMEDOUT)
			;
		bool poked = s->poked;
		s->poked = false;
		mutex_unlock(&s->lock);
		poked |= sees_change(s);
		bool is_round = clock_ticks() - housekept >= 1000;
		if (!is_round && !poked) {
			mutex_lock(&s->lock);
			continue;
		}
		housekept = is_round ? clock_ticks() : housekept;
		if (s->options.work)
			work_tick(s->options.work);
		server_keys_changed(s); /* a key may also expire */
		sessions_tick(s);
		subscriptions_look(s, poked);
		refusals_tell(s);
		mutex_lock(&s->lock);
	}
	mutex_unlock(&s->lock);
	notices_free(s->notices);
	s->notices = NULL;
	return NULL;
}

/* The ticker starts with the first call that may need it, so a process that only lists its tools has one thread
 * less. */
void server_tick_needed(struct server *s)
{
	mutex_lock(&s->lock);
	if (!s->ticks && !atomic_load(&s->stopping))
		s->ticks = pthread_create(&s->ticker, NULL, tick, s) == 0;
	mutex_unlock(&s->lock);
}

void server_poke(struct server *s)
{
	mutex_lock(&s->lock);
	s->poked = true;
	pthread_cond_signal(&s->wake);
	mutex_unlock(&s->lock);
}

void server_stop(struct server *s)
{
	size_t n;
	struct arena a = {0};

	mutex_lock(&s->lock);
	atomic_store(&s->stopping, true);
	bool ticks = s->ticks;
	s->ticks = false;
	pthread_cond_signal(&s->wake);
	mutex_unlock(&s->lock);
	if (ticks)
		pthread_join(s->ticker, NULL);
	refusals_tell(s);
	listens_end(s, NULL, true);
	struct session **sessions = sessions_held(s, &a, &n);
	for (size_t i = 0; i < n; i++) {
		asks_expire(sessions[i], true);
		session_release(sessions[i]);
	}
	arena_free(&a);
}

void server_close(struct server *s)
{
	server_stop(s);
	sessions_close(s);
	offers_renew(s);
	for (size_t i = 0; i < s->n_kinds; i++) {
		if (atomic_load(&s->kinds[i].is_open) && s->kinds[i].kind->close)
			s->kinds[i].kind->close(s->kinds[i].state);
		pthread_mutex_destroy(&s->kinds[i].opening);
	}
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->lock);
	pthread_mutex_destroy(&s->writing);
	pthread_mutex_destroy(&s->outputs.lock);
	arena_free(&s->arena);
	secret_clear(s->state_key, sizeof s->state_key);
	free(s);
}
