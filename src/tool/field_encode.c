/* field_encode.c: encodes structs into JSON, by the tables they were decoded by. Unlisted members are written too,
 * because a request that is stored in a draft must be complete. */
#include "tool/field.h"
#include "tool/field_inner.h"

#include <string.h>

/* A list that was never set is absent; one set to no items is empty. */
static bool is_absent(const struct field *f, const void *at)
{
	switch (f->type) {
	case FIELD_TEXT: return !((const struct text *)at)->at;
	case FIELD_MAYBE_INT: return !((const struct maybe_int *)at)->there;
	case FIELD_MAYBE_NUMBER: return !((const struct maybe_number *)at)->there;
	case FIELD_MAYBE_FLAG: return !((const struct maybe_flag *)at)->there;
	case FIELD_CHOICE: return *(const int *)at < 0;
	case FIELD_UNION: return !((const struct variant_value *)at)->value;
	case FIELD_CHOICES: return !((const struct choices *)at)->items && !((const struct choices *)at)->n;
	case FIELD_TEXTS: return !((const struct texts *)at)->items && !((const struct texts *)at)->n;
	case FIELD_NUMBERS: return !((const struct numbers *)at)->items && !((const struct numbers *)at)->n;
	case FIELD_OBJECTS:
	case FIELD_UNIONS: return !((const struct objects *)at)->items && !((const struct objects *)at)->n;
	case FIELD_OBJECT:
	case FIELD_MAP:
	case FIELD_TEXT_MAP:
	case FIELD_ANY: {
		const void *pointer;
		memcpy(&pointer, at, sizeof pointer);
		return !pointer;
	}
	case FIELD_INT:
	case FIELD_NUMBER:
	case FIELD_FLAG: return false;
	}
	return false;
}

static void put_variant(struct json_out *o, const struct field *f, const struct variant_value *v)
{
	const struct variant *variant = &field_more(f)->variants[v->which];

	json_open(o, '{');
	json_key(o, field_more(f)->by);
	json_put_string(o, variant->name);
	fields_encode_members(o, variant->shape.fields, v->value);
	json_close(o, '}');
}

static void put_list(struct json_out *o, const struct field *f, const void *at)
{
	const struct objects *list = at; /* every list is a pointer and a count */

	json_open(o, '[');
	for (size_t i = 0; i < list->n; i++) {
		if (f->type == FIELD_TEXTS)
			json_put_text(o, ((const struct text *)list->items)[i]);
		else if (f->type == FIELD_NUMBERS)
			json_put_number(o, ((const double *)list->items)[i]);
		else if (f->type == FIELD_CHOICES)
			json_put_string(o, f->choices[((const int *)list->items)[i]]);
		else if (f->type == FIELD_UNIONS)
			put_variant(o, f, &((const struct variant_value *)list->items)[i]);
		else
			fields_encode(o, f->shape->fields, (const char *)list->items + i * f->shape->size);
	}
	json_close(o, ']');
}

static void put_value(struct json_out *o, const struct field *f, const void *at)
{
	switch (f->type) {
	case FIELD_TEXT: json_put_text(o, *(const struct text *)at); break;
	case FIELD_INT: json_put_int(o, *(const int64_t *)at); break;
	case FIELD_MAYBE_INT: json_put_int(o, ((const struct maybe_int *)at)->value); break;
	case FIELD_NUMBER: json_put_number(o, *(const double *)at); break;
	case FIELD_MAYBE_NUMBER: json_put_number(o, ((const struct maybe_number *)at)->value); break;
	case FIELD_FLAG: json_put_bool(o, *(const bool *)at); break;
	case FIELD_MAYBE_FLAG: json_put_bool(o, ((const struct maybe_flag *)at)->value); break;
	case FIELD_CHOICE: json_put_string(o, f->choices[*(const int *)at]); break;
	case FIELD_OBJECT: {
		const void *object;
		memcpy(&object, at, sizeof object);
		fields_encode(o, f->shape->fields, object);
		break;
	}
	case FIELD_UNION: put_variant(o, f, at); break;
	case FIELD_CHOICES:
	case FIELD_TEXTS:
	case FIELD_NUMBERS:
	case FIELD_OBJECTS:
	case FIELD_UNIONS: put_list(o, f, at); break;
	case FIELD_MAP:
	case FIELD_TEXT_MAP:
	case FIELD_ANY: json_put(o, *(const struct json *const *)at); break;
	}
}

void fields_encode_members(struct json_out *o, const struct field *table, const void *from)
{
	for (const struct field *f = table; f && f->name; f++) {
		const void *at = (const char *)from + f->at;
		bool absent = is_absent(f, at);

		if (absent && !(f->flags & (FIELD_NULLABLE | FIELD_REQUIRED)))
			continue;
		if (absent && !(f->flags & FIELD_NULLABLE) && !field_words[f->type].is_list)
			continue; /* a required value that the handler left out: the check of the result reports it */
		json_key(o, f->name);
		if (absent && f->flags & FIELD_NULLABLE)
			json_put_null(o);
		else
			put_value(o, f, at);
	}
}

void fields_encode_value(struct json_out *o, const struct field *row, const void *from)
{
	const void *at = (const char *)from + row->at;

	if (is_absent(row, at) && !(field_words[row->type].is_list && !(row->flags & FIELD_NULLABLE)))
		json_put_null(o);
	else
		put_value(o, row, at);
}

void fields_encode(struct json_out *o, const struct field *table, const void *from)
{
	json_open(o, '{');
	fields_encode_members(o, table, from);
	json_close(o, '}');
}

size_t fields_fit(const struct shape *shape, const void *objects, size_t n, size_t bytes)
{
	struct buffer b = {0};
	struct json_out o = {.to = &b};
	size_t fit = 0;

	while (fit < n && b.len <= bytes) {
		fields_encode(&o, shape->fields, (const char *)objects + fit * shape->size);
		fit++;
	}
	if (b.len > bytes && fit > 1)
		fit--;
	buffer_free(&b);
	return fit;
}
