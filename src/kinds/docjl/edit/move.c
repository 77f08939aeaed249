#include "kinds/docjl/edit/edit.h"

#include <stdlib.h>

/* Reports the new label of a block and the labels computed from it. */
void label_follow(struct manual *m, const struct node *n, struct text before, struct text after)
{
	if (!before.at || !after.at || text_same(before, after))
		return;
	label_changed(m, before, after);
	m->renumbers |= n->holds;
	if (n->holds)
		labels_below(m, n->uid, label_id(before), label_id(after));
}

void dependents_to_names(struct manual *m, int64_t uid, struct json *renamed)
{
	ARRAY(int64_t) uids = {0};
	struct query q =
		query_on(m->t, "SELECT node.uid FROM run INDEXED BY run_base CROSS JOIN node INDEXED BY node_run WHERE "
			       "node.doc = run.doc AND node.run = run.run AND run.doc = ?1 AND run.stem = ?2");

	bind_int(&q, m->doc);
	bind_int(&q, uid);
	while (query_row(&q))
		*ARRAY_PUSH(m->c->arena, &uids) = query_int(&q, 0);
	query_end(&q);
	for (size_t i = 0; i < uids.n; i++) {
		struct node n;
		if (!node_read(m, uids.items[i], &n))
			continue;
		struct text label = node_label(m, &n);
		label_take_away(m, &n);
		label_name(m, &n, label, n.is_auto);
		json_push(m->c->arena, renamed, json_new_int(m->c->arena, n.uid));
	}
}

static bool level_write(struct manual *m, int64_t uid, int64_t by)
{
	struct arena *a = m->c->arena;
	const struct json *stored = node_stored(m, uid);
	int64_t level;

	if (!json_integer(json_get(stored, "level"), &level))
		return true;
	if (level + by > 6)
		return fail_as(
			m->c, SCHEMA_FAILED,
			"the heading %s would get level %lld, and 6 is the deepest; choose a target closer to the top level",
			shown(m->c, uid_label(m, uid)), (long long)(level + by));
	struct json *copy = json_new_object(a);
	for (uint32_t i = 0; i < stored->len; i++)
		json_set_key(a, copy, (struct text){stored->members[i].key, stored->members[i].key_len},
			     &stored->members[i].value);
	json_set_int(a, copy, "level", level + by > 1 ? level + by : 1);
	node_store(m, uid, json_source(a, copy));
	return true;
}

/* Shifts the levels of all headings. The caller limits the shift so that no level falls below 1 and an undo is
 * exact. */
bool subtree_levels(struct manual *m, const struct nodes *subtree, int64_t by)
{
	for (size_t i = 0; by && i < subtree->items.n; i++)
		if (text_is(subtree->items.items[i].type, "heading") &&
		    !level_write(m, subtree->items.items[i].uid, by))
			return false;
	return true;
}

static int64_t smallest_level(struct manual *m, const struct nodes *subtree)
{
	int64_t smallest = 6, level;

	for (size_t i = 0; i < subtree->items.n; i++)
		if (text_is(subtree->items.items[i].type, "heading") &&
		    json_integer(json_get(node_stored(m, subtree->items.items[i].uid), "level"), &level) &&
		    level < smallest)
			smallest = level;
	return smallest;
}

static bool takes_new_label(struct manual *m, const struct node *n, bool was_positional)
{
	struct text prefix = block_prefix(n->type);
	struct label l;

	if (was_positional)
		return true;
	if (!text_is(prefix, "para") && !text_is(prefix, "sec"))
		return false;
	if (n->name.at && (!label_parse(n->name, &l) || !l.is_numeric || l.is_dotted))
		return false; /* a name never changes */
	struct node above;
	for (int64_t uid = n->parent; uid && node_read(m, uid, &above); uid = above.parent)
		if (uid_number(m, uid).at)
			return true;
	return false;
}

bool block_move(struct manual *m, struct node *n, struct spot s, struct json *record)
{
	struct arena *a = m->c->arena;
	struct text before = node_label(m, n), prefix;
	struct nodes subtree;
	int64_t stem, number;

	if (s.parent && node_is_below(m, s.parent, n->uid))
		return fail_as(m->c, SCHEMA_FAILED,
			       "%s cannot move into itself or a block below it; choose a target outside of it",
			       shown(m->c, before));
	const struct spot from = {n->parent, node_previous(m, n)};
	if (s.after == n->uid)
		s.after = from.after;
	place_record(m, record, "from", from);
	place_record(m, record, "to", s);
	node_subtree(m, n, &subtree);
	*ARRAY_PUSH(a, &m->touched) = n->uid;
	int64_t by = node_depth(m, s.parent) - node_depth(m, from.parent);
	if (by < 0 && smallest_level(m, &subtree) + by < 1)
		by = 1 - smallest_level(m, &subtree);
	json_set_int(a, record, "level_shift", by);
	if (!subtree_levels(m, &subtree, by))
		return false;
	if (s.parent != from.parent)
		labels_keep_as_names(m, &subtree);
	bool was_positional = node_group(m, n, &stem, &prefix, &number);
	bool was_auto = n->is_auto;
	if (was_positional) {
		label_take_away(m, n);
		label_close(m, stem, prefix, number);
	} else {
		prefix = block_prefix(n->type);
	}
	n->parent = s.parent;
	n->ord = ord_behind(m, s.parent, s.after);
	n->after = s.after;
	node_place(m, n->uid, n->parent, n->ord);
	if (takes_new_label(m, n, was_positional)) {
		if (n->name.at)
			label_name(m, n, (struct text){0}, was_auto);
		if (!label_give(m, n, prefix))
			return false;
	}
	node_read(m, n->uid, n);
	struct text after = node_label(m, n);
	/* List the moved block first, then the blocks that were renumbered. */
	struct label_change *others = m->changes.items;
	size_t n_others = m->changes.n;
	m->changes.items = NULL;
	m->changes.n = m->changes.cap = 0;
	label_follow(m, n, before, after);
	for (size_t i = 0; i < n_others && m->changes.n < CHANGES_MAX; i++)
		*ARRAY_PUSH(a, &m->changes) = others[i];
	return manual_is_sound(m);
}
