/* node.c: blocks as rows, and from labels to rows and back. */
#include "kinds/docjl/rows/manual.h"

#include <string.h>

#define GAP ((int64_t)1 << 32)

static void node_row(struct manual *m, struct query *q, struct node *out)
{
	*out = (struct node){
		.uid = query_int(q, 0),
		.parent = query_int(q, 1),
		.ord = bounded(query_int(q, 2), BOUND_ORD),
		.type = query_text(q, m->c->arena, 3),
		.holds = query_int(q, 4),
		.name = query_text(q, m->c->arena, 5),
		.run = query_int(q, 6),
		.slot = bounded(query_int(q, 7), BOUND_SLOT),
		.is_auto = query_int(q, 8),
	};
}
#define NODE_COLUMNS "uid, parent, ord, type, container, name, run, slot, auto_label"

bool node_read(struct manual *m, int64_t uid, struct node *out)
{
	struct query q = query_on(m->t, "SELECT " NODE_COLUMNS " FROM node WHERE doc = ?1 AND uid = ?2");

	bind_int(&q, m->doc);
	bind_int(&q, uid);
	bool found = query_row(&q);
	if (found)
		node_row(m, &q, out);
	query_end(&q);
	return found;
}

/* --- labels ----------------------------------------------------------------------------------- */

struct run_row {
	int64_t stem, base;
	struct text prefix;
};

static bool run_read(struct manual *m, int64_t run, struct run_row *out)
{
	struct query q = query_on(m->t, "SELECT stem, base, prefix FROM run WHERE doc = ?1 AND run = ?2");

	bind_int(&q, m->doc);
	bind_int(&q, run);
	bool found = query_row(&q);
	if (found)
		*out = (struct run_row){query_int(&q, 0), bounded(query_int(&q, 1), BOUND_SLOT),
					query_text(&q, m->c->arena, 2)};
	query_end(&q);
	return found;
}

/* A file may lead in circles; the depth ends them. */
static struct text label_of(struct manual *m, const struct node *n, int depth)
{
	struct run_row r;
	struct node stem;

	if (n->name.at || !n->run)
		return n->name;
	if (depth > DEPTH_MAX || !run_read(m, n->run, &r) || !node_read(m, r.stem, &stem))
		return (struct text){0};
	struct text above = label_id(label_of(m, &stem, depth + 1));
	return text_format(m->c->arena, "%.*s:%.*s.%lld", TEXT_ARGS(r.prefix), TEXT_ARGS(above),
			   (long long)(r.base + n->slot));
}

struct text node_label(struct manual *m, const struct node *n) { return label_of(m, n, 0); }

struct text uid_label(struct manual *m, int64_t uid)
{
	struct node n;

	return uid && node_read(m, uid, &n) ? node_label(m, &n) : (struct text){0};
}

struct text node_path_label(struct manual *m, const struct node *n)
{
	struct text l = node_label(m, n);

	return l.at ? l : TEXT("(no label)");
}

struct text uid_number(struct manual *m, int64_t uid)
{
	struct label l;

	return label_parse(uid_label(m, uid), &l) && l.is_numeric ? l.id : (struct text){0};
}

bool node_group(struct manual *m, const struct node *n, int64_t *stem, struct text *prefix, int64_t *number)
{
	struct run_row r;

	if (!n->run || !run_read(m, n->run, &r))
		return false;
	*stem = r.stem;
	*prefix = r.prefix;
	*number = r.base + n->slot;
	return true;
}

static int64_t name_uid(struct manual *m, struct text name)
{
	struct query q = query_on(m->t, "SELECT uid FROM node WHERE doc = ?1 AND name = ?2");
	int64_t uid = 0;

	bind_int(&q, m->doc);
	bind_text(&q, name);
	if (query_row(&q))
		uid = query_int(&q, 0);
	query_end(&q);
	return uid;
}

static int64_t resolve(struct manual *m, struct text label, int depth)
{
	struct label l;
	int64_t uid = name_uid(m, label);
	ARRAY(struct text) prefixes = {0};

	if (uid || depth > DEPTH_MAX || !label_parse(label, &l) || !l.is_dotted)
		return uid;
	struct query q = query_on(m->t, "SELECT prefix FROM counter WHERE doc = ?1 AND holds = 1 ORDER BY prefix");
	bind_int(&q, m->doc);
	while (query_row(&q))
		*ARRAY_PUSH(m->c->arena, &prefixes) = query_text(&q, m->c->arena, 0);
	query_end(&q);
	for (size_t i = 0; i < prefixes.n && !uid; i++) {
		struct text stem =
			text_format(m->c->arena, "%.*s:%.*s", TEXT_ARGS(prefixes.items[i]), TEXT_ARGS(l.stem));
		int64_t above = resolve(m, stem, depth + 1);
		if (above)
			uid = group_at(m, above, l.prefix, l.number);
	}
	return uid;
}

int64_t label_uid(struct manual *m, struct text label)
{
	return label.len && label.len <= LABEL_MAX ? resolve(m, label, 0) : 0;
}

/* What the caller may have meant: the numbers there are in the group, or a name that is near. */
static struct text what_is_near(struct manual *m, struct text label)
{
	struct call *c = m->c;
	struct label l;
	struct text nearest = {0};
	unsigned best = 6;

	if (label_parse(label, &l) && l.is_dotted) {
		int64_t stem = label_uid(m, text_format(c->arena, "sec:%.*s", TEXT_ARGS(l.stem)));
		int64_t largest = stem ? group_largest(m, stem, l.prefix) : 0;
		if (largest)
			return text_format(c->arena, "the last one there is %.*s:%.*s.%lld", TEXT_ARGS(l.prefix),
					   TEXT_ARGS(l.stem), (long long)largest);
	}
	struct query q = query_on(m->t, "SELECT name FROM node WHERE doc = ?1 AND name IS NOT NULL LIMIT 5000");
	bind_int(&q, m->doc);
	while (query_row(&q)) {
		struct text have = query_lent(&q, 0);
		unsigned distance = text_distance(label, have, best);
		if (distance < best) {
			best = distance;
			nearest = text_copy(c->arena, have);
		}
	}
	query_end(&q);
	return nearest.at ? text_format(c->arena, "did you mean %s?", shown(c, nearest))
			  : TEXT("mcp_docjl_list_headings shows the sections, mcp_docjl_search_blocks finds blocks");
}

bool node_find(struct manual *m, struct text label, struct node *out)
{
	int64_t uid = label_uid(m, label);

	if (uid && node_read(m, uid, out))
		return true;
	if (!manual_is_sound(m))
		return false;
	return fail_as(m->c, BLOCK_NOT_FOUND, "no block of %s has the label %s; %s", shown(m->c, m->id),
		       shown(m->c, label), what_is_near(m, label).at);
}

/* --- the tree --------------------------------------------------------------------------------- */

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

void node_children(struct manual *m, int64_t parent, struct nodes *out)
{
	struct query q =
		query_on(m->t, "SELECT " NODE_COLUMNS " FROM node WHERE doc = ?1 AND parent = ?2 ORDER BY ord, uid");

	*out = (struct nodes){0};
	bind_int(&q, m->doc);
	bind_int(&q, parent);
	while (query_row(&q))
		node_row(m, &q, ARRAY_PUSH(m->c->arena, &out->items));
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
	struct query q =
		query_on(m->t, "SELECT uid FROM node WHERE doc = ?1 AND parent = ?2 AND ord < ?3 ORDER BY ord DESC "
			       "LIMIT 1");
	int64_t uid = 0;

	bind_int(&q, m->doc);
	bind_int(&q, n->parent);
	bind_int(&q, n->ord);
	if (query_row(&q))
		uid = query_int(&q, 0);
	query_end(&q);
	return uid;
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

/* No room between two neighbours: those around get even gaps again, as many as it takes to make room. */
static void spread(struct manual *m, int64_t parent, int64_t around)
{
	struct nodes siblings;

	node_children(m, parent, &siblings);
	size_t n = siblings.items.n, at = 0;
	while (at < n && siblings.items.items[at].ord < around)
		at++;
	for (size_t window = 16;; window *= 4) {
		size_t from = at > window ? at - window : 0, to = at + window < n ? at + window : n;
		int64_t low = from ? siblings.items.items[from - 1].ord : -GAP * (int64_t)(n + 2);
		int64_t high = to < n ? siblings.items.items[to].ord : GAP * (int64_t)(n + 2);
		int64_t step = (high - low) / (int64_t)(to - from + 1);
		if (step < GAP / 1024 && (from || to < n))
			continue;
		for (size_t i = from; i < to; i++)
			node_place(m, siblings.items.items[i].uid, parent, low + step * (int64_t)(i - from + 1));
		return;
	}
}

int64_t ord_behind(struct manual *m, int64_t parent, int64_t after)
{
	static const char next[] =
		"SELECT ord FROM node WHERE doc = ?1 AND parent = ?2 AND ord > ?3 ORDER BY ord LIMIT 1";
	struct node before;
	bool has_next;

	for (int tries = 0; tries < 3; tries++) {
		bool has_before = after && node_read(m, after, &before);
		int64_t low = has_before ? before.ord : -((int64_t)1 << BOUND_ORD) - 1;
		int64_t high = neighbour(m, next, parent, low, &has_next);
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

void node_insert(struct manual *m, const struct node *n)
{
	struct query q = query_on(m->t, "INSERT INTO node (doc, uid, parent, ord, type, container, name, run, slot, "
					"auto_label) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");

	bind_int(&q, m->doc);
	bind_int(&q, n->uid);
	bind_int(&q, n->parent);
	bind_int(&q, n->ord);
	bind_text(&q, n->type);
	bind_int(&q, n->holds);
	bind_text(&q, n->name);
	if (n->run)
		bind_int(&q, n->run);
	else
		bind_null(&q);
	if (n->run)
		bind_int(&q, n->slot);
	else
		bind_null(&q);
	bind_int(&q, n->is_auto);
	query_run(&q);
}

void node_place(struct manual *m, int64_t uid, int64_t parent, int64_t ord)
{
	struct query q = query_on(m->t, "UPDATE node SET parent = ?3, ord = ?4 WHERE doc = ?1 AND uid = ?2");

	bind_int(&q, m->doc);
	bind_int(&q, uid);
	bind_int(&q, parent);
	bind_int(&q, ord);
	query_run(&q);
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
	drop_from(m, "DELETE FROM ref WHERE doc = ?1 AND src = ?2", uid);
	drop_from(m, "DELETE FROM body WHERE doc = ?1 AND uid = ?2", uid);
	drop_from(m, "DELETE FROM node WHERE doc = ?1 AND uid = ?2", uid);
}

/* --- bodies ----------------------------------------------------------------------------------- */

void body_write(struct manual *m, int64_t uid, const struct json *block, bool is_new)
{
	struct arena *a = m->c->arena;
	struct buffer stored = {.arena = a};
	struct texts_list targets = {0};

	block_store(&stored, block, &targets);
	struct query q = query_on(
		m->t, is_new ? "INSERT INTO body (doc, uid, json, folded, note) VALUES (?1, ?2, ?3, ?4, ?5)"
			     : "UPDATE body SET json = ?3, folded = ?4, note = ?5 WHERE doc = ?1 AND uid = ?2");
	bind_int(&q, m->doc);
	bind_int(&q, uid);
	bind_text(&q, buffer_text(&stored));
	bind_text(&q, block_folded(a, block));
	bind_int(&q, block_has_note(block));
	query_run(&q);
	if (!is_new)
		drop_from(m, "DELETE FROM ref WHERE doc = ?1 AND src = ?2", uid);
	for (size_t k = 0; k < targets.items.n; k++) {
		struct reference r = {.src = uid, .k = (int64_t)k, .text = targets.items.items[k]};
		r.dst = label_uid(m, r.text);
		ref_write(m, &r, true);
	}
}

const struct json *node_stored(struct manual *m, int64_t uid)
{
	struct query q = query_on(m->t, "SELECT json FROM body WHERE doc = ?1 AND uid = ?2");
	struct text source = {0};

	bind_int(&q, m->doc);
	bind_int(&q, uid);
	if (query_row(&q))
		source = query_text(&q, m->c->arena, 0);
	query_end(&q);
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
