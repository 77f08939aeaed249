/* complete.c: quire complete WORD...: what may stand in place of the last word, one a line, for the shell's completion.
 *
 * The words are those behind `quire`, the last one perhaps begun. All of it comes from the tables. */
#include "shell/command.h"

#include <string.h>

static void offer(const char *typed, const char *word)
{
	if (!strncmp(word, typed, strlen(typed)))
		puts(word);
}

static void offer_options(const char *typed, const struct option *options)
{
	char word[80];

	const struct option *o = options;
	for (; o && o->name; o++) {
		snprintf(word, sizeof word, "--%s", o->name);
		offer(typed, word);
	}
	for (const struct kind *const *k = kinds; o && o->type == OPTION_OF_KINDS && *k; k++)
		for (const struct field *f = (*k)->config; f && f->name; f++)
			if (kind_option(text_of(f->name))) {
				memcpy(word, "--", 2);
				kind_option_name(f, word + 2, sizeof word - 2);
				offer(typed, word);
			}
}

static void offer_kinds(const char *typed)
{
	for (const struct kind *const *k = kinds; *k; k++)
		offer(typed, (*k)->name);
}

static void offer_tools(const char *typed, const struct kind *k)
{
	size_t table = 0, row = 0;

	for (const struct tool *t; (t = kind_tool_next(k, &table, &row));)
		offer(typed, t->name);
	for (const struct tool *t = file_tools; t->name; t++)
		offer(typed, t->name);
}

/* The arguments of a tool, or the choices of the one just named. */
static void offer_arguments(const char *typed, const char *before, const struct tool *t)
{
	const struct field *const tables[] = {t->in, tool_core_in(t)};
	char word[200];

	for (size_t i = 0; i < ARRAY_COUNT(tables); i++) {
		for (const struct field *f = tables[i]; f && f->name; f++) {
			if (f->choices && !strncmp(before, "--", 2) && !strcmp(before + 2, f->name))
				for (const char *const *choice = f->choices; *choice; choice++)
					offer(typed, *choice);
			snprintf(word, sizeof word, "--%s", f->name);
			if (!(f->flags & FIELD_HIDDEN) && typed[0] == '-')
				offer(typed, word);
		}
	}
}

static void offer_words(int n, char **words, const char *typed)
{
	const struct shell_command *command = shell_command_find(words[0]);
	const struct kind *k = kind_find(words[0]);

	if (!strcmp(words[0], "call") && n >= 3 && kind_find(words[1])) {
		const struct tool *t = tool_named(kind_find(words[1]), text_of(words[2]));

		if (t)
			offer_arguments(typed, words[n - 1], t);
	}
	if (!strcmp(words[0], "call") && n == 2 && kind_find(words[1]))
		offer_tools(typed, kind_find(words[1]));
	if ((!strcmp(words[0], "call") || !strcmp(words[0], "tools")) && n == 1)
		offer_kinds(typed);
	if (!strcmp(words[0], "serve") || (!strcmp(words[0], "config") && n > 1))
		offer_kinds(typed);
	if (!strcmp(words[0], "config") && n == 1)
		for (const char *const *client =
			     (const char *const[]){"claude-desktop", "claude-code", "cursor", "vscode", NULL};
		     *client; client++)
			offer(typed, *client);
	if (!strcmp(words[0], "help") && n == 1) {
		for (const struct shell_command *s = shell_commands; s->name; s++)
			if (s->prose)
				offer(typed, s->name);
		offer_kinds(typed);
		for (const struct kind *const *each = kinds; *each; each++)
			offer_tools(typed, *each);
	}
	if (command && typed[0] == '-')
		offer_options(typed, command->options);
	if (k && n == 1) {
		for (const struct command *v = k->commands; v && v->name; v++)
			offer(typed, v->name);
		offer_tools(typed, k);
	}
}

int complete_run(struct call *c, int argc, char **argv)
{
	(void)c;
	if (argc < 2)
		return EXIT_USAGE;
	const char *typed = argv[argc - 1];
	if (argc == 2) {
		for (const struct shell_command *s = shell_commands; s->name; s++)
			if (s->prose)
				offer(typed, s->name);
		offer_kinds(typed);
		return EXIT_DONE;
	}
	offer_words(argc - 2, argv + 1, typed);
	return EXIT_DONE;
}
