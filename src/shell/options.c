#include "shell/command.h"

#include <string.h>

void words_add(struct arena *a, struct words *w, const char *word)
{
	*ARRAY_PUSH(a, w) = word;
	*ARRAY_PUSH(a, w) = NULL;
	w->n--;
}

static bool fail_unknown(struct call *c, const struct option *table, struct text typed)
{
	const char *names[64];
	size_t n = 0;

	for (const struct option *o = table; o && o->name && n + 1 < ARRAY_COUNT(names); o++)
		names[n++] = o->name;
	names[n] = NULL;
	const char *near = text_nearest(text_slice(typed, 2, typed.len), names);
	if (near)
		return fail(c, FAULT_ARGUMENT, "there is no option %s; did you mean --%s?", shown(c, typed), near);
	return fail(c, FAULT_ARGUMENT, "there is no option %s", shown(c, typed));
}

static void option_set(struct call *c, const struct option *o, struct settings *s, const char *value)
{
	char *at = (char *)s + o->at;

	switch (o->type) {
	case OPTION_FLAG: *(bool *)(void *)at = true; break;
	case OPTION_WORD: *(const char **)(void *)at = value; break;
	case OPTION_WORDS: words_add(c->arena, (struct words *)(void *)at, value); break;
	case OPTION_OF_KINDS: break;
	}
}

/* Reads the value after the option, if it takes one; *i moves to it. */
static bool value_take(struct call *c, const char *name, const char *takes, int argc, char **argv, int *i,
		       const char **value)
{
	const char *equals = strchr(argv[*i], '=');

	*value = equals ? equals + 1 : NULL;
	if (!takes)
		return !equals || fail(c, FAULT_ARGUMENT, "--%s takes no value", name);
	if (!*value && *i + 1 >= argc)
		return fail(c, FAULT_MISSING, "--%s needs a value: --%s %s", name, name, takes);
	if (!*value)
		*value = argv[++*i];
	return **value || fail(c, FAULT_ARGUMENT, "--%s is empty: it needs %s", name, takes);
}

static bool kind_option_take(struct call *c, struct text name, int argc, char **argv, int *i, struct settings *s)
{
	const struct field *f = kind_option(name);
	const char *value;
	char option[64];

	if (!f)
		return false;
	kind_option_name(f, option, sizeof option);
	if (!value_take(c, option, f->type == FIELD_FLAG ? NULL : "VALUE", argc, argv, i, &value) ||
	    !kind_option_set(c, s, f, value))
		return false;
	++*i;
	return true;
}

bool option_take(struct call *c, const struct option *table, int argc, char **argv, int *i, struct settings *s)
{
	const char *word = argv[*i] + 2, *equals = strchr(word, '=');
	struct text name = {word, equals ? (size_t)(equals - word) : strlen(word)};
	const struct option *o = table;

	for (; o && o->name; o++) {
		const char *value;
		if (!text_is(name, o->name))
			continue;
		if (!value_take(c, o->name, o->takes, argc, argv, i, &value))
			return false;
		if (o->type == OPTION_WORD && *(const char **)(void *)((char *)s + o->at))
			return fail(c, FAULT_ARGUMENT, "--%s was given twice", o->name);
		option_set(c, o, s, value);
		++*i;
		return true;
	}
	return o && o->type == OPTION_OF_KINDS && kind_option_take(c, name, argc, argv, i, s);
}

bool options_read(struct call *c, const struct option *table, int argc, char **argv, struct settings *s)
{
	bool options_end = false;

	for (int i = 1; i < argc;) {
		if (options_end || argv[i][0] != '-' || !argv[i][1]) {
			words_add(c->arena, &s->rest, argv[i++]);
		} else if (!strcmp(argv[i], "--")) {
			options_end = true;
			i++;
		} else if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			s->help = true;
			i++;
		} else if (argv[i][1] != '-') {
			return fail(c, FAULT_ARGUMENT, "there is no option %s; options are written --name",
				    shown(c, text_of(argv[i])));
		} else if (!option_take(c, table, argc, argv, &i, s)) {
			return c->error.fault ? false : fail_unknown(c, table, text_of(argv[i]));
		}
	}
	return true;
}
