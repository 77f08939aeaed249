/* tools.c: quire tools: lists the tools by their own names, for people; with --json the list as a server sends it. */
#include "shell/command.h"

#include "mcp/server.h"

#include <string.h>

static const char *effect_words(const struct tool *t)
{
	if (!tool_writes(t))
		return "reads";
	return t->effect & TOOL_DELETES ? "overwrites" : "writes";
}

static void list(const struct kind *k)
{
	size_t table = 0, row = 0, width = 0;

	for (const struct tool *t; (t = kind_tool_next(k, &table, &row));)
		width = strlen(t->name) > width ? strlen(t->name) : width;
	table = row = 0;
	for (const struct tool *t; (t = kind_tool_next(k, &table, &row));)
		printf("  %-*s  %-10s  %s\n", (int)width, t->name, effect_words(t), t->title);
}

static int list_served(struct call *c, const struct settings *s)
{
	const struct server_options options = {
		.kinds = s->kinds,
		.config = s->tree,
		.tools = s->tools,
		.read_only = s->read_only,
		.structured = s->structured,
		.one_place = true,
		.only_lists = true,
	};
	struct buffer b = {.arena = c->arena};
	struct server *server;

	if (!tools_exist(c, s) || !server_open(c, &options, &server))
		return shell_failed(c, EXIT_USAGE);
	server_tools(server, &b);
	buffer_byte(&b, '\n');
	server_close(server);
	shell_warnings(c);
	shell_write(buffer_text(&b));
	return EXIT_DONE;
}

int tools_run(struct call *c, int argc, char **argv)
{
	const struct shell_command *self = shell_command_find("tools");
	struct settings s = {0};

	if (!options_read(c, self->options, argc, argv, &s))
		return shell_usage(c, "tools");
	if (s.help) {
		help_command(stdout, self);
		return EXIT_DONE;
	}
	if (!s.json && (s.tools || s.read_only || s.structured)) {
		fail(c, FAULT_ARGUMENT, "%s is for --json, the list as served",
		     s.tools       ? "--tools"
		     : s.read_only ? "--read-only"
				   : "--structured");
		return shell_usage(c, "tools");
	}
	if (!settings_complete(c, &s, &s.rest))
		return shell_failed(c, EXIT_USAGE);
	if (s.json)
		return list_served(c, &s);
	shell_warnings(c);
	bool has_files = false;
	for (const struct kind *const *k = s.kinds; *k; k++) {
		shell_heading(stdout, text_format(c->arena, "%s: %s", (*k)->name, (*k)->title).at);
		list(*k);
		has_files |= !(*k)->no_files;
	}
	if (!has_files)
		return EXIT_DONE;
	shell_heading(stdout, "with every kind that has files");
	for (const struct tool *t = file_tools; t->name; t++)
		printf("  %-12s  %-10s  %s\n", t->name, effect_words(t), t->title);
	return EXIT_DONE;
}
