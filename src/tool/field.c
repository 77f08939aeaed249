#include "tool/field.h"
#include "tool/field_inner.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const struct field_words field_words[FIELD_ANY + 1] = {
	[FIELD_TEXT] = {"a string", "text", false},
	[FIELD_INT] = {"an integer", "integer", false},
	[FIELD_MAYBE_INT] = {"an integer", "integer", false},
	[FIELD_NUMBER] = {"a number", "number", false},
	[FIELD_MAYBE_NUMBER] = {"a number", "number", false},
	[FIELD_FLAG] = {"true or false", "true or false", false},
	[FIELD_MAYBE_FLAG] = {"true or false", "true or false", false},
	[FIELD_CHOICE] = {"a string", "choice", false},
	[FIELD_CHOICES] = {"a list of strings", "list of choices", true},
	[FIELD_TEXTS] = {"a list of strings", "list of texts", true},
	[FIELD_NUMBERS] = {"a list of numbers", "list of numbers", true},
	[FIELD_OBJECT] = {"an object", "object", false},
	[FIELD_OBJECTS] = {"a list of objects", "list of objects", true},
	[FIELD_UNION] = {"an object", "object", false},
	[FIELD_UNIONS] = {"a list of objects", "list of objects", true},
	[FIELD_MAP] = {"an object", "object with any keys", false},
	[FIELD_TEXT_MAP] = {"an object whose values are strings", "object of texts with any keys", false},
	[FIELD_ANY] = {"any JSON", "any JSON", false},
};

bool field_is_listed(const struct field *f) { return !(f->flags & FIELD_HIDDEN); }
bool field_is_optional(const struct field *f) { return !(f->flags & FIELD_REQUIRED); }

const struct field *fields_find(const struct field *table, struct text name)
{
	for (const struct field *f = table; f && f->name; f++) {
		if (text_is(name, f->name))
			return f;
		for (const char *const *other = field_more(f)->aliases; other && *other; other++)
			if (text_is(name, *other))
				return f;
	}
	return NULL;
}

const struct field_more *field_more(const struct field *f)
{
	static const struct field_more none;

	return f->more ? f->more : &none;
}

bool limits_hold(const struct limits *l, double n)
{
	return !l || (!(l->low && n < l->min) && !(l->high && n > l->max));
}

const char *limits_words(char to[static LIMITS_WORDS_MAX], const struct limits *l)
{
	char min[NUMBER_MAX + 1] = "", max[NUMBER_MAX + 1] = "";

	to[0] = 0;
	if (!l)
		return to;
	min[number_write(min, l->min)] = 0;
	max[number_write(max, l->max)] = 0;
	if (l->low && l->high && l->min == l->max)
		snprintf(to, LIMITS_WORDS_MAX, "exactly %s", min);
	else if (l->low && l->high)
		snprintf(to, LIMITS_WORDS_MAX, "%s to %s", min, max);
	else if (l->low)
		snprintf(to, LIMITS_WORDS_MAX, "at least %s", min);
	else if (l->high)
		snprintf(to, LIMITS_WORDS_MAX, "at most %s", max);
	return to;
}

const void *field_shape_key(const struct field *f)
{
	if (field_more(f)->variants)
		return field_more(f)->variants;
	return f->shape ? f->shape->fields : NULL;
}

static struct shape_node *node_of(struct shapes *s, const void *key)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->nodes[i].key == key)
			return &s->nodes[i];
	return NULL;
}

static void walk(struct shapes *s, const struct field *table);

static void walk_row(struct shapes *s, const struct field *f)
{
	const void *key = field_shape_key(f);

	if (!key)
		return;
	struct shape_node *known = node_of(s, key);
	if (known) {
		known->is_recursive |= known->is_open;
		return;
	}
	assert(s->n < SHAPES_MAX);
	size_t mine = s->n++;
	const char *name = f->shape && f->shape->name ? f->shape->name : f->name;
	unsigned twin = 0;
	for (size_t i = 0; i < mine; i++)
		if (!strcmp(s->nodes[i].name, name))
			twin = twin ? twin + 1 : 2;
	s->nodes[mine] = (struct shape_node){.key = key, .row = f, .name = name, .twin = twin, .is_open = true};
	for (const struct variant *v = field_more(f)->variants; v && v->name; v++)
		walk(s, v->shape.fields);
	if (!field_more(f)->variants && f->shape)
		walk(s, f->shape->fields);
	s->nodes[mine].is_open = false;
}

static void walk(struct shapes *s, const struct field *table)
{
	for (const struct field *f = table; f && f->name; f++)
		walk_row(s, f);
}

void shapes_collect(struct shapes *s, const struct field *table) { walk(s, table); }

const struct shape_node *shapes_find(const struct shapes *s, const void *key)
{
	for (size_t i = 0; key && i < s->n; i++)
		if (s->nodes[i].key == key)
			return s->nodes[i].is_recursive ? &s->nodes[i] : NULL;
	return NULL;
}
