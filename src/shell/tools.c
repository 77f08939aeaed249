#include "shell/command.h"

#include <string.h>
#include <unistd.h>

static const char *effect_words(const struct tool *t)
{
	if (!tool_writes(t))
		return "reads";
	return t->effect & TOOL_DELETES ? "deletes" : "writes";
}

static void list(const struct kind *k)
{
	size_t table = 0, row = 0, width = 0;

	for (const struct tool *t; (t = kind_tool_next(k, &table, &row));)
		width = strlen(t->name) > width ? strlen(t->name) : width;
	table = row = 0;
	for (const struct tool *t; (t = kind_tool_next(k, &table, &row));)
		printf("  %-*s  %-7s  %s\n", (int)width, t->name, effect_words(t), t->title);
}

static void list_json(struct json_out *o, const struct kind *k)
{
	size_t table = 0, row = 0;

	for (const struct tool *t; (t = kind_tool_next(k, &table, &row));)
		tool_describe(o, t, t->name, "2025-11-25");
}

int tools_run(struct call *c, int argc, char **argv)
{
	const struct shell_command *self = shell_command_find("tools");
	struct settings s = {0};
	struct buffer b = {.arena = c->arena};
	struct json_out o = {.to = &b};

	if (!options_read(c, self->options, argc, argv, &s))
		return shell_usage(c, "tools");
	if (s.help) {
		help_command(stdout, self);
		return EXIT_DONE;
	}
	if (s.rest.n > 1) {
		fail(c, FAULT_ARGUMENT, "quire tools takes one kind, or none for all");
		return shell_usage(c, "tools");
	}
	const struct kind *only = s.rest.n ? kind_find(s.rest.items[0]) : NULL;
	if (s.rest.n && !only) {
		kind_missing(c, s.rest.items[0]);
		return shell_failed(c, EXIT_USAGE);
	}
	if (s.json) {
		json_open(&o, only ? '[' : '{');
		for (const struct kind *const *k = kinds; *k; k++) {
			if (only && *k != only)
				continue;
			if (!only) {
				json_key(&o, (*k)->name);
				json_open(&o, '[');
			}
			list_json(&o, *k);
			if (!only)
				json_close(&o, ']');
		}
		json_close(&o, only ? ']' : '}');
		buffer_byte(&b, '\n');
		shell_write(buffer_text(&b));
		return EXIT_DONE;
	}
	for (const struct kind *const *k = kinds; *k; k++) {
		if (only && *k != only)
			continue;
		shell_heading(stdout, text_format(c->arena, "%s: %s", (*k)->name, (*k)->title).at);
		list(*k);
	}
	shell_heading(stdout, "beside every kind");
	for (const struct tool *t = file_tools; t->name; t++)
		printf("  %-12s  %-7s  %s\n", t->name, effect_words(t), t->title);
	return EXIT_DONE;
}
