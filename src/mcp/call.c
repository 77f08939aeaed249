/* call.c: makes the call that a handler sees from an exchange, and ends it. */
#include "mcp/inner.h"

enum { CALL_MS = 30 * 1000 };

/* Sends notices on the call's own stream: progress and log lines. */
static void call_notify(void *to, const char *method, const struct json *params)
{
	struct exchange *x = to;

	if (!atomic_load(&x->cancelled))
		x->wire->send(x, notice(&x->arena, method, params));
}

static struct text client_name(struct exchange *x)
{
	struct exchange_inner *i = x->inner;
	struct text name = {0};

	if (x->server->options.user)
		return text_of(x->server->options.user);
	/* Over HTTP a client's name is used only with a key: without one it proves nothing. */
	if (x->wire->is_http && !x->key)
		return TEXT("anonymous");
	if (i->era == ERA_MODERN)
		name = json_text(json_get(json_get(i->meta, META_PREFIX "clientInfo"), "name"));
	else
		name = i->client;
	return name.at ? name : TEXT("anonymous");
}

static int wanted_log_level(struct exchange *x)
{
	struct exchange_inner *i = x->inner;

	if (!SERVED(x)->logs)
		return -1;
	if (i->era == ERA_MODERN)
		return log_level_find(json_text(json_get(i->meta, META_PREFIX "logLevel")));
	return i->log_level;
}

/* The client's capabilities, without those that its version does not know. */
static const struct json *known_capabilities(struct exchange *x)
{
	const struct json *said = x->inner->capabilities;

	if (x->inner->era != ERA_LEGACY || x->inner->version >= V2025_06_18 || !json_get(said, "elicitation"))
		return said;
	struct json *known = json_new_object(&x->arena);
	for (uint32_t i = 0; i < said->len; i++)
		if (strcmp(said->members[i].key, "elicitation") != 0)
			json_set(&x->arena, known, said->members[i].key, &said->members[i].value);
	return known;
}

void call_begin(struct exchange *x, const struct kind *k)
{
	struct exchange_inner *i = x->inner;
	struct server *s = x->server;
	const struct json *token = json_get(i->meta, "progressToken");
	int64_t limit = s->options.call_ms ? s->options.call_ms : CALL_MS;

	i->reply = (struct reply){
		.answers = i->answers,
		.bindings = i->bindings,
		.state = i->kept_state,
		.capabilities = known_capabilities(x),
		.notify = call_notify,
		.to = x,
		.announcer = server_announcer(s),
		.later = news_announcer(i->news),
		.progress_token = token && (token->type == JSON_STRING || token->type == JSON_INT) ? token : NULL,
		.progress_last = -1,
		.log_level = wanted_log_level(x),
		.room = i->era == ERA_PLAIN ? 0 : ANSWER_CHARACTERS,
		.sends_structured = i->wants_structured,
	};
	i->kind = k;
	i->call = (struct call){
		.arena = &x->arena,
		.caller = key_caller(&x->arena, x->key, client_name(x)),
		.reply = &i->reply,
		.work = s->options.work,
		.document_max = k ? k->document_max : 0,
		.served = names_called,
		.deadline = clock_ticks() + limit,
		.cancelled = &x->cancelled,
	};
}

static const char *creating(const struct exchange *x, const struct kind *k)
{
	const struct served_tool *t = k->creates ? served_callable(SERVED(x), x->key, k, text_of(k->creates)) : NULL;

	return t ? t->name.at : NULL;
}

/* The kinds whose files the client may see at this address. */
static const struct document_kind *document_kinds(const struct exchange *x, struct arena *a)
{
	ARRAY(struct document_kind) list = {0};

	for (const struct kind *const *k = x->endpoint->kinds; *k; k++) {
		const char *endings = (*k)->documents ? (*k)->documents : kind_documents(a, x->server, *k);
		if (endings && key_may_kind(x->key, *k))
			*ARRAY_PUSH(a, &list) = (struct document_kind){(*k)->name, endings, creating(x, *k)};
	}
	*ARRAY_PUSH(a, &list) = (struct document_kind){0};
	return list.items;
}

/* Called once the guard has allowed the call: opening may read a database or a whole vault. */
bool call_open(struct exchange *x, const struct kind *k)
{
	struct exchange_inner *i = x->inner;

	i->kind = k;
	i->call.document_max = k->document_max;
	i->call.extensions = kind_documents(i->call.arena, x->server, k);
	i->call.kinds = document_kinds(x, i->call.arena);
	return kind_state(&i->call, x->server, k, &i->call.state);
}

void call_end(struct exchange *x)
{
	if (x->inner->call.work)
		work_release(&x->inner->call);
}

/* Keeps the document names for the access log, after the call's memory is freed. */
static void forget_call(struct exchange *x, struct budget *b)
{
	struct exchange_inner *i = x->inner;
	struct arena kept = {0};
	struct text *names = arena_array(&kept, i->call.touched.n + 1, sizeof *names);
	size_t n = i->call.touched.n;

	for (size_t k = 0; k < n; k++)
		names[k] = text_copy(&kept, i->call.touched.items[k]);
	i->call.arena = &x->arena; /* the call may have been ended while it used another one */
	call_end(x);
	budget_clear(b);
	i->call = (struct call){.arena = &x->arena};
	for (size_t k = 0; k < n; k++)
		*ARRAY_PUSH(&x->arena, &i->call.touched) = text_copy(&x->arena, names[k]);
	arena_free(&kept);
	output_release(x->large);
	x->large = NULL;
	x->large_at = 0;
	i->reply = (struct reply){.log_level = -1};
	i->error_data = NULL;
	i->message_text = NULL;
	i->code = i->status = 0;
}

/* Debug builds end a call whose _meta has "quire/end": {"at": 4, "as": 3} at the fourth moment at which it can be
 * ended, for the third reason of enum budget_end. */
static void end_early(const struct exchange *x, struct budget *b)
{
#ifdef QUIRE_DEBUG
	const struct json *end = json_get(x->inner->meta, "quire/end");

	if (json_is(end, JSON_OBJECT)) {
		b->end_at = (unsigned long)json_get(end, "at")->integer;
		b->end_as = (enum budget_end)json_get(end, "as")->integer;
	}
#else
	(void)x, (void)b;
#endif
}

bool call_within(struct exchange *x, void (*run)(void *of), void *of)
{
	const struct server_options *o = &x->server->options;
	struct budget b = {.most = o->call_memory ? o->call_memory : CALL_MEMORY,
			   .deadline = clock_ticks() + (o->call_ms ? o->call_ms : CALL_MS),
			   .cancelled = &x->cancelled};

	end_early(x, &b);
	enum budget_end why = budget_run(&b, &x->arena, run, of);

	if (why == BUDGET_KEPT)
		return true;
	forget_call(x, &b);
	fail_ended(&x->inner->call, why);
	x->inner->outcome = kind_code(x->inner->kind, &x->inner->call.error);
	return false;
}
