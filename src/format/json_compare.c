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

/* Equal but for what stands inside: containers of one type and length. */
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

struct differ {
	struct arena *arena;
	struct buffer lines;
	struct buffer path; /* JSON pointer of where we are */
};

static void add_shown(struct differ *d, const struct json *v)
{
	enum { SHOWN_MAX = 200 };

	if (!v) {
		buffer_put(&d->lines, "nothing");
		return;
	}
	struct text source = json_source(d->arena, v);
	buffer_add(&d->lines, text_slice(source, 0, SHOWN_MAX));
	if (source.len > SHOWN_MAX)
		buffer_put(&d->lines, "...");
}

static void add_line(struct differ *d, const struct json *want, const struct json *have)
{
	struct text path = buffer_text(&d->path);

	if (path.len)
		buffer_add(&d->lines, path);
	else
		buffer_put(&d->lines, "/");
	buffer_put(&d->lines, ": want ");
	add_shown(d, want);
	buffer_put(&d->lines, ", have ");
	add_shown(d, have);
	buffer_byte(&d->lines, '\n');
}

static void differ_at(struct differ *d, const struct json *want, const struct json *have);

static void differ_below(struct differ *d, struct text token, const struct json *want, const struct json *have)
{
	size_t mark = d->path.len;

	buffer_byte(&d->path, '/');
	for (size_t i = 0; i < token.len; i++) {
		if (token.at[i] == '~' || token.at[i] == '/')
			buffer_put(&d->path, token.at[i] == '~' ? "~0" : "~1");
		else
			buffer_byte(&d->path, token.at[i]);
	}
	differ_at(d, want, have);
	d->path.len = mark;
}

static void differ_at(struct differ *d, const struct json *want, const struct json *have)
{
	if (!want || !have || want->type != have->type || (want->type != JSON_OBJECT && want->type != JSON_ARRAY)) {
		if (!want || !have || !shallow_same(want, have))
			add_line(d, want, have);
		return;
	}
	if (want->type == JSON_ARRAY) {
		for (uint32_t i = 0; i < want->len || i < have->len; i++)
			differ_below(d, text_format(d->arena, "%u", i), i < want->len ? &want->items[i] : NULL,
				     i < have->len ? &have->items[i] : NULL);
		return;
	}
	for (uint32_t i = 0; i < want->len; i++)
		differ_below(d, key_of(&want->members[i]), &want->members[i].value,
			     json_get_text(have, key_of(&want->members[i])));
	for (uint32_t i = 0; i < have->len; i++)
		if (!json_get_text(want, key_of(&have->members[i])))
			differ_below(d, key_of(&have->members[i]), NULL, &have->members[i].value);
}

struct text json_diff(struct arena *a, const struct json *want, const struct json *have)
{
	struct differ d = {.arena = a, .lines = {.arena = a}, .path = {.arena = a}};

	if (want || have)
		differ_at(&d, want, have);
	return buffer_text(&d.lines);
}
