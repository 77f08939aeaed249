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
	}
}

bool option_take(struct call *c, const struct option *table, int argc, char **argv, int *i, struct settings *s)
{
	const char *word = argv[*i] + 2, *equals = strchr(word, '=');
	struct text name = {word, equals ? (size_t)(equals - word) : strlen(word)};

	for (const struct option *o = table; o && o->name; o++) {
		if (!text_is(name, o->name))
			continue;
		if (!o->takes && equals)
			return fail(c, FAULT_ARGUMENT, "--%s takes no value", o->name);
		const char *value = equals ? equals + 1 : NULL;
		if (o->takes && !value) {
			if (*i + 1 >= argc)
				return fail(c, FAULT_MISSING, "--%s needs a value: --%s %s", o->name, o->name,
					    o->takes);
			value = argv[++*i];
		}
		if (o->takes && !*value)
			return fail(c, FAULT_ARGUMENT, "--%s is empty: it needs %s", o->name, o->takes);
		if (o->type == OPTION_WORD && *(const char **)(void *)((char *)s + o->at))
			return fail(c, FAULT_ARGUMENT, "--%s was given twice", o->name);
		option_set(c, o, s, value);
		++*i;
		return true;
	}
	return false;
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
