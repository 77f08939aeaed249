/* field_fuzz.c: arguments against a table with every type in it.
 *
 * If the first byte is even, the rest is JSON. If it is odd, the rest decides how arguments are made from the table,
 * mostly right and sometimes wrong, so that deep levels are reached that random bytes would not reach. Properties:
 * accepted arguments encode to JSON that matches the schema, and decode and encode to the same again. JSON that matches
 * the schema is accepted, except for the few rules that a schema cannot express. */
#include "format/json_schema.h"
#include "tool/field.h"
#include "tool/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct chance {
	const uint8_t *at, *end;
};

static unsigned draw(struct chance *d, unsigned below) { return d->at < d->end ? *d->at++ % below : 0; }

static void make_fields(struct json_out *o, struct chance *d, const struct field *table, unsigned depth);

static void make_text(struct json_out *o, struct chance *d)
{
	static const char *const texts[] = {"a",
					    "",
					    "ab",
					    "add",
					    "remove",
					    "red",
					    "\xF0\x9F\x98\x80\xC3\xA4",
					    "abcdefghijkl",
					    "[]",
					    "{\"x\":1,\"y\":2}",
					    "[\"a\"]",
					    "circle",
					    "a.md"};
	unsigned which = draw(d, ARRAY_COUNT(texts) + 1);

	json_put_text(o, which < ARRAY_COUNT(texts) ? text_of(texts[which]) : TEXT("nul\0nul"));
}

static void make_number(struct json_out *o, struct chance *d)
{
	static const char *const numbers[] = {"0",
					      "1",
					      "2",
					      "100",
					      "101",
					      "-1",
					      "1.0",
					      "2.5",
					      "2.75",
					      "1e2",
					      "1e999",
					      "-0.0",
					      "9223372036854775807",
					      "9223372036854775808"};

	json_put_raw(o, text_of(numbers[draw(d, ARRAY_COUNT(numbers))]));
}

static void make_anything(struct json_out *o, struct chance *d, unsigned depth)
{
	unsigned what = draw(d, depth ? 6 : 4);

	if (what == 0)
		json_put_null(o);
	else if (what == 1)
		json_put_bool(o, draw(d, 2));
	else if (what == 2)
		make_number(o, d);
	else if (what == 3)
		make_text(o, d);
	else if (what == 4) {
		json_open(o, '[');
		for (unsigned n = draw(d, 3); n; n--)
			make_anything(o, d, depth - 1);
		json_close(o, ']');
	} else {
		json_open(o, '{');
		json_key(o, "x");
		make_anything(o, d, depth - 1);
		json_close(o, '}');
	}
}

static void make_choice(struct json_out *o, struct chance *d, const struct field *f)
{
	unsigned n = 0;

	while (f->choices[n])
		n++;
	json_put_string(o, f->choices[draw(d, n)]);
}

static void make_variant(struct json_out *o, struct chance *d, const struct field *f, unsigned depth)
{
	unsigned n = 0;

	while (field_more(f)->variants[n].name)
		n++;
	const struct variant *v = &field_more(f)->variants[draw(d, n)];
	json_open(o, '{');
	json_key(o, field_more(f)->by);
	json_put_string(o, v->name);
	make_fields(o, d, v->shape.fields, depth);
	json_close(o, '}');
}

static void make_item(struct json_out *o, struct chance *d, const struct field *f, unsigned depth)
{
	switch (f->type) {
	case FIELD_TEXT:
	case FIELD_TEXTS: make_text(o, d); break;
	case FIELD_INT:
	case FIELD_MAYBE_INT:
	case FIELD_NUMBER:
	case FIELD_MAYBE_NUMBER:
	case FIELD_NUMBERS: make_number(o, d); break;
	case FIELD_FLAG:
	case FIELD_MAYBE_FLAG: json_put_bool(o, draw(d, 2)); break;
	case FIELD_CHOICE:
	case FIELD_CHOICES: make_choice(o, d, f); break;
	case FIELD_OBJECT:
	case FIELD_OBJECTS:
		json_open(o, '{');
		make_fields(o, d, f->shape->fields, depth);
		json_close(o, '}');
		break;
	case FIELD_UNION:
	case FIELD_UNIONS: make_variant(o, d, f, depth); break;
	case FIELD_MAP:
	case FIELD_TEXT_MAP:
		json_open(o, '{');
		json_key(o, "k");
		if (f->shape) {
			json_open(o, '{');
			make_fields(o, d, f->shape->fields, depth);
			json_close(o, '}');
		} else {
			make_text(o, d);
		}
		json_close(o, '}');
		break;
	case FIELD_ANY: make_anything(o, d, 3); break;
	}
}

static bool is_list(enum field_type t)
{
	return t == FIELD_TEXTS || t == FIELD_NUMBERS || t == FIELD_CHOICES || t == FIELD_OBJECTS || t == FIELD_UNIONS;
}

static void make_fields(struct json_out *o, struct chance *d, const struct field *table, unsigned depth)
{
	for (const struct field *f = table; f->name; f++) {
		unsigned how = draw(d, 16);
		if (!depth || (how < 8 && !(f->flags & FIELD_REQUIRED)) || how == 8)
			continue;
		json_key(o, how == 9 && field_more(f)->aliases ? field_more(f)->aliases[0] : f->name);
		if (how == 10) {
			make_anything(o, d, 2);
		} else if (is_list(f->type)) {
			json_open(o, '[');
			for (unsigned n = draw(d, 5); n; n--)
				make_item(o, d, f, depth - 1);
			json_close(o, ']');
		} else {
			make_item(o, d, f, depth - 1);
		}
	}
}

static struct text encoded(struct arena *a, const struct all *from)
{
	struct buffer to = {.arena = a};

	fields_encode(&(struct json_out){.to = &to}, all_fields, from);
	return buffer_text(&to);
}

static void broken(const char *property, struct text args, const char *why)
{
	fprintf(stderr, "%s: %.*s: %s\n", property, (int)args.len, args.at, why);
	abort();
}

static bool is_beyond_schemas(const char *message)
{
	static const char *const words[] = {"NUL", "bytes", "integer", "1.8e308", "nested"};

	for (size_t i = 0; i < ARRAY_COUNT(words); i++)
		if (strstr(message, words[i]))
			return true;
	return false;
}

static void check(struct arena *a, const struct json *args)
{
	struct call c = {.arena = a};
	struct json_error e = {0};
	struct buffer to = {.arena = a};
	struct all first, second;
	struct text source = json_source(a, args), why;

	fields_schema_joined(&(struct json_out){.to = &to}, (const struct field *const[]){all_fields, NULL}, false);
	const struct json *schema = json_parse(a, buffer_text(&to), JSON_DEPTH_MAX, &e);
	if (!fields_decode(&c, all_fields, sizeof first, args, &first, NULL)) {
		if (!c.error.message || !c.error.fault)
			broken("a refusal says why", source, "");
		if (!is_beyond_schemas(c.error.message) && json_schema_holds(a, schema, args, &why))
			broken("what keeps the schema is accepted", source, c.error.message);
		return;
	}
	first.named = NULL; /* passed on unchanged, with nulls that count as absent */
	struct text once = encoded(a, &first);
	const struct json *again = json_parse(a, once, JSON_DEPTH_MAX, &e);
	if (!again)
		broken("what is encoded is JSON", source, e.message);
	if (!json_schema_holds(a, schema, again, &why))
		broken("what was accepted keeps the schema", once, why.at);
	struct buffer lean = {.arena = a};
	fields_listed(&(struct json_out){.to = &lean}, (const struct field *const[]){all_fields, NULL}, false, false);
	if (!json_schema_holds(a, json_parse(a, buffer_text(&lean), JSON_DEPTH_MAX, &e), again, &why))
		broken("and the one that clients are sent", once, why.at);
	if (!fields_decode(&c, all_fields, sizeof second, again, &second, NULL))
		broken("what was accepted is accepted again", once, c.error.message);
	if (!text_same(once, encoded(a, &second)))
		broken("it is the same again", once, encoded(a, &second).at);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct arena arena = {0};
	struct json_error e;
	struct text source = {(const char *)bytes + 1, n ? n - 1 : 0};

	if (n && bytes[0] & 1) {
		struct buffer to = {.arena = &arena};
		struct json_out o = {.to = &to};
		struct chance d = {bytes + 1, bytes + n};
		json_open(&o, '{');
		make_fields(&o, &d, all_fields, 4);
		json_close(&o, '}');
		source = buffer_text(&to);
	}
	const struct json *args = n ? json_parse(&arena, source, JSON_DEPTH_MESSAGE, &e) : NULL;
	if (args)
		check(&arena, args);
	arena_free(&arena);
	return 0;
}
