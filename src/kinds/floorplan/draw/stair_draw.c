/* Stairs.
 *
 * The plan has the geometry; this file draws it. A stair that leads up is cut by a break line at about the eighth riser
 * and is dashed after it. On the floor where its chain ends, the whole stair is visible from above. On floors between,
 * the flight from below is visible after the break line: UP leads to the break from one end, DN from the other. Walls
 * are painted over stairs. Words are next to a stair if there is space, or else on its treads. Nothing hides a
 * tread. */
#include "kinds/floorplan/draw/sheet.h"

#include <math.h>
#include <stdlib.h>

enum { BREAK_AT = 8, BREAK_LEAST = 11 }; /* risers; a shorter stair is completely below eye level */

struct stair_sheet {
	struct sheet *sheet;
	struct view *view;
	const struct plan_stair *stair;
	uint32_t ground;    /* colour of the floor below it */
	uint32_t ink, fine; /* colours of lines that are visible on it */
	bool down;          /* the chain ends here */
	bool both;          /* the chain continues above and below */
	int broken;         /* the riser at the break; -1: none */
};

static struct point on_sheet(const struct stair_sheet *t, struct point p)
{
	return (struct point){view_x(t->sheet, t->view, p.x), view_y(t->sheet, t->view, p.y)};
}

static struct pen dashed(const struct sheet *s, struct pen pen)
{
	pen.on = 4 * s->size;
	pen.off = 3 * s->size;
	return pen;
}

/* The fill of the innermost room around a point of the plan; paper outside all rooms. */
static uint32_t ground_at(const struct sheet *s, int floor, double x, double y)
{
	uint32_t fill = s->colours->paper;

	for (size_t i = floor_rooms(s->plan, floor); i < floor_rooms(s->plan, floor + 1); i++) {
		const struct plan_room *r = &s->plan->rooms.items[i];

		if (r->placed && x >= r->box.x && x <= r->box.x + r->box.width && y >= r->box.y &&
		    y <= r->box.y + r->box.height)
			fill = room_fill(s, r);
	}
	return fill;
}

uint32_t element_ground(const struct sheet *s, int floor, int style, const struct box *b)
{
	if (style >= 0 && s->plan->styles.items[style].floor.there) {
		struct colour c = s->plan->styles.items[style].floor;

		return (uint32_t)c.red << 16 | (uint32_t)c.green << 8 | c.blue;
	}
	return ground_at(s, floor, b->x + b->width / 2, b->y + b->height / 2);
}

static void polygon(const struct stair_sheet *t, const struct point *points, size_t n, uint32_t fill, struct pen pen)
{
	struct display_list *d = &t->sheet->list;

	if (n < 2)
		return;
	for (size_t i = 0; i < n; i++) {
		struct point p = on_sheet(t, points[i]);

		if (i)
			path_line(d, p.x, p.y);
		else
			path_move(d, p.x, p.y);
	}
	path_close(d);
	path_paint(d, LAYER_STAIRS, fill, pen);
}

/* A straight flight with the break line: across it from `a` to `b`, climbing along `way`. */
struct broken_flight {
	struct point a, b, way;
	double before, behind; /* length of the flight from the break, down and up */
	double skew;           /* slope of the break line along the flight */
};

static struct broken_flight broken_of(const struct stair_sheet *t, const struct stair_part *part,
				      const struct stair_line *at)
{
	static const struct point ways[] = {
		[SIDE_TOP] = {0, -1}, [SIDE_RIGHT] = {1, 0}, [SIDE_BOTTOM] = {0, 1}, [SIDE_LEFT] = {-1, 0}};
	struct broken_flight f = {.a = on_sheet(t, at->a), .b = on_sheet(t, at->b), .way = ways[part->toward]};
	double width = length_of(f.b.x - f.a.x, f.b.y - f.a.y);

	for (size_t i = 0; i < part->points; i++) {
		struct point p = on_sheet(t, part->outline[i]);
		double along = (p.x - f.a.x) * f.way.x + (p.y - f.a.y) * f.way.y;

		f.before = fmax(f.before, -along);
		f.behind = fmax(f.behind, along);
	}
	f.skew = fmin(width * 0.4, fmin(f.before, f.behind));
	return f;
}

static void broken_line(const struct stair_sheet *t, struct point from, struct point way, double low, double high,
			struct pen pen)
{
	if (high > low)
		line_paint(&t->sheet->list, LAYER_STAIRS, from.x + way.x * low, from.y + way.y * low,
			   from.x + way.x * high, from.y + way.y * high, pen);
}

/* Solid lines below the break, dashed lines above it. */
static void broken_draw(const struct stair_sheet *t, const struct stair_part *part, const struct broken_flight *f)
{
	struct sheet *s = t->sheet;
	struct pen ink = sheet_pen(s, t->ink, 1.2), tread = sheet_pen(s, t->fine, 0.8);
	struct pen far = t->both ? ink : dashed(s, sheet_pen(s, t->fine, 1));
	struct point across = {f->b.x - f->a.x, f->b.y - f->a.y};

	broken_line(t, f->a, f->way, -f->before, -f->skew, ink);
	broken_line(t, f->a, f->way, -f->skew, f->behind, far);
	broken_line(t, f->b, f->way, -f->before, f->skew, ink);
	broken_line(t, f->b, f->way, f->skew, f->behind, far);
	for (size_t i = 0; i <= part->steps + 1; i++) {
		bool edge = i >= part->steps;
		struct point a = edge ? f->a : on_sheet(t, part->risers[i].a);
		double along = edge ? (i == part->steps ? -f->before : f->behind)
				    : (a.x - f->a.x) * f->way.x + (a.y - f->a.y) * f->way.y;
		/* The share of the width, from `a`, that is above the break line here. */
		double above = f->skew > 0 ? fmin(fmax((along / f->skew + 1) / 2, 0), 1) : along >= 0;
		struct point from = {f->a.x + f->way.x * along, f->a.y + f->way.y * along};

		broken_line(t, from, across, 0, above, edge ? far : t->both ? tread : dashed(s, tread));
		broken_line(t, from, across, above, 1, edge ? ink : tread);
	}
}

/* Two zigzag lines across the flight; the strip between them is left blank. */
static void break_line(const struct stair_sheet *t, const struct broken_flight *f)
{
	/* Along the line: straight, back, forth, straight. The numbers are fractions of its length. */
	static const double shares[] = {0, 0.42, 0.47, 0.53, 0.58, 1};
	static const double teeth[] = {0, 0, -1, 1, 0, 0};
	struct sheet *s = t->sheet;
	struct display_list *d = &s->list;
	double width = length_of(f->b.x - f->a.x, f->b.y - f->a.y);
	double tooth = fmin(width * 0.14, 7 * s->size), gap = 2 * s->size;
	struct point line[6];

	for (int i = 0; i < 6; i++) {
		double along = (2 * shares[i] - 1) * f->skew + teeth[i] * tooth;

		line[i] = (struct point){f->a.x + (f->b.x - f->a.x) * shares[i] + f->way.x * along,
					 f->a.y + (f->b.y - f->a.y) * shares[i] + f->way.y * along};
	}
	for (int i = 0; i < 12; i++) {
		struct point p = line[i < 6 ? i : 11 - i];
		double off = i < 6 ? -gap : gap;

		if (i)
			path_line(d, p.x + f->way.x * off, p.y + f->way.y * off);
		else
			path_move(d, p.x + f->way.x * off, p.y + f->way.y * off);
	}
	path_close(d);
	path_paint(d, LAYER_STAIRS, t->ground, NO_PEN);
	for (int side = -1; side <= 1; side += 2) {
		for (int i = 0; i < 6; i++) {
			double x = line[i].x + f->way.x * gap * side, y = line[i].y + f->way.y * gap * side;

			if (i)
				path_line(d, x, y);
			else
				path_move(d, x, y);
		}
		path_paint(d, LAYER_STAIRS, NO_COLOUR, sheet_pen(s, t->ink, 1));
	}
}

static void part_whole(const struct stair_sheet *t, const struct stair_part *part, bool above)
{
	struct sheet *s = t->sheet;
	struct pen outline = sheet_pen(s, t->ink, 1.2), tread = sheet_pen(s, t->fine, 0.8);

	for (size_t k = 0; k < part->steps; k++) {
		struct point a = on_sheet(t, part->risers[k].a), b = on_sheet(t, part->risers[k].b);

		line_paint(&s->list, LAYER_STAIRS, a.x, a.y, b.x, b.y, above ? dashed(s, tread) : tread);
	}
	polygon(t, part->outline, part->points, NO_COLOUR, above ? dashed(s, sheet_pen(s, t->fine, 1)) : outline);
}

/* Paints the parts above the break first, so that solid lines are on top of dashed ones where they meet. */
static void parts(const struct stair_sheet *t)
{
	const struct plan_stair *stair = t->stair;
	int riser = 0;

	for (size_t i = 0; i < stair->part_count; i++)
		polygon(t, stair->parts[i].outline, stair->parts[i].points, t->ground, NO_PEN);
	for (size_t i = stair->part_count; i-- > 0;)
		riser += (int)stair->parts[i].steps;
	for (size_t i = stair->part_count; i-- > 0;) {
		const struct stair_part *part = &stair->parts[i];

		riser -= (int)part->steps;
		if (t->broken > riser && t->broken < riser + (int)part->steps && part->kind == PART_FLIGHT) {
			struct broken_flight f = broken_of(t, part, &part->risers[t->broken - riser]);

			broken_draw(t, part, &f);
		} else {
			part_whole(t, part, t->broken >= 0 && !t->both && riser >= t->broken);
		}
	}
}

static void break_draw(const struct stair_sheet *t)
{
	int riser = 0;

	for (size_t i = 0; i < t->stair->part_count; i++) {
		const struct stair_part *part = &t->stair->parts[i];

		if (t->broken > riser && t->broken < riser + (int)part->steps && part->kind == PART_FLIGHT) {
			struct broken_flight f = broken_of(t, part, &part->risers[t->broken - riser]);

			break_line(t, &f);
		}
		riser += (int)part->steps;
	}
}

static void arrow_head(const struct stair_sheet *t, struct point tip, struct point from)
{
	struct sheet *s = t->sheet;
	double length = length_of(tip.x - from.x, tip.y - from.y), reach = 8 * s->size, half = 3.2 * s->size;
	double x = length > 0 ? (tip.x - from.x) / length : 1, y = length > 0 ? (tip.y - from.y) / length : 0;

	path_move(&s->list, tip.x, tip.y);
	path_line(&s->list, tip.x - x * reach - y * half, tip.y - y * reach + x * half);
	path_line(&s->list, tip.x - x * reach + y * half, tip.y - y * reach - x * half);
	path_close(&s->list);
	path_paint(&s->list, LAYER_STAIRS, t->ink, NO_PEN);
}

/* A way on the sheet, from its dot to the tip of its arrow. */
struct way {
	struct point *points;
	size_t n;
	double length;
};

static double step_length(const struct way *w, size_t i)
{
	return length_of(w->points[i].x - w->points[i - 1].x, w->points[i].y - w->points[i - 1].y);
}

/* The walking line, upwards or downwards. */
static struct way way_of(const struct stair_sheet *t, bool down)
{
	const struct plan_stair *stair = t->stair;
	struct way w = {.points = arena_array(t->sheet->call->arena, stair->walk_points + 2, sizeof *w.points),
			.n = stair->walk_points};

	for (size_t i = 0; i < w.n; i++) {
		w.points[i] = on_sheet(t, stair->walk[down ? w.n - 1 - i : i]);
		if (i)
			w.length += step_length(&w, i);
	}
	return w;
}

static struct point way_point(const struct way *w, double at)
{
	for (size_t i = 1; i < w->n; i++) {
		double step = step_length(w, i);

		if (at <= step && step > 0)
			return (struct point){w->points[i - 1].x + (w->points[i].x - w->points[i - 1].x) * at / step,
					      w->points[i - 1].y + (w->points[i].y - w->points[i - 1].y) * at / step};
		at -= step;
	}
	return w->points[w->n - 1];
}

/* The position on the way that is nearest to the point. */
static double way_nearest(const struct way *w, struct point p)
{
	double best = INFINITY, found = 0, at = 0;

	for (size_t i = 1; i < w->n; i++) {
		struct point a = w->points[i - 1], b = w->points[i];
		double step = step_length(w, i), x = b.x - a.x, y = b.y - a.y, share, off;

		if (step <= 0)
			continue;
		share = fmin(fmax(((p.x - a.x) * x + (p.y - a.y) * y) / step / step, 0), 1);
		off = length_of(a.x + x * share - p.x, a.y + y * share - p.y);
		if (off < best) {
			best = off;
			found = at + share * step;
		}
		at += step;
	}
	return found;
}

static void way_paint(const struct stair_sheet *t, const struct way *w, double from, double to)
{
	struct sheet *s = t->sheet;
	struct point start = way_point(w, from), tip = way_point(w, to), before = start;
	double at = 0;

	if (to - from < 1)
		return;
	path_move(&s->list, start.x, start.y);
	for (size_t i = 1; i < w->n; i++) {
		at += step_length(w, i);
		if (at > from && at < to) {
			before = w->points[i];
			path_line(&s->list, before.x, before.y);
		}
	}
	path_line(&s->list, tip.x, tip.y);
	path_paint(&s->list, LAYER_STAIRS, NO_COLOUR, sheet_pen(s, t->ink, 1));
	path_arc(&s->list, start.x, start.y, 2.4 * s->size, 0, 2 * M_PI);
	path_close(&s->list);
	path_paint(&s->list, LAYER_STAIRS, t->ink, NO_PEN);
	arrow_head(t, tip, before);
}

static bool meets_element(const struct stair_sheet *t, struct frame f)
{
	const struct plan *p = t->sheet->plan;
	int floor = t->view->floor;

	for (size_t i = 0; i < p->stairs.n + p->lifts.n; i++) {
		bool stair = i < p->stairs.n;
		int on = stair ? p->stairs.items[i].floor : p->lifts.items[i - p->stairs.n].floor;
		bool placed = stair ? p->stairs.items[i].placed : p->lifts.items[i - p->stairs.n].placed;
		struct box b = stair ? p->stairs.items[i].box : p->lifts.items[i - p->stairs.n].box;
		struct point low = on_sheet(t, (struct point){b.x, b.y});
		struct point high = on_sheet(t, (struct point){b.x + b.width, b.y + b.height});

		if (on == floor && placed && frames_meet(f, (struct frame){low.x, low.y, high.x, high.y}))
			return true;
	}
	return false;
}

static bool meets_wall(const struct stair_sheet *t, struct frame f)
{
	const struct wall_graph *g = &t->view->walls;
	double rim = 2 * t->sheet->size; /* the outline of the wall */

	f = (struct frame){f.left - rim, f.top - rim, f.right + rim, f.bottom + rim};
	for (size_t i = 0; i < g->pieces.n; i++)
		if (frames_meet(f, piece_frame(t->sheet, t->view, &g->pieces.items[i].at, g->pieces.items[i].weight)))
			return true;
	return false;
}

static bool meets_words(const struct stair_sheet *t, struct frame f)
{
	for (size_t i = 0; i < t->view->words.n; i++)
		if (frames_meet(f, t->view->words.items[i]))
			return true;
	return false;
}

/* Is the place free: within the sheet's view, and not on a wall, opening, swing, stair, lift or other words? */
static bool is_free(const struct stair_sheet *t, struct frame f)
{
	const struct wall_graph *g = &t->view->walls;
	struct sheet *s = t->sheet;
	struct frame all = view_frame(s, t->view);
	double rim = 2 * s->size;

	f = (struct frame){f.left - rim, f.top - rim, f.right + rim, f.bottom + rim};
	if (f.left < all.left || f.right > all.right || f.top < all.top || f.bottom > all.bottom || meets_element(t, f))
		return false;
	if (meets_words(t, f) || meets_wall(t, f))
		return false;
	for (size_t i = 0; i < g->openings.n; i++) {
		struct box swing = opening_swing(s->plan, &g->openings.items[i]);
		struct point low = on_sheet(t, (struct point){swing.x, swing.y});
		struct point high = on_sheet(t, (struct point){swing.x + swing.width, swing.y + swing.height});

		if (frames_meet(f, piece_frame(s, t->view, &g->openings.items[i].at, g->openings.items[i].weight)) ||
		    (swing.width > 0 && frames_meet(f, (struct frame){low.x, low.y, high.x, high.y})))
			return false;
	}
	return true;
}

struct words {
	struct text wording;
	double size, advance; /* advance at size 1 */
};

static struct frame words_frame(const struct words *w, struct point centre, bool upright, struct point *base)
{
	double drop = (TEXT_RISE - TEXT_DROP) / 2 * w->size;

	*base = (struct point){upright ? centre.x + drop : centre.x, upright ? centre.y : centre.y + drop};
	return text_frame(base->x, base->y, w->size, ANCHOR_MIDDLE, upright, w->advance * w->size);
}

static void words_put(const struct stair_sheet *t, const struct words *w, struct point centre, bool upright,
		      uint32_t ground)
{
	struct point base;
	struct frame f = words_frame(w, centre, upright, &base);

	text_paint(&t->sheet->list, LAYER_STAIRS, w->wording, base.x, base.y,
		   (struct lettering_style){FACE_PLAIN, w->size, text_colour(ground, TEXT_MAIN)}, ANCHOR_MIDDLE,
		   upright, w->advance * w->size);
	*ARRAY_PUSH(t->sheet->call->arena, &t->view->words) = f;
}

/* Writes level text with its middle at `centre`, if that place is free. */
static bool words_beside(const struct stair_sheet *t, const struct words *w, struct point centre)
{
	const struct sheet *s = t->sheet;
	struct point base;

	if (!is_free(t, words_frame(w, centre, false, &base)))
		return false;
	words_put(t, w, centre, false,
		  ground_at(s, t->view->floor, s->world.x + (centre.x - t->view->left) / s->scale,
			    s->world.y + (centre.y - t->view->top) / s->scale));
	return true;
}

/* The smallest readable size. */
static double words_least(const struct sheet *s) { return fmax(7, s->type_least); }

/* Outside the stair's box, at the side nearest to the foot of the way, if that is near. */
static bool words_around(const struct stair_sheet *t, const struct words *w, struct point foot)
{
	const struct box *b = &t->stair->box;
	double gap = 5 * t->sheet->size, x = w->advance * w->size / 2 + gap, y = w->size / 2 + gap;
	struct point low = on_sheet(t, (struct point){b->x, b->y});
	struct point high = on_sheet(t, (struct point){b->x + b->width, b->y + b->height});
	struct point places[] = {{low.x - x, foot.y}, {high.x + x, foot.y}, {foot.x, low.y - y}, {foot.x, high.y + y}};
	double off[] = {foot.x - low.x, high.x - foot.x, foot.y - low.y, high.y - foot.y};
	double most = 1.1 * fmax(t->stair->width, t->stair->outer_radius) * t->sheet->scale;

	for (int tries = 0; tries < 4; tries++) {
		int best = 0;

		for (int i = 1; i < 4; i++)
			if (off[i] < off[best])
				best = i;
		if (off[best] > most)
			return false;
		if (words_beside(t, w, places[best]))
			return true;
		off[best] = INFINITY;
	}
	return false;
}

/* Puts words on the first treads that no wall covers: across the flight if they fit, or else along it. Returns how far
 * along the way they end; 0 if they do not fit. */
static double words_on_treads(const struct stair_sheet *t, const struct way *way, struct words w, struct point toward)
{
	struct sheet *s = t->sheet;
	bool along_x = fabs(toward.x) > fabs(toward.y), level;
	double width = t->stair->width * s->scale, half;
	struct point base;

	if (t->stair->shape == STAIR_SPIRAL)
		width = (t->stair->outer_radius - t->stair->inner_radius) * s->scale;
	level = along_x || w.advance * words_least(s) <= width - 4;
	if (!along_x && level)
		w.size = fmin(w.size, (width - 4) / w.advance);
	if (w.size > width || w.size < words_least(s))
		return 0;
	half = (!along_x && level ? w.size : w.advance * w.size) / 2 + 3 * s->size;
	for (double at = half; at + half < way->length * 0.7; at += fmax(2 * s->size, 1)) {
		struct point centre = way_point(way, at);

		if (meets_wall(t, words_frame(&w, centre, !level, &base)))
			continue;
		words_put(t, &w, centre, !level, t->ground);
		return at + half;
	}
	return 0;
}

/* Puts words at the foot of a way: before its dot, next to the stair, or on its treads. On treads the line begins after
 * the words. Returns how far along the way the line begins. */
static double way_words(const struct stair_sheet *t, const struct way *way, struct text wording)
{
	struct sheet *s = t->sheet;
	struct words w = {wording, fmax(11 * s->size * fmin(s->letters, 1.5), s->type_least),
			  hand_width(&s->hand, FACE_PLAIN, wording)};
	struct point a = way->points[0], b = way_point(way, fmin(8 * s->size, way->length)), toward;
	double length = length_of(b.x - a.x, b.y - a.y), reach;

	if (length <= 0 || s->sparse)
		return 0;
	toward = (struct point){(b.x - a.x) / length, (b.y - a.y) / length};
	reach = (fabs(toward.x) * w.advance + fabs(toward.y)) * w.size / 2 + 6 * s->size;
	if (words_beside(t, &w, (struct point){a.x - toward.x * reach, a.y - toward.y * reach}) ||
	    words_around(t, &w, a))
		return 0;
	return words_on_treads(t, way, w, toward);
}

/* The part of a flight above its break line; all of it if the break is elsewhere. */
static struct frame clear_of_break(const struct stair_sheet *t, const struct stair_part *part, int first,
				   struct frame f)
{
	struct broken_flight b;

	if (part->kind != PART_FLIGHT || t->broken <= first || t->broken >= first + (int)part->steps)
		return f;
	b = broken_of(t, part, &part->risers[t->broken - first]);
	switch (part->toward) {
	case SIDE_TOP: f.bottom = b.a.y - b.skew; break;
	case SIDE_BOTTOM: f.top = b.a.y + b.skew; break;
	case SIDE_LEFT: f.right = b.a.x - b.skew; break;
	case SIDE_RIGHT: f.left = b.a.x + b.skew; break;
	}
	return f;
}

/* A part of a stair on the sheet. For the flight with the break, only the part above it. */
static struct frame part_frame(const struct stair_sheet *t, const struct stair_part *part, int first)
{
	struct frame f = {INFINITY, INFINITY, -INFINITY, -INFINITY};

	for (size_t k = 0; k < part->points; k++) {
		struct point p = on_sheet(t, part->outline[k]);

		f = (struct frame){fmin(f.left, p.x), fmin(f.top, p.y), fmax(f.right, p.x), fmax(f.bottom, p.y)};
	}
	return clear_of_break(t, part, first, f);
}

/* Finds the point nearest to `middle`, up or down its line by at most `slack`, where the words are not on a wall or on
 * other words. */
static bool words_slide(const struct stair_sheet *t, const struct words *w, bool upright, double slack,
			struct point *middle)
{
	double step = fmax(4 * t->sheet->size, 1);
	struct point base;

	for (double off = 0; off <= slack; off += step)
		for (int way = -1; way <= 1; way += 2) {
			struct point at = {middle->x + (upright ? 0 : way * off),
					   middle->y + (upright ? way * off : 0)};
			struct frame f = words_frame(w, at, upright, &base);

			if (meets_words(t, f) || meets_wall(t, f))
				continue;
			*middle = at;
			return true;
		}
	return false;
}

/* Puts the label on one half of a flight, next to the walking line and parallel to it. */
static bool label_on_flight(const struct stair_sheet *t, struct words w)
{
	int first = 0;

	for (size_t i = 0; i < t->stair->part_count; i++)
		first += (int)t->stair->parts[i].steps;
	for (size_t i = t->stair->part_count; i-- > 0;) {
		const struct stair_part *part = &t->stair->parts[i];
		bool upright = part->toward == SIDE_TOP || part->toward == SIDE_BOTTOM;
		struct frame f;
		struct point centre;
		double across, along;

		first -= (int)part->steps;
		if (part->kind != PART_FLIGHT)
			continue;
		f = part_frame(t, part, first);
		across = upright ? f.right - f.left : f.bottom - f.top;
		along = upright ? f.bottom - f.top : f.right - f.left;
		w.size = fmin(w.size, across / 2 - 4 * t->sheet->size);
		if (w.size < words_least(t->sheet) || w.size * w.advance > along - 8 * t->sheet->size)
			continue;
		centre = (struct point){(f.left + f.right) / 2 - (upright ? across / 4 : 0),
					(f.top + f.bottom) / 2 - (upright ? 0 : across / 4)};
		if (!words_slide(t, &w, upright, (along - w.size * w.advance) / 2 - 4 * t->sheet->size, &centre))
			continue;
		words_put(t, &w, centre, upright, t->ground);
		return true;
	}
	return false;
}

/* The stair's own label: on a flight, or else next to the stair. */
static void stair_label(const struct stair_sheet *t)
{
	struct sheet *s = t->sheet;
	struct text label = wording_of(s->call->arena, t->stair->label);
	struct words w = {label, fmax(fmax(10 * s->size, 9), s->type_least), hand_width(&s->hand, FACE_PLAIN, label)};
	const struct box *b = &t->stair->box;
	struct point low = on_sheet(t, (struct point){b->x, b->y});
	struct point high = on_sheet(t, (struct point){b->x + b->width, b->y + b->height});
	double gap = 4 * s->size, x = (low.x + high.x) / 2, y = (low.y + high.y) / 2;
	const struct point beside[] = {{x, low.y - gap - w.size / 2},
				       {x, high.y + gap + w.size / 2},
				       {low.x - gap - w.advance * w.size / 2, y},
				       {high.x + gap + w.advance * w.size / 2, y}};

	if (!label.len || !s->plan->config.show_labels || s->sparse || label_on_flight(t, w))
		return;
	for (size_t i = 0; i < ARRAY_COUNT(beside); i++)
		if (words_beside(t, &w, beside[i]))
			return;
}

/* The riser nearest to the eighth that is well within a straight flight; -1 if there is none. */
static int break_find(const struct plan_stair *of)
{
	int first = 0, best = -1;

	for (size_t i = 0; i < of->part_count; first += (int)of->parts[i++].steps)
		for (int k = first + 2; of->parts[i].kind == PART_FLIGHT && k <= first + (int)of->parts[i].steps - 2;
		     k++)
			if (best < 0 || abs(k - BREAK_AT) < abs(best - BREAK_AT))
				best = k;
	return best;
}

/* The break on the sheet, as a position on the way up. Half way if no straight flight can have the break. */
static double break_along(const struct stair_sheet *t, const struct way *up)
{
	int riser = 0;

	for (size_t i = 0; i < t->stair->part_count; riser += (int)t->stair->parts[i++].steps) {
		const struct stair_part *part = &t->stair->parts[i];

		if (t->broken >= riser && t->broken < riser + (int)part->steps) {
			struct point a = on_sheet(t, part->risers[t->broken - riser].a),
				     b = on_sheet(t, part->risers[t->broken - riser].b);

			return way_nearest(up, (struct point){(a.x + b.x) / 2, (a.y + b.y) / 2});
		}
	}
	return up->length / 2;
}

static void ways(const struct stair_sheet *t)
{
	struct sheet *s = t->sheet;
	struct text rises = text_format(s->call->arena, "UP %d R", t->stair->steps);
	struct way up, down;

	if (t->stair->walk_points < 2)
		return;
	up = way_of(t, false);
	down = way_of(t, true);
	if (t->both) {
		double at = break_along(t, &up), gap = 8 * s->size;

		way_paint(t, &up, way_words(t, &up, rises), at - gap);
		way_paint(t, &down, way_words(t, &down, TEXT("DN")), up.length - at - gap);
	} else if (t->down) {
		way_paint(t, &down, way_words(t, &down, TEXT("DN")), down.length);
	} else {
		way_paint(t, &up, way_words(t, &up, rises), up.length);
	}
}

static void stair(struct sheet *s, struct view *v, const struct plan_stair *of)
{
	struct stair_sheet t = {.sheet = s, .view = v, .stair = of, .broken = -1};

	t.ground = element_ground(s, v->floor, of->style, &of->box);
	t.ink = line_colour(s->colours->ink, t.ground);
	t.fine = line_colour(s->colours->fine, t.ground);
	t.down = of->comes_from_below && !of->goes_up;
	t.both = of->comes_from_below && of->goes_up;
	if (!t.down && (t.both || of->steps >= BREAK_LEAST))
		t.broken = break_find(of);
	parts(&t);
	ways(&t);
	break_draw(&t);
	if (of->walk_points >= 2)
		stair_label(&t);
}

void draw_stairs(struct sheet *s, struct view *v)
{
	for (size_t i = 0; i < s->plan->stairs.n; i++) {
		const struct plan_stair *of = &s->plan->stairs.items[i];

		if (of->floor == v->floor && of->placed && view_shows(s, &of->box))
			stair(s, v, of);
	}
}
