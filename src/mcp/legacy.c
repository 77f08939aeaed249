/* legacy.c: the versions with a handshake: the session, and the data that the client sent when it opened the
 * session. */
#include "mcp/inner.h"

#include "base/mutex.h"
#include "mcp/offer.h"

const char *const version_names[VERSIONS] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};

int version_find(struct text name)
{
	for (int i = 0; i < VERSIONS; i++)
		if (text_is(name, version_names[i]))
			return i;
	return -1;
}

bool server_knows_version(struct text name) { return version_find(name) >= 0; }

int log_level_find(struct text name)
{
	static const char *const levels[] = {"debug", "info",     "notice", "warning",
					     "error", "critical", "alert",  "emergency"};

	for (int i = 0; i < (int)ARRAY_COUNT(levels); i++)
		if (text_is(name, levels[i]))
			return i;
	return -1;
}

/* Over HTTP a header names the session. 404 means that the client must initialize again, so it is used for nothing
 * else. */
static bool find_session(struct exchange *x, bool is_initialize)
{
	struct exchange_inner *i = x->inner;
	struct text id = x->header(x, "Mcp-Session-Id"), version = x->header(x, "MCP-Protocol-Version");

	if (version.at && version_find(version) < 0) {
		i->status = 400;
		return refuse(x, RPC_REQUEST, "MCP-Protocol-Version %s is not supported; use %s",
			      shown(&i->call, version), version_names[VERSION_LATEST_LEGACY]);
	}
	if (is_initialize)
		return true;
	if (!id.at) {
		i->status = 400;
		return refuse(x, RPC_REQUEST, "the header Mcp-Session-Id is missing; begin with initialize");
	}
	i->session = session_find(x->server, id, x->key);
	if (!i->session) {
		i->status = 404;
		return refuse(x, RPC_REQUEST, "there is no such session; begin again with initialize");
	}
	i->holds_session = true;
	return true;
}

bool legacy_check(struct exchange *x)
{
	struct exchange_inner *i = x->inner;
	struct text name = json_text(json_get(i->message, "method"));
	bool is_initialize = text_is(name, "initialize");

	if (!i->session && x->wire->is_http && !find_session(x, is_initialize))
		return false;
	if (!i->session)
		return true;
	mutex_lock(&i->session->lock);
	i->version = i->session->version;
	i->capabilities = i->session->capabilities;
	i->client = i->session->client;
	i->log_level = i->session->log_level;
	mutex_unlock(&i->session->lock);
	/* Before the handshake only ping works, everything else is refused. Notifications are dropped silently. */
	if (i->version < 0 && i->id.at && name.at && !is_initialize && !text_is(name, "ping"))
		return refuse(x, RPC_REQUEST,
			      "not initialized: send initialize first, or give the version in params._meta");
	return true;
}

bool legacy_initialize(struct exchange *x, struct json_out *o)
{
	struct exchange_inner *i = x->inner;
	struct text version;
	const struct json *client = json_get(i->params, "clientInfo"),
			  *capabilities = json_get(i->params, "capabilities");

	if (!param_text(x, "protocolVersion", "a string like 2025-11-25", &version))
		return false;
	if (!json_is(client, JSON_OBJECT))
		return refuse_missing(x, "clientInfo", client, "an object with the client's name and version");
	if (!json_text(json_get(client, "name")).at)
		return refuse_missing(x, "clientInfo.name", json_get(client, "name"), "a string");
	if (capabilities && capabilities->type != JSON_OBJECT)
		return refuse_missing(x, "capabilities", capabilities, "an object");
	int known = version_find(version);
	if (known < 0 || known == VERSION_MODERN)
		known = VERSION_LATEST_LEGACY;
	if (!i->session) {
		i->session = session_new(x->server, x->key, false);
		if (!i->session)
			return refuse(x, RPC_INTERNAL, "too many open sessions; try again later");
		i->holds_session = true;
		x->new_session = text_copy(&x->arena, text_of(i->session->id));
	}
	struct session *s = i->session;
	mutex_lock(&s->lock);
	/* Calls of an earlier handshake may still read its capabilities, so they are kept until the session ends. */
	s->version = i->version = known;
	s->capabilities =
		capabilities ? json_parse(&s->arena, json_source(&s->arena, capabilities), JSON_DEPTH_MESSAGE, NULL)
			     : json_new_object(&s->arena);
	s->client = text_copy(&s->arena, json_text(json_get(client, "name")));
	mutex_unlock(&s->lock);

	json_key(o, "protocolVersion");
	json_put_string(o, version_names[known]);
	json_key(o, "capabilities");
	write_capabilities(x, o);
	json_key(o, "serverInfo");
	write_server(o, known);
	put_instructions(x, o);
	return true;
}

void put_instructions(struct exchange *x, struct json_out *o)
{
	const struct offer offer = offer_for(x);
	struct text told = offer_instructions(&x->arena, &offer);

	if (!told.len)
		return;
	json_key(o, "instructions");
	json_put_text(o, told);
}

bool legacy_ping(struct exchange *x, struct json_out *o)
{
	(void)x;
	(void)o;
	return true;
}

bool legacy_set_level(struct exchange *x, struct json_out *o)
{
	int level = log_level_find(json_text(json_get(x->inner->params, "level")));

	(void)o;
	if (level < 0)
		return refuse(x, RPC_PARAMS,
			      "params.level must be one of debug, info, notice, warning, error, critical, alert, "
			      "emergency");
	mutex_lock(&x->inner->session->lock);
	x->inner->session->log_level = level;
	mutex_unlock(&x->inner->session->lock);
	return true;
}

/* Notifications of both eras. Unknown ones are dropped. */
void legacy_notification(struct exchange *x)
{
	struct exchange_inner *i = x->inner;
	struct text name = json_text(json_get(i->message, "method"));
	struct session *s = i->session ? i->session : x->session;

	if (s && text_is(name, "notifications/initialized")) {
		mutex_lock(&s->lock);
		s->initialized = true;
		mutex_unlock(&s->lock);
	} else if (s && text_is(name, "notifications/cancelled")) {
		const struct json *id = json_get(i->params, "requestId");
		if (id)
			session_cancel(s, text_slice(x->bytes, id->pos, id->end));
	}
	answer_nothing(x);
}

void write_server(struct json_out *o, int version)
{
	json_open(o, '{');
	json_key(o, "name");
	json_put_string(o, "quire");
	if (version >= V2025_06_18) {
		json_key(o, "title");
		json_put_string(o, "quire: documents for agents");
	}
	json_key(o, "version");
	json_put_string(o, QUIRE_VERSION);
	if (version >= V2025_11_25) {
		json_key(o, "description");
		json_put_string(
			o, "Tools to read and edit documents: novels, floor plans, Word files, notes and manuals, with "
			   "history and undo.");
	}
	json_close(o, '}');
}

static void capability(struct json_out *o, const char *name, const char *flag, bool on, const char *flag2, bool on2)
{
	json_key(o, name);
	json_open(o, '{');
	if (on) {
		json_key(o, flag);
		json_put_bool(o, true);
	}
	if (on2) {
		json_key(o, flag2);
		json_put_bool(o, true);
	}
	json_close(o, '}');
}

void write_capabilities(struct exchange *x, struct json_out *o)
{
	const struct served *p = SERVED(x);

	json_open(o, '{');
	if (p->n_tools)
		capability(o, "tools", "listChanged", p->lists_change, NULL, false);
	if (p->has_resources)
		capability(o, "resources", "subscribe", p->subscribes, "listChanged", p->lists_change);
	if (p->has_prompts)
		capability(o, "prompts", "listChanged", p->lists_change, NULL, false);
	if (p->completes && x->inner->version >= V2025_03_26)
		capability(o, "completions", NULL, false, NULL, false);
	if (p->logs)
		capability(o, "logging", NULL, false, NULL, false);
	json_close(o, '}');
}
