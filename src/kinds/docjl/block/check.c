/* check.c: checks a block against the specification. Errors name the path, the rule and the correct form. */
#include "kinds/docjl/block/block.h"
#include "kinds/docjl/block/label.h"

#include "base/utf8.h"

#include <string.h>

#define INLINES_TOLD "text, bold, italic, code, link, ref"

static void wrong(struct block_problems *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void wrong(struct block_problems *p, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	*ARRAY_PUSH(p->arena, &p->errors) = text_vformat(p->arena, format, ap);
	va_end(ap);
}

static void odd(struct block_problems *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void odd(struct block_problems *p, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	*ARRAY_PUSH(p->arena, &p->warnings) = text_vformat(p->arena, format, ap);
	va_end(ap);
}

/* A caller's word in a message. */
static const char *word(struct block_problems *p, struct text t)
{
	return text_string(p->arena, text_slice(t, 0, utf8_cut(t, 60)));
}

static void check_inline(struct block_problems *p, const struct json *v, const char *path)
{
	struct text type = json_text(json_get(v, "type"));

	if (!json_is(v, JSON_OBJECT)) {
		wrong(p, "%s must be an inline object like {\"type\":\"text\",\"content\":\"...\"}, not %s", path,
		      json_type_name(v));
		return;
	}
	bool is_ref = text_is(type, "ref"), is_link = text_is(type, "link");
	if (!is_ref && !is_link && !text_is(type, "text") && !text_is(type, "bold") && !text_is(type, "italic") &&
	    !text_is(type, "code")) {
		wrong(p, "%s.type must be one of: " INLINES_TOLD "%s%s", path,
		      type.at ? ", not " : ", and it is required", type.at ? word(p, type) : "");
		return;
	}
	if (is_ref) {
		struct label l;
		if (!label_parse(json_text(json_get(v, "target")), &l))
			wrong(p, "%s.target must be a label such as sec:4.2", path);
		if (json_get(v, "content") && !json_is(json_get(v, "content"), JSON_STRING))
			wrong(p, "%s.content must be a string", path);
		return;
	}
	if (!json_is(json_get(v, "content"), JSON_STRING))
		wrong(p, "%s.content must be a string", path);
	if (is_link && !json_is(json_get(v, "href"), JSON_STRING))
		wrong(p, "%s.href must be a string", path);
}

static void check_inlines(struct block_problems *p, const struct json *v, const char *path)
{
	if (!json_is(v, JSON_ARRAY)) {
		wrong(p, "%s must be a list of inlines or a string, not %s", path, v ? json_type_name(v) : "missing");
		return;
	}
	for (uint32_t i = 0; i < v->len && p->errors.n < 100; i++)
		check_inline(p, &v->items[i], text_format(p->arena, "%s[%u]", path, i).at);
}

static void check_string(struct block_problems *p, const struct json *block, const char *key, bool is_required)
{
	const struct json *v = json_get(block, key);

	if (!v ? is_required : v->type != JSON_STRING)
		wrong(p, "%s must be a string%s", key, v ? "" : ", and it is required");
	else if (v && is_required && text_is_blank(json_text(v)))
		wrong(p, "%s must not be empty", key);
}

static void check_strings(struct block_problems *p, const struct json *v, const char *path)
{
	if (!json_is(v, JSON_ARRAY)) {
		wrong(p, "%s must be a list of strings%s", path, v ? "" : ", and it is required");
		return;
	}
	for (uint32_t i = 0; i < v->len && p->errors.n < 100; i++)
		if (v->items[i].type != JSON_STRING)
			wrong(p, "%s[%u] must be a string, not %s", path, i, json_type_name(&v->items[i]));
}

static void check_table(struct block_problems *p, const struct json *b)
{
	const struct json *headers = json_get(b, "headers"), *rows = json_get(b, "rows");

	check_strings(p, headers, "headers");
	if (!json_is(rows, JSON_ARRAY)) {
		wrong(p, "rows must be a list of lists of strings, such as [[\"a\", \"b\"]]%s",
		      rows ? "" : ", and it is required");
		return;
	}
	for (uint32_t i = 0; i < rows->len && p->errors.n < 100; i++) {
		check_strings(p, &rows->items[i], text_format(p->arena, "rows[%u]", i).at);
		if (json_is(headers, JSON_ARRAY) && rows->items[i].type == JSON_ARRAY &&
		    rows->items[i].len != headers->len)
			wrong(p, "rows[%u] has %u cells and headers has %u; the counts must be equal", i,
			      rows->items[i].len, headers->len);
	}
	if (!rows->len)
		odd(p, "Table is empty");
	if (!json_get(b, "caption"))
		odd(p, "Table caption missing");
	check_string(p, b, "caption", false);
}

static void check_items(struct block_problems *p, const struct json *v, const char *path, int depth)
{
	if (!json_is(v, JSON_ARRAY) || depth > BLOCK_DEPTH_MAX) {
		wrong(p, "%s must be a list, such as [\"first\", \"second\"]%s", path, v ? "" : ", and it is required");
		return;
	}
	for (uint32_t i = 0; i < v->len && p->errors.n < 100; i++) {
		const struct json *item = &v->items[i], *content = json_get(item, "content");
		const char *at = text_format(p->arena, "%s[%u]", path, i).at;
		if (item->type == JSON_STRING)
			continue;
		if (item->type == JSON_ARRAY) {
			check_inlines(p, item, at);
		} else if (item->type == JSON_OBJECT) {
			if (!json_is(content, JSON_STRING))
				check_inlines(p, content, text_format(p->arena, "%s.content", at).at);
			if (json_get(item, "items"))
				check_items(p, json_get(item, "items"), text_format(p->arena, "%s.items", at).at,
					    depth + 1);
		} else {
			wrong(p, "%s must be a string, a list of inlines or {content, items}", at);
		}
	}
}

static void check_list(struct block_problems *p, const struct json *b)
{
	const struct json *items = json_get(b, "items");

	if (!json_is(json_get(b, "ordered"), JSON_BOOL))
		wrong(p, "ordered must be true or false, and it is required");
	check_items(p, items, "items", 0);
	if (json_is(items, JSON_ARRAY) && !items->len)
		odd(p, "List is empty");
}

static void check_heading(struct block_problems *p, const struct json *b)
{
	int64_t level = 0;

	if (!json_integer(json_get(b, "level"), &level) || level < 1 || level > 6)
		wrong(p, "level must be an integer from 1 to 6%s", json_get(b, "level") ? "" : ", and it is required");
	check_inlines(p, json_get(b, "content"), "content");
}

static void check_image(struct block_problems *p, const struct json *b)
{
	check_string(p, b, "src", true);
	check_string(p, b, "alt", false);
	check_string(p, b, "caption", false);
	if (!json_get(b, "caption"))
		odd(p, "Image caption missing");
	if (!json_get(b, "alt"))
		odd(p, "Image has no alt text");
}

static void check_reference(struct block_problems *p, const struct json *b)
{
	const struct json *target = json_get(b, "target");
	struct label l;

	if (!target && !json_get(b, "href"))
		wrong(p, "target (a label) or href is required");
	if (target && !label_parse(json_text(target), &l))
		wrong(p, "target must be a label such as sec:4.2");
	check_string(p, b, "href", false);
	if (json_get(b, "content"))
		check_inlines(p, json_get(b, "content"), "content");
}

/* The keys of a type, in addition to type, label, children and compliance_note. */
static const struct {
	const char *type, *keys;
} known[] = {
	{"paragraph", " content "},
	{"heading", " level content "},
	{"section", " title "},
	{"table", " headers rows caption "},
	{"list", " ordered items "},
	{"image", " src alt caption "},
	{"code", " content language caption line_numbers "},
	{"reference", " target href content "},
};

static void check_keys(struct block_problems *p, const struct json *b, struct text type)
{
	const char *keys = NULL;

	for (size_t i = 0; i < ARRAY_COUNT(known) && !keys; i++)
		keys = text_is(type, known[i].type) ? known[i].keys : NULL;
	for (uint32_t i = 0; keys && i < b->len; i++) {
		const char *key = b->members[i].key;
		const char *padded = text_format(p->arena, " %s ", key).at;
		if (!strstr(" type label children compliance_note ", padded) && !strstr(keys, padded))
			odd(p, UNKNOWN_FIELD "%s is kept as it is", word(p, text_of(key)));
	}
}

void block_check(struct block_problems *p, const struct json *b, bool is_strict)
{
	const struct json *type_value = json_get(b, "type"), *content = json_get(b, "content");
	struct text type = json_text(type_value);
	const struct docjl_type *t = block_type_find(type);

	if (!json_is(b, JSON_OBJECT) || !type.at) {
		const char *fits = json_is(b, JSON_OBJECT) && !type_value ? block_type_fits(b) : NULL;
		if (fits)
			wrong(p, "type is required; by its other fields this block is a %s", fits);
		else
			wrong(p, "type must be one of: " BLOCK_TYPES "%s", type_value ? "" : ", and it is required");
		return;
	}
	if (text_has_nul(type))
		wrong(p, "type must not hold the character U+0000");
	else if ((!t || t->is_extension) && is_strict)
		wrong(p, "type %s is unknown; it must be one of: " BLOCK_TYPES, word(p, type));
	else if (!t || t->is_extension)
		odd(p, "Type %s is an extension", word(p, type));
	check_string(p, b, "compliance_note", false);
	if (text_is(type, "paragraph")) {
		check_inlines(p, content, "content");
		if (json_is(content, JSON_ARRAY) && !content->len)
			odd(p, "Paragraph is empty");
	} else if (text_is(type, "heading")) {
		check_heading(p, b);
	} else if (text_is(type, "section")) {
		check_string(p, b, "title", true);
	} else if (text_is(type, "table")) {
		check_table(p, b);
	} else if (text_is(type, "list")) {
		check_list(p, b);
	} else if (text_is(type, "image")) {
		check_image(p, b);
	} else if (text_is(type, "code")) {
		check_string(p, b, "content", true);
		check_string(p, b, "language", false);
	} else if (text_is(type, "reference")) {
		check_reference(p, b);
	}
	const struct json *children = json_get(b, "children");
	if (children && children->type != JSON_ARRAY && children->type != JSON_INT)
		wrong(p, "children must be a list of blocks");
	check_keys(p, b, type);
}
