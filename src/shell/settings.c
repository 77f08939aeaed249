/* settings.c: the configuration file, and its merge with the command line. */
#include "shell/command.h"

#include "base/log.h"
#include "format/toml.h"
#include "guard/guard.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

enum { CONFIG_MAX = 1 << 20 };

struct auth_part {
	struct text api_keys_file;
	struct maybe_flag require_auth;
};
struct rate_part {
	struct maybe_int requests_per_minute, writes_per_minute;
};
struct storage_part {
	struct texts roots;
	struct text state, ironbase_path, audit_log_path;
	int64_t document_megabytes, cache_megabytes, keep_days, keep_megabytes, lock_seconds;
};
struct validation_part {
	struct text schema_file;
	struct maybe_flag strict_mode;
};
struct server_part {
	struct text host, tools, user, log, access_log, state_key;
	struct maybe_int port;
	int64_t max_connections, connections_per_address, connections_per_address_with_key, failed_keys_per_minute;
	int64_t sessions_per_key, watches_per_key, body_bytes, call_seconds, call_memory_mb, unread_seconds;
	struct texts kinds, allow_hosts, allow_origins;
	struct maybe_flag read_only, structured, allow_hidden, chunked, page, confine;
	const struct auth_part *auth;
	const struct rate_part *rate_limit;
	const struct storage_part *storage;
	const struct validation_part *validation;
};
struct file_part {
	const struct server_part *mcp_server;
	const struct json *kinds;
};

static const struct field auth_table[] = {
	FIELD(struct auth_part, api_keys_file, TEXT, 0, "The keys file: as --keys"),
	FIELD(struct auth_part, require_auth, MAYBE_FLAG, 0,
	      "Require a key. Default true: one of the keys file; without a keys file, a fresh key that is printed at "
	      "each start"),
	FIELDS_END,
};
static const struct shape auth_shape = SHAPE(struct auth_part, "auth", auth_table);

static const struct field rate_table[] = {
	FIELD(struct rate_part, requests_per_minute, MAYBE_INT, 0,
	      "Requests a minute, for each key (without keys: each address that calls) and kind; 0: no limit. Default: "
	      "each kind's own",
	      .limits = BETWEEN(0, 100000)),
	FIELD(struct rate_part, writes_per_minute, MAYBE_INT, 0,
	      "Writes a minute, counted the same way; 0: no limit. Default: each kind's own",
	      .limits = BETWEEN(0, 100000)),
	FIELDS_END,
};
static const struct shape rate_shape = SHAPE(struct rate_part, "rate_limit", rate_table);

static const struct field storage_table[] = {
	FIELD(struct storage_part, roots, TEXTS, 0, "The folders of the documents: as --root", .limits = AT_MOST(64),
	      .more = RARE{.item_limits = BETWEEN(1, 4096)}),
	FIELD(struct storage_part, state, TEXT, 0, "Where the history is kept: as --state; ~ is $HOME"),
	FIELD(struct storage_part, document_megabytes, INT, 0, "The largest document", .limits = BETWEEN(1, 1024),
	      .otherwise = "64"),
	FIELD(struct storage_part, cache_megabytes, INT, 0, "Documents kept in memory", .limits = BETWEEN(1, 65536),
	      .otherwise = "256"),
	FIELD(struct storage_part, keep_days, INT, 0, "How long the history is kept", .limits = BETWEEN(1, 36500),
	      .otherwise = "90"),
	FIELD(struct storage_part, keep_megabytes, INT, 0, "Maximum size of the history", .limits = BETWEEN(1, 1048576),
	      .otherwise = "256"),
	FIELD(struct storage_part, lock_seconds, INT, 0, "How long a write waits for another program",
	      .limits = BETWEEN(1, 600), .otherwise = "10"),
	FIELD(struct storage_part, ironbase_path, TEXT, 0, "The database of kinds that keep their documents in one"),
	FIELD(struct storage_part, audit_log_path, TEXT, 0,
	      "A file that gets a copy of the audit trail, for kinds that have one"),
	FIELDS_END,
};
static const struct shape storage_shape = SHAPE(struct storage_part, "storage", storage_table);

static const struct field validation_table[] = {
	FIELD(struct validation_part, schema_file, TEXT, 0, "An additional JSON Schema, for kinds that support one"),
	FIELD(struct validation_part, strict_mode, MAYBE_FLAG, 0,
	      "Refuse unknown block types, for kinds that have block types"),
	FIELDS_END,
};
static const struct shape validation_shape = SHAPE(struct validation_part, "validation", validation_table);

static const char *const levels[] = {"error", "warning", "info", "debug", NULL};

static const struct field server_table[] = {
	FIELD(struct server_part, host, TEXT, 0, "The address to listen on; if host or port is set, quire serves HTTP"),
	FIELD(struct server_part, port, MAYBE_INT, 0, "The port to listen on; 0: any free port",
	      .limits = BETWEEN(0, 65535)),
	FIELD(struct server_part, max_connections, INT, 0, "Maximum number of connections; further ones get 503",
	      .limits = BETWEEN(1, 100000), .otherwise = "1100"),
	FIELD(struct server_part, connections_per_address, INT, 0,
	      "Maximum number of connections from one address that have not sent a valid key",
	      .limits = BETWEEN(1, 100000), .otherwise = "64"),
	FIELD(struct server_part, connections_per_address_with_key, INT, 0,
	      "Maximum number of connections from one address that have sent a valid key", .limits = BETWEEN(1, 100000),
	      .otherwise = "1024"),
	FIELD(struct server_part, failed_keys_per_minute, INT, 0,
	      "Wrong keys from one address in a minute; further wrong keys get 429, valid keys never do",
	      .limits = BETWEEN(1, 100000), .otherwise = "10"),
	FIELD(struct server_part, sessions_per_key, INT, 0,
	      "Sessions of one key; a further session ends the least recently used one", .limits = BETWEEN(1, 100000),
	      .otherwise = "32"),
	FIELD(struct server_part, watches_per_key, INT, 0, "Maximum number of resource subscriptions of one key",
	      .limits = BETWEEN(1, 1000000), .otherwise = "1024"),
	FIELD(struct server_part, confine, MAYBE_FLAG, 0,
	      "Let the kernel keep this process to its folders and services, and from starting programs. Default: true"),
	FIELD(struct server_part, chunked, MAYBE_FLAG, 0,
	      "Accept chunked bodies. Default true: the connection ends after each; false: they are refused with 411"),
	FIELD(struct server_part, page, MAYBE_FLAG, 0, "Serve the page for people at /. Default true"),
	FIELD(struct server_part, kinds, TEXTS, 0, "The kinds to serve. Default: all", .limits = AT_MOST(64)),
	FIELD(struct server_part, tools, TEXT, 0, "core, all, or names with commas: as --tools"),
	FIELD(struct server_part, read_only, MAYBE_FLAG, 0, "Write nothing: as --read-only"),
	FIELD(struct server_part, structured, MAYBE_FLAG, 0,
	      "Send results as structuredContent too, and list their schemas: as --structured"),
	FIELD(struct server_part, allow_hidden, MAYBE_FLAG, 0,
	      "Let callers name files that begin with a dot: as --allow-hidden"),
	FIELD(struct server_part, user, TEXT, 0, "Name recorded in the history when no key names one; as --user"),
	FIELD(struct server_part, allow_hosts, TEXTS, 0, "Host headers to accept besides localhost",
	      .limits = AT_MOST(1000)),
	FIELD(struct server_part, allow_origins, TEXTS, 0, "Origins of web pages to accept", .limits = AT_MOST(1000)),
	FIELD(struct server_part, body_bytes, INT, 0, "The largest HTTP request", .limits = BETWEEN(1024, 1 << 30),
	      .otherwise = "1048576"),
	FIELD(struct server_part, call_seconds, INT, 0, "Time limit of a call", .limits = BETWEEN(1, 86400),
	      .otherwise = "30"),
	FIELD(struct server_part, call_memory_mb, INT, 0,
	      "Memory limit of a call, not counting cached documents; a call that needs more is refused",
	      .limits = BETWEEN(16, 65536), .otherwise = "256"),
	FIELD(struct server_part, unread_seconds, INT, 0,
	      "A client that reads nothing of its answer for this time is disconnected, and an idle connection is "
	      "closed",
	      .limits = BETWEEN(1, 86400), .otherwise = "60"),
	FIELD(struct server_part, state_key, TEXT, 0,
	      "A secret of at least 32 characters, shared by several servers behind one address: a question from one "
	      "server can then be answered to another",
	      .limits = BETWEEN(32, 1024)),
	FIELD(struct server_part, log, TEXT, 0, "error, warning, info or debug: as --log"),
	FIELD(struct server_part, access_log, TEXT, 0,
	      "A file that gets one JSON line for each request, also refused ones: time, peer, key, method, kind, "
	      "tool, documents, outcome, code, ms"),
	FIELD(struct server_part, auth, OBJECT, 0, "Keys", .shape = &auth_shape),
	FIELD(struct server_part, rate_limit, OBJECT, 0, "Limits", .shape = &rate_shape),
	FIELD(struct server_part, storage, OBJECT, 0, "Documents and history", .shape = &storage_shape),
	FIELD(struct server_part, validation, OBJECT, 0, "Checks", .shape = &validation_shape),
	FIELDS_END,
};
static const struct shape server_shape = SHAPE(struct server_part, "mcp_server", server_table);

const struct field config_table[] = {
	FIELD(struct file_part, mcp_server, OBJECT, 0, "The server", .shape = &server_shape),
	FIELD(struct file_part, kinds, MAP, 0, "A table for each kind: [kinds.NAME]"),
	FIELDS_END,
};

static const char *string_of(struct call *c, struct text t) { return t.at ? text_string(c->arena, t) : NULL; }

/* Paths in the file are relative to the file. */
static const char *path_of(struct call *c, const struct settings *s, struct text t)
{
	const char *slash = strrchr(s->config, '/');

	if (!t.at || t.at[0] == '/' || !slash)
		return string_of(c, t);
	return text_format(c->arena, "%.*s/%.*s", (int)(slash - s->config), s->config, TEXT_ARGS(t)).at;
}

static void word_default(const char **word, const char *otherwise)
{
	if (!*word)
		*word = otherwise;
}

static void words_default(struct call *c, struct words *words, struct texts otherwise)
{
	for (size_t i = 0, had = words->n; !had && i < otherwise.n; i++)
		words_add(c->arena, words, text_string(c->arena, otherwise.items[i]));
}

/* A setting of the server that a kind also has applies to the kind, unless the kind's own table sets it. */
static void lend(struct call *c, struct settings *s, const char *section, const char *key, const struct json *value)
{
	bool is_known = false;
	const struct json *parts = json_get(s->tree, "kinds");
	struct json *all = json_new_object(c->arena), *tree = json_new_object(c->arena);

	for (const struct kind *const *k = kinds; *k; k++) {
		const struct json *own = json_get(parts, (*k)->name);
		bool has = (*k)->config && fields_find((*k)->config, text_of(key));
		bool takes = has && !json_get(own, key) && (!own || own->type == JSON_OBJECT);
		is_known |= has;
		if (!takes) {
			if (own)
				json_set(c->arena, all, (*k)->name, own);
			continue;
		}
		struct json *part = json_new_object(c->arena);
		for (uint32_t i = 0; own && i < own->len; i++)
			json_set_key(c->arena, part, (struct text){own->members[i].key, own->members[i].key_len},
				     &own->members[i].value);
		json_set(c->arena, part, key, value);
		json_set(c->arena, all, (*k)->name, part);
	}
	for (uint32_t i = 0; s->tree && i < s->tree->len; i++)
		json_set_key(c->arena, tree, (struct text){s->tree->members[i].key, s->tree->members[i].key_len},
			     &s->tree->members[i].value);
	json_set(c->arena, tree, "kinds", all);
	s->tree = tree;
	if (!is_known && section)
		warn(c, "%s: no kind served here uses mcp_server.%s.%s", s->config, section, key);
}

static void lend_text(struct call *c, struct settings *s, const char *section, const char *key, const char *value)
{
	if (value)
		lend(c, s, section, key, json_new_text(c->arena, text_of(value)));
}

static void storage_default(struct call *c, struct settings *s, const struct storage_part *p)
{
	for (size_t i = 0, had = s->roots.n; !had && i < p->roots.n; i++)
		words_add(c->arena, &s->roots, path_of(c, s, p->roots.items[i]));
	word_default(&s->state, path_of(c, s, p->state));
	s->document_max = (size_t)p->document_megabytes << 20;
	s->cache_max = (size_t)p->cache_megabytes << 20;
	s->keep_days = (int)p->keep_days;
	s->keep_bytes = (size_t)p->keep_megabytes << 20;
	s->lock_wait_ms = (int)p->lock_seconds * 1000;
	lend_text(c, s, "storage", "ironbase_path", path_of(c, s, p->ironbase_path));
	lend_text(c, s, "storage", "audit_log_path", path_of(c, s, p->audit_log_path));
}

static bool auth_default(struct call *c, struct settings *s, const struct auth_part *p)
{
	bool required = p->require_auth.there ? p->require_auth.value : p->api_keys_file.at != NULL;

	if (s->no_key)
		return true;
	if (p->require_auth.there && !p->require_auth.value && !s->keys)
		s->no_key = true;
	s->keys_are_filed = required && p->api_keys_file.at && !s->keys;
	if (required && p->api_keys_file.at)
		word_default(&s->keys, path_of(c, s, p->api_keys_file));
	return true;
}

static bool server_default(struct call *c, struct settings *s, const struct server_part *p, struct words *names)
{
	if (!s->http && !s->stdio && (p->host.at || p->port.there)) {
		s->host = p->host.at ? string_of(c, p->host) : "127.0.0.1";
		s->port = p->port.there ? (int)p->port.value : 8080;
	}
	words_default(c, names, p->kinds);
	words_default(c, &s->allow_hosts, p->allow_hosts);
	words_default(c, &s->allow_origins, p->allow_origins);
	word_default(&s->tools, string_of(c, p->tools));
	word_default(&s->user, string_of(c, p->user));
	word_default(&s->log, string_of(c, p->log));
	s->access_log = path_of(c, s, p->access_log);
	s->state_key = string_of(c, p->state_key);
	s->read_only |= p->read_only.there && p->read_only.value;
	s->structured |= p->structured.there && p->structured.value;
	s->allow_hidden |= p->allow_hidden.there && p->allow_hidden.value;
	s->connections_max = (unsigned)p->max_connections;
	s->body_max = (size_t)p->body_bytes;
	s->call_ms = (int)p->call_seconds * 1000;
	s->address_max = (unsigned)p->connections_per_address;
	s->address_keyed_max = (unsigned)p->connections_per_address_with_key;
	s->failures_max = (unsigned)p->failed_keys_per_minute;
	s->sessions_max = (unsigned)p->sessions_per_key;
	s->watches_max = (unsigned)p->watches_per_key;
	s->no_page |= p->page.there && !p->page.value;
	s->no_chunks = p->chunked.there && !p->chunked.value;
	s->confine = p->confine;
	s->call_memory = (size_t)p->call_memory_mb << 20;
	s->unread_seconds = (int)p->unread_seconds;
	if (p->rate_limit && p->rate_limit->requests_per_minute.there)
		s->requests_a_minute = (int)p->rate_limit->requests_per_minute.value;
	if (p->rate_limit && p->rate_limit->writes_per_minute.there)
		s->writes_a_minute = (int)p->rate_limit->writes_per_minute.value;
	if (p->storage)
		storage_default(c, s, p->storage);
	if (p->validation) {
		lend_text(c, s, "validation", "schema_file", path_of(c, s, p->validation->schema_file));
		if (p->validation->strict_mode.there)
			lend(c, s, "validation", "strict_mode",
			     json_new_bool(c->arena, p->validation->strict_mode.value));
	}
	return !p->auth || auth_default(c, s, p->auth);
}

static bool kinds_are_tables(struct call *c, const struct settings *s)
{
	const struct json *parts = json_get(s->tree, "kinds");

	for (uint32_t i = 0; json_is(parts, JSON_OBJECT) && i < parts->len; i++) {
		const struct json_member *part = &parts->members[i];
		const char *name = shown(c, (struct text){part->key, part->key_len});
		const struct kind *k = kind_find(part->key);

		if (!k)
			warn(c, "%s: [kinds.%s]: there is no such kind", s->config, name);
		else if (part->value.type != JSON_OBJECT)
			return fail(c, FAULT_ARGUMENT, "%s: kinds.%s must be a table: write [kinds.%s]", s->config,
				    name, name);
		else if (!k->config && part->value.len)
			warn(c, "%s: the kind %s has no settings, so [kinds.%s] has no effect", s->config, name, name);
	}
	return true;
}

/* A kind reads these files at its first call. Say at the start what it will miss. */
static bool schemas_are_there(struct call *c, const struct settings *s)
{
	const struct json *parts = json_get(s->tree, "kinds");

	for (uint32_t i = 0; json_is(parts, JSON_OBJECT) && i < parts->len; i++) {
		struct text schema = json_text(json_get(&parts->members[i].value, "schema_file"));
		if (schema.at && access(text_string(c->arena, schema), R_OK))
			warn(c, "%s: the schema_file %s of %s cannot be read", s->config, shown(c, schema),
			     parts->members[i].key);
	}
	return true;
}

/* Puts the file's name before the warnings of a decoder. */
static void warnings_name_file(struct call *c, const struct settings *s, size_t from)
{
	for (size_t i = from; i < c->warnings.n; i++)
		c->warnings.items[i] = text_format(c->arena, "%s: %.*s", s->config, TEXT_ARGS(c->warnings.items[i]));
}

static bool file_fill(struct call *c, struct settings *s, struct words *names)
{
	struct text bytes;
	struct json_error bad;
	struct file_part file;
	const struct decode_options lenient = {.lenient = true, .noun = "key"};

	if (!file_slurp(c, s->config, CONFIG_MAX, &bytes))
		return false;
	s->tree = toml_parse(c->arena, bytes, &bad);
	if (!s->tree)
		return fail(c, FAULT_ARGUMENT, "%s, line %u, column %u: %s", s->config, bad.line, bad.column,
			    bad.message);
	if (!fields_decode(c, config_table, sizeof file, s->tree, &file, &lenient)) {
		c->error.message = text_format(c->arena, "%s: %s", s->config, c->error.message).at;
		return false;
	}
	warnings_name_file(c, s, 0);
	struct stat st;
	if (file.mcp_server && file.mcp_server->state_key.at && !stat(s->config, &st) &&
	    st.st_mode & (S_IRGRP | S_IROTH | S_IWGRP | S_IWOTH))
		warn(c, "%s contains state_key, a secret, and other users can read or write it: chmod 600 it",
		     s->config);
	return kinds_are_tables(c, s) && (!file.mcp_server || server_default(c, s, file.mcp_server, names)) &&
	       schemas_are_there(c, s);
}

/* "HOST:PORT", "[V6]:PORT" or "PORT" alone, which is 127.0.0.1. */
static bool address_read(struct call *c, struct settings *s)
{
	const char *colon = strrchr(s->http, ':'), *port = colon ? colon + 1 : s->http;
	char *end;
	long n = strtol(port, &end, 10);

	if (*port < '0' || *port > '9' || *end || n > 65535)
		return fail(c, FAULT_ARGUMENT, "--http %s is not HOST:PORT, like 127.0.0.1:8080",
			    shown(c, text_of(s->http)));
	s->port = (int)n;
	s->host = colon && colon > s->http ? text_string(c->arena, (struct text){s->http, (size_t)(colon - s->http)})
					   : "127.0.0.1";
	size_t len = strlen(s->host);
	if (s->host[0] == '[' && s->host[len - 1] == ']')
		s->host = text_string(c->arena, (struct text){s->host + 1, len - 2});
	else if (strchr(s->host, ':'))
		return fail(c, FAULT_ARGUMENT, "--http %s: write an IPv6 address in brackets, like [::1]:8080",
			    shown(c, text_of(s->http)));
	return true;
}

static bool kinds_choose(struct call *c, struct settings *s, const struct words *names)
{
	ARRAY(const struct kind *) chosen = {0};

	for (size_t i = 0; i < names->n; i++) {
		const struct kind *k = kind_find(names->items[i]);

		if (!k)
			return kind_missing(c, names->items[i]);
		for (size_t j = 0; j < chosen.n; j++)
			if (chosen.items[j] == k)
				return fail(c, FAULT_ARGUMENT, "the kind %s is named twice", k->name);
		*ARRAY_PUSH(c->arena, &chosen) = k;
	}
	(void)ARRAY_PUSH(c->arena, &chosen);
	s->kinds = names->n ? chosen.items : kinds;
	s->kinds_are_named = names->n > 0;
	return true;
}

static bool log_choose(struct call *c, const struct settings *s)
{
	for (int i = 0; s->log && levels[i]; i++) {
		if (!strcmp(levels[i], s->log)) {
			log_set((enum log_level)i);
			return true;
		}
	}
	return !s->log || fail(c, FAULT_ARGUMENT, "the log level must be error, warning, info or debug, not %s",
			       shown(c, text_of(s->log)));
}

bool settings_complete(struct call *c, struct settings *s, const struct words *kind_names)
{
	struct words names = *kind_names;

	s->requests_a_minute = s->writes_a_minute = -1;
	if (s->http && s->stdio)
		return fail(c, FAULT_ARGUMENT, "--http and --stdio cannot be used together");
	if (s->config && !file_fill(c, s, &names))
		return false;
	if (s->http && !address_read(c, s))
		return false;
	lend_text(c, s, NULL, "store", s->store);
	kind_options_merge(c, s);
	return kinds_choose(c, s, &names) && kind_options_fit(c, s, s->kinds) && log_choose(c, s);
}
