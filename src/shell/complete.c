/* complete.c: quire complete [--described] WORD...: candidates for the last word, one per line, for shell completion
 * (packaging/completions).
 *
 * The words are those after `quire`; the last one may be incomplete. Everything comes from the tables. Nothing is
 * printed where a file name is expected. --described adds a tab and a short description to each. */
#include "shell/command.h"

#include <string.h>

enum { OPTION_TEXT = 80 };

struct typed {
	const char *word;   /* the word to complete */
	const char *before; /* the word before it */
	bool described;
};

static void offer(const struct typed *t, const char *word, const char *prose)
{
	if (strncmp(word, t->word, strlen(t->word)) != 0)
		return;
	if (t->described && prose)
		printf("%s\t%.*s\n", word, (int)strcspn(prose, "\n"), prose);
	else
		puts(word);
}

/* --file-path and --file_path are the same; the form that was begun is offered. */
static void offer_option(const struct typed *t, const char *name, const char *prose)
{
	char word[OPTION_TEXT];
	bool underscores = strchr(t->word, '_') != NULL;

	snprintf(word, sizeof word, "--%s", name);
	for (char *p = word + 2; *p; p++)
		if (*p == (underscores ? '-' : '_'))
			*p = underscores ? '_' : '-';
	offer(t, word, prose);
}

static bool is_option(const char *word, const char *name)
{
	if (strncmp(word, "--", 2) != 0 || strlen(word + 2) != strlen(name))
		return false;
	for (word += 2; *name; word++, name++)
		if (*word != *name && !(*word == '-' && *name == '_'))
			return false;
	return true;
}

static void offer_options(const struct typed *t, const struct option *options)
{
	char word[OPTION_TEXT];

	const struct option *o = options;
	for (; o && o->name; o++)
		offer_option(t, o->name, o->prose);
	for (const struct kind *const *k = kinds; o && o->type == OPTION_OF_KINDS && *k; k++)
		for (const struct field *f = (*k)->config; f && f->name; f++)
			if (kind_option(text_of(f->name))) {
				kind_option_name(f, word, sizeof word);
				offer_option(t, word, f->prose);
			}
}

static void offer_kinds(const struct typed *t)
{
	for (const struct kind *const *k = kinds; *k; k++)
		offer(t, (*k)->name, (*k)->title);
}

static void offer_commands(const struct typed *t)
{
	for (const struct shell_command *s = shell_commands; s->name; s++)
		if (s->prose)
			offer(t, s->name, s->prose);
	offer_kinds(t);
}

static void offer_tools(const struct typed *t, const struct kind *k)
{
	size_t table = 0, row = 0;

	for (const struct tool *tool; (tool = kind_tool_next(k, &table, &row));)
		offer(t, tool->name, tool->title);
	for (const struct tool *tool = file_tools; tool->name; tool++)
		offer(t, tool->name, tool->title);
}

/* Offers the arguments of a tool, or the values of the argument just named. */
static void offer_arguments(const struct typed *t, const struct tool *tool)
{
	const struct field *const tables[] = {tool->in, tool_core_in(tool)};

	for (size_t i = 0; i < ARRAY_COUNT(tables); i++)
		for (const struct field *f = tables[i]; f && f->name; f++) {
			for (const char *const *choice = f->choices; choice && *choice && is_option(t->before, f->name);
			     choice++)
				offer(t, *choice, NULL);
			if (!(f->flags & FIELD_HIDDEN) && t->word[0] == '-')
				offer_option(t, f->name, f->prose);
		}
}

/* Offers values of the commands' own options; true: the word is such a value. */
static bool offer_values(const struct typed *t, const struct option *options)
{
	static const char *const known[][2] = {{"tools", "core"},  {"tools", "all"}, {"log", "error"},
					       {"log", "warning"}, {"log", "info"},  {"log", "debug"}};

	for (const struct option *o = options; o && o->name; o++) {
		if (!o->takes || !is_option(t->before, o->name))
			continue;
		for (size_t i = 0; i < ARRAY_COUNT(known); i++)
			if (!strcmp(known[i][0], o->name))
				offer(t, known[i][1], NULL);
		return true;
	}
	return false;
}

/* Offers the words of `quire call`. */
static void offer_call(int n, char **words, const struct typed *t)
{
	const struct kind *k = n > 1 ? kind_find(words[1]) : NULL;
	const struct tool *tool = k && n > 2 ? tool_named(k, text_of(words[2])) : NULL;

	if (n == 1)
		offer_kinds(t);
	if (k && n == 2)
		offer_tools(t, k);
	if (tool)
		offer_arguments(t, tool);
}

static void offer_words(int n, char **words, const struct typed *t)
{
	const struct shell_command *command = shell_command_find(words[0]);
	const struct kind *k = kind_find(words[0]);

	if (command && offer_values(t, command->options))
		return;
	if (!strcmp(words[0], "call"))
		offer_call(n, words, t);
	if (!strcmp(words[0], "serve") || !strcmp(words[0], "tools") || (!strcmp(words[0], "config") && n > 1))
		offer_kinds(t);
	for (size_t i = 0; command && command->words && n == 1 && command->words(i); i++)
		offer(t, command->words(i), NULL);
	if (!strcmp(words[0], "help") && n == 1) {
		offer_commands(t);
		for (const struct kind *const *each = kinds; *each; each++)
			offer_tools(t, *each);
	}
	if (command && t->word[0] == '-')
		offer_options(t, command->options);
	if (k && n == 1) {
		for (const struct command *v = k->commands; v && v->name; v++)
			offer(t, v->name, v->prose);
		offer_tools(t, k);
	}
}

int complete_run(struct call *c, int argc, char **argv)
{
	(void)c;
	bool described = argc > 1 && !strcmp(argv[1], "--described");
	char **words = argv + 1 + described;
	int n = argc - 2 - described; /* before the last */
	if (n < 0)
		return EXIT_USAGE;
	const struct typed t = {.word = words[n], .before = n ? words[n - 1] : "", .described = described};
	if (n)
		offer_words(n, words, &t);
	else
		offer_commands(&t);
	return EXIT_DONE;
}
