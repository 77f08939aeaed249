#include "kinds/docjl/tree/page.h"

#include <stdlib.h>
#include <string.h>

enum { CHILDREN_AT_ONCE = 64, ITEMS_MAX = 2000, LEVELS = 2 * DEPTH_MAX };

/* A block on the way through the document. */
struct stop {
	struct node n;
	int64_t bytes; /* of its stored form */
	int depth;     /* 0: a root */
};

/* The children of one container, some at a time. */
struct level {
	int64_t parent, ord, uid; /* read up to this place */
	ARRAY(struct stop) rows;
	size_t at;
	bool is_over;
};

struct walk {
	struct manual *m;
	struct level levels[LEVELS];
	struct stop open[LEVELS]; /* the last block at each depth */
	int depth;                /* of the last block; -1: before the first */
	int64_t max_depth;        /* 0: no limit */
};

static void level_fill(struct walk *w, int depth)
{
	struct level *l = &w->levels[depth];
	struct query q = query_on(
		w->m->t,
		"SELECT " NODE_COLUMNS
		", (SELECT length(json) FROM body WHERE body.doc = node.doc AND body.uid = node.uid) FROM node WHERE "
		"doc = ?1 AND parent = ?2 AND ord >= ?3 AND (ord > ?3 OR uid > ?4) ORDER BY ord, uid LIMIT ?5");

	bind_int(&q, w->m->doc);
	bind_int(&q, l->parent);
	bind_int(&q, l->ord);
	bind_int(&q, l->uid);
	bind_int(&q, CHILDREN_AT_ONCE);
	l->rows.n = l->at = 0;
	while (query_row(&q)) {
		struct stop *s = ARRAY_PUSH(w->m->c->arena, &l->rows);
		node_row(w->m, &q, 0, &s->n);
		s->bytes = query_int(&q, 9);
		s->depth = depth;
		l->ord = s->n.ord;
		l->uid = s->n.uid;
	}
	query_end(&q);
	l->is_over = l->rows.n < CHILDREN_AT_ONCE;
}

static void level_begin(struct walk *w, int depth, int64_t parent, int64_t ord, int64_t uid)
{
	w->levels[depth] = (struct level){.parent = parent, .ord = ord, .uid = uid};
}

static bool walk_next(struct walk *w, struct stop *out)
{
	int depth = w->depth + 1;

	if (w->depth >= 0) {
		const struct stop *last = &w->open[w->depth];
		bool is_cut = w->max_depth && w->depth + 1 >= w->max_depth;
		if (last->n.holds && !is_cut && depth < LEVELS)
			level_begin(w, depth, last->n.uid, INT64_MIN, 0);
		else
			depth--;
	}
	for (; depth >= 0 && goes_on(w->m->c); depth--) {
		struct level *l = &w->levels[depth];
		if (l->at == l->rows.n && !l->is_over)
			level_fill(w, depth);
		if (l->at == l->rows.n)
			continue;
		*out = w->open[depth] = l->rows.items[l->at++];
		w->depth = depth;
		return true;
	}
	return false;
}

/* The roots in document order, without those below others. */
static bool roots_begin(struct walk *w, const struct uids *roots)
{
	struct level *l = &w->levels[0];
	struct tree t;

	if (!roots) {
		level_begin(w, 0, 0, INT64_MIN, 0);
		return true;
	}
	if (!tree_read_part(w->m, roots, 1, &t))
		return false;
	*l = (struct level){.is_over = true};
	for (uint32_t i = t.first; i != TREE_NONE; i = t.nodes.items[i].next) {
		struct stop *s = ARRAY_PUSH(w->m->c->arena, &l->rows);
		node_read(w->m, t.nodes.items[i].uid, &s->n);
		s->bytes = (int64_t)t.nodes.items[i].body.len;
	}
	return true;
}

/* Continues after a block. False: it is not there. */
static bool walk_after(struct walk *w, const struct uids *roots, int64_t uid)
{
	struct node chain[LEVELS];
	struct level *top = &w->levels[0];
	int n = 0;

	for (bool is_root = false; uid && n < LEVELS && !is_root; n++) {
		if (!node_read(w->m, uid, &chain[n]))
			return false;
		for (size_t i = 0; roots && i < top->rows.n; i++)
			if (top->rows.items[i].n.uid == uid) {
				is_root = true;
				top->at = i + 1;
			}
		uid = is_root || !chain[n].parent ? 0 : chain[n].parent;
		if (roots && !is_root && !uid)
			return false;
	}
	for (int depth = 0; depth < n; depth++) {
		const struct node *k = &chain[n - 1 - depth];
		w->open[depth] = (struct stop){.n = *k, .depth = depth};
		if (depth || !roots)
			level_begin(w, depth, k->parent, k->ord, k->uid);
	}
	w->depth = n - 1;
	return n > 0;
}

struct page_writing {
	struct walk *w;
	struct json_out *o;
	struct tree t;
	ARRAY(struct stop) items;
	size_t at, stubs; /* the next item; how many containers are continued from the page before */
	size_t full;      /* the output's length at which the page ends */
	int64_t last, n;
	bool is_full;
};

static void put_item(struct page_writing *p);

/* Not counted one by one: the children after the last one that was written. */
static int64_t children_left(struct page_writing *p, int64_t parent, const struct node *last)
{
	struct query q = query_on(p->w->m->t, "SELECT count(*) FROM node WHERE doc = ?1 AND parent = ?2 AND ord >= ?3 "
					      "AND (ord > ?3 OR uid > ?4)");

	bind_int(&q, p->w->m->doc);
	bind_int(&q, parent);
	bind_int(&q, last ? last->ord : INT64_MIN);
	bind_int(&q, last ? last->uid : 0);
	int64_t n = query_row(&q) ? query_int(&q, 0) : 0;
	query_end(&q);
	return n;
}

/* Writes the items below a container. Returns the last of them that is its child. */
static const struct node *put_list(struct page_writing *p, int64_t parent, int depth)
{
	const struct node *last = NULL;

	json_open(p->o, '[');
	while (p->at < p->items.n && p->items.items[p->at].depth == depth && !p->is_full &&
	       (depth == 0 || p->items.items[p->at].n.parent == parent)) {
		last = &p->items.items[p->at].n;
		put_item(p);
	}
	json_close(p->o, ']');
	return last;
}

struct filling {
	struct page_writing *p;
	struct block_filler filler;
	const struct stop *s;
};

static void put_children(struct json_out *o, void *with)
{
	struct filling *f = with;

	(void)o;
	const struct node *last = put_list(f->p, f->s->n.uid, f->s->depth + 1);
	if (f->p->is_full || f->p->at == f->p->items.n)
		f->filler.omitted = children_left(f->p, f->s->n.uid, last);
}

/* A container whose beginning was on an earlier page. */
static void put_stub(struct page_writing *p, const struct stop *s)
{
	uint32_t at = tree_at(&p->t, s->n.uid);

	json_open(p->o, '{');
	json_key(p->o, "type");
	json_put_text(p->o, s->n.type);
	json_key(p->o, "label");
	json_put_text(p->o, at != TREE_NONE ? p->t.nodes.items[at].label : (struct text){0});
	json_key(p->o, "continued");
	json_put_bool(p->o, true);
	json_key(p->o, "children");
	const struct node *last = put_list(p, s->n.uid, s->depth + 1);
	int64_t left = p->is_full || p->at == p->items.n ? children_left(p, s->n.uid, last) : 0;
	if (left) {
		json_key(p->o, "children_omitted");
		json_put_int(p->o, left);
	}
	json_close(p->o, '}');
}

static void put_item(struct page_writing *p)
{
	const struct stop *s = &p->items.items[p->at];
	uint32_t at = tree_at(&p->t, s->n.uid);

	if (p->at++ < p->stubs) {
		put_stub(p, s);
		return;
	}
	const struct tree_node *n = at != TREE_NONE ? &p->t.nodes.items[at] : NULL;
	bool is_cut = p->w->max_depth && s->depth + 1 >= p->w->max_depth;
	struct filling f = {.p = p, .s = s};
	f.filler = (struct block_filler){.label = n ? n->label : (struct text){0},
					 .always_label = true,
					 .children = s->n.holds && !is_cut ? put_children : NULL,
					 .with = &f,
					 .omitted = is_cut && n ? n->left_out : 0};
	p->last = s->n.uid;
	p->n++;
	p->is_full = p->o->to->len > p->full;
	if (n)
		tree_fill(p->o, &p->t, at, &f.filler);
	p->is_full |= p->o->to->len > p->full;
}

/* Reads the items of one page: at least one, then as many as have room by the bytes they are stored in. */
static bool items_read(struct page_writing *p, const struct page_request *r)
{
	struct arena *a = p->w->m->c->arena;
	struct stop s;
	int64_t bytes = 0;
	struct uids uids = {0};
	bool any = walk_next(p->w, &s);

	for (int depth = 0; any && r->after && depth < s.depth; depth++)
		*ARRAY_PUSH(a, &p->items) = p->w->open[depth];
	p->stubs = p->items.n;
	while (any && bytes <= (int64_t)r->bytes && p->items.n < ITEMS_MAX) {
		*ARRAY_PUSH(a, &p->items) = s;
		bytes += s.bytes;
		any = walk_next(p->w, &s);
	}
	for (size_t i = 0; i < p->items.n; i++)
		*ARRAY_PUSH(a, &uids.items) = p->items.items[i].n.uid;
	p->is_full = false;
	p->last = any ? -1 : 0; /* -1: others follow */
	return !uids.items.n || tree_read_part(p->w->m, &uids, 1, &p->t);
}

bool page_put(struct json_out *o, struct manual *m, const struct page_request *r, struct page_result *out)
{
	struct walk *w = arena_new(m->c->arena, struct walk);
	struct page_writing p = {.w = w, .o = o, .full = o->to->len + r->bytes};

	*w = (struct walk){.m = m, .depth = -1, .max_depth = r->depth};
	*out = (struct page_result){0};
	if (!roots_begin(w, r->roots))
		return false;
	if (r->after && !walk_after(w, r->roots, r->after))
		return manual_is_sound(m) &&
		       fail(m->c, FAULT_ARGUMENT, "the cursor is not of this call; leave it out to begin again");
	if (!items_read(&p, r))
		return false;
	bool has_more = p.last == -1;
	p.last = 0;
	put_list(&p, 0, 0);
	out->n = p.n;
	out->last = has_more || p.at < p.items.n ? p.last : 0;
	return manual_is_sound(m) && goes_on(m->c);
}
