/* field_listed.c: the schemas in every list of tools.
 *
 * A model reads the list before each reply, so it contains only what a caller needs: no lengths, no patterns, no
 * lengths of lists, which the decoder checks and explains. It also avoids keywords that some providers refuse: no
 * const, no oneOf, no $ref. A union is one object with the members of all its variants, and the discriminating member
 * says which belongs to which. A recursive shape is a plain object at its second level. A result is listed two levels
 * deep, without descriptions. Everything that the full schema (field_schema.c) allows is allowed here. */
#include "tool/field.h"
#include "tool/field_inner.h"

#include <assert.h>
#include <string.h>

enum { SAME_MAX = 64, OPEN_MAX = FIELD_DEPTH_MAX, ANSWER_DEPTH = 2 };

struct listed {
	struct json_out *o;
	bool is_answer;
	const void *open[OPEN_MAX]; /* enclosing shapes */
	size_t depth;
};

/* The rows of one object: of one table, or of all variants of a union. */
struct rows {
	const struct field *items[FIELD_ROWS_MAX * 2];
	size_t n;
	size_t sources; /* number of tables they come from: a member is required if every table requires it */
};

/* The rows with one name. */
struct same {
	const struct field *items[SAME_MAX];
	size_t n;
};

static void put_pair(struct json_out *o, const char *key, const char *value)
{
	json_key(o, key);
	json_put_string(o, value);
}

static void put_type(struct json_out *o, const char *type, bool nullable)
{
	if (!nullable) {
		put_pair(o, "type", type);
		return;
	}
	json_key(o, "type");
	json_open(o, '[');
	json_put_string(o, type);
	json_put_string(o, "null");
	json_close(o, ']');
}

static bool is_listed(const struct field *f) { return field_is_listed(f) && !(f->flags & FIELD_UNLISTED); }

static void rows_add(struct rows *rows, const struct field *table)
{
	for (const struct field *f = table; f && f->name; f++) {
		if (!is_listed(f))
			continue;
		assert(rows->n < ARRAY_COUNT(rows->items));
		rows->items[rows->n++] = f;
	}
	rows->sources++;
}

/* Most names differ in their first letter, and listing compares thousands of names at start. */
static bool is_same_name(const struct field *a, const struct field *b)
{
	return a->name[0] == b->name[0] && !strcmp(a->name, b->name);
}

static bool is_first(const struct rows *rows, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_same_name(rows->items[k], rows->items[i]))
			return false;
	return true;
}

static void same_named(const struct rows *rows, size_t i, struct same *out)
{
	out->n = 0;
	for (size_t k = i; k < rows->n && out->n < SAME_MAX; k++)
		if (is_same_name(rows->items[k], rows->items[i]))
			out->items[out->n++] = rows->items[k];
}

static bool is_required(const struct rows *rows, const struct same *same)
{
	for (size_t i = 0; i < same->n; i++)
		if (!(same->items[i]->flags & FIELD_REQUIRED))
			return false;
	return same->n == rows->sources;
}

static void put_property(struct listed *l, const struct same *same);

static void put_members(struct listed *l, const struct rows *rows)
{
	struct same same;

	for (size_t i = 0; i < rows->n; i++)
		if (is_first(rows, i)) {
			same_named(rows, i, &same);
			put_property(l, &same);
		}
}

static void put_required(struct listed *l, const struct rows *rows, const char *by)
{
	struct same same;
	bool any = by;

	if (l->is_answer && l->depth)
		return;
	for (size_t i = 0; i < rows->n && !any; i++) {
		if (!(rows->items[i]->flags & FIELD_REQUIRED))
			continue;
		same_named(rows, i, &same);
		any = is_first(rows, i) && is_required(rows, &same);
	}
	if (!any)
		return;
	json_key(l->o, "required");
	json_open(l->o, '[');
	if (by)
		json_put_string(l->o, by);
	for (size_t i = 0; i < rows->n; i++) {
		if (!(rows->items[i]->flags & FIELD_REQUIRED))
			continue;
		same_named(rows, i, &same);
		if (is_first(rows, i) && is_required(rows, &same))
			json_put_string(l->o, rows->items[i]->name);
	}
	json_close(l->o, ']');
}

static bool opens(const struct listed *l, const void *key)
{
	for (size_t i = 0; i < l->depth; i++)
		if (l->open[i] == key)
			return false;
	return l->depth < (l->is_answer ? ANSWER_DEPTH : OPEN_MAX);
}

/* `resize_room target params{width, height?}: ...`: the members of one variant. */
static void put_variant_line(struct buffer *to, const struct variant *v)
{
	buffer_format(to, "%s%s", to->len ? "\n" : "", v->name);
	for (const struct field *f = v->shape.fields; f && f->name; f++) {
		if (!is_listed(f))
			continue;
		buffer_format(to, " %s%s", f->name, f->flags & FIELD_REQUIRED ? "" : "?");
		if (f->type != FIELD_OBJECT || field_more(f)->variants)
			continue;
		buffer_byte(to, '{');
		bool any = false;
		for (const struct field *inner = f->shape->fields; inner->name; inner++)
			if (is_listed(inner)) {
				buffer_format(to, "%s%s%s", any ? ", " : "", inner->name,
					      inner->flags & FIELD_REQUIRED ? "" : "?");
				any = true;
			}
		buffer_byte(to, '}');
	}
	if (v->prose)
		buffer_format(to, ": %s", v->prose);
}

static void put_tag(struct listed *l, const struct field *f)
{
	struct buffer lines = {0};

	json_key(l->o, field_more(f)->by);
	json_open(l->o, '{');
	put_type(l->o, "string", false);
	json_key(l->o, "enum");
	json_open(l->o, '[');
	for (const struct variant *v = field_more(f)->variants; v->name; v++) {
		json_put_string(l->o, v->name);
		put_variant_line(&lines, v);
	}
	json_close(l->o, ']');
	if (!l->is_answer) {
		json_key(l->o, "description");
		json_put_text(l->o, buffer_text(&lines));
	}
	json_close(l->o, '}');
	buffer_free(&lines);
}

/* An object or a union, from one row or from several that share a name. */
static void put_shape(struct listed *l, const struct same *same, bool nullable)
{
	const struct field *f = same->items[0];
	const void *key = field_shape_key(f);
	struct rows rows = {0};

	put_type(l->o, "object", nullable);
	if (!opens(l, key) || (l->is_answer && f->flags & FIELD_TERSE))
		return;
	for (size_t i = 0; i < same->n && !field_more(f)->variants; i++)
		rows_add(&rows, same->items[i]->shape->fields);
	for (const struct variant *v = field_more(f)->variants; v && v->name; v++)
		rows_add(&rows, v->shape.fields);
	if (!rows.n && !field_more(f)->variants)
		return;
	l->open[l->depth++] = key;
	json_key(l->o, "properties");
	json_open(l->o, '{');
	if (field_more(f)->variants)
		put_tag(l, f);
	put_members(l, &rows);
	json_close(l->o, '}');
	put_required(l, &rows, field_more(f)->variants ? field_more(f)->by : NULL);
	l->depth--;
}

static bool has_choice(const struct same *same, size_t row, size_t choice)
{
	const char *name = same->items[row]->choices[choice];

	for (size_t r = 0; r <= row; r++)
		for (size_t i = 0; same->items[r]->choices[i] && (r < row || i < choice); i++)
			if (!strcmp(same->items[r]->choices[i], name))
				return true;
	return false;
}

static void put_choices(struct listed *l, const struct same *same, bool nullable)
{
	put_type(l->o, "string", nullable);
	if (l->is_answer)
		return;
	json_key(l->o, "enum");
	json_open(l->o, '[');
	for (size_t r = 0; r < same->n; r++)
		for (size_t i = 0; same->items[r]->choices[i]; i++)
			if (!has_choice(same, r, i))
				json_put_string(l->o, same->items[r]->choices[i]);
	json_close(l->o, ']');
}

static void put_number(struct listed *l, const struct same *same, const char *type, bool nullable)
{
	const struct limits *limits = same->items[0]->limits;

	put_type(l->o, type, nullable);
	if (!limits || l->is_answer || same->n > 1 || same->items[0]->flags & FIELD_TERSE)
		return;
	/* A minimum of 0 is not worth listing. */
	if (limits->low && limits->min != 0 && limits->min != 1) {
		json_key(l->o, "minimum");
		json_put_number(l->o, limits->min);
	}
	if (limits->high) {
		json_key(l->o, "maximum");
		json_put_number(l->o, limits->max);
	}
}

static void put_items(struct listed *l, const struct same *same)
{
	put_type(l->o, "array", l->is_answer && same->items[0]->flags & FIELD_NULLABLE);
	json_key(l->o, "items");
	json_open(l->o, '{');
	if (same->items[0]->type == FIELD_TEXTS)
		put_type(l->o, "string", false);
	else if (same->items[0]->type == FIELD_NUMBERS)
		put_type(l->o, "number", false);
	else if (same->items[0]->type == FIELD_CHOICES)
		put_choices(l, same, false);
	else
		put_shape(l, same, false);
	json_close(l->o, '}');
}

/* Rows with the same name in several variants may differ. Then only their common part is listed. */
static bool are_alike(const struct same *same)
{
	for (size_t i = 1; i < same->n; i++)
		if (strcmp(field_words[same->items[i]->type].brief, field_words[same->items[0]->type].brief) != 0 ||
		    !field_more(same->items[i])->variants != !field_more(same->items[0])->variants)
			return false;
	return true;
}

static void put_value(struct listed *l, const struct same *same)
{
	const struct field *f = same->items[0];
	bool nullable = l->is_answer && f->flags & FIELD_NULLABLE;

	if (!are_alike(same))
		return;
	switch (f->type) {
	case FIELD_TEXT: put_type(l->o, "string", nullable); break;
	case FIELD_INT:
	case FIELD_MAYBE_INT: put_number(l, same, "integer", nullable); break;
	case FIELD_NUMBER:
	case FIELD_MAYBE_NUMBER: put_number(l, same, "number", nullable); break;
	case FIELD_FLAG:
	case FIELD_MAYBE_FLAG: put_type(l->o, "boolean", nullable); break;
	case FIELD_CHOICE: put_choices(l, same, nullable); break;
	case FIELD_CHOICES:
	case FIELD_TEXTS:
	case FIELD_NUMBERS:
	case FIELD_OBJECTS:
	case FIELD_UNIONS: put_items(l, same); break;
	case FIELD_OBJECT:
	case FIELD_UNION: put_shape(l, same, nullable); break;
	case FIELD_MAP:
	case FIELD_TEXT_MAP:
		put_type(l->o, "object", nullable);
		if (f->type == FIELD_TEXT_MAP && !l->is_answer) {
			json_key(l->o, "additionalProperties");
			json_open(l->o, '{');
			put_type(l->o, "string", false);
			json_close(l->o, '}');
		}
		break;
	case FIELD_ANY: break;
	}
}

/* A default of false or 0 is not listed. */
static bool tells_default(const struct listed *l, const struct field *f)
{
	return f->otherwise && !l->is_answer && strcmp(f->otherwise, "false") != 0 && strcmp(f->otherwise, "0") != 0;
}

static void put_property(struct listed *l, const struct same *same)
{
	const struct field *f = same->items[0];

	json_key(l->o, f->name);
	json_open(l->o, '{');
	put_value(l, same);
	if (f->prose && *f->prose && !l->is_answer && !(f->flags & FIELD_TERSE))
		put_pair(l->o, "description", f->prose);
	if (tells_default(l, f)) {
		json_key(l->o, "default");
		json_put_raw(l->o, text_of(f->otherwise));
	}
	if (field_more(f)->schema) {
		if (l->o->comma)
			buffer_byte(l->o->to, ',');
		buffer_put(l->o->to, field_more(f)->schema);
		l->o->comma = true;
	}
	json_close(l->o, '}');
}

/* The rows of the later tables that no earlier one has. */
static void rows_join(struct rows *rows, const struct field *const *tables)
{
	for (const struct field *const *t = tables; *t; t++)
		for (const struct field *f = *t; f->name; f++) {
			bool has_earlier = false;
			for (const struct field *const *e = tables; e != t; e++)
				has_earlier |= fields_find(*e, text_of(f->name)) != NULL;
			if (has_earlier || !is_listed(f))
				continue;
			assert(rows->n < ARRAY_COUNT(rows->items));
			rows->items[rows->n++] = f;
		}
	rows->sources = 1;
}

void fields_listed(struct json_out *o, const struct field *const *tables, bool is_answer, bool may_be_null)
{
	struct listed l = {.o = o, .is_answer = is_answer};
	struct rows rows = {0};

	rows_join(&rows, tables);
	json_open(o, '{');
	put_type(o, "object", false);
	if (rows.n) {
		json_key(o, "properties");
		json_open(o, '{');
		put_members(&l, &rows);
		json_close(o, '}');
		if (!may_be_null)
			put_required(&l, &rows, NULL);
	}
	json_close(o, '}');
}
