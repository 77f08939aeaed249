#include "tool/reply.h"

#include "tool/field.h"

#include <math.h>
#include <string.h>

static const char *const log_levels[] = {"debug", "info",     "notice", "warning",
					 "error", "critical", "alert",  "emergency"};

static const char *kept(struct call *c, const char *s) { return s ? text_copy(c->arena, text_of(s)).at : NULL; }

static void add_block(struct call *c, struct block b)
{
	if (!c->reply)
		return;
	b.mime = kept(c, b.mime);
	b.uri = kept(c, b.uri);
	*ARRAY_PUSH(c->arena, &c->reply->blocks) = b;
}

void reply_text(struct call *c, struct text t)
{
	add_block(c, (struct block){.type = BLOCK_TEXT, .bytes = t.at ? t : TEXT("")});
}

void reply_image(struct call *c, const char *mime, struct text bytes)
{
	add_block(c, (struct block){.type = BLOCK_IMAGE, .mime = mime, .bytes = bytes});
}

void reply_audio(struct call *c, const char *mime, struct text bytes)
{
	add_block(c, (struct block){.type = BLOCK_AUDIO, .mime = mime, .bytes = bytes});
}

void reply_resource(struct call *c, const char *uri, const char *mime, struct text bytes)
{
	add_block(c, (struct block){.type = BLOCK_RESOURCE, .uri = uri, .mime = mime, .bytes = bytes});
}

enum { REST_ROOM = 3000 }; /* for what the core adds to a handler's rows: notes, warnings, the revision */

size_t answer_room(const struct call *c)
{
	const struct reply *r = c->reply;

	return r && r->room ? (r->sends_structured ? r->room / 2 : r->room) - REST_ROOM : SIZE_MAX;
}

size_t answer_widen(struct call *c, size_t bytes)
{
	struct reply *r = c->reply;
	size_t most = bytes < ANSWER_WHOLE ? bytes : ANSWER_WHOLE;
	size_t wanted = (most + REST_ROOM) * (r && r->sends_structured ? 2 : 1);

	if (r && r->room && r->room < wanted)
		r->room = wanted;
	return most;
}

void progress(struct call *c, double done, double total, const char *message)
{
	struct reply *r = c->reply;

	if (!r || !r->progress_token || !r->notify || !isfinite(done))
		return;
	if (r->has_progressed && done <= r->progress_last)
		return;
	r->progress_last = done;
	r->has_progressed = true;
	struct json *params = json_new_object(c->arena);
	json_set(c->arena, params, "progressToken", r->progress_token);
	json_set(c->arena, params, "progress", json_new_number(c->arena, done));
	if (total > 0 && isfinite(total))
		json_set(c->arena, params, "total", json_new_number(c->arena, total));
	if (message)
		json_set_text(c->arena, params, "message", text_of(message));
	r->notify(r->to, "notifications/progress", params);
}

void reply_log(struct call *c, const char *level, struct text message)
{
	struct reply *r = c->reply;
	int weight = 0;

	if (!r || !r->notify || r->log_level < 0)
		return;
	while (weight < (int)ARRAY_COUNT(log_levels) && strcmp(log_levels[weight], level))
		weight++;
	if (weight == (int)ARRAY_COUNT(log_levels) || weight < r->log_level)
		return;
	struct json *params = json_new_object(c->arena);
	json_set_text(c->arena, params, "level", text_of(level));
	json_set_text(c->arena, params, "data", message);
	r->notify(r->to, "notifications/message", params);
}

struct announcer reply_announcer(const struct call *c)
{
	return c->reply ? c->reply->announcer : (struct announcer){0};
}

void announce(struct announcer a, const char *list)
{
	if (a.list_changed)
		a.list_changed(a.server, list);
}

void reply_list_changed(struct call *c, const char *list)
{
	announce(c->reply && c->reply->later.list_changed ? c->reply->later : reply_announcer(c), list);
}

struct text reply_state(const struct call *c) { return c->reply ? c->reply->state : (struct text){0}; }

void reply_keep_state(struct call *c, struct text state)
{
	if (c->reply)
		c->reply->kept_state = text_copy(c->arena, state);
}

/* "elicitation": {} means forms. {"url": {}} alone means that the client opens pages but shows no forms. */
static bool is_capable(const struct reply *r, const char *capability)
{
	const struct json *has = json_get(r->capabilities, capability);

	if (!json_is(has, JSON_OBJECT))
		return false;
	return strcmp(capability, "elicitation") || !has->len || json_get(has, "form") || !json_get(has, "url");
}

bool require_capability(struct call *c, const char *capability)
{
	if (c->reply && is_capable(c->reply, capability))
		return true;
	if (c->reply)
		c->reply->missing_capability = kept(c, capability);
	return fail(c, FAULT_DENIED, "this needs a client with the capability %s", capability);
}

static enum asked put_question(struct call *c, struct question q)
{
	struct reply *r = c->reply;

	for (size_t i = 0; i < r->questions.n; i++)
		if (!strcmp(r->questions.items[i].key, q.key))
			return WAITING;
	q.key = kept(c, q.key);
	*ARRAY_PUSH(c->arena, &r->questions) = q;
	return WAITING;
}

/* The client's answer to this same question, if there is one; NULL: ask. */
static const struct json *answer_to(const struct reply *r, const char *key, struct text bound_to)
{
	const struct json *response = json_get(r->answers, key);

	if (!json_is(response, JSON_OBJECT))
		return NULL;
	if (bound_to.at && !text_same(bound_to, json_text(json_get(r->bindings, key))))
		return NULL;
	return response;
}

enum asked ask_client(struct call *c, const char *key, const char *method, const char *capability,
		      const struct json *params, const struct json **response)
{
	if (!c->reply || (capability && !is_capable(c->reply, capability)))
		return UNABLE;
	*response = answer_to(c->reply, key, (struct text){0});
	if (*response)
		return ANSWERED;
	return put_question(
		c, (struct question){
			   .key = key, .method = kept(c, method), .capability = kept(c, capability), .params = params});
}

static const struct json *form_params(struct call *c, const char *message, const struct field *form)
{
	struct buffer to = {.arena = c->arena};
	struct json_out o = {.to = &to};
	struct json_error never;

	json_open(&o, '{');
	json_key(&o, "message");
	json_put_string(&o, message);
	json_key(&o, "requestedSchema");
	fields_form(&o, form);
	json_close(&o, '}');
	return json_parse(c->arena, buffer_text(&to), JSON_DEPTH_MESSAGE, &never);
}

/* After an invalid form, the question is asked again. This is not an error of the call. */
static bool fill_form(struct call *c, const struct field *form, size_t size, const struct json *content, void *into)
{
	struct call aside = {.arena = c->arena};
	static const struct decode_options options = {.lenient = true, .exact = true, .noun = "answer"};

	return json_is(content, JSON_OBJECT) && fields_decode(&aside, form, size, content, into, &options);
}

enum asked ask(struct call *c, const char *key, const char *message, const struct field *form, size_t size, void *into,
	       struct text bound_to)
{
	if (!c->reply || !is_capable(c->reply, "elicitation"))
		return UNABLE;
	const struct json *response = answer_to(c->reply, key, bound_to);
	struct text action = json_text(json_get(response, "action"));
	if (text_is(action, "decline") || text_is(action, "cancel"))
		return DECLINED;
	if (text_is(action, "accept") && fill_form(c, form, size, json_get(response, "content"), into))
		return ANSWERED;
	return put_question(c, (struct question){.key = key,
						 .method = "elicitation/create",
						 .capability = "elicitation",
						 .params = form_params(c, message, form),
						 .bound_to = bound_to.at ? text_copy(c->arena, bound_to) : bound_to});
}
