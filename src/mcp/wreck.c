#include "mcp/wreck.h"

#include "format/json.h"

#include <string.h>

static bool key_is(const struct wreck *w, const char *name)
{
	return w->key_len == strlen(name) && !memcmp(w->key, name, w->key_len);
}

static void value_ends(struct wreck *w)
{
	if (!w->captures)
		return;
	w->captures = false;
	if (w->now_len > sizeof w->now)
		return;
	if (w->has_id && (w->now_len != w->id_len || memcmp(w->now, w->id, w->id_len) != 0))
		w->is_ambiguous = true;
	w->has_id = true;
	memcpy(w->id, w->now, w->now_len);
	w->id_len = w->now_len;
}

static void keep(struct wreck *w, char c)
{
	if (w->is_key && w->in_string) {
		if (w->key_len < sizeof w->key)
			w->key[w->key_len] = c;
		w->key_len++;
	} else if (w->captures) {
		if (w->now_len < sizeof w->now)
			w->now[w->now_len] = c;
		w->now_len++;
	}
}

static void in_string(struct wreck *w, char c)
{
	if (w->escaped) {
		w->escaped = false;
		keep(w, c);
		return;
	}
	if (c == '\\') {
		w->escaped = true;
		keep(w, c);
		return;
	}
	if (c != '"') {
		keep(w, c);
		return;
	}
	w->in_string = false;
	if (w->is_key) {
		w->is_key = false;
		return;
	}
	keep(w, c);
	value_ends(w);
}

static void begin_value(struct wreck *w, char c)
{
	w->wants_value = false;
	w->captures = key_is(w, "id") && c != '{' && c != '[';
	w->now_len = 0;
	w->has_method |= key_is(w, "method") && c == '"';
}

static void at_first_level(struct wreck *w, char c)
{
	if (w->wants_value)
		begin_value(w, c);
	if (c == '"' && w->wants_key) {
		w->wants_key = false;
		w->is_key = true;
		w->key_len = 0;
	} else if (c == ':') {
		w->wants_value = true;
	} else if (c == ',') {
		value_ends(w);
		w->wants_key = true;
	}
}

static void structure(struct wreck *w, char c)
{
	if (w->depth == 1)
		at_first_level(w, c);
	switch (c) {
	case '"':
		if (!w->is_key)
			keep(w, c);
		w->in_string = true;
		return;
	case '{':
	case '[':
		if (!w->begun)
			w->is_object = w->wants_key = c == '{';
		w->begun = true;
		w->depth++;
		return;
	case '}':
	case ']':
		if (w->depth == 1)
			value_ends(w);
		w->depth -= w->depth > 0;
		return;
	case ',':
	case ':': return;
	default: keep(w, c);
	}
}

void wreck_feed(struct wreck *w, struct text bytes)
{
	for (size_t i = 0; i < bytes.len; i++) {
		char c = bytes.at[i];
		if (w->in_string)
			in_string(w, c);
		else if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
			structure(w, c);
	}
}

struct text wreck_id(struct wreck *w, struct arena *a)
{
	struct json_error bad;
	struct text source = {w->id, w->id_len};

	if (!w->is_object || !w->has_method || !w->has_id || w->is_ambiguous)
		return (struct text){0};
	const struct json *id = json_parse(a, source, 1, &bad);
	return json_is(id, JSON_STRING) || json_is(id, JSON_INT) ? text_copy(a, source) : (struct text){0};
}
