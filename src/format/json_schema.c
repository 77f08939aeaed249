#include "format/json_schema.h"

#include "base/call.h"
#include "base/pattern.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

/* References may form a cycle that never moves on in the value. This depth ends it. */
enum { SCHEMA_DEPTH_MAX = 256 };

struct place {
	const struct place *up; /* NULL: the whole value */
	struct text name;       /* absent: an item */
	size_t index;
};

struct check {
	struct arena *arena;
	const struct json *root;
	struct text *why;
	unsigned depth;
	unsigned quiet; /* inside anyOf, oneOf and not the reasons are not needed */
};

static void say_place(struct buffer *to, const struct place *at)
{
	if (!at->up)
		return;
	say_place(to, at->up);
	buffer_byte(to, '/');
	if (at->name.at)
		buffer_add(to, at->name);
	else
		buffer_format(to, "%zu", at->index);
}

static bool broken(struct check *k, const struct place *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static bool broken(struct check *k, const struct place *at, const char *format, ...)
{
	struct buffer to = {.arena = k->arena};
	va_list ap;

	if (k->quiet || !k->why)
		return false;
	say_place(&to, at);
	buffer_put(&to, to.len ? ": " : "");
	va_start(ap, format);
	buffer_add(&to, text_vformat(k->arena, format, ap));
	va_end(ap);
	*k->why = buffer_text(&to);
	return false;
}

static bool holds(struct check *k, const struct place *at, const struct json *schema, const struct json *v);

static bool is_number(const struct json *v) { return json_is(v, JSON_INT) || json_is(v, JSON_REAL); }

static bool has_type(const struct json *v, struct text type)
{
	int64_t whole;

	if (text_is(type, "integer"))
		return is_number(v) && (json_integer(v, &whole) || json_real(v) == floor(json_real(v)));
	if (text_is(type, "number"))
		return is_number(v);
	if (is_number(v))
		return false;
	return text_is(type, json_type_name(v));
}

static bool check_type(struct check *k, const struct place *at, const struct json *want, const struct json *v)
{
	if (json_is(want, JSON_STRING)) {
		if (has_type(v, json_text(want)))
			return true;
		return broken(k, at, "is %s, not %s", json_type_name(v), json_text(want).at);
	}
	for (uint32_t i = 0; json_is(want, JSON_ARRAY) && i < want->len; i++)
		if (has_type(v, json_text(&want->items[i])))
			return true;
	return broken(k, at, "is %s, which is none of the types allowed", json_type_name(v));
}

static bool check_enum(struct check *k, const struct place *at, const struct json *want, const struct json *v)
{
	for (uint32_t i = 0; json_is(want, JSON_ARRAY) && i < want->len; i++)
		if (json_same(&want->items[i], v))
			return true;
	return broken(k, at, "%s is none of the values listed", json_source(k->arena, v).at);
}

static bool check_const(struct check *k, const struct place *at, const struct json *want, const struct json *v)
{
	return json_same(want, v) || broken(k, at, "must be %s", json_source(k->arena, want).at);
}

static bool check_number(struct check *k, const struct place *at, const struct json *s, const struct json *v)
{
	const struct json *minimum = json_get(s, "minimum"), *maximum = json_get(s, "maximum");
	const struct json *above = json_get(s, "exclusiveMinimum"), *below = json_get(s, "exclusiveMaximum");
	const struct json *step = json_get(s, "multipleOf");
	double n = json_real(v);

	if (minimum && n < json_real(minimum))
		return broken(k, at, "%g is below %g", n, json_real(minimum));
	if (maximum && n > json_real(maximum))
		return broken(k, at, "%g is above %g", n, json_real(maximum));
	if (above && n <= json_real(above))
		return broken(k, at, "%g is not above %g", n, json_real(above));
	if (below && n >= json_real(below))
		return broken(k, at, "%g is not below %g", n, json_real(below));
	if (step && fmod(n, json_real(step)) != 0)
		return broken(k, at, "%g is no multiple of %g", n, json_real(step));
	return true;
}

static bool check_count(struct check *k, const struct place *at, const struct json *s, const char *low,
			const char *high, size_t n, const char *unit)
{
	const struct json *least = json_get(s, low), *most = json_get(s, high);

	if (least && (double)n < json_real(least))
		return broken(k, at, "has %zu %s, fewer than %g", n, unit, json_real(least));
	if (most && (double)n > json_real(most))
		return broken(k, at, "has %zu %s, more than %g", n, unit, json_real(most));
	return true;
}

static bool check_text(struct check *k, const struct place *at, const struct json *s, const struct json *v)
{
	const struct json *pattern = json_get(s, "pattern");

	if (!check_count(k, at, s, "minLength", "maxLength", utf8_count(json_text(v)), "characters"))
		return false;
	if (!json_is(pattern, JSON_STRING))
		return true;
	struct call c = {.arena = k->arena};
	size_t from, to;
	struct pattern *p = pattern_new(&c, json_text(pattern), false);
	if (!p)
		return broken(k, at, "the schema's pattern is wrong: %s", c.error.message);
	return pattern_find(&c, p, json_text(v), 0, &from, &to) == 1 ||
	       broken(k, at, "does not match %s", json_text(pattern).at);
}

static bool check_list(struct check *k, const struct place *at, const struct json *s, const struct json *v)
{
	const struct json *first = json_get(s, "prefixItems"), *rest = json_get(s, "items"),
			  *unique = json_get(s, "uniqueItems");

	if (!check_count(k, at, s, "minItems", "maxItems", v->len, "items"))
		return false;
	for (uint32_t i = 0; i < v->len; i++) {
		struct place here = {.up = at, .index = i};
		const struct json *item = json_is(first, JSON_ARRAY) && i < first->len ? &first->items[i] : rest;
		if (item && !holds(k, &here, item, &v->items[i]))
			return false;
	}
	if (!json_is(unique, JSON_BOOL) || !unique->boolean)
		return true;
	for (uint32_t i = 0; i < v->len; i++)
		for (uint32_t j = 0; j < i; j++)
			if (json_same(&v->items[i], &v->items[j]))
				return broken(k, at, "items %u and %u are the same", j, i);
	return true;
}

static bool check_object(struct check *k, const struct place *at, const struct json *s, const struct json *v)
{
	const struct json *properties = json_get(s, "properties"), *others = json_get(s, "additionalProperties");
	const struct json *required = json_get(s, "required");

	if (!check_count(k, at, s, "minProperties", "maxProperties", v->len, "members"))
		return false;
	for (uint32_t i = 0; json_is(required, JSON_ARRAY) && i < required->len; i++)
		if (!json_get_text(v, json_text(&required->items[i])))
			return broken(k, at, "%s is required", json_text(&required->items[i]).at);
	for (uint32_t i = 0; i < v->len; i++) {
		struct text key = {v->members[i].key, v->members[i].key_len};
		struct place here = {.up = at, .name = key};
		const struct json *member = json_get_text(properties, key);
		if (!member && others && others->type == JSON_BOOL && !others->boolean)
			return broken(k, at, "%s is not a member it may have", key.at);
		if (!member)
			member = others;
		if (member && !holds(k, &here, member, &v->members[i].value))
			return false;
	}
	return true;
}

static uint32_t count_holding(struct check *k, const struct place *at, const struct json *list, const struct json *v)
{
	uint32_t n = 0;

	k->quiet++;
	for (uint32_t i = 0; i < list->len; i++)
		n += holds(k, at, &list->items[i], v);
	k->quiet--;
	return n;
}

/* Reports the branch that almost matches, not just "none of them": the first branch with a constant that the value
 * has. */
static bool explain_branch(struct check *k, const struct place *at, const struct json *list, const struct json *v)
{
	for (uint32_t i = 0; !k->quiet && i < list->len; i++) {
		const struct json *properties = json_get(&list->items[i], "properties");
		for (uint32_t j = 0; json_is(properties, JSON_OBJECT) && j < properties->len; j++) {
			const struct json_member *m = &properties->members[j];
			const struct json *constant = json_get(&m->value, "const");
			const struct json *have = json_get_text(v, (struct text){m->key, m->key_len});
			if (constant && have && json_same(constant, have))
				return holds(k, at, &list->items[i], v);
		}
	}
	return false;
}

static bool check_several(struct check *k, const struct place *at, const struct json *s, const struct json *v)
{
	const struct json *any = json_get(s, "anyOf"), *one = json_get(s, "oneOf"), *all = json_get(s, "allOf");
	const struct json *no = json_get(s, "not");

	if (json_is(any, JSON_ARRAY) && !count_holding(k, at, any, v)) {
		broken(k, at, "keeps none of the schemas of anyOf");
		return explain_branch(k, at, any, v);
	}
	if (json_is(one, JSON_ARRAY)) {
		uint32_t n = count_holding(k, at, one, v);
		if (n > 1)
			return broken(k, at, "keeps %u schemas of oneOf", n);
		if (!n) {
			broken(k, at, "keeps none of the schemas of oneOf");
			return explain_branch(k, at, one, v);
		}
	}
	for (uint32_t i = 0; json_is(all, JSON_ARRAY) && i < all->len; i++)
		if (!holds(k, at, &all->items[i], v))
			return false;
	if (no) {
		k->quiet++;
		bool kept = holds(k, at, no, v);
		k->quiet--;
		if (kept)
			return broken(k, at, "keeps the schema of not");
	}
	return true;
}

static bool check_reference(struct check *k, const struct place *at, struct text to, const struct json *v)
{
	const struct json *target = NULL;

	if (to.len && to.at[0] == '#')
		target = to.len == 1 ? k->root : json_pointer(k->root, text_slice(to, 1, to.len));
	if (!target)
		return broken(k, at, "the schema refers to %s, which is not in it", to.at);
	return holds(k, at, target, v);
}

static bool check_keywords(struct check *k, const struct place *at, const struct json *s, const struct json *v)
{
	const struct json *reference = json_get(s, "$ref"), *type = json_get(s, "type"),
			  *constant = json_get(s, "const");
	const struct json *listed = json_get(s, "enum");

	if (reference && !check_reference(k, at, json_text(reference), v))
		return false;
	if (type && !check_type(k, at, type, v))
		return false;
	if (constant && !check_const(k, at, constant, v))
		return false;
	if (listed && !check_enum(k, at, listed, v))
		return false;
	if (is_number(v) && !check_number(k, at, s, v))
		return false;
	if (json_is(v, JSON_STRING) && !check_text(k, at, s, v))
		return false;
	if (json_is(v, JSON_ARRAY) && !check_list(k, at, s, v))
		return false;
	if (json_is(v, JSON_OBJECT) && !check_object(k, at, s, v))
		return false;
	return check_several(k, at, s, v);
}

static bool holds(struct check *k, const struct place *at, const struct json *schema, const struct json *v)
{
	if (json_is(schema, JSON_BOOL))
		return schema->boolean || broken(k, at, "must not be there");
	if (!json_is(schema, JSON_OBJECT))
		return broken(k, at, "the schema here is neither an object nor true or false");
	if (k->depth >= SCHEMA_DEPTH_MAX)
		return broken(k, at, "the schema refers to itself without end");
	k->depth++;
	bool kept = check_keywords(k, at, schema, v);
	k->depth--;
	return kept;
}

bool json_schema_holds(struct arena *a, const struct json *schema, const struct json *value, struct text *why)
{
	struct check k = {.arena = a, .root = schema, .why = why};
	const struct place top = {0};

	if (why)
		*why = TEXT("");
	return holds(&k, &top, schema, value);
}
