/* kind_options.c: settings of the kinds on the command line.
 *
 * A key of [kinds.NAME] in the configuration is an option too: embed is --embed, query_prefix is --query-prefix. The
 * command line wins. A key that two kinds have sets both. */
#include "shell/command.h"

#include <string.h>

static bool has_name(const struct field *f, struct text option)
{
	if (strlen(f->name) != option.len)
		return false;
	for (size_t i = 0; i < option.len; i++)
		if (f->name[i] != (option.at[i] == '-' ? '_' : option.at[i]))
			return false;
	return true;
}

static bool is_word(const struct field *f)
{
	return f->type == FIELD_TEXT || f->type == FIELD_INT || f->type == FIELD_CHOICE || f->type == FIELD_FLAG;
}

static const struct field *row_of(const struct kind *k, struct text option)
{
	for (const struct field *f = k->config; f && f->name; f++)
		if (is_word(f) && has_name(f, option))
			return f;
	return NULL;
}

const struct field *kind_option(struct text option)
{
	for (const struct kind *const *k = kinds; *k; k++)
		if (row_of(*k, option))
			return row_of(*k, option);
	return NULL;
}

void kind_option_name(const struct field *f, char *to, size_t room)
{
	snprintf(to, room, "%s", f->name);
	for (; *to; to++)
		if (*to == '_')
			*to = '-';
}

bool kind_option_set(struct call *c, struct settings *s, const struct field *f, const char *value)
{
	struct json_error error;

	if (!s->kind_words)
		s->kind_words = json_new_object(c->arena);
	if (json_get(s->kind_words, f->name))
		return fail(c, FAULT_ARGUMENT, "--%s was given twice", f->name);
	const struct json *number = f->type == FIELD_INT ? json_parse(c->arena, text_of(value), 1, &error) : NULL;
	json_set(c->arena, s->kind_words, f->name,
		 f->type == FIELD_FLAG ? json_new_bool(c->arena, true)
		 : number              ? number
				       : json_new_text(c->arena, text_of(value)));
	return true;
}

static struct json *copied(struct arena *a, const struct json *object)
{
	struct json *copy = json_new_object(a);

	for (uint32_t i = 0; json_is(object, JSON_OBJECT) && i < object->len; i++)
		json_set_key(a, copy, (struct text){object->members[i].key, object->members[i].key_len},
			     &object->members[i].value);
	return copy;
}

void kind_options_merge(struct call *c, struct settings *s)
{
	struct arena *a = c->arena;

	if (!s->kind_words)
		return;
	struct json *tree = copied(a, s->tree), *parts = copied(a, json_get(s->tree, "kinds"));
	for (const struct kind *const *k = kinds; *k; k++) {
		struct json *part = copied(a, json_get(parts, (*k)->name));
		for (uint32_t i = 0; i < s->kind_words->len; i++) {
			struct text name = {s->kind_words->members[i].key, s->kind_words->members[i].key_len};
			if (row_of(*k, name))
				json_set_key(a, part, name, &s->kind_words->members[i].value);
		}
		if (part->len)
			json_set(a, parts, (*k)->name, part);
	}
	json_set(a, tree, "kinds", parts);
	s->tree = tree;
}

bool kind_options_fit(struct call *c, const struct settings *s, const struct kind *const *served)
{
	for (uint32_t i = 0; s->kind_words && i < s->kind_words->len; i++) {
		struct text name = {s->kind_words->members[i].key, s->kind_words->members[i].key_len};
		bool is_used = false;
		for (const struct kind *const *k = served; *k && !is_used; k++)
			is_used = row_of(*k, name);
		char option[64];
		kind_option_name(kind_option(name), option, sizeof option);
		if (!is_used)
			return fail(c, FAULT_ARGUMENT, "--%s is not supported by the kinds served here", option);
	}
	return true;
}
