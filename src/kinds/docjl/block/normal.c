/* normal.c: converts what agents and real files write to the specification's shapes. No word is lost. */
#include "kinds/docjl/block/block.h"

#include <string.h>

static void note(struct arena *a, struct texts_list *changed, const char *words)
{
	for (size_t i = 0; changed && i < changed->items.n; i++)
		if (text_is(changed->items.items[i], words))
			return;
	if (changed)
		*ARRAY_PUSH(a, &changed->items) = text_of(words);
}

static struct json *text_inline(struct arena *a, struct text t)
{
	struct json *o = json_new_object(a);

	json_set_text(a, o, "type", TEXT("text"));
	json_set_text(a, o, "content", t);
	return o;
}

static const struct json *normal_inline(struct arena *a, const struct json *v, struct texts_list *changed)
{
	if (v->type == JSON_STRING) {
		note(a, changed, "strings among the inlines became text inlines");
		return text_inline(a, json_text(v));
	}
	if (!text_is(json_text(json_get(v, "type")), "hyperref"))
		return v;
	struct json *o = json_new_object(a);
	const struct json *label = json_get(v, "label"), *words = json_get(v, "text");
	note(a, changed, "hyperref became ref");
	json_set_text(a, o, "type", TEXT("ref"));
	if (label)
		json_set(a, o, "target", label);
	json_set_text(a, o, "content", json_is(words, JSON_STRING) ? json_text(words) : TEXT(""));
	for (uint32_t i = 0; i < v->len; i++)
		if (strcmp(v->members[i].key, "type") != 0 && strcmp(v->members[i].key, "label") != 0 &&
		    strcmp(v->members[i].key, "text") != 0)
			json_set_key(a, o, (struct text){v->members[i].key, v->members[i].key_len},
				     &v->members[i].value);
	return o;
}

static const struct json *normal_inlines(struct arena *a, const struct json *v, struct texts_list *changed)
{
	struct json *list = json_new_array(a);

	if (v->type == JSON_STRING) {
		note(a, changed, "string content became a list of inlines");
		json_push(a, list, text_inline(a, json_text(v)));
		return list;
	}
	if (v->type == JSON_OBJECT && json_get(v, "type")) {
		note(a, changed, "a single inline became a list of inlines");
		json_push(a, list, normal_inline(a, v, changed));
		return list;
	}
	if (v->type != JSON_ARRAY)
		return v;
	for (uint32_t i = 0; i < v->len; i++)
		json_push(a, list, normal_inline(a, &v->items[i], changed));
	return list;
}

static const struct json *normal_items(struct arena *a, const struct json *v, struct texts_list *changed, int depth)
{
	struct json *list = json_new_array(a);

	if (v->type != JSON_ARRAY || depth > BLOCK_DEPTH_MAX)
		return v;
	for (uint32_t i = 0; i < v->len; i++) {
		const struct json *item = &v->items[i];
		if (item->type == JSON_ARRAY) {
			item = normal_inlines(a, item, changed);
		} else if (item->type == JSON_OBJECT) {
			struct json *o = json_new_object(a);
			for (uint32_t k = 0; k < item->len; k++) {
				const char *key = item->members[k].key;
				const struct json *value = &item->members[k].value;
				if (!strcmp(key, "items"))
					value = normal_items(a, value, changed, depth + 1);
				else if (!strcmp(key, "content") && value->type == JSON_ARRAY)
					value = normal_inlines(a, value, changed);
				json_set_key(a, o, (struct text){key, item->members[k].key_len}, value);
			}
			item = o;
		}
		json_push(a, list, item);
	}
	return list;
}

struct renamed {
	const char *type; /* the new type; NULL: unchanged */
	bool sets_order, is_ordered;
};

static struct renamed type_of(struct text type)
{
	if (text_is(type, "list_ordered") || text_is(type, "list_unordered"))
		return (struct renamed){"list", true, text_is(type, "list_ordered")};
	if (text_is(type, "code_block"))
		return (struct renamed){.type = "code"};
	return (struct renamed){0};
}

static const struct json *normal_children(struct arena *a, const struct json *v, struct texts_list *changed);

static bool has(const struct json *block, const char *key)
{
	const struct json *v = json_get(block, key);

	return v && v->type != JSON_NULL;
}

/* The key that `key` stands for in this type, if that key is missing. If two keys could replace it, the first does. */
static const char *key_of(const struct json *block, const char *type, const char *key)
{
	static const struct {
		const char *type, *means, *keys[2];
	} others[] = {
		{"paragraph", "content", {"text", NULL}}, {"heading", "content", {"text", "title"}},
		{"code", "content", {"text", NULL}},      {"section", "title", {"content", "text"}},
		{"list", "items", {"content", NULL}},
	};

	for (size_t i = 0; i < ARRAY_COUNT(others); i++) {
		if (strcmp(others[i].type, type) != 0 || has(block, others[i].means))
			continue;
		const char *first =
			others[i].keys[1] && !has(block, others[i].keys[0]) ? others[i].keys[1] : others[i].keys[0];
		if (!strcmp(key, first))
			return others[i].means;
	}
	return key;
}

static const struct json *normal_member(struct arena *a, const char *type, const char *key, const struct json *v,
					struct texts_list *changed)
{
	if (!strcmp(key, "children"))
		return normal_children(a, v, changed);
	if (!strcmp(key, "content") &&
	    (!strcmp(type, "paragraph") || !strcmp(type, "heading") || !strcmp(type, "reference")))
		return normal_inlines(a, v, changed);
	if (!strcmp(key, "items") && !strcmp(type, "list"))
		return normal_items(a, v, changed, 0);
	return v;
}

struct json *block_normal(struct arena *a, const struct json *block, struct texts_list *changed)
{
	struct json *o = json_new_object(a);
	struct text given = json_text(json_get(block, "type"));
	struct renamed renamed = type_of(given);
	const char *type = renamed.type ? renamed.type : given.at ? text_string(a, given) : "";

	if (renamed.type)
		note(a, changed, "list_ordered, list_unordered and code_block became list and code");
	for (uint32_t i = 0; i < block->len; i++) {
		const struct json_member *m = &block->members[i];
		if (m->value.type == JSON_NULL) {
			note(a, changed, "null values were dropped");
			continue;
		}
		const char *key = key_of(block, type, m->key);
		if (strcmp(key, m->key) != 0)
			note(a, changed, "text or title was used as content, content as items");
		if (renamed.type && !strcmp(m->key, "type"))
			json_set_text(a, o, "type", text_of(type));
		else
			json_set_key(a, o, key == m->key ? (struct text){m->key, m->key_len} : text_of(key),
				     normal_member(a, type, key, &m->value, changed));
	}
	if (renamed.sets_order && !json_get(o, "ordered"))
		json_set(a, o, "ordered", json_new_bool(a, renamed.is_ordered));
	return o;
}

static const struct json *normal_children(struct arena *a, const struct json *v, struct texts_list *changed)
{
	struct json *list = json_new_array(a);

	if (v->type != JSON_ARRAY)
		return v;
	for (uint32_t i = 0; i < v->len; i++)
		json_push(a, list,
			  v->items[i].type == JSON_OBJECT ? block_normal(a, &v->items[i], changed) : &v->items[i]);
	return list;
}
