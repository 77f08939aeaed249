/* block.c: types, words, and the stored form. */
#include "kinds/docjl/block/block.h"

#include "base/utf8.h"

#include <string.h>

static const struct docjl_type types[] = {
	{"paragraph", "para", false, false},
	{"heading", "sec", true, false},
	{"section", "sec", true, false},
	{"table", "tab", false, false},
	{"list", "list", false, false},
	{"image", "fig", false, false},
	{"code", "code", false, false},
	{"reference", "ref", false, false},
	{"equation", "eq", false, true},
	{"equation_block", "eq", false, true},
	{"figure", "fig", false, true},
	{"subfigure", "fig", false, true},
	{"infobox", "box", false, true},
	{"resultbox", "box", false, true},
	{"signature_table", "tab", false, true},
	{"document_header", "head", false, true},
	{"appendix_start", "mark", false, true},
	{"list_description", "list", false, true},
	{"align", "eq", false, true},
	{"split", "eq", false, true},
	{"quote", "para", false, true},
	{"horizontal_rule", "mark", false, true},
	{"latex_command", "mark", false, true},
	{"pagebreak", "mark", false, true},
	{"vspace", "mark", false, true},
	{"bibliography", "bib", false, true},
	{"abstract", "para", false, true},
};

const struct docjl_type *block_type_find(struct text name)
{
	for (size_t i = 0; i < ARRAY_COUNT(types); i++)
		if (text_is(name, types[i].name))
			return &types[i];
	return NULL;
}

struct text block_prefix(struct text type)
{
	const struct docjl_type *t = block_type_find(type);

	return t ? text_of(t->prefix) : TEXT("block");
}

/* A file may put children below any block. A block with children is stored as a container. */
bool block_holds(struct text type, const struct json *block)
{
	const struct docjl_type *t = block_type_find(type);
	const struct json *children = json_get(block, "children");

	return (t && t->holds) || (json_is(children, JSON_ARRAY) && children->len);
}

static bool is_word_key(const char *key)
{
	static const char *const not_words[] = {"type",         "label", "children", "level",    "ordered",
						"src",          "href",  "target",   "language", "color",
						"line_numbers", "uid",   NULL};

	for (const char *const *k = not_words; *k; k++)
		if (!strcmp(key, *k))
			return false;
	return true;
}

static void words_of(struct buffer *to, const struct json *v, bool is_top)
{
	if (v->type == JSON_STRING) {
		if (to->len && to->at[to->len - 1] != ' ' && to->at[to->len - 1] != '\n')
			buffer_byte(to, is_top ? '\n' : ' ');
		buffer_add(to, json_text(v));
	} else if (v->type == JSON_ARRAY) {
		for (uint32_t i = 0; i < v->len; i++)
			words_of(to, &v->items[i], false);
	} else if (v->type == JSON_OBJECT) {
		for (uint32_t i = 0; i < v->len; i++)
			/* `label` is prose inside the boxes of extension types. */
			if (is_word_key(v->members[i].key) || (!is_top && !strcmp(v->members[i].key, "label")))
				words_of(to, &v->members[i].value, is_top);
	}
}

struct text inline_text(const struct json *v)
{
	struct text content = json_text(json_get(v, "content"));

	return v && v->type == JSON_STRING ? json_text(v) : content.at ? content : json_text(json_get(v, "text"));
}

struct text inline_address(const struct json *v)
{
	struct text href = json_text(json_get(v, "href"));

	return href.at ? href : json_text(json_get(v, "url"));
}

bool is_inline(const struct json *v)
{
	static const char *const names[] = {"text", "bold", "italic", "code", "link", "ref", NULL};
	struct text type = json_text(json_get(v, "type"));

	for (const char *const *n = names; *n; n++)
		if (text_is(type, *n))
			return true;
	return false;
}

struct text value_text(struct arena *a, const struct json *v)
{
	struct buffer b = {.arena = a};

	if (!v || v->type == JSON_NULL)
		return TEXT("");
	if (v->type == JSON_STRING)
		return json_text(v);
	if (v->type != JSON_ARRAY && v->type != JSON_OBJECT)
		return json_source(a, v);
	words_of(&b, v, false);
	return buffer_text(&b);
}

/* Inlines are joined without a blank: "ca" + bold "libration" is one word. */
static void inline_words(struct buffer *to, const struct json *inlines)
{
	for (uint32_t i = 0; i < inlines->len; i++)
		buffer_add(to, inline_text(&inlines->items[i]));
}

static bool is_inlines(const struct json *v)
{
	if (!json_is(v, JSON_ARRAY) || !v->len)
		return false;
	for (uint32_t i = 0; i < v->len; i++)
		if (!json_get(&v->items[i], "type") && v->items[i].type != JSON_STRING)
			return false;
	return json_get(&v->items[0], "type") != NULL;
}

static void member_words(struct buffer *to, const char *key, const struct json *v)
{
	if (to->len && to->at[to->len - 1] != '\n')
		buffer_byte(to, '\n');
	if (is_inlines(v)) {
		inline_words(to, v);
		return;
	}
	if (!strcmp(key, "items") && json_is(v, JSON_ARRAY)) {
		for (uint32_t i = 0; i < v->len; i++) {
			if (i)
				buffer_byte(to, '\n');
			const struct json *item = &v->items[i], *content = json_get(item, "content");
			if (is_inlines(item) || is_inlines(content))
				inline_words(to, is_inlines(item) ? item : content);
			else if (content)
				words_of(to, content, false);
			else
				words_of(to, item, false);
			if (json_get(item, "items"))
				member_words(to, "items", json_get(item, "items"));
		}
		return;
	}
	words_of(to, v, false);
}

void block_words(struct buffer *to, const struct json *block)
{
	for (uint32_t i = 0; json_is(block, JSON_OBJECT) && i < block->len; i++)
		if (is_word_key(block->members[i].key))
			member_words(to, block->members[i].key, &block->members[i].value);
}

/* A copy in which references that have no words of their own have their target as words. */
static const struct json *with_targets(struct arena *a, const struct json *v)
{
	if (v->type != JSON_ARRAY && v->type != JSON_OBJECT)
		return v;
	struct json *o = v->type == JSON_ARRAY ? json_new_array(a) : json_new_object(a);
	for (uint32_t i = 0; i < v->len; i++) {
		if (v->type == JSON_ARRAY)
			json_push(a, o, with_targets(a, &v->items[i]));
		else
			json_set_key(a, o, (struct text){v->members[i].key, v->members[i].key_len},
				     with_targets(a, &v->members[i].value));
	}
	struct text type = json_text(json_get(v, "type")), target = json_text(json_get(v, "target"));
	if (target.len && (text_is(type, "ref") || text_is(type, "reference")) && !json_get(v, "content") &&
	    !json_get(v, "text"))
		json_set_text(a, o, "content", text_format(a, "[%.*s]", TEXT_ARGS(target)));
	return o;
}

static void row_prose(struct buffer *to, struct arena *a, const struct json *row)
{
	if (to->len && to->at[to->len - 1] != '\n')
		buffer_byte(to, '\n');
	for (uint32_t i = 0; json_is(row, JSON_ARRAY) && i < row->len; i++) {
		buffer_put(to, i ? " | " : "");
		buffer_add(to, value_text(a, &row->items[i]));
	}
}

void block_prose(struct buffer *to, struct arena *a, const struct json *block)
{
	if (!json_is(block, JSON_OBJECT))
		return;
	const struct json *named = with_targets(a, block);
	bool is_table = json_is(json_get(block, "rows"), JSON_ARRAY);

	for (uint32_t i = 0; i < named->len; i++) {
		const char *key = named->members[i].key;
		const struct json *v = &named->members[i].value;
		bool is_rows = is_table && !strcmp(key, "rows");
		if (is_table && !strcmp(key, "headers"))
			row_prose(to, a, v);
		for (uint32_t k = 0; is_rows && k < v->len; k++)
			row_prose(to, a, &v->items[k]);
		if (is_word_key(key) && !is_rows && (!is_table || strcmp(key, "headers") != 0))
			member_words(to, key, v);
	}
}

static bool is_accent(uint32_t c) { return c >= 0x300 && c <= 0x36f; }

struct text block_fold(struct arena *a, struct text words)
{
	struct text folded = utf8_fold(a, words);
	struct buffer b = {.arena = a};
	uint32_t parts[UTF8_PARTS_MAX];
	char bytes[4];

	for (size_t at = 0; at < folded.len;) {
		size_t from = at;
		if ((unsigned char)folded.at[at] < 0x80) {
			buffer_byte(&b, folded.at[at++]);
			continue;
		}
		size_t n = utf8_decompose(utf8_next(folded, &at), parts);
		bool has_accent = false;
		for (size_t i = 0; i < n; i++)
			has_accent |= is_accent(parts[i]);
		if (!has_accent)
			buffer_add(&b, text_slice(folded, from, at));
		for (size_t i = 0; i < n && has_accent; i++)
			if (!is_accent(parts[i]))
				buffer_add(&b, (struct text){bytes, utf8_put(bytes, parts[i])});
	}
	return b.len ? buffer_text(&b) : TEXT("");
}

struct text block_folded(struct arena *a, const struct json *block)
{
	struct buffer words = {.arena = a};

	block_words(&words, block);
	struct text folded = block_fold(a, buffer_text(&words));
	/* PostgreSQL cannot store NUL in a text. */
	for (size_t i = 0; i < folded.len; i++)
		if (!folded.at[i]) {
			char *copy = arena_copy(a, folded.at, folded.len);
			for (; i < folded.len; i++)
				copy[i] = copy[i] ? copy[i] : ' ';
			return (struct text){copy, folded.len};
		}
	return folded;
}

struct text block_title(struct arena *a, const struct json *block)
{
	struct buffer b = {.arena = a};
	const struct json *title = json_get(block, "title"), *content = json_get(block, "content");

	if (json_is(title, JSON_STRING))
		return json_text(title);
	if (json_is(content, JSON_STRING))
		return json_text(content);
	if (json_is(content, JSON_ARRAY))
		inline_words(&b, content);
	return buffer_text(&b);
}

bool block_has_note(const struct json *block)
{
	const struct json *note = json_get(block, "compliance_note");

	return note && note->type != JSON_NULL && !text_is_blank(json_text(note));
}

static bool is_reference(const struct json *v, bool is_top)
{
	struct text type = json_text(json_get(v, "type"));

	return json_get(v, "target") && (text_is(type, "ref") || (is_top && text_is(type, "reference")));
}

static void store_value(struct json_out *o, const struct json *v, bool is_top, struct texts_list *targets,
			struct arena *a)
{
	if (v->type == JSON_ARRAY) {
		json_open(o, '[');
		for (uint32_t i = 0; i < v->len; i++)
			store_value(o, &v->items[i], false, targets, a);
		json_close(o, ']');
		return;
	}
	if (v->type != JSON_OBJECT) {
		json_put(o, v);
		return;
	}
	bool refers = is_reference(v, is_top);
	json_open(o, '{');
	for (uint32_t i = 0; i < v->len; i++) {
		const struct json_member *m = &v->members[i];
		json_key_text(o, (struct text){m->key, m->key_len});
		if (is_top && (!strcmp(m->key, "label") || !strcmp(m->key, "children"))) {
			json_put_int(o, 0);
		} else if (refers && !strcmp(m->key, "target")) {
			if (m->value.type == JSON_STRING) {
				json_put_int(o, (int64_t)targets->items.n);
				*ARRAY_PUSH(a, &targets->items) = json_text(&m->value);
			} else {
				/* The target is not a label. Keep the file's value inside a list, so that it is not
				 * read as the number of a reference. */
				json_open(o, '[');
				json_put(o, &m->value);
				json_close(o, ']');
			}
		} else {
			store_value(o, &m->value, false, targets, a);
		}
	}
	json_close(o, '}');
}

void block_store(struct buffer *to, const struct json *block, struct texts_list *targets)
{
	struct json_out o = {.to = to};

	store_value(&o, block, true, targets, to->arena);
}

static void fill_value(struct json_out *o, const struct json *v, bool is_top, const struct block_filler *f)
{
	bool has_label = false, has_children = false;

	if (v->type == JSON_ARRAY) {
		json_open(o, '[');
		for (uint32_t i = 0; i < v->len; i++)
			fill_value(o, &v->items[i], false, f);
		json_close(o, ']');
		return;
	}
	if (v->type != JSON_OBJECT) {
		json_put(o, v);
		return;
	}
	bool refers = is_reference(v, is_top);
	json_open(o, '{');
	for (uint32_t i = 0; i < v->len; i++) {
		const struct json_member *m = &v->members[i];
		if (is_top && !strcmp(m->key, "label")) {
			has_label = true;
			if (!f->label.at)
				continue;
			json_key(o, "label");
			json_put_text(o, f->label);
			continue;
		}
		if (is_top && !strcmp(m->key, "children")) {
			has_children = true;
			if (!f->children)
				continue;
			json_key(o, "children");
			f->children(o, f->with);
			continue;
		}
		json_key_text(o, (struct text){m->key, m->key_len});
		if (refers && !strcmp(m->key, "target")) {
			int64_t k = m->value.type == JSON_INT ? m->value.integer : -1;
			if (k >= 0 && (size_t)k < f->n)
				json_put_text(o, f->targets[k]);
			else if (m->value.type == JSON_ARRAY && m->value.len == 1)
				json_put(o, &m->value.items[0]);
			else
				json_put_string(o, "");
		} else {
			fill_value(o, &m->value, false, f);
		}
	}
	if (is_top && !has_label && f->always_label && f->label.at) {
		json_key(o, "label");
		json_put_text(o, f->label);
	}
	if (is_top && !has_children && f->may_hold && f->children) {
		json_key(o, "children");
		f->children(o, f->with);
	}
	if (is_top && f->omitted) {
		json_key(o, "children_omitted");
		json_put_int(o, f->omitted);
	}
	json_close(o, '}');
}

void block_fill(struct json_out *o, const struct json *stored, const struct block_filler *f)
{
	fill_value(o, stored, true, f);
}
