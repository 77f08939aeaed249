/* tools.c: tools/list and tools/call. */
#include "mcp/inner.h"

#include "base/mutex.h"
#include "mcp/offer.h"
#include "mcp/other_tools.h"
#include "mcp/rate.h"

#include <stdlib.h>

/* A client that keeps a list with outputSchemas refuses results that are text alone. After a restart without
 * --structured it does so until it lists again. */
enum { LIST_TTL_MS = 60 * 1000 };

/* Each tool is written, then its prose is rewritten for the client, in the same buffer for all. */
struct listing {
	struct arena *arena;
	struct offer offer;
	const char *version;
	bool structured;
	struct buffer written, told;
};

static void put_tool(struct listing *l, struct json_out *o, const struct served_tool *t)
{
	struct tool shown = is_other_tools(t) ? other_tools_for(l->arena, &l->offer) : *t->tool;
	const struct view v = {l->offer.served, l->offer.key, t->kind};

	l->written.len = l->told.len = 0;
	tool_describe(&(struct json_out){.to = &l->written}, &shown, t->name.at, l->version, l->structured);
	names_told_json(&l->told, l->arena, v, buffer_text(&l->written));
	json_put_raw(o, buffer_text(&l->told));
}

static void put_list(struct server *s, struct arena *a, struct json_out *o, struct offer offer, int version)
{
	struct listing l = {.arena = a,
			    .offer = offer,
			    .version = version_names[version],
			    .structured = s->options.structured,
			    .written = {.arena = a},
			    .told = {.arena = a}};

	json_key(o, "tools");
	json_open(o, '[');
	for (size_t i = 0; i < offer.served->n_tools; i++)
		if (offer_lists(&offer, &offer.served->tools[i]))
			put_tool(&l, o, &offer.served->tools[i]);
	json_close(o, ']');
}

void server_tools(struct server *s, struct buffer *to)
{
	const struct served *p = (const struct served *)(const void *)server_endpoint(s, (struct text){0});
	struct json_out o = {.to = to};

	json_open(&o, '{');
	put_list(s, &s->arena, &o, offer_of_all(p, s->options.tools != NULL), VERSIONS - 1);
	json_close(&o, '}');
}

/* One page, however many there are: some clients show the first page only. */
bool tools_list(struct exchange *x, struct json_out *o)
{
	const struct json *cursor = json_get(x->inner->params, "cursor");

	if (cursor && cursor->type != JSON_NULL)
		return refuse(x, RPC_PARAMS, "params.cursor is not from this server: the list has one page");
	put_list(x->server, &x->arena, o, offer_for(x), x->inner->version);
	cache_hints(x, o, LIST_TTL_MS, !SERVED(x)->looks);
	return true;
}

/* Over HTTP many clients ask for the list, and without keys it is the same for all. So it is written once per protocol
 * version and kept. */
struct text tools_list_cached(struct exchange *x)
{
	_Atomic(struct kept_list *) *slot = &x->server->tool_lists[x->inner->version];
	struct kept_list *first = atomic_load(slot), *kept = first;

	if (!x->wire->is_http || !key_sees_all(x->key) || json_get(x->inner->params, "cursor"))
		return (struct text){0};
	struct offer offer = offer_for(x);
	while (kept && (kept->served != offer.served || kept->kinds != offer.kinds))
		kept = kept->older;
	if (kept)
		return kept->text;
	mutex_lock(&x->server->writing);
	struct buffer b = {.arena = &x->server->arena};
	if (answer_write(x, &b, tools_list)) {
		kept = arena_new(&x->server->arena, struct kept_list);
		*kept = (struct kept_list){offer.served, offer.kinds, buffer_text(&b), atomic_load(slot)};
		atomic_store(slot, kept);
	}
	mutex_unlock(&x->server->writing);
	return kept ? kept->text : (struct text){0};
}

/* Asks the guard about this call; false: the error is in the call. */
static bool allowed(struct exchange *x, const struct served_tool *t, const struct json *arguments)
{
	struct exchange_inner *i = x->inner;
	enum guard_what what;
	int wait = 0;

	if (!served_may(SERVED(x), x->key, t))
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
	if (is_other_tools(t) && !other_tools_aim(x, &t, &arguments)) {
		i->outcome = kind_code(t->kind, &i->call.error);
		return false;
	}
	if (i->kind != t->kind)
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
	const struct served_tool *t = tool_find(SERVED(x), name);
	if (!t)
		return refuse(x, RPC_PARAMS, "there is no tool %s; %s", shown(&i->call, name), served_meant(x, name));
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
	write_content(x, o, i->kind, structured);
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
