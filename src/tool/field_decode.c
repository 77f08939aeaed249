/* field_decode.c: decodes JSON into structs, by field tables.
 *
 * The work is linear in the arguments: members are looked up in the table, and the first unknown member ends the
 * decoding. A value's path is a chain on the stack and is formatted only for an error. */
#include "tool/field.h"
#include "tool/field_inner.h"

#include "base/utf8.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct place {
	const struct place *up; /* NULL: the whole object */
	struct text name;       /* absent: an item of a list */
	size_t index;
	bool is_foreign; /* the name comes from the caller */
};

struct decoding {
	struct call *c;
	const struct decode_options *options;
	unsigned depth;
	unsigned unknown; /* unknown members that were ignored */
	bool only_checks; /* the tree itself is passed on: an encoded string in it stays a string, so it is refused */
	bool told_encoding, told_quotes, told_case; /* one warning is enough */
};

enum { UNKNOWN_TOLD_MAX = 16, NAMES_TOLD_MAX = 12, NEAREST_LEN_MAX = 64, QUOTED_MAX = 40 };

static void say_name(struct call *c, struct buffer *to, const struct place *at)
{
	if (!at->up)
		return;
	say_name(c, to, at->up);
	if (!at->name.at)
		buffer_format(to, "[%zu]", at->index);
	else
		buffer_format(to, "%s%s", to->len ? "." : "", at->is_foreign ? shown(c, at->name) : at->name.at);
}

static const char *name_of(struct call *c, const struct place *at)
{
	struct buffer to = {.arena = c->arena};

	say_name(c, &to, at);
	return to.len ? buffer_text(&to).at : "the whole";
}

static void say_pointer(struct call *c, struct buffer *to, const struct place *at)
{
	if (!at->up)
		return;
	say_pointer(c, to, at->up);
	buffer_byte(to, '/');
	if (!at->name.at) {
		buffer_format(to, "%zu", at->index);
		return;
	}
	for (const char *p = at->is_foreign ? shown(c, at->name) : at->name.at; *p; p++)
		if (*p == '~' || *p == '/')
			buffer_put(to, *p == '~' ? "~0" : "~1");
		else
			buffer_byte(to, *p);
}

static const char *pointer_of(struct call *c, const struct place *at)
{
	struct buffer to = {.arena = c->arena};

	say_pointer(c, &to, at);
	return buffer_text(&to).at;
}

/* "limit must be ..." names the position, which is also in error.where. */
static bool refuse(struct decoding *d, const struct place *at, enum fault f, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
static bool refuse(struct decoding *d, const struct place *at, enum fault f, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	struct text said = text_vformat(d->c->arena, format, ap);
	va_end(ap);
	fail(d->c, f, "%s %s", name_of(d->c, at), said.at);
	d->c->error.where = pointer_of(d->c, at);
	return false;
}

/* A value for a message: small ones whole, texts cut, lists and objects by their type. */
static const char *value_of(struct call *c, const struct json *v)
{
	switch ((enum json_type)v->type) {
	case JSON_NULL: return "null";
	case JSON_BOOL: return v->boolean ? "true" : "false";
	case JSON_INT: return text_format(c->arena, "%lld", (long long)v->integer).at;
	case JSON_REAL: return shown(c, (struct text){v->string, v->len});
	case JSON_STRING: return text_format(c->arena, "\"%s\"", shown(c, json_text(v))).at;
	case JSON_ARRAY: return "a list";
	case JSON_OBJECT: return "an object";
	}
	return "?";
}

static bool wrong(struct decoding *d, const struct place *at, const char *want, const struct json *v)
{
	return refuse(d, at, FAULT_ARGUMENT, "must be %s, not %s", want, value_of(d->c, v));
}

/* Joins NULL-terminated words: "a, b or c". */
static const char *listing(struct call *c, const char *const *words, const char *quote)
{
	struct buffer to = {.arena = c->arena};

	for (size_t i = 0; words[i]; i++)
		buffer_format(&to, "%s%s%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", quote, words[i], quote);
	return buffer_text(&to).at;
}

static size_t count_words(const char *const *words)
{
	size_t n = 0;

	while (words && words[n])
		n++;
	return n;
}

static const char *nearest(struct text typed, const char *const *words)
{
	return typed.len <= NEAREST_LEN_MAX ? text_nearest(typed, words) : NULL;
}

static bool not_one_of(struct decoding *d, const struct place *at, const char *const *words, const struct json *v)
{
	const char *near = nearest(json_text(v), words);

	if (count_words(words) <= NAMES_TOLD_MAX)
		return refuse(d, at, FAULT_ARGUMENT, "must be %s, not %s", listing(d->c, words, "\""),
			      value_of(d->c, v));
	if (near)
		return refuse(d, at, FAULT_ARGUMENT, "cannot be %s: did you mean \"%s\"?", value_of(d->c, v), near);
	return refuse(d, at, FAULT_ARGUMENT, "cannot be %s: the schema lists the %zu allowed values", value_of(d->c, v),
		      count_words(words));
}

static bool in_limits(struct decoding *d, const struct place *at, const struct limits *l, const struct json *v)
{
	char words[LIMITS_WORDS_MAX];

	if (limits_hold(l, json_real(v)))
		return true;
	return wrong(d, at, limits_words(words, l), v);
}

static bool count_in_limits(struct decoding *d, const struct place *at, const struct limits *l, size_t n,
			    const char *unit)
{
	char words[LIMITS_WORDS_MAX];

	if (limits_hold(l, (double)n))
		return true;
	return refuse(d, at, FAULT_ARGUMENT, "must have %s %s, not %zu", limits_words(words, l), unit, n);
}

/* Turns ".md .markdown" into ".md or .markdown". */
static const char *alternatives(struct arena *a, const char *extensions)
{
	struct buffer b = {.arena = a};

	for (const char *at = extensions; *at;) {
		size_t len = strcspn(at, " ");
		buffer_format(&b, "%s%.*s", !b.len ? "" : at[len] ? ", " : " or ", (int)len, at);
		at += len + strspn(at + len, " ");
	}
	return buffer_text(&b).at;
}

/* A path is refused here before the kind sees it. The message may begin with the words of the kind's specification. */
static bool refuse_path(struct decoding *d, const struct place *at, const struct field *f, enum fault fault,
			struct text path, const char *why)
{
	const char *opening = field_more(f)->refusal;
	/* Specifications want the path whole, but what is too long for a path is cut as any other value. */
	const char *name = path.len > FIELD_PATH_MAX ? shown(d->c, path) : shown_to(d->c, path, FIELD_PATH_MAX);

	refuse(d, at, fault, "%s", why);
	if (opening)
		d->c->error.message = text_format(d->c->arena, "%s %s: %s", opening, name, d->c->error.message).at;
	return false;
}

/* The details contain the file, as in the kind's own errors. */
static bool refuse_extension(struct decoding *d, const struct place *at, const struct field *f, const char *extensions,
			     struct text path)
{
	struct json *details = json_new_object(d->c->arena);

	json_set_text(d->c->arena, details, f->name, path);
	refuse_path(d, at, f, FAULT_PATH, path,
		    text_format(d->c->arena, "must name a file that ends in %s, not %s",
				alternatives(d->c->arena, extensions), shown(d->c, path))
			    .at);
	d->c->error.details = details;
	return false;
}

static bool check_path(struct decoding *d, const struct place *at, const struct field *f, struct text path)
{
	const char *extensions = field_more(f)->extensions ? field_more(f)->extensions : d->c->extensions;

	if (!path.len)
		return refuse_path(d, at, f, FAULT_ARGUMENT, path, "must not be empty: it is the path of a file");
	if (text_has_nul(path))
		return refuse_path(d, at, f, FAULT_ARGUMENT, path,
				   "must not contain a NUL character: it is the path of a file");
	if (path.len > FIELD_PATH_MAX)
		return refuse_path(
			d, at, f, FAULT_ARGUMENT, path,
			text_format(d->c->arena, "must have at most %d bytes, not %zu", FIELD_PATH_MAX, path.len).at);
	return !extensions || text_ends_in(path, extensions) || refuse_extension(d, at, f, extensions, path);
}

static bool read_text(struct decoding *d, const struct place *at, const struct field *f, const struct limits *l,
		      const struct json *v, struct text *to)
{
	if (!json_is(v, JSON_STRING))
		return wrong(d, at, f->choices ? listing(d->c, f->choices, "\"") : "a string", v);
	*to = json_text(v);
	if (f->flags & FIELD_PATH && !check_path(d, at, f, *to))
		return false;
	return !l || count_in_limits(d, at, l, utf8_count(*to), "characters");
}

/* Some clients quote numbers and booleans. A string that is exactly one such value is accepted. */
static const struct json *unquoted(struct decoding *d, const struct place *at, bool is_flag, const struct json *v)
{
	struct json_error ignored;
	struct text source = json_text(v);

	if (!json_is(v, JSON_STRING) || d->only_checks || (d->options && d->options->exact) || !source.len ||
	    source.len > QUOTED_MAX || strchr(" \t\r\n\"[{", source.at[0]))
		return v;
	const struct json *inner = json_parse(d->c->arena, source, 1, &ignored);
	if (!inner || (is_flag ? !json_is(inner, JSON_BOOL) : !json_is(inner, JSON_INT) && !json_is(inner, JSON_REAL)))
		return v;
	if (!d->told_quotes)
		warn(d->c, "%s was the string \"%s\"; give the %s itself", name_of(d->c, at), shown(d->c, source),
		     is_flag ? "boolean" : "number");
	d->told_quotes = true;
	return inner;
}

static bool read_integer(struct decoding *d, const struct place *at, const struct field *f, const struct json *v,
			 int64_t *to)
{
	v = unquoted(d, at, false, v);
	if (!json_integer(v, to))
		return wrong(d, at, "an integer", v);
	return in_limits(d, at, f->limits, v);
}

static bool read_number(struct decoding *d, const struct place *at, const struct limits *l, const struct json *v,
			double *to)
{
	v = unquoted(d, at, false, v);
	if (!json_is(v, JSON_INT) && !json_is(v, JSON_REAL))
		return wrong(d, at, "a number", v);
	*to = json_real(v);
	if (!isfinite(*to))
		return wrong(d, at, "a number within 1.8e308", v);
	return in_limits(d, at, l, v);
}

static bool read_flag(struct decoding *d, const struct place *at, const struct json *v, bool *to)
{
	v = unquoted(d, at, true, v);
	if (!json_is(v, JSON_BOOL))
		return wrong(d, at, "true or false", v);
	*to = v->boolean;
	return true;
}

/* Models write A4 for a4. A word that is the only choice in any case is accepted. -1: none, or several. */
static int choice_in_any_case(struct decoding *d, const struct place *at, const char *const *choices, struct text word)
{
	int found = -1;

	if (d->only_checks || (d->options && d->options->exact))
		return -1;
	for (int i = 0; choices[i]; i++) {
		if (word.len != strlen(choices[i]) || strncasecmp(word.at, choices[i], word.len) != 0)
			continue;
		if (found >= 0)
			return -1;
		found = i;
	}
	if (found >= 0 && !d->told_case)
		warn(d->c, "%s was \"%s\"; it is \"%s\"", name_of(d->c, at), shown(d->c, word), choices[found]);
	d->told_case |= found >= 0;
	return found;
}

static bool read_choice(struct decoding *d, const struct place *at, const struct field *f, const struct json *v,
			int *to)
{
	if (!json_is(v, JSON_STRING))
		return not_one_of(d, at, f->choices, v);
	for (int i = 0; f->choices[i]; i++)
		if (text_is(json_text(v), f->choices[i])) {
			*to = i;
			return true;
		}
	*to = choice_in_any_case(d, at, f->choices, json_text(v));
	return *to >= 0 || not_one_of(d, at, f->choices, v);
}

/* Some clients encode an object or a list as a string. It is accepted if it can have no other meaning. */
static const struct json *unwrapped(struct decoding *d, const struct place *at, enum json_type want,
				    const struct json *v)
{
	struct json_error ignored;

	if (!json_is(v, JSON_STRING) || d->only_checks)
		return v;
	struct text source = text_trim(json_text(v));
	if (!source.len || source.at[0] != (want == JSON_ARRAY ? '[' : '{'))
		return v;
	const struct json *inner = json_parse(d->c->arena, source, JSON_DEPTH_MESSAGE, &ignored);
	if (!json_is(inner, want))
		return v;
	if (!d->told_encoding)
		warn(d->c, "%s was a JSON-encoded string; give %s itself", name_of(d->c, at),
		     want == JSON_ARRAY ? "the list" : "the object");
	d->told_encoding = true;
	return inner;
}

static bool read_members(struct decoding *d, const struct place *at, const struct field *table, const char *by,
			 const struct json *object, void *into, size_t size);

static bool read_shape(struct decoding *d, const struct place *at, const struct shape *shape, const struct json *v,
		       const void **to)
{
	const struct json *object = unwrapped(d, at, JSON_OBJECT, v);

	if (!json_is(object, JSON_OBJECT))
		return wrong(d, at, "an object", object);
	void *made = arena_zero(d->c->arena, shape->size);
	*to = made;
	return read_members(d, at, shape->fields, NULL, object, made, shape->size);
}

static const char *const *variant_names(struct call *c, const struct variant *variants)
{
	size_t n = 0;

	while (variants[n].name)
		n++;
	const char **names = arena_array(c->arena, n + 1, sizeof *names);
	for (size_t i = 0; i < n; i++)
		names[i] = variants[i].name;
	return names;
}

/* Lists all valid names. The nearest comes first, even if it is not very near. */
static bool no_variant(struct decoding *d, const struct place *at, const char *const *names, const struct json *v)
{
	struct text typed = json_text(v);
	const char *near = NULL;
	unsigned best = (unsigned)typed.len / 2 + 1;

	if (count_words(names) <= NAMES_TOLD_MAX)
		return not_one_of(d, at, names, v);
	for (size_t i = 0; typed.len > 3 && typed.len <= NEAREST_LEN_MAX && names[i]; i++) {
		unsigned distance = text_distance(typed, text_of(names[i]), best);

		if (distance < best) {
			near = names[i];
			best = distance;
		}
	}
	return refuse(d, at, FAULT_ARGUMENT, "cannot be %s; %s%s%sit is one of %s", value_of(d->c, v),
		      near ? "did you mean \"" : "", near ? near : "", near ? "\"? " : "", listing(d->c, names, "\""));
}

static int variant_index(struct decoding *d, const struct place *at, const char *const *names, struct text word)
{
	for (int i = 0; names[i]; i++)
		if (text_is(word, names[i]))
			return i;
	return choice_in_any_case(d, at, names, word);
}

static bool read_variant(struct decoding *d, const struct place *at, const struct field *f, const struct json *v,
			 struct variant_value *to)
{
	const struct json *object = unwrapped(d, at, JSON_OBJECT, v);

	if (!json_is(object, JSON_OBJECT))
		return wrong(d, at, "an object", object);
	const struct json *which = json_get(object, field_more(f)->by);
	struct place here = {.up = at, .name = text_of(field_more(f)->by)};
	if (!which || json_is(which, JSON_NULL))
		return refuse(d, &here, FAULT_MISSING, "is required: %s",
			      listing(d->c, variant_names(d->c, field_more(f)->variants), "\""));
	const char *const *names = variant_names(d->c, field_more(f)->variants);
	int i = json_is(which, JSON_STRING) ? variant_index(d, &here, names, json_text(which)) : -1;
	if (i < 0)
		return no_variant(d, &here, names, which);
	const struct shape *shape = &field_more(f)->variants[i].shape;
	void *made = arena_zero(d->c->arena, shape->size);
	*to = (struct variant_value){.which = i, .value = made};
	return read_members(d, at, shape->fields, field_more(f)->by, object, made, shape->size);
}

static bool to_text(struct decoding *d, const struct place *at, const struct field *f, const struct json *v, void *to)
{
	return read_text(d, at, f, f->limits, v, to);
}

static bool to_integer(struct decoding *d, const struct place *at, const struct field *f, const struct json *v,
		       void *to)
{
	return read_integer(d, at, f, v, to);
}

static bool to_maybe_integer(struct decoding *d, const struct place *at, const struct field *f, const struct json *v,
			     void *to)
{
	struct maybe_int *maybe = to;

	maybe->there = true;
	return read_integer(d, at, f, v, &maybe->value);
}

static bool to_number(struct decoding *d, const struct place *at, const struct field *f, const struct json *v, void *to)
{
	return read_number(d, at, f->limits, v, to);
}

static bool to_maybe_number(struct decoding *d, const struct place *at, const struct field *f, const struct json *v,
			    void *to)
{
	struct maybe_number *maybe = to;

	maybe->there = true;
	return read_number(d, at, f->limits, v, &maybe->value);
}

static bool to_flag(struct decoding *d, const struct place *at, const struct field *f, const struct json *v, void *to)
{
	(void)f;
	return read_flag(d, at, v, to);
}

static bool to_maybe_flag(struct decoding *d, const struct place *at, const struct field *f, const struct json *v,
			  void *to)
{
	struct maybe_flag *maybe = to;

	(void)f;
	maybe->there = true;
	return read_flag(d, at, v, &maybe->value);
}

static bool to_choice(struct decoding *d, const struct place *at, const struct field *f, const struct json *v, void *to)
{
	return read_choice(d, at, f, v, to);
}

static bool to_object(struct decoding *d, const struct place *at, const struct field *f, const struct json *v, void *to)
{
	return read_shape(d, at, f->shape, v, to);
}

static bool to_union(struct decoding *d, const struct place *at, const struct field *f, const struct json *v, void *to)
{
	return read_variant(d, at, f, v, to);
}

static bool to_any(struct decoding *d, const struct place *at, const struct field *f, const struct json *v, void *to)
{
	(void)d;
	(void)at;
	(void)f;
	*(const struct json **)to = v;
	return true;
}

/* A value of a map: a text, or an object that fits the row's shape, read into the scratch. */
static bool check_value(struct decoding *d, const struct place *at, const struct field *f, const struct json *v,
			void *scratch)
{
	if (f->type == FIELD_TEXT_MAP)
		return json_is(v, JSON_STRING) || json_is(v, JSON_NULL) || wrong(d, at, "a string", v);
	if (!f->shape)
		return true;
	if (!json_is(v, JSON_OBJECT))
		return wrong(d, at, "an object", v);
	return read_members(d, at, f->shape->fields, NULL, v, scratch, f->shape->size);
}

static bool to_map(struct decoding *d, const struct place *at, const struct field *f, const struct json *v, void *to)
{
	const struct json *object = unwrapped(d, at, JSON_OBJECT, v);

	if (!json_is(object, JSON_OBJECT))
		return wrong(d, at, "an object", object);
	*(const struct json **)to = object;
	if (!count_in_limits(d, at, f->limits, object->len, "members"))
		return false;
	bool before = d->only_checks;
	void *scratch = f->shape ? arena_zero(d->c->arena, f->shape->size) : NULL;
	d->only_checks = true;
	for (uint32_t i = 0; i < object->len; i++) {
		const struct json_member *m = &object->members[i];
		struct place here = {.up = at, .name = {m->key, m->key_len}, .is_foreign = true};
		if (!check_value(d, &here, f, &m->value, scratch))
			return false;
	}
	d->only_checks = before;
	return true;
}

/* Items of lists. They use other members of the row than a single value does. */
static bool item_text(struct decoding *d, const struct place *at, const struct field *f, const struct json *v, void *to)
{
	return read_text(d, at, f, field_more(f)->item_limits, v, to);
}

static bool item_number(struct decoding *d, const struct place *at, const struct field *f, const struct json *v,
			void *to)
{
	return read_number(d, at, field_more(f)->item_limits, v, to);
}

static bool item_shape(struct decoding *d, const struct place *at, const struct field *f, const struct json *v,
		       void *to)
{
	const struct json *object = unwrapped(d, at, JSON_OBJECT, v);

	if (!json_is(object, JSON_OBJECT))
		return wrong(d, at, "an object", object);
	return read_members(d, at, f->shape->fields, NULL, object, to, f->shape->size);
}

typedef bool reader(struct decoding *, const struct place *, const struct field *, const struct json *, void *);

static const struct {
	reader *read;
	size_t size; /* 0: the shape's own */
} items[FIELD_ANY + 1] = {
	[FIELD_TEXTS] = {item_text, sizeof(struct text)},
	[FIELD_NUMBERS] = {item_number, sizeof(double)},
	[FIELD_CHOICES] = {to_choice, sizeof(int)},
	[FIELD_OBJECTS] = {item_shape, 0},
	[FIELD_UNIONS] = {to_union, sizeof(struct variant_value)},
};

/* All lists are a pointer followed by a count. */
struct any_list {
	void *items;
	size_t n;
};
_Static_assert(sizeof(struct any_list) == sizeof(struct texts) &&
		       offsetof(struct texts, n) == offsetof(struct any_list, n),
	       "");
_Static_assert(sizeof(struct any_list) == sizeof(struct objects), "");
_Static_assert(sizeof(struct any_list) == sizeof(struct numbers) && sizeof(struct any_list) == sizeof(struct choices),
	       "");

static bool to_list(struct decoding *d, const struct place *at, const struct field *f, const struct json *v, void *to)
{
	const struct json *array = unwrapped(d, at, JSON_ARRAY, v);
	size_t size = items[f->type].size ? items[f->type].size : f->shape->size;

	if (!json_is(array, JSON_ARRAY))
		return wrong(d, at, field_words[f->type].one, array);
	if (!count_in_limits(d, at, f->limits, array->len, "items"))
		return false;
	struct any_list list = {.items = arena_array(d->c->arena, array->len ? array->len : 1, size), .n = array->len};
	memcpy(to, &list, sizeof list);
	for (size_t i = 0; i < list.n; i++) {
		struct place here = {.up = at, .index = i};
		if (!items[f->type].read(d, &here, f, &array->items[i], (char *)list.items + i * size))
			return false;
	}
	return true;
}

static reader *const readers[FIELD_ANY + 1] = {
	[FIELD_TEXT] = to_text,
	[FIELD_INT] = to_integer,
	[FIELD_MAYBE_INT] = to_maybe_integer,
	[FIELD_NUMBER] = to_number,
	[FIELD_MAYBE_NUMBER] = to_maybe_number,
	[FIELD_FLAG] = to_flag,
	[FIELD_MAYBE_FLAG] = to_maybe_flag,
	[FIELD_CHOICE] = to_choice,
	[FIELD_CHOICES] = to_list,
	[FIELD_TEXTS] = to_list,
	[FIELD_NUMBERS] = to_list,
	[FIELD_OBJECT] = to_object,
	[FIELD_OBJECTS] = to_list,
	[FIELD_UNION] = to_union,
	[FIELD_UNIONS] = to_list,
	[FIELD_MAP] = to_map,
	[FIELD_TEXT_MAP] = to_map,
	[FIELD_ANY] = to_any,
};

/* Names that may be suggested: those of the table and, at the top level, those decoded elsewhere. */
static const char *const *known_names(struct decoding *d, const struct place *at, const struct field *table)
{
	ARRAY(const char *) names = {0};

	for (const struct field *f = table; f && f->name; f++)
		if (field_is_listed(f))
			*ARRAY_PUSH(d->c->arena, &names) = f->name;
	for (const struct field *f = at->up ? NULL : d->options->also; f && f->name; f++)
		*ARRAY_PUSH(d->c->arena, &names) = f->name;
	*ARRAY_PUSH(d->c->arena, &names) = NULL;
	return names.items;
}

static bool unknown_member(struct decoding *d, const struct place *at, const struct field *table, struct text key)
{
	if (d->options->lenient && d->unknown++ >= UNKNOWN_TOLD_MAX)
		return true;
	const char *const *names = known_names(d, at, table);
	const char *near = nearest(key, names);
	const char *noun = d->options->noun ? d->options->noun : "argument";
	struct text advice = near        ? text_format(d->c->arena, ": did you mean %s?", near)
			     : !names[0] ? text_format(d->c->arena, ": there are none")
			     : count_words(names) <= NAMES_TOLD_MAX
				     ? text_format(d->c->arena, ": there is %s", listing(d->c, names, ""))
				     : TEXT("");
	struct text said = at->up ? text_format(d->c->arena, "%s has no member %s%s", name_of(d->c, at),
						shown(d->c, key), advice.at)
				  : text_format(d->c->arena, "there is no %s %s%s", noun, shown(d->c, key), advice.at);

	if (d->options->lenient) {
		warn(d->c, "%s", said.at);
		return true;
	}
	struct place here = {.up = at, .name = key, .is_foreign = true};
	fail(d->c, FAULT_ARGUMENT, "%s", said.at);
	d->c->error.where = pointer_of(d->c, &here);
	return false;
}

static bool counts_as_absent(const struct field *f, const struct json *v)
{
	if (json_is(v, JSON_NULL))
		return f->type != FIELD_ANY;
	return json_is(v, JSON_STRING) && !v->len && field_is_optional(f) && !(f->flags & FIELD_EMPTY) &&
	       (f->type == FIELD_TEXT || f->type == FIELD_CHOICE);
}

/* Sets the struct's member when the caller gave no value. */
static bool fill_absent(struct decoding *d, const struct place *at, const struct field *f, void *to)
{
	if (f->otherwise) {
		struct json_error wrong_table;
		const struct json *v = json_parse(d->c->arena, text_of(f->otherwise), JSON_DEPTH_MESSAGE, &wrong_table);
		bool fits = v && readers[f->type](d, at, f, v, to);
		assert(fits && "a default that its own row refuses");
		return fits;
	}
	if (f->flags & FIELD_REQUIRED && !(f->flags & FIELD_LATE))
		return refuse(d, at, FAULT_MISSING, "is required%s%s", f->prose && *f->prose ? ": " : "",
			      f->prose ? f->prose : "");
	if (f->type == FIELD_CHOICE)
		*(int *)to = -1;
	return true;
}

static size_t rows_of(const struct field *table)
{
	size_t n = 0;

	while (table && table[n].name)
		n++;
	return n;
}

static bool read_members(struct decoding *d, const struct place *at, const struct field *table, const char *by,
			 const struct json *object, void *into, size_t size)
{
	struct text seen[FIELD_ROWS_MAX] = {0};

	if (d->depth >= FIELD_DEPTH_MAX)
		return refuse(d, at, FAULT_ARGUMENT, "is nested deeper than %d levels", FIELD_DEPTH_MAX);
	assert(rows_of(table) <= FIELD_ROWS_MAX);
	d->depth++;
	memset(into, 0, size);
	for (uint32_t i = 0; i < object->len; i++) {
		const struct json_member *m = &object->members[i];
		struct text key = {m->key, m->key_len};
		const struct field *f = fields_find(table, key);
		if (!f) {
			if (!(by && text_is(key, by)) && !unknown_member(d, at, table, key))
				return false;
			continue;
		}
		size_t row = (size_t)(f - table);
		struct place here = {.up = at, .name = text_of(f->name)};
		if (counts_as_absent(f, &m->value))
			continue;
		if (seen[row].at)
			return refuse(d, &here, FAULT_ARGUMENT, "is given twice, as %s and as %s: give it once",
				      shown(d->c, seen[row]), shown(d->c, key));
		seen[row] = key;
		if (!readers[f->type](d, &here, f, &m->value, (char *)into + f->at))
			return false;
	}
	for (const struct field *f = table; f && f->name; f++) {
		struct place here = {.up = at, .name = text_of(f->name)};
		if (!seen[f - table].at && !fill_absent(d, &here, f, (char *)into + f->at))
			return false;
	}
	d->depth--;
	return true;
}

bool fields_decode(struct call *c, const struct field *table, size_t size, const struct json *args, void *into,
		   const struct decode_options *options)
{
	static const struct decode_options plain;
	static const struct json nothing = {.type = JSON_OBJECT};
	struct decoding d = {.c = c, .options = options ? options : &plain};
	const struct place top = {0};

	if (!args)
		args = &nothing;
	if (!json_is(args, JSON_OBJECT))
		return fail(c, FAULT_ARGUMENT, "the %ss must be an object, not %s",
			    d.options->noun ? d.options->noun : "argument", value_of(c, args));
	if (!read_members(&d, &top, table, NULL, args, into, size))
		return false;
	if (d.unknown > UNKNOWN_TOLD_MAX)
		warn(c, "and %u more unknown ones", d.unknown - UNKNOWN_TOLD_MAX);
	return true;
}
