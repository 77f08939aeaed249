/* Dimension chains, outside the plan only.
 *
 * Each breakpoint is rounded, and a part is the difference of two breakpoints. So the parts of a chain add up to its
 * whole length.
 *
 * A chain's breakpoints are the ends of the rooms that are visible from that side; rooms behind other rooms do not
 * count. Top and left have a chain of parts and one of the whole. Bottom and right have a chain if their parts differ
 * from the opposite side. */
#include "kinds/floorplan/draw/sheet.h"

#include "base/array.h"

#include <math.h>

struct range {
	double from, to;
};

struct breaks {
	ARRAY(double) at;
};

struct seen {
	double depth; /* how far from the side */
	struct range range;
};

static int seen_order(const void *a, const void *b)
{
	const struct seen *l = a, *r = b;

	if (l->depth != r->depth)
		return l->depth < r->depth ? -1 : 1;
	return l->range.from < r->range.from ? -1 : l->range.from > r->range.from;
}

static int number_order(const void *a, const void *b)
{
	double l = *(const double *)a, r = *(const double *)b;

	return l < r ? -1 : l > r;
}

/* Disjoint ranges in order. Ranges that touch are joined. */
struct covered {
	ARRAY(struct range) list;
};

static void cover(struct arena *a, struct covered *c, struct range r, double near)
{
	size_t first = 0, last;

	while (first < c->list.n && c->list.items[first].to < r.from - near)
		first++;
	for (last = first; last < c->list.n && c->list.items[last].from <= r.to + near; last++) {
		r.from = fmin(r.from, c->list.items[last].from);
		r.to = fmax(r.to, c->list.items[last].to);
	}
	if (last == first) {
		*ARRAY_PUSH(a, &c->list) = r;
		for (size_t i = c->list.n - 1; i > first; i--)
			c->list.items[i] = c->list.items[i - 1];
	} else {
		for (size_t i = last; i < c->list.n; i++)
			c->list.items[first + 1 + i - last] = c->list.items[i];
		c->list.n -= last - first - 1;
	}
	c->list.items[first] = r;
}

static void breaks_add_unseen(struct arena *a, const struct covered *c, struct range r, double near, struct breaks *out)
{
	double at = r.from;

	for (size_t i = 0; i <= c->list.n && at < r.to - near; i++) {
		double end = i < c->list.n ? fmin(c->list.items[i].from, r.to) : r.to;

		if (end - at > near) {
			*ARRAY_PUSH(a, &out->at) = at;
			*ARRAY_PUSH(a, &out->at) = end;
		}
		if (i < c->list.n)
			at = fmax(at, c->list.items[i].to);
	}
}

/* Rooms on the floor. In a crop: rooms that are completely visible, down to the depth of the requested room. */
static bool is_measured(const struct sheet *s, const struct plan_room *r)
{
	const struct box *w = &s->world, *b = &r->box;

	if (!s->cropped)
		return r->depth == 0;
	return r->depth <= (s->crop_room >= 0 ? s->plan->rooms.items[s->crop_room].depth : 0) && b->x >= w->x &&
	       b->y >= w->y && b->x + b->width <= w->x + w->width && b->y + b->height <= w->y + w->height;
}

static void breaks_find(struct sheet *s, int floor, enum side side, struct breaks *out)
{
	struct arena *a = s->call->arena;
	struct covered covered = {0};
	double near = 0.03 * s->plan->metre;
	bool across = side == SIDE_TOP || side == SIDE_BOTTOM;
	size_t begin = floor_rooms(s->plan, floor), end = floor_rooms(s->plan, floor + 1), n = 0, kept = 0;
	struct seen *rooms = arena_array(a, end - begin + 1, sizeof *rooms);

	for (size_t i = begin; i < end; i++) {
		const struct plan_room *r = &s->plan->rooms.items[i];
		const struct box *b = &r->box;

		if (!r->placed || !is_measured(s, r))
			continue;
		rooms[n].range =
			across ? (struct range){b->x, b->x + b->width} : (struct range){b->y, b->y + b->height};
		rooms[n++].depth = side == SIDE_TOP      ? b->y
				   : side == SIDE_LEFT   ? b->x
				   : side == SIDE_BOTTOM ? -b->y - b->height
							 : -b->x - b->width;
	}
	array_sort(rooms, n, sizeof *rooms, seen_order);
	for (size_t i = 0; i < n; i++) {
		breaks_add_unseen(a, &covered, rooms[i].range, near, out);
		cover(a, &covered, rooms[i].range, near);
	}
	if (!out->at.n)
		return;
	array_sort(out->at.items, out->at.n, sizeof *out->at.items, number_order);
	for (size_t i = 0; i < out->at.n; i++)
		if (!kept || out->at.items[i] - out->at.items[kept - 1] > near)
			out->at.items[kept++] = out->at.items[i];
	out->at.n = kept;
}

static bool breaks_same(const struct breaks *a, const struct breaks *b, double near)
{
	if (a->at.n != b->at.n)
		return false;
	for (size_t i = 0; i < a->at.n; i++)
		if (fabs(a->at.items[i] - b->at.items[i]) > near)
			return false;
	return true;
}

void count_chains(struct sheet *s, struct view *v)
{
	struct breaks all[4] = {0};

	for (int side = 0; side < 4; side++) {
		v->chains[side] = 0;
		if (s->dimensions)
			breaks_find(s, v->floor, (enum side)side, &all[side]);
	}
	if (!s->dimensions || all[SIDE_TOP].at.n < 2 || all[SIDE_LEFT].at.n < 2)
		return;
	v->chains[SIDE_TOP] = all[SIDE_TOP].at.n > 2 ? 2 : 1;
	v->chains[SIDE_LEFT] = all[SIDE_LEFT].at.n > 2 ? 2 : 1;
	v->chains[SIDE_BOTTOM] = !breaks_same(&all[SIDE_TOP], &all[SIDE_BOTTOM], 0.03 * s->plan->metre);
	v->chains[SIDE_RIGHT] = !breaks_same(&all[SIDE_LEFT], &all[SIDE_RIGHT], 0.03 * s->plan->metre);
}

struct chain {
	struct sheet *sheet;
	struct view *view;
	enum side side;
	double line;   /* y of a level chain, x of an upright one */
	double raised; /* where the last raised text ends, along the chain */
};

static double along(const struct chain *c, double at)
{
	bool level = c->side == SIDE_TOP || c->side == SIDE_BOTTOM;

	return floor(level ? view_x(c->sheet, c->view, at) : view_y(c->sheet, c->view, at)) + 0.5;
}

static void segment(const struct chain *c, double u1, double v1, double u2, double v2, struct pen pen)
{
	bool level = c->side == SIDE_TOP || c->side == SIDE_BOTTOM;

	line_paint(&c->sheet->list, LAYER_DIMENSIONS, level ? u1 : v1, level ? v1 : u1, level ? u2 : v2,
		   level ? v2 : u2, pen);
}

/* Text is above the line. A text that is wider than its span is put one step further out, after the previous text
 * there. It is left out if it would no longer be at its span. */
static void span_words(struct chain *c, double from, double to, double steps)
{
	struct sheet *s = c->sheet;
	bool level = c->side == SIDE_TOP || c->side == SIDE_BOTTOM;
	struct text wording = steps_words(s, steps);
	double size = fmax(12 * s->size, s->type_least), least = legible(s),
	       advance = hand_width(&s->hand, FACE_PLAIN, wording);
	double room = to - from - 5 * s->size, middle = (from + to) / 2, v = c->line - 5 * s->size;

	size = fmax(fmin(size, room / advance), fmin(least, size));
	if (size * advance > room) {
		double width = size * advance, beside = fmax(middle, c->raised + width / 2);

		if (beside - middle > 0.75 * width || width > 3 * (to - from))
			return;
		middle = beside;
		c->raised = middle + width / 2 + 2;
		/* Outwards: below the bottom chain, above or left of the others. */
		v += c->side == SIDE_BOTTOM || c->side == SIDE_RIGHT ? size + 7 * s->size : -size;
	}
	text_paint(&s->list, LAYER_DIMENSIONS, wording, level ? middle : v, level ? v : middle,
		   (struct lettering_style){FACE_PLAIN, size, text_colour(s->colours->paper, TEXT_SOFT)}, ANCHOR_MIDDLE,
		   !level, size * advance);
}

static void chain_paint(struct chain *c, const double *at, size_t n)
{
	struct sheet *s = c->sheet;
	struct pen fine = sheet_pen(s, s->colours->fine, 1), tick = sheet_pen(s, s->colours->ink, 2);
	bool outward_less = c->side == SIDE_TOP || c->side == SIDE_LEFT;
	double inner = 14 * s->size, outer = 6 * s->size, half = 5 * s->size;

	c->raised = -INFINITY;
	segment(c, along(c, at[0]) - outer, c->line, along(c, at[n - 1]) + outer, c->line, fine);
	for (size_t i = 0; i < n; i++) {
		double u = along(c, at[i]);

		segment(c, u, c->line + (outward_less ? -outer : outer), u, c->line + (outward_less ? inner : -inner),
			fine);
		segment(c, u - half, c->line + half, u + half, c->line - half, tick);
		if (i)
			span_words(c, along(c, at[i - 1]), u,
				   length_steps(s, at[i] - at[0]) - length_steps(s, at[i - 1] - at[0]));
	}
}

void draw_dimensions(struct sheet *s, struct view *v)
{
	struct frame f = view_frame(s, v);

	for (int side = 0; side < 4; side++) {
		struct breaks b = {0};

		if (!v->chains[side])
			continue;
		breaks_find(s, v->floor, (enum side)side, &b);
		for (int i = 0; b.at.n && i < v->chains[side]; i++) {
			double off = (26 + 28 * i) * s->size;
			struct chain c = {.sheet = s, .view = v, .side = (enum side)side};
			double ends[] = {b.at.items[0], b.at.items[b.at.n - 1]};

			switch (c.side) {
			case SIDE_TOP: c.line = f.top - off; break;
			case SIDE_BOTTOM: c.line = f.bottom + off; break;
			case SIDE_LEFT: c.line = f.left - off; break;
			case SIDE_RIGHT: c.line = f.right + off; break;
			}
			c.line = floor(c.line) + 0.5;
			if (i)
				chain_paint(&c, ends, 2);
			else
				chain_paint(&c, b.at.items, b.at.n);
		}
	}
}
