/* refs.c: a reference stores the uid of its target, so it is valid after every renumbering. A broken one stores the
 * label. */
#include "kinds/docjl/rows/manual.h"

static void collect(struct manual *m, struct query *q, struct references *out)
{
	*out = (struct references){0};
	while (query_row(q))
		*ARRAY_PUSH(m->c->arena, &out->items) = (struct reference){
			query_int(q, 0), query_int(q, 1), query_int(q, 2), query_text(q, m->c->arena, 3)};
	query_end(q);
}

void refs_of(struct manual *m, int64_t src, struct references *out)
{
	if (m->known.refs_of != src) {
		struct query q =
			query_on(m->t, "SELECT src, k, dst, text FROM ref WHERE doc = ?1 AND src = ?2 ORDER BY k");
		bind_int(&q, m->doc);
		bind_int(&q, src);
		collect(m, &q, &m->known.refs);
		m->known.refs_of = src;
	}
	/* Return a copy, because callers change it. */
	*out = (struct references){0};
	for (size_t i = 0; i < m->known.refs.items.n; i++)
		*ARRAY_PUSH(m->c->arena, &out->items) = m->known.refs.items.items[i];
}

void refs_to(struct manual *m, int64_t dst, struct references *out)
{
	*out = (struct references){0};
	if (dst && m->known.uncited == dst)
		return;
	struct query q = query_on(
		m->t, "SELECT src, k, dst, text FROM ref INDEXED BY ref_dst WHERE doc = ?1 AND dst = ?2 ORDER BY "
		      "src, k");

	bind_int(&q, m->doc);
	bind_int(&q, dst);
	collect(m, &q, out);
}

void ref_write(struct manual *m, const struct reference *r, bool is_new)
{
	struct query q =
		query_on(m->t, is_new ? "INSERT INTO ref (doc, src, k, dst, text) VALUES (?1, ?2, ?3, ?4, ?5)"
				      : "UPDATE ref SET dst = ?4, text = ?5 WHERE doc = ?1 AND src = ?2 AND k = ?3");

	seal_block(m, r->src);
	bind_int(&q, m->doc);
	bind_int(&q, r->src);
	bind_int(&q, r->k);
	if (r->dst)
		bind_int(&q, r->dst);
	else
		bind_null(&q);
	bind_text(&q, storable(m->c->arena, r->text));
	query_run(&q);
	m->known.refs_of = m->known.uncited = 0;
	m->may_have_broken |= !r->dst;
}

void refs_break(struct manual *m, int64_t dst, struct text label)
{
	struct references refs;
	struct uids sources = {0};

	refs_to(m, dst, &refs);
	for (size_t i = 0; i < refs.items.n; i++)
		*ARRAY_PUSH(m->c->arena, &sources.items) = refs.items.items[i].src;
	seal_blocks(m, sources.items.items, sources.items.n);
	struct query q =
		query_on(m->t, "UPDATE ref INDEXED BY ref_dst SET dst = NULL, text = ?3 WHERE doc = ?1 AND dst = "
			       "?2");

	bind_int(&q, m->doc);
	bind_int(&q, dst);
	bind_text(&q, label.at ? label : TEXT(""));
	query_run(&q);
	m->known.refs_of = 0;
	m->may_have_broken = true;
}

static bool has_broken(struct manual *m, struct text label)
{
	struct query q =
		query_on(m->t, "SELECT src FROM ref INDEXED BY ref_text WHERE doc = ?1 AND text = ?2 AND dst IS NULL "
			       "LIMIT 1");

	bind_int(&q, m->doc);
	bind_text(&q, label);
	bool has = query_row(&q);
	query_end(&q);
	return has;
}

static void bind_label(struct manual *m, struct text label)
{
	int64_t uid = has_broken(m, label) ? label_uid(m, label) : 0;

	if (!uid)
		return;
	struct query q = query_on(
		m->t, "SELECT src, k, dst, text FROM ref INDEXED BY ref_text WHERE doc = ?1 AND text = ?2 AND dst "
		      "IS NULL");
	struct references refs;
	bind_int(&q, m->doc);
	bind_text(&q, label);
	collect(m, &q, &refs);
	for (size_t i = 0; i < refs.items.n; i++) {
		struct reference *r = &refs.items.items[i];
		r->dst = uid;
		ref_write(m, r, false);
		struct json *o = json_new_object(m->c->arena);
		json_set_int(m->c->arena, o, "uid", r->src);
		json_set_int(m->c->arena, o, "k", r->k);
		json_set_int(m->c->arena, o, "to_uid", uid);
		json_set_text(m->c->arena, o, "text", r->text);
		if (!m->bindings)
			m->bindings = json_new_array(m->c->arena);
		json_push(m->c->arena, m->bindings, o);
	}
	m->bound += (int64_t)refs.items.n;
	warn(m->c, "%zu broken reference%s to %s %s repaired", refs.items.n, refs.items.n == 1 ? "" : "s",
	     shown(m->c, label), refs.items.n == 1 ? "is" : "are");
}

void refs_bind(struct manual *m)
{
	enum { ASKED_MAX = 8 };
	ARRAY(struct text) broken = {0};

	if (!m->may_have_broken)
		return;
	if (!m->ranges.n && m->fresh.n <= ASKED_MAX) {
		for (size_t i = 0; i < m->fresh.n; i++)
			bind_label(m, m->fresh.items[i]);
		return;
	}
	/* Many labels are new, so try the labels of all broken references instead. */
	struct query q =
		query_on(m->t, "SELECT DISTINCT text FROM ref INDEXED BY ref_text WHERE doc = ?1 AND dst IS NULL");
	bind_int(&q, m->doc);
	while (query_row(&q))
		*ARRAY_PUSH(m->c->arena, &broken) = query_text(&q, m->c->arena, 0);
	query_end(&q);
	for (size_t i = 0; i < broken.n; i++)
		bind_label(m, broken.items[i]);
}
