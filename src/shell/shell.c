#include "shell/shell.h"

#include "shell/command.h"

#include "base/utf8.h"

#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* clang-format off */
#define FILES                                                                                                  \
	OPTION("root", roots, "DIR", "Folder of the documents; may be repeated. Default: the current folder"), \
	OPTION("config", config, "FILE", "Settings in TOML (docs/config.md); the command line wins"),           \
	OPTION("state", state, "DIR", "Where the history is kept. Default: ~/.local/state/quire"),              \
	OPTION("allow-hidden", allow_hidden, NULL, "Let callers name files that begin with a dot")
#define USER OPTION("user", user, "NAME", "Name recorded in the history")
#define WORKSPACE                                                                                              \
	FILES,                                                                                                  \
	OPTION("store", store, "URL", "A PostgreSQL database for the kinds that keep their documents in one"),  \
	USER
/* clang-format on */

static const struct option serve_options[] = {
	WORKSPACE,
	OPTION("make-root", make_root, NULL, "Create the folders of --root if they are missing"),
	OPTION("http", http, "HOST:PORT", "Serve over HTTP at /mcp and /mcp/KIND instead of stdin and stdout"),
	OPTION("stdio", stdio, NULL, "Serve over stdin and stdout, even if the configuration says otherwise"),
	OPTION("read-only", read_only, NULL, "Hide all writing tools, and write nothing"),
	OPTION("read", reads, "GLOB", "Over stdio: these documents may be read; may be repeated"),
	OPTION("write", writes, "GLOB", "Over stdio: these may be read and written; may be repeated"),
	OPTION("hide", hides, "GLOB", "Over stdio: these are not there, whatever else is granted; may be repeated"),
	OPTION("structured", structured, NULL, "Send results as structuredContent too, and list their schemas"),
	OPTION("tools", tools, "core|all|NAME,...",
	       "Tools to offer. Default: all tools of one kind, the core tools of several kinds"),
	OPTION("keys", keys, "FILE", "Require a key of this file (docs/config.md); HTTP only. SIGHUP re-reads it"),
	OPTION("no-key", no_key, NULL,
	       "Require no key on this machine. Default without --keys: a fresh key at each start"),
	OPTION("no-page", no_page, NULL, "Serve no page for people at /"),
	OPTION("allow-host", allow_hosts, "HOST", "A Host header to accept besides localhost; may be repeated"),
	OPTION("allow-origin", allow_origins, "ORIGIN", "A web page's origin to accept; may be repeated"),
	OPTION("log", log, "LEVEL", "error, warning, info or debug, on stderr. Default: warning"),
	OPTIONS_OF_KINDS_END,
};
static const struct option view_options[] = {
	WORKSPACE,
	OPTION("read-only", read_only, NULL, "Change nothing"),
	OPTION("log", log, "LEVEL", "error, warning, info or debug, on stderr. Default: warning"),
	OPTIONS_OF_KINDS_END,
};
static const struct option call_options[] = {
	WORKSPACE,
	OPTION("read-only", read_only, NULL, "Write nothing"),
	OPTION("json", json, NULL, "Print the structured answer as JSON"),
	OPTION("output", output, "FILE", "File for an image. Default: stdout, unless it is a terminal"),
	OPTIONS_OF_KINDS_END,
};
static const struct option tools_options[] = {
	OPTION("json", json, NULL, "The list that quire serve sends to clients for the same kinds and options"),
	OPTION("tools", tools, "core|all|NAME,...", "With --json: which tools the server offers"),
	OPTION("read-only", read_only, NULL, "With --json: the list of a read-only server"),
	OPTION("structured", structured, NULL, "With --json: the list of a server with --structured"),
	OPTION("config", config, "FILE", "Settings in TOML (docs/config.md)"),
	OPTIONS_OF_KINDS_END,
};
static const struct option history_options[] = {
	FILES,
	OPTION("json", json, NULL, "As JSON"),
	OPTION("forget", forget, NULL, "Remove the file's history for good"),
	OPTIONS_END,
};
/* quire KIND VERB */
const struct option verb_options[] = {
	WORKSPACE,
	OPTIONS_OF_KINDS_END,
};
static const struct option diff_options[] = {
	FILES,
	OPTIONS_END,
};
static const struct option undo_options[] = {
	FILES,
	USER,
	OPTION("commit", commit, "ID", "Undo this commit, not the newest"),
	OPTION("redo", redo, NULL, "Undo the newest undo"),
	OPTION("dry-run", dry_run, NULL, "Show what would change, and write nothing"),
	OPTIONS_END,
};
static const struct option restore_options[] = {
	FILES,
	USER,
	OPTION("dry-run", dry_run, NULL, "Show what would change, and write nothing"),
	OPTIONS_END,
};
static const struct option fsck_options[] = {
	FILES,
	OPTION("repair", repair, NULL, "Repair what can be repaired"),
	OPTION("json", json, NULL, "As JSON"),
	OPTIONS_END,
};
static const struct option config_options[] = {
	OPTION("root", roots, "DIR", "The folder of the documents. Default: the current folder"),
	OPTION("http", http, "URL", "Connect to a running server instead of starting one"),
	OPTION("tools", tools, "core|all|NAME,...", "Which tools the server offers"),
	OPTION("read-only", read_only, NULL, "The server hides all writing tools"),
	OPTION("read", reads, "GLOB", "Documents that may be read; may be repeated"),
	OPTION("write", writes, "GLOB", "Documents that may be read and written; may be repeated"),
	OPTION("hide", hides, "GLOB", "Documents that are not there; may be repeated"),
	OPTION("with-key", with_key, NULL, "The server requires a key: show where to put it"),
	OPTION("json", json, NULL, "claude-code: the .mcp.json file instead of the command"),
	OPTIONS_END,
};
static const struct option doctor_options[] = {
	WORKSPACE,
	OPTION("keys", keys, "FILE", "A keys file to check"),
	OPTION("json", json, NULL, "As JSON"),
	OPTIONS_OF_KINDS_END,
};
static const struct option docs_options[] = {
	OPTION("snapshots", snapshots, NULL, "Write every tool as listed instead"),
	OPTIONS_END,
};

const struct shell_command shell_commands[] = {
	{"serve", "[KIND...] [--root DIR]... [--http HOST:PORT]", "Serve documents to an MCP client.", serve_options,
	 serve_run, NULL},
	{"view", "[FILE] [--root DIR]...", "Show documents, and every change as it happens, in a browser.",
	 view_options, view_run, NULL},
	{"call", "KIND TOOL [JSON | - | --name value ...]", "Call one tool from the shell.", call_options, call_run,
	 NULL},
	{"tools", "[KIND...]", "List the tools.", tools_options, tools_run, NULL},
	{"help", "[COMMAND | KIND | TOOL]", "Explain a command, a kind or a tool.", NULL, help_run, NULL},
	{"history", "FILE", "List the changes to a file, newest first.", history_options, history_run, NULL},
	{"diff", "FILE [FROM [TO]]", "Show what changed between two revisions.", diff_options, diff_run, NULL},
	{"show", "FILE REVISION|NUMBER", "Print a file as it was at a revision or after a commit.", diff_options,
	 show_run, NULL},
	{"restore", "FILE REVISION|NUMBER", "Restore a file as it was, even if it is broken or deleted now.",
	 restore_options, restore_run, NULL},
	{"undo", "FILE", "Undo the newest change to a file.", undo_options, undo_run, NULL},
	{"fsck", "[--root DIR] [--repair]", "Check the history, unfinished commits and temporary files.", fsck_options,
	 fsck_run, NULL},
	{"config", "CLIENT [KIND...]", "Print what to paste into a client's configuration.", config_options, config_run,
	 config_client},
	{"key", "NAME", "Make a key and the line for the keys file.", NULL, key_run, NULL},
	{"doctor", "[--root DIR]", "Check that quire has everything it needs.", doctor_options, doctor_run, NULL},
	{"version", "", "Print the version.", NULL, version_run, NULL},
	{"docs", "DIR", NULL, docs_options, docs_run, NULL},
	{"complete", "WORD...", NULL, NULL, complete_run, NULL},
	{.name = NULL},
};

const struct shell_command *shell_command_find(const char *name)
{
	for (const struct shell_command *s = shell_commands; s->name; s++)
		if (!strcmp(s->name, name))
			return s;
	return NULL;
}

static int unknown(struct call *c, const char *typed)
{
	const char *names[64];
	size_t n = 0;

	for (const struct shell_command *s = shell_commands; s->name; s++)
		if (s->prose)
			names[n++] = s->name;
	for (const struct kind *const *k = kinds; *k && n + 1 < ARRAY_COUNT(names); k++)
		names[n++] = (*k)->name;
	names[n] = NULL;
	if (!*typed) {
		fail(c, FAULT_ARGUMENT, "the command is empty; quire help lists them");
		return shell_failed(c, EXIT_USAGE);
	}
	const char *near = text_nearest(text_of(typed), names);
	if (near)
		fail(c, FAULT_ARGUMENT, "there is no command %s; did you mean %s?", shown(c, text_of(typed)), near);
	else
		fail(c, FAULT_ARGUMENT, "there is no command %s; quire help lists them", shown(c, text_of(typed)));
	return shell_failed(c, EXIT_USAGE);
}

/* The one kind that has the verb; NULL: none, or several. */
static const struct kind *verb_owner(const char *verb)
{
	const struct kind *owner = NULL;
	int n = 0;

	for (const struct kind *const *k = kinds; *k; k++)
		for (const struct command *v = (*k)->commands; v && v->name; v++)
			if (!strcmp(v->name, verb)) {
				owner = *k;
				n++;
			}
	return n == 1 ? owner : NULL;
}

static int dispatch(struct call *c, int argc, char **argv)
{
	if (argc < 2) {
		help_run(c, 1, argv);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return version_run(c, 1, argv);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return help_run(c, 1, argv);
	/* "quire import KIND FILE" is another way to say "quire KIND import FILE". */
	if (argc > 2 && (!strcmp(argv[1], "import") || !strcmp(argv[1], "export")) && kind_find(argv[2])) {
		char *verb = argv[1];

		argv[1] = argv[2];
		argv[2] = verb;
	}
	/* A verb that only one kind has works without the kind: "quire audit verify". */
	const struct shell_command *command = shell_command_find(argv[1]);
	const struct kind *only = command || kind_find(argv[1]) ? NULL : verb_owner(argv[1]);
	if (only) {
		char **words = arena_array(c->arena, (size_t)argc + 2, sizeof *words);

		words[0] = (char *)(uintptr_t)only->name;
		memcpy(words + 1, argv + 1, (size_t)(argc - 1) * sizeof *words);
		return kind_run(c, only, argc, words);
	}
	if (command)
		return command->run(c, argc - 1, argv + 1);
	const struct kind *k = kind_find(argv[1]);
	return k ? kind_run(c, k, argc - 1, argv + 1) : unknown(c, argv[1]);
}

/* If a standard stream is closed at start, the next file that is opened gets its number. Messages for stderr would then
 * be written into a document. */
static void streams_keep(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
			_exit(EXIT_USAGE);
}

int shell_run(int argc, char **argv)
{
	struct arena arena = {0};
	struct reply reply = {.log_level = -1, .progress_last = -1};
	struct call c = {.arena = &arena, .reply = &reply};

	streams_keep();
	/* A closed pipe (quire tools | head) shows as an error of write(2), not as a signal. */
	signal(SIGPIPE, SIG_IGN);
	int status = dispatch(&c, argc, argv);
	if (fflush(stdout) && errno != EPIPE && status == EXIT_DONE) {
		fprintf(stderr, "quire: cannot write the answer: %s\n", strerror(errno));
		status = EXIT_REFUSED;
	}
	arena_free(&arena);
	own_check();
	return status;
}

int shell_failed(const struct call *c, int status)
{
	fprintf(stderr, "quire: %s\n", error_sentence(c->arena, &c->error));
	return status;
}

int shell_usage(const struct call *c, const char *command)
{
	fprintf(stderr, "quire: %s (quire help %s)\n", error_sentence(c->arena, &c->error), command);
	return EXIT_USAGE;
}

void shell_warnings(struct call *c)
{
	for (size_t i = 0; i < c->warnings.n; i++)
		fprintf(stderr, "quire: warning: %.*s\n", TEXT_ARGS(c->warnings.items[i]));
	c->warnings.n = 0;
}

void shell_heading(FILE *to, const char *words)
{
	bool bold = isatty(fileno(to)) && !getenv("NO_COLOR");

	fprintf(to, "%s%s%s\n", bold ? "\033[1m" : "", words, bold ? "\033[0m" : "");
}

/* The text of a document must not move the cursor, colour the screen or reverse the line. */
static bool is_unfit_for_terminals(uint32_t u)
{
	return (u < 0x20 && u != '\n' && u != '\t') || (u >= 0x7F && u < 0xA0) || u == 0x061C || u == 0x200E ||
	       u == 0x200F || (u >= 0x202A && u <= 0x202E) || (u >= 0x2066 && u <= 0x2069);
}

bool terminal_write(FILE *to, struct text t)
{
	if (!isatty(fileno(to)))
		return fwrite(t.at, 1, t.len, to) == t.len;
	for (size_t at = 0; at < t.len;) {
		if (!utf8_len(t.at + at, t.at + t.len)) {
			fprintf(to, "\\x%02x", (unsigned char)t.at[at++]);
			continue;
		}
		size_t from = at;
		uint32_t u = utf8_next(t, &at);
		if (is_unfit_for_terminals(u))
			fprintf(to, "\\u%04x", u);
		else
			fwrite(t.at + from, 1, at - from, to);
	}
	return !ferror(to);
}

/* As git does: headings bold, hunks cyan, removed lines red, added lines green. */
static const char *colour_of(struct text line)
{
	static const struct {
		const char *begins, *colour;
	} colours[] = {{"--- ", "1"}, {"+++ ", "1"}, {"@@", "36"}, {"-", "31"}, {"+", "32"}};

	for (size_t i = 0; i < ARRAY_COUNT(colours); i++)
		if (text_starts(line, colours[i].begins))
			return colours[i].colour;
	return NULL;
}

bool shell_diff(struct text diff)
{
	bool is_coloured = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");

	if (!is_coloured)
		return shell_write(diff);
	for (size_t at = 0, end; at < diff.len; at = end + 1) {
		end = text_find(diff, TEXT("\n"), at);
		end = end == SIZE_MAX ? diff.len : end;
		struct text line = text_slice(diff, at, end);
		const char *colour = colour_of(line);
		if (colour)
			printf("\033[%sm", colour);
		terminal_write(stdout, line);
		puts(colour ? "\033[0m" : "");
	}
	return !ferror(stdout);
}

bool shell_write(struct text t) { return terminal_write(stdout, t); }
