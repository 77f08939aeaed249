#include "mcp/rate.h"

#include "mcp/server.h"

static const struct kind *kind_at(const struct endpoint *at) { return at->alone ? at->kinds[0] : NULL; }

static struct client client_of(const struct exchange *x) { return (struct client){x->key, x->peer}; }

bool rate_head(struct guard *g, struct client who, const struct endpoint *at, int *wait)
{
	return guard_take(g, who, kind_at(at), GUARD_REQUEST, wait);
}

bool rate_message(struct exchange *x, int *wait)
{
	return x->wire->is_http || rate_head(server_guard(x->server), client_of(x), x->endpoint, wait);
}

void rate_forget(struct exchange *x)
{
	if (x->wire->is_http)
		guard_return(server_guard(x->server), client_of(x), kind_at(x->endpoint));
}

bool rate_call(struct exchange *x, const struct kind *k, bool writes, enum guard_what *what, int *wait)
{
	struct guard *g = server_guard(x->server);
	struct client who = client_of(x);
	bool is_counted = x->wire->is_http && x->endpoint->alone;

	*what = GUARD_REQUEST;
	if (is_counted || guard_take(g, who, k, GUARD_REQUEST, wait)) {
		if (!writes || guard_take(g, who, k, GUARD_WRITE, wait))
			return true;
		*what = GUARD_WRITE;
		guard_return(g, who, k);
	}
	/* At the address of all kinds, the head was counted for the server. Uncount it. */
	if (!is_counted)
		rate_forget(x);
	return false;
}
