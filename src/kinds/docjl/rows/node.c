/* node.c: blocks as rows: their places among siblings and their bodies. */
#include "kinds/docjl/rows/manual.h"

#include <string.h>

#define GAP ((int64_t)1 << 32)

void node_row(struct manual *m, struct query *q, int from, struct node *out)
{
	*out = (struct node){
		.uid = query_int(q, from),
		.parent = query_int(q, from + 1),
		.ord = bounded(query_int(q, from + 2), BOUND_ORD),
		.type = query_text(q, m->c->arena, from + 3),
		.holds = query_int(q, from + 4),
		.name = query_text(q, m->c->arena, from + 5),
		.run = query_int(q, from + 6),
		.slot = bounded(query_int(q, from + 7), BOUND_SLOT),
		.is_auto = query_int(q, from + 8),
	};
}

bool node_of(struct manual *m, struct query *q, struct node *out)
{
	bool found = query_row(q);

	if (found) {
		node_row(m, q, 0, out);
		known_node_is(&m->known, out);
	}
	query_end(q);
	return found;
}

bool node_read(struct manual *m, int64_t uid, struct node *out)
{
	const struct node *known = known_node(&m->known, uid);

	if (known) {
		*out = *known;
		return true;
	}
	struct query q = query_on(m->t, "SELECT " NODE_COLUMNS " FROM node WHERE doc = ?1 AND uid = ?2");
	bind_int(&q, m->doc);
	bind_int(&q, uid);
	return node_of(m, &q, out);
}

bool node_is_below(struct manual *m, int64_t uid, int64_t above)
{
	struct node n;

	for (int i = 0; uid && i < 2 * DEPTH_MAX; i++) {
		if (uid == above)
			return true;
		if (!node_read(m, uid, &n))
			return false;
		uid = n.parent;
	}
	return false;
}

int64_t node_depth(struct manual *m, int64_t uid)
{
	struct node n;
	int64_t depth = 0;

	for (; uid && depth < DEPTH_MAX && node_read(m, uid, &n); depth++)
		uid = n.parent;
	return depth;
}

void node_children(struct manual *m, int64_t parent, struct nodes *out)
{
	struct query q =
		query_on(m->t, "SELECT " NODE_COLUMNS " FROM node WHERE doc = ?1 AND parent = ?2 ORDER BY ord, uid");

	*out = (struct nodes){0};
	bind_int(&q, m->doc);
	bind_int(&q, parent);
	while (query_row(&q))
		node_row(m, &q, 0, ARRAY_PUSH(m->c->arena, &out->items));
	query_end(&q);
}

static void subtree_below(struct manual *m, const struct node *n, struct nodes *out, int depth)
{
	struct nodes children;

	*ARRAY_PUSH(m->c->arena, &out->items) = *n;
	if (!n->holds || depth > DEPTH_MAX)
		return;
	node_children(m, n->uid, &children);
	for (size_t i = 0; i < children.items.n; i++)
		subtree_below(m, &children.items.items[i], out, depth + 1);
}

void node_subtree(struct manual *m, const struct node *n, struct nodes *out)
{
	*out = (struct nodes){0};
	subtree_below(m, n, out, 0);
}

int64_t node_previous(struct manual *m, const struct node *n)
{
	if (n->uid && m->known.previous_of == n->uid)
		return m->known.previous;
	struct query q =
		query_on(m->t, "SELECT " NODE_COLUMNS " FROM node WHERE doc = ?1 AND parent = ?2 AND ord < ?3 ORDER BY "
			       "ord DESC LIMIT 1");
	struct node before;

	bind_int(&q, m->doc);
	bind_int(&q, n->parent);
	bind_int(&q, n->ord);
	return node_of(m, &q, &before) ? before.uid : 0;
}

int64_t node_last_child(struct manual *m, int64_t parent)
{
	if (m->known.last_of == parent)
		return m->known.last;
	struct query q = query_on(m->t, "SELECT " NODE_COLUMNS
					" FROM node WHERE doc = ?1 AND parent = ?2 ORDER BY ord DESC LIMIT 1");
	struct node last;

	bind_int(&q, m->doc);
	bind_int(&q, parent);
	m->known.last = node_of(m, &q, &last) ? last.uid : 0;
	m->known.last_of = parent;
	return m->known.last;
}

static int64_t neighbour(struct manual *m, const char *sql, int64_t parent, int64_t ord, bool *is_there)
{
	struct query q = query_on(m->t, sql);
	int64_t found = 0;

	bind_int(&q, m->doc);
	bind_int(&q, parent);
	bind_int(&q, ord);
	*is_there = query_row(&q);
	if (*is_there)
		found = bounded(query_int(&q, 0), BOUND_ORD);
	query_end(&q);
	return found;
}

struct sibling_place {
	int64_t uid, ord;
};
struct sibling_places {
	ARRAY(struct sibling_place) items;
};

/* Reads at most `most` siblings from `around`, in the direction of the query. */
static void places_read(struct manual *m, const char *sql, int64_t parent, int64_t around, int64_t most,
			struct sibling_places *out)
{
	struct query q = query_on(m->t, sql);

	*out = (struct sibling_places){0};
	bind_int(&q, m->doc);
	bind_int(&q, parent);
	bind_int(&q, around);
	bind_int(&q, most);
	while (query_row(&q))
		*ARRAY_PUSH(m->c->arena, &out->items) =
			(struct sibling_place){query_int(&q, 0), bounded(query_int(&q, 1), BOUND_ORD)};
	query_end(&q);
}

/* Makes room between two neighbours: gives even gaps to the siblings around them, to as many as necessary. */
static void spread(struct manual *m, int64_t parent, int64_t around)
{
	static const char before[] =
		"SELECT uid, ord FROM node WHERE doc = ?1 AND parent = ?2 AND ord < ?3 ORDER BY ord "
		"DESC LIMIT ?4";
	static const char behind[] =
		"SELECT uid, ord FROM node WHERE doc = ?1 AND parent = ?2 AND ord >= ?3 ORDER BY ord LIMIT ?4";
	struct sibling_places left, right;

	for (int64_t window = 16;; window *= 4) {
		/* Read one more on each side as the bound; it is not moved. */
		places_read(m, before, parent, around, window + 1, &left);
		places_read(m, behind, parent, around, window + 1, &right);
		bool is_left_end = (int64_t)left.items.n <= window, is_right_end = (int64_t)right.items.n <= window;
		size_t n_left = is_left_end ? left.items.n : left.items.n - 1;
		size_t n_right = is_right_end ? right.items.n : right.items.n - 1;
		int64_t n = (int64_t)(n_left + n_right);
		int64_t low = !is_left_end    ? left.items.items[n_left].ord
			      : !is_right_end ? right.items.items[n_right].ord - GAP * (n + 1)
					      : -GAP * (n + 1) / 2;
		int64_t high = is_right_end ? low + GAP * (n + 1) : right.items.items[n_right].ord;
		int64_t step = (high - low) / (n + 1);
		if (step < GAP / 1024 && !is_left_end && !is_right_end)
			continue;
		for (size_t i = 0; i < n_left + n_right; i++) {
			int64_t uid =
				i < n_left ? left.items.items[n_left - 1 - i].uid : right.items.items[i - n_left].uid;
			node_place(m, uid, parent, low + step * (int64_t)(i + 1));
		}
		return;
	}
}

int64_t ord_behind(struct manual *m, int64_t parent, int64_t after)
{
	static const char next[] =
		"SELECT ord FROM node WHERE doc = ?1 AND parent = ?2 AND ord > ?3 ORDER BY ord LIMIT 1";
	struct node before;
	bool has_next = false;

	for (int tries = 0; tries < 3; tries++) {
		bool has_before = after && node_read(m, after, &before);
		int64_t low = has_before ? before.ord : -((int64_t)1 << BOUND_ORD) - 1;
		bool is_last = has_before && m->known.last_of == parent && m->known.last == after;
		int64_t high = is_last ? 0 : neighbour(m, next, parent, low, &has_next);
		has_next = !is_last && has_next;
		if (!has_before && !has_next)
			return 0;
		if (!has_next && low < (int64_t)1 << (BOUND_ORD - 1))
			return low + GAP;
		if (!has_before && high > -((int64_t)1 << (BOUND_ORD - 1)))
			return high - GAP;
		if (has_before && has_next && high - low > 1)
			return low + (high - low) / 2;
		spread(m, parent, has_before ? low : high);
	}
	return 0;
}

void bind_number(struct query *q, const struct node *n)
{
	if (n->run) {
		bind_int(q, n->run);
		bind_int(q, n->slot);
	} else {
		bind_null(q);
		bind_null(q);
	}
}

void node_insert(struct manual *m, const struct node *n)
{
	struct query q = query_on(m->t, "INSERT INTO node (doc, uid, parent, ord, type, container, name, run, slot, "
					"auto_label) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");

	seal_fresh(m, n->uid);
	bind_int(&q, m->doc);
	bind_int(&q, n->uid);
	bind_int(&q, n->parent);
	bind_int(&q, n->ord);
	bind_text(&q, n->type);
	bind_int(&q, n->holds);
	bind_text(&q, n->name);
	bind_number(&q, n);
	bind_int(&q, n->is_auto);
	query_run(&q);
	known_node_is(&m->known, n);
	known_moved(&m->known);
}

void node_place(struct manual *m, int64_t uid, int64_t parent, int64_t ord)
{
	struct query q = query_on(m->t, "UPDATE node SET parent = ?3, ord = ?4 WHERE doc = ?1 AND uid = ?2");

	seal_block(m, uid);
	bind_int(&q, m->doc);
	bind_int(&q, uid);
	bind_int(&q, parent);
	bind_int(&q, ord);
	query_run(&q);
	known_moved(&m->known);
	struct node *known = known_node(&m->known, uid);
	if (known) {
		known->parent = parent;
		known->ord = ord;
	}
}

static void drop_from(struct manual *m, const char *sql, int64_t uid)
{
	struct query q = query_on(m->t, sql);

	bind_int(&q, m->doc);
	bind_int(&q, uid);
	query_run(&q);
}

void node_drop(struct manual *m, int64_t uid)
{
	seal_block(m, uid);
	drop_from(m, "DELETE FROM ref WHERE doc = ?1 AND src = ?2", uid);
	drop_from(m, "DELETE FROM body WHERE doc = ?1 AND uid = ?2", uid);
	drop_from(m, "DELETE FROM node WHERE doc = ?1 AND uid = ?2", uid);
	known_node_gone(&m->known, uid);
	known_moved(&m->known);
	m->loss.blocks++;
}

void body_write(struct manual *m, int64_t uid, const struct json *block, bool is_new)
{
	struct arena *a = m->c->arena;
	struct buffer stored = {.arena = a};
	struct texts_list targets = {0};

	block_store(&stored, block, &targets);
	seal_block(m, uid);
	struct query q = query_on(
		m->t, is_new ? "INSERT INTO body (doc, uid, json, folded, note) VALUES (?1, ?2, ?3, ?4, ?5)"
			     : "UPDATE body SET json = ?3, folded = ?4, note = ?5 WHERE doc = ?1 AND uid = ?2");
	bind_int(&q, m->doc);
	bind_int(&q, uid);
	bind_text(&q, buffer_text(&stored));
	bind_text(&q, block_folded(a, block));
	bind_int(&q, block_has_note(block));
	query_run(&q);
	m->known.body = buffer_text(&stored);
	m->known.body_of = uid;
	if (!is_new)
		drop_from(m, "DELETE FROM ref WHERE doc = ?1 AND src = ?2", uid);
	struct references refs = {0};
	for (size_t k = 0; k < targets.items.n; k++) {
		struct reference r = {.src = uid, .k = (int64_t)k, .text = targets.items.items[k]};
		r.dst = label_uid(m, r.text);
		ref_write(m, &r, true);
		*ARRAY_PUSH(a, &refs.items) = r;
	}
	m->known.refs = refs;
	m->known.refs_of = uid;
}

void node_store(struct manual *m, int64_t uid, struct text stored)
{
	struct query q = query_on(m->t, "UPDATE body SET json = ?3 WHERE doc = ?1 AND uid = ?2");

	seal_block(m, uid);
	bind_int(&q, m->doc);
	bind_int(&q, uid);
	bind_text(&q, stored);
	query_run(&q);
	m->known.body = stored;
	m->known.body_of = uid;
}

const struct json *node_stored(struct manual *m, int64_t uid)
{
	struct text source = m->known.body;

	if (m->known.body_of != uid) {
		struct query q = query_on(m->t, "SELECT json FROM body WHERE doc = ?1 AND uid = ?2");
		bind_int(&q, m->doc);
		bind_int(&q, uid);
		source = query_row(&q) ? query_text(&q, m->c->arena, 0) : (struct text){0};
		query_end(&q);
		m->known.body = source;
		m->known.body_of = uid;
	}
	const struct json *v =
		source.at ? json_parse(m->c->arena, source, JSON_DEPTH_MAX, &(struct json_error){0}) : NULL;
	return json_is(v, JSON_OBJECT) ? v : json_new_object(m->c->arena);
}

struct writing {
	struct manual *m;
	int64_t uid;
	int depth;
};

static void put_block(struct json_out *o, struct manual *m, const struct node *n, bool with_children, int depth);

static void put_children(struct json_out *o, void *with)
{
	struct writing *w = with;
	struct nodes children;

	node_children(w->m, w->uid, &children);
	json_open(o, '[');
	for (size_t i = 0; i < children.items.n && w->depth < DEPTH_MAX; i++)
		put_block(o, w->m, &children.items.items[i], true, w->depth + 1);
	json_close(o, ']');
}

static void put_block(struct json_out *o, struct manual *m, const struct node *n, bool with_children, int depth)
{
	struct references refs;
	struct writing w = {m, n->uid, depth};
	ARRAY(struct text) targets = {0};

	refs_of(m, n->uid, &refs);
	for (size_t i = 0; i < refs.items.n; i++) {
		const struct reference *r = &refs.items.items[i];
		*ARRAY_PUSH(m->c->arena, &targets) = r->dst ? uid_label(m, r->dst) : r->text;
	}
	const struct block_filler f = {.label = node_label(m, n),
				       .targets = targets.items,
				       .n = targets.n,
				       .always_label = true,
				       .children = with_children && n->holds ? put_children : NULL,
				       .may_hold = with_children && n->holds,
				       .with = &w};
	block_fill(o, node_stored(m, n->uid), &f);
}

const struct json *node_block(struct manual *m, const struct node *n, bool with_children)
{
	struct buffer b = {.arena = m->c->arena};
	struct json_out o = {.to = &b};

	put_block(&o, m, n, with_children, 0);
	const struct json *v = json_parse(m->c->arena, buffer_text(&b), JSON_DEPTH_MAX, &(struct json_error){0});
	return json_is(v, JSON_OBJECT) ? v : json_new_object(m->c->arena);
}
