#include "kinds/floorplan/model/building.h"

#include "kinds/floorplan/plan/wall_graph.h"
#include "kinds/floorplan/plan/locate.h"

#include <math.h>

struct builder {
	struct arena *arena;
	const struct plan *plan;
	int floor;
	struct wall_graph walls;
	struct locator locator;
	struct blocks blocks;
	struct storey *out;
};

static void block_add(struct builder *b, struct box at, double low, double high, enum solid_part part)
{
	if (high > low)
		*ARRAY_PUSH(b->arena, &b->blocks) = (struct block){at, low, high, part};
}

/* The height of a stretch of wall: from the lower floor to the higher ceiling of the rooms next to it. */
struct reach {
	double low, high, until; /* until: where along the wall another room begins */
};

static struct reach reach_at(const struct builder *b, const struct stretch *s, double along)
{
	const struct plan *p = b->plan;
	double off = 0.12 * p->metre, inside = along + 1e-4 * p->metre;
	struct reach r = {.low = INFINITY, .high = -INFINITY, .until = INFINITY};

	for (int side = -1; side <= 1; side += 2) {
		int room = s->vertical ? locate(p, &b->locator, s->line + side * off, inside, -1)
				       : locate(p, &b->locator, inside, s->line + side * off, -1);

		if (room < 0)
			continue;
		const struct plan_room *m = &p->rooms.items[room];

		r.low = fmin(r.low, m->elevation);
		r.high = fmax(r.high, m->elevation + m->height);
		r.until = fmin(r.until, s->vertical ? m->box.y + m->box.height : m->box.x + m->box.width);
	}
	if (r.high < r.low) {
		r.low = 0;
		r.high = p->floors.items[b->floor].height;
	}
	return r;
}

static struct box stretch_box(const struct stretch *s, double from, double to, double thick)
{
	return s->vertical ? (struct box){s->line - thick / 2, from, thick, to - from}
			   : (struct box){from, s->line - thick / 2, to - from, thick};
}

static void wall_add(struct builder *b, const struct stretch *s, double from, double to, double thick)
{
	double least = 0.01 * b->plan->metre;

	for (double at = from; at < to;) {
		struct reach r = reach_at(b, s, fmin(fmax(at, s->from), s->to));
		double end = r.until > at + least && r.until < to - least && r.until < s->to ? r.until : to;
		struct box ground = stretch_box(s, at, end, thick);

		block_add(b, ground, r.low, r.high, SOLID_WALL);
		block_add(b, ground, r.low - b->plan->config.floor_thickness, r.low, SOLID_SLAB);
		at = end;
	}
}

static void add_walls(struct builder *b)
{
	const struct plan *p = b->plan;

	for (size_t i = 0; i < b->walls.pieces.n; i++) {
		const struct wall_piece *w = &b->walls.pieces.items[i];

		wall_add(b, &w->at, w->at.from - wall_thickness(p, w->before) / 2,
			 w->at.to + wall_thickness(p, w->behind) / 2, wall_thickness(p, w->weight));
	}
}

/* Adds the remaining wall below and above each opening. */
static void add_openings(struct builder *b)
{
	const struct plan *p = b->plan;

	for (size_t i = 0; i < b->walls.openings.n; i++) {
		const struct opening *o = &b->walls.openings.items[i];
		struct reach r = reach_at(b, &o->at, (o->at.from + o->at.to) / 2);
		struct box ground = stretch_box(&o->at, o->at.from, o->at.to, wall_thickness(p, o->weight));
		double sill = opening_sill(p, o), head = sill + opening_height(p, o);

		if (o->weight == WEIGHT_NONE)
			continue;
		block_add(b, ground, r.low - p->config.floor_thickness, r.low, SOLID_SLAB);
		block_add(b, ground, r.low, fmin(r.low + sill, r.high), SOLID_WALL);
		/* No lintel if there is almost no wall between the opening and the ceiling. */
		if (r.high - r.low - head > 0.01 * p->metre)
			block_add(b, ground, r.low + head, r.high, SOLID_WALL);
	}
}

/* The hole for a stair or lift from below. Empty for one that does not come from below. */
static struct box hole_at(const struct builder *b, size_t i)
{
	if (i < b->plan->stairs.n) {
		const struct plan_stair *s = &b->plan->stairs.items[i];

		return s->floor == b->floor && s->placed && s->comes_from_below ? s->box : (struct box){0};
	}
	const struct plan_lift *l = &b->plan->lifts.items[i - b->plan->stairs.n];

	return l->floor == b->floor && l->placed && b->floor > 0 ? l->box : (struct box){0};
}

/* Adds the slab around the holes from number `next` on. A hole splits a rectangle into at most four. */
static void slab_add(struct builder *b, struct box at, double low, double high, size_t next)
{
	double right = at.x + at.width, bottom = at.y + at.height;

	for (; next < b->plan->stairs.n + b->plan->lifts.n; next++) {
		struct box h = hole_at(b, next);
		double x1 = fmax(h.x, at.x), x2 = fmin(h.x + h.width, right);
		double y1 = fmax(h.y, at.y), y2 = fmin(h.y + h.height, bottom);

		if (x2 - x1 < 1e-6 || y2 - y1 < 1e-6)
			continue;
		if (y1 > at.y)
			slab_add(b, (struct box){at.x, at.y, at.width, y1 - at.y}, low, high, next + 1);
		if (y2 < bottom)
			slab_add(b, (struct box){at.x, y2, at.width, bottom - y2}, low, high, next + 1);
		if (x1 > at.x)
			slab_add(b, (struct box){at.x, y1, x1 - at.x, y2 - y1}, low, high, next + 1);
		if (x2 < right)
			slab_add(b, (struct box){x2, y1, right - x2, y2 - y1}, low, high, next + 1);
		return;
	}
	block_add(b, at, low, high, SOLID_SLAB);
}

static void add_slabs(struct builder *b)
{
	for (size_t i = 0; i < b->plan->rooms.n; i++) {
		const struct plan_room *r = &b->plan->rooms.items[i];

		if (r->floor == b->floor && r->placed && (r->depth == 0 || r->elevation != 0))
			slab_add(b, r->box, r->elevation - b->plan->config.floor_thickness, r->elevation, 0);
	}
}

/* Adds shafts: thin walls, open below the lintel where the lift has doors. */
static void add_lifts(struct builder *b)
{
	double thick = 0.1 * b->plan->metre;

	for (size_t i = 0; i < b->plan->lifts.n; i++) {
		const struct plan_lift *l = &b->plan->lifts.items[i];
		const struct box *x = &l->box;
		const struct box sides[] = {[SIDE_TOP] = {x->x, x->y, x->width, thick},
					    [SIDE_RIGHT] = {x->x + x->width - thick, x->y, thick, x->height},
					    [SIDE_BOTTOM] = {x->x, x->y + x->height - thick, x->width, thick},
					    [SIDE_LEFT] = {x->x, x->y, thick, x->height}};

		if (l->floor != b->floor || !l->placed)
			continue;
		for (int s = 0; s < 4; s++)
			block_add(b, sides[s], l->doors[s] ? b->plan->config.door_height : 0,
				  b->plan->floors.items[b->floor].height, SOLID_WALL);
		/* The jambs beside a door. */
		for (int s = 0; s < 4; s++) {
			bool level = s == SIDE_TOP || s == SIDE_BOTTOM;
			double jamb = (level ? x->width : x->height) / 5;
			struct box low = sides[s], high = sides[s];

			if (!l->doors[s])
				continue;
			*(level ? &low.width : &low.height) = jamb;
			high.x += level ? x->width - jamb : 0;
			high.y += level ? 0 : x->height - jamb;
			*(level ? &high.width : &high.height) = jamb;
			block_add(b, low, 0, b->plan->config.door_height, SOLID_WALL);
			block_add(b, high, 0, b->plan->config.door_height, SOLID_WALL);
		}
	}
}

static struct prism *prism_add(struct builder *b, double low, double high)
{
	struct prism *p = ARRAY_PUSH(b->arena, &b->out->stairs);

	p->low = low;
	p->high = high;
	return p;
}

static void point_add(struct prism *p, struct point at)
{
	if (p->n < PRISM_POINTS &&
	    (!p->n || fabs(p->points[p->n - 1].x - at.x) + fabs(p->points[p->n - 1].y - at.y) > 1e-9))
		p->points[p->n++] = at;
}

/* A step from one front edge to the next: a rectangle, or a wedge of a turn with the corner between them. */
static void step_add(struct builder *b, const struct stair_part *part, const struct stair_line *from,
		     const struct stair_line *to, double low, double high)
{
	struct prism *p = prism_add(b, low, high);

	point_add(p, from->a);
	point_add(p, from->b);
	/* The outline of winders turns at a corner of their square. */
	for (size_t i = 0; part->kind == PART_WINDERS && i < part->points; i++) {
		struct point c = part->outline[i], u = {from->b.x - from->a.x, from->b.y - from->a.y},
			     v = {to->b.x - from->a.x, to->b.y - from->a.y}, w = {c.x - from->a.x, c.y - from->a.y};
		double turn = u.x * v.y - u.y * v.x, one = u.x * w.y - u.y * w.x, two = w.x * v.y - w.y * v.x;

		if ((turn > 0 && one > 1e-9 && two > 1e-9) || (turn < 0 && one < -1e-9 && two < -1e-9))
			point_add(p, c);
	}
	point_add(p, to->b);
	point_add(p, to->a);
	if (p->n > 1 &&
	    fabs(p->points[0].x - p->points[p->n - 1].x) + fabs(p->points[0].y - p->points[p->n - 1].y) < 1e-9)
		p->n--;
}

/* The front edge of the step after the last one. */
static struct stair_line edge_after(const struct plan_stair *s, const struct stair_part *part)
{
	if (part->kind == PART_ARC) {
		double angle = s->start_angle + s->sweep;

		return (struct stair_line){
			{s->centre.x + cos(angle) * s->inner_radius, s->centre.y + sin(angle) * s->inner_radius},
			{s->centre.x + cos(angle) * s->outer_radius, s->centre.y + sin(angle) * s->outer_radius}};
	}
	if (part->kind == PART_WINDERS) {
		/* A quarter turn after the first edge, as wide as the square is deep on that side. */
		struct point pivot = part->risers[0].a, out = part->risers[0].b;
		struct point u = {out.x - pivot.x, out.y - pivot.y};
		struct point best = out;
		double most = 0;

		for (size_t i = 0; i < part->points; i++) {
			struct point w = {part->outline[i].x - pivot.x, part->outline[i].y - pivot.y};
			double length = sqrt(w.x * w.x + w.y * w.y);

			if (fabs(w.x * u.x + w.y * u.y) < 1e-9 * (1 + length) && length > most) {
				most = length;
				best = part->outline[i];
			}
		}
		return (struct stair_line){pivot, best};
	}
	/* Corners 2 and 3 of a flight are its far ones, on the sides of b and a. */
	return (struct stair_line){part->outline[3], part->outline[2]};
}

static void add_stair(struct builder *b, const struct plan_stair *s, double ground)
{
	double thin = 0.05 * b->plan->metre;
	int climbed = 0;

	for (size_t i = 0; i < s->part_count; i++) {
		const struct stair_part *part = &s->parts[i];

		if (!part->steps) {
			struct prism *p = prism_add(b, ground, ground + climbed * s->riser);

			/* A landing has no riser: it has the height of the step before it. */
			for (size_t k = 0; k < part->points && k < PRISM_POINTS; k++)
				point_add(p, part->outline[k]);
			if (p->high <= p->low)
				p->high = p->low + thin;
			continue;
		}
		struct stair_line end = edge_after(s, part);

		for (size_t k = 0; k < part->steps; k++) {
			double high = ground + ++climbed * s->riser;
			/* Around a centre only treads are solid, because the way leads below them. */
			double low = part->kind == PART_ARC ? fmax(ground, high - s->riser - thin) : ground;

			step_add(b, part, &part->risers[k], k + 1 < part->steps ? &part->risers[k + 1] : &end, low,
				 high);
		}
	}
}

static void add_stairs(struct builder *b)
{
	for (size_t i = 0; i < b->plan->stairs.n; i++) {
		const struct plan_stair *s = &b->plan->stairs.items[i];

		if (s->floor != b->floor || !s->placed || s->riser <= 0)
			continue;
		/* On the last floor of a chain there is only the hole. */
		if (s->comes_from_below && !s->goes_up)
			continue;
		int room = locate(b->plan, &b->locator, s->box.x + s->box.width / 2, s->box.y + s->box.height / 2, -1);

		add_stair(b, s, room >= 0 ? b->plan->rooms.items[room].elevation : 0);
	}
}

static void storey_make(struct arena *a, const struct plan *p, struct storey *out)
{
	struct builder b = {.arena = a, .plan = p, .floor = out->floor, .out = out};

	wall_graph_make(a, p, out->floor, &b.walls);
	locator_make(a, p, out->floor, &b.locator);
	add_slabs(&b);
	add_walls(&b);
	add_openings(&b);
	add_lifts(&b);
	add_stairs(&b);
	solid_make(a, &b.blocks, &out->solid);
}

bool building_make(struct call *c, const struct plan *p, int floor, struct building *out)
{
	double level = 0;

	*out = (struct building){.plan = p, .storeys = arena_array(c->arena, p->floors.n + 1, sizeof *out->storeys)};
	for (size_t i = 0; i < p->floors.n; i++) {
		if (floor < 0 || floor == (int)i) {
			struct storey *s = &out->storeys[out->n++];

			s->floor = (int)i;
			s->level = level;
			storey_make(c->arena, p, s);
		}
		if (!goes_on(c))
			return false;
		level += p->floors.items[i].height + p->config.floor_thickness;
	}
	return true;
}
