#include "mcp/http/login.h"

#include "base/clock.h"
#include "format/json.h"
#include "mcp/http/peers.h"

static struct entry refused(struct request *r, int status, const char *message)
{
	struct json *body = json_new_object(&r->x.arena);

	json_set_text(&r->x.arena, body, "message", text_of(message));
	return (struct entry){.status = status, .body = json_source(&r->x.arena, body)};
}

static struct text cookie_set(struct request *r, const char *value, int seconds)
{
	return text_format(&r->x.arena, "%s=%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=%d",
			   visits_cookie(r->climb.ladder->visits), value, seconds);
}

/* What the page must know about its visitor. */
static struct entry welcome(struct request *r, const struct key *key, const struct visit *visit)
{
	struct arena *a = &r->x.arena;
	struct json *body = json_new_object(a), *served = json_new_array(a);

	for (const struct kind *const *k = server_endpoint(r->x.server, TEXT("/mcp"))->kinds; *k; k++)
		if (key_may_kind(key, *k))
			json_push(a, served, json_new_text(a, text_of((*k)->name)));
	json_set(a, body, "kinds", served);
	json_set(a, body, "needs_key", json_new_bool(a, key != NULL));
	json_set(a, body, "writes", json_new_bool(a, !server_is_read_only(r->x.server) && key_writes(key)));
	if (key_name(key).at)
		json_set_text(a, body, "name", key_name(key));
	if (visit) {
		json_set_text(a, body, "token", text_of(visit->token));
		json_set_text(a, body, "until", clock_iso(a, clock_now() + VISIT_SECONDS * INT64_C(1000)));
	}
	return (struct entry){.status = 200, .body = json_source(a, body)};
}

struct entry login(struct request *r)
{
	struct guard *g = server_guard(r->x.server);
	struct json_error err;
	const struct json *in = json_parse(&r->x.arena, buffer_text(&r->body), 4, &err);
	struct text secret = json_text(json_get(in, "key")), once = json_text(json_get(in, "once"));
	const struct key *key = NULL;
	const char *why = "give a key";
	struct visit visit;

	if (!json_is(in, JSON_OBJECT))
		return refused(r, 400, "the body must be a JSON object with a key");
	if (!guard_needs_key(g))
		return welcome(r, NULL, NULL);
	if (once.at) {
		key = visits_accept(r->climb.ladder->visits, once);
		why = "this link was used already, or it is of an earlier run";
	} else if (secret.at) {
		key = guard_key(g, text_format(&r->x.arena, "Bearer %.*s", TEXT_ARGS(secret)), &why);
	} else {
		key = visits_key(r->climb.ladder->visits, r->climb.cookie, r->climb.token);
		struct entry e = key ? welcome(r, key, NULL) : refused(r, 401, why);
		if (key)
			key_release(key);
		return e;
	}
	if (!key) {
		int wait = peer_failed(r->peer);
		struct entry e = wait ? refused(r, 429, "too many wrong keys from this address: try again in a minute")
				      : refused(r, 401, why);
		e.retry_after = wait;
		return e;
	}
	r->x.key = r->climb.key = key; /* the request releases it; the access log names it */
	visits_begin(r->climb.ladder->visits, key, &visit);
	struct entry e = welcome(r, key, &visit);
	e.cookie = cookie_set(r, visit.cookie, VISIT_SECONDS);
	return e;
}

struct entry logout(struct request *r)
{
	visits_end(r->climb.ladder->visits, r->climb.cookie, r->climb.token);
	return (struct entry){.status = 200, .body = TEXT("{}"), .cookie = cookie_set(r, "", 0)};
}
