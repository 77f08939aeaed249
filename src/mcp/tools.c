/* tools.c: tools/list and tools/call. */
#include "mcp/inner.h"

#include "base/mutex.h"
#include "mcp/rate.h"
#include "mcp/written.h"

#include <stdlib.h>

enum { RUN_LARGE = 16 << 10 }; /* bytes of a list that are worth sending without a copy */
/* A client that keeps a list with outputSchemas refuses results that are text alone. After a restart without
 * --structured it does so until it lists again. */
enum { LIST_TTL_MS = 60 * 1000 };

static const struct served_tool *tool_named(const struct place *p, struct text name)
{
	for (size_t i = 0; i < p->n_tools; i++)
		if (text_same(p->tools[i].name, name))
			return &p->tools[i];
	return NULL;
}

/* Where several kinds are served, a name without its kind is accepted if only one kind has it. An alias does not count
 * against a tool's own name. */
const struct served_tool *tool_find(const struct place *p, struct text name)
{
	const struct served_tool *found = tool_named(p, name), *own = NULL, *alias = NULL;
	size_t owns = 0, aliases = 0;

	if (found || p->endpoint.alone)
		return found;
	for (const struct served_tool *t = p->tools, *end = t + p->n_tools; t < end; t++) {
		if (!text_is(name, t->bare))
			continue;
		bool is_own = !strcmp(t->bare, t->tool->name);
		*(is_own ? &own : &alias) = t;
		++*(is_own ? &owns : &aliases);
	}
	return owns == 1 ? own : !owns && aliases == 1 ? alias : NULL;
}

/* The core's tools work on files of every kind. Where all kinds are served, a key for one kind may use them, on the
 * documents that its globs match. */
static bool may(const struct exchange *x, const struct served_tool *t)
{
	bool is_granted = key_may_tool(x->key, t->kind, t->tool);

	for (const struct kind *const *k = x->endpoint->kinds; t->kind == &kind_core && *k && !is_granted; k++)
		is_granted = key_may_tool(x->key, *k, t->tool);
	return is_granted;
}

void tool_listed(struct buffer *to, struct arena *a, const struct kind *k, const struct tool *t, const char *name,
		 bool alone)
{
	struct buffer written = {.arena = a};

	if (alone) {
		tool_describe(&(struct json_out){.to = to}, t, name, NULL, false);
		return;
	}
	tool_describe(&(struct json_out){.to = &written}, t, name, NULL, false);
	names_served_json(to, a, k, buffer_text(&written));
}

/* If several kinds are served, each tool is written, then renamed, in the same two buffers for all. Since 2025-06-18
 * all clients get the same text, which is already written (written.h). */
struct listing {
	struct arena *arena;
	const struct place *place;
	const char *version;
	bool is_usual, structured;
	struct buffer written, renamed;
	struct exchange *to; /* may send a long run without a copy; NULL: copies all */
	struct text run;     /* tools that follow each other in the program's text, not put yet */
};

static struct listing listing_of(struct server *s, struct arena *a, const struct place *p, int version)
{
	return (struct listing){.arena = a,
				.place = p,
				.version = version_names[version],
				.is_usual = version >= V2025_06_18 && !s->options.structured,
				.structured = s->options.structured,
				.written = {.arena = a},
				.renamed = {.arena = a}};
}

/* A copy of the usual list would take two dozen pages of memory at the start of the program. */
static void put_run(struct listing *l, struct json_out *o)
{
	struct exchange *x = l->to;

	if (x && !x->large && l->run.len >= RUN_LARGE) {
		json_put_raw(o, TEXT(""));
		x->large = arena_new(&x->arena, struct output);
		x->large->bytes = l->run;
		x->large_at = o->to->len;
	} else if (l->run.at) {
		json_put_raw(o, l->run);
	}
	l->run = (struct text){0};
}

static void put_tool(struct listing *l, struct json_out *o, const struct served_tool *t)
{
	bool alone = l->place->endpoint.alone;
	struct text ready = l->is_usual ? written_tool(t->kind, t->tool, alone) : (struct text){0};

	if (ready.at && l->run.at && ready.at == l->run.at + l->run.len + 1) {
		l->run.len += 1 + ready.len;
		return;
	}
	put_run(l, o);
	l->run = ready;
	if (ready.at)
		return;
	if (alone) {
		tool_describe(o, t->tool, t->name.at, l->version, l->structured);
		return;
	}
	l->written.len = l->renamed.len = 0;
	tool_describe(&(struct json_out){.to = &l->written}, t->tool, t->name.at, l->version, l->structured);
	names_served_json(&l->renamed, l->arena, t->kind, buffer_text(&l->written));
	json_put_raw(o, buffer_text(&l->renamed));
}

void server_tools(struct server *s, struct buffer *to)
{
	const struct place *p = (const struct place *)(const void *)server_endpoint(s, (struct text){0});
	struct listing l = listing_of(s, &s->arena, p, VERSIONS - 1);
	struct json_out o = {.to = to};

	json_open(&o, '{');
	json_key(&o, "tools");
	json_open(&o, '[');
	for (size_t i = 0; i < p->n_tools; i++)
		if (p->tools[i].listed)
			put_tool(&l, &o, &p->tools[i]);
	put_run(&l, &o);
	json_close(&o, ']');
	json_close(&o, '}');
}

bool tools_list(struct exchange *x, struct json_out *o)
{
	const struct place *p = PLACE(x);
	struct text after, last = {0};
	size_t i = 0, n = 0;

	if (!page_start(x, &after))
		return false;
	if (after.at) {
		const struct served_tool *t = tool_named(p, after);
		if (!t || !t->listed)
			return refuse(x, RPC_PARAMS, "params.cursor is not from this server");
		i = (size_t)(t - p->tools) + 1;
	}
	struct listing l = listing_of(x->server, &x->arena, p, x->inner->version);
	/* A list for many clients is kept instead (tools_list_cached()). */
	l.to = x->wire->takes_large && !x->wire->is_http ? x : NULL;
	json_key(o, "tools");
	json_open(o, '[');
	for (; i < p->n_tools && n < PAGE_MAX; i++) {
		if (!p->tools[i].listed || !may(x, &p->tools[i]))
			continue;
		put_tool(&l, o, &p->tools[i]);
		last = p->tools[i].name;
		n++;
	}
	put_run(&l, o);
	json_close(o, ']');
	for (; i < p->n_tools; i++)
		if (p->tools[i].listed && may(x, &p->tools[i])) {
			page_next(o, &x->arena, last);
			break;
		}
	cache_hints(x, o, LIST_TTL_MS, true);
	return true;
}

/* Over HTTP many clients ask for the list, and without keys it is the same for all. So it is written once per protocol
 * version and kept. */
struct text tools_list_cached(struct exchange *x)
{
	struct place *p = PLACE(x);
	_Atomic(struct text *) *slot = &p->tool_lists[x->inner->version];
	struct text *kept = atomic_load(slot);

	if (!x->wire->is_http || !key_sees_all(x->key) || json_get(x->inner->params, "cursor"))
		return (struct text){0};
	if (kept)
		return *kept;
	mutex_lock(&x->server->lock);
	if (!(kept = atomic_load(slot))) {
		struct buffer b = {.arena = &x->server->arena};
		if (answer_write(x, &b, tools_list)) {
			kept = arena_new(&x->server->arena, struct text);
			*kept = buffer_text(&b);
			atomic_store(slot, kept);
		}
	}
	mutex_unlock(&x->server->lock);
	return kept ? *kept : (struct text){0};
}

/* Asks the guard about this call; false: the error is in the call. */
static bool allowed(struct exchange *x, const struct served_tool *t, const struct json *arguments)
{
	struct exchange_inner *i = x->inner;
	enum guard_what what;
	int wait = 0;

	if (!may(x, t))
		return fail(&i->call, FAULT_DENIED, "the key %.*s may not use %.*s", TEXT_ARGS(key_name(x->key)),
			    TEXT_ARGS(t->name));
	if (rate_call(x, t->kind, tool_would_write(&i->call, t->tool, arguments), &what, &wait))
		return true;
	x->retry_after = wait;
	fail(&i->call, FAULT_RATE, "too many %s in a minute; try again in %d s",
	     what == GUARD_WRITE ? "writes" : "requests", wait);
	i->call.error.retry_after = wait;
	return false;
}

static void write_content(struct exchange *x, struct json_out *o, const struct kind *k, struct text structured)
{
	struct exchange_inner *i = x->inner;
	bool failed = i->call.error.fault != FAULT_NONE;

	json_key(o, "content");
	json_open(o, '[');
	if (failed) {
		struct buffer text = {.arena = &x->arena};
		kind_error(&(struct json_out){.to = &text}, k, &i->call.error);
		if (text.len > ANSWER_CHARACTERS) {
			text.len = 0;
			i->call.error.details = NULL;
			kind_error(&(struct json_out){.to = &text}, k, &i->call.error);
		}
		write_block(o, x, &(struct block){.type = BLOCK_TEXT, .bytes = buffer_text(&text)}, i->version);
	}
	for (size_t n = 0; !failed && n < i->reply.blocks.n; n++)
		write_block(o, x, &i->reply.blocks.items[n], i->version);
	json_close(o, ']');
	if (structured.at && !failed && i->wants_structured) {
		json_key(o, "structuredContent");
		json_put_raw(o, structured);
	}
	if (failed) {
		json_key(o, "isError");
		json_put_bool(o, true);
	}
}

/* The guard refused a write, or a request over the limit: the kind may record that for its audit trail. */
static void tell_refused(struct exchange *x, const struct served_tool *t, const struct json *arguments)
{
	struct call *c = &x->inner->call;
	const struct error said = c->error;

	if (!t->kind->refused || (!tool_writes(t->tool) && said.fault != FAULT_RATE))
		return;
	c->error = (struct error){0};
	bool is_open = call_open(x, t->kind);
	c->error = said;
	if (is_open)
		t->kind->refused(c, t->tool, arguments);
}

bool tool_at_work(struct exchange *x, const struct served_tool *t, const struct json *arguments,
		  struct text *structured)
{
	struct exchange_inner *i = x->inner;

	*structured = (struct text){0};
	call_begin(x, t->kind);
	if (!allowed(x, t, arguments)) {
		tell_refused(x, t, arguments);
	} else if (call_open(x, t->kind)) {
		i->call.tool = t->tool->name;
		tool_run(&i->call, t->tool, arguments, structured);
	}
	bool done = i->call.error.fault == FAULT_NONE;
	if (tool_writes(t->tool) && done)
		i->news->has_commit = true;
	i->tool = t->tool->name;
	i->outcome = done ? i->reply.questions.n ? "asked" : "done" : kind_code(t->kind, &i->call.error);
	return done;
}

/* True if a served kind has it, by its own name or by its name with several kinds. */
static bool is_left_out(const struct place *p, struct text name)
{
	for (const struct kind *const *k = p->endpoint.kinds; *k; k++) {
		size_t front = strlen((*k)->name) + 1;
		bool has_front = name.len > front && text_starts(name, (*k)->name) && name.at[front - 1] == '_';
		if (kind_tool(*k, name) || (has_front && kind_tool(*k, text_slice(name, front, name.len))))
			return true;
	}
	return false;
}

/* What to do about a name that no tool here has. */
static const char *meant(const struct exchange *x, struct text name)
{
	const struct place *p = PLACE(x);
	struct arena *a = x->inner->call.arena;
	struct buffer b = {.arena = a};
	const char **listed = arena_array(a, p->n_tools + 1, sizeof *listed);
	struct text end = text_format(a, "_%.*s", TEXT_ARGS(name));

	for (size_t i = 0, n = 0; i < p->n_tools; i++) {
		if (!p->tools[i].listed || !may(x, &p->tools[i]))
			continue;
		listed[n++] = text_string(a, p->tools[i].name);
		if (name.len && text_ends(p->tools[i].name, end.at))
			buffer_format(&b, "%s%s", b.len ? " or " : "", listed[n - 1]);
	}
	const char *nearest = b.len ? buffer_text(&b).at : text_nearest(name, listed);
	if (!b.len && is_left_out(p, name))
		return "this server leaves it out (quire serve --tools all offers every tool, --read-only none that "
		       "writes)";
	return nearest ? text_format(a, "did you mean %s?", nearest).at : "tools/list lists the tools";
}

/* A text says all that structuredContent says, because clients differ in which of the two they show to a model, and
 * some show both (docs/clients.md). So a result is text alone, unless the client is a program that asks for more. */
static bool read_form(struct exchange *x)
{
	struct exchange_inner *i = x->inner;
	const struct json *asked = json_get(i->meta, "quire/structured");

	if (asked && asked->type != JSON_BOOL)
		return refuse_missing(x, "_meta.quire/structured", asked, "true or false");
	i->wants_structured = i->version >= V2025_06_18 && (x->server->options.structured || (asked && asked->boolean));
	return true;
}

bool tools_call(struct exchange *x, struct json_out *o)
{
	struct exchange_inner *i = x->inner;
	const struct json *arguments = json_get(i->params, "arguments");
	struct text name, structured;

	if (!param_text(x, "name", "a string, the tool's name", &name))
		return false;
	const struct served_tool *t = tool_find(PLACE(x), name);
	if (!t)
		return refuse(x, RPC_PARAMS, "there is no tool %s; %s", shown(&i->call, name), meant(x, name));
	if (arguments && arguments->type != JSON_OBJECT && arguments->type != JSON_NULL)
		return refuse_missing(x, "arguments", arguments, "an object");
	if (!arguments || arguments->type == JSON_NULL)
		arguments = json_new_object(&x->arena);
	if (!read_form(x) || !call_answers(x, i->params) || !modern_parameters(x, t->tool, arguments))
		return false;
	bool done = tool_at_work(x, t, arguments, &structured);
	if (i->call.error.fault == FAULT_RATE && x->wire->is_http) {
		refuse(x, RPC_RATE, "%s", error_sentence(&x->arena, &i->call.error));
		return false;
	}
	if (i->reply.missing_capability) {
		struct json *data = json_new_object(&x->arena), *needs = json_new_object(&x->arena);
		json_set(&x->arena, needs, i->reply.missing_capability, json_new_object(&x->arena));
		json_set(&x->arena, data, "requiredCapabilities", needs);
		i->error_data = data;
		return refuse(x, i->era == ERA_MODERN ? RPC_CAPABILITY : RPC_PARAMS,
			      "the client lacks the capability %s", i->reply.missing_capability);
	}
	if (done && i->reply.questions.n) {
		if (i->era == ERA_MODERN)
			ask_write(x, o);
		return true;
	}
	i->reply.questions.n = 0;
	write_content(x, o, t->kind, structured);
	return true;
}

bool tools_ended(struct exchange *x, struct json_out *o)
{
	write_content(x, o, x->inner->kind, (struct text){0});
	return true;
}

/* A cursor is the last entry's name, encoded: opaque to the client, and still valid if the list changes. */
bool page_start(struct exchange *x, struct text *after)
{
	const struct json *cursor = json_get(x->inner->params, "cursor");

	*after = (struct text){0};
	if (!cursor || cursor->type == JSON_NULL)
		return true;
	struct text decoded =
		cursor->type == JSON_STRING ? base64url_decode(&x->arena, json_text(cursor)) : (struct text){0};
	if (!decoded.at || !text_starts(decoded, "after:"))
		return refuse(x, RPC_PARAMS, "params.cursor is not from this server");
	*after = text_slice(decoded, 6, decoded.len);
	return true;
}

void page_next(struct json_out *o, struct arena *a, struct text last)
{
	json_key(o, "nextCursor");
	json_put_text(o, base64url_encode(a, text_format(a, "after:%.*s", TEXT_ARGS(last))));
}
