#include "kinds/docjl/tree/labels.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

static int by_first(const void *a, const void *b)
{
	int64_t one = *(const int64_t *)a, two = *(const int64_t *)b;

	return one < two ? -1 : one > two;
}

uint32_t tree_at(const struct tree *t, int64_t uid)
{
	const struct uid_at *found = bsearch(&uid, t->index, t->nodes.n, sizeof *t->index, by_first);

	return found ? found->at : TREE_NONE;
}

void tree_index(struct tree *t)
{
	t->index = arena_array(t->m->c->arena, t->nodes.n ? t->nodes.n : 1, sizeof *t->index);
	for (size_t i = 0; i < t->nodes.n; i++)
		t->index[i] = (struct uid_at){t->nodes.items[i].uid, (uint32_t)i};
	array_sort(t->index, t->nodes.n, sizeof *t->index, by_first);
}

static void read_nodes(struct manual *m, unsigned what, struct loading *l)
{
	struct arena *a = m->c->arena;
	struct tree *t = l->t;
	struct query q = query_on(
		m->t,
		what & TREE_CONTAINERS
			? "SELECT uid, parent, type, container, name, run, slot, auto_label FROM node INDEXED BY "
			  "node_container WHERE doc = ?1 AND container = 1 ORDER BY parent, ord, uid"
			: "SELECT uid, parent, type, container, name, run, slot, auto_label FROM node WHERE doc = ?1 ORDER "
			  "BY parent, ord, uid");
	struct text type = {0};

	bind_int(&q, m->doc);
	if (m->blocks > 0 && m->blocks < 100000000 && !(what & TREE_CONTAINERS))
		ARRAY_RESERVE(a, &t->nodes, (size_t)m->blocks + 1);
	while (query_row(&q)) {
		struct text row_type = query_lent(&q, 2);
		if (!text_same(type, row_type))
			type = text_copy(a, row_type);
		*ARRAY_PUSH(a, &t->nodes) = (struct tree_node){.uid = query_int(&q, 0),
							       .parent_uid = query_int(&q, 1),
							       .type = type,
							       .holds = query_int(&q, 3),
							       .label = query_text(&q, a, 4),
							       .run = query_int(&q, 5),
							       .slot = bounded(query_int(&q, 6), BOUND_SLOT),
							       .is_auto = query_int(&q, 7),
							       .parent = TREE_NONE,
							       .first = TREE_NONE,
							       .last = TREE_NONE,
							       .next = TREE_NONE};
	}
	query_end(&q);
	tree_index(t);
}

static void read_runs(struct manual *m, struct loading *l)
{
	ARRAY(struct run_at) runs = {0};
	struct query q = query_on(m->t, "SELECT run, stem, base, prefix FROM run WHERE doc = ?1 ORDER BY run");

	bind_int(&q, m->doc);
	while (query_row(&q))
		*ARRAY_PUSH(m->c->arena, &runs) =
			(struct run_at){query_int(&q, 0), query_int(&q, 1), bounded(query_int(&q, 2), BOUND_SLOT),
					query_text(&q, m->c->arena, 3)};
	query_end(&q);
	l->runs = runs.items;
	l->n_runs = runs.n;
}

static struct text make_label(struct loading *l, uint32_t i, int depth)
{
	struct tree_node *n = &l->t->nodes.items[i];
	struct arena *a = l->t->m->c->arena;

	if (n->label.at || n->has_label_made || !n->run || depth > DEPTH_MAX)
		return n->label;
	n->has_label_made = true;
	const struct run_at *r = bsearch(&n->run, l->runs, l->n_runs, sizeof *l->runs, by_first);
	uint32_t stem = r ? tree_at(l->t, r->stem) : TREE_NONE;
	if (stem == TREE_NONE)
		return n->label;
	struct text number = label_id(make_label(l, stem, depth + 1));
	if (!number.at)
		return n->label;
	char *room = arena_alloc(a, r->prefix.len + number.len + 24);
	memcpy(room, r->prefix.at, r->prefix.len);
	size_t len = r->prefix.len;
	room[len++] = ':';
	memcpy(room + len, number.at, number.len);
	len += number.len;
	room[len++] = '.';
	char digits[24];
	size_t k = sizeof digits;
	for (int64_t value = r->base + n->slot; value > 0 || k == sizeof digits; value /= 10)
		digits[--k] = (char)('0' + value % 10);
	memcpy(room + len, digits + k, sizeof digits - k);
	len += sizeof digits - k;
	room[len] = 0;
	n->label = (struct text){room, len};
	return n->label;
}

void loading_labels(struct loading *l)
{
	if (l->n_runs)
		array_sort(l->runs, l->n_runs, sizeof *l->runs, by_first);
	for (uint32_t i = 0; i < l->t->nodes.n; i++)
		make_label(l, i, 0);
}

/* Rows are grouped by parent and ordered, so each is added after the last one of its parent. */
static void link_nodes(struct loading *l)
{
	struct tree *t = l->t;
	uint32_t last_top = TREE_NONE;

	t->first = TREE_NONE;
	for (uint32_t i = 0; i < t->nodes.n; i++) {
		struct tree_node *n = &t->nodes.items[i];
		uint32_t parent = n->parent_uid ? tree_at(l->t, n->parent_uid) : TREE_NONE;
		if (n->parent_uid && parent == TREE_NONE)
			continue; /* a manipulated file */
		n->parent = parent;
		uint32_t *first = parent == TREE_NONE ? &t->first : &t->nodes.items[parent].first;
		uint32_t *last = parent == TREE_NONE ? &last_top : &t->nodes.items[parent].last;
		if (*last == TREE_NONE)
			*first = i;
		else
			t->nodes.items[*last].next = i;
		*last = i;
	}
}

static void read_bodies(struct manual *m, unsigned what, struct loading *l)
{
	struct query q = query_on(
		m->t, what & TREE_CONTAINERS
			      ? "SELECT body.uid, body.json FROM node INDEXED BY node_container CROSS JOIN body WHERE "
				"node.doc = ?1 AND node.container = 1 AND body.doc = node.doc AND body.uid = node.uid"
			      : "SELECT uid, json FROM body WHERE doc = ?1 ORDER BY uid");

	bind_int(&q, m->doc);
	for (uint32_t i = 0; query_row(&q); i++) {
		uint32_t at = tree_at(l->t, query_int(&q, 0));
		if (i % 1024 == 0)
			progress(m->c, i, (double)l->t->nodes.n, "reading blocks");
		if (at != TREE_NONE)
			l->t->nodes.items[at].body = query_text(&q, m->c->arena, 1);
	}
	query_end(&q);
}

static void read_refs(struct manual *m, struct loading *l)
{
	struct tree *t = l->t;
	struct query q = query_on(m->t, "SELECT src, dst, text FROM ref WHERE doc = ?1 ORDER BY src, k");

	bind_int(&q, m->doc);
	while (query_row(&q)) {
		uint32_t at = tree_at(l->t, query_int(&q, 0));
		struct tree_ref *r = ARRAY_PUSH(m->c->arena, &t->refs);
		r->dst = query_int(&q, 1);
		r->to = r->dst ? tree_at(l->t, r->dst) : TREE_NONE;
		if (r->to == TREE_NONE)
			r->text = query_text(&q, m->c->arena, 2);
		else
			t->nodes.items[r->to].is_cited = true;
		if (at == TREE_NONE)
			continue;
		if (!t->nodes.items[at].n_refs++)
			t->nodes.items[at].ref = (uint32_t)(t->refs.n - 1);
	}
	query_end(&q);
}

bool tree_read(struct manual *m, unsigned what, struct tree *out)
{
	struct loading l = {.t = out};

	*out = (struct tree){.m = m};
	read_nodes(m, what, &l);
	read_runs(m, &l);
	link_nodes(&l);
	loading_labels(&l);
	if (what & TREE_BODIES)
		read_bodies(m, what, &l);
	if (what & TREE_REFS)
		read_refs(m, &l);
	return manual_is_sound(m) && goes_on(m->c);
}

bool labels_are_unique(struct manual *m)
{
	struct map seen = {.arena = m->c->arena};
	struct tree t;
	bool was;

	if (!m->irregular || !m->renumbers)
		return true;
	if (!tree_read(m, 0, &t))
		return false;
	map_reserve(&seen, t.nodes.n);
	for (uint32_t i = 0; i < t.nodes.n; i++) {
		if (!t.nodes.items[i].label.at)
			continue;
		map_at(&seen, t.nodes.items[i].label, i, &was);
		if (was)
			return label_refuse(m, t.nodes.items[i].label);
	}
	return true;
}

uint32_t tree_next(const struct tree *t, uint32_t i)
{
	if (t->nodes.items[i].first != TREE_NONE)
		return t->nodes.items[i].first;
	while (i != TREE_NONE && t->nodes.items[i].next == TREE_NONE)
		i = t->nodes.items[i].parent;
	return i == TREE_NONE ? TREE_NONE : t->nodes.items[i].next;
}

const struct json *tree_stored(const struct tree *t, uint32_t i)
{
	struct arena *a = t->m->c->arena;
	const struct json *v = t->nodes.items[i].body.at
				       ? json_parse(a, t->nodes.items[i].body, JSON_DEPTH_MAX, &(struct json_error){0})
				       : NULL;

	return json_is(v, JSON_OBJECT) ? v : json_new_object(a);
}

struct putting {
	const struct tree *t;
	const struct tree_form *f;
	uint32_t at;
	int64_t depth;
};

static void put_at(struct json_out *o, const struct tree *t, uint32_t i, const struct tree_form *f, int64_t depth);

static void put_children(struct json_out *o, void *with)
{
	struct putting *p = with;

	json_open(o, '[');
	for (uint32_t i = p->t->nodes.items[p->at].first; i != TREE_NONE && p->depth < 2 * DEPTH_MAX;
	     i = p->t->nodes.items[i].next)
		put_at(o, p->t, i, p->f, p->depth + 1);
	json_close(o, ']');
}

void tree_fill(struct json_out *o, const struct tree *t, uint32_t i, struct block_filler *f)
{
	const struct tree_node *n = &t->nodes.items[i];
	struct arena scratch = {0};
	struct text few[16], *targets = n->n_refs > 16 ? arena_array(&scratch, n->n_refs, sizeof *targets) : few;

	for (uint32_t k = 0; k < n->n_refs; k++) {
		const struct tree_ref *r = &t->refs.items[n->ref + k];
		targets[k] = r->to != TREE_NONE ? t->nodes.items[r->to].label : r->text;
	}
	f->targets = targets;
	f->n = n->n_refs;
	const struct json *stored =
		n->body.at ? json_parse(&scratch, n->body, JSON_DEPTH_MAX, &(struct json_error){0}) : NULL;
	block_fill(o, json_is(stored, JSON_OBJECT) ? stored : json_new_object(&scratch), f);
	arena_free(&scratch);
}

void tree_put_bare(struct json_out *o, const struct tree *t, uint32_t i)
{
	tree_fill(o, t, i, &(struct block_filler){.label = t->nodes.items[i].label, .always_label = true});
}

static void put_at(struct json_out *o, const struct tree *t, uint32_t i, const struct tree_form *f, int64_t depth)
{
	const struct tree_node *n = &t->nodes.items[i];
	struct putting p = {t, f, i, depth};
	int64_t omitted = n->left_out;
	bool is_cut = f->depth && depth >= f->depth;

	for (uint32_t k = n->first; is_cut && !n->left_out && k != TREE_NONE; k = t->nodes.items[k].next)
		omitted++;
	struct block_filler filler = {
		.label = f->leaves_auto_out && n->is_auto && !n->is_cited ? (struct text){0} : n->label,
		.always_label = true,
		.children = is_cut ? NULL : put_children,
		.with = &p,
		.may_hold = n->first != TREE_NONE,
		.omitted = is_cut ? omitted : 0,
	};
	tree_fill(o, t, i, &filler);
}

void tree_put(struct json_out *o, const struct tree *t, uint32_t i, const struct tree_form *f)
{
	put_at(o, t, i, f, 1);
}

void tree_put_document(struct json_out *o, const struct tree *t, const struct tree_form *f)
{
	json_open(o, '{');
	json_key(o, "id");
	json_put_text(o, t->m->id);
	json_key(o, "metadata");
	json_put_raw(o, t->m->metadata);
	json_key(o, "docjll");
	json_open(o, '[');
	for (uint32_t i = t->first; i != TREE_NONE; i = t->nodes.items[i].next)
		tree_put(o, t, i, f);
	json_close(o, ']');
	json_close(o, '}');
}

static void new_line(struct buffer *to, size_t depth)
{
	buffer_byte(to, '\n');
	buffer_fill(to, ' ', depth);
}

void json_spread(struct buffer *to, struct text compact)
{
	size_t depth = 0;

	for (size_t i = 0; i < compact.len; i++) {
		char c = compact.at[i];
		if (c == '"') {
			size_t from = i++;
			while (i < compact.len && compact.at[i] != '"')
				i += compact.at[i] == '\\' ? 2 : 1;
			buffer_add(to, text_slice(compact, from, i + 1));
		} else if (c == '{' || c == '[') {
			buffer_byte(to, c);
			if (i + 1 < compact.len && (compact.at[i + 1] == '}' || compact.at[i + 1] == ']'))
				buffer_byte(to, compact.at[++i]);
			else
				new_line(to, ++depth);
		} else if (c == '}' || c == ']') {
			new_line(to, depth ? --depth : 0);
			buffer_byte(to, c);
		} else if (c == ',') {
			buffer_byte(to, c);
			new_line(to, depth);
		} else {
			buffer_byte(to, c);
			if (c == ':')
				buffer_byte(to, ' ');
		}
	}
	buffer_byte(to, '\n');
}
