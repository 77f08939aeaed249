/* config.c: quire config CLIENT: prints a client's configuration, with absolute paths.
 *
 * Clients start a server in any folder with a minimal environment, so nothing printed here depends on either. The
 * configuration is printed on stdout, the place to paste it on stderr. */
#include "shell/command.h"

#include <string.h>
#include <sys/stat.h>

struct wanted {
	struct call *c;
	const char *program, *url; /* url NULL: start the program */
	struct words args;         /* of the program */
	bool with_key, json;
};

struct client {
	const char *name, *file;
	void (*print)(const struct wanted *w);
};

static const struct json *program_object(const struct wanted *w, const char *command, const struct words *args)
{
	struct arena *a = w->c->arena;
	struct json *server = json_new_object(a), *list = json_new_array(a);

	json_set_text(a, server, "command", text_of(command));
	for (size_t i = 0; i < args->n; i++)
		json_push(a, list, json_new_text(a, text_of(args->items[i])));
	json_set(a, server, "args", list);
	return server;
}

static void typed(const struct wanted *w, struct json *server, const char *type)
{
	json_set_text(w->c->arena, server, "type", text_of(type));
}

static struct json *url_object(const struct wanted *w, const char *type, const char *key)
{
	struct arena *a = w->c->arena;
	struct json *server = json_new_object(a), *headers = json_new_object(a);

	if (type)
		typed(w, server, type);
	json_set_text(a, server, "url", text_of(w->url));
	if (w->with_key) {
		json_set_text(a, headers, "Authorization", text_format(a, "Bearer %s", key));
		json_set(a, server, "headers", headers);
	}
	return server;
}

static void print(const struct wanted *w, const char *list, const struct json *server, const struct json *inputs)
{
	struct arena *a = w->c->arena;
	struct json *whole = json_new_object(a), *servers = json_new_object(a);
	struct buffer b = {.arena = a};

	json_set(a, servers, "quire", server);
	json_set(a, whole, list, servers);
	if (inputs)
		json_set(a, whole, "inputs", inputs);
	json_write_pretty(&b, whole);
	buffer_byte(&b, '\n');
	shell_write(buffer_text(&b));
}

static void claude_desktop(const struct wanted *w)
{
	struct words bridge = {0};

	if (!w->url) {
		print(w, "mcpServers", program_object(w, w->program, &w->args), NULL);
		return;
	}
	/* Its file supports programs only; the program mcp-remote connects to an HTTP server. */
	words_add(w->c->arena, &bridge, "mcp-remote");
	words_add(w->c->arena, &bridge, w->url);
	if (w->with_key) {
		words_add(w->c->arena, &bridge, "--header");
		words_add(w->c->arena, &bridge, "Authorization: Bearer KEY");
	}
	print(w, "mcpServers", program_object(w, "npx", &bridge), NULL);
}

/* A word for a POSIX shell. */
static void print_word(const struct wanted *w, const char *word)
{
	if (*word &&
	    strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,") == strlen(word)) {
		printf(" %s", word);
		return;
	}
	printf(" %s", text_shell(w->c->arena, text_of(word)).at);
}

static void claude_code(const struct wanted *w)
{
	if (w->json) {
		print(w, "mcpServers",
		      w->url ? url_object(w, "http", "${QUIRE_KEY}") : program_object(w, w->program, &w->args), NULL);
		return;
	}
	if (w->url) {
		printf("claude mcp add --transport http quire");
		print_word(w, w->url);
		printf("%s\n", w->with_key ? " --header \"Authorization: Bearer $QUIRE_KEY\"" : "");
		return;
	}
	printf("claude mcp add --scope project quire --");
	print_word(w, w->program);
	for (size_t i = 0; i < w->args.n; i++)
		print_word(w, w->args.items[i]);
	putchar('\n');
}

static void cursor(const struct wanted *w)
{
	print(w, "mcpServers",
	      w->url ? url_object(w, NULL, "${env:QUIRE_KEY}") : program_object(w, w->program, &w->args), NULL);
}

static void vscode(const struct wanted *w)
{
	struct arena *a = w->c->arena;
	struct json *inputs = NULL, *server;

	if (w->url && w->with_key) {
		struct json *input = json_new_object(a);

		json_set_text(a, input, "type", TEXT("promptString"));
		json_set_text(a, input, "id", TEXT("quire-key"));
		json_set_text(a, input, "description", TEXT("quire key"));
		json_set(a, input, "password", json_new_bool(a, true));
		inputs = json_new_array(a);
		json_push(a, inputs, input);
	}
	if (w->url) {
		server = url_object(w, "http", "${input:quire-key}");
	} else {
		const struct json *program = program_object(w, w->program, &w->args);

		server = json_new_object(a);
		typed(w, server, "stdio");
		json_set(a, server, "command", json_get(program, "command"));
		json_set(a, server, "args", json_get(program, "args"));
	}
	print(w, "servers", server, inputs);
}

/* The same object, with the address under another key. */
static const struct json *renamed(const struct wanted *w, const char *name, const struct json *server)
{
	struct json *other = json_new_object(w->c->arena);

	for (uint32_t i = 0; i < server->len; i++)
		json_set(w->c->arena, other, strcmp(server->members[i].key, "url") ? server->members[i].key : name,
			 &server->members[i].value);
	return other;
}

static void gemini(const struct wanted *w)
{
	print(w, "mcpServers",
	      w->url ? renamed(w, "httpUrl", url_object(w, NULL, "$QUIRE_KEY"))
		     : program_object(w, w->program, &w->args),
	      NULL);
}

static void windsurf(const struct wanted *w)
{
	print(w, "mcpServers",
	      w->url ? renamed(w, "serverUrl", url_object(w, NULL, "${env:QUIRE_KEY}"))
		     : program_object(w, w->program, &w->args),
	      NULL);
}

static void zed(const struct wanted *w)
{
	print(w, "context_servers", w->url ? url_object(w, NULL, "KEY") : program_object(w, w->program, &w->args),
	      NULL);
}

static void cline(const struct wanted *w)
{
	print(w, "mcpServers",
	      w->url ? url_object(w, "streamableHttp", "KEY") : program_object(w, w->program, &w->args), NULL);
}

/* TOML's strings are like JSON's, except for characters that no path contains. */
static void codex(const struct wanted *w)
{
	struct buffer b = {.arena = w->c->arena};
	struct json_out o = {.to = &b};

	buffer_put(&b, "[mcp_servers.quire]\n");
	buffer_put(&b, w->url ? "url = " : "command = ");
	json_put_string(&o, w->url ? w->url : w->program);
	buffer_byte(&b, '\n');
	if (w->url && w->with_key)
		buffer_put(&b, "bearer_token_env_var = \"QUIRE_KEY\"\n");
	if (!w->url) {
		buffer_put(&b, "args = ");
		o.comma = false;
		json_open(&o, '[');
		for (size_t i = 0; i < w->args.n; i++)
			json_put_string(&o, w->args.items[i]);
		json_close(&o, ']');
		buffer_byte(&b, '\n');
	}
	shell_write(buffer_text(&b));
}

static const struct client clients[] = {
	{"claude-desktop", "claude_desktop_config.json (Settings, Developer, Edit Config)", claude_desktop},
	{"claude-code", "run this in your project; --json prints its .mcp.json instead", claude_code},
	{"cursor", ".cursor/mcp.json of the project, or ~/.cursor/mcp.json", cursor},
	{"vscode", ".vscode/mcp.json of the workspace", vscode},
	{"codex", "~/.codex/config.toml", codex},
	{"gemini", "~/.gemini/settings.json, or .gemini/settings.json of the project", gemini},
	{"windsurf", "~/.codeium/windsurf/mcp_config.json", windsurf},
	{"zed", "settings.json of Zed", zed},
	{"cline", "cline_mcp_settings.json (MCP Servers, Configure)", cline},
};

const char *config_client(size_t i) { return i < ARRAY_COUNT(clients) ? clients[i].name : NULL; }

static const char *client_names(struct call *c)
{
	struct buffer b = {.arena = c->arena};

	for (size_t i = 0; i < ARRAY_COUNT(clients); i++)
		buffer_format(&b, "%s%s", i == 0 ? "" : i + 1 < ARRAY_COUNT(clients) ? ", " : " or ", clients[i].name);
	return buffer_text(&b).at;
}

static const struct client *client_find(struct call *c, const char *name)
{
	const char *names[ARRAY_COUNT(clients) + 1] = {NULL};

	for (size_t i = 0; i < ARRAY_COUNT(clients); i++) {
		if (!strcmp(clients[i].name, name))
			return &clients[i];
		names[i] = clients[i].name;
	}
	const char *near = text_nearest(text_of(name), names);
	if (near)
		fail(c, FAULT_ARGUMENT, "unknown client %s; did you mean %s?", shown(c, text_of(name)), near);
	else
		fail(c, FAULT_ARGUMENT, "unknown client %s; use %s", shown(c, text_of(name)), client_names(c));
	return NULL;
}

static void globs_add(struct arena *a, struct words *args, const char *option, const struct words *globs)
{
	for (size_t i = 0; i < globs->n; i++) {
		words_add(a, args, option);
		words_add(a, args, globs->items[i]);
	}
}

static bool arguments(struct call *c, struct settings *s, struct words *args)
{
	words_add(c->arena, args, "serve");
	for (size_t i = 1; i < s->rest.n; i++) {
		if (!kind_find(s->rest.items[i]))
			return kind_missing(c, s->rest.items[i]);
		for (size_t j = 1; j < i; j++)
			if (!strcmp(s->rest.items[i], s->rest.items[j]))
				return fail(c, FAULT_ARGUMENT, "the kind %s is named twice", s->rest.items[i]);
		words_add(c->arena, args, s->rest.items[i]);
	}
	if (!default_root(c, s))
		return false;
	for (size_t i = 0; i < s->roots.n; i++) {
		struct stat st;

		if (stat(s->roots.items[i], &st) || !S_ISDIR(st.st_mode))
			return fail(c, FAULT_PATH, "--root %s is not a folder: quire would not start there",
				    shown(c, text_of(s->roots.items[i])));
		words_add(c->arena, args, "--root");
		words_add(c->arena, args, absolute_path(c->arena, s->roots.items[i]));
	}
	if (s->tools) {
		words_add(c->arena, args, "--tools");
		words_add(c->arena, args, s->tools);
	}
	if (s->read_only)
		words_add(c->arena, args, "--read-only");
	globs_add(c->arena, args, "--read", &s->reads);
	globs_add(c->arena, args, "--write", &s->writes);
	globs_add(c->arena, args, "--hide", &s->hides);
	return true;
}

/* A server that already runs has its own kinds, roots and keys. */
static bool fits(struct call *c, const struct settings *s)
{
	if (!s->http)
		return !s->with_key || fail(c, FAULT_ARGUMENT, "--with-key is for a running server: add --http URL");
	if (strncmp(s->http, "http://", 7) != 0 && strncmp(s->http, "https://", 8) != 0)
		return fail(c, FAULT_ARGUMENT,
			    "--http takes the server's address here, like http://127.0.0.1:8080/mcp");
	if (s->tools || s->read_only || s->reads.n || s->writes.n || s->hides.n)
		return fail(
			c, FAULT_ARGUMENT,
			"--tools, --read-only, --read, --write and --hide belong to the command that starts the server, not to --http");
	if (s->roots.n)
		return fail(c, FAULT_ARGUMENT,
			    "--root and --http cannot be used together: the running server has its own roots");
	return s->rest.n < 2 || fail(c, FAULT_ARGUMENT, "with --http the address names the kind: .../mcp/%s",
				     shown(c, text_of(s->rest.items[1])));
}

int config_run(struct call *c, int argc, char **argv)
{
	const struct shell_command *self = shell_command_find("config");
	struct settings s = {0};
	struct wanted w = {.c = c, .program = program_path(c->arena)};

	if (!options_read(c, self->options, argc, argv, &s))
		return shell_usage(c, "config");
	if (s.help) {
		help_command(stdout, self);
		return EXIT_DONE;
	}
	if (!s.rest.n) {
		fail(c, FAULT_MISSING, "quire config needs a client: %s", client_names(c));
		return shell_usage(c, "config");
	}
	const struct client *client = client_find(c, s.rest.items[0]);
	if (!client)
		return shell_usage(c, "config");
	if (!fits(c, &s))
		return shell_usage(c, "config");
	if (!s.http && !arguments(c, &s, &w.args))
		return shell_failed(c, EXIT_USAGE);
	w.url = s.http;
	w.with_key = s.with_key;
	w.json = s.json;
	client->print(&w);
	fprintf(stderr, "quire: %s\n", client->file);
	return EXIT_DONE;
}
