/* server.c: the server: its places, its kinds' states, its ticker. */
#include "mcp/inner.h"

#include "base/mutex.h"
#include "mcp/notice.h"
#include "mcp/written.h"
#include "work/history/history.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

static const struct tool *const core_tools[] = {file_tools, NULL};

/* Changes with every change of a document that the caller may see. For the page and other programs that watch; it is
 * not listed, so no model pays for it. */
static bool changes_revision(struct call *c, const struct text *values, struct text *out)
{
	struct history_entry *newest;
	size_t n;
	bool more;

	(void)values;
	if (!c->work || !history_list(c, (struct text){0}, 0, 1, &newest, &n, &more))
		return false;
	*out = n ? text_format(c->arena, "%lld", (long long)newest->id) : TEXT("none");
	return true;
}

static bool changes_read(struct call *c, const struct text *values)
{
	struct text newest;

	if (!changes_revision(c, values, &newest))
		return false;
	reply_resource(c, CHANGES_URI, "text/plain", newest);
	return true;
}

static const struct resource core_resources[] = {
	{.uri = CHANGES_URI,
	 .name = "changes",
	 .title = "Changes of all documents",
	 .prose = "The number of the newest change; file_history lists them.",
	 .mime = "text/plain",
	 .read = changes_read,
	 .revision = changes_revision},
	{.uri = NULL},
};

const struct kind kind_core = {
	.name = "file",
	.title = "Files and their history",
	.prose = "The history of every document: what changed, who changed it, and undo.",
	.tools = core_tools,
	.resources = core_resources,
};

/* If several kinds are served, a tool's name begins with its kind, unless the name already contains it. So names never
 * depend on which other tools exist. */
static struct text served_name(struct arena *a, const struct kind *k, const char *name, bool alone)
{
	return alone ? text_of(name) : name_together(a, k, name);
}

static const void *kind_config(const struct server *s, const struct kind *k)
{
	for (size_t i = 0; i < s->n_kinds; i++)
		if (s->kinds[i].kind == k)
			return s->kinds[i].config;
	return NULL;
}

static bool is_served_as(const struct kind *k, const struct tool *t, struct text name)
{
	size_t prefix = strlen(k->name);

	return name.len > prefix && text_starts(name, k->name) && name.at[prefix] == '_' &&
	       text_is(text_slice(name, prefix + 1, name.len), t->name);
}

/* Names may be the listed ones of a server with all kinds, or bare. */
static bool is_wanted(const struct server *s, const struct kind *k, const struct tool *t, bool alone)
{
	const struct server_options *o = &s->options;

	if (t->offered && !t->offered(kind_config(s, k)))
		return false;
	if (o->read_only && tool_writes(t))
		return false;
	/* One kind's tools are few enough to offer all of them. */
	if (o->tools ? !strcmp(o->tools, "all") : alone)
		return true;
	if (!o->tools || !strcmp(o->tools, "core"))
		return !(t->effect & TOOL_EXTRA);
	struct text names = text_of(o->tools);
	for (size_t at = 0; at <= names.len;) {
		size_t end = text_find(names, TEXT(","), at);
		end = end == SIZE_MAX ? names.len : end;
		struct text name = text_trim(text_slice(names, at, end));
		if (text_is(name, t->name) || is_served_as(k, t, name))
			return true;
		at = end + 1;
	}
	return false;
}

struct tool_list {
	ARRAY(struct served_tool) tools;
};

static void add_tool(struct server *s, struct tool_list *to, const struct kind *k, const struct tool *t,
		     const struct kind *speaks, bool alone)
{
	*ARRAY_PUSH(&s->arena, &to->tools) = (struct served_tool){.name = served_name(&s->arena, k, t->name, alone),
								  .bare = t->name,
								  .kind = speaks,
								  .tool = t,
								  .listed = !(t->effect & TOOL_UNLISTED)};
	for (const char *const *alias = t->aliases; alias && *alias; alias++)
		*ARRAY_PUSH(&s->arena, &to->tools) = (struct served_tool){
			.name = served_name(&s->arena, k, *alias, alone), .bare = *alias, .kind = speaks, .tool = t};
}

static void add_tools(struct server *s, struct tool_list *to, const struct kind *k, const struct kind *speaks,
		      bool alone)
{
	for (const struct tool *const *table = k->tools; table && *table; table++)
		for (const struct tool *t = *table; t->name; t++)
			if (is_wanted(s, k, t, alone))
				add_tool(s, to, k, t, speaks, alone);
}

/* Instructions mention all tools of their kind. The tools that this server does not offer are listed at the end. */
static void put_unavailable(struct server *s, struct buffer *to, const struct kind *const *kinds_here, bool alone)
{
	const char *before = "\n\nNot available on this server: ";

	for (const struct kind *const *k = kinds_here; *k; k++)
		for (const struct tool *const *table = (*k)->tools; table && *table; table++)
			for (const struct tool *t = *table; t->name; t++) {
				if (t->effect & TOOL_UNLISTED || is_wanted(s, *k, t, alone) ||
				    !names_mention(text_of((*k)->instructions), t->name))
					continue;
				buffer_put(to, before);
				buffer_add(to, served_name(&s->arena, *k, t->name, alone));
				before = ", ";
			}
}

static struct text joined_instructions(struct server *s, const struct kind *const *kinds_here, bool alone)
{
	struct buffer b = {.arena = &s->arena};

	for (const struct kind *const *k = kinds_here; *k; k++) {
		if (!(*k)->instructions)
			continue;
		if (b.len)
			buffer_put(&b, "\n\n");
		if (!alone)
			buffer_format(&b, "## %s: %s\n", (*k)->name, (*k)->title);
		struct text written = alone ? text_of((*k)->instructions) : written_instructions(*k);
		buffer_add(&b, written.at ? written : names_served(&s->arena, *k, text_of((*k)->instructions)));
	}
	if (b.len)
		put_unavailable(s, &b, kinds_here, alone);
	return buffer_text(&b);
}

static void fill_place(struct server *s, struct place *p)
{
	struct tool_list list = {0};
	const struct kind *const *kinds_here = p->endpoint.kinds;
	bool alone = p->endpoint.alone, has_files = false;

	for (const struct kind *const *k = kinds_here; *k; k++) {
		add_tools(s, &list, *k, *k, alone);
		has_files |= !(*k)->no_files;
		p->logs |= (*k)->logs;
		p->lists_change |= (*k)->lists_change;
		for (const struct resource *r = (*k)->resources; r && r->uri; r++) {
			p->has_resources = true;
			p->subscribes |= r->revision != NULL;
			p->completes |= r->complete != NULL;
		}
		for (const struct prompt *row = (*k)->prompts; row && row->name; row++) {
			p->has_prompts = true;
			p->completes |= row->complete != NULL;
		}
	}
	/* A kind that is served alone also owns the core's tools, so errors have one format at one address. */
	if ((s->options.work || s->options.only_lists) && has_files)
		add_tools(s, &list, &kind_core, alone ? kinds_here[0] : &kind_core, true);
	p->tools = list.tools.items;
	p->n_tools = list.tools.n;
	p->instructions = joined_instructions(s, kinds_here, alone);
}

/* A place is filled when its first client comes: most servers have clients at one place only. */
static const struct endpoint *place_at(struct server *s, struct place *p)
{
	if (!atomic_load(&p->is_filled)) {
		mutex_lock(&s->lock);
		if (!atomic_load(&p->is_filled))
			fill_place(s, p);
		atomic_store(&p->is_filled, true);
		mutex_unlock(&s->lock);
	}
	return &p->endpoint;
}

const struct endpoint *server_endpoint(struct server *s, struct text path)
{
	if (!path.len || text_is(path, "/mcp"))
		return place_at(s, &s->places[0]);
	if (!text_starts(path, "/mcp/"))
		return NULL;
	for (size_t i = 1; i < s->n_places; i++)
		if (text_is(text_slice(path, 5, path.len), s->places[i].endpoint.kinds[0]->name))
			return place_at(s, &s->places[i]);
	return NULL;
}

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
		.options = *options, .arena = {.lasts = true}, .n_kinds = n, .n_places = n + 1, .round = 1};
	pthread_mutex_init(&s->lock, NULL);
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
	s->places = arena_array(&s->arena, n + 1, sizeof *s->places);
	for (size_t i = 0; i < n; i++) {
		s->kinds[i].kind = options->kinds[i];
		pthread_mutex_init(&s->kinds[i].opening, NULL);
	}
	for (size_t i = 0; i < n; i++)
		if (!decode_config(c, s, &s->kinds[i])) {
			server_close(s);
			return false;
		}
	s->places[0].endpoint = (struct endpoint){options->kinds, n == 1};
	for (size_t i = 0; i < n; i++) {
		const struct kind **one = arena_array(&s->arena, 2, sizeof *one);
		one[0] = options->kinds[i];
		s->places[i + 1].endpoint = (struct endpoint){one, true};
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
	for (size_t i = 0; i < s->n_kinds; i++) {
		if (atomic_load(&s->kinds[i].is_open) && s->kinds[i].kind->close)
			s->kinds[i].kind->close(s->kinds[i].state);
		pthread_mutex_destroy(&s->kinds[i].opening);
	}
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->lock);
	pthread_mutex_destroy(&s->outputs.lock);
	arena_free(&s->arena);
	secret_clear(s->state_key, sizeof s->state_key);
	free(s);
}
