/* ask.c: questions to the client's user, in both eras.
 *
 * A handler that asks is run again from the top with the answer. A modern client gets the questions as a result. It
 * sends back the answers and a state that it cannot forge: the state is signed and contains its expiry, the key, the
 * tool, the arguments, the bindings of the questions and the answers of earlier rounds. A legacy client gets requests;
 * meanwhile the exchange is parked in its session. */
#include "mcp/inner.h"

#include "base/mutex.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS_MAX = 8, ANSWER_MS = 10 * 60 * 1000 };

/* The purpose of a state: it is valid only for this method of this tool with these arguments. */
static struct text purpose(struct exchange *x)
{
	struct exchange_inner *i = x->inner;
	unsigned char digest[32];
	const struct json *arguments = json_get(i->params, "arguments");
	const char *name = i->method->mirrored;
	struct text subject = name ? json_text(json_get(i->params, name)) : (struct text){0};

	sha256(arguments ? json_source(&x->arena, arguments) : TEXT("{}"), digest);
	return text_format(&x->arena, "%s %.*s %s", i->method->name, TEXT_ARGS(subject),
			   hex_encode(&x->arena, (struct text){(char *)digest, sizeof digest}).at);
}

static struct text sign(struct exchange *x, struct text payload)
{
	unsigned char mac[32];
	struct server *s = x->server;
	struct text body = base64url_encode(&x->arena, payload);

	hmac_sha256((struct text){(char *)s->state_key, sizeof s->state_key}, body, mac);
	return text_format(&x->arena, "v1.%.*s.%s", TEXT_ARGS(body),
			   base64url_encode(&x->arena, (struct text){(char *)mac, sizeof mac}).at);
}

static const struct json *verified(struct exchange *x, struct text state)
{
	unsigned char mac[32];
	struct server *s = x->server;
	size_t dot = text_find(state, TEXT("."), 3);

	if (!text_starts(state, "v1.") || dot == SIZE_MAX)
		return NULL;
	struct text body = text_slice(state, 3, dot);
	struct text given = base64url_decode(&x->arena, text_slice(state, dot + 1, state.len));
	hmac_sha256((struct text){(char *)s->state_key, sizeof s->state_key}, body, mac);
	if (!given.at || given.len != sizeof mac || !secret_same(given.at, mac, sizeof mac))
		return NULL;
	struct text payload = base64url_decode(&x->arena, body);
	return payload.at ? json_parse(&x->arena, payload, JSON_DEPTH_MAX, NULL) : NULL;
}

void ask_write(struct exchange *x, struct json_out *o)
{
	struct exchange_inner *i = x->inner;
	struct json *payload = json_new_object(&x->arena), *bound = json_new_object(&x->arena);

	json_key(o, "inputRequests");
	json_open(o, '{');
	for (size_t k = 0; k < i->reply.questions.n; k++) {
		const struct question *q = &i->reply.questions.items[k];
		json_key(o, q->key);
		json_open(o, '{');
		json_key(o, "method");
		json_put_string(o, q->method);
		json_key(o, "params");
		json_put(o, q->params ? q->params : json_new_object(&x->arena));
		json_close(o, '}');
		if (q->bound_to.at)
			json_set_text(&x->arena, bound, q->key, q->bound_to);
	}
	json_close(o, '}');

	json_set_int(&x->arena, payload, "until", clock_now() + ANSWER_MS);
	json_set_text(&x->arena, payload, "key", key_name(x->key).at ? key_name(x->key) : TEXT(""));
	json_set_text(&x->arena, payload, "for", purpose(x));
	json_set(&x->arena, payload, "bound", bound);
	json_set_int(&x->arena, payload, "round", i->rounds + 1);
	if (i->answers)
		json_set(&x->arena, payload, "answers", i->answers);
	if (i->reply.kept_state.at)
		json_set_text(&x->arena, payload, "kept", i->reply.kept_state);
	json_key(o, "requestState");
	json_put_text(o, sign(x, json_source(&x->arena, payload)));
	json_key(o, "resultType");
	json_put_string(o, "input_required");
}

/* Joins the answers of earlier rounds and of this one. A later answer to the same question wins. */
static const struct json *joined(struct arena *a, const struct json *before, const struct json *now)
{
	struct json *all = json_new_object(a);

	for (uint32_t k = 0; json_is(before, JSON_OBJECT) && k < before->len; k++)
		json_set(a, all, before->members[k].key, &before->members[k].value);
	for (uint32_t k = 0; json_is(now, JSON_OBJECT) && k < now->len; k++)
		json_set(a, all, now->members[k].key, &now->members[k].value);
	return all;
}

bool call_answers(struct exchange *x, const struct json *params)
{
	struct exchange_inner *i = x->inner;
	const struct json *state = json_get(params, "requestState"), *payload = NULL;
	int64_t until, round;

	if (i->era != ERA_MODERN)
		return true;
	if (state && state->type != JSON_NULL) {
		payload = state->type == JSON_STRING ? verified(x, json_text(state)) : NULL;
		if (!payload || !text_same(json_text(json_get(payload, "for")), purpose(x)) ||
		    !text_same(json_text(json_get(payload, "key")), key_name(x->key).at ? key_name(x->key) : TEXT("")))
			return refuse(x, RPC_PARAMS, "requestState does not belong to this request");
		if (!json_integer(json_get(payload, "until"), &until) || until < clock_now())
			return refuse(x, RPC_PARAMS, "requestState is too old; make the request again without it");
		if (!json_integer(json_get(payload, "round"), &round) || round > ROUNDS_MAX)
			return refuse(x, RPC_PARAMS, "this request asked %d times and did not finish; send it again",
				      ROUNDS_MAX);
		i->rounds = (int)round;
		i->bindings = json_get(payload, "bound");
		i->kept_state = json_text(json_get(payload, "kept"));
	}
	const struct json *given = json_get(params, "inputResponses");
	if (payload || json_is(given, JSON_OBJECT))
		i->answers = joined(&x->arena, json_get(payload, "answers"), given);
	return true;
}

static struct text request(struct exchange *x, const char *id, const struct question *q)
{
	struct buffer b = {.arena = &x->arena};
	struct json_out o = {.to = &b};

	json_open(&o, '{');
	json_key(&o, "jsonrpc");
	json_put_string(&o, "2.0");
	json_key(&o, "id");
	json_put_string(&o, id);
	json_key(&o, "method");
	json_put_string(&o, q->method);
	if (q->params) {
		json_key(&o, "params");
		json_put(&o, q->params);
	}
	json_close(&o, '}');
	return buffer_text(&b);
}

bool ask_park(struct exchange *x)
{
	struct exchange_inner *i = x->inner;
	struct session *s = i->session;
	struct json *bound = json_new_object(&x->arena);

	if (!s || !x->wire->again)
		return refuse(x, RPC_INTERNAL,
			      "this call needs an answer from a person; send it alone, not in a batch");
	if (++i->rounds > ROUNDS_MAX)
		return refuse(x, RPC_INTERNAL, "this request asked %d times and did not finish", ROUNDS_MAX);
	mutex_lock(&s->lock);
	for (size_t k = 0; k < i->reply.questions.n; k++) {
		const struct question *q = &i->reply.questions.items[k];
		struct pending *p = budget_zero(1, sizeof *p);
		*p = (struct pending){.next = s->pending, .key = q->key, .exchange = x};
		snprintf(p->id, sizeof p->id, "q%u", ++s->questions);
		s->pending = p;
		if (q->bound_to.at)
			json_set_text(&x->arena, bound, q->key, q->bound_to);
		/* Sent under the lock, so that the answer cannot arrive before the call is parked. Sending only queues
		 * the message. */
		x->wire->send(x, request(x, p->id, q));
	}
	i->bindings = bound;
	i->kept_state = i->reply.kept_state;
	i->waiting = i->reply.questions.n;
	i->parked_until = clock_ticks() + ANSWER_MS;
	mutex_unlock(&s->lock);
	return true;
}

/* Call it with the session's lock held. */
static void take_answer(struct pending *p, const struct json *answer)
{
	struct exchange *x = p->exchange;
	struct json *own = json_new_object(&x->arena);

	json_set(&x->arena, own, p->key, answer ? answer : json_new_null(&x->arena));
	x->inner->answers = joined(&x->arena, x->inner->answers, own);
	x->inner->waiting--;
}

static const struct json *refusal(struct arena *a)
{
	struct json *v = json_new_object(a);
	json_set_text(a, v, "action", TEXT("cancel"));
	return v;
}

void legacy_response(struct exchange *x)
{
	struct exchange_inner *i = x->inner;
	struct session *s = i->session;
	struct text id = json_text(json_get(i->message, "id"));
	struct exchange *ready = NULL;

	if (s && id.at) {
		mutex_lock(&s->lock);
		for (struct pending **at = &s->pending; *at; at = &(*at)->next) {
			struct pending *p = *at;
			if (!text_is(id, p->id))
				continue;
			struct arena *a = &p->exchange->arena;
			const struct json *result = json_get(i->message, "result");
			*at = p->next;
			take_answer(p,
				    result ? json_parse(a, json_source(a, result), JSON_DEPTH_MAX, NULL) : refusal(a));
			if (!p->exchange->inner->waiting)
				ready = p->exchange;
			free(p);
			break;
		}
		mutex_unlock(&s->lock);
	}
	if (ready)
		ready->wire->again(ready);
	answer_nothing(x);
}

/* Ends parked calls that were cancelled or whose time is over, or all of them. Their open questions count as declined,
 * and the calls continue. */
void asks_expire(struct session *s, bool all)
{
	int64_t now = clock_ticks();

	for (;;) {
		struct exchange *ready = NULL;
		mutex_lock(&s->lock);
		for (struct exchange_inner *i = s->running; i && !ready; i = i->next_running)
			if (i->waiting && (all || now >= i->parked_until || atomic_load(&i->exchange->cancelled)))
				ready = i->exchange;
		for (struct pending **at = &s->pending; ready && *at;) {
			struct pending *p = *at;
			if (p->exchange != ready) {
				at = &p->next;
				continue;
			}
			*at = p->next;
			struct json *params = json_new_object(&ready->arena);
			json_set_text(&ready->arena, params, "requestId", text_copy(&ready->arena, text_of(p->id)));
			json_set_text(&ready->arena, params, "reason", TEXT("no longer needed"));
			ready->wire->send(ready, notice(&ready->arena, "notifications/cancelled", params));
			take_answer(p, refusal(&ready->arena));
			free(p);
		}
		mutex_unlock(&s->lock);
		if (!ready)
			return;
		ready->wire->again(ready);
	}
}
