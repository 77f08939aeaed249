/* undo.c: undoes an entry of the trail, as a new change.
 *
 * The label steps of the entry are undone in reverse order. So if all changes are undone, newest first, the document is
 * the same as before them. */
#include "kinds/docjl/edit/edit.h"

#include <stdlib.h>
#include <string.h>

static int64_t int_of(const struct json *o, const char *key)
{
	int64_t n = 0;

	json_integer(json_get(o, key), &n);
	return n;
}

static bool bool_of(const struct json *o, const char *key)
{
	const struct json *v = json_get(o, key);

	return v && v->type == JSON_BOOL && v->boolean;
}

/* The entry that a rollback undid. It is in `touched` as r<seq>. Entries of older versions have it only in details. */
static int64_t rolled_back_by(struct manual *m, int64_t seq, struct text touched)
{
	size_t at = text_starts(touched, "r") ? 0 : text_find(touched, TEXT(" r"), 0);

	if (at != SIZE_MAX)
		return strtoll(touched.at + at + (touched.at[at] == ' ' ? 2 : 1), NULL, 10);
	struct query q = query_on(m->t, "SELECT details FROM audit WHERE doc = ?1 AND seq = ?2");
	bind_int(&q, m->doc);
	bind_int(&q, seq);
	const struct json *details = query_row(&q) ? json_parse(m->c->arena, query_text(&q, m->c->arena, 0),
								JSON_DEPTH_MAX, &(struct json_error){0})
						   : NULL;
	query_end(&q);
	return int_of(details, "rolled_back_seq");
}

/* Do the two lists of uids share a block? Groups (g) and rollbacks (r) are not blocks. */
static bool shares_a_block(struct arena *a, struct text mine, struct text theirs)
{
	struct text list = text_format(a, " %.*s ", TEXT_ARGS(theirs));

	for (size_t at = 0; at < mine.len;) {
		size_t end = text_find(mine, TEXT(" "), at);
		end = end == SIZE_MAX ? mine.len : end;
		if (mine.at[at] >= '0' && mine.at[at] <= '9' &&
		    text_find(list, text_format(a, " %.*s ", (int)(end - at), mine.at + at), 0) != SIZE_MAX)
			return true;
		at = end + 1;
	}
	return false;
}

struct later {
	int64_t seq;
	struct text op, touched;
};

/* May the entry be undone? Not if a later entry changed the same blocks, unless that entry was undone. */
static bool is_free(struct manual *m, const struct entry *e)
{
	struct call *c = m->c;
	ARRAY(struct later) later = {0};
	struct query q =
		query_on(m->t, "SELECT seq, op, touched FROM audit WHERE doc = ?1 AND seq > ?2 ORDER BY seq DESC");

	bind_int(&q, m->doc);
	bind_int(&q, e->seq);
	while (query_row(&q))
		*ARRAY_PUSH(c->arena, &later) =
			(struct later){query_int(&q, 0), query_text(&q, c->arena, 1), query_text(&q, c->arena, 2)};
	query_end(&q);
	bool *undone = arena_array(c->arena, later.n + 1, sizeof *undone);
	for (size_t i = 0; i < later.n; i++) {
		const struct later *l = &later.items[i];
		if (undone[i])
			continue;
		int64_t target = text_is(l->op, "rollback") ? rolled_back_by(m, l->seq, l->touched) : 0;
		if (target == e->seq)
			return fail(c, FAULT_CONFLICT,
				    "%s is rolled back already, by %s; roll that one back to redo the change",
				    audit_id(c->arena, m->id, e->seq).at, audit_id(c->arena, m->id, l->seq).at);
		if (target > e->seq) {
			/* Entries are numbered without gaps, newest first. */
			size_t at = (size_t)(later.items[0].seq - target);
			if (at > i && at < later.n)
				undone[at] = true;
			continue;
		}
		if (shares_a_block(c->arena, e->touched, l->touched))
			return fail(
				c, FAULT_CONFLICT,
				"the same block was changed later, by %s (%.*s); roll that back first, or update the block "
				"yourself",
				audit_id(c->arena, m->id, l->seq).at, TEXT_ARGS(l->op));
	}
	return true;
}

/* Refuses because a block no longer exists. Names the last entry that touched it, which removed it. */
static bool refuse_gone(struct manual *m, const char *what, int64_t uid)
{
	struct call *c = m->c;
	struct text mine = text_format(c->arena, "%lld", (long long)uid), op = {0};
	struct query q = query_on(m->t, "SELECT seq, op, touched FROM audit WHERE doc = ?1 ORDER BY seq DESC");
	int64_t seq = 0;

	bind_int(&q, m->doc);
	while (!seq && query_row(&q))
		if (shares_a_block(c->arena, mine, query_lent(&q, 2))) {
			seq = query_int(&q, 0);
			op = query_text(&q, c->arena, 1);
		}
	query_end(&q);
	if (!seq)
		return fail(c, FAULT_CONFLICT, "%s no longer exists, so there is nothing to undo", what);
	return fail(c, FAULT_CONFLICT, "%s no longer exists since %s (%.*s); roll that back first", what,
		    audit_id(c->arena, m->id, seq).at, TEXT_ARGS(op));
}

static void undo_shift(struct manual *m, const struct json *s, const struct json *range)
{
	struct text prefix = json_text(json_get(s, "prefix"));
	int64_t stem = int_of(s, "stem"), by = -range->items[2].integer;
	int64_t from = range->items[0].integer - by, to = range->items[1].integer - by;

	/* Blocks that were added after these since then must shift too. */
	if (by > 0 && group_at(m, stem, prefix, to + 1))
		to = group_last(m, stem, prefix, to + 1);
	label_shift(m, stem, prefix, from, to, by);
}

static bool undo_step(struct manual *m, const struct json *s)
{
	const struct json *range = json_get(s, "shift"), *from = json_get(s, "from");
	int64_t put = int_of(s, "put"), away = int_of(s, "away"), name = int_of(s, "name");
	struct node n;

	if (json_is(range, JSON_ARRAY) && range->len == 3) {
		undo_shift(m, s, range);
		return true;
	}
	if (!node_read(m, put ? put : away ? away : name, &n))
		return true; /* the block was removed with its label */
	if (put) {
		label_take_away(m, &n);
		n.is_auto = bool_of(s, "was_auto");
		return true;
	}
	if (away) {
		int64_t stem = int_of(s, "stem"), number = int_of(s, "number");
		struct text prefix = json_text(json_get(s, "prefix"));
		if (group_at(m, stem, prefix, number))
			return fail_as(
				m->c, SCHEMA_FAILED,
				"the number of the block now belongs to another block, %s; move that block away first",
				shown(m->c, uid_label(m, group_at(m, stem, prefix, number))));
		label_put(m, &n, stem, prefix, number, bool_of(s, "auto"));
		return true;
	}
	if (json_is(from, JSON_STRING) && label_uid(m, json_text(from)) && label_uid(m, json_text(from)) != name)
		return fail_as(m->c, SCHEMA_FAILED,
			       "the label %s now belongs to another block; rename that block first",
			       shown(m->c, json_text(from)));
	label_name(m, &n, json_text(from), bool_of(s, "was_auto"));
	return true;
}

static bool undo_steps(struct manual *m, const struct json *details)
{
	const struct json *steps = json_get(details, "steps");

	m->renumbers |= steps != NULL;
	for (uint32_t i = steps ? steps->len : 0; i-- > 0;)
		if (!undo_step(m, &steps->items[i]))
			return false;
	return true;
}

static struct spot spot_of(struct manual *m, const struct json *o)
{
	struct spot s = {int_of(o, "parent_uid"), int_of(o, "after_uid")};
	struct node n;

	/* If the sibling before it has moved away, put it last. */
	if (s.after && (!node_read(m, s.after, &n) || n.parent != s.parent)) {
		struct nodes children;
		node_children(m, s.parent, &children);
		s.after = children.items.n ? children.items.items[children.items.n - 1].uid : 0;
	}
	return s;
}

static bool undo_insert(struct manual *m, const struct json *details, struct json *record, int64_t *uid,
			struct text *label)
{
	const struct json *uids = json_get(details, "uids");
	struct removal r = {.cascade = true};
	struct node n;
	struct nodes now;

	if (!json_is(uids, JSON_ARRAY) || !uids->len || !node_read(m, uids->items[0].integer, &n))
		return fail(m->c, FAULT_CONFLICT, "the inserted block no longer exists, so there is nothing to undo");
	node_subtree(m, &n, &now);
	if (now.items.n != uids->len)
		return fail(m->c, FAULT_CONFLICT,
			    "%s now holds other blocks (%zu instead of %u); move or delete them first",
			    node_path_label(m, &n).at, now.items.n, uids->len);
	*uid = n.uid;
	*label = node_label(m, &n);
	if (!block_remove(m, &n, &r, record))
		return false;
	/* Removing the block freed its number. Now move back the labels that made room for it. */
	return undo_steps(m, details);
}

static bool undo_remove(struct manual *m, const struct json *details, struct json *record, int64_t *uid,
			struct text *label)
{
	const struct json *uids = json_get(details, "uids"), *children = json_get(details, "children");
	const struct json *renamed = json_get(details, "renamed"), *block = json_get(details, "block");
	struct spot s = spot_of(m, details);
	struct node n;

	if (s.parent && !node_read(m, s.parent, &n))
		return refuse_gone(m, "its former parent", s.parent);
	if (!undo_steps(m, details) || !subtree_restore(m, details, s))
		return false;
	*uid = uids->items[0].integer;
	int64_t after = 0;
	for (uint32_t i = 0; children && i < children->len; i++) {
		int64_t child = children->items[i].integer;
		node_place(m, child, *uid, ord_behind(m, *uid, after));
		*ARRAY_PUSH(m->c->arena, &m->touched) = child;
		after = child;
	}
	for (uint32_t i = 0; renamed && i < renamed->len; i++)
		if (node_read(m, renamed->items[i].integer, &n))
			label_settle(m, &n);
	*label = uid_label(m, *uid);
	place_record(m, record, NULL, s);
	json_set(m->c->arena, record, "block", block);
	json_set(m->c->arena, record, "uids", uids);
	if (children)
		json_set(m->c->arena, record, "children", children);
	return true;
}

static bool undo_update(struct manual *m, const struct entry *e, const struct json *details, struct json *record)
{
	const struct json *before = json_get(details, "before"), *refs = json_get(details, "before_refs");
	struct node n, dst;
	struct references now;

	if (!before || !node_read(m, e->uid, &n))
		return refuse_gone(m, "the changed block", e->uid);
	json_set(m->c->arena, record, "before", node_block(m, &n, false));
	json_set(m->c->arena, record, "before_refs", refs_record(m, n.uid));
	*ARRAY_PUSH(m->c->arena, &m->touched) = n.uid;
	if (!undo_steps(m, details))
		return false;
	/* Keep the keys of label and children in the stored form. */
	const struct json *had = node_stored(m, n.uid);
	struct json *stored = json_new_object(m->c->arena);
	for (uint32_t i = 0; i < before->len; i++) {
		struct text key = {before->members[i].key, before->members[i].key_len};
		if (!text_is(key, "label") || json_get(had, "label"))
			json_set_key(m->c->arena, stored, key, &before->members[i].value);
	}
	if (json_get(had, "children"))
		json_set_int(m->c->arena, stored, "children", 0);
	body_write(m, n.uid, stored, false);
	refs_of(m, n.uid, &now);
	for (size_t k = 0; k < now.items.n && refs && k < refs->len; k++)
		if (refs->items[k].integer && node_read(m, refs->items[k].integer, &dst)) {
			now.items.items[k].dst = dst.uid;
			ref_write(m, &now.items.items[k], false);
		}
	node_read(m, n.uid, &n);
	json_set(m->c->arena, record, "after", node_block(m, &n, false));
	return true;
}

static bool undo_move(struct manual *m, const struct entry *e, const struct json *details, struct json *record)
{
	const struct json *from = json_get(details, "from");
	struct spot s = spot_of(m, from);
	struct node n, parent;
	struct nodes subtree;

	if (!node_read(m, e->uid, &n))
		return refuse_gone(m, "the moved block", e->uid);
	if (s.parent && !node_read(m, s.parent, &parent))
		return refuse_gone(m, "its former parent", s.parent);
	if (s.parent && node_is_below(m, s.parent, n.uid))
		return fail(m->c, FAULT_CONFLICT,
			    "its former parent is now below the block itself; move that out first");
	const struct spot now = {n.parent, node_previous(m, &n)};
	struct text before = node_label(m, &n);
	node_subtree(m, &n, &subtree);
	int64_t by = -int_of(details, "level_shift");
	if (!undo_steps(m, details) || !subtree_levels(m, &subtree, by))
		return false;
	if (s.after == n.uid)
		s.after = now.after;
	node_place(m, n.uid, s.parent, ord_behind(m, s.parent, s.after));
	node_read(m, n.uid, &n);
	label_follow(m, &n, before, node_label(m, &n));
	*ARRAY_PUSH(m->c->arena, &m->touched) = n.uid;
	place_record(m, record, "from", now);
	place_record(m, record, "to", s);
	json_set_int(m->c->arena, record, "level_shift", by);
	return true;
}

static bool undo_retarget(struct manual *m, const struct json *details, struct json *record)
{
	struct arena *a = m->c->arena;
	const struct json *sources = json_get(details, "sources");
	struct json *back = json_new_array(a);

	for (uint32_t i = 0; sources && i < sources->len; i++) {
		const struct json *s = &sources->items[i];
		struct reference r = {int_of(s, "uid"), int_of(s, "k"), int_of(s, "from_uid"),
				      json_text(json_get(s, "from"))};
		struct node n;
		if (!node_read(m, r.src, &n))
			continue;
		if (r.dst && !node_read(m, r.dst, &n))
			r.dst = 0;
		ref_write(m, &r, false);
		*ARRAY_PUSH(a, &m->touched) = r.src;
		struct json *o = json_new_object(a);
		json_set_int(a, o, "uid", r.src);
		json_set_int(a, o, "k", r.k);
		json_set_int(a, o, "from_uid", int_of(s, "to_uid"));
		json_set_text(a, o, "from", r.text);
		json_set_int(a, o, "to_uid", r.dst);
		json_push(a, back, o);
	}
	json_set(a, record, "sources", back);
	return true;
}

/* Breaks the references again that the change repaired, if they still point to the same block. */
static void undo_bindings(struct manual *m, const struct json *details)
{
	const struct json *list = json_get(details, "repaired_references");

	for (uint32_t i = 0; json_is(list, JSON_ARRAY) && i < list->len; i++) {
		const struct json *o = &list->items[i];
		seal_block(m, int_of(o, "uid"));
		struct query q = query_on(
			m->t, "UPDATE ref SET dst = NULL, text = ?5 WHERE doc = ?1 AND src = ?2 AND k = ?3 AND dst = "
			      "?4");
		bind_int(&q, m->doc);
		bind_int(&q, int_of(o, "uid"));
		bind_int(&q, int_of(o, "k"));
		bind_int(&q, int_of(o, "to_uid"));
		bind_text(&q, json_text(json_get(o, "text")));
		query_run(&q);
		m->may_have_broken = true;
		m->known.refs_of = 0;
	}
}

bool block_undo(struct manual *m, const struct entry *e, struct json *record, int64_t *uid, struct text *label)
{
	struct call *c = m->c;
	const struct json *details = json_parse(c->arena, e->details, JSON_DEPTH_MAX, &(struct json_error){0});
	struct text op = text_is(e->op, "rollback") ? json_text(json_get(details, "as")) : e->op;
	const char *as = NULL;
	bool done = false;

	*uid = e->uid;
	*label = e->label;
	if (!details || !is_free(m, e))
		return details ? false : fail(c, FAULT_STORAGE, "the entry of the trail cannot be read");
	if (text_is(op, "insert_block")) {
		as = "delete_block";
		done = undo_insert(m, details, record, uid, label);
	} else if (text_is(op, "delete_block")) {
		as = "insert_block";
		done = undo_remove(m, details, record, uid, label);
	} else if (text_is(op, "update_block")) {
		as = "update_block";
		done = undo_update(m, e, details, record);
	} else if (text_is(op, "move_block")) {
		as = "move_block";
		done = undo_move(m, e, details, record);
	} else if (text_is(op, "update_references")) {
		as = "update_references";
		done = undo_retarget(m, details, record);
	} else {
		return fail(
			c, FAULT_ARGUMENT,
			"%.*s cannot be rolled back; import the earlier file again: quire docjl import FILE --replace",
			TEXT_ARGS(e->op));
	}
	if (done)
		undo_bindings(m, details);
	json_set_text(c->arena, record, "as", text_of(as));
	json_set_text(c->arena, record, "rolled_back", audit_id(c->arena, m->id, e->seq));
	json_set_int(c->arena, record, "rolled_back_seq", e->seq);
	m->undoes = e->seq;
	return done && manual_is_sound(m);
}
