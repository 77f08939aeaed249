#include "format/toml.h"

#include "base/array.h"
#include "base/map.h"
#include "format/toml_scan.h"

/* A document is read into tables that can grow, and converted to JSON at the end. How a table was made decides what may
 * be added to it. A header defines a table once. A table that is only a parent of another may be defined later. Tables
 * made by dotted keys belong to the table they are written in. Inline tables and arrays are values, closed at once. */
enum made_by { MADE_ON_THE_WAY, MADE_BY_HEADER, MADE_BY_DOTS };

struct entry {
	struct text key;
	struct table *table; /* a table */
	struct table **list; /* or an array of n tables */
	size_t n, cap;
	struct json *value; /* or a value */
};

struct table {
	ARRAY(struct entry) entries;
	struct map places;
	enum made_by made;
};

/* Nesting depth by headers, and again by keys and values; the sum stays below JSON_DEPTH_MAX. */
enum { NESTING_MAX = 90 };

struct key {
	struct text parts[NESTING_MAX];
	size_t n;
};

static struct json *value(struct toml_reader *r);

static struct table *new_table(struct toml_reader *r, enum made_by made)
{
	struct table *t = arena_new(r->arena, struct table);

	t->places.arena = r->arena;
	t->made = made;
	return t;
}

static struct entry *find(struct table *t, struct text key)
{
	const uint32_t *place = map_find(&t->places, key);

	return place ? &t->entries.items[*place] : NULL;
}

static struct entry *add(struct toml_reader *r, struct table *t, struct text key)
{
	map_at(&t->places, key, (uint32_t)t->entries.n, NULL);
	struct entry *e = ARRAY_PUSH(r->arena, &t->entries);
	e->key = key;
	return e;
}

static bool is_twice(struct toml_reader *r, const char *at, struct text key, const char *why)
{
	return toml_refuse(r, at, "the key %.*s %s", (int)(key.len < 60 ? key.len : 60), key.at, why);
}

static bool is_bare(char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_' || c == '-';
}

static bool key_part(struct toml_reader *r, struct text *out)
{
	if (toml_at(r, '"') || toml_at(r, '\'')) {
		if (toml_sees(r, "\"\"\"") || toml_sees(r, "'''"))
			return toml_refuse(r, r->at, "a key cannot be a string of several lines");
		return toml_string(r, out);
	}
	const char *from = r->at;
	while (r->at < r->end && is_bare(*r->at))
		r->at++;
	if (r->at == from)
		return toml_refuse(r, r->at, "expected a key");
	*out = (struct text){from, (size_t)(r->at - from)};
	return true;
}

static bool dotted_key(struct toml_reader *r, struct key *k)
{
	for (k->n = 0;;) {
		toml_skip_blanks(r);
		if (k->n == NESTING_MAX)
			return toml_refuse(r, r->at, "the key has more than %d parts", NESTING_MAX);
		if (!key_part(r, &k->parts[k->n++]))
			return false;
		toml_skip_blanks(r);
		if (!toml_at(r, '.'))
			return true;
		r->at++;
	}
}

/* key = value, into the table. */
static bool pair(struct toml_reader *r, struct table *t)
{
	const char *from = r->at;
	struct key k;

	if (!dotted_key(r, &k))
		return false;
	if (!toml_at(r, '='))
		return toml_refuse(r, r->at, "expected '=' after the key");
	r->at++;
	toml_skip_blanks(r);
	for (size_t i = 0; i + 1 < k.n; i++) {
		struct entry *e = find(t, k.parts[i]);
		if (!e) {
			e = add(r, t, k.parts[i]);
			e->table = new_table(r, MADE_BY_DOTS);
		}
		if (!e->table || e->table->made == MADE_BY_HEADER)
			return is_twice(r, from, k.parts[i],
					e->table ? "is a table that is defined elsewhere" : "is not a table here");
		t = e->table;
		t->made = MADE_BY_DOTS;
	}
	if (find(t, k.parts[k.n - 1]))
		return is_twice(r, from, k.parts[k.n - 1], "is given twice");
	r->depth += (unsigned)k.n - 1;
	struct json *v = value(r);
	r->depth -= (unsigned)k.n - 1;
	if (!v)
		return false;
	add(r, t, k.parts[k.n - 1])->value = v;
	return true;
}

static void to_json(struct toml_reader *r, const struct table *t, struct json *object)
{
	for (size_t i = 0; i < t->entries.n; i++) {
		const struct entry *e = &t->entries.items[i];
		struct json *v = e->value;
		if (e->table) {
			v = json_new_object(r->arena);
			to_json(r, e->table, v);
		} else if (!v) {
			v = json_new_array(r->arena);
			for (size_t k = 0; k < e->n; k++)
				to_json(r, e->list[k], json_push(r->arena, v, json_new_object(r->arena)));
		}
		json_set_key(r->arena, object, e->key, v);
	}
}

static struct json *inline_table(struct toml_reader *r)
{
	struct table *t = new_table(r, MADE_BY_DOTS);
	struct json *object = json_new_object(r->arena);

	r->at++;
	toml_skip_blanks(r);
	while (!toml_at(r, '}')) {
		if (!pair(r, t))
			return NULL;
		toml_skip_blanks(r);
		if (toml_at(r, '}'))
			break;
		if (!toml_at(r, ','))
			return toml_refuse(r, r->at, "expected ',' or '}' in the inline table, on the same line"), NULL;
		r->at++;
		toml_skip_blanks(r);
		if (toml_at(r, '}'))
			return toml_refuse(r, r->at, "an inline table cannot end in a comma"), NULL;
	}
	r->at++;
	to_json(r, t, object);
	return object;
}

static struct json *array(struct toml_reader *r)
{
	struct json *list = json_new_array(r->arena);

	r->at++;
	for (;;) {
		if (!toml_skip_lines(r))
			return NULL;
		if (toml_at(r, ']'))
			break;
		struct json *item = value(r);
		if (!item || !toml_skip_lines(r))
			return NULL;
		json_push(r->arena, list, item);
		if (toml_at(r, ']'))
			break;
		if (!toml_at(r, ','))
			return toml_refuse(r, r->at, "expected ',' or ']' in the array"), NULL;
		r->at++;
	}
	r->at++;
	return list;
}

static struct json *plain_value(struct toml_reader *r)
{
	struct text t;

	if (toml_at(r, '"') || toml_at(r, '\''))
		return toml_string(r, &t) ? json_new_text(r->arena, t) : NULL;
	return toml_scalar(r);
}

static struct json *value(struct toml_reader *r)
{
	uint32_t pos = (uint32_t)(r->at - r->text);

	if (++r->depth > NESTING_MAX)
		return toml_refuse(r, r->at, "values are nested more than %d deep", NESTING_MAX), NULL;
	bool is_open = toml_at(r, '[') || toml_at(r, '{');
	struct json *v = toml_at(r, '[') ? array(r) : toml_at(r, '{') ? inline_table(r) : plain_value(r);
	r->depth--;
	if (v && !is_open) {
		v->pos = pos;
		v->end = (uint32_t)(r->at - r->text);
	}
	return v;
}

static bool new_item(struct toml_reader *r, struct table *in, const char *from, struct text key, struct table **section)
{
	struct entry *e = find(in, key);

	if (e && !e->list)
		return is_twice(r, from, key, "is defined already, and not as an array of tables");
	if (!e)
		e = add(r, in, key);
	if (e->n == e->cap) {
		size_t cap = e->cap ? e->cap * 2 : 4;
		e->list = arena_grow(r->arena, e->list, e->cap * sizeof *e->list, cap * sizeof *e->list);
		e->cap = cap;
	}
	*section = e->list[e->n++] = new_table(r, MADE_BY_HEADER);
	return true;
}

static bool new_section(struct toml_reader *r, struct table *in, const char *from, struct text key,
			struct table **section)
{
	struct entry *e = find(in, key);

	if (e && (!e->table || e->table->made != MADE_ON_THE_WAY))
		return is_twice(r, from, key, "is defined already, so this table cannot be defined");
	if (!e) {
		e = add(r, in, key);
		e->table = new_table(r, MADE_BY_HEADER);
	}
	e->table->made = MADE_BY_HEADER;
	*section = e->table;
	return true;
}

/* [table] or [[table]]; the keys that follow belong to *section. */
static bool header(struct toml_reader *r, struct table *root, struct table **section)
{
	const char *from = r->at;
	bool is_item = toml_sees(r, "[[");
	struct table *in = root;
	struct key k;

	r->at += is_item ? 2 : 1;
	if (!dotted_key(r, &k))
		return false;
	if (!toml_sees(r, is_item ? "]]" : "]"))
		return toml_refuse(r, r->at, is_item ? "expected ']]' after the name" : "expected ']' after the name");
	r->at += is_item ? 2 : 1;
	for (size_t i = 0; i + 1 < k.n; i++) {
		struct entry *e = find(in, k.parts[i]);
		if (!e) {
			e = add(r, in, k.parts[i]);
			e->table = new_table(r, MADE_ON_THE_WAY);
		}
		if (e->value)
			return is_twice(r, from, k.parts[i], "is not a table here");
		in = e->table ? e->table : e->list[e->n - 1];
	}
	return is_item ? new_item(r, in, from, k.parts[k.n - 1], section)
		       : new_section(r, in, from, k.parts[k.n - 1], section);
}

static bool document(struct toml_reader *r, struct table *root)
{
	struct table *section = root;

	if (!toml_begin(r))
		return false;
	for (;;) {
		if (!toml_skip_lines(r))
			return false;
		if (r->at == r->end)
			return true;
		if (!(toml_at(r, '[') ? header(r, root, &section) : pair(r, section)) || !toml_line_end(r))
			return false;
	}
}

struct json *toml_parse(struct arena *a, struct text source, struct json_error *err)
{
	const char *at = source.at ? source.at : "";
	struct toml_reader r = {.arena = a, .text = at, .at = at, .end = at + source.len, .err = err};
	struct table *root = new_table(&r, MADE_BY_HEADER);

	if (err)
		*err = (struct json_error){0};
	if (!document(&r, root))
		return NULL;
	struct json *object = json_new_object(a);
	to_json(&r, root, object);
	return object;
}
