#include "kinds/docjl/edit/edit.h"

#include "base/utf8.h"
#include "format/json_schema.h"

enum { PROBLEMS_MAX = 50, WARNINGS_MAX = 10 };

struct checking {
	struct manual *m;
	struct json *errors;
	int depth, warned;
};

static void check_below(struct checking *k, const struct json *block, const char *path)
{
	struct arena *a = k->m->c->arena;
	struct block_problems p = {.arena = a};
	const struct json *children = json_get(block, "children");
	const struct json *label = json_get(block, "label");
	struct label l;
	struct text why;

	block_check(&p, block, k->m->kind->is_strict);
	if (label && label->type != JSON_INT && !label_parse(json_text(label), &l))
		*ARRAY_PUSH(a, &p.errors) = TEXT(
			"label must be a prefix, a colon and an id, such as sec:4.2; without one the block gets the next");
	if (k->m->kind->schema && !json_schema_holds(a, k->m->kind->schema, block, &why))
		*ARRAY_PUSH(a, &p.errors) = text_format(a, "schema_file: %.*s", TEXT_ARGS(why));
	for (size_t i = 0; i < p.errors.n && k->errors->len < PROBLEMS_MAX; i++)
		json_push(a, k->errors, json_new_text(a, text_format(a, "%s%.*s", path, TEXT_ARGS(p.errors.items[i]))));
	for (size_t i = 0; i < p.warnings.n && k->warned < WARNINGS_MAX; i++)
		if (text_starts(p.warnings.items[i], UNKNOWN_FIELD)) {
			warn(k->m->c, "%s%.*s", path, TEXT_ARGS(p.warnings.items[i]));
			k->warned++;
		}
	if (!json_is(children, JSON_ARRAY))
		return;
	const struct docjl_type *type = block_type_find(json_text(json_get(block, "type")));
	if (children->len && (!type || !type->holds) && k->m->kind->is_strict)
		json_push(
			a, k->errors,
			json_new_text(a, text_format(a, "%schildren are only allowed in a heading or section", path)));
	if (k->depth >= BLOCK_DEPTH_MAX) {
		json_push(a, k->errors,
			  json_new_text(a,
					text_format(a, "%schildren are nested deeper than %d", path, BLOCK_DEPTH_MAX)));
		return;
	}
	k->depth++;
	for (uint32_t i = 0; i < children->len && k->errors->len < PROBLEMS_MAX; i++)
		check_below(k, &children->items[i], text_format(a, "%schildren[%u].", path, i).at);
	k->depth--;
}

struct json *block_read(struct call *c, const struct json *written, const struct json *had)
{
	const struct docjl *kind = c->state;
	struct texts_list said = {0};
	const struct json *meant = block_meant(c->arena, written, had, kind->is_strict && !had, &said);

	for (size_t i = 0; i < said.items.n; i++)
		warn(c, "%.*s", TEXT_ARGS(said.items.items[i]));
	return block_normal(c->arena, meant, NULL);
}

bool blocks_hold(struct manual *m, const struct json *block, struct text label)
{
	struct arena *a = m->c->arena;
	struct checking k = {.m = m, .errors = json_new_array(a)};

	check_below(&k, block, "");
	if (!k.errors->len)
		return true;
	struct json *details = json_new_object(a);
	json_set(a, details, "block_label", label.at ? json_new_text(a, label) : json_new_null(a));
	json_set(a, details, "validation_errors", k.errors);
	struct text first = json_text(&k.errors->items[0]);
	fail_as(m->c, SCHEMA_FAILED, "Block does not match DOCJL schema: %.*s%s", (int)utf8_cut(first, 300), first.at,
		first.len > 300 ? "..." : "");
	m->c->error.details = details;
	return false;
}

/* A heading without a level gets its depth as level. */
static const struct json *with_levels(struct arena *a, const struct json *block, int64_t depth)
{
	const struct json *children = json_get(block, "children");
	bool lacks = text_is(json_text(json_get(block, "type")), "heading") && !json_get(block, "level");

	if (!lacks && !json_is(children, JSON_ARRAY))
		return block;
	struct json *copy = json_new_object(a);
	for (uint32_t i = 0; i < block->len; i++)
		json_set_key(a, copy, (struct text){block->members[i].key, block->members[i].key_len},
			     &block->members[i].value);
	if (lacks)
		json_set_int(a, copy, "level", depth < 5 ? depth + 1 : 6);
	if (json_is(children, JSON_ARRAY)) {
		struct json *list = json_new_array(a);
		for (uint32_t i = 0; i < children->len; i++)
			json_push(a, list,
				  children->items[i].type == JSON_OBJECT
					  ? with_levels(a, &children->items[i], depth + 1)
					  : &children->items[i]);
		json_set(a, copy, "children", list);
	}
	return copy;
}

static bool insert_one(struct manual *m, const struct json *block, struct spot s, int64_t ord, struct node *out,
		       struct json *uids)
{
	const struct json *children = json_get(block, "children");
	struct text type = json_text(json_get(block, "type")), label = json_text(json_get(block, "label"));

	*out = (struct node){.uid = ++m->next_uid,
			     .parent = s.parent,
			     .after = s.after,
			     .ord = ord,
			     .type = type,
			     .holds = block_holds(type, block)};
	node_insert(m, out);
	*ARRAY_PUSH(m->c->arena, &m->touched) = out->uid;
	json_push(m->c->arena, uids, json_new_int(m->c->arena, out->uid));
	if (label.at ? !label_choose(m, out, label) : !label_give(m, out, block_prefix(type)))
		return false;
	m->blocks++;
	struct node child = {0};
	for (uint32_t i = 0; json_is(children, JSON_ARRAY) && i < children->len; i++) {
		const struct spot next = {out->uid, child.uid};
		if (!insert_one(m, &children->items[i], next, (int64_t)i << 32, &child, uids))
			return false;
	}
	return true;
}

/* Bodies are written last, when every label of the subtree exists, because blocks may refer to each other. */
static void write_bodies(struct manual *m, const struct json *block, const struct json *uids, uint32_t *at)
{
	const struct json *children = json_get(block, "children");
	int64_t uid = uids->items[(*at)++].integer;

	body_write(m, uid, block, true);
	*ARRAY_PUSH(m->c->arena, &m->fresh) = uid_label(m, uid);
	for (uint32_t i = 0; json_is(children, JSON_ARRAY) && i < children->len; i++)
		write_bodies(m, &children->items[i], uids, at);
}

static void warn_of_broken(struct manual *m, const struct json *uids)
{
	for (uint32_t i = 0; i < uids->len; i++) {
		struct references refs;
		refs_of(m, uids->items[i].integer, &refs);
		for (size_t k = 0; k < refs.items.n; k++)
			if (!refs.items.items[k].dst)
				warn(m->c, "the reference to %s is broken: no block has this label",
				     shown(m->c, refs.items.items[k].text));
	}
}

bool block_insert(struct manual *m, const struct json *block, struct spot s, struct node *out, struct json *record)
{
	struct arena *a = m->c->arena;
	struct json *uids = json_new_array(a);
	uint32_t at = 0;

	block = with_levels(a, block, node_depth(m, s.parent));
	if (!blocks_hold(m, block, json_text(json_get(block, "label"))))
		return false;
	place_record(m, record, NULL, s);
	if (!insert_one(m, block, s, ord_behind(m, s.parent, s.after), out, uids))
		return false;
	write_bodies(m, block, uids, &at);
	warn_of_broken(m, uids);
	node_read(m, out->uid, out);
	json_set(a, record, "block", node_block(m, out, true));
	json_set(a, record, "uids", uids);
	return manual_is_sound(m);
}

struct restoring {
	struct manual *m;
	const struct json *uids, *refs, *autos, *names;
	uint32_t at;
};

static bool is_listed(const struct json *list, int64_t uid)
{
	for (uint32_t i = 0; list && i < list->len; i++)
		if (list->items[i].integer == uid)
			return true;
	return false;
}

static bool restore_node(struct restoring *r, const struct json *block, int64_t parent, int64_t ord)
{
	struct manual *m = r->m;
	struct text type = json_text(json_get(block, "type")), label = json_text(json_get(block, "label"));
	const struct json *children = json_get(block, "children");

	if (r->at >= r->uids->len)
		return fail(m->c, FAULT_STORAGE, "the entry of the trail is not complete");
	struct node n = {.uid = r->uids->items[r->at++].integer, .parent = parent, .ord = ord, .type = type};
	n.holds = block_holds(type, block);
	n.is_auto = is_listed(r->autos, n.uid);
	bool is_auto = n.is_auto;
	node_insert(m, &n);
	*ARRAY_PUSH(m->c->arena, &m->touched) = n.uid;
	m->blocks++;
	if (label.at && is_listed(r->names, n.uid)) {
		if (label_uid(m, label))
			return label_refuse(m, label);
		label_name(m, &n, label, is_auto);
	} else if (label.at && !label_choose(m, &n, label)) {
		return false;
	}
	if (label.at && is_auto) {
		seal_block(m, n.uid);
		struct query q = query_on(m->t, "UPDATE node SET auto_label = 1 WHERE doc = ?1 AND uid = ?2");
		bind_int(&q, m->doc);
		bind_int(&q, n.uid);
		query_run(&q);
		known_node_gone(&m->known, n.uid);
	}
	if (label.at)
		*ARRAY_PUSH(m->c->arena, &m->fresh) = label;
	for (uint32_t i = 0; json_is(children, JSON_ARRAY) && i < children->len; i++)
		if (!restore_node(r, &children->items[i], n.uid, (int64_t)i << 32))
			return false;
	return true;
}

/* Removes a label that the file did not have. */
static const struct json *without_label(struct arena *a, const struct json *block)
{
	struct json *copy = json_new_object(a);

	for (uint32_t i = 0; i < block->len; i++)
		if (!text_is((struct text){block->members[i].key, block->members[i].key_len}, "label"))
			json_set_key(a, copy, (struct text){block->members[i].key, block->members[i].key_len},
				     &block->members[i].value);
	return copy;
}

static void restore_body(struct restoring *r, const struct json *block)
{
	struct manual *m = r->m;
	const struct json *children = json_get(block, "children");
	uint32_t at = r->at++;
	int64_t uid = r->uids->items[at].integer;
	struct references refs;
	struct node dst;

	body_write(m, uid, is_listed(r->autos, uid) ? without_label(m->c->arena, block) : block, true);
	const struct json *recorded = r->refs && at < r->refs->len ? &r->refs->items[at] : NULL;
	refs_of(m, uid, &refs);
	for (size_t k = 0; k < refs.items.n && recorded && k < recorded->len; k++) {
		struct reference *ref = &refs.items.items[k];
		int64_t want = recorded->items[k].integer;
		if (want == ref->dst || !want || !node_read(m, want, &dst))
			continue;
		ref->dst = want;
		ref_write(m, ref, false);
	}
	for (uint32_t i = 0; json_is(children, JSON_ARRAY) && i < children->len; i++)
		restore_body(r, &children->items[i]);
}

bool subtree_restore(struct manual *m, const struct json *details, struct spot s)
{
	struct restoring r = {.m = m,
			      .uids = json_get(details, "uids"),
			      .refs = json_get(details, "refs"),
			      .autos = json_get(details, "autos"),
			      .names = json_get(details, "names")};
	const struct json *block = json_get(details, "block"), *uids = r.uids;

	if (!json_is(block, JSON_OBJECT) || !json_is(uids, JSON_ARRAY) || !uids->len)
		return fail(m->c, FAULT_STORAGE, "the entry of the trail is not complete");
	if (!restore_node(&r, block, s.parent, ord_behind(m, s.parent, s.after)))
		return false;
	r.at = 0;
	restore_body(&r, block);
	return manual_is_sound(m);
}

const struct json *refs_record(struct manual *m, int64_t uid)
{
	struct references refs;
	struct json *list = json_new_array(m->c->arena);

	refs_of(m, uid, &refs);
	for (size_t i = 0; i < refs.items.n; i++)
		json_push(m->c->arena, list, json_new_int(m->c->arena, refs.items.items[i].dst));
	return list;
}
