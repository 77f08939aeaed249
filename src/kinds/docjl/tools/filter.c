/* filter.c: MongoDB-style filters over documents' metadata. An unknown operator is an error, never "match all".
 *
 * Every condition is evaluated, even after one that does not match, so that each mistake is found. */
#include "kinds/docjl/tools/common.h"

#include "base/pattern.h"

#include <string.h>

enum { FILTER_DEPTH = 16 };

static int holds(struct call *c, const struct json *filter, const struct json *document, int depth);
static int operators(struct call *c, const struct json *ops, const struct json *value, int depth);

static int wrong(struct call *c, const char *name, const char *rule)
{
	fail(c, FAULT_ARGUMENT, "in the filter, %s %s", shown(c, text_of(name)), rule);
	return -1;
}

/* The order of two values of the same comparable type; otherwise 2. */
static int order(const struct json *a, const struct json *b)
{
	bool are_numbers =
		(a->type == JSON_INT || a->type == JSON_REAL) && (b->type == JSON_INT || b->type == JSON_REAL);

	if (are_numbers) {
		double one = json_real(a), two = json_real(b);
		return one < two ? -1 : one > two;
	}
	if (a->type == JSON_STRING && b->type == JSON_STRING) {
		int o = text_order(json_text(a), json_text(b));
		return o < 0 ? -1 : o > 0;
	}
	return 2;
}

static bool equals(const struct json *value, const struct json *want)
{
	if (!value)
		return want->type == JSON_NULL;
	if (json_same(value, want))
		return true;
	for (uint32_t i = 0; value->type == JSON_ARRAY && i < value->len; i++)
		if (json_same(&value->items[i], want))
			return true;
	return false;
}

static bool compares(const struct json *value, const struct json *want, const char *op)
{
	if (!value)
		return false;
	for (uint32_t i = 0; value->type == JSON_ARRAY && i < value->len; i++)
		if (compares(&value->items[i], want, op))
			return true;
	int o = order(value, want);
	if (o == 2)
		return false;
	return op[1] == 'g' ? o > 0 || (op[3] && !o) : o < 0 || (op[3] && !o);
}

static int matches(struct call *c, const struct json *value, const struct json *regex, bool folds)
{
	size_t from, to;

	if (!json_is(regex, JSON_STRING))
		return wrong(c, "$regex", "must be a pattern in a string");
	struct pattern *p = pattern_new(c, json_text(regex), folds);
	if (!p)
		return -1;
	if (json_is(value, JSON_ARRAY)) {
		int found = 0;
		for (uint32_t i = 0; i < value->len && !found; i++)
			found = matches(c, &value->items[i], regex, folds);
		return found;
	}
	return json_is(value, JSON_STRING) ? pattern_find(c, p, json_text(value), 0, &from, &to) : 0;
}

static int is_type(struct call *c, const struct json *value, const struct json *want)
{
	static const char *const names[] = {"null",   "bool",   "int",   "long",   "number",
					    "double", "string", "array", "object", NULL};
	struct text name = json_text(want);
	const char *const *known = names;

	while (*known && !text_is(name, *known))
		known++;
	if (!*known)
		return wrong(c, "$type", "takes one of: null, bool, int, long, number, double, string, array, object");
	if (!value)
		return 0;
	switch (value->type) {
	case JSON_NULL: return text_is(name, "null");
	case JSON_BOOL: return text_is(name, "bool");
	case JSON_INT: return text_is(name, "int") || text_is(name, "long") || text_is(name, "number");
	case JSON_REAL: return text_is(name, "double") || text_is(name, "number");
	case JSON_STRING: return text_is(name, "string");
	case JSON_ARRAY: return text_is(name, "array");
	default: return text_is(name, "object");
	}
}

static int among(struct call *c, const char *op, const struct json *want, const struct json *value)
{
	if (want->type != JSON_ARRAY)
		return wrong(c, op, "takes a list");
	for (uint32_t i = 0; i < want->len; i++)
		if (equals(value, &want->items[i]))
			return 1;
	return 0;
}

static int all_of(struct call *c, const struct json *want, const struct json *value)
{
	if (want->type != JSON_ARRAY)
		return wrong(c, "$all", "takes a list");
	for (uint32_t i = 0; i < want->len; i++)
		if (!equals(value, &want->items[i]))
			return 0;
	return want->len > 0;
}

static int element(struct call *c, const struct json *want, const struct json *value, int depth)
{
	bool has_operators = want->type == JSON_OBJECT && want->len && want->members[0].key[0] == '$';

	if (want->type != JSON_OBJECT)
		return wrong(c, "$elemMatch", "takes an object");
	int found = has_operators ? operators(c, want, NULL, depth + 1)
				  : holds(c, want, json_new_object(c->arena), depth + 1);
	if (found < 0)
		return -1;
	found = 0;
	for (uint32_t i = 0; json_is(value, JSON_ARRAY) && i < value->len && !found; i++)
		found = has_operators ? operators(c, want, &value->items[i], depth + 1)
				      : holds(c, want, &value->items[i], depth + 1);
	return found;
}

static int operate(struct call *c, const char *op, const struct json *want, const struct json *all,
		   const struct json *value, int depth)
{
	int found;

	if (!strcmp(op, "$eq"))
		return equals(value, want);
	if (!strcmp(op, "$ne"))
		return !equals(value, want);
	if (!strcmp(op, "$gt") || !strcmp(op, "$gte") || !strcmp(op, "$lt") || !strcmp(op, "$lte"))
		return compares(value, want, op);
	if (!strcmp(op, "$in"))
		return among(c, op, want, value);
	if (!strcmp(op, "$nin"))
		return (found = among(c, op, want, value)) < 0 ? -1 : !found;
	if (!strcmp(op, "$exists"))
		return want->type != JSON_BOOL ? wrong(c, op, "takes true or false") : (value != NULL) == want->boolean;
	if (!strcmp(op, "$regex"))
		return matches(c, value, want,
			       text_find(json_text(json_get(all, "$options")), TEXT("i"), 0) != SIZE_MAX);
	if (!strcmp(op, "$options") && !json_get(all, "$regex"))
		return wrong(c, op, "stands beside $regex");
	if (!strcmp(op, "$options"))
		return json_is(want, JSON_STRING) && (!want->len || text_is(json_text(want), "i"))
			       ? 1
			       : wrong(c, op, "takes \"i\" only");
	if (!strcmp(op, "$not"))
		return (found = operators(c, want, value, depth + 1)) < 0 ? -1 : !found;
	if (!strcmp(op, "$size"))
		return want->type != JSON_INT ? wrong(c, op, "takes an integer")
					      : json_is(value, JSON_ARRAY) && value->len == want->integer;
	if (!strcmp(op, "$all"))
		return all_of(c, want, value);
	if (!strcmp(op, "$type"))
		return is_type(c, value, want);
	if (!strcmp(op, "$elemMatch"))
		return element(c, want, value, depth);
	return wrong(c, op,
		     "is an unknown operator; there are $eq $ne $gt $gte $lt $lte $in $nin $exists $regex $options "
		     "$and $or $nor $not $size $all $type $elemMatch");
}

static int operators(struct call *c, const struct json *ops, const struct json *value, int depth)
{
	if (ops->type != JSON_OBJECT || depth > FILTER_DEPTH)
		return wrong(c, "$not", "takes an object of operators");
	int all = 1;
	for (uint32_t i = 0; i < ops->len && all >= 0; i++) {
		int found = operate(c, ops->members[i].key, &ops->members[i].value, ops, value, depth);
		all = found > 0 ? all : found;
	}
	return all;
}

static const struct json *at_path(struct call *c, const struct json *v, struct text path);

/* The values of all elements at the path, as a list. A condition matches if it matches one of them. */
static const struct json *in_elements(struct call *c, const struct json *list, struct text path)
{
	struct json *found = json_new_array(c->arena);

	for (uint32_t i = 0; i < list->len; i++) {
		const struct json *v = at_path(c, &list->items[i], path);
		if (v)
			json_push(c->arena, found, v);
	}
	return found->len ? found : NULL;
}

/* A dotted path, also through lists. */
static const struct json *at_path(struct call *c, const struct json *v, struct text path)
{
	while (v && path.len) {
		const struct json *whole = json_get_text(v, path);
		if (whole)
			return whole;
		size_t dot = text_find(path, TEXT("."), 0);
		struct text key = text_slice(path, 0, dot == SIZE_MAX ? path.len : dot);
		struct text rest = dot == SIZE_MAX ? (struct text){0} : text_slice(path, dot + 1, path.len);
		if (json_is(v, JSON_ARRAY))
			return in_elements(c, v, path);
		v = json_get_text(v, key);
		path = rest;
	}
	return v;
}

static const struct json *value_of(struct call *c, const struct json *document, struct text path)
{
	const struct json *v = at_path(c, document, path);

	return v ? v : at_path(c, json_get(document, "metadata"), path);
}

static int joined(struct call *c, const char *op, const struct json *list, const struct json *document, int depth)
{
	bool is_and = !strcmp(op, "$and");
	int decided = -1;

	if (list->type != JSON_ARRAY || !list->len)
		return wrong(c, op, "takes a list of filters");
	for (uint32_t i = 0; i < list->len; i++) {
		int found = holds(c, &list->items[i], document, depth + 1);
		if (found < 0)
			return -1;
		if (decided < 0 && is_and != (found == 1))
			decided = is_and ? 0 : !strcmp(op, "$or");
	}
	return decided >= 0 ? decided : is_and || !strcmp(op, "$nor");
}

static int holds(struct call *c, const struct json *filter, const struct json *document, int depth)
{
	if (filter->type != JSON_OBJECT || depth > FILTER_DEPTH)
		return wrong(c, "a filter", "must be an object");
	int all = 1;
	for (uint32_t i = 0; i < filter->len && all >= 0; i++) {
		const struct json_member *m = &filter->members[i];
		int found;
		if (!strcmp(m->key, "$and") || !strcmp(m->key, "$or") || !strcmp(m->key, "$nor"))
			found = joined(c, m->key, &m->value, document, depth);
		else if (m->key[0] == '$')
			found = operate(c, m->key, &m->value, filter, document, depth);
		else {
			const struct json *value = value_of(c, document, (struct text){m->key, m->key_len});
			bool has_operators =
				m->value.type == JSON_OBJECT && m->value.len && m->value.members[0].key[0] == '$';
			found = has_operators ? operators(c, &m->value, value, depth) : equals(value, &m->value);
		}
		all = found > 0 ? all : found;
	}
	return all;
}

int filter_holds(struct call *c, const struct json *filter, const struct json *document)
{
	return filter ? holds(c, filter, document, 0) : 1;
}
