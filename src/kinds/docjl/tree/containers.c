#include "kinds/docjl/tree/containers.h"

enum { PAGE_ROWS = 400 };

void containers_begin(struct containers *w, struct manual *m, int64_t depth_max)
{
	*w = (struct containers){.m = m, .depth_max = depth_max < WALK_DEPTH ? depth_max : WALK_DEPTH};
}

static const struct json *stored_of(struct containers *w, struct text source)
{
	struct arena *a = w->m->c->arena;
	const struct json *v = source.at ? json_parse(a, source, JSON_DEPTH_MAX, &(struct json_error){0}) : NULL;

	return json_is(v, JSON_OBJECT) ? v : json_new_object(a);
}

/* The container above most labels are computed from is on the path. */
static struct text label_of(struct containers *w, const struct container *k, const struct run *r)
{
	struct text above = {0};

	if (k->node.name.at || !r->prefix.at)
		return k->node.name;
	for (int64_t i = k->depth - 1; i > 0 && !above.at; i--)
		if (w->path[i - 1].node.uid == r->stem)
			above = w->path[i - 1].label;
	if (!above.at)
		above = uid_label(w->m, r->stem);
	if (!above.at)
		return above;
	return text_format(w->m->c->arena, "%.*s:%.*s.%lld", TEXT_ARGS(r->prefix), TEXT_ARGS(label_id(above)),
			   (long long)r->base + k->node.slot);
}

static const struct container *step_to(struct containers *w, const struct container *k)
{
	w->path[k->depth - 1] = *k;
	w->depth = k->depth;
	return &w->path[k->depth - 1];
}

/* The first container below `parent` whose place is after (ord, uid). */
static bool child_after(struct containers *w, int64_t parent, int64_t ord, int64_t uid, struct node *out)
{
	struct query q =
		query_on(w->m->t, "SELECT " NODE_COLUMNS
				  " FROM node INDEXED BY node_container WHERE doc = ?1 AND parent = ?2 AND "
				  "container = 1 AND ord >= ?3 AND (ord > ?3 OR uid > ?4) ORDER BY ord, uid LIMIT 1");

	bind_int(&q, w->m->doc);
	bind_int(&q, parent);
	bind_int(&q, ord);
	bind_int(&q, uid);
	return node_of(w->m, &q, out);
}

static const struct container *next_in_file(struct containers *w)
{
	struct container next = {0};
	struct node below;
	struct run r = {0};
	bool found = false;

	for (next.depth = w->depth + 1; next.depth && !found; next.depth--) {
		const struct node *last = next.depth <= w->depth ? &w->path[next.depth - 1].node : NULL;
		int64_t parent = next.depth > 1 ? w->path[next.depth - 2].node.uid : 0;
		if (next.depth > w->depth_max)
			continue;
		found = child_after(w, parent, last ? last->ord : INT64_MIN, last ? last->uid : -1, &next.node);
		if (found)
			break;
	}
	if (!found)
		return NULL;
	next.holds_containers = child_after(w, next.node.uid, INT64_MIN, -1, &below);
	if (next.node.run)
		run_read(w->m, next.node.run, &r);
	next.label = label_of(w, &next, &r);
	next.stored = node_stored(w->m, next.node.uid);
	return step_to(w, &next);
}

/* ?1 doc; ?2, ?3 uids and ords from the top to the last container, each list with one more at its beginning; ?4 levels.
 * Each step tries the first child, then the next sibling on each level, from the deepest up. */
static const char server_steps[] =
	"WITH RECURSIVE walk (n, uids, ords) AS (SELECT 0, string_to_array(?2::text, ',')::bigint[], "
	"string_to_array(?3::text, ',')::bigint[] UNION ALL SELECT w.n + 1, w.uids[1:x.level] || x.uid, "
	"w.ords[1:x.level] || x.ord FROM walk w CROSS JOIN LATERAL (SELECT g.level, c.uid, c.ord FROM "
	"generate_series(least(cardinality(w.uids), ?4::int), 1, -1) AS g (level) CROSS JOIN LATERAL (SELECT uid, ord FROM "
	"node WHERE doc = ?1 AND parent = w.uids[g.level] AND container = 1 AND (ord, uid) > "
	"(coalesce(w.ords[g.level + 1], -9223372036854775808), coalesce(w.uids[g.level + 1], -1)) ORDER BY ord, uid LIMIT 1) "
	"c ORDER BY g.level DESC LIMIT 1) x WHERE w.n < ?5::int) "
	"SELECT " NODE_COLUMNS
	", stem, base, prefix, level, json, (SELECT count(*) FROM (SELECT 1 FROM node WHERE doc = ?1 "
	"AND parent = s.uid AND container = 1 LIMIT 1) below) FROM (SELECT w.n AS step, cardinality(w.uids) - 1 AS level, "
	"n.*, r.stem, r.base, r.prefix, b.json FROM walk w CROSS JOIN LATERAL (SELECT " NODE_COLUMNS
	" FROM node WHERE doc = ?1 AND uid = w.uids[cardinality(w.uids)] LIMIT 1) n LEFT JOIN LATERAL (SELECT stem, base, "
	"prefix FROM run WHERE doc = ?1 AND run = n.run LIMIT 1) r ON true LEFT JOIN LATERAL (SELECT json FROM body WHERE "
	"doc = ?1 AND uid = n.uid LIMIT 1) b ON true WHERE w.n > 0) s ORDER BY step";
enum column { STEM = 9, BASE, PREFIX, LEVEL, JSON_TEXT, BELOW };

static void page_read(struct containers *w)
{
	struct arena *a = w->m->c->arena;
	struct buffer uids = {.arena = a}, ords = {.arena = a};

	buffer_put(&uids, "0");
	buffer_put(&ords, "0");
	for (int64_t i = 0; i < w->depth; i++) {
		buffer_format(&uids, ",%lld", (long long)w->path[i].node.uid);
		buffer_format(&ords, ",%lld", (long long)w->path[i].node.ord);
	}
	w->page.items.n = w->page.runs.n = w->page.used = 0;
	struct query q = query_on(w->m->t, server_steps);
	bind_int(&q, w->m->doc);
	bind_text(&q, buffer_text(&uids));
	bind_text(&q, buffer_text(&ords));
	bind_int(&q, w->depth_max);
	bind_int(&q, PAGE_ROWS);
	while (query_row(&q)) {
		struct container *k = ARRAY_PUSH(a, &w->page.items);
		node_row(w->m, &q, 0, &k->node);
		k->depth = query_int(&q, LEVEL);
		k->stored = stored_of(w, query_text(&q, a, JSON_TEXT));
		k->holds_containers = query_int(&q, BELOW);
		*ARRAY_PUSH(a, &w->page.runs) =
			(struct run){k->node.run, query_int(&q, STEM), bounded(query_int(&q, BASE), BOUND_SLOT), 0,
				     query_text(&q, a, PREFIX)};
	}
	query_end(&q);
}

const struct container *containers_next(struct containers *w)
{
	if (w->is_over || !goes_on(w->m->c))
		return NULL;
	if (!transaction_is_shared(w->m->t)) {
		const struct container *next = next_in_file(w);
		w->is_over = !next;
		return next;
	}
	bool is_last = w->page.items.n && w->page.items.n < PAGE_ROWS;
	if (w->page.used == w->page.items.n && !is_last)
		page_read(w);
	if (w->page.used == w->page.items.n) {
		w->is_over = true;
		return NULL;
	}
	struct container *k = &w->page.items.items[w->page.used];
	if (k->depth < 1 || k->depth > w->depth + 1 || k->depth > WALK_DEPTH)
		return NULL;
	k->label = label_of(w, k, &w->page.runs.items[w->page.used++]);
	return step_to(w, k);
}
