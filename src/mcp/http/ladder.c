#include "mcp/http/ladder.h"

#include "mcp/rate.h"

#include <string.h>
#include <strings.h>

static bool refuse(struct climb *c, int status, const char *message)
{
	c->refusal = (struct refusal){.status = status, .message = message};
	return false;
}

static bool refuse_for(struct climb *c, int status, enum fault fault, const char *message)
{
	c->refusal = (struct refusal){.status = status, .fault = fault, .message = message};
	return false;
}

static bool may_not(struct climb *c, const char *allow, const char *message)
{
	c->refusal = (struct refusal){.status = 405, .message = message, .allow = allow};
	return false;
}

/* The value of our cookie among those that the browser sends. */
static struct text cookie_find(const struct ladder *l, const struct head *head)
{
	struct text all = head_find(head, "cookie");
	const char *ours = visits_cookie(l->visits);
	size_t name = strlen(ours);

	for (size_t at = 0; all.at && at < all.len;) {
		size_t end = text_find(all, TEXT(";"), at);
		struct text one = text_trim(text_slice(all, at, end));
		if (text_starts(one, ours) && one.len > name && one.at[name] == '=')
			return text_slice(one, name + 1, one.len);
		at = end == SIZE_MAX ? all.len : end + 1;
	}
	return (struct text){0};
}

/* The page's own requests name its origin. A page at another port would send the cookie too, but not the token, and not
 * this origin. */
static bool shows_visit(const struct ladder *l, const struct head *head, struct climb *c)
{
	struct text origin = head_find(head, "origin");

	c->token = head_find(head, "quire-token");
	if (!l->visits || !c->token.at || !origin.at || !guard_origin(origin, head_find(head, "host"), NULL))
		return false;
	c->cookie = cookie_find(l, head);
	return true;
}

static bool knows_caller(const struct ladder *l, struct arena *a, const struct head *head, struct climb *c)
{
	struct guard *guard = server_guard(l->server);
	const struct endpoint *at = c->endpoint;
	const char *why = "a key is needed";

	if (!guard_needs_key(guard))
		return true;
	if (shows_visit(l, head, c) && !head_find(head, "authorization").at) {
		c->key = visits_key(l->visits, c->cookie, c->token);
		why = "this visit has ended: log in again";
	} else {
		c->key = guard_key(guard, head_find(head, "authorization"), &why);
	}
	int wait = !c->key && c->failed && head_find(head, "authorization").at ? c->failed(c->of) : 0;
	if (wait) {
		refuse_for(c, 429, FAULT_RATE,
			   "too many wrong keys from this address: wait as long as Retry-After says");
		c->refusal.retry_after = wait;
		return false;
	}
	if (!c->key) {
		refuse_for(c, 401, FAULT_KEY, "a valid key is needed: send it as Authorization: Bearer KEY");
		c->refusal.challenge = text_format(
			a, "Bearer realm=\"quire\", error=\"invalid_token\", error_description=\"%s\"", why);
		return false;
	}
	if (!at->alone || key_may_kind(c->key, at->kinds[0]))
		return true;
	refuse_for(c, 403, FAULT_DENIED, "this key may not use this kind of document");
	c->refusal.challenge = text_format(a, "Bearer realm=\"quire\", error=\"insufficient_scope\", scope=\"%s\"",
					   at->kinds[0]->name);
	return false;
}

static bool is_within_rate(const struct ladder *l, struct climb *c)
{
	int wait = 1;

	if (rate_head(server_guard(l->server), (struct client){c->key, c->peer}, c->endpoint, &wait))
		return true;
	refuse_for(c, 429, FAULT_RATE, "too many requests: wait as long as Retry-After says");
	c->refusal.retry_after = wait;
	return false;
}

/* GET and DELETE need a session. They have no message, so the header with their version is checked here. */
static bool knows_method(const struct head *head, struct climb *c)
{
	struct text version = head_find(head, "mcp-protocol-version");

	c->session = head_find(head, "mcp-session-id");
	if (text_is(head->method, "POST")) {
		c->verb = VERB_POST;
		return true;
	}
	if (text_is(head->method, "GET")) {
		c->verb = VERB_GET;
		if (!c->session.at)
			return may_not(c, "POST", "GET opens the event stream of a session: send its Mcp-Session-Id");
		if (!head_find(head, "accept").at || !head_accepts(head, "text/event-stream"))
			return may_not(c, "POST, DELETE", "GET opens an event stream: send Accept: text/event-stream");
	} else if (text_is(head->method, "DELETE")) {
		c->verb = VERB_DELETE;
		if (!c->session.at)
			return refuse(c, 400, "DELETE ends a session: send its Mcp-Session-Id");
	} else {
		return may_not(c, "POST, GET, DELETE", "allowed methods: POST, GET and DELETE");
	}
	return !version.at || server_knows_version(version) ||
	       refuse(c, 400, "this MCP-Protocol-Version is not supported: send the version that initialize returned");
}

static bool fits_body(const struct ladder *l, const struct head *head, struct climb *c)
{
	int64_t length = head_length(head);
	struct text coding = head_find(head, "content-encoding");

	if (!media_is(head_find(head, "content-type"), "application/json"))
		return refuse(c, 415, "the body must be JSON: send Content-Type: application/json");
	if (coding.at && !text_is(coding, "identity"))
		return refuse(c, 415, "compressed bodies are not supported: leave out Content-Encoding");
	if (length == HEAD_CHUNKED && l->no_chunks)
		return refuse(c, 411, "this server does not accept chunked bodies: send a Content-Length");
	if (length > 0 && (uint64_t)length > l->body_max)
		return refuse_for(c, 413, FAULT_TOO_LARGE, "the body is larger than this server allows");
	c->takes_json = head_accepts(head, "application/json");
	c->takes_events = head_accepts(head, "text/event-stream");
	if (!c->takes_json && !c->takes_events)
		return refuse(c, 406, "responses are application/json or text/event-stream: accept both");
	return true;
}

/* A browser sends a preflight request first, without the key. So the allowed methods and headers are not secret. */
static bool is_preflight(const struct ladder *l, const struct head *head, const struct climb *c)
{
	return l->origins && c->origin.at && text_is(head->method, "OPTIONS");
}

/* A proxy may send the whole URI instead of the path; then the URI also names the host. RFC 9112, 3.2.2. */
static struct text path_of(const struct head *head, struct text *host)
{
	static const char scheme[] = "http://";
	size_t from = sizeof scheme - 1;

	*host = (struct text){0};
	if (head->path.len <= from || strncasecmp(head->path.at, scheme, from) != 0)
		return head->path;
	size_t end = text_find(head->path, TEXT("/"), from);
	if (end == SIZE_MAX)
		end = head->path.len;
	*host = text_slice(head->path, from, end);
	return end < head->path.len ? text_slice(head->path, end, head->path.len) : TEXT("/");
}

static bool is_reading(const struct head *head, struct climb *c)
{
	return text_is(head->method, "GET") || text_is(head->method, "HEAD") ||
	       may_not(c, "GET, HEAD", "allowed methods: GET and HEAD");
}

/* Programs that look for something else get the plain 404, people the page. */
static bool wants_page(const struct ladder *l, const struct head *head)
{
	return l->visits && text_is(head->method, "GET") &&
	       text_find(head_find(head, "accept"), TEXT("text/html"), 0) != SIZE_MAX;
}

/* A login is accepted from the page only, and its body is small. */
static bool fits_login(const struct head *head, struct climb *c)
{
	enum { LOGIN_MAX = 4096 };
	int64_t length = head_length(head);

	if (!text_is(head->method, "POST"))
		return may_not(c, "POST", "the only allowed method is POST");
	if (!head_find(head, "origin").at)
		return refuse(c, 403, "only the page of this server logs in: send its Origin");
	if (!media_is(head_find(head, "content-type"), "application/json"))
		return refuse(c, 415, "the body must be JSON: send Content-Type: application/json");
	if (length < 0 || length > LOGIN_MAX)
		return refuse(c, 413, "a login is a JSON object of a few bytes, with a Content-Length");
	return true;
}

/* Addresses besides those of the protocol. False: it is none of these, or it was refused. */
static bool find_other(const struct ladder *l, struct text path, const struct head *head, struct climb *c)
{
	if (text_is(path, "/health")) {
		c->verb = VERB_HEALTH;
		return true;
	}
	if (!l->visits)
		return text_is(path, "/") ? refuse(c, 404, "this server has no page; MCP is at /mcp")
					  : refuse(c, 404, "there is nothing at this address; MCP is at /mcp");
	if (text_is(path, "/login") || text_is(path, "/logout")) {
		c->verb = text_is(path, "/login") ? VERB_LOGIN : VERB_LOGOUT;
		return true;
	}
	c->verb = VERB_PAGE;
	c->page_is_missing = !page_find(path, &c->page);
	if (!c->page_is_missing || (wants_page(l, head) && page_missing(&c->page)))
		return true;
	return refuse(c, 404, "there is nothing at this address; MCP is at /mcp, the page at /");
}

bool ladder_climb(const struct ladder *l, struct arena *a, const struct head *head, struct climb *c)
{
	struct text host, path = path_of(head, &host);
	struct text origin = head_find(head, "origin");

	c->ladder = l;
	c->endpoint = server_endpoint(l->server, path);
	if (!c->endpoint && !find_other(l, path, head, c))
		return false;
	if (!guard_host(head_find(head, "host"), l->hosts) || (host.at && !guard_host(host, l->hosts)))
		return refuse(c, 403, "this Host is not allowed");
	if (!guard_origin(origin, host.at ? host : head_find(head, "host"), l->origins))
		return refuse(c, 403, "this Origin is not allowed");
	if (l->origins)
		c->origin = origin;
	if (!c->endpoint && c->verb == VERB_HEALTH)
		return text_is(head->method, "GET") || may_not(c, "GET", "the only allowed method is GET");
	if (!c->endpoint && c->verb == VERB_PAGE)
		return is_reading(head, c);
	if (!c->endpoint) {
		shows_visit(l, head, c);
		return guard_origin(origin, head_find(head, "host"), NULL)
			       ? fits_login(head, c)
			       : refuse(c, 403, "this Origin is not allowed");
	}
	if (is_preflight(l, head, c)) {
		c->verb = VERB_PREFLIGHT;
		return true;
	}
	if (!knows_caller(l, a, head, c) || !is_within_rate(l, c) || !knows_method(head, c))
		return false;
	return c->verb != VERB_POST || fits_body(l, head, c);
}
