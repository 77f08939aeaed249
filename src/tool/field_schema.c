/* field_schema.c: the full JSON Schema (2020-12) of field tables, and forms.
 *
 * The root is always a plain object, without anyOf and its like: model providers refuse those there. A recursive shape
 * is in $defs; every other one is written where it is used. */
#include "tool/field.h"
#include "tool/field_inner.h"

#include <assert.h>
#include <stdio.h>

struct schema {
	struct json_out *o;
	bool is_answer;
	bool may_be_null; /* the root is an object or stands for null, so none of its members is required */
	struct shapes shapes;
};

static void put_pair(struct json_out *o, const char *key, const char *value)
{
	json_key(o, key);
	json_put_string(o, value);
}

static void put_type(struct schema *s, const char *type, bool nullable)
{
	if (!nullable) {
		put_pair(s->o, "type", type);
		return;
	}
	json_key(s->o, "type");
	json_open(s->o, '[');
	json_put_string(s->o, type);
	json_put_string(s->o, "null");
	json_close(s->o, ']');
}

static void put_limits(struct json_out *o, const struct limits *l, const char *low, const char *high)
{
	if (l && l->low) {
		json_key(o, low);
		json_put_number(o, l->min);
	}
	if (l && l->high) {
		json_key(o, high);
		json_put_number(o, l->max);
	}
}

/* A path is never empty and never longer than the system allows. */
static void put_lengths(struct json_out *o, unsigned flags, const struct limits *l)
{
	struct limits of_path = {.low = true, .high = true, .min = 1, .max = FIELD_PATH_MAX};

	if (l && l->low && l->min > 1)
		of_path.min = l->min;
	if (l && l->high && l->max < FIELD_PATH_MAX)
		of_path.max = l->max;
	put_limits(o, flags & FIELD_PATH ? &of_path : l, "minLength", "maxLength");
}

static void put_choices(struct json_out *o, const char *const *choices, bool nullable)
{
	json_key(o, "enum");
	json_open(o, '[');
	for (size_t i = 0; choices[i]; i++)
		json_put_string(o, choices[i]);
	if (nullable)
		json_put_null(o);
	json_close(o, ']');
}

static void put_property(struct schema *s, const struct field *f);

static bool has_earlier(const struct field *const *tables, const struct field *const *here, const struct field *f)
{
	for (; tables != here; tables++)
		if (fields_find(*tables, text_of(f->name)))
			return true;
	return false;
}

/* The members of an object's schema, without the brackets. `by` and `name`: the discriminating member. */
static void put_object(struct schema *s, const struct field *const *tables, const char *by, const char *name,
		       bool nullable)
{
	struct json_out *o = s->o;
	size_t listed = 0, required = by ? 1 : 0;
	bool may_be_null = s->may_be_null;

	s->may_be_null = false; /* only for the root */

	for (const struct field *const *t = tables; *t; t++)
		for (const struct field *f = *t; f->name; f++) {
			listed += field_is_listed(f);
			required += field_is_listed(f) && f->flags & FIELD_REQUIRED && !may_be_null;
		}
	put_type(s, "object", nullable);
	if (listed || by) {
		json_key(o, "properties");
		json_open(o, '{');
		if (by) {
			json_key(o, by);
			json_open(o, '{');
			put_type(s, "string", false);
			put_choices(o, (const char *const[]){name, NULL}, false);
			json_close(o, '}');
		}
		for (const struct field *const *t = tables; *t; t++)
			for (const struct field *f = *t; f->name; f++)
				if (field_is_listed(f) && !has_earlier(tables, t, f))
					put_property(s, f);
		json_close(o, '}');
	}
	if (required) {
		json_key(o, "required");
		json_open(o, '[');
		if (by)
			json_put_string(o, by);
		for (const struct field *const *t = tables; *t; t++)
			for (const struct field *f = *t; f->name; f++)
				if (field_is_listed(f) && f->flags & FIELD_REQUIRED && !has_earlier(tables, t, f))
					json_put_string(o, f->name);
		json_close(o, ']');
	}
	json_key(o, "additionalProperties");
	json_put_bool(o, false);
}

static void put_branches(struct schema *s, const struct field *f, bool nullable)
{
	json_key(s->o, "oneOf");
	json_open(s->o, '[');
	for (const struct variant *v = field_more(f)->variants; v->name; v++) {
		json_open(s->o, '{');
		if (v->prose)
			put_pair(s->o, "description", v->prose);
		put_object(s, (const struct field *const[]){v->shape.fields, NULL}, field_more(f)->by, v->name, false);
		json_close(s->o, '}');
	}
	if (nullable) {
		json_open(s->o, '{');
		put_pair(s->o, "type", "null");
		json_close(s->o, '}');
	}
	json_close(s->o, ']');
}

static void put_reference(struct schema *s, const struct shape_node *node)
{
	char to[200];

	if (node->twin)
		snprintf(to, sizeof to, "#/$defs/%s_%u", node->name, node->twin);
	else
		snprintf(to, sizeof to, "#/$defs/%s", node->name);
	put_pair(s->o, "$ref", to);
}

/* The schema of one value of an object or union row, without the brackets. */
static void put_shape(struct schema *s, const struct field *f, bool nullable)
{
	const struct shape_node *node = shapes_find(&s->shapes, field_shape_key(f));

	if (node && nullable) {
		json_key(s->o, "anyOf");
		json_open(s->o, '[');
		json_open(s->o, '{');
		put_reference(s, node);
		json_close(s->o, '}');
		json_open(s->o, '{');
		put_pair(s->o, "type", "null");
		json_close(s->o, '}');
		json_close(s->o, ']');
	} else if (node) {
		put_reference(s, node);
	} else if (field_more(f)->variants) {
		put_branches(s, f, nullable);
	} else {
		put_object(s, (const struct field *const[]){f->shape->fields, NULL}, NULL, NULL, nullable);
	}
}

static void put_items(struct schema *s, const struct field *f)
{
	json_key(s->o, "items");
	json_open(s->o, '{');
	if (f->type == FIELD_TEXTS) {
		put_type(s, "string", false);
		put_lengths(s->o, f->flags, field_more(f)->item_limits);
	} else if (f->type == FIELD_NUMBERS) {
		put_type(s, "number", false);
		put_limits(s->o, field_more(f)->item_limits, "minimum", "maximum");
	} else if (f->type == FIELD_CHOICES) {
		put_type(s, "string", false);
		put_choices(s->o, f->choices, false);
	} else {
		put_shape(s, f, false);
	}
	json_close(s->o, '}');
}

static void put_map(struct schema *s, const struct field *f, bool nullable)
{
	put_type(s, "object", nullable);
	if (f->type == FIELD_TEXT_MAP || f->shape) {
		json_key(s->o, "additionalProperties");
		json_open(s->o, '{');
		if (f->shape)
			put_shape(s, f, false);
		else
			put_type(s, "string", true);
		json_close(s->o, '}');
	}
	put_limits(s->o, f->limits, "minProperties", "maxProperties");
}

static void put_value(struct schema *s, const struct field *f)
{
	bool nullable = s->is_answer && f->flags & FIELD_NULLABLE;

	switch (f->type) {
	case FIELD_TEXT:
		put_type(s, "string", nullable);
		put_lengths(s->o, f->flags, f->limits);
		break;
	case FIELD_INT:
	case FIELD_MAYBE_INT:
		put_type(s, "integer", nullable);
		put_limits(s->o, f->limits, "minimum", "maximum");
		break;
	case FIELD_NUMBER:
	case FIELD_MAYBE_NUMBER:
		put_type(s, "number", nullable);
		put_limits(s->o, f->limits, "minimum", "maximum");
		break;
	case FIELD_FLAG:
	case FIELD_MAYBE_FLAG: put_type(s, "boolean", nullable); break;
	case FIELD_CHOICE:
		put_type(s, "string", nullable);
		put_choices(s->o, f->choices, nullable);
		break;
	case FIELD_CHOICES:
	case FIELD_TEXTS:
	case FIELD_NUMBERS:
	case FIELD_OBJECTS:
	case FIELD_UNIONS:
		put_type(s, "array", nullable);
		put_items(s, f);
		put_limits(s->o, f->limits, "minItems", "maxItems");
		break;
	case FIELD_OBJECT:
	case FIELD_UNION: put_shape(s, f, nullable); break;
	case FIELD_MAP:
	case FIELD_TEXT_MAP: put_map(s, f, nullable); break;
	case FIELD_ANY: break;
	}
}

static void put_property(struct schema *s, const struct field *f)
{
	json_key(s->o, f->name);
	json_open(s->o, '{');
	put_value(s, f);
	if (f->prose && *f->prose && !(f->flags & FIELD_TERSE))
		put_pair(s->o, "description", f->prose);
	if (f->otherwise && !s->is_answer) {
		json_key(s->o, "default");
		json_put_raw(s->o, text_of(f->otherwise));
	}
	if (field_more(f)->schema) {
		if (s->o->comma)
			buffer_byte(s->o->to, ',');
		buffer_put(s->o->to, field_more(f)->schema);
		s->o->comma = true;
	}
	json_close(s->o, '}');
}

static void put_definitions(struct schema *s)
{
	bool any = false;

	for (size_t i = 0; i < s->shapes.n; i++)
		any |= s->shapes.nodes[i].is_recursive;
	if (!any)
		return;
	json_key(s->o, "$defs");
	json_open(s->o, '{');
	for (size_t i = 0; i < s->shapes.n; i++) {
		const struct shape_node *node = &s->shapes.nodes[i];
		char key[160];
		if (!node->is_recursive)
			continue;
		if (node->twin)
			snprintf(key, sizeof key, "%s_%u", node->name, node->twin);
		else
			snprintf(key, sizeof key, "%s", node->name);
		json_key(s->o, key);
		json_open(s->o, '{');
		if (field_more(node->row)->variants)
			put_branches(s, node->row, false);
		else
			put_object(s, (const struct field *const[]){node->row->shape->fields, NULL}, NULL, NULL, false);
		json_close(s->o, '}');
	}
	json_close(s->o, '}');
}

void fields_schema_joined(struct json_out *o, const struct field *const *tables, bool is_answer)
{
	struct schema s = {.o = o, .is_answer = is_answer};

	for (const struct field *const *t = tables; *t; t++)
		shapes_collect(&s.shapes, *t);
	json_open(o, '{');
	put_object(&s, tables, NULL, NULL, false);
	put_definitions(&s);
	json_close(o, '}');
}

void fields_schema_bare(struct json_out *o, const struct field *const *tables)
{
	const struct field *row = tables[0];
	const struct field null_row[] = {
		{.name = row->name, .type = FIELD_ANY, .more = RARE{.schema = "\"type\":\"null\""}}, FIELDS_END};
	bool may_be_null = row->flags & FIELD_NULLABLE;
	const struct field *const parts[] = {row->shape->fields, tables[1], may_be_null ? null_row : NULL, NULL};
	struct schema s = {.o = o, .is_answer = true, .may_be_null = may_be_null};

	for (const struct field *const *t = parts; *t; t++)
		shapes_collect(&s.shapes, *t);
	json_open(o, '{');
	put_object(&s, parts, NULL, NULL, false);
	put_definitions(&s);
	json_close(o, '}');
}

static bool fits_a_form(const struct field *f) { return f->type < FIELD_CHOICES; }

void fields_form(struct json_out *o, const struct field *form)
{
	struct schema s = {.o = o};

	json_open(o, '{');
	put_pair(o, "type", "object");
	json_key(o, "properties");
	json_open(o, '{');
	for (const struct field *f = form; f && f->name; f++) {
		assert(fits_a_form(f));
		put_property(&s, f);
	}
	json_close(o, '}');
	json_key(o, "required");
	json_open(o, '[');
	for (const struct field *f = form; f && f->name; f++)
		if (f->flags & FIELD_REQUIRED)
			json_put_string(o, f->name);
	json_close(o, ']');
	json_close(o, '}');
}
