/* modern.c: 2026-07-28: stateless. Every request names its version and client, and headers repeat parts of the body. */
#include "mcp/inner.h"

#include <strings.h>

bool modern_claim(const struct json *meta)
{
	return json_is(meta, JSON_OBJECT) && json_get(meta, META_PREFIX "protocolVersion");
}

static bool bad_header(struct exchange *x, const char *name, struct text header, struct text body)
{
	x->inner->status = 400;
	if (!header.len)
		return refuse(x, RPC_HEADER, "the header %s is %s; the message says %s", name,
			      header.at ? "empty" : "missing", shown(&x->inner->call, body));
	return refuse(x, RPC_HEADER, "the header %s is %s, but the message says %s", name,
		      shown(&x->inner->call, header), shown(&x->inner->call, body));
}

/* Decodes a header's value: =?base64?...?= encodes characters that a header cannot have. */
static bool header_value(struct exchange *x, const char *name, struct text *out)
{
	struct text v = x->header(x, name);

	if (v.at && text_starts(v, "=?base64?") && text_ends(v, "?=") && v.len >= 11) {
		v = base64_decode(&x->arena, text_slice(v, 9, v.len - 2));
		if (!v.at) {
			x->inner->status = 400;
			return refuse(x, RPC_HEADER, "the header %s is not valid base64", name);
		}
	}
	*out = v;
	return true;
}

static bool check_headers(struct exchange *x)
{
	struct exchange_inner *i = x->inner;
	struct text method = json_text(json_get(i->message, "method")), sent, value;
	const struct method *m = method_find(method);

	sent = x->header(x, "Mcp-Method");
	if (!sent.at || !text_same(sent, method))
		return bad_header(x, "Mcp-Method", sent, method);
	if (!m || !m->mirrored)
		return true;
	value = json_text(json_get(i->params, m->mirrored));
	if (!header_value(x, "Mcp-Name", &sent))
		return false;
	if (value.at && (!sent.at || !text_same(sent, value)))
		return bad_header(x, "Mcp-Name", sent, value);
	return true;
}

bool modern_check(struct exchange *x)
{
	struct exchange_inner *i = x->inner;
	struct text claim = json_text(json_get(i->meta, META_PREFIX "protocolVersion"));
	const struct json *capabilities = json_get(i->meta, META_PREFIX "clientCapabilities");

	if (!claim.at || !json_is(capabilities, JSON_OBJECT)) {
		i->status = 400;
		return refuse(x, RPC_PARAMS,
			      "params._meta must hold " META_PREFIX "protocolVersion (a string) and " META_PREFIX
			      "clientCapabilities (an object)");
	}
	i->capabilities = capabilities;
	const struct json *level = json_get(i->meta, META_PREFIX "logLevel");
	if (level && SERVED(x)->logs && log_level_find(json_text(level)) < 0)
		return refuse(
			x, RPC_PARAMS,
			"params._meta's " META_PREFIX
			"logLevel must be one of debug, info, notice, warning, error, critical, alert, emergency");
	if (x->wire->is_http) {
		struct text header = x->header(x, "MCP-Protocol-Version");
		if (!header.at || !text_same(header, claim))
			return bad_header(x, "MCP-Protocol-Version", header, claim);
	}
	if (!text_is(claim, version_names[VERSION_MODERN])) {
		struct json *data = json_new_object(&x->arena), *supported = json_new_array(&x->arena);
		json_push(&x->arena, supported, json_new_text(&x->arena, text_of(version_names[VERSION_MODERN])));
		json_set(&x->arena, data, "supported", supported);
		json_set_text(&x->arena, data, "requested", claim);
		i->error_data = data;
		return refuse(x, RPC_VERSION,
			      "version %s cannot be given in params._meta; use %s, or initialize for earlier versions",
			      shown(&i->call, claim), version_names[VERSION_MODERN]);
	}
	return !x->wire->is_http || !i->id.at || check_headers(x);
}

/* A tool's schema may require that a parameter is repeated in a header (x-mcp-header). Then both must agree. */
bool modern_parameters(struct exchange *x, const struct tool *t, const struct json *arguments)
{
	if (x->inner->era != ERA_MODERN || !x->wire->is_http)
		return true;
	for (const struct field *f = t->in; f && f->name; f++) {
		if (!field_more(f)->schema || !strstr(field_more(f)->schema, "x-mcp-header"))
			continue;
		struct text source = text_format(&x->arena, "{%s}", field_more(f)->schema), sent;
		const struct json *schema = json_parse(&x->arena, source, 8, NULL);
		struct text name = json_text(json_get(schema, "x-mcp-header"));
		const char *header = text_format(&x->arena, "Mcp-Param-%.*s", TEXT_ARGS(name)).at;
		const struct json *value = json_get(arguments, f->name);
		if (!value || value->type == JSON_NULL)
			continue;
		struct text body = value->type == JSON_STRING ? json_text(value) : json_source(&x->arena, value);
		if (!header_value(x, header, &sent))
			return false;
		if (!sent.at || !text_same(sent, body))
			return bad_header(x, header, sent, body);
	}
	return true;
}

bool modern_discover(struct exchange *x, struct json_out *o)
{
	json_key(o, "supportedVersions");
	json_open(o, '[');
	json_put_string(o, version_names[VERSION_MODERN]);
	json_close(o, ']');
	json_key(o, "capabilities");
	write_capabilities(x, o);
	put_instructions(x, o);
	cache_hints(x, o, 60 * 1000, !SERVED(x)->looks);
	return true;
}
