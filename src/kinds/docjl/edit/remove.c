#include "kinds/docjl/edit/edit.h"

#include "base/array.h"

#include <stdlib.h>

static int by_number(const void *a, const void *b)
{
	int64_t one = *(const int64_t *)a, two = *(const int64_t *)b;

	return one < two ? -1 : one > two;
}

struct uid_set {
	int64_t *items;
	size_t n;
};

static bool has(const struct uid_set *s, int64_t uid)
{
	return bsearch(&uid, s->items, s->n, sizeof uid, by_number) != NULL;
}

static struct uid_set set_of(struct arena *a, const struct nodes *nodes)
{
	struct uid_set s = {arena_array(a, nodes->items.n, sizeof *s.items), nodes->items.n};

	for (size_t i = 0; i < s.n; i++)
		s.items[i] = nodes->items.items[i].uid;
	array_sort(s.items, s.n, sizeof *s.items, by_number);
	return s;
}

/* Breaks all references from outside to the removed blocks. */
static void break_refs(struct manual *m, const struct nodes *gone, const struct uid_set *set, struct texts_list *broken)
{
	struct arena *a = m->c->arena;

	for (size_t i = 0; i < gone->items.n; i++) {
		const struct node *n = &gone->items.items[i];
		struct references refs;
		bool is_cited = false;

		refs_to(m, n->uid, &refs);
		if (!refs.items.n)
			continue;
		struct text label = node_label(m, n);
		for (size_t k = 0; k < refs.items.n; k++) {
			if (has(set, refs.items.items[k].src))
				continue;
			is_cited = true;
			struct text src = uid_label(m, refs.items.items[k].src);
			*ARRAY_PUSH(a, &broken->items) = text_format(
				a, "%.*s -> %.*s", TEXT_ARGS(src.at ? src : TEXT("(no label)")), TEXT_ARGS(label));
		}
		if (is_cited)
			refs_break(m, n->uid, label);
	}
}

static void runs_drop(struct manual *m, int64_t stem)
{
	struct uids runs = {0};
	struct query q = query_on(m->t, "SELECT run FROM run INDEXED BY run_base WHERE doc = ?1 AND stem = ?2");

	bind_int(&q, m->doc);
	bind_int(&q, stem);
	while (query_row(&q))
		*ARRAY_PUSH(m->c->arena, &runs.items) = query_int(&q, 0);
	query_end(&q);
	if (!runs.items.n)
		return;
	seal_runs(m, runs.items.items, runs.items.n);
	q = query_on(m->t, "DELETE FROM run WHERE doc = ?1 AND stem = ?2");
	bind_int(&q, m->doc);
	bind_int(&q, stem);
	query_run(&q);
	known_forget_runs(&m->known);
}

static bool refuse_renumber(struct manual *m, const struct removal *r)
{
	return fail_as(
		m->c, REFERENCE_ERROR,
		"renumber is refused while references point to deleted blocks (%s and %zu more): a renumbered block could get the label they name; change these references first, or leave renumber out",
		shown(m->c, r->broken.items.items[0]), r->broken.items.n - 1);
}

static void record_blocks(struct manual *m, struct json *record, const struct node *n, const struct nodes *gone,
			  bool with_children)
{
	struct arena *a = m->c->arena;
	struct json *uids = json_new_array(a), *refs = json_new_array(a), *autos = json_new_array(a);
	struct json *names = json_new_array(a);
	struct label l;

	for (size_t i = 0; i < gone->items.n; i++) {
		const struct node *at = &gone->items.items[i];
		json_push(a, uids, json_new_int(a, at->uid));
		json_push(a, refs, refs_record(m, at->uid));
		if (at->is_auto)
			json_push(a, autos, json_new_int(a, at->uid));
		/* Remember that this dotted label is a name. Otherwise a restore would make it a computed label. */
		if (label_parse(at->name, &l) && l.is_dotted)
			json_push(a, names, json_new_int(a, at->uid));
		*ARRAY_PUSH(a, &m->touched) = at->uid;
	}
	json_set(a, record, "block", node_block(m, n, with_children));
	json_set(a, record, "uids", uids);
	json_set(a, record, "refs", refs);
	json_set(a, record, "autos", autos);
	if (names->len)
		json_set(a, record, "names", names);
}

/* Moves the children of a container up into its place, when only the container is removed. */
static void hoist(struct manual *m, const struct node *n, struct spot from, struct json *record)
{
	struct arena *a = m->c->arena;
	struct json *renamed = json_new_array(a), *list = json_new_array(a);
	struct nodes children;

	node_children(m, n->uid, &children);
	dependents_to_names(m, n->uid, renamed);
	int64_t after = n->uid;
	for (size_t i = 0; i < children.items.n; i++) {
		int64_t uid = children.items.items[i].uid;
		node_place(m, uid, from.parent, ord_behind(m, from.parent, after));
		json_push(a, list, json_new_int(a, uid));
		*ARRAY_PUSH(a, &m->touched) = uid;
		after = uid;
	}
	json_set(a, record, "children", list);
	json_set(a, record, "renamed", renamed);
}

bool block_remove(struct manual *m, struct node *n, struct removal *r, struct json *record)
{
	struct arena *a = m->c->arena;
	struct nodes gone = {0};
	const struct spot from = {n->parent, node_previous(m, n)};
	struct text prefix, label = node_path_label(m, n);
	int64_t stem = 0, number = 0;

	if (r->cascade)
		node_subtree(m, n, &gone);
	else
		*ARRAY_PUSH(a, &gone.items) = *n;
	struct uid_set set = set_of(a, &gone);
	record_blocks(m, record, n, &gone, r->cascade);
	place_record(m, record, NULL, from);
	json_set(a, record, "cascade", json_new_bool(a, r->cascade));
	break_refs(m, &gone, &set, &r->broken);
	struct json *broken = json_new_array(a);
	for (size_t i = 0; i < r->broken.items.n && i < CHANGES_MAX; i++)
		json_push(a, broken, json_new_text(a, r->broken.items.items[i]));
	json_set(a, record, "broken_references", broken);
	if (r->renumber && r->broken.items.n)
		return refuse_renumber(m, r);
	if (r->cascade)
		labels_keep_as_names(m, &gone); /* labels computed from above leave holes */
	else if (n->holds)
		hoist(m, n, from, record);
	bool was_positional = node_group(m, n, &stem, &prefix, &number);
	if (was_positional)
		label_take_away(m, n);
	for (size_t i = 0; i < gone.items.n; i++) {
		if (gone.items.items[i].holds)
			runs_drop(m, gone.items.items[i].uid);
		node_drop(m, gone.items.items[i].uid);
	}
	if (r->renumber && was_positional)
		label_close(m, stem, prefix, number);
	r->count = (int64_t)gone.items.n;
	*ARRAY_PUSH(a, &m->loss.labels) = label;
	for (size_t i = 0; i < r->broken.items.n; i++)
		*ARRAY_PUSH(a, &m->loss.broken) = r->broken.items.items[i];
	m->blocks -= r->count;
	/* A restore brings the labels back with the blocks, so only shifts of other labels stay as steps. */
	if (m->steps) {
		struct json *kept = json_new_array(a);
		for (uint32_t i = 0; i < m->steps->len; i++)
			if (json_get(&m->steps->items[i], "shift"))
				json_push(a, kept, &m->steps->items[i]);
		m->steps = kept->len ? kept : NULL;
	}
	return manual_is_sound(m);
}
