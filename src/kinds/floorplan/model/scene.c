#include "kinds/floorplan/model/scene.h"

#include "base/array.h"
#include "kinds/floorplan/plan/locate.h"

#include <math.h>
#include <stdlib.h>

/* The direction to the viewer: turned by 30 degrees from the bottom to the right, 50 degrees above the ground. */
#define TOWARD_X 0.5
#define TOWARD_Y 0.86602540378443865
#define SINE 0.76604444311897804
#define COSINE 0.64278760968653933

struct sheet_point camera_see(const struct camera *c, double x, double y, double z)
{
	return (struct sheet_point){c->x + c->scale * (x * TOWARD_Y - y * TOWARD_X),
				    c->y + c->scale * ((x * TOWARD_X + y * TOWARD_Y) * SINE - z * COSINE)};
}

/* A step of a stair, or the part of it in one band. */
struct piece {
	struct point points[PRISM_POINTS + 4];
	bool whole[PRISM_POINTS + 4];  /* the side from this point to the next is not a cut */
	bool corner[PRISM_POINTS + 4]; /* the point is not a cut */
	int n;
	double low, high, near_x, depth;
};

struct scene {
	struct arena *arena;
	struct display_list *list;
	const struct plan *plan;
	const struct storey *storey;
	const struct solid *solid;
	const struct camera *camera;
	const struct colours *colours;
	struct locator locator;
	enum layer layer;
	struct pen pen;
	/* The current place. */
	size_t band;
	const struct span *span;
	double from, to; /* along the face */
	double at;       /* across it */
};

static uint32_t mix(uint32_t a, uint32_t b, double share)
{
	uint32_t out = 0;

	for (int shift = 0; shift <= 16; shift += 8) {
		double v = (a >> shift & 255) * (1 - share) + (b >> shift & 255) * share;

		out |= (uint32_t)(v + 0.5) << shift;
	}
	return out;
}

static void corner_to(const struct scene *s, bool first, double x, double y, double z)
{
	struct sheet_point p = camera_see(s->camera, x, y, z);

	if (first)
		path_move(s->list, p.x, p.y);
	else
		path_line(s->list, p.x, p.y);
}

/* The fill is also stroked in its own colour, to cover the seam to its neighbours that would be visible at half
 * pixels. */
static void fill(const struct scene *s, uint32_t colour)
{
	path_close(s->list);
	path_paint(s->list, s->layer, colour, (struct pen){.colour = colour, .width = 0.6});
}

static void edge(const struct scene *s, double x1, double y1, double z1, double x2, double y2, double z2)
{
	corner_to(s, true, x1, y1, z1);
	corner_to(s, false, x2, y2, z2);
	path_paint(s->list, s->layer, NO_COLOUR, s->pen);
}

static const struct band *band_at(const struct scene *s, size_t i)
{
	return i < s->solid->bands.n ? &s->solid->bands.items[i] : NULL;
}

/* The band beside this one, if the two touch: -1 the farther, 1 the nearer. */
static const struct band *band_beside(const struct scene *s, int way)
{
	const struct band *b = band_at(s, s->band), *o = way < 0 && !s->band ? NULL : band_at(s, s->band + (size_t)way);

	if (!o || (way < 0 ? o->to != b->from : o->from != b->to))
		return NULL;
	return o;
}

static const struct span *span_at(const struct scene *s, const struct band *b, double x)
{
	size_t low = 0, high = b ? b->n : 0;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct span *p = &s->solid->spans.items[b->first + middle];

		if (x < p->from)
			high = middle;
		else if (x > p->to)
			low = middle + 1;
		else
			return p;
	}
	return NULL;
}

static struct fills fills_at(const struct scene *s, const struct band *b, double x)
{
	return span_fills(s->solid, span_at(s, b, x));
}

static bool is_filled(struct fills f, double z)
{
	for (size_t i = 0; i < f.n; i++)
		if (f.items[i].low < z && z < f.items[i].high)
			return true;
	return false;
}

static bool has_top(struct fills f, double z)
{
	for (size_t i = 0; i < f.n; i++)
		if (f.items[i].high == z)
			return i + 1 == f.n || f.items[i + 1].low > z;
	return false;
}

enum { LEVELS_MAX = 64 };

/* The heights between low and high (inclusive) at which one of the two places changes. */
static int levels_between(struct fills a, struct fills b, double low, double high, double *out)
{
	struct fills both[] = {a, b};
	int n = 0;

	out[n++] = low;
	for (int i = 0; i < 2; i++)
		for (size_t k = 0; k < 2 * both[i].n && n < LEVELS_MAX - 1; k++) {
			double z = k % 2 ? both[i].items[k / 2].high : both[i].items[k / 2].low;
			int at = n;

			if (z <= low || z >= high)
				continue;
			for (; at && out[at - 1] > z; at--)
				out[at] = out[at - 1];
			out[at] = z;
			n++;
		}
	out[n++] = high;
	return n;
}

/* The upright end of a face. Draws an edge where the face does not continue. It continues where `own` is filled and
 * `front`, before it, is not. */
static void upright_edge(const struct scene *s, double x, double y, double low, double high, struct fills own,
			 struct fills front)
{
	double levels[LEVELS_MAX];
	int n = levels_between(own, front, low, high, levels);

	for (int i = 0; i + 1 < n; i++) {
		double middle = (levels[i] + levels[i + 1]) / 2;

		if (!(is_filled(own, middle) && !is_filled(front, middle)))
			edge(s, x, y, levels[i], x, y, levels[i + 1]);
	}
}

static uint32_t side_colour(const struct scene *s, enum solid_part part, bool along_x)
{
	double share = part == SOLID_SLAB ? (along_x ? 0.30 : 0.42) : (along_x ? 0.08 : 0.20);

	return mix(s->colours->paper, s->colours->wall, share);
}

#define APART 1e-6 /* a small distance to either side of a line */

/* Faces in direction y. */
static void front_face(void *to, double low, double high, enum solid_part part)
{
	const struct scene *s = to;
	const struct band *here = band_at(s, s->band), *next = band_beside(s, 1);

	corner_to(s, true, s->from, s->at, low);
	corner_to(s, false, s->to, s->at, low);
	corner_to(s, false, s->to, s->at, high);
	corner_to(s, false, s->from, s->at, high);
	fill(s, side_colour(s, part, true));
	edge(s, s->from, s->at, low, s->to, s->at, low);
	edge(s, s->from, s->at, high, s->to, s->at, high);
	upright_edge(s, s->from, s->at, low, high, fills_at(s, here, s->from - APART),
		     fills_at(s, next, s->from - APART));
	upright_edge(s, s->to, s->at, low, high, fills_at(s, here, s->to + APART), fills_at(s, next, s->to + APART));
}

/* Faces in direction x. */
static void right_face(void *to, double low, double high, enum solid_part part)
{
	const struct scene *s = to;

	corner_to(s, true, s->at, s->from, low);
	corner_to(s, false, s->at, s->to, low);
	corner_to(s, false, s->at, s->to, high);
	corner_to(s, false, s->at, s->from, high);
	fill(s, side_colour(s, part, false));
	edge(s, s->at, s->from, low, s->at, s->to, low);
	edge(s, s->at, s->from, high, s->at, s->to, high);
	for (int way = -1; way <= 1; way += 2) {
		const struct band *b = band_beside(s, way);

		upright_edge(s, s->at, way < 0 ? s->from : s->to, low, high, fills_at(s, b, s->at - APART),
			     fills_at(s, b, s->at + APART));
	}
}

static uint32_t floor_colour(const struct scene *s, double x, double y)
{
	int room = locate(s->plan, &s->locator, x, y, -1);

	if (room < 0)
		return mix(s->colours->paper, s->colours->wall, 0.15);
	const struct plan_room *r = &s->plan->rooms.items[room];
	const struct colour *own = r->style >= 0 ? &s->plan->styles.items[r->style].floor : NULL;

	if (own && own->there)
		return (uint32_t)own->red << 16 | (uint32_t)own->green << 8 | own->blue;
	return mix(s->colours->tints[tint_of(r->name, r->label)], s->colours->wall, 0.06);
}

/* The parts of a line along x where the neighbour does not have the same top. */
static void top_edge(const struct scene *s, const struct band *beside, double y, double z)
{
	const struct span *p = s->span;
	double x = p->from;

	while (x < p->to) {
		const struct span *o = span_at(s, beside, x + APART);
		double to = p->to;

		if (o) {
			to = fmin(to, o->to);
		} else if (beside) {
			for (size_t i = 0; i < beside->n; i++)
				if (s->solid->spans.items[beside->first + i].from > x + APART) {
					to = fmin(to, s->solid->spans.items[beside->first + i].from);
					break;
				}
		}
		to = fmax(to, fmin(x + 2 * APART, p->to));
		if (!o || !has_top(span_fills(s->solid, o), z))
			edge(s, x, y, z, to, y, z);
		x = to;
	}
}

/* The cut through a wall at the ceiling is dark. A sill with something above it is not. */
static void top_face(const struct scene *s, double z, enum solid_part part, bool is_last)
{
	const struct band *b = band_at(s, s->band);
	const struct span *p = s->span;
	uint32_t colour = part == SOLID_WALL ? mix(s->colours->paper, s->colours->wall, is_last ? 0.80 : 0.35)
					     : floor_colour(s, (p->from + p->to) / 2, (b->from + b->to) / 2);

	corner_to(s, true, p->from, b->from, z);
	corner_to(s, false, p->to, b->from, z);
	corner_to(s, false, p->to, b->to, z);
	corner_to(s, false, p->from, b->to, z);
	fill(s, colour);
	if (!has_top(fills_at(s, b, p->from - APART), z))
		edge(s, p->from, b->from, z, p->from, b->to, z);
	if (!has_top(fills_at(s, b, p->to + APART), z))
		edge(s, p->to, b->from, z, p->to, b->to, z);
	top_edge(s, band_beside(s, -1), b->from, z);
	top_edge(s, band_beside(s, 1), b->to, z);
}

/* Paints the faces of one filled height at one span that the viewer can see. */
static void filled_paint(struct scene *s, size_t number)
{
	const struct band *b = band_at(s, s->band), *next = band_beside(s, 1);
	struct fills all = span_fills(s->solid, s->span), one = {&all.items[number], 1};
	double x = s->span->from;

	/* The heights of the next band may change along the front. */
	s->at = b->to;
	while (x < s->span->to) {
		const struct span *o = span_at(s, next, x + APART);
		double to = s->span->to;

		if (o)
			to = fmin(to, o->to);
		for (size_t i = 0; !o && next && i < next->n; i++)
			if (s->solid->spans.items[next->first + i].from > x + APART) {
				to = fmin(to, s->solid->spans.items[next->first + i].from);
				break;
			}
		to = fmax(to, fmin(x + 2 * APART, s->span->to));
		s->from = x;
		s->to = to;
		fills_bare(one, span_fills(s->solid, o), false, front_face, s);
		x = to;
	}
	s->at = s->span->to;
	s->from = b->from;
	s->to = b->to;
	fills_bare(one, fills_at(s, b, s->span->to + APART), false, right_face, s);
	if (number + 1 == all.n || all.items[number + 1].low > all.items[number].high)
		top_face(s, one.items[0].high, one.items[0].part, number + 1 == all.n);
}

/* Keeps the part on one side of a line y: 1 keeps larger y. A convex piece stays convex. */
static void piece_cut(struct piece *p, double y, int keep)
{
	struct piece out = {.low = p->low, .high = p->high};

	for (int i = 0; i < p->n && out.n < PRISM_POINTS + 2; i++) {
		struct point a = p->points[i], b = p->points[(i + 1) % p->n];
		double da = keep * (a.y - y), db = keep * (b.y - y);

		if (da >= 0) {
			out.points[out.n] = a;
			out.corner[out.n] = p->corner[i];
			out.whole[out.n++] = p->whole[i] && !(db < 0 && da == 0);
		}
		if ((da > 0 && db < 0) || (da < 0 && db > 0)) {
			double t = da / (da - db);

			out.points[out.n] = (struct point){a.x + t * (b.x - a.x), y};
			out.corner[out.n] = false;
			/* If the side leaves, the next side is the cut. If it enters, the next side is the rest of this
			 * one. */
			out.whole[out.n++] = da < 0 && p->whole[i];
		}
	}
	*p = out;
}

static double piece_area(const struct piece *p)
{
	double area = 0;

	for (int i = 0; i < p->n; i++) {
		struct point a = p->points[i], b = p->points[(i + 1) % p->n];

		area += a.x * b.y - b.x * a.y;
	}
	return area / 2;
}

static void piece_paint(const struct scene *s, const struct piece *p)
{
	double hand = piece_area(p) > 0 ? 1 : -1;
	bool sees[PRISM_POINTS + 4];

	for (int i = 0; i < p->n; i++) {
		struct point a = p->points[i], b = p->points[(i + 1) % p->n];

		/* The outer side of a clockwise ring is on its right on paper. */
		sees[i] = hand * ((b.y - a.y) * TOWARD_X - (b.x - a.x) * TOWARD_Y) > 1e-9;
		if (!sees[i] || !p->whole[i])
			continue;
		corner_to(s, true, a.x, a.y, p->low);
		corner_to(s, false, b.x, b.y, p->low);
		corner_to(s, false, b.x, b.y, p->high);
		corner_to(s, false, a.x, a.y, p->high);
		fill(s, side_colour(s, SOLID_WALL, fabs(b.x - a.x) > fabs(b.y - a.y)));
		edge(s, a.x, a.y, p->low, b.x, b.y, p->low);
	}
	for (int i = 0; i < p->n; i++)
		corner_to(s, !i, p->points[i].x, p->points[i].y, p->high);
	fill(s, mix(s->colours->paper, s->colours->wall, 0.03));
	for (int i = 0; i < p->n; i++) {
		struct point a = p->points[i], b = p->points[(i + 1) % p->n];

		if (p->whole[i])
			edge(s, a.x, a.y, p->high, b.x, b.y, p->high);
		if (p->corner[i] &&
		    ((sees[i] && p->whole[i]) || (sees[(i + p->n - 1) % p->n] && p->whole[(i + p->n - 1) % p->n])))
			edge(s, a.x, a.y, p->low, a.x, a.y, p->high);
	}
}

static int farther_first(const void *a, const void *b)
{
	const struct piece *l = a, *r = b;

	if (fabs(l->depth - r->depth) > 1e-9)
		return l->depth < r->depth ? -1 : 1;
	return l->high < r->high ? -1 : l->high > r->high;
}

struct pieces {
	struct piece *items;
	size_t n, cap;
};

/* The steps between two lines y, the farthest first. */
static void pieces_between(const struct scene *s, double from, double to, struct pieces *out)
{
	out->n = 0;
	for (size_t i = 0; i < s->storey->stairs.n; i++) {
		const struct prism *step = &s->storey->stairs.items[i];
		struct piece p = {.n = step->n, .low = step->low, .high = step->high, .near_x = -INFINITY};

		for (int k = 0; k < step->n; k++) {
			p.points[k] = step->points[k];
			p.whole[k] = p.corner[k] = true;
		}
		piece_cut(&p, from, 1);
		if (p.n > 2)
			piece_cut(&p, to, -1);
		if (p.n < 3 || fabs(piece_area(&p)) < 1e-9)
			continue;
		double x = 0, y = 0;

		for (int k = 0; k < p.n; k++) {
			x += p.points[k].x / p.n;
			y += p.points[k].y / p.n;
			p.near_x = fmax(p.near_x, p.points[k].x);
		}
		p.depth = x * TOWARD_X + y * TOWARD_Y;
		*ARRAY_PUSH(s->arena, out) = p;
	}
	if (out->n)
		array_sort(out->items, out->n, sizeof *out->items, farther_first);
}

static void pieces_paint(struct scene *s, struct pieces *list, double before_x)
{
	size_t kept = 0;

	s->layer = LAYER_STAIRS;
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i].near_x <= before_x + APART)
			piece_paint(s, &list->items[i]);
		else
			list->items[kept++] = list->items[i];
	list->n = kept;
	s->layer = LAYER_WALLS;
}

/* A step is painted after everything that begins left of its right end. It is on a floor or stands free. */
static void band_paint(struct scene *s, struct pieces *steps)
{
	const struct band *b = band_at(s, s->band);

	pieces_between(s, b->from, b->to, steps);
	for (size_t i = 0; i < b->n; i++) {
		s->span = &s->solid->spans.items[b->first + i];
		if (i && steps->n)
			pieces_paint(s, steps, s->span->from);
		for (size_t k = 0; k < s->span->n; k++)
			filled_paint(s, k);
	}
	pieces_paint(s, steps, INFINITY);
}

void scene_paint(struct call *c, struct display_list *to, const struct plan *p, const struct storey *storey,
		 const struct camera *camera, const struct colours *colours)
{
	struct scene s = {
		.arena = c->arena,
		.list = to,
		.plan = p,
		.storey = storey,
		.solid = &storey->solid,
		.camera = camera,
		.colours = colours,
		.layer = LAYER_WALLS,
		.pen = {.colour = colours->ink, .width = fmin(fmax(camera->scale * 0.02 * p->metre, 0.5), 1.2)}};
	struct pieces steps = {0};
	double y = -INFINITY;

	locator_make(c->arena, p, storey->floor, &s.locator);
	for (s.band = 0; s.band < s.solid->bands.n && goes_on(c); s.band++) {
		const struct band *b = band_at(&s, s.band);

		/* Steps next to the building. */
		if (b->from > y) {
			pieces_between(&s, y, b->from, &steps);
			pieces_paint(&s, &steps, INFINITY);
		}
		band_paint(&s, &steps);
		y = b->to;
	}
	pieces_between(&s, y, INFINITY, &steps);
	pieces_paint(&s, &steps, INFINITY);
}
