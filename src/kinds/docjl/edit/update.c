#include "kinds/docjl/edit/edit.h"

#include <string.h>

/* The block after the updates: a shallow merge in which null removes a key. The label's key keeps its place. */
static const struct json *merged(struct manual *m, const struct json *block, const struct json *updates)
{
	struct arena *a = m->c->arena;
	struct json *o = json_new_object(a);

	for (uint32_t i = 0; i < block->len; i++) {
		struct text key = {block->members[i].key, block->members[i].key_len};
		const struct json *update = json_get_text(updates, key);
		if (!update || text_is(key, "label"))
			json_set_key(a, o, key, &block->members[i].value);
		else if (update->type != JSON_NULL)
			json_set_key(a, o, key, update);
	}
	for (uint32_t i = 0; i < updates->len; i++) {
		struct text key = {updates->members[i].key, updates->members[i].key_len};
		if (!json_get_text(o, key) && updates->members[i].value.type != JSON_NULL)
			json_set_key(a, o, key, &updates->members[i].value);
	}
	return o;
}

static bool rename_block(struct manual *m, struct node *n, struct text old, struct text new)
{
	struct json *renamed = json_new_array(m->c->arena);
	struct label l;

	if (text_same(old, new))
		return true;
	if (!label_parse(new, &l))
		return label_choose(m, n, new);
	if (label_uid(m, new))
		return fail_as(m->c, SCHEMA_FAILED, "the label %s is taken by another block; choose another",
			       shown(m->c, new));
	if (n->holds && !l.is_numeric)
		dependents_to_names(m, n->uid, renamed);
	if (n->run)
		label_take_away(m, n);
	else if (n->name.at)
		label_name(m, n, (struct text){0}, false);
	if (!label_choose(m, n, new))
		return false;
	label_follow(m, n, old, new);
	return true;
}

/* Keeps the targets of references that were not updated, even if the labels of the targets changed. */
static void refs_keep(struct manual *m, int64_t uid, const struct references *had, const struct json *updates)
{
	struct references now;

	if (json_get(updates, "content") || json_get(updates, "items") || json_get(updates, "target"))
		return;
	refs_of(m, uid, &now);
	for (size_t i = 0; now.items.n == had->items.n && i < now.items.n; i++)
		if (now.items.items[i].dst != had->items.items[i].dst)
			ref_write(m, &had->items.items[i], false);
}

bool block_update(struct manual *m, struct node *n, const struct json *updates, struct json *record,
		  const struct json **before)
{
	struct arena *a = m->c->arena;
	struct text label = node_label(m, n);
	const struct json *given = json_get(updates, "label");

	*before = node_block(m, n, false);
	if (!updates->len)
		return fail(m->c, FAULT_ARGUMENT,
			    "updates is empty; name at least one field, such as {\"content\": ...}");
	if (json_get(updates, "children") || json_get(updates, "blocks"))
		return fail_as(m->c, SCHEMA_FAILED,
			       "updates.%s is not allowed; use mcp_docjl_insert_block, mcp_docjl_move_block and "
			       "mcp_docjl_delete_block for the blocks below",
			       json_get(updates, "children") ? "children" : "blocks");
	if (json_get(updates, "type") && !text_same(json_text(json_get(updates, "type")), n->type))
		return fail_as(m->c, SCHEMA_FAILED,
			       "the type of a block cannot be changed; insert a new block and delete this one");
	/* The shorthands of an insert are accepted here too: they depend on the type. */
	struct json *typed = json_new_object(a);
	json_set_text(a, typed, "type", n->type);
	struct json *nulls = json_new_object(a);
	for (uint32_t i = 0; i < updates->len; i++)
		if (updates->members[i].value.type == JSON_NULL)
			json_set(a, nulls, updates->members[i].key, &updates->members[i].value);
		else if (strcmp(updates->members[i].key, "type") != 0)
			json_set_key(a, typed, (struct text){updates->members[i].key, updates->members[i].key_len},
				     &updates->members[i].value);
	struct json *normal = block_read(m->c, typed, *before);
	for (uint32_t i = 0; i < nulls->len; i++)
		json_set(a, normal, nulls->members[i].key, &nulls->members[i].value);
	if (given && !json_is(given, JSON_STRING))
		return fail_as(m->c, SCHEMA_FAILED,
			       "updates.label must be a label such as sec:4.2; a block cannot lose its label");
	const struct json *result = merged(m, *before, normal);
	if (!blocks_hold(m, result, label))
		return false;
	json_set(a, record, "before", *before);
	json_set(a, record, "before_refs", refs_record(m, n->uid));
	*ARRAY_PUSH(a, &m->touched) = n->uid;
	if (given && !rename_block(m, n, label, json_text(given)))
		return false;
	/* Keep the keys of label and children in the stored form. */
	struct json *stored = json_new_object(a);
	const struct json *had = node_stored(m, n->uid);
	for (uint32_t i = 0; i < had->len; i++) {
		struct text key = {had->members[i].key, had->members[i].key_len};
		const struct json *v = json_get_text(result, key);
		if (v || text_is(key, "children") || text_is(key, "label"))
			json_set_key(a, stored, key, v ? v : &had->members[i].value);
	}
	for (uint32_t i = 0; i < result->len; i++) {
		struct text key = {result->members[i].key, result->members[i].key_len};
		if (!json_get_text(stored, key) && (!text_is(key, "label") || given))
			json_set_key(a, stored, key, &result->members[i].value);
	}
	struct references had_refs;
	refs_of(m, n->uid, &had_refs);
	body_write(m, n->uid, stored, false);
	refs_keep(m, n->uid, &had_refs, normal);
	node_read(m, n->uid, n);
	json_set(a, record, "after", node_block(m, n, false));
	return manual_is_sound(m);
}

static void refs_named(struct manual *m, struct text label, int64_t uid, struct references *out)
{
	if (uid) {
		refs_to(m, uid, out);
		return;
	}
	*out = (struct references){0};
	if (label.len && memchr(label.at, 0, label.len))
		return;
	struct query q = query_on(
		m->t,
		"SELECT src, k, text FROM ref INDEXED BY ref_text WHERE doc = ?1 AND text = ?2 AND dst IS NULL ORDER "
		"BY src, k");
	bind_int(&q, m->doc);
	bind_text(&q, label);
	while (query_row(&q))
		*ARRAY_PUSH(m->c->arena, &out->items) =
			(struct reference){query_int(&q, 0), query_int(&q, 1), 0, query_text(&q, m->c->arena, 2)};
	query_end(&q);
}

bool block_retarget(struct manual *m, const struct target_change *list, size_t n, struct json *record, int64_t *count)
{
	struct arena *a = m->c->arena;
	struct json *sources = json_new_array(a), *changes = json_new_array(a);
	struct references *found = arena_array(a, n ? n : 1, sizeof *found);
	int64_t *to = arena_array(a, n ? n : 1, sizeof *to);

	*count = 0;
	/* Look up all labels before any change, so that two labels can be swapped. */
	for (size_t i = 0; i < n; i++) {
		to[i] = label_uid(m, list[i].after);
		if (!to[i])
			return fail_as(
				m->c, REFERENCE_ERROR,
				"label_changes[%zu].new %s is no label of this document; references can only point to blocks that "
				"exist",
				i, shown(m->c, list[i].after));
		refs_named(m, list[i].before, label_uid(m, list[i].before), &found[i]);
		if (!found[i].items.n)
			warn(m->c, "no reference names %s, so nothing is redirected from it",
			     shown(m->c, list[i].before));
		struct json *o = json_new_object(a);
		json_set_text(a, o, "old", list[i].before);
		json_set_text(a, o, "new", list[i].after);
		json_push(a, changes, o);
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < found[i].items.n; k++) {
			struct reference r = found[i].items.items[k];
			struct json *o = json_new_object(a);
			json_set_int(a, o, "uid", r.src);
			json_set_int(a, o, "k", r.k);
			json_set_int(a, o, "from_uid", r.dst);
			json_set_text(a, o, "from", r.text);
			json_set_int(a, o, "to_uid", to[i]);
			json_push(a, sources, o);
			*ARRAY_PUSH(a, &m->touched) = r.src;
			ref_write(m, &(struct reference){r.src, r.k, to[i], list[i].after}, false);
			++*count;
		}
	json_set(a, record, "label_changes", changes);
	json_set(a, record, "sources", sources);
	return manual_is_sound(m);
}
