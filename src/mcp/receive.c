/* receive.c: turns bytes into a call of a method.
 *
 * Checks a message as JSON-RPC and finds its era: by the body first, by headers second. An invalid message gets its
 * error at once. A valid one runs its method, on this thread or on a worker. */
#include "mcp/inner.h"

#include <string.h>
#include "base/mutex.h"
#include "mcp/rate.h"
#include "mcp/wreck.h"

#include <stdlib.h>

enum { BATCH_MAX = 100, BATCH_BYTES = 64 << 20 };

static enum server_step refused(struct exchange *x)
{
	answer_error(x);
	return SERVER_DONE;
}

static bool id_is_good(const struct json *id)
{
	return id->type == JSON_STRING || id->type == JSON_INT ||
	       /* an integer beyond 64 bits is kept as its source text */
	       (id->type == JSON_REAL && !memchr(id->string, '.', id->len) && !memchr(id->string, 'e', id->len) &&
		!memchr(id->string, 'E', id->len));
}

/* Checks the envelope of JSON-RPC. */
static bool check_envelope(struct exchange *x)
{
	struct exchange_inner *i = x->inner;
	const struct json *id = json_get(i->message, "id"), *method = json_get(i->message, "method");

	if (id && id_is_good(id))
		i->id = text_slice(x->bytes, id->pos, id->end);
	if (!text_is(json_text(json_get(i->message, "jsonrpc")), "2.0"))
		return refuse(x, RPC_REQUEST, "not a JSON-RPC 2.0 message: \"jsonrpc\" must be \"2.0\"");
	if (id && !i->id.at)
		return refuse(x, RPC_REQUEST, "an id must be a string or an integer");
	if (method && method->type != JSON_STRING)
		return refuse(x, RPC_REQUEST, "\"method\" must be a string");
	if (i->params && i->params->type != JSON_OBJECT)
		return refuse(x, RPC_PARAMS, "\"params\" must be an object");
	return true;
}

static bool is_within_rate(struct exchange *x)
{
	const struct method *m = x->inner->method;
	int wait = 0;

	if (!m->at_work || m->run == tools_call || rate_message(x, &wait))
		return true;
	return refuse(x, RPC_RATE, "too many requests in a minute; try again in %d s", wait);
}

/* Says why a method is not available. */
static bool refuse_method(struct exchange *x, struct text name)
{
	struct exchange_inner *i = x->inner;
	bool is_modern = i->era == ERA_MODERN;

	if (!i->method)
		return refuse(x, RPC_METHOD, "there is no method %s", shown(&i->call, name));
	if (!(i->method->eras & (is_modern ? IN_MODERN : IN_LEGACY)))
		return refuse(x, RPC_METHOD, "%s is a method of %s versions; this request uses %s", i->method->name,
			      is_modern ? "earlier" : "later",
			      i->version < 0 ? "an earlier one" : version_names[i->version]);
	return refuse(x, RPC_METHOD, "%s is not supported by the kinds served here; see the capabilities",
		      i->method->name);
}

/* Some specifications call their tools methods, so this form is accepted too: {"method": TOOL, "params": arguments}. */
static void tool_as_method(struct exchange *x, struct text name)
{
	struct exchange_inner *i = x->inner;
	struct json *params = json_new_object(&x->arena), *arguments = json_new_object(&x->arena);

	if (i->params && i->params->type != JSON_OBJECT)
		return;
	for (uint32_t k = 0; i->params && k < i->params->len; k++) {
		const struct json_member *m = &i->params->members[k];
		json_set_key(&x->arena, strcmp(m->key, "_meta") == 0 ? params : arguments,
			     (struct text){m->key, m->key_len}, &m->value);
	}
	json_set_text(&x->arena, params, "name", name);
	json_set(&x->arena, params, "arguments", arguments);
	i->params = params;
	i->method = method_find(TEXT("tools/call"));
}

static enum server_step begin(struct exchange *x)
{
	struct exchange_inner *i = x->inner;
	const struct method *m = i->method;

	if (!is_within_rate(x))
		return refused(x);
	if (i->session)
		session_running(x, true);
	if (m->at_work) {
		server_tick_needed(x->server);
		return m->open ? SERVER_OPEN : SERVER_WORK;
	}
	struct text cached = m->run == tools_list ? tools_list_cached(x) : (struct text){0};
	if (cached.at) {
		answer_result(x, cached);
		return SERVER_DONE;
	}
	struct buffer message = {.arena = &x->arena};
	answer_open(x, &message);
	if (!answer_write(x, &message, m->run))
		return refused(x);
	answer_close(x, &message);
	return SERVER_DONE;
}

/* Finds the era. A modern claim in the body is never read as legacy, even if it is malformed. */
static bool find_era(struct exchange *x)
{
	struct exchange_inner *i = x->inner;
	struct text name = json_text(json_get(i->message, "method"));
	struct text header = x->header ? x->header(x, "MCP-Protocol-Version") : (struct text){0};
	bool modern_header = header.at && text_order(header, text_of(version_names[VERSION_MODERN])) >= 0 &&
			     version_find(header) != -1;

	if (header.at && !modern_header && version_find(header) < 0 && header.len == 10 && header.at[4] == '-' &&
	    text_order(header, text_of(version_names[VERSION_MODERN])) > 0)
		modern_header = true; /* an unknown date, later than ours: modern, and refused below */
	if (modern_claim(i->meta)) {
		i->era = ERA_MODERN;
		i->version = VERSION_MODERN;
		return modern_check(x);
	}
	if (modern_header && text_is(name, "initialize")) {
		i->status = 400;
		return refuse(x, RPC_HEADER, "MCP-Protocol-Version is %s, but initialize belongs to earlier versions",
			      version_names[VERSION_MODERN]);
	}
	if (modern_header) {
		i->era = ERA_MODERN;
		i->version = VERSION_MODERN;
		if (!i->id.at)
			return true;
		i->status = 400;
		return refuse(x, RPC_PARAMS,
			      "params._meta must hold " META_PREFIX "protocolVersion and " META_PREFIX
			      "clientCapabilities");
	}
	i->era = ERA_LEGACY;
	return legacy_check(x);
}

static enum server_step receive_one(struct exchange *x)
{
	struct exchange_inner *i = x->inner;
	const struct json *method = json_get(i->message, "method");

	if (!check_envelope(x))
		return refused(x);
	if (!method) {
		if (!i->id.at || !(json_get(i->message, "result") || json_get(i->message, "error")))
			return refuse(x, RPC_REQUEST, "neither a request, nor a notification, nor a response"),
			       refused(x);
		i->era = ERA_LEGACY;
		/* The id is one of our own. With it, the client would read an error as the response to its own
		 * request. */
		i->id = (struct text){0};
		if (!legacy_check(x))
			return refused(x);
		rate_forget(x);
		legacy_response(x);
		return SERVER_DONE;
	}
	if (!find_era(x))
		return refused(x);
	if (!i->id.at) {
		rate_forget(x);
		legacy_notification(x);
		return SERVER_DONE;
	}
	i->method = method_find(json_text(method));
	if (!i->method && tool_find(SERVED(x), json_text(method)))
		tool_as_method(x, json_text(method));
	unsigned era = i->era == ERA_MODERN ? IN_MODERN : IN_LEGACY;
	if (!i->method || !(i->method->eras & era) || (i->method->exists && !i->method->exists(SERVED(x))))
		return refuse_method(x, json_text(method)), refused(x);
	return begin(x);
}

struct batch {
	struct exchange *whole;
	pthread_mutex_t lock;
	size_t open;           /* unfinished parts */
	struct buffer answers; /* in the arena of the whole batch */
};

static void batch_send(struct exchange *part, struct text message)
{
	struct batch *b = part->transport;
	b->whole->wire->send(b->whole, message);
}

static void batch_finish(struct exchange *part, int status, struct text message)
{
	struct batch *b = part->transport;
	struct exchange *whole = b->whole;

	(void)status;
	mutex_lock(&b->lock);
	if (message.at && b->answers.len + message.len > BATCH_BYTES)
		message = text_format(
			&part->arena,
			"{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":{\"code\":%d,\"message\":\"the results of this "
			"batch are too large together; send this request alone\"}}",
			TEXT_ARGS(part->inner->id.at ? part->inner->id : TEXT("null")), RPC_INTERNAL);
	if (message.at) {
		buffer_put(&b->answers, b->answers.len ? "," : "[");
		buffer_add(&b->answers, message);
	}
	bool last = --b->open == 0;
	mutex_unlock(&b->lock);
	exchange_free(part);
	free(part);
	if (!last)
		return;
	pthread_mutex_destroy(&b->lock);
	if (b->answers.len)
		buffer_byte(&b->answers, ']');
	exchange_finish(whole, b->answers.len ? 200 : 202,
			b->answers.len ? buffer_text(&b->answers) : (struct text){0});
}

static const struct wire batch_wire = {.send = batch_send, .finish = batch_finish};

/* The parts of a batch run one after the other on one worker, in order. A part that waits for an answer would block the
 * rest: batch_wire cannot resume a call, so no part is parked. */
static void batch_work(struct exchange *x)
{
	struct exchange_inner *i = x->inner;
	struct batch *b = arena_new(&x->arena, struct batch);
	size_t n = i->message->len;

	*b = (struct batch){.whole = x, .open = n + 1, .answers = {.arena = &x->arena}};
	pthread_mutex_init(&b->lock, NULL);
	for (size_t k = 0; k < n; k++) {
		struct exchange *part = budget_zero(1, sizeof *part);
		*part = (struct exchange){
			.server = x->server,
			.endpoint = x->endpoint,
			.wire = &batch_wire,
			.transport = b,
			.session = i->session,
			.key = x->key,
			.peer = x->peer,
			.bytes = text_slice(x->bytes, i->message->items[k].pos, i->message->items[k].end)};
		if (server_receive(part) == SERVER_WORK)
			server_work(part);
	}
	/* The last part to finish sends the response. One extra count keeps the batch alive until all parts are
	 * made. */
	struct exchange *end = budget_zero(1, sizeof *end);
	*end = (struct exchange){.server = x->server, .wire = &batch_wire, .transport = b};
	batch_finish(end, 202, (struct text){0});
}

static enum server_step receive_batch(struct exchange *x)
{
	struct exchange_inner *i = x->inner;

	i->era = ERA_LEGACY;
	for (uint32_t k = 0; k < i->message->len; k++)
		if (modern_claim(json_get(json_get(&i->message->items[k], "params"), "_meta")))
			return refuse(x, RPC_REQUEST, "batches do not exist in version %s",
				      version_names[VERSION_MODERN]),
			       refused(x);
	if (!i->message->len)
		return refuse(x, RPC_REQUEST, "an empty batch"), refused(x);
	if (i->message->len > BATCH_MAX)
		return refuse(x, RPC_REQUEST, "a batch holds at most %d messages", BATCH_MAX), refused(x);
	if (!legacy_check(x))
		return refused(x);
	if (!i->session || i->version != V2025_03_26)
		return refuse(x, RPC_REQUEST, "batches exist in version %s only", version_names[V2025_03_26]),
		       refused(x);
	for (uint32_t k = 0; k < i->message->len; k++)
		if (text_is(json_text(json_get(&i->message->items[k], "method")), "initialize"))
			return refuse(x, RPC_REQUEST, "initialize must not be part of a batch"), refused(x);
	server_tick_needed(x->server);
	return SERVER_WORK;
}

/* A POST without what a client of the protocol sends. */
static bool is_script(struct exchange *x)
{
	static const char *const headers[] = {"MCP-Protocol-Version", "Mcp-Session-Id", "Mcp-Method", NULL};

	if (!x->wire->is_http || !x->header)
		return false;
	for (const char *const *h = headers; *h; h++)
		if (x->header(x, *h).at)
			return false;
	struct text accepts = x->header(x, "Accept");
	return !accepts.at || text_find(accepts, TEXT("text/event-stream"), 0) == SIZE_MAX;
}

static enum server_step receive_plain(struct exchange *x)
{
	x->inner->era = ERA_PLAIN;
	x->inner->version = VERSION_MODERN;
	server_tick_needed(x->server);
	return SERVER_WORK;
}

enum server_step server_receive(struct exchange *x)
{
	struct exchange_inner *i = arena_new(&x->arena, struct exchange_inner);
	struct json_error err;

	x->inner = i;
	i->exchange = x;
	i->version = -1;
	i->log_level = -1;
	i->call.arena = &x->arena;
	i->session = x->session;
	i->started = clock_ticks();
	i->message = json_parse(&x->arena, x->bytes, JSON_DEPTH_MESSAGE, &err);
	if (!i->message && is_script(x)) {
		fail(&i->call, FAULT_ARGUMENT, "the body is not JSON: line %u, column %u: %s", err.line, err.column,
		     err.message);
		i->message = json_new_object(&x->arena);
		return receive_plain(x);
	}
	if (!i->message) {
		struct wreck wreck = {0};
		wreck_feed(&wreck, x->bytes);
		i->id = wreck_id(&wreck, &x->arena);
		return refuse(x, RPC_PARSE, "not JSON: line %u, column %u: %s", err.line, err.column, err.message),
		       refused(x);
	}
	if (i->message->type == JSON_ARRAY && x->wire != &batch_wire)
		return receive_batch(x);
	if (i->message->type != JSON_OBJECT)
		return refuse(x, RPC_REQUEST, "a message must be a JSON object"), refused(x);
	i->params = json_get(i->message, "params");
	i->meta = json_get(i->params, "_meta");
	bool is_bare = !json_get(i->message, "jsonrpc") && !json_get(i->message, "id");
	if (is_bare && x->wire->is_http && (json_get(i->message, "method") || is_script(x)))
		return receive_plain(x);
	return receive_one(x);
}

struct answering {
	struct exchange *x;
	struct buffer message;
	bool done;
};

static void answer_run(void *of)
{
	struct answering *a = of;

	answer_open(a->x, &a->message);
	a->done = answer_write(a->x, &a->message, a->x->inner->method->run);
}

static bool method_ended(struct exchange *x, struct json_out *o)
{
	(void)o;
	return refuse(x, RPC_INTERNAL, "%s", error_sentence(&x->arena, &x->inner->call.error));
}

/* The message with the result of the method, or of a call that was ended by its limits. */
static bool answer(struct exchange *x, struct buffer *message)
{
	struct answering a = {.x = x, .message = {.arena = &x->arena}};

	x->inner->before = x->arena;
	x->inner->has_before = true;
	if (!call_within(x, answer_run, &a)) {
		a.message = (struct buffer){.arena = &x->arena};
		answer_open(x, &a.message);
		a.done = answer_write(x, &a.message, x->inner->method->run == tools_call ? tools_ended : method_ended);
	}
	if (x->inner->too_much) {
		a.done = refuse(x, RPC_INTERNAL,
				"the server has too much to send to other clients already; try again in a minute");
		x->inner->call.error = (struct error){.fault = FAULT_RATE, .message = x->inner->message_text};
	}
	*message = a.message;
	return a.done;
}

static void work(struct exchange *x)
{
	struct exchange_inner *i = x->inner;
	struct buffer message = {.arena = &x->arena};

	if (i->era == ERA_PLAIN) {
		plain_work(x);
		return;
	}
	if (i->message->type == JSON_ARRAY) {
		batch_work(x);
		return;
	}
	if (atomic_load(&x->cancelled)) {
		answer_nothing(x);
		return;
	}
	if (i->method->open) {
		struct json_out nothing = {.to = &message};
		if (!i->method->run(x, &nothing))
			answer_error(x);
		return;
	}
	bool done = answer(x, &message);
	bool cancelled = atomic_load(&x->cancelled) || i->call.error.fault == FAULT_CANCELLED;
	call_end(x);
	if (done && !cancelled && i->era == ERA_LEGACY && i->reply.questions.n && (done = ask_park(x)))
		return; /* the exchange waits for its answers; another thread may already run it again */
	if (cancelled)
		answer_nothing(x);
	else if (!done || i->code)
		answer_error(x);
	else
		answer_close(x, &message);
}

void server_work(struct exchange *x)
{
	struct server *s = x->server; /* the exchange is gone when it is finished */
	struct news news = {0};

	x->inner->news = &news;
	work(x);
	news_tell(s, &news);
}

void server_left(struct exchange *x)
{
	if (!x->inner || x->inner->era == ERA_LEGACY)
		return;
	/* The order matters: a new subscription sets and checks in the opposite order, so one of the two threads sees
	 * the other. */
	atomic_store(&x->cancelled, true);
	if (atomic_load(&x->inner->is_listen))
		listens_end(x->server, x, false);
}

void exchange_free(struct exchange *x)
{
	output_release(x->large);
	x->large = NULL;
	arena_free(&x->arena);
}
