/* config.c: quire config CLIENT: prints a client's configuration, with absolute paths.
 *
 * Clients start a server in any folder with a minimal environment, so nothing printed here depends on either. The
 * configuration is printed on stdout, the place to paste it on stderr. */
#include "shell/command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct wanted {
	struct call *c;
	const struct client *client;
	const char *program, *url; /* url NULL: start the program */
	struct words args;         /* of the program */
	bool with_key, json;
};

/* A client: its name, where to paste, and how to print. The rest is for clients whose file is JSON. */
struct client {
	const char *name, *file;
	void (*print)(const struct wanted *w);
	const char *list;         /* the member that contains the servers */
	const char *key;          /* how the file names the key */
	const char *address;      /* the member for the address; NULL: "url" */
	const char *program_type; /* the type of a program, of an address; NULL: none */
	const char *address_type;
};

/* The name by which the client reads the key, or the word that the user replaces by it. */
static const char *bearer(const struct wanted *w)
{
	return text_format(w->c->arena, "Bearer %s", w->client->key ? w->client->key : "KEY").at;
}

static const struct json *program_object(const struct wanted *w, const char *command, const struct words *args)
{
	struct arena *a = w->c->arena;
	struct json *server = json_new_object(a), *list = json_new_array(a);

	if (w->client->program_type)
		json_set_text(a, server, "type", text_of(w->client->program_type));
	json_set_text(a, server, "command", text_of(command));
	for (size_t i = 0; i < args->n; i++)
		json_push(a, list, json_new_text(a, text_of(args->items[i])));
	json_set(a, server, "args", list);
	return server;
}

static struct json *address_object(const struct wanted *w)
{
	struct arena *a = w->c->arena;
	struct json *server = json_new_object(a), *headers = json_new_object(a);

	if (w->client->address_type)
		json_set_text(a, server, "type", text_of(w->client->address_type));
	json_set_text(a, server, w->client->address ? w->client->address : "url", text_of(w->url));
	if (w->with_key) {
		json_set_text(a, headers, "Authorization", text_of(bearer(w)));
		json_set(a, server, "headers", headers);
	}
	return server;
}

static void print(const struct wanted *w, const struct json *server, const struct json *inputs)
{
	struct arena *a = w->c->arena;
	struct json *whole = json_new_object(a), *servers = json_new_object(a);
	struct buffer b = {.arena = a};

	json_set(a, servers, "quire", server);
	json_set(a, whole, w->client->list, servers);
	if (inputs)
		json_set(a, whole, "inputs", inputs);
	json_write_pretty(&b, whole);
	buffer_byte(&b, '\n');
	shell_write(buffer_text(&b));
}

static void as_json(const struct wanted *w)
{
	print(w, w->url ? address_object(w) : program_object(w, w->program, &w->args), NULL);
}

static void claude_desktop(const struct wanted *w)
{
	struct words bridge = {0};

	if (!w->url) {
		as_json(w);
		return;
	}
	/* Its file supports programs only; the program mcp-remote connects to an HTTP server. */
	words_add(w->c->arena, &bridge, "mcp-remote");
	words_add(w->c->arena, &bridge, w->url);
	if (w->with_key) {
		words_add(w->c->arena, &bridge, "--header");
		words_add(w->c->arena, &bridge, text_format(w->c->arena, "Authorization: %s", bearer(w)).at);
	}
	print(w, program_object(w, "npx", &bridge), NULL);
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
		as_json(w);
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

static void vscode(const struct wanted *w)
{
	struct arena *a = w->c->arena;
	struct json *inputs = json_new_array(a), *input = json_new_object(a);

	if (!w->url || !w->with_key) {
		as_json(w);
		return;
	}
	json_set_text(a, input, "type", TEXT("promptString"));
	json_set_text(a, input, "id", TEXT("quire-key"));
	json_set_text(a, input, "description", TEXT("quire key"));
	json_set(a, input, "password", json_new_bool(a, true));
	json_push(a, inputs, input);
	print(w, address_object(w), inputs);
}

/* One list for the program and its arguments. */
static void opencode(const struct wanted *w)
{
	struct arena *a = w->c->arena;
	struct json *server = json_new_object(a), *command = json_new_array(a);

	if (w->url) {
		as_json(w);
		return;
	}
	json_set_text(a, server, "type", TEXT("local"));
	json_push(a, command, json_new_text(a, text_of(w->program)));
	for (size_t i = 0; i < w->args.n; i++)
		json_push(a, command, json_new_text(a, text_of(w->args.items[i])));
	json_set(a, server, "command", command);
	print(w, server, NULL);
}

/* TOML's and YAML's strings in quotes are like JSON's, except for characters that no path contains. */
static void put_line(struct buffer *b, const char *before, const char *value)
{
	struct json_out o = {.to = b};

	buffer_put(b, before);
	json_put_string(&o, value);
	buffer_byte(b, '\n');
}

static void put_args(struct buffer *b, const char *before, const struct wanted *w)
{
	struct json_out o = {.to = b};

	buffer_put(b, before);
	json_open(&o, '[');
	for (size_t i = 0; i < w->args.n; i++)
		json_put_string(&o, w->args.items[i]);
	json_close(&o, ']');
	buffer_byte(b, '\n');
}

static void codex(const struct wanted *w)
{
	struct buffer b = {.arena = w->c->arena};

	buffer_put(&b, "[mcp_servers.quire]\n");
	put_line(&b, w->url ? "url = " : "command = ", w->url ? w->url : w->program);
	if (w->url && w->with_key)
		buffer_put(&b, "bearer_token_env_var = \"QUIRE_KEY\"\n");
	if (!w->url)
		put_args(&b, "args = ", w);
	shell_write(buffer_text(&b));
}

static void goose(const struct wanted *w)
{
	struct buffer b = {.arena = w->c->arena};

	buffer_format(&b, "extensions:\n  quire:\n    enabled: true\n    name: quire\n    type: %s\n    timeout: 300\n",
		      w->url ? "streamable_http" : "stdio");
	put_line(&b, w->url ? "    uri: " : "    cmd: ", w->url ? w->url : w->program);
	if (w->url && w->with_key) {
		buffer_put(&b, "    headers:\n");
		put_line(&b, "      Authorization: ", bearer(w));
	}
	if (!w->url)
		put_args(&b, "    args: ", w);
	shell_write(buffer_text(&b));
}

static void continue_dev(const struct wanted *w)
{
	struct buffer b = {.arena = w->c->arena};

	buffer_put(&b, "name: quire\nversion: 1.0.0\nschema: v1\nmcpServers:\n  - name: quire\n");
	if (w->url)
		buffer_put(&b, "    type: streamable-http\n");
	put_line(&b, w->url ? "    url: " : "    command: ", w->url ? w->url : w->program);
	if (w->url && w->with_key) {
		buffer_put(&b, "    requestOptions:\n      headers:\n");
		put_line(&b, "        Authorization: ", bearer(w));
	}
	if (!w->url)
		put_args(&b, "    args: ", w);
	shell_write(buffer_text(&b));
}

/* Clients that run on their maker's machines: no program and no address of this machine is of use to them. */
static void from_outside(const struct wanted *w)
{
	bool fits = w->url && !strncmp(w->url, "https://", 8);

	if (fits)
		printf("%s\n", w->url);
	else
		printf("It connects from the internet, over HTTPS only. What is needed:\n"
		       "1. quire over HTTP with a key: quire key NAME > keys.json; quire serve --root DIR --http "
		       "127.0.0.1:8080 --keys keys.json --allow-host HOST\n"
		       "2. An HTTPS address HOST of yours that leads to it: a reverse proxy or a tunnel.\n"
		       "3. quire config %s --http https://HOST/mcp\n",
		       w->client->name);
	fprintf(stderr,
		"quire: it cannot send a key of quire's. Let the proxy check who calls, and let it add the header "
		"\"Authorization: Bearer KEY\"\n");
}

static const struct client clients[] = {
	{.name = "claude-desktop",
	 .file = "claude_desktop_config.json (Settings, Developer, Edit Config)",
	 .print = claude_desktop,
	 .list = "mcpServers"},
	{.name = "claude-code",
	 .file = "run this in your project; --json prints its .mcp.json instead",
	 .print = claude_code,
	 .list = "mcpServers",
	 .key = "${QUIRE_KEY}",
	 .address_type = "http"},
	{.name = "claude-ai", .file = "claude.ai: Settings, Connectors, Add custom connector", .print = from_outside},
	{.name = "chatgpt",
	 .file = "ChatGPT, on the web and on the desktop: Settings, Connectors, Advanced, Developer mode, Create",
	 .print = from_outside},
	{.name = "cursor",
	 .file = ".cursor/mcp.json of the project, or ~/.cursor/mcp.json",
	 .print = as_json,
	 .list = "mcpServers",
	 .key = "${env:QUIRE_KEY}"},
	{.name = "vscode",
	 .file = ".vscode/mcp.json of the workspace",
	 .print = vscode,
	 .list = "servers",
	 .key = "${input:quire-key}",
	 .program_type = "stdio",
	 .address_type = "http"},
	{.name = "codex", .file = "~/.codex/config.toml", .print = codex},
	{.name = "gemini",
	 .file = "~/.gemini/settings.json, or .gemini/settings.json of the project",
	 .print = as_json,
	 .list = "mcpServers",
	 .key = "$QUIRE_KEY",
	 .address = "httpUrl"},
	{.name = "windsurf",
	 .file = "~/.codeium/windsurf/mcp_config.json",
	 .print = as_json,
	 .list = "mcpServers",
	 .key = "${env:QUIRE_KEY}",
	 .address = "serverUrl"},
	{.name = "zed", .file = "settings.json of Zed", .print = as_json, .list = "context_servers"},
	{.name = "cline",
	 .file = "cline_mcp_settings.json (MCP Servers, Configure)",
	 .print = as_json,
	 .list = "mcpServers",
	 .address_type = "streamableHttp"},
	{.name = "goose", .file = "~/.config/goose/config.yaml", .print = goose},
	{.name = "opencode",
	 .file = "opencode.json of the project, or ~/.config/opencode/opencode.json",
	 .print = opencode,
	 .list = "mcp",
	 .key = "{env:QUIRE_KEY}",
	 .address_type = "remote"},
	{.name = "continue",
	 .file = ".continue/mcpServers/quire.yaml of the workspace",
	 .print = continue_dev,
	 .key = "${{ secrets.QUIRE_KEY }}"},
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
	const char *package = getenv("QUIRE_NPM_PACKAGE"); /* the launcher of the npm package sets this */

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
	if (package && *package) {
		w.program = "npx";
		words_add(c->arena, &w.args, "-y");
		words_add(c->arena, &w.args, package);
	}
	/* What runs elsewhere needs no folder of this machine. */
	if (!s.http && client->print != from_outside && !arguments(c, &s, &w.args))
		return shell_failed(c, EXIT_USAGE);
	w.client = client;
	w.url = s.http;
	w.with_key = s.with_key;
	w.json = s.json;
	client->print(&w);
	fprintf(stderr, "quire: %s\n", client->file);
	return EXIT_DONE;
}
