#include "kinds/floorplan/plan/wall_graph.h"

#include "base/array.h"
#include "kinds/floorplan/plan/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Coordinates that are almost equal become equal. */
struct snap {
	double raw, tolerance, value;
	int line; /* number of its value */
};

struct snaps {
	struct snap *items;
	size_t n;
};

/* A room's box on the common lines. */
struct snapped {
	const struct snap *left, *right, *top, *bottom;
};

struct edge {
	struct stretch at;
	int room;
	bool gap;      /* no wall on this side of the room */
	bool low_side; /* the room is at the smaller x or y */
};

/* A part of a line with the same rooms next to its whole length. */
struct atom {
	double from, to;
	enum wall_weight weight;
	bool outside;
	int style;
};

struct line {
	bool vertical;
	double at;
	size_t first_edge, edges, first_atom, atoms;
	int opening; /* first of a chain, -1: none */
};

struct maker {
	struct arena *arena;
	const struct plan *plan;
	int floor;
	size_t begin, end; /* its rooms */
	struct snaps x, y;
	struct snapped *boxes; /* by room, from `begin` */
	ARRAY(struct edge) edges;
	ARRAY(struct atom) atoms;
	ARRAY(struct line) lines;
	ARRAY(int) chain; /* next opening on the same line, by opening */
	struct wall_graph *out;
};

const struct wall_side *wall_sides(const struct wall_graph *g, int room) { return g->sides[room - g->first_room]; }

/* A run of coordinates gets the value of its first member, as long as each is within the tolerance of all of them. Of
 * equal coordinates only the first is kept. */
static void snaps_settle(struct arena *a, struct snaps *s)
{
	struct place_in_order *places = array_room(a, s->n + 1, sizeof *places);
	struct snap *sorted = array_room(a, s->n + 1, sizeof *sorted);
	double tolerance = 0, value = 0;
	int line = -1;
	size_t kept = 0;

	for (size_t i = 0; i < s->n; i++)
		places[i] = (struct place_in_order){.key = s->items[i].raw, .index = (uint32_t)i};
	order(a, places, s->n);
	for (size_t i = 0; i < s->n; i++) {
		struct snap at = s->items[places[i].index];

		if (i && at.raw - value <= fmin(tolerance, at.tolerance)) {
			tolerance = fmin(tolerance, at.tolerance);
		} else {
			line += !i || at.raw != value;
			value = at.raw;
			tolerance = at.tolerance;
		}
		at.value = value;
		at.line = line;
		if (!kept || sorted[kept - 1].raw != at.raw)
			sorted[kept++] = at;
	}
	s->items = sorted;
	s->n = kept;
}

/* The nearest coordinate. */
static const struct snap *snap_near(const struct snaps *s, double raw)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (s->items[middle].raw < raw)
			low = middle + 1;
		else
			high = middle;
	}
	if (low && (low == s->n || raw - s->items[low - 1].raw < s->items[low].raw - raw))
		low--;
	return low < s->n ? &s->items[low] : NULL;
}

/* The value of the nearest coordinate if that is near, or else the coordinate itself. */
static double snapped(const struct snaps *s, double raw)
{
	const struct snap *near = snap_near(s, raw);

	return near && fabs(near->raw - raw) <= near->tolerance ? near->value : raw;
}

static bool is_here(const struct maker *m, size_t room)
{
	const struct plan_room *r = &m->plan->rooms.items[room];

	return r->floor == m->floor && r->placed;
}

/* Collects starts before ends: in a plan that is written row by row, both are then nearly in order. */
static void snaps_collect(struct maker *m)
{
	size_t n = m->end - m->begin;

	m->x.items = arena_array(m->arena, 2 * n + 1, sizeof *m->x.items);
	m->y.items = arena_array(m->arena, 2 * n + 1, sizeof *m->y.items);
	for (int ends = 0; ends < 2; ends++)
		for (size_t i = m->begin; i < m->end; i++) {
			const struct box *b = &m->plan->rooms.items[i].box;
			double tolerance = fmin(0.1 * m->plan->metre, 0.02 * fmin(b->width, b->height));

			if (!is_here(m, i))
				continue;
			m->x.items[m->x.n++] =
				(struct snap){.raw = b->x + (ends ? b->width : 0), .tolerance = tolerance};
			m->y.items[m->y.n++] =
				(struct snap){.raw = b->y + (ends ? b->height : 0), .tolerance = tolerance};
		}
	snaps_settle(m->arena, &m->x);
	snaps_settle(m->arena, &m->y);
	m->boxes = array_room(m->arena, n + 1, sizeof *m->boxes);
	for (size_t i = m->begin; i < m->end; i++) {
		const struct box *b = &m->plan->rooms.items[i].box;

		if (is_here(m, i))
			m->boxes[i - m->begin] =
				(struct snapped){snap_near(&m->x, b->x), snap_near(&m->x, b->x + b->width),
						 snap_near(&m->y, b->y), snap_near(&m->y, b->y + b->height)};
	}
}

static struct stretch side_stretch(const struct maker *m, size_t room, enum side side)
{
	const struct snapped *b = &m->boxes[room - m->begin];

	switch (side) {
	case SIDE_TOP: return (struct stretch){false, b->top->value, b->left->value, b->right->value};
	case SIDE_BOTTOM: return (struct stretch){false, b->bottom->value, b->left->value, b->right->value};
	case SIDE_LEFT: return (struct stretch){true, b->left->value, b->top->value, b->bottom->value};
	case SIDE_RIGHT: return (struct stretch){true, b->right->value, b->top->value, b->bottom->value};
	}
	return (struct stretch){0};
}

/* Horizontal lines come first. */
static int side_line(const struct maker *m, size_t room, enum side side)
{
	const struct snapped *b = &m->boxes[room - m->begin];
	int vertical = m->y.n ? m->y.items[m->y.n - 1].line + 1 : 0;

	switch (side) {
	case SIDE_TOP: return b->top->line;
	case SIDE_BOTTOM: return b->bottom->line;
	case SIDE_LEFT: return vertical + b->left->line;
	case SIDE_RIGHT: return vertical + b->right->line;
	}
	return 0;
}

/* Orders edges by line, then along it, then by room. Collects all rooms' tops, then their bottoms and so on: in most
 * plans each of these lists is nearly in order. */
static void edges_collect(struct maker *m)
{
	ARRAY(struct place_in_order) places = {0};

	ARRAY_RESERVE(m->arena, &places, 4 * (m->end - m->begin) + 1);
	for (int side = 0; side < 4; side++)
		for (size_t i = m->begin; i < m->end; i++) {
			if (!is_here(m, i))
				continue;
			struct stretch at = side_stretch(m, i, (enum side)side);

			if (at.to > at.from)
				places.items[places.n++] =
					(struct place_in_order){at.from, side_line(m, i, (enum side)side),
								(uint32_t)(4 * (i - m->begin)) + (uint32_t)side};
		}
	order(m->arena, places.items, places.n);
	ARRAY_RESERVE(m->arena, &m->edges, places.n + 1);
	for (size_t i = 0; i < places.n; i++) {
		size_t room = m->begin + places.items[i].index / 4;
		enum side side = (enum side)(places.items[i].index % 4);

		m->edges.items[m->edges.n++] = (struct edge){
			.at = side_stretch(m, room, side),
			.room = (int)room,
			.gap = wall_built(m->plan->rooms.items[room].walls[side].type) == BUILT_GAP,
			.low_side = side == SIDE_RIGHT || side == SIDE_BOTTOM,
		};
	}
}

static enum side edge_side(const struct edge *e)
{
	if (e->at.vertical)
		return e->low_side ? SIDE_RIGHT : SIDE_LEFT;
	return e->low_side ? SIDE_BOTTOM : SIDE_TOP;
}

/* 2: the style defines the look of walls, 1: it does not, 0: there is no style. */
static int style_claim(const struct plan *p, int style)
{
	const struct plan_style *s = style >= 0 ? &p->styles.items[style] : NULL;

	return !s ? 0 : s->wall.there || s->wall_texture.len ? 2 : 1;
}

/* A wall is an outer wall if only one side of it is a room of the floor. A sub-room's own wall never is. */
static struct atom atom_of(const struct maker *m, const size_t *active, size_t n, double from, double to)
{
	struct atom atom = {.from = from, .to = to, .style = -1};
	bool wall = false, low = false, high = false, top_level = false;

	for (size_t i = 0; i < n; i++) {
		const struct edge *e = &m->edges.items[active[i]];
		const struct plan_room *r = &m->plan->rooms.items[e->room];

		wall = wall || !e->gap;
		top_level = top_level || r->depth == 0;
		if (r->depth == 0)
			*(e->low_side ? &low : &high) = true;
		/* The room with smaller x or y owns a shared wall, but a room whose style defines walls comes first. */
		int claim = style_claim(m->plan, r->style);

		if (claim > style_claim(m->plan, atom.style) ||
		    (claim && claim == style_claim(m->plan, atom.style) && e->low_side))
			atom.style = r->style;
	}
	atom.outside = top_level && !(low && high);
	if (wall)
		atom.weight = atom.outside ? WEIGHT_OUTER : WEIGHT_INNER;
	return atom;
}

static void line_cut(struct maker *m, struct line *l)
{
	const struct edge *edges = &m->edges.items[l->first_edge];
	struct place_in_order *ends = array_room(m->arena, 2 * l->edges, sizeof *ends);
	size_t *active = array_room(m->arena, l->edges, sizeof *active);
	size_t n = 0, next = 0;

	for (size_t i = 0; i < 2 * l->edges; i++)
		ends[i] = (struct place_in_order){.key = i < l->edges ? edges[i].at.from : edges[i - l->edges].at.to,
						  .index = (uint32_t)i};
	order(m->arena, ends, 2 * l->edges);
	l->first_atom = m->atoms.n;
	for (size_t i = 0; i + 1 < 2 * l->edges; i++) {
		double from = ends[i].key, to = ends[i + 1].key;
		size_t kept = 0;

		if (from >= to)
			continue;
		for (; next < l->edges && edges[next].at.from <= from; next++)
			active[n++] = l->first_edge + next;
		for (size_t k = 0; k < n; k++)
			if (m->edges.items[active[k]].at.to > from)
				active[kept++] = active[k];
		n = kept;
		if (n)
			*ARRAY_PUSH(m->arena, &m->atoms) = atom_of(m, active, n, from, to);
	}
	l->atoms = m->atoms.n - l->first_atom;
}

static struct line *line_find(const struct maker *m, bool vertical, double at)
{
	size_t low = 0, high = m->lines.n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct line *l = &m->lines.items[middle];

		if (l->vertical < vertical || (l->vertical == vertical && l->at < at))
			low = middle + 1;
		else
			high = middle;
	}
	if (low < m->lines.n && m->lines.items[low].vertical == vertical && m->lines.items[low].at == at)
		return &m->lines.items[low];
	return NULL;
}

/* The walls that end on a line at one place, on either side of it. */
struct meeting {
	enum wall_weight low, high;
};

static struct meeting meeting_at(const struct maker *m, const struct line *l, double along)
{
	const struct line *other = line_find(m, !l->vertical, along);
	const struct atom *atoms = other ? &m->atoms.items[other->first_atom] : NULL;
	size_t low = 0, high = other ? other->atoms : 0;
	struct meeting met = {0};

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (atoms[middle].to < l->at)
			low = middle + 1;
		else
			high = middle;
	}
	if (other && low < other->atoms && atoms[low].to == l->at)
		met.low = atoms[low++].weight;
	if (other && low < other->atoms && atoms[low].from == l->at)
		met.high = atoms[low].weight;
	return met;
}

/* The heaviest wall that meets or crosses the line here. */
static enum wall_weight across(const struct maker *m, const struct line *l, double along)
{
	struct meeting met = meeting_at(m, l, along);

	return met.low > met.high ? met.low : met.high;
}

/* How far a wall that ends here continues: to the face of the wall across. If that wall has two thicknesses, to the
 * nearer face, because the wall would otherwise fill the corner of a room. */
static enum wall_weight end_reach(const struct maker *m, const struct line *l, double along)
{
	struct meeting met = meeting_at(m, l, along);

	if (met.low == WEIGHT_NONE || met.high == WEIGHT_NONE)
		return met.low == WEIGHT_NONE ? met.high : met.low;
	return met.low < met.high ? met.low : met.high;
}

/* An inner wall that continues an outer one gets the same thickness, up to the next place where walls on both sides
 * hide the change. Without this there would be a step in a room's face. */
static void line_thicken(struct maker *m, const struct line *l)
{
	struct atom *atoms = l->atoms ? &m->atoms.items[l->first_atom] : NULL;

	for (int backwards = 0; backwards <= 1; backwards++)
		for (size_t i = 1; i < l->atoms; i++) {
			struct atom *a = backwards ? &atoms[l->atoms - i] : &atoms[i - 1],
				    *b = backwards ? a - 1 : a + 1;
			double joint = backwards ? a->from : a->to;
			struct meeting met;

			if (a->weight != WEIGHT_OUTER || b->weight != WEIGHT_INNER ||
			    joint != (backwards ? b->to : b->from))
				continue;
			met = meeting_at(m, l, joint);
			if (met.low == WEIGHT_NONE || met.high == WEIGHT_NONE)
				b->weight = WEIGHT_OUTER;
		}
}

/* Finds the walls along each side of each room. */
static void sides_fill(struct maker *m, const struct line *l)
{
	size_t first = 0;

	for (size_t i = 0; i < l->edges; i++) {
		const struct edge *e = &m->edges.items[l->first_edge + i];
		struct wall_side *side = &m->out->sides[e->room - m->out->first_room][edge_side(e)];

		/* Edges and atoms are in order, so atoms that end before this edge are not needed for later edges
		 * either. */
		while (first < l->atoms && m->atoms.items[l->first_atom + first].to <= e->at.from)
			first++;
		for (size_t k = first; k < l->atoms && m->atoms.items[l->first_atom + k].from < e->at.to; k++) {
			const struct atom *a = &m->atoms.items[l->first_atom + k];
			double length = fmin(a->to, e->at.to) - fmax(a->from, e->at.from);

			if (a->weight > side->weight)
				side->weight = a->weight;
			side->outside = side->outside || (a->outside && a->weight != WEIGHT_NONE);
			side->within += length * wall_thickness(m->plan, a->weight) / 2;
			if (k == first)
				side->start = a->weight;
			side->end = a->weight;
		}
	}
}

static void lines_make(struct maker *m)
{
	for (size_t i = 0; i < m->edges.n;) {
		const struct edge *e = &m->edges.items[i];
		struct line *l = ARRAY_PUSH(m->arena, &m->lines);

		*l = (struct line){.vertical = e->at.vertical, .at = e->at.line, .first_edge = i, .opening = -1};
		for (; i < m->edges.n && m->edges.items[i].at.vertical == l->vertical &&
		       m->edges.items[i].at.line == l->at;
		     i++)
			l->edges++;
		line_cut(m, l);
	}
	for (size_t i = 0; i < m->lines.n; i++) {
		line_thicken(m, &m->lines.items[i]);
		sides_fill(m, &m->lines.items[i]);
	}
}

#define REST 0.1 /* metres of wall between an opening and a corner or another opening */

static struct opening *opening_add(struct maker *m, struct line *l, double from, double to)
{
	struct opening *o = ARRAY_PUSH(m->arena, &m->out->openings);

	*o = (struct opening){
		.at = {l->vertical, l->at, from, to}, .into = -1, .connection = -1, .room = -1, .weight = WEIGHT_NONE};
	for (size_t i = 0; i < l->atoms; i++) {
		const struct atom *a = &m->atoms.items[l->first_atom + i];

		if (a->from >= to || a->to <= from)
			continue;
		if (a->weight > o->weight)
			o->weight = a->weight;
		o->outside = o->outside || a->outside;
	}
	*ARRAY_PUSH(m->arena, &m->chain) = l->opening;
	l->opening = (int)m->out->openings.n - 1;
	return o;
}

static bool is_taken(const struct maker *m, const struct line *l, double from, double to)
{
	for (int i = l->opening; i >= 0; i = m->chain.items[i]) {
		const struct stretch *s = &m->out->openings.items[i].at;

		if (s->from < to && from < s->to)
			return true;
	}
	return false;
}

/* Keeps an opening away from the walls at the ends of its stretch, with some wall between them if there is space. */
static void keep_between(double low, double high, double rest, double *from, double *to)
{
	double width = *to - *from;

	rest = fmax(fmin(rest, (high - low - width) / 2), 0);
	low += rest;
	high -= rest;
	if (width >= high - low) {
		*from = low;
		*to = high;
	} else if (*from < low) {
		*from = low;
		*to = low + width;
	} else if (*to > high) {
		*to = high;
		*from = high - width;
	}
}

/* A part of a side between two walls that meet it. It is either completely outside or not. */
struct bay {
	double from, to; /* between the faces of those walls */
	bool outside;
};

struct bays {
	ARRAY(struct bay) list;
};

static void bays_collect(const struct maker *m, const struct line *l, double from, double to, struct bays *out)
{
	for (size_t i = 0; i < l->atoms; i++) {
		const struct atom *a = &m->atoms.items[l->first_atom + i];
		struct bay *last = out->list.n ? &out->list.items[out->list.n - 1] : NULL;
		enum wall_weight before;

		if (a->to <= from || a->from >= to || a->weight == WEIGHT_NONE)
			continue;
		before = across(m, l, a->from);
		if (last && last->to == a->from && last->outside == a->outside && before == WEIGHT_NONE) {
			last->to = a->to;
			continue;
		}
		if (last)
			last->to -= wall_thickness(m->plan, across(m, l, last->to)) / 2;
		*ARRAY_PUSH(m->arena, &out->list) = (struct bay){
			.from = a->from + wall_thickness(m->plan, before) / 2, .to = a->to, .outside = a->outside};
	}
	if (out->list.n) {
		struct bay *last = &out->list.items[out->list.n - 1];

		last->to -= wall_thickness(m->plan, across(m, l, last->to)) / 2;
	}
}

static void connections_place(struct maker *m)
{
	static const enum opening_type types[] = {[CONNECTION_DOOR] = OPENING_DOOR,
						  [CONNECTION_DOUBLE_DOOR] = OPENING_DOUBLE,
						  [CONNECTION_OPENING] = OPENING_GAP};

	for (size_t i = 0; i < m->plan->connections.n; i++) {
		const struct plan_connection *c = &m->plan->connections.items[i];
		struct line *l;
		double from = c->centre - c->width / 2, to = c->centre + c->width / 2;
		struct bays bays = {0};
		struct opening *o;

		if (c->floor != m->floor || !c->placed)
			continue;
		l = line_find(m, c->vertical, snapped(c->vertical ? &m->x : &m->y, c->line));
		if (!l)
			continue;
		bays_collect(m, l, c->low, c->high, &bays);
		for (size_t k = 0; k < bays.list.n; k++)
			if (bays.list.items[k].from <= c->centre && c->centre <= bays.list.items[k].to)
				keep_between(bays.list.items[k].from, bays.list.items[k].to, REST * m->plan->metre,
					     &from, &to);
		o = opening_add(m, l, from, to);
		o->type = types[c->type];
		o->leaf = c->leaf == SIDE_TOP || c->leaf == SIDE_LEFT ? -1 : 1;
		o->hinge_high = c->hinge_high;
		o->into = c->into;
		o->connection = (int)i;
	}
}

/* Seen from the room it opens into, the hinges are on the right, the default for doors. */
static void door_place(struct maker *m, const struct plan_wall *w, int room, enum side side)
{
	static const enum opening_type drawn[] = {
#define OPENING_KIND(id, text, of, type, meaning) OPENING_##type,
#include "kinds/floorplan/language/words.def"
	};
	struct stretch s = side_stretch(m, (size_t)room, side);
	struct line *l = line_find(m, s.vertical, s.line);
	double from = s.from + w->centre - w->width / 2, to = from + w->width;
	struct bays bays = {0};
	const struct bay *best = NULL, *widest = NULL;
	double best_shift = INFINITY;
	struct opening *o;

	if (!l || w->width <= 0)
		return;
	bays_collect(m, l, s.from, s.to, &bays);
	for (size_t i = 0; i < bays.list.n; i++) {
		const struct bay *b = &bays.list.items[i];
		double shift = fmax(fmax(b->from - from, to - b->to), 0);

		if (b->to - b->from >= w->width && shift < best_shift) {
			best = b;
			best_shift = shift;
		}
		if (!widest || b->to - b->from > widest->to - widest->from)
			widest = b;
	}
	if (!best)
		best = widest;
	if (!best)
		return;
	keep_between(best->from, best->to, REST * m->plan->metre, &from, &to);
	if (is_taken(m, l, from, to))
		return;
	o = opening_add(m, l, from, to);
	o->type = w->kind < 0 ? OPENING_DOOR : drawn[w->kind];
	o->wall = w;
	o->leaf = side == SIDE_TOP || side == SIDE_LEFT ? 1 : -1;
	o->hinge_high = (o->leaf == 1) != s.vertical;
	o->into = room;
	o->room = room;
}

/* The bay for a window: the one at its given place, or else the longest one to the outside. */
static const struct bay *window_bay(const struct bays *bays, bool said, double centre)
{
	const struct bay *best = NULL;

	for (size_t i = 0; i < bays->list.n; i++) {
		const struct bay *b = &bays->list.items[i];

		if (said && b->from <= centre && centre <= b->to)
			return b;
		if (!best || b->outside > best->outside ||
		    (b->outside == best->outside && b->to - b->from > best->to - best->from + 1e-9))
			best = b;
	}
	return best;
}

/* Moves a window away from other openings, or narrows it to the widest free place. Returns false if there is none. */
static bool window_fit(const struct maker *m, const struct line *l, const struct bay *b, double *from, double *to)
{
	double margin = REST * m->plan->metre, least = 0.4 * m->plan->metre, width = *to - *from;
	double best_from = 0, best_to = 0, best_shift = INFINITY;

	if (width > b->to - b->from - 2 * margin)
		width = fmax(b->to - b->from - 2 * margin, fmin(width, least));
	/* Free places begin at the bay's start or after an opening, and end before the next one. */
	for (int i = -1, first = 1; first || i >= 0; i = first ? l->opening : m->chain.items[i], first = 0) {
		double low = first ? b->from + margin : m->out->openings.items[i].at.to + margin, high = b->to - margin;
		double f, t, shift;

		for (int k = l->opening; k >= 0; k = m->chain.items[k]) {
			const struct stretch *s = &m->out->openings.items[k].at;

			if (s->to > low && s->from - margin < high)
				high = s->from - margin;
		}
		if (low < b->from || high - low < least)
			continue;
		f = *from;
		t = f + fmin(width, high - low);
		keep_between(low, high, 0, &f, &t);
		/* Narrower is worse than further away. */
		shift = fabs(f + t - *from - *to) + 10 * (width - (t - f));
		if (shift < best_shift) {
			best_shift = shift;
			best_from = f;
			best_to = t;
		}
	}
	*from = best_from;
	*to = best_to;
	return best_to > best_from;
}

static void window_place(struct maker *m, const struct plan_wall *w, int room, enum side side)
{
	struct stretch s = side_stretch(m, (size_t)room, side);
	struct line *l = line_find(m, s.vertical, s.line);
	double centre = s.from + w->centre, width = w->width, from, to;
	struct bays bays = {0};
	const struct bay *b;
	struct opening *o;

	if (!l || w->width <= 0)
		return;
	bays_collect(m, l, s.from, s.to, &bays);
	b = window_bay(&bays, w->at_given, centre);
	if (!b)
		return;
	if (!w->at_given)
		centre = (fmax(b->from, s.from) + fmin(b->to, s.to)) / 2;
	if (!w->size_given)
		width = fmin(width, fmax(0.6 * (b->to - b->from), 0.6 * m->plan->metre));
	from = centre - width / 2;
	to = centre + width / 2;
	/* Both neighbours declare the same window: add it once. */
	for (int i = l->opening; i >= 0; i = m->chain.items[i]) {
		const struct opening *other = &m->out->openings.items[i];

		if (other->type == OPENING_WINDOW && other->at.from < to && from < other->at.to)
			return;
	}
	if (!window_fit(m, l, b, &from, &to))
		return;
	o = opening_add(m, l, from, to);
	o->type = OPENING_WINDOW;
	o->wall = w;
	o->room = room;
}

static void walls_place(struct maker *m, enum wall_built built,
			void place(struct maker *, const struct plan_wall *, int, enum side))
{
	for (size_t i = m->begin; i < m->end; i++) {
		const struct plan_room *r = &m->plan->rooms.items[i];

		for (int side = 0; side < 4 && is_here(m, i); side++)
			for (size_t k = 0; k <= r->walls[side].more_count; k++) {
				const struct plan_wall *w = k ? &r->walls[side].more[k - 1] : &r->walls[side];

				if (wall_built(w->type) == built)
					place(m, w, (int)i, (enum side)side);
			}
	}
}

static int stretch_order(const void *a, const void *b)
{
	double l = ((const struct stretch *)a)->from, r = ((const struct stretch *)b)->from;

	return l < r ? -1 : l > r;
}

static void piece_add(struct maker *m, const struct line *l, const struct atom *of, double from, double to, bool starts,
		      bool ends)
{
	if (to - from < 1e-9)
		return;
	*ARRAY_PUSH(m->arena, &m->out->pieces) = (struct wall_piece){
		.at = {l->vertical, l->at, from, to},
		.weight = of->weight,
		.outside = of->outside,
		.style = of->style,
		.before = starts ? end_reach(m, l, from) : WEIGHT_NONE,
		.behind = ends ? end_reach(m, l, to) : WEIGHT_NONE,
	};
}

/* One wall from a to b without its openings. */
static void run_cut(struct maker *m, const struct line *l, const struct atom *of, double from, double to,
		    const struct stretch *openings, size_t n)
{
	double at = from;

	for (size_t i = 0; i < n; i++) {
		if (openings[i].to <= at || openings[i].from >= to)
			continue;
		piece_add(m, l, of, at, openings[i].from, at == from, false);
		at = openings[i].to;
	}
	if (at < to)
		piece_add(m, l, of, at, to, at == from, true);
}

static void line_pieces(struct maker *m, const struct line *l)
{
	ARRAY(struct stretch) openings = {0};

	for (int i = l->opening; i >= 0; i = m->chain.items[i])
		*ARRAY_PUSH(m->arena, &openings) = m->out->openings.items[i].at;
	if (openings.n)
		array_sort(openings.items, openings.n, sizeof *openings.items, stretch_order);
	for (size_t i = 0, next; i < l->atoms; i = next) {
		const struct atom *a = &m->atoms.items[l->first_atom + i];
		double to = a->to;

		for (next = i + 1; next < l->atoms; next++) {
			const struct atom *b = &m->atoms.items[l->first_atom + next];

			if (b->from != to || b->weight != a->weight || b->outside != a->outside || b->style != a->style)
				break;
			to = b->to;
		}
		if (a->weight == WEIGHT_NONE)
			*ARRAY_PUSH(m->arena, &m->out->edges) = (struct stretch){l->vertical, l->at, a->from, to};
		else
			run_cut(m, l, a, a->from, to, openings.items, openings.n);
	}
}

void wall_graph_make(struct arena *a, const struct plan *p, int floor, struct wall_graph *out)
{
	struct maker m = {.arena = a,
			  .plan = p,
			  .floor = floor,
			  .begin = floor_rooms(p, floor),
			  .end = floor_rooms(p, floor + 1),
			  .out = out};

	*out = (struct wall_graph){.sides = arena_array(a, m.end - m.begin + 1, sizeof *out->sides),
				   .first_room = (int)m.begin};
	snaps_collect(&m);
	edges_collect(&m);
	lines_make(&m);
	connections_place(&m);
	walls_place(&m, BUILT_DOOR, door_place);
	walls_place(&m, BUILT_WINDOW, window_place);
	for (size_t i = 0; i < m.lines.n; i++)
		line_pieces(&m, &m.lines.items[i]);
}
