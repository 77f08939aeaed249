/* shorthand.c: converts the short forms that agents write.
 *
 * Only forms with one possible meaning are converted: another usual name of a type, another usual name of a key if the
 * right key is missing, a number for a cell. No word is lost. Imported files are not converted. */
#include "kinds/docjl/block/block.h"

#include "base/utf8.h"

#include <string.h>
#include <strings.h>

enum { SAID_MAX = 8 };

struct conversion {
	struct arena *arena;
	struct texts_list *said;
	const struct json *had; /* the block that is updated; NULL: a new one */
	bool is_strict;
};

static void say(const struct conversion *r, struct text written, const char *means)
{
	struct text shown_part = text_slice(written, 0, utf8_cut(written, 40));
	struct text line = text_format(r->arena, "%.*s was read as %s", TEXT_ARGS(shown_part), means);

	for (size_t i = 0; i < r->said->items.n; i++)
		if (text_same(r->said->items.items[i], line))
			return;
	if (r->said->items.n < SAID_MAX)
		*ARRAY_PUSH(r->arena, &r->said->items) = line;
}

static bool is_word(struct text t, const char *word)
{
	return t.at && t.len == strlen(word) && !strncasecmp(t.at, word, t.len);
}

static bool has(const struct json *o, const char *key)
{
	const struct json *v = json_get(o, key);

	return v && v->type != JSON_NULL;
}

static struct text key_text(const struct json_member *m) { return (struct text){m->key, m->key_len}; }

struct word {
	const char *written, *means;
};

static const struct word block_type_words[] = {
	{"paragraph", "paragraph"},
	{"para", "paragraph"},
	{"p", "paragraph"},
	{"text", "paragraph"},
	{"heading", "heading"},
	{"h1", "heading"},
	{"h2", "heading"},
	{"h3", "heading"},
	{"h4", "heading"},
	{"h5", "heading"},
	{"h6", "heading"},
	{"heading1", "heading"},
	{"heading2", "heading"},
	{"heading3", "heading"},
	{"heading4", "heading"},
	{"heading5", "heading"},
	{"heading6", "heading"},
	{"section", "section"},
	{"subsection", "section"},
	{"chapter", "section"},
	{"table", "table"},
	{"list", "list"},
	{"list_ordered", "list"},
	{"ordered_list", "list"},
	{"numbered_list", "list"},
	{"ol", "list"},
	{"list_unordered", "list"},
	{"unordered_list", "list"},
	{"bullet_list", "list"},
	{"bulleted_list", "list"},
	{"ul", "list"},
	{"image", "image"},
	{"img", "image"},
	{"picture", "image"},
	{"code", "code"},
	{"code_block", "code"},
	{"codeblock", "code"},
	{"reference", "reference"},
	{"cross_reference", "reference"},
	{NULL, NULL},
};

static const struct word inline_type_words[] = {
	{"text", "text"},       {"plain", "text"},       {"bold", "bold"},
	{"strong", "bold"},     {"b", "bold"},           {"italic", "italic"},
	{"emphasis", "italic"}, {"em", "italic"},        {"i", "italic"},
	{"code", "code"},       {"inline_code", "code"}, {"link", "link"},
	{"hyperlink", "link"},  {"a", "link"},           {"ref", "ref"},
	{"reference", "ref"},   {"xref", "ref"},         {"cross_reference", "ref"},
	{NULL, NULL},
};

static const char *meaning(const struct word *words, struct text written)
{
	for (; words->written; words++)
		if (is_word(written, words->written))
			return words->means;
	return NULL;
}

/* Does the list contain inlines? Its first item decides. code and reference can be inline or block, so they do not
 * count. */
static bool begins_with_inline(const struct json *list)
{
	const struct json *first = json_is(list, JSON_ARRAY) && list->len ? &list->items[0] : NULL;
	struct text type = json_text(json_get(first, "type"));

	return type.at && meaning(inline_type_words, type) && !is_word(type, "code") && !is_word(type, "reference");
}

/* Other names of keys. A name counts only if the right key is missing. If several are present, the first counts. */
static const struct {
	const char *type, *means, *others[4];
} keys[] = {
	{"paragraph", "content", {"text", "value"}},
	{"heading", "content", {"text", "title", "heading"}},
	{"heading", "children", {"blocks"}},
	{"section", "title", {"heading", "name", "text"}},
	{"section", "children", {"blocks"}},
	{"table", "headers", {"header", "columns"}},
	{"table", "rows", {"data", "body"}},
	{"table", "caption", {"title"}},
	{"list", "items", {"content", "entries"}},
	{"image", "src", {"url", "path", "href"}},
	{"image", "alt", {"alt_text"}},
	{"image", "caption", {"title"}},
	{"code", "content", {"code", "text"}},
	{"code", "language", {"lang"}},
	{"reference", "target", {"ref"}},
	{"text", "content", {"text", "value"}},
	{"bold", "content", {"text", "value"}},
	{"italic", "content", {"text", "value"}},
	{"inline code", "content", {"text", "code"}},
	{"link", "content", {"text", "title"}},
	{"link", "href", {"url", "target"}},
	{"ref", "content", {"text"}},
	{"ref", "target", {"label", "ref"}},
};

/* `had`: the object that is updated, or NULL. A key that it has is not converted. */
static const char *key_meant(const struct json *o, const struct json *had, const char *type, const char *key)
{
	if (had && has(had, key))
		return key;
	for (size_t i = 0; i < ARRAY_COUNT(keys); i++) {
		if (strcmp(keys[i].type, type) != 0 || has(o, keys[i].means))
			continue;
		for (size_t k = 0; k < ARRAY_COUNT(keys[i].others) && keys[i].others[k]; k++)
			if (has(o, keys[i].others[k])) {
				if (!strcmp(key, keys[i].others[k]))
					return keys[i].means;
				break;
			}
	}
	return key;
}

static struct json *of_type(struct arena *a, const char *type, const char *key, const struct json *v)
{
	struct json *o = json_new_object(a);

	json_set_text(a, o, "type", text_of(type));
	json_set(a, o, key, v);
	return o;
}

/* A number becomes the text that was written for it. */
static const struct json *as_string(const struct conversion *r, const struct json *v, bool null_is_empty)
{
	if (v->type != JSON_INT && v->type != JSON_REAL && (v->type != JSON_NULL || !null_is_empty))
		return v;
	say(r, v->type == JSON_NULL ? TEXT("null") : TEXT("a number"), v->type == JSON_NULL ? "an empty text" : "text");
	return json_new_text(r->arena, v->type == JSON_NULL ? TEXT("") : json_source(r->arena, v));
}

/* Warns about Markdown signs. The text is unchanged, because a manual may contain such signs. */
static void say_markdown(const struct conversion *r, struct text t)
{
	if (t.at && (text_find(t, TEXT("**"), 0) != SIZE_MAX || text_find(t, TEXT("]("), 0) != SIZE_MAX))
		say(r, TEXT("Markdown"), "plain text; bold, italic, code, link and ref are inline types");
}

static const char *inline_type(const struct json *v)
{
	const struct json *type = json_get(v, "type");

	if (type)
		return meaning(inline_type_words, json_text(type));
	return has(v, "href") || has(v, "url")                                                             ? "link"
	       : has(v, "target")                                                                          ? "ref"
	       : json_is(json_get(v, "content"), JSON_STRING) || json_is(json_get(v, "text"), JSON_STRING) ? "text"
													   : NULL;
}

static const struct json *read_inline(const struct conversion *r, const struct json *v)
{
	const char *type = v->type == JSON_OBJECT ? inline_type(v) : NULL;

	if (!type || !strcmp(type, "text"))
		say_markdown(r, json_text(type ? json_get(v, "content") : v));
	if (!type)
		return v;
	struct json *o = json_new_object(r->arena);
	struct text written = json_text(json_get(v, "type"));
	if (!text_is(written, type))
		say(r,
		    written.at ? text_format(r->arena, "inline type %.*s", TEXT_ARGS(written))
			       : TEXT("an inline without type"),
		    type);
	json_set_text(r->arena, o, "type", text_of(type));
	for (uint32_t i = 0; i < v->len; i++) {
		if (!strcmp(v->members[i].key, "type"))
			continue;
		const char *key =
			key_meant(v, NULL, strcmp(type, "code") != 0 ? type : "inline code", v->members[i].key);
		if (key != v->members[i].key)
			say(r, key_text(&v->members[i]), key);
		json_set_key(r->arena, o, key == v->members[i].key ? key_text(&v->members[i]) : text_of(key),
			     &v->members[i].value);
	}
	return o;
}

static const struct json *read_inlines(const struct conversion *r, const struct json *v)
{
	struct json *list = json_new_array(r->arena);

	if (v->type != JSON_ARRAY)
		return as_string(r, read_inline(r, v), false);
	for (uint32_t i = 0; i < v->len; i++) {
		const struct json *item = &v->items[i];
		for (uint32_t k = 0; item->type == JSON_ARRAY && k < item->len; k++)
			json_push(r->arena, list, read_inline(r, &item->items[k]));
		if (item->type == JSON_ARRAY)
			say(r, TEXT("a list inside content"), "its inlines");
		else
			json_push(r->arena, list, read_inline(r, item));
	}
	return list;
}

static const struct json *read_items(const struct conversion *r, const struct json *v, int depth);

static const struct json *read_item(const struct conversion *r, const struct json *v, int depth)
{
	struct text type = json_text(json_get(v, "type"));

	if (v->type == JSON_ARRAY)
		return read_inlines(r, v);
	if (v->type != JSON_OBJECT)
		return as_string(r, v, false);
	if (type.at && meaning(inline_type_words, type) && !has(v, "items")) {
		struct json *list = json_new_array(r->arena);
		json_push(r->arena, list, read_inline(r, v));
		return list;
	}
	struct json *o = json_new_object(r->arena);
	for (uint32_t i = 0; i < v->len; i++) {
		const char *key = v->members[i].key;
		const struct json *value = &v->members[i].value;
		if (!strcmp(key, "type") &&
		    (is_word(type, "paragraph") || is_word(type, "list_item") || is_word(type, "item"))) {
			say(r, TEXT("a list item with type"), "its content");
			continue;
		}
		if (!strcmp(key, "text") && !has(v, "content"))
			say(r, TEXT("text"), key = "content");
		if (!strcmp(key, "items"))
			value = read_items(r, value, depth + 1);
		else if (!strcmp(key, "content"))
			value = read_inlines(r, value);
		json_set_key(r->arena, o, key == v->members[i].key ? key_text(&v->members[i]) : text_of(key), value);
	}
	return o;
}

static const struct json *read_items(const struct conversion *r, const struct json *v, int depth)
{
	struct json *list = json_new_array(r->arena);

	if (v->type != JSON_ARRAY || depth > BLOCK_DEPTH_MAX)
		return v;
	for (uint32_t i = 0; i < v->len; i++)
		json_push(r->arena, list, read_item(r, &v->items[i], depth));
	return list;
}

/* Converts a row with column names as keys, if it has exactly the names of the headers. */
static const struct json *read_row(const struct conversion *r, const struct json *row, const struct json *headers)
{
	struct json *list = json_new_array(r->arena);

	if (row->type == JSON_ARRAY) {
		for (uint32_t i = 0; i < row->len; i++)
			json_push(r->arena, list, as_string(r, &row->items[i], true));
		return list;
	}
	if (row->type != JSON_OBJECT || !headers || headers->type != JSON_ARRAY || row->len != headers->len)
		return row;
	for (uint32_t i = 0; i < headers->len; i++) {
		const struct json *cell = json_get_text(row, json_text(&headers->items[i]));
		if (!cell)
			return row;
		json_push(r->arena, list, as_string(r, cell, true));
	}
	say(r, TEXT("a row of named cells"), "a list in the order of headers");
	return list;
}

static const struct json *read_rows(const struct conversion *r, const struct json *v, const struct json *headers)
{
	struct json *list = json_new_array(r->arena);

	if (v->type != JSON_ARRAY)
		return v;
	for (uint32_t i = 0; i < v->len; i++)
		json_push(r->arena, list, read_row(r, &v->items[i], headers));
	return list;
}

static const struct json *read_block(const struct conversion *r, const struct json *block);

static const struct json *read_child(const struct conversion *r, const struct json *v)
{
	const struct conversion whole = {r->arena, r->said, NULL, r->is_strict};

	if (v->type != JSON_STRING)
		return v->type == JSON_OBJECT ? read_block(&whole, v) : v;
	say(r, TEXT("a string among children"), "a paragraph");
	return of_type(r->arena, "paragraph", "content", v);
}

static const struct json *read_children(const struct conversion *r, const struct json *v)
{
	struct json *list = json_new_array(r->arena);

	if (begins_with_inline(v)) {
		say(r, TEXT("a list of inlines"), "a paragraph");
		json_push(r->arena, list, of_type(r->arena, "paragraph", "content", read_inlines(r, v)));
		return list;
	}
	if (v->type == JSON_OBJECT || v->type == JSON_STRING) {
		say(r, TEXT("a single child"), "a list of one");
		json_push(r->arena, list, read_child(r, v));
		return list;
	}
	if (v->type != JSON_ARRAY)
		return v;
	for (uint32_t i = 0; i < v->len; i++)
		json_push(r->arena, list, read_child(r, &v->items[i]));
	return list;
}

/* A title is one string. Inlines of plain text are joined to one. */
static const struct json *read_title(const struct conversion *r, const struct json *v)
{
	struct buffer b = {.arena = r->arena};

	if (v->type != JSON_ARRAY || !v->len)
		return v;
	for (uint32_t i = 0; i < v->len; i++) {
		const struct json *item = read_inline(r, &v->items[i]);
		bool is_text = text_is(json_text(json_get(item, "type")), "text");
		if (item->type != JSON_STRING && !(is_text && json_is(json_get(item, "content"), JSON_STRING)))
			return v;
		buffer_add(&b, item->type == JSON_STRING ? json_text(item) : json_text(json_get(item, "content")));
	}
	say(r, TEXT("a title of inlines"), "their text");
	return json_new_text(r->arena, buffer_text(&b));
}

static const struct json *read_flag(const struct json *v, struct arena *a)
{
	bool yes = is_word(json_text(v), "true"), no = is_word(json_text(v), "false");

	return yes || no ? json_new_bool(a, yes) : v;
}

static const struct json *read_level(const struct json *v, struct arena *a)
{
	struct text t = json_text(v);

	return t.len == 1 && t.at[0] >= '1' && t.at[0] <= '6' ? json_new_int(a, t.at[0] - '0') : v;
}

static const struct json *read_member(const struct conversion *r, const char *type, const char *key,
				      const struct json *v, const struct json *headers)
{
	bool is_inline = !strcmp(type, "paragraph") || !strcmp(type, "heading") || !strcmp(type, "reference");

	if (!strcmp(key, "children"))
		return read_children(r, v);
	if (!strcmp(key, "content") && is_inline)
		return read_inlines(r, v);
	if (!strcmp(key, "items") && !strcmp(type, "list"))
		return read_items(r, v, 0);
	if (!strcmp(key, "headers") && !strcmp(type, "table"))
		return read_row(r, v, NULL);
	if (!strcmp(key, "rows") && !strcmp(type, "table"))
		return read_rows(r, v, headers);
	if (!strcmp(key, "title") && !strcmp(type, "section"))
		return read_title(r, v);
	if (!strcmp(key, "ordered"))
		return read_flag(v, r->arena);
	return !strcmp(key, "level") ? read_level(v, r->arena) : v;
}

const char *block_type_fits(const struct json *b)
{
	return has(b, "rows") || has(b, "headers")     ? "table"
	       : has(b, "items")                       ? "list"
	       : has(b, "src")                         ? "image"
	       : has(b, "title") && has(b, "children") ? "section"
	       : has(b, "level")                       ? "heading"
	       : has(b, "content") || has(b, "text")   ? "paragraph"
						       : NULL;
}

static bool begins_with_block(const struct json *list)
{
	const struct json *first = json_is(list, JSON_ARRAY) && list->len ? &list->items[0] : NULL;

	return json_get(first, "type") && !begins_with_inline(list) &&
	       meaning(block_type_words, json_text(json_get(first, "type")));
}

/* Are the values of content the children? True for words or blocks in content next to a title. */
static bool holds_children(const struct json *block, const char *type)
{
	const struct json *content = json_get(block, "content");

	if (!content || has(block, "children") || has(block, "blocks") ||
	    !json_is(json_get(block, "title"), JSON_STRING))
		return false;
	return (!strcmp(type, "section") && (json_is(content, JSON_STRING) || json_is(content, JSON_ARRAY))) ||
	       (!strcmp(type, "heading") && begins_with_block(content));
}

static void add_what_type_says(const struct conversion *r, struct json *o, const char *type, struct text written)
{
	char last = written.at && written.len ? written.at[written.len - 1] : 0;

	if (!strcmp(type, "heading") && !has(o, "level") && last >= '1' && last <= '6')
		json_set_int(r->arena, o, "level", last - '0');
	if (strcmp(type, "list") != 0 || has(o, "ordered") || !written.at || is_word(written, "list"))
		return;
	bool is_ordered = is_word(written, "list_ordered") || is_word(written, "ordered_list") ||
			  is_word(written, "numbered_list") || is_word(written, "ol");
	json_set(r->arena, o, "ordered", json_new_bool(r->arena, is_ordered));
}

static const struct json *read_block(const struct conversion *r, const struct json *block)
{
	struct text written = json_text(json_get(block, "type"));
	const char *type = has(block, "type") ? meaning(block_type_words, written)
			   : r->is_strict     ? NULL
					      : block_type_fits(block);

	if (block->type != JSON_OBJECT || !type)
		return block;
	struct json *o = json_new_object(r->arena);
	bool swaps = !r->had && holds_children(block, type);
	if (!text_is(written, type)) {
		say(r,
		    written.at ? text_format(r->arena, "type %.*s", TEXT_ARGS(written)) : TEXT("a block without type"),
		    type);
		if (!written.at)
			json_set_text(r->arena, o, "type", text_of(type));
	}
	const struct json *headers = r->had ? json_get(r->had, "headers") : NULL;
	for (uint32_t i = 0; i < block->len; i++)
		if (!strcmp(key_meant(block, r->had, type, block->members[i].key), "headers"))
			headers = &block->members[i].value;
	for (uint32_t i = 0; i < block->len; i++) {
		const struct json_member *m = &block->members[i];
		const char *key = key_meant(block, r->had, type, m->key);
		if (swaps && !strcmp(m->key, "content"))
			key = "children";
		else if (swaps && !strcmp(m->key, "title"))
			key = !strcmp(type, "heading") ? "content" : "title";
		if (!strcmp(m->key, "label") && json_is(&m->value, JSON_STRING) && !m->value.len)
			continue;
		bool is_renamed = strcmp(key, m->key) != 0;
		if (is_renamed)
			say(r, key_text(m), key);
		if (!strcmp(m->key, "type"))
			json_set_text(r->arena, o, "type", text_of(type));
		else
			json_set_key(r->arena, o, is_renamed ? text_of(key) : key_text(m),
				     read_member(r, type, key, &m->value, headers));
	}
	add_what_type_says(r, o, type, written);
	return o;
}

const struct json *block_meant(struct arena *a, const struct json *block, const struct json *had, bool is_strict,
			       struct texts_list *said)
{
	const struct conversion r = {a, said, had, is_strict};

	return read_block(&r, block);
}
