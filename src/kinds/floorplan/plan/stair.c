/* stair.c: splits a stair into flights, landings and winders.
 *
 * A stair is built in climbing order. A walker is at the middle of the next front edge and faces the way up. Each
 * flight moves it forward, each landing turns it. The parts are relative to the walker's start. The caller moves all
 * parts so that the corner of the bounding box is at the place in the plan. */
#include "kinds/floorplan/plan/reading.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

struct walker {
	struct arena *arena;
	struct plan_stair *stair;
	ARRAY(struct stair_part) parts;
	ARRAY(struct point) walk;
	struct point at;      /* middle of the front edge */
	struct point forward; /* unit */
	double width;
};

static struct point facing(enum side s)
{
	switch (s) {
	case SIDE_TOP: return (struct point){0, -1};
	case SIDE_RIGHT: return (struct point){1, 0};
	case SIDE_BOTTOM: return (struct point){0, 1};
	case SIDE_LEFT: return (struct point){-1, 0};
	}
	return (struct point){0, 0};
}

static enum side side_faced(struct point d)
{
	if (fabs(d.x) > fabs(d.y))
		return d.x > 0 ? SIDE_RIGHT : SIDE_LEFT;
	return d.y > 0 ? SIDE_BOTTOM : SIDE_TOP;
}

/* With y downwards, the right of (x,y) is (-y,x). */
static struct point right_of(struct point d) { return (struct point){-d.y, d.x}; }

static struct point step(struct point from, struct point way, double far)
{
	return (struct point){from.x + way.x * far, from.y + way.y * far};
}

/* The point `ahead` along the way and `aside` to the right of it. */
static struct point local(const struct walker *w, double ahead, double aside)
{
	return step(step(w->at, w->forward, ahead), right_of(w->forward), aside);
}

static void trace(struct walker *w, struct point p) { *ARRAY_PUSH(w->arena, &w->walk) = p; }

static struct stair_part *part(struct walker *w, enum stair_part_kind kind, size_t points, size_t steps)
{
	struct stair_part *p = ARRAY_PUSH(w->arena, &w->parts);

	p->kind = kind;
	p->outline = arena_array(w->arena, points, sizeof *p->outline);
	p->points = points;
	p->risers = arena_array(w->arena, steps + 1, sizeof *p->risers);
	p->steps = steps;
	p->width = w->width;
	p->toward = side_faced(w->forward);
	return p;
}

static void rectangle(struct walker *w, struct stair_part *p, double ahead, double left, double right)
{
	p->outline[0] = local(w, 0, left);
	p->outline[1] = local(w, 0, right);
	p->outline[2] = local(w, ahead, right);
	p->outline[3] = local(w, ahead, left);
}

static void flight(struct walker *w, int steps)
{
	double half = w->width / 2, tread = w->stair->tread;
	struct stair_part *p = part(w, PART_FLIGHT, 4, (size_t)steps);

	rectangle(w, p, steps * tread, -half, half);
	for (int i = 0; i < steps; i++)
		p->risers[i] = (struct stair_line){local(w, i * tread, -half), local(w, i * tread, half)};
	trace(w, w->at);
	w->at = local(w, steps * tread, 0);
	trace(w, w->at);
}

/* A corner of `aside` by `ahead`; the next flight leaves on the inner side, at the far end. */
static void corner(struct walker *w, enum turn turn, double ahead, double aside, double next_width)
{
	double half = w->width / 2, hand = turn == TURN_RIGHT ? 1 : -1;

	aside = fmax(aside, w->width);
	ahead = fmax(ahead, next_width);
	struct stair_part *p = part(w, PART_LANDING, 4, 0);

	rectangle(w, p, ahead, -hand * half, hand * (aside - half));
	trace(w, local(w, ahead - next_width / 2, 0));
	struct point next = local(w, ahead - next_width / 2, hand * (aside - half));

	w->forward = step((struct point){0, 0}, right_of(w->forward), hand);
	w->at = next;
	w->width = next_width;
}

/* The landing of two flights side by side. */
static void half_landing(struct walker *w, enum turn turn, double depth, double across)
{
	double half = w->width / 2, hand = turn == TURN_RIGHT ? 1 : -1;

	across = fmax(across, 2 * w->width);
	struct stair_part *p = part(w, PART_LANDING, 4, 0);
	double second = across - w->width;

	rectangle(w, p, depth, -hand * half, hand * (across - half));
	trace(w, local(w, depth / 2, 0));
	trace(w, local(w, depth / 2, hand * second));
	w->at = local(w, 0, hand * second);
	w->forward = (struct point){-w->forward.x, -w->forward.y};
}

/* Wedges around the inner corner of a square. */
static void winders(struct walker *w, enum turn turn, int n, double next_width)
{
	double half = w->width / 2, hand = turn == TURN_RIGHT ? 1 : -1;
	struct stair_part *p = part(w, PART_WINDERS, 4, (size_t)n);
	struct point pivot = local(w, 0, hand * half);

	rectangle(w, p, next_width, -hand * half, hand * half);
	for (int i = 0; i < n; i++) {
		/* From the front edge (0) to the side where the next flight leaves (90 degrees); cut at the square's
		 * rim. */
		double angle = PI / 2 * i / n, aside = cos(angle), ahead = sin(angle);
		double reach =
			fmin(aside > 1e-9 ? w->width / aside : INFINITY, ahead > 1e-9 ? next_width / ahead : INFINITY);

		p->risers[i] = (struct stair_line){pivot, local(w, ahead * reach, hand * (half - aside * reach))};
	}
	for (int i = 0; i <= 4; i++) {
		double angle = PI / 2 * i / 4;

		trace(w, local(w, sin(angle) * next_width / 2, hand * (half - cos(angle) * half)));
	}
	struct point next = local(w, next_width / 2, hand * half);

	w->forward = step((struct point){0, 0}, right_of(w->forward), hand);
	w->at = next;
	w->width = next_width;
}

/* Treads around a centre, from one angle over a sweep (positive: clockwise on screen). */
static void arc(struct walker *w, struct point centre, double inner, double outer, double start, double sweep,
		int steps)
{
	enum { PER_STEP = 3, AT_LEAST = 24 };
	int samples = steps * PER_STEP > AT_LEAST ? steps * PER_STEP : AT_LEAST;
	struct stair_part *p = part(w, PART_ARC, 2 * ((size_t)samples + 1), (size_t)steps);

	for (int i = 0; i <= samples; i++) {
		double a = start + sweep * i / samples;

		p->outline[i] = (struct point){centre.x + cos(a) * outer, centre.y + sin(a) * outer};
		p->outline[2 * samples + 1 - i] = (struct point){centre.x + cos(a) * inner, centre.y + sin(a) * inner};
		trace(w,
		      (struct point){centre.x + cos(a) * (inner + outer) / 2, centre.y + sin(a) * (inner + outer) / 2});
	}
	for (int i = 0; i < steps; i++) {
		double a = start + sweep * i / steps;

		p->risers[i] = (struct stair_line){{centre.x + cos(a) * inner, centre.y + sin(a) * inner},
						   {centre.x + cos(a) * outer, centre.y + sin(a) * outer}};
	}
	w->stair->centre = centre;
	w->stair->inner_radius = inner;
	w->stair->outer_radius = outer;
	w->stair->start_angle = start;
	w->stair->sweep = sweep;
}

static int run(const struct stair_syntax *t, size_t i, int otherwise)
{
	return i < t->run_count ? (int)t->runs[i] : otherwise;
}

static double size_or(const struct reading *r, const struct size *s, const struct length *l, double otherwise)
{
	return s->there ? in_plan(r, l) : otherwise;
}

static void custom(struct walker *w, const struct stair_syntax *t, const struct reading *r)
{
	for (size_t i = 0; i < t->segments.n; i++) {
		const struct segment *g = &t->segments.items[i];
		double next = w->stair->width;

		if (!g->turns) {
			w->width = g->width.there ? in_plan(r, &g->width) : w->width;
			flight(w, g->steps);
			continue;
		}
		for (size_t k = i + 1; k < t->segments.n && k < i + 2; k++)
			if (!t->segments.items[k].turns && t->segments.items[k].width.there)
				next = in_plan(r, &t->segments.items[k].width);
		if (g->winders)
			winders(w, g->turn, g->winders, next);
		else if (g->angle >= 135)
			half_landing(w, g->turn, in_plan(r, &g->landing.height), in_plan(r, &g->landing.width));
		else
			corner(w, g->turn, in_plan(r, &g->landing.height), in_plan(r, &g->landing.width), next);
	}
}

static void spiral(struct walker *w, const struct stair_syntax *t, const struct reading *r)
{
	double outer = in_plan(r, &t->outer_radius),
	       inner = t->inner_radius.there ? in_plan(r, &t->inner_radius) : outer / 10;
	double sweep = fmin(w->stair->steps * PI / 6, 2 * PI);

	arc(w, (struct point){0, 0}, fmin(inner, outer), outer, PI / 2,
	    t->rotation == ROTATION_CLOCKWISE ? sweep : -sweep, w->stair->steps);
}

static void curved(struct walker *w, const struct stair_syntax *t, const struct reading *r)
{
	double radius = in_plan(r, &t->radius), sweep = (t->arc > 0 ? fmin(t->arc, 360) : 90) * PI / 180;
	struct point right = right_of(w->forward), centre = step(w->at, right, radius);

	arc(w, centre, fmax(radius - w->width / 2, 0), radius + w->width / 2, atan2(-right.y, -right.x), sweep,
	    w->stair->steps);
}

static void shape(struct walker *w, const struct stair_syntax *t, const struct reading *r)
{
	int n = w->stair->steps, half = (n + 1) / 2, third = (n + 2) / 3;
	double width = w->width;
	double ahead = size_or(r, &t->landing, &t->landing.height, width),
	       aside = size_or(r, &t->landing, &t->landing.width, width);

	switch (t->shape) {
	case STAIR_STRAIGHT: flight(w, n); break;
	case STAIR_L_SHAPED:
		flight(w, run(t, 0, half));
		corner(w, t->turn, ahead, aside, width);
		flight(w, run(t, 1, n - half > 0 ? n - half : 1));
		break;
	case STAIR_U_SHAPED:
		flight(w, run(t, 0, half));
		half_landing(w, t->turn, ahead, size_or(r, &t->landing, &t->landing.width, 2 * width));
		flight(w, run(t, 1, n - half > 0 ? n - half : 1));
		break;
	case STAIR_DOUBLE_L:
		flight(w, run(t, 0, third));
		corner(w, t->turn, ahead, aside, width);
		flight(w, run(t, 1, third));
		corner(w, t->turn, ahead, aside, width);
		flight(w, run(t, 2, n - 2 * third > 0 ? n - 2 * third : 1));
		break;
	case STAIR_WINDER: {
		int rest = n - t->winders > 2 ? n - t->winders : 2;

		flight(w, run(t, 0, (rest + 1) / 2));
		winders(w, t->turn, t->winders, width);
		flight(w, run(t, 1, rest - (rest + 1) / 2));
		break;
	}
	case STAIR_SPIRAL: spiral(w, t, r); break;
	case STAIR_CURVED: curved(w, t, r); break;
	case STAIR_CUSTOM: custom(w, t, r); break;
	}
}

static void bound(struct plan_stair *s)
{
	double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;

	for (size_t i = 0; i < s->part_count; i++)
		for (size_t k = 0; k < s->parts[i].points; k++) {
			const struct point *p = &s->parts[i].outline[k];

			left = fmin(left, p->x);
			right = fmax(right, p->x);
			top = fmin(top, p->y);
			bottom = fmax(bottom, p->y);
		}
	if (s->part_count)
		s->box = (struct box){left, top, right - left, bottom - top};
}

void stair_move(struct plan_stair *s, double x, double y)
{
	double dx = x - s->box.x, dy = y - s->box.y;

	for (size_t i = 0; i < s->part_count; i++) {
		struct stair_part *p = &s->parts[i];

		for (size_t k = 0; k < p->points; k++)
			p->outline[k] = (struct point){p->outline[k].x + dx, p->outline[k].y + dy};
		for (size_t k = 0; k < p->steps; k++)
			p->risers[k] = (struct stair_line){{p->risers[k].a.x + dx, p->risers[k].a.y + dy},
							   {p->risers[k].b.x + dx, p->risers[k].b.y + dy}};
	}
	for (size_t i = 0; i < s->walk_points; i++)
		s->walk[i] = (struct point){s->walk[i].x + dx, s->walk[i].y + dy};
	s->centre = (struct point){s->centre.x + dx, s->centre.y + dy};
	s->box.x = x;
	s->box.y = y;
}

void stair_build(struct arena *a, struct plan_stair *s, const struct stair_syntax *syntax, const struct reading *r)
{
	struct walker w = {.arena = a, .stair = s, .width = s->width};
	enum side up = syntax->shape == STAIR_STRAIGHT ? syntax->side : opposite(syntax->side);

	w.forward = facing(up);
	shape(&w, syntax, r);
	s->parts = w.parts.items;
	s->part_count = w.parts.n;
	s->walk = w.walk.items;
	s->walk_points = w.walk.n;
	bound(s);
	stair_move(s, 0, 0);
}
