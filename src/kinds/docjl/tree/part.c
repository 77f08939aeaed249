/* part.c: reads some subtrees of a document, at the cost of these subtrees.
 *
 * One statement returns the blocks, their references, and the rows that labels are computed from: the chains of
 * containers above the subtrees, of the targets of references, and of the stems of all these. The result is a tree as
 * tree_read() makes it, so it is written by the same functions. */
#include "kinds/docjl/tree/tree.h"

#include "base/array.h"
#include "kinds/docjl/tree/labels.h"

#include <string.h>

/* ?1 doc; ?2 the roots, or their parent; ?3 levels. SQLite follows the order of CROSS JOIN. On a server LATERAL with a
 * LIMIT keeps the planner from reading all rows of a document when it expects many. */
/* clang-format off */
#define FILE_EACH(TABLE, AS, ON) "CROSS JOIN " TABLE " " AS " ON " ON " "
#define FILE_MAY(TABLE, AS, ON) "LEFT JOIN " TABLE " " AS " ON " ON " "
#define SERVER_EACH(TABLE, AS, ON) \
	"CROSS JOIN LATERAL (SELECT * FROM " TABLE " " AS " WHERE " ON " LIMIT 1000000000) " AS " "
#define SERVER_MAY(TABLE, AS, ON) \
	"LEFT JOIN LATERAL (SELECT * FROM " TABLE " " AS " WHERE " ON " LIMIT 1) " AS " ON true "
#define NODE_OF(UID) "n.doc = ?1 AND n.uid = " UID
#define RUN_OF_NODE "r.doc = ?1 AND r.run = n.run"
#define PLACE "n.uid, n.parent, n.ord, n.type, n.container, n.name, n.run, n.slot, n.auto_label, r.stem, r.base, r.prefix"
#define PART(EACH, MAY, ROOTS) \
	"WITH RECURSIVE asked (uid) AS (" ROOTS "), " \
	"sub (uid, level) AS (SELECT uid, 1 FROM asked UNION ALL SELECT n.uid, s.level + 1 FROM sub s " \
	EACH("node", "n", "n.doc = ?1 AND n.parent = s.uid") "WHERE s.level < ?3), " \
	"inside (uid) AS (SELECT DISTINCT uid FROM sub), " \
	"cite (src, k, dst, text) AS (SELECT c.src, c.k, c.dst, c.text FROM inside i " \
	EACH("ref", "c", "c.doc = ?1 AND c.src = i.uid") "), " \
	"up (uid) AS (SELECT uid FROM asked UNION SELECT n.parent FROM up u " EACH("node", "n", NODE_OF("u.uid")) \
	"WHERE n.parent > 0), " \
	"named (uid) AS (SELECT uid FROM inside UNION SELECT uid FROM up UNION SELECT dst FROM cite WHERE dst > 0 " \
	"UNION SELECT r.stem FROM named m " EACH("node", "n", NODE_OF("m.uid")) EACH("run", "r", RUN_OF_NODE) ") " \
	"SELECT 0, " PLACE ", b.json FROM inside i " EACH("node", "n", NODE_OF("i.uid")) MAY("run", "r", RUN_OF_NODE) \
	MAY("body", "b", "b.doc = ?1 AND b.uid = i.uid") \
	"UNION ALL SELECT 1, " PLACE ", NULL FROM named m " EACH("node", "n", NODE_OF("m.uid")) MAY("run", "r", RUN_OF_NODE) \
	"WHERE m.uid NOT IN (SELECT uid FROM inside) " \
	"UNION ALL SELECT 2, src, k, dst, text, 0, NULL, 0, 0, 0, 0, 0, NULL, NULL FROM cite " \
	"UNION ALL SELECT 3, s.uid, count(*), 0, NULL, 0, NULL, 0, 0, 0, 0, 0, NULL, NULL FROM sub s " \
	EACH("node", "n", "n.doc = ?1 AND n.parent = s.uid") "WHERE s.level = ?3 GROUP BY s.uid"
/* clang-format on */

static const char file_below[] = PART(FILE_EACH, FILE_MAY, "SELECT uid FROM node WHERE doc = ?1 AND parent = ?2"),
		  file_roots[] = PART(FILE_EACH, FILE_MAY, "SELECT value FROM json_each('[' || ?2 || ']')"),
		  server_below[] = PART(SERVER_EACH, SERVER_MAY, "SELECT uid FROM node WHERE doc = ?1 AND parent = ?2"),
		  server_roots[] =
			  PART(SERVER_EACH, SERVER_MAY, "SELECT unnest(string_to_array(?2::text, ',')::bigint[])");

enum row { ROW_BLOCK, ROW_NAME, ROW_CITE, ROW_LEFT_OUT };

struct cite {
	int64_t src, k, dst;
	struct text text;
};
struct left_out {
	int64_t uid, n;
};
struct part {
	struct manual *m;
	struct tree *t;
	struct loading l;
	ARRAY(struct run_at) runs;
	ARRAY(struct cite) cites;
	ARRAY(struct left_out) left_out;
};

static void node_add(struct part *p, struct query *q, bool is_inside)
{
	struct arena *a = p->m->c->arena;
	struct tree_node *n = ARRAY_PUSH(a, &p->t->nodes);

	*n = (struct tree_node){.uid = query_int(q, 1),
				.parent_uid = query_int(q, 2),
				.ord = query_int(q, 3),
				.type = query_text(q, a, 4),
				.holds = query_int(q, 5),
				.label = query_text(q, a, 6),
				.run = query_int(q, 7),
				.slot = bounded(query_int(q, 8), BOUND_SLOT),
				.is_auto = query_int(q, 9),
				.is_outside = !is_inside,
				.parent = TREE_NONE,
				.first = TREE_NONE,
				.last = TREE_NONE,
				.next = TREE_NONE};
	if (is_inside)
		n->body = query_text(q, a, 13);
	if (n->run && query_lent(q, 12).at)
		*ARRAY_PUSH(a, &p->runs) = (struct run_at){n->run, query_int(q, 10),
							   bounded(query_int(q, 11), BOUND_SLOT), query_text(q, a, 12)};
}

static void row_add(struct part *p, struct query *q)
{
	struct arena *a = p->m->c->arena;

	switch ((enum row)query_int(q, 0)) {
	case ROW_BLOCK: node_add(p, q, true); break;
	case ROW_NAME: node_add(p, q, false); break;
	case ROW_CITE:
		*ARRAY_PUSH(a, &p->cites) =
			(struct cite){query_int(q, 1), query_int(q, 2), query_int(q, 3), query_text(q, a, 4)};
		break;
	case ROW_LEFT_OUT: *ARRAY_PUSH(a, &p->left_out) = (struct left_out){query_int(q, 1), query_int(q, 2)}; break;
	}
}

static int by_place(const void *a, const void *b)
{
	const struct tree_node *one = a, *two = b;

	if (one->parent_uid != two->parent_uid)
		return one->parent_uid < two->parent_uid ? -1 : 1;
	if (one->ord != two->ord)
		return one->ord < two->ord ? -1 : 1;
	return one->uid < two->uid ? -1 : one->uid > two->uid;
}

static int by_source(const void *a, const void *b)
{
	const struct cite *one = a, *two = b;

	if (one->src != two->src)
		return one->src < two->src ? -1 : 1;
	return one->k < two->k ? -1 : one->k > two->k;
}

static void link_inside(struct part *p)
{
	struct tree *t = p->t;

	for (uint32_t i = 0; i < t->nodes.n; i++) {
		struct tree_node *n = &t->nodes.items[i];
		n->parent = n->parent_uid ? tree_at(t, n->parent_uid) : TREE_NONE;
		if (n->is_outside || n->parent == TREE_NONE || t->nodes.items[n->parent].is_outside)
			continue;
		struct tree_node *above = &t->nodes.items[n->parent];
		if (above->first == TREE_NONE)
			above->first = i;
		else
			t->nodes.items[above->last].next = i;
		above->last = i;
	}
	for (size_t i = 0; i < p->left_out.n; i++) {
		uint32_t at = tree_at(t, p->left_out.items[i].uid);
		if (at != TREE_NONE)
			t->nodes.items[at].left_out = p->left_out.items[i].n;
	}
}

static void link_cites(struct part *p)
{
	struct tree *t = p->t;

	if (p->cites.n)
		array_sort(p->cites.items, p->cites.n, sizeof *p->cites.items, by_source);
	for (size_t i = 0; i < p->cites.n; i++) {
		const struct cite *c = &p->cites.items[i];
		uint32_t at = tree_at(t, c->src);
		*ARRAY_PUSH(p->m->c->arena, &t->refs) = (struct tree_ref){
			.dst = c->dst, .to = c->dst ? tree_at(t, c->dst) : TREE_NONE, .text = c->text};
		if (at != TREE_NONE && !t->nodes.items[at].n_refs++)
			t->nodes.items[at].ref = (uint32_t)(t->refs.n - 1);
	}
}

/* The blocks from the top down to a root, as indices. False: it is below another root, or not below the top (a
 * manipulated file). */
struct way {
	uint32_t at[2 * DEPTH_MAX];
	size_t n;
};

static bool way_down(const struct tree *t, const bool *is_root, uint32_t root, struct way *out)
{
	uint32_t at = root;

	for (out->n = 0; out->n < ARRAY_COUNT(out->at); at = t->nodes.items[at].parent) {
		if (at != root && is_root[at])
			return false;
		out->at[out->n++] = at;
		if (t->nodes.items[at].parent == TREE_NONE)
			break;
	}
	if (t->nodes.items[at].parent_uid)
		return false;
	for (size_t i = 0; i < out->n / 2; i++) {
		uint32_t keep = out->at[i];
		out->at[i] = out->at[out->n - 1 - i];
		out->at[out->n - 1 - i] = keep;
	}
	return true;
}

/* Siblings are sorted by their place, so their indices compare as their places do. */
static int by_way(const void *a, const void *b)
{
	const struct way *one = a, *two = b;

	for (size_t i = 0; i < one->n && i < two->n; i++)
		if (one->at[i] != two->at[i])
			return one->at[i] < two->at[i] ? -1 : 1;
	return one->n < two->n ? -1 : one->n > two->n;
}

/* Makes the roots the top of the tree, in document order. */
static void link_roots(struct part *p, const struct uids *roots)
{
	struct tree *t = p->t;
	struct arena *a = p->m->c->arena;
	bool *is_root = arena_array(a, t->nodes.n + 1, sizeof *is_root);
	ARRAY(struct way) ways = {0};

	for (size_t i = 0; i < roots->items.n; i++) {
		uint32_t at = tree_at(t, roots->items.items[i]);
		if (at != TREE_NONE)
			is_root[at] = true;
	}
	for (uint32_t i = 0; i < t->nodes.n; i++)
		if (is_root[i] && !way_down(t, is_root, i, ARRAY_PUSH(a, &ways)))
			ways.n--;
	if (ways.n)
		array_sort(ways.items, ways.n, sizeof *ways.items, by_way);
	uint32_t *to = &t->first;
	for (size_t i = 0; i < ways.n; i++) {
		uint32_t root = ways.items[i].at[ways.items[i].n - 1];
		*to = root;
		to = &t->nodes.items[root].next;
	}
	*to = TREE_NONE;
}

static void link_top(struct part *p)
{
	struct tree *t = p->t;
	uint32_t *to = &t->first;

	for (uint32_t i = 0; i < t->nodes.n; i++)
		if (!t->nodes.items[i].parent_uid && !t->nodes.items[i].is_outside) {
			*to = i;
			to = &t->nodes.items[i].next;
		}
	*to = TREE_NONE;
}

/* Each root once: its children are counted for each. */
static struct text list_of(struct arena *a, const struct uids *roots)
{
	struct buffer b = {.arena = a};

	for (size_t i = 0; i < roots->items.n; i++) {
		bool is_new = true;
		for (size_t k = 0; k < i && is_new; k++)
			is_new = roots->items.items[k] != roots->items.items[i];
		if (is_new)
			buffer_format(&b, "%s%lld", i ? "," : "", (long long)roots->items.items[i]);
	}
	return buffer_text(&b);
}

bool tree_read_part(struct manual *m, const struct uids *roots, int64_t depth, struct tree *out)
{
	bool is_server = transaction_is_shared(m->t);
	struct part p = {.m = m, .t = out, .l = {.t = out}};
	struct query q = query_on(m->t, roots ? (is_server ? server_roots : file_roots)
					      : (is_server ? server_below : file_below));

	*out = (struct tree){.m = m, .first = TREE_NONE};
	bind_int(&q, m->doc);
	if (roots)
		bind_text(&q, list_of(m->c->arena, roots));
	else
		bind_int(&q, 0);
	bind_int(&q, depth && depth < 2 * DEPTH_MAX ? depth : 2 * DEPTH_MAX);
	while (query_row(&q))
		row_add(&p, &q);
	query_end(&q);
	if (out->nodes.n)
		array_sort(out->nodes.items, out->nodes.n, sizeof *out->nodes.items, by_place);
	tree_index(out);
	p.l.runs = p.runs.items;
	p.l.n_runs = p.runs.n;
	loading_labels(&p.l);
	link_inside(&p);
	link_cites(&p);
	if (roots)
		link_roots(&p, roots);
	else
		link_top(&p);
	return manual_is_sound(m) && goes_on(m->c);
}
