#include "shell/command.h"

#include "tool/doc.h"

#include <string.h>

/* Prints prose in lines of a terminal's width. */
static void wrapped(FILE *to, const char *words, size_t indent)
{
	struct buffer b = {0};

	doc_wrap(&b, words, indent);
	fwrite(b.at, 1, b.len, to);
	buffer_free(&b);
}

static bool has_option(const struct option *o, const char *name)
{
	while (o->name && strcmp(o->name, name) != 0)
		o++;
	return o->name;
}

static void help_kind_options(FILE *to, const struct option *own)
{
	char name[64];

	for (const struct kind *const *k = kinds; *k; k++)
		for (const struct field *f = (*k)->config; f && f->name; f++) {
			if (!kind_option(text_of(f->name)))
				continue;
			kind_option_name(f, name, sizeof name);
			if (has_option(own, name))
				continue;
			fprintf(to, "  --%s%s   (%s)\n", name, f->type == FIELD_FLAG ? "" : " VALUE", (*k)->name);
			wrapped(to, f->prose, 6);
		}
}

void help_command(FILE *to, const struct shell_command *command)
{
	fprintf(to, "quire %s %s%s\n", command->name, command->usage, command->options ? " [OPTION...]" : "");
	if (command->prose)
		fprintf(to, "%s\n", command->prose);
	if (command->words) {
		struct buffer b = {0};

		buffer_format(&b, "%.*s:", (int)strcspn(command->usage, " "), command->usage);
		for (size_t i = 0; command->words(i); i++)
			buffer_format(&b, " %s", command->words(i));
		wrapped(to, buffer_text(&b).at, 2);
		buffer_free(&b);
	}
	if (command->options)
		fputc('\n', to);
	const struct option *o = command->options;
	for (; o && o->name; o++) {
		fprintf(to, "  --%s%s%s\n", o->name, o->takes ? " " : "", o->takes ? o->takes : "");
		wrapped(to, o->prose, 6);
	}
	if (o && o->type == OPTION_OF_KINDS)
		help_kind_options(to, command->options);
}

void help_kind(FILE *to, const struct kind *k)
{
	size_t table = 0, row = 0;

	fprintf(to, "%s: %s\n", k->name, k->title);
	wrapped(to, k->prose, 0);
	if (k->commands && k->commands->name) {
		fprintf(to, "\nVerbs:\n");
		for (const struct command *v = k->commands; v->name; v++)
			fprintf(to, "  quire %s %s %s\n      %s\n", k->name, v->name, v->usage ? v->usage : "",
				v->prose);
	}
	fprintf(to, "\nTools (quire help TOOL explains one, quire call %s TOOL runs it):\n", k->name);
	for (const struct tool *t; (t = kind_tool_next(k, &table, &row));)
		fprintf(to, "  %-28s %s\n", t->name, t->title);
}

static int overview(void)
{
	printf("quire serves documents to AI agents over MCP, and runs the same tools from the shell.\n\n");
	for (const struct shell_command *s = shell_commands; s->name; s++)
		if (s->prose)
			printf("  quire %-10s %s\n", s->name, s->prose);
	for (const struct kind *const *k = kinds; *k; k++)
		printf("  quire %-10s %s\n", (*k)->name, (*k)->title);
	printf("\nquire help NAME explains a command, a kind or a tool.\n");
	return EXIT_DONE;
}

/* Prints every tool with that name, of any kind. */
static bool help_tools(struct call *c, const char *name)
{
	bool found = false;

	for (const struct kind *const *k = kinds; *k; k++) {
		const struct tool *t = tool_named(*k, text_of(name));
		struct buffer b = {.arena = c->arena};
		bool is_core = false;

		for (const struct tool *f = file_tools; f->name; f++)
			is_core |= f == t;
		if (!t || (is_core && found))
			continue;
		if (found)
			putchar('\n');
		tool_help(&b, t);
		shell_write(buffer_text(&b));
		if (t->example)
			printf("\nquire call %s %s '%s'\n", (*k)->name, t->name, t->example);
		found = true;
	}
	return found;
}

static void help_verb(const struct kind *k, const struct command *v)
{
	printf("quire %s %s %s\n      %s\n", k->name, v->name, v->usage ? v->usage : "", v->prose);
}

/* quire help KIND TOOL, or VERB */
static int help_part(struct call *c, const struct kind *k, const char *name)
{
	const struct tool *t = tool_named(k, text_of(name));
	const struct command *v = k->commands;
	struct buffer b = {.arena = c->arena};

	while (v && v->name && strcmp(v->name, name) != 0)
		v++;
	if (v && v->name)
		help_verb(k, v);
	if (t)
		tool_help(&b, t);
	shell_write(buffer_text(&b));
	if (t || (v && v->name))
		return EXIT_DONE;
	fail(c, FAULT_NOT_FOUND, "%s has no tool or verb %s; quire help %s lists them", k->name,
	     shown(c, text_of(name)), k->name);
	return shell_failed(c, EXIT_USAGE);
}

int help_run(struct call *c, int argc, char **argv)
{
	if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return overview();
	const struct shell_command *command = shell_command_find(argv[1]);
	const struct kind *k = kind_find(argv[1]);
	if (argc > (k ? 3 : 2)) {
		fail(c, FAULT_ARGUMENT, "quire help takes one name: %s is one too many",
		     shown(c, text_of(argv[k ? 3 : 2])));
		return shell_usage(c, "help");
	}
	if (k && argc > 2)
		return help_part(c, k, argv[2]);
	if (command)
		help_command(stdout, command);
	if (k)
		help_kind(stdout, k);
	if (command || k || help_tools(c, argv[1]))
		return EXIT_DONE;
	fail(c, FAULT_NOT_FOUND, "there is no command, kind or tool %s; quire help and quire tools list them",
	     shown(c, text_of(argv[1])));
	return shell_failed(c, EXIT_USAGE);
}
