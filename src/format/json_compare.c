#include "format/json_index.h"
#include "format/json_number.h"

#include <stdio.h>
#include <string.h>

static struct text key_of(const struct json_member *m) { return (struct text){m->key, m->key_len}; }

static bool is_number(const struct json *v) { return v->type == JSON_INT || v->type == JSON_REAL; }

static bool number_same(const struct json *a, const struct json *b)
{
	char in_a[24], in_b[24];
	struct text text_a = {a->string, a->len}, text_b = {b->string, b->len};

	if (a->type == JSON_INT && b->type == JSON_INT)
		return a->integer == b->integer;
	if (a->type == JSON_INT)
		text_a = (struct text){in_a, (size_t)snprintf(in_a, sizeof in_a, "%lld", (long long)a->integer)};
	if (b->type == JSON_INT)
		text_b = (struct text){in_b, (size_t)snprintf(in_b, sizeof in_b, "%lld", (long long)b->integer)};
	return decimal_same(decimal_of(text_a), decimal_of(text_b));
}

/* Equal without looking at the contents: containers need the same type and length. */
static bool shallow_same(const struct json *a, const struct json *b)
{
	if (is_number(a) && is_number(b))
		return number_same(a, b);
	if (a->type != b->type)
		return false;
	switch ((enum json_type)a->type) {
	case JSON_NULL: return true;
	case JSON_BOOL: return a->boolean == b->boolean;
	case JSON_STRING: return text_same(json_text(a), json_text(b));
	case JSON_ARRAY:
	case JSON_OBJECT: return a->len == b->len;
	case JSON_INT:
	case JSON_REAL: break;
	}
	return false;
}

bool json_same(const struct json *a, const struct json *b)
{
	if (!a || !b)
		return a == b;
	if (!shallow_same(a, b))
		return false;
	if (a->type == JSON_ARRAY)
		for (uint32_t i = 0; i < a->len; i++)
			if (!json_same(&a->items[i], &b->items[i]))
				return false;
	if (a->type == JSON_OBJECT)
		for (uint32_t i = 0; i < a->len; i++)
			if (!json_same(&a->members[i].value, json_get_text(b, key_of(&a->members[i]))))
				return false;
	return true;
}
