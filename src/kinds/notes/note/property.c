#include "kinds/notes/note/property.h"

#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_nothing(const struct yaml_scalar *s)
{
	return s->quote == YAML_PLAIN && (!s->value.len || text_is(s->value, "~") || text_is(s->value, "null"));
}

size_t properties_of(const struct note *n, struct property out[PROPERTIES_MAX])
{
	size_t count = 0;

	for (size_t i = 0; n->yaml && i < n->yaml->entries.n; i++) {
		const struct yaml_entry *e = &n->yaml->entries.items[i];
		bool is_compared = e->type != YAML_OTHER && e->all_scalars && e->n;
		for (size_t k = 0; k < (is_compared ? e->n : 1) && count < PROPERTIES_MAX; k++) {
			struct property *p = &out[count++];
			*p = (struct property){.name = e->key.value};
			if (is_compared && !is_nothing(&e->items[k]))
				p->value = text_slice(e->items[k].value, 0,
						      utf8_cut(e->items[k].value, PROPERTY_VALUE_MAX));
		}
	}
	return count;
}

/* Digits with an optional sign, point and exponent: what every YAML reader takes for a number. */
static bool is_number(struct text t, double *out)
{
	char copy[40], *end;
	size_t digits = t.len && t.at[0] == '-';

	if (!t.len || t.len >= sizeof copy || digits >= t.len || t.at[digits] < '0' || t.at[digits] > '9' ||
	    (t.at[digits] == '0' && digits + 1 < t.len && t.at[digits + 1] != '.'))
		return false;
	for (size_t i = digits; i < t.len; i++)
		if (!strchr("0123456789.eE+-", t.at[i]))
			return false;
	memcpy(copy, t.at, t.len);
	copy[t.len] = 0;
	*out = strtod(copy, &end);
	return !*end && isfinite(*out);
}

static struct json *scalar_json(struct arena *a, const struct yaml_scalar *s)
{
	double number;

	if (is_nothing(s))
		return json_new_null(a);
	if (s->quote == YAML_PLAIN && (text_is(s->value, "true") || text_is(s->value, "false")))
		return json_new_bool(a, s->value.at[0] == 't');
	if (s->quote == YAML_PLAIN && is_number(s->value, &number))
		return json_new_number(a, number);
	return json_new_text(a, utf8_repaired(a, s->value));
}

static struct json *entry_json(struct arena *a, const struct note *n, const struct yaml_entry *e)
{
	if (e->type == YAML_SCALAR)
		return e->n ? scalar_json(a, &e->items[0]) : json_new_null(a);
	if (e->type == YAML_OTHER || !e->all_scalars) {
		struct text raw = text_slice(n->bytes, n->front.from + e->from, n->front.from + e->to);
		return json_new_text(a, utf8_repaired(a, text_trim(raw)));
	}
	struct json *list = json_new_array(a);
	for (size_t i = 0; i < e->n; i++)
		json_push(a, list, scalar_json(a, &e->items[i]));
	return list;
}

struct json *properties_json(struct arena *a, const struct note *n)
{
	if (!n->yaml || !n->yaml->entries.n)
		return NULL;
	struct json *all = json_new_object(a);
	for (size_t i = 0; i < n->yaml->entries.n; i++) {
		const struct yaml_entry *e = &n->yaml->entries.items[i];
		json_set_key(a, all, utf8_repaired(a, e->key.value), entry_json(a, n, e));
	}
	return all;
}
