#include "kinds/floorplan/model/solid.h"

#include "base/array.h"

#include <math.h>

struct cutter {
	struct arena *arena;
	struct solid *out;
	const struct block **active; /* those that cross the band, by x */
	size_t n;
	ARRAY(const struct block *) here; /* those at the current place, while a band is cut */
	ARRAY(double) ends;
	ARRAY(double) levels;
};

static int number_order(const void *a, const void *b)
{
	double l = *(const double *)a, r = *(const double *)b;

	return l < r ? -1 : l > r;
}

static int block_order(const void *a, const void *b)
{
	const struct block *l = *(const struct block *const *)a, *r = *(const struct block *const *)b;

	return l->at.y < r->at.y ? -1 : l->at.y > r->at.y;
}

/* Values that differ by less are joined. */
static size_t distinct(double *items, size_t n)
{
	size_t kept = 0;

	if (n)
		array_sort(items, n, sizeof *items, number_order);
	for (size_t i = 0; i < n; i++)
		if (!kept || items[i] - items[kept - 1] > 1e-7)
			items[kept++] = items[i];
	return kept;
}

static void fill_add(struct cutter *c, size_t first, double low, double high, enum solid_part part)
{
	struct filled *last = c->out->fills.n > first ? &c->out->fills.items[c->out->fills.n - 1] : NULL;

	if (last && last->part == part && last->high == low)
		last->high = high;
	else
		*ARRAY_PUSH(c->arena, &c->out->fills) = (struct filled){low, high, part};
}

/* Collects the heights that the blocks at a place fill. */
static void fill_place(struct cutter *c, size_t first)
{
	c->levels.n = 0;
	for (size_t i = 0; i < c->here.n; i++) {
		*ARRAY_PUSH(c->arena, &c->levels) = c->here.items[i]->low;
		*ARRAY_PUSH(c->arena, &c->levels) = c->here.items[i]->high;
	}
	size_t n = distinct(c->levels.items, c->levels.n);

	for (size_t i = 0; i + 1 < n; i++) {
		double middle = (c->levels.items[i] + c->levels.items[i + 1]) / 2;
		int part = -1;

		for (size_t k = 0; k < c->here.n; k++)
			if (c->here.items[k]->low < middle && middle < c->here.items[k]->high &&
			    (int)c->here.items[k]->part > part)
				part = (int)c->here.items[k]->part;
		if (part >= 0)
			fill_add(c, first, c->levels.items[i], c->levels.items[i + 1], (enum solid_part)part);
	}
}

static bool fills_same(const struct cutter *c, const struct span *a, size_t first, size_t n)
{
	for (size_t i = 0; a->n == n && i < n; i++) {
		const struct filled *l = &c->out->fills.items[a->first + i], *r = &c->out->fills.items[first + i];

		if (l->low != r->low || l->high != r->high || l->part != r->part)
			return false;
	}
	return a->n == n;
}

static void span_add(struct cutter *c, struct band *b, double from, double to)
{
	size_t first = c->out->fills.n, n;
	struct span *last = b->n ? &c->out->spans.items[c->out->spans.n - 1] : NULL;

	fill_place(c, first);
	n = c->out->fills.n - first;
	if (!n)
		return;
	if (last && last->to == from && fills_same(c, last, first, n)) {
		last->to = to;
		c->out->fills.n = first;
		return;
	}
	*ARRAY_PUSH(c->arena, &c->out->spans) = (struct span){from, to, first, n};
	b->n++;
}

static void band_cut(struct cutter *c, double from, double to)
{
	struct band b = {.from = from, .to = to, .first = c->out->spans.n};
	size_t next = 0;

	c->ends.n = c->here.n = 0;
	for (size_t i = 0; i < c->n; i++) {
		*ARRAY_PUSH(c->arena, &c->ends) = c->active[i]->at.x;
		*ARRAY_PUSH(c->arena, &c->ends) = c->active[i]->at.x + c->active[i]->at.width;
	}
	size_t n = distinct(c->ends.items, c->ends.n);

	for (size_t i = 0; i + 1 < n; i++) {
		double middle = (c->ends.items[i] + c->ends.items[i + 1]) / 2;
		size_t kept = 0;

		for (; next < c->n && c->active[next]->at.x < middle; next++)
			*ARRAY_PUSH(c->arena, &c->here) = c->active[next];
		for (size_t k = 0; k < c->here.n; k++)
			if (c->here.items[k]->at.x + c->here.items[k]->at.width > middle)
				c->here.items[kept++] = c->here.items[k];
		c->here.n = kept;
		if (kept)
			span_add(c, &b, c->ends.items[i], c->ends.items[i + 1]);
	}
	if (b.n)
		*ARRAY_PUSH(c->arena, &c->out->bands) = b;
}

static void enter(struct cutter *c, const struct block *b)
{
	size_t i = c->n++;

	for (; i && c->active[i - 1]->at.x > b->at.x; i--)
		c->active[i] = c->active[i - 1];
	c->active[i] = b;
}

void solid_make(struct arena *a, const struct blocks *blocks, struct solid *out)
{
	struct cutter c = {.arena = a, .out = out, .active = arena_array(a, blocks->n + 1, sizeof *c.active)};
	const struct block **order = arena_array(a, blocks->n + 1, sizeof *order);
	double *ends = arena_array(a, 2 * blocks->n + 1, sizeof *ends);
	size_t n = 0, next = 0;

	*out = (struct solid){0};
	for (size_t i = 0; i < blocks->n; i++) {
		const struct block *b = &blocks->items[i];

		if (!(b->at.width > 1e-7 && b->at.height > 1e-7 && b->high - b->low > 1e-7))
			continue;
		ends[2 * n] = b->at.y;
		ends[2 * n + 1] = b->at.y + b->at.height;
		order[n++] = b;
	}
	if (n)
		array_sort(order, n, sizeof *order, block_order);
	size_t bands = distinct(ends, 2 * n);

	for (size_t i = 0; i + 1 < bands; i++) {
		double middle = (ends[i] + ends[i + 1]) / 2;
		size_t kept = 0;

		for (size_t k = 0; k < c.n; k++)
			if (c.active[k]->at.y + c.active[k]->at.height > middle)
				c.active[kept++] = c.active[k];
		c.n = kept;
		for (; next < n && order[next]->at.y < middle; next++)
			if (order[next]->at.y + order[next]->at.height > middle)
				enter(&c, order[next]);
		if (c.n)
			band_cut(&c, ends[i], ends[i + 1]);
	}
}

void fills_bare(struct fills of, struct fills by, bool by_part,
		void put(void *, double low, double high, enum solid_part), void *to)
{
	size_t k = 0;

	for (size_t i = 0; i < of.n; i++) {
		double at = of.items[i].low;

		while (k < by.n && by.items[k].high <= at)
			k++;
		for (size_t m = k; m < by.n && by.items[m].low < of.items[i].high; m++) {
			if (by_part && by.items[m].part != of.items[i].part)
				continue;
			if (by.items[m].low > at)
				put(to, at, by.items[m].low, of.items[i].part);
			at = fmax(at, by.items[m].high);
		}
		if (at < of.items[i].high)
			put(to, at, of.items[i].high, of.items[i].part);
	}
}

struct surface {
	const struct solid *solid;
	void (*put)(void *, const struct quad *);
	void *to;
	struct quad quad; /* the current one */
};

static void put_upright(void *to, double low, double high, enum solid_part part)
{
	struct surface *s = to;

	s->quad.v1 = low;
	s->quad.v2 = high;
	s->quad.part = part;
	s->put(s->to, &s->quad);
}

static void put_level(struct surface *s, const struct band *b, const struct span *p)
{
	struct fills f = span_fills(s->solid, p);

	for (size_t i = 0; i < f.n; i++) {
		struct quad q = {
			.normal = 2, .u1 = p->from, .u2 = p->to, .v1 = b->from, .v2 = b->to, .part = f.items[i].part};

		if (i + 1 == f.n || f.items[i + 1].low > f.items[i].high || f.items[i + 1].part != q.part) {
			q.up = true;
			q.at = f.items[i].high;
			s->put(s->to, &q);
		}
		if (!i || f.items[i - 1].high < f.items[i].low || f.items[i - 1].part != q.part) {
			q.up = false;
			q.at = f.items[i].low;
			s->put(s->to, &q);
		}
	}
}

/* The faces between two neighbouring places: each shows what the other does not cover. */
static void put_between(struct surface *s, int normal, double at, double u1, double u2, struct fills low,
			struct fills high)
{
	s->quad = (struct quad){.normal = normal, .at = at, .u1 = u1, .u2 = u2, .up = true};
	fills_bare(low, high, true, put_upright, s);
	s->quad.up = false;
	fills_bare(high, low, true, put_upright, s);
}

static void put_band_sides(struct surface *s, const struct band *b)
{
	const struct span *before = NULL;

	for (size_t i = 0; i <= b->n; i++) {
		const struct span *p = i < b->n ? &s->solid->spans.items[b->first + i] : NULL;
		bool touches = before && p && before->to == p->from;

		if (before && !touches)
			put_between(s, 0, before->to, b->from, b->to, span_fills(s->solid, before), (struct fills){0});
		if (p)
			put_between(s, 0, p->from, b->from, b->to,
				    touches ? span_fills(s->solid, before) : (struct fills){0},
				    span_fills(s->solid, p));
		before = p;
	}
}

/* Puts the faces along the line between two bands. Either band may be absent. */
static void put_line(struct surface *s, double y, const struct band *a, const struct band *b)
{
	size_t i = 0, k = 0, an = a ? a->n : 0, bn = b ? b->n : 0;
	double x = -INFINITY;

	while (i < an || k < bn) {
		const struct span *p = i < an ? &s->solid->spans.items[a->first + i] : NULL;
		const struct span *q = k < bn ? &s->solid->spans.items[b->first + k] : NULL;
		double from = fmax(x, fmin(p ? p->from : INFINITY, q ? q->from : INFINITY)), to;
		bool in_p = p && p->from <= from, in_q = q && q->from <= from;

		to = fmin(in_p ? p->to : p ? p->from : INFINITY, in_q ? q->to : q ? q->from : INFINITY);
		put_between(s, 1, y, from, to, span_fills(s->solid, in_p ? p : NULL),
			    span_fills(s->solid, in_q ? q : NULL));
		x = to;
		i += p && p->to <= to;
		k += q && q->to <= to;
	}
}

void solid_quads(const struct solid *solid, void put(void *, const struct quad *), void *to)
{
	struct surface s = {.solid = solid, .put = put, .to = to};
	const struct band *before = NULL;

	for (size_t i = 0; i <= solid->bands.n; i++) {
		const struct band *b = i < solid->bands.n ? &solid->bands.items[i] : NULL;
		bool touches = before && b && before->to == b->from;

		if (before && !touches)
			put_line(&s, before->to, before, NULL);
		if (b) {
			put_line(&s, b->from, touches ? before : NULL, b);
			put_band_sides(&s, b);
			for (size_t k = 0; k < b->n; k++)
				put_level(&s, b, &solid->spans.items[b->first + k]);
		}
		before = b;
	}
}
