/* serve.c: quire serve, and quire view, which serves the page to the person at this machine.
 *
 * All mistakes in options, configuration, keys and roots are reported before the first byte is read. Nothing else
 * happens before that: no scan, no database, no library. */
#include "shell/command.h"

#include "base/uri.h"
#include "mcp/server.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Called before any thread is started, so that only the transport, which waits for these signals, gets them. */
static void block_signals(bool with_hangup)
{
	sigset_t waited_for;

	sigemptyset(&waited_for);
	sigaddset(&waited_for, SIGTERM);
	sigaddset(&waited_for, SIGINT);
	if (with_hangup)
		sigaddset(&waited_for, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &waited_for, NULL);
}

static void print_address(void *to, const char *host, int port, const char *once)
{
	const struct settings *s = to;

	fprintf(stderr, "quire: serving");
	for (const struct kind *const *k = s->kinds; *k; k++)
		fprintf(stderr, "%s %s", k == s->kinds ? "" : ",", (*k)->name);
	fprintf(stderr, strchr(host, ':') ? " at http://[%s]:%d/mcp\n" : " at http://%s:%d/mcp\n", host, port);
	if (once)
		fprintf(stderr,
			strchr(host, ':') ? "quire: the page, opened once: http://[%s]:%d/#once=%s\n"
					  : "quire: the page, opened once: http://%s:%d/#once=%s\n",
			host, port, once);
	if (!s->fresh_key)
		return;
	fprintf(stderr, "quire: the key of this run, stored nowhere: %s\n", s->fresh_key);
	fprintf(stderr,
		strchr(host, ':')
			? "{\"mcpServers\": {\"quire\": {\"type\": \"http\", \"url\": \"http://[%s]:%d/mcp\", "
			: "{\"mcpServers\": {\"quire\": {\"type\": \"http\", \"url\": \"http://%s:%d/mcp\", ",
		host, port);
	fprintf(stderr, "\"headers\": {\"Authorization\": \"Bearer %s\"}}}}\n", s->fresh_key);
	fprintf(stderr,
		"quire: for a lasting key: quire key NAME > keys.json, and --keys keys.json; --no-key asks for none\n");
}

static bool has_tool(const struct settings *s, struct text name)
{
	for (const struct kind *const *k = s->kinds; *k; k++)
		if (tool_named(*k, name))
			return true;
	return false;
}

/* A misspelt name would silently offer fewer tools than the user wants. */
bool tools_exist(struct call *c, const struct settings *s)
{
	struct text names = text_of(s->tools);

	if (!s->tools || !strcmp(s->tools, "core") || !strcmp(s->tools, "all"))
		return true;
	for (size_t at = 0, end; at <= names.len; at = end + 1) {
		end = text_find(names, TEXT(","), at);
		end = end == SIZE_MAX ? names.len : end;
		struct text name = text_trim(text_slice(names, at, end));
		if (text_is(name, "core") || text_is(name, "all"))
			return fail(c, FAULT_ARGUMENT, "--tools takes core, all, or tool names with commas");
		if (!has_tool(s, name))
			return fail(c, FAULT_ARGUMENT,
				    "--tools: no kind served here has a tool %s; quire tools lists them",
				    shown(c, name));
	}
	return true;
}

/* The same check for hosts and origins: each must be a value that the guard accepts if it is allowed. */
static bool names_are_hosts(struct call *c, const struct settings *s)
{
	for (size_t i = 0; i < s->allow_hosts.n; i++) {
		const char *const one[] = {s->allow_hosts.items[i], NULL};

		if (!guard_host(text_of(one[0]), one))
			return fail(c, FAULT_ARGUMENT,
				    "--allow-host %s is not the name of a host, like docs.example.org",
				    shown(c, text_of(one[0])));
	}
	for (size_t i = 0; i < s->allow_origins.n; i++) {
		const char *const one[] = {s->allow_origins.items[i], NULL};
		struct text origin =
			strstr(one[0], "://") ? text_of(one[0]) : text_format(c->arena, "https://%s", one[0]);

		if (!guard_origin(origin, (struct text){0}, one))
			return fail(c, FAULT_ARGUMENT,
				    "--allow-origin %s is not an origin, like https://app.example.org",
				    shown(c, text_of(one[0])));
	}
	return true;
}

static bool takes_store(const struct settings *s)
{
	for (const struct kind *const *k = s->kinds; *k; k++)
		if ((*k)->config && fields_find((*k)->config, TEXT("store")))
			return true;
	return false;
}

static bool allowed(struct call *c, const struct settings *s)
{
	if (s->store && !takes_store(s))
		return fail(c, FAULT_ARGUMENT, "--store: no kind served here keeps its documents in a database");
	if (s->store && strncmp(s->store, "postgresql://", 13) != 0 && strncmp(s->store, "postgres://", 11) != 0)
		return fail(c, FAULT_ARGUMENT,
			    "--store takes the address of a PostgreSQL database, like postgresql://user@host/name");
	if (s->keys && !s->host && !s->keys_are_filed)
		return fail(c, FAULT_ARGUMENT, "--keys is for --http; stdin and stdout need no key");
	if (s->no_key && s->keys && !s->keys_are_filed)
		return fail(c, FAULT_ARGUMENT, "--no-key and --keys cannot be used together");
	if (s->host && !guard_is_loopback(s->host) && !s->keys)
		return fail(c, FAULT_DENIED,
			    "other machines can reach %s: serve 127.0.0.1, or require keys with --keys FILE", s->host);
	if (s->host && (s->reads.n || s->writes.n || s->hides.n))
		return fail(
			c, FAULT_ARGUMENT,
			"--read, --write and --hide are for stdio; over HTTP the grants of a key say it (--keys FILE)");
	if (!*s->kinds)
		return fail(c, FAULT_ARGUMENT, "there is no kind to serve");
	return tools_exist(c, s) && names_are_hosts(c, s);
}

/* What the user should know about where the documents and the history are. */
static void advise(struct call *c, const struct settings *s, struct work *work)
{
	const char *fleeting = s->read_only ? NULL : state_fleeting(c->arena, s);
	const char *plain = work_not_exchanging(c, work);

	if (fleeting)
		warn(c,
		     "the state folder %s is %s and the documents are not: a restart loses the history; give --state DIR",
		     state_folder(c->arena, s), fleeting);
	if (plain)
		warn(c,
		     "%s is on a file system that cannot exchange names: a file that another program saves during a write "
		     "may be overwritten",
		     plain);
}

static int serve(struct settings *s, struct server *server)
{
	const struct http_options http = {
		.host = s->host,
		.port = s->port,
		.allowed_hosts = s->allow_hosts.items,
		.allowed_origins = s->allow_origins.items,
		.body_max = s->body_max,
		.connections_max = s->connections_max,
		.address_max = s->address_max,
		.address_keyed_max = s->address_keyed_max,
		.failures_max = s->failures_max,
		.silence = s->unread_seconds,
		.no_chunks = s->no_chunks,
		.no_page = s->no_page,
		.ready = s->ready,
		.to = s,
	};

	if (s->host)
		return http_serve(server, &http);
	if (isatty(STDIN_FILENO))
		fprintf(stderr,
			"quire: waiting for an MCP client on stdin; quire config CLIENT prints its configuration, "
			"--http 127.0.0.1:8080 serves over HTTP\n");
	return stdio_serve(server);
}

static bool server_start(struct call *c, const struct settings *s, struct work *work, struct guard *guard,
			 struct server **out)
{
	const struct server_options options = {
		.kinds = s->kinds,
		.config = s->tree,
		.work = work,
		.guard = guard,
		.tools = s->tools,
		.read_only = s->read_only,
		.looks = !s->kinds_are_named,
		.structured = s->structured,
		.one_place = !s->host,
		.state_key = text_of(s->state_key),
		.call_ms = s->call_ms,
		.call_memory = s->call_memory,
		.sessions_max = s->sessions_max,
		.watches_max = s->watches_max,
		.user = s->user,
	};

	return server_open(c, &options, out);
}

/* Opens the workspace and the guard, and serves until the transport ends. Returns the exit status. */
static int serve_all(struct call *c, struct settings *s)
{
	struct work *work = NULL;
	struct guard *guard = NULL;
	struct server *server = NULL;

	if (s->host && !s->keys && !s->no_key)
		s->fresh_key = secret_new(c->arena);
	const struct guard_options limits = {
		.fresh_key = s->fresh_key,
		.keys_file = s->host ? s->keys : NULL, /* a pipe needs no key, even if the configuration requires one */
		.requests_a_minute = s->requests_a_minute,
		.writes_a_minute = s->writes_a_minute,
		.local = !s->host,
		.reads = s->reads.items,
		.writes = s->writes.items,
		.hides = s->hides.items,
		.access_log = s->access_log,
		.store = s->store,
	};
	int status = EXIT_USAGE;
	if (!workspace_open(c, s, &work) || !guard_open(c, &limits, &guard)) {
		shell_failed(c, EXIT_USAGE);
	} else {
		advise(c, s, work);
		block_signals(s->host != NULL);
		shell_confine(c, s, work);
		if (server_start(c, s, work, guard, &server)) {
			shell_warnings(c);
			status = serve(s, server);
			server_close(server);
		} else {
			shell_failed(c, EXIT_USAGE);
		}
	}
	guard_close(guard);
	if (work)
		work_close(work);
	return status;
}

int serve_run(struct call *c, int argc, char **argv)
{
	const struct shell_command *self = shell_command_find("serve");
	struct settings s = {.ready = print_address};

	if (!options_read(c, self->options, argc, argv, &s))
		return shell_usage(c, "serve");
	if (s.help) {
		help_command(stdout, self);
		return EXIT_DONE;
	}
	if (!settings_complete(c, &s, &s.rest) || !allowed(c, &s) || !default_root(c, &s) ||
	    (s.make_root && !roots_make(c, &s)))
		return shell_failed(c, EXIT_USAGE);
	return serve_all(c, &s);
}

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

static bool has_program(const char *name)
{
	struct text path = text_of(getenv("PATH") ? getenv("PATH") : "");
	struct arena arena = {0};
	bool has = false;

	for (size_t at = 0; at < path.len && !has;) {
		size_t end = text_find(path, TEXT(":"), at);
		end = end == SIZE_MAX ? path.len : end;
		has = access(text_format(&arena, "%.*s/%s", TEXT_ARGS(text_slice(path, at, end)), name).at, X_OK) == 0;
		at = end + 1;
	}
	arena_free(&arena);
	return has;
}

/* A confined process starts no program, and the link is known only later. So the process that becomes the browser's
 * starter begins first, and waits for the link. */
static void prepare_browser(struct settings *s)
{
	enum { LINK_MAX = 8192 };
	int ends[2];

	if (!(is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")) || !has_program("xdg-open") || pipe2(ends, O_CLOEXEC))
		return;
	pid_t starter = fork();
	if (starter == 0) {
		char link[LINK_MAX];
		close(ends[1]);
		ssize_t n = read(ends[0], link, sizeof link - 1);
		if (n > 0) {
			link[n] = '\0';
			execlp("xdg-open", "xdg-open", link, (char *)NULL);
		}
		_exit(0);
	}
	close(ends[0]);
	if (starter < 0)
		close(ends[1]);
	else
		s->browser = ends[1];
}

/* Opens the page in a browser where there is a desktop; prints its link where there is none. The link can be used once.
 */
static void show(void *to, const char *host, int port, const char *once)
{
	const struct settings *s = to;
	struct arena arena = {0};
	struct text place = s->shown.at ? uri_of(&arena, "d/", s->shown) : TEXT("");
	struct text link =
		text_format(&arena, "http://%s:%d/%.*s#once=%s", host, port, TEXT_ARGS(place), once ? once : "");

	if (!once)
		fprintf(stderr, "quire: this program was built without the page; install npm and run make again\n");
	else if (s->browser && write(s->browser, link.at, link.len) == (ssize_t)link.len)
		fprintf(stderr, "quire: the page is open in your browser until you press Ctrl-C\n");
	else
		fprintf(stderr, "quire: open this in a browser; it can be used once, and until you press Ctrl-C:\n%s\n",
			link.at);
	if (s->browser)
		close(s->browser);
	arena_free(&arena);
}

int view_run(struct call *c, int argc, char **argv)
{
	const struct shell_command *self = shell_command_find("view");
	struct settings s = {.ready = show};
	const struct words no_kinds = {0};

	if (!options_read(c, self->options, argc, argv, &s))
		return shell_usage(c, "view");
	if (s.help) {
		help_command(stdout, self);
		return EXIT_DONE;
	}
	if (s.rest.n > 1) {
		fail(c, FAULT_ARGUMENT, "quire view takes one file");
		return shell_usage(c, "view");
	}
	s.http = "127.0.0.1:0";
	s.no_key = false;
	if (s.rest.n)
		s.shown = text_of(s.rest.items[0]);
	if (!settings_complete(c, &s, &no_kinds) ||
	    (s.rest.n && !s.roots.n && !root_above(c, &s, s.rest.items[0], &s.shown)) || !default_root(c, &s))
		return shell_failed(c, EXIT_USAGE);
	s.keys = NULL;
	prepare_browser(&s);
	return serve_all(c, &s);
}
