/* answer.c: results, errors and notifications in the format of the client's era. */
#include "mcp/inner.h"

#include <stdarg.h>

bool refuse(struct exchange *x, int code, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	x->inner->message_text = text_vformat(&x->arena, format, ap).at;
	va_end(ap);
	x->inner->code = code;
	return false;
}

bool refuse_missing(struct exchange *x, const char *path, const struct json *have, const char *wanted)
{
	if (!have)
		return refuse(x, RPC_PARAMS, "params.%s is missing: it must be %s", path, wanted);
	const char *type = json_type_name(have);
	const char *article = have->type == JSON_NULL ? "" : strchr("aeiou", type[0]) ? "an " : "a ";
	return refuse(x, RPC_PARAMS, "params.%s must be %s, not %s%s", path, wanted, article, type);
}

bool param_text(struct exchange *x, const char *name, const char *wanted, struct text *out)
{
	const struct json *v = json_get(x->inner->params, name);

	*out = json_text(v);
	return out->at || refuse_missing(x, name, v, wanted);
}

/* The HTTP status of a refusal: errors found before a method runs also set the status; later ones are only in the body.
 */
static int status_of(const struct exchange *x)
{
	if (x->inner->status)
		return x->inner->status;
	switch (x->inner->code) {
	case RPC_PARSE:
	case RPC_REQUEST:
	case RPC_HEADER:
	case RPC_CAPABILITY:
	case RPC_VERSION: return 400;
	case RPC_RATE: return 429;
	case RPC_METHOD: return x->inner->era == ERA_MODERN ? 404 : 200;
	default: return 200;
	}
}

static const char *outcome_of(const struct exchange *x, struct text answer)
{
	const struct exchange_inner *i = x->inner;

	if (i->outcome && (i->code || answer.at))
		return i->outcome;
	return i->code ? "refused" : answer.at ? "done" : "cancelled";
}

/* Each request gets a line in the access log, also inside a batch; a notification only if it was refused. */
static void log_request(struct exchange *x, struct text answer)
{
	const struct exchange_inner *i = x->inner;
	struct guard *g = x->server->options.guard;
	bool asks = i->era == ERA_PLAIN || (i->id.at && i->method);

	if (!guard_logs(g) || (!asks && !i->code))
		return;
	guard_log(g, &(struct access){
			     .key = key_name(x->key),
			     .peer = x->peer,
			     .method = i->era == ERA_PLAIN ? TEXT("plain") : json_text(json_get(i->message, "method")),
			     .kind = i->kind ? i->kind->name : NULL,
			     .tool = i->tool,
			     .documents = {i->call.touched.items, i->call.touched.n},
			     .outcome = outcome_of(x, answer),
			     .code = i->code,
			     .ms = clock_ticks() - i->started,
		     });
}

static struct text joined(struct arena *a, struct text message, const struct exchange *x)
{
	struct text pieces[] = {text_slice(message, 0, x->large_at), x->large->bytes,
				text_slice(message, x->large_at, message.len)};
	struct buffer b = {.arena = a};

	buffer_room(&b, message.len + x->large->bytes.len);
	for (size_t k = 0; k < ARRAY_COUNT(pieces); k++)
		buffer_add(&b, pieces[k]);
	return buffer_text(&b);
}

/* The call's memory is freed before the response is sent, which a slow client may delay by a minute: only the message
 * stays. */
static struct text lean(struct exchange *x, struct text message)
{
	struct exchange_inner *i = x->inner;
	bool joins = x->large && !x->wire->takes_large;
	struct arena kept = {0};

	if (!message.at || (!joins && (!i->has_before || x->arena.used - i->before.used < message.len + OUTPUT_LARGE)))
		return message;
	arena_start(&kept, message.len + (joins ? x->large->bytes.len : 0) + 80);
	message = joins ? joined(&kept, message, x) : text_copy(&kept, message);
	if (joins) {
		output_release(x->large);
		x->large = NULL;
	}
	if (i->has_before)
		arena_back(&x->arena, &i->before);
	arena_join(&x->arena, &kept);
	return message;
}

void exchange_finish(struct exchange *x, int status, struct text message)
{
	struct exchange_inner *i = x->inner;

	log_request(x, message);
	if (i->session) {
		session_running(x, false);
		if (i->holds_session)
			session_release(i->session);
		i->session = NULL;
	}
	if (!message.at && x->large) {
		output_release(x->large);
		x->large = NULL;
	}
	x->wire->finish(x, status, lean(x, message));
}

void answer_nothing(struct exchange *x) { exchange_finish(x, 202, (struct text){0}); }

static void open_message(struct exchange *x, struct buffer *to)
{
	buffer_put(to, "{\"jsonrpc\":\"2.0\"");
	if (x->inner->id.at) {
		buffer_put(to, ",\"id\":");
		buffer_add(to, x->inner->id);
	}
}

void answer_error(struct exchange *x)
{
	struct exchange_inner *i = x->inner;
	struct buffer b = {.arena = &x->arena};
	struct json_out o = {.to = &b};

	output_release(x->large);
	x->large = NULL;
	/* A notification never gets a response, even if it is invalid; an unreadable message does. */
	if (i->message && json_is(i->message, JSON_OBJECT) && json_get(i->message, "method") && !i->id.at &&
	    i->code != RPC_REQUEST && !(x->wire->is_http && status_of(x) >= 400)) {
		answer_nothing(x);
		return;
	}
	open_message(x, &b);
	buffer_put(&b, ",\"error\":");
	json_open(&o, '{');
	json_key(&o, "code");
	json_put_int(&o, i->code);
	json_key(&o, "message");
	json_put_string(&o, i->message_text);
	if (i->error_data) {
		json_key(&o, "data");
		json_put(&o, i->error_data);
	}
	json_close(&o, '}');
	buffer_byte(&b, '}');
	exchange_finish(x, status_of(x), buffer_text(&b));
}

void answer_open(struct exchange *x, struct buffer *to)
{
	open_message(x, to);
	buffer_put(to, ",\"result\":");
}

void answer_close(struct exchange *x, struct buffer *to)
{
	buffer_byte(to, '}');
	exchange_finish(x, 200, buffer_text(to));
}

void answer_result(struct exchange *x, struct text result)
{
	struct buffer b = {.arena = &x->arena};

	buffer_room(&b, result.len + 128);
	answer_open(x, &b);
	buffer_add(&b, result);
	answer_close(x, &b);
}

void answer_meta(struct exchange *x, struct json_out *o, struct text revision)
{
	bool is_modern = x->inner->era == ERA_MODERN;

	if (!is_modern && !revision.at)
		return;
	json_key(o, "_meta");
	json_open(o, '{');
	if (is_modern) {
		json_key(o, META_PREFIX "serverInfo");
		write_server(o, -1);
	}
	if (revision.at) {
		json_key(o, "quire/revision");
		json_put_text(o, revision);
	}
	json_close(o, '}');
}

bool answer_write(struct exchange *x, struct buffer *to, bool (*run)(struct exchange *, struct json_out *))
{
	struct json_out o = {.to = to};

	json_open(&o, '{');
	if (!run(x, &o))
		return false;
	if (x->inner->era == ERA_MODERN && !x->inner->reply.questions.n) {
		json_key(&o, "resultType");
		json_put_string(&o, "complete");
	}
	answer_meta(x, &o, x->inner->call.revision);
	json_close(&o, '}');
	return true;
}

void cache_hints(struct exchange *x, struct json_out *o, int64_t ttl_ms, bool is_public)
{
	if (x->inner->era != ERA_MODERN)
		return;
	json_key(o, "ttlMs");
	json_put_int(o, ttl_ms);
	json_key(o, "cacheScope");
	/* A response for one key must not be cached for another. */
	json_put_string(o, is_public && key_sees_all(x->key) ? "public" : "private");
}

struct text notice(struct arena *a, const char *method, const struct json *params)
{
	struct buffer b = {.arena = a};
	struct json_out o = {.to = &b};

	json_open(&o, '{');
	json_key(&o, "jsonrpc");
	json_put_string(&o, "2.0");
	json_key(&o, "method");
	json_put_string(&o, method);
	if (params) {
		json_key(&o, "params");
		json_put(&o, params);
	}
	json_close(&o, '}');
	return buffer_text(&b);
}

/* A string in the response: a large one is kept separately and shared by all clients that read it. */
static void put_shared(struct json_out *o, struct exchange *x, struct text bytes, bool as_base64)
{
	if (bytes.len < OUTPUT_LARGE || x->large) {
		json_put_text(o, as_base64 ? base64_encode(&x->arena, bytes) : bytes);
		return;
	}
	x->large = output_of(&x->server->outputs, bytes, as_base64);
	if (!x->large) {
		x->inner->too_much = true;
		json_put_text(o, TEXT(""));
		return;
	}
	json_put_raw(o, TEXT("\""));
	x->large_at = o->to->len;
	buffer_byte(o->to, '"');
}

void write_block(struct json_out *o, struct exchange *x, const struct block *b, int version)
{
	/* Content blocks are closed unions: a client is sent only those that its version knows. */
	bool as_text = b->type == BLOCK_AUDIO && version < V2025_03_26;
	static const char *const names[] = {"text", "image", "audio", "resource"};

	json_open(o, '{');
	json_key(o, "type");
	json_put_string(o, as_text ? "text" : names[b->type]);
	if (as_text) {
		json_key(o, "text");
		json_put_text(o, text_format(&x->arena, "(%s, which this client cannot show)", b->mime));
	} else if (b->type == BLOCK_TEXT) {
		json_key(o, "text");
		json_put_text(o, b->bytes);
	} else if (b->type == BLOCK_IMAGE || b->type == BLOCK_AUDIO) {
		json_key(o, "data");
		put_shared(o, x, b->bytes, true);
		json_key(o, "mimeType");
		json_put_string(o, b->mime);
	} else {
		json_key(o, "resource");
		write_contents(o, x, b);
	}
	json_close(o, '}');
}

void write_contents(struct json_out *o, struct exchange *x, const struct block *b)
{
	struct text mime = text_of(b->mime ? b->mime : "text/plain");
	bool is_text = text_starts(mime, "text/") || text_starts(mime, "application/json") || text_ends(mime, "+xml") ||
		       text_ends(mime, "/xml") || text_ends(mime, "+json");

	json_open(o, '{');
	json_key(o, "uri");
	json_put_string(o, b->uri);
	json_key(o, "mimeType");
	json_put_text(o, mime);
	json_key(o, is_text ? "text" : "blob");
	put_shared(o, x, b->bytes, !is_text);
	json_close(o, '}');
}
