/* Stairs and lifts.
 *
 * The geometry is the plan's; here it gets pens. A stair that leads up is cut by a break line at about the eighth riser
 * and dashed behind it; on the floor where its chain ends it is seen whole, from above. */
#include "kinds/floorplan/draw/sheet.h"

#include <math.h>
#include <stdlib.h>

enum { BREAK_AT = 8, BREAK_LEAST = 11 }; /* risers: a shorter stair is below eye level as a whole */

struct stair_sheet {
	struct sheet *sheet;
	struct view *view;
	const struct plan_stair *stair;
	uint32_t ground;    /* what lies below it */
	uint32_t ink, fine; /* lines that show on it */
	bool down;          /* the chain ends here */
	int broken;         /* the riser the break is at; -1: none */
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

	for (size_t i = 0; i < s->plan->rooms.n; i++) {
		const struct plan_room *r = &s->plan->rooms.items[i];

		if (r->floor == floor && r->placed && x >= r->box.x && x <= r->box.x + r->box.width && y >= r->box.y &&
		    y <= r->box.y + r->box.height)
			fill = room_fill(s, r);
	}
	return fill;
}

static uint32_t element_ground(const struct sheet *s, int floor, int style, const struct box *b)
{
	if (style >= 0 && s->plan->styles.items[style].floor.there) {
		struct colour c = s->plan->styles.items[style].floor;

		return (uint32_t)c.red << 16 | (uint32_t)c.green << 8 | c.blue;
	}
	return ground_at(s, floor, b->x + b->width / 2, b->y + b->height / 2);
}

/* --- flights ------------------------------------------------------------------------------------------------------ */

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

/* A straight flight that the break line cuts: across it from `a` to `b`, climbing along `way`. */
struct broken_flight {
	struct point a, b, way;
	double before, behind; /* how far the flight reaches from the break, down and up */
	double skew;           /* how far the break line runs up and down the flight */
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

/* Whole below the break, dashed above it. */
static void broken_draw(const struct stair_sheet *t, const struct stair_part *part, const struct broken_flight *f)
{
	struct sheet *s = t->sheet;
	struct pen ink = sheet_pen(s, t->ink, 1.2), tread = sheet_pen(s, t->fine, 0.8);
	struct pen far = dashed(s, sheet_pen(s, t->fine, 1));
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
		/* The share of the width, from a, that lies above the break line here. */
		double above = f->skew > 0 ? fmin(fmax((along / f->skew + 1) / 2, 0), 1) : along >= 0;
		struct point from = {f->a.x + f->way.x * along, f->a.y + f->way.y * along};

		broken_line(t, from, across, 0, above, edge ? far : dashed(s, tread));
		broken_line(t, from, across, above, 1, edge ? ink : tread);
	}
}

/* Two zigzag lines across the flight; the strip between them is left blank. */
static void break_line(const struct stair_sheet *t, const struct broken_flight *f)
{
	/* Along the line: straight, back, forth, straight; the fractions are of its length. */
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

/* The parts above the break first, so that whole lines lie on dashed ones where they meet. */
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
			part_whole(t, part, t->broken >= 0 && riser >= t->broken);
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

/* --- the way ------------------------------------------------------------------------------------------------------ */

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

static struct point walk_point(const struct stair_sheet *t, size_t i)
{
	const struct plan_stair *stair = t->stair;

	return on_sheet(t, stair->walk[t->down ? stair->walk_points - 1 - i : i]);
}

static void walk(const struct stair_sheet *t)
{
	struct sheet *s = t->sheet;
	size_t n = t->stair->walk_points;
	double dot = 2.4 * s->size;

	if (n < 2)
		return;
	for (size_t i = 0; i < n; i++) {
		struct point p = walk_point(t, i);

		if (i)
			path_line(&s->list, p.x, p.y);
		else
			path_move(&s->list, p.x, p.y);
	}
	path_paint(&s->list, LAYER_STAIRS, NO_COLOUR, sheet_pen(s, t->ink, 1));

	struct point start = walk_point(t, 0), tip = walk_point(t, n - 1), before = walk_point(t, n - 2);

	path_arc(&s->list, start.x, start.y, dot, 0, 2 * M_PI);
	path_close(&s->list);
	path_paint(&s->list, LAYER_STAIRS, t->ink, NO_PEN);
	arrow_head(t, tip, before);
}

/* A line of text on a patch of the ground, so that treads and diagonals do not run through it. */
static struct frame patch_text(struct sheet *s, enum layer layer, struct text wording, struct point centre, double size,
			       enum face face, bool upright, uint32_t ground)
{
	struct lettering_style style = {face, size, text_colour(ground, TEXT_MAIN)};
	double advance = hand_width(&s->hand, face, wording) * size;
	double drop = (TEXT_RISE - TEXT_DROP) / 2 * size, pad = 2.5 * s->size;
	double x = upright ? centre.x + drop : centre.x, y = upright ? centre.y : centre.y + drop;
	struct frame f = text_frame(x, y, size, ANCHOR_MIDDLE, upright, advance);

	f = (struct frame){f.left - pad, f.top - pad / 2, f.right + pad, f.bottom + pad / 2};
	path_frame(&s->list, f);
	path_paint(&s->list, layer, ground, NO_PEN);
	text_paint(&s->list, layer, wording, x, y, style, ANCHOR_MIDDLE, upright, advance);
	return f;
}

/* "UP 18 R" on the way, behind its first point; upright where the flight is narrower than the words. */
static struct frame walk_words(const struct stair_sheet *t)
{
	struct sheet *s = t->sheet;
	struct text wording = t->down ? TEXT("DN") : text_format(s->call->arena, "UP %d R", t->stair->steps);
	double width = t->stair->width * s->scale, size = 11 * s->size * fmin(s->letters, 1.5);
	double advance = hand_width(&s->hand, FACE_PLAIN, wording);
	struct point a = walk_point(t, 0), b = walk_point(t, 1);
	double length = length_of(b.x - a.x, b.y - a.y);
	bool along_x = fabs(b.x - a.x) > fabs(b.y - a.y), upright;
	double reach;

	if (length <= 0 || s->sparse)
		return (struct frame){0};
	if (t->stair->shape == STAIR_SPIRAL) {
		/* Between post and rim, some treads on: the dot stays to be seen. */
		size_t on = t->stair->walk_points * 7 / 2 / (size_t)(t->stair->steps > 1 ? t->stair->steps : 2);
		double ring = (t->stair->outer_radius - t->stair->inner_radius) * s->scale - 8;

		size = fmin(size, ring / advance);
		return size < 7 ? (struct frame){0}
				: patch_text(s, LAYER_STAIRS, wording, walk_point(t, on), size, FACE_PLAIN, false,
					     t->ground);
	}
	if (!along_x && advance * size > width - 4 && advance * size < width * 1.3)
		size = (width - 4) / advance;
	upright = !along_x && advance * size > width;
	if (size * (along_x || upright ? 1 : 0) > width || size < 6)
		return (struct frame){0};
	reach = (along_x || upright ? advance * size / 2 : size / 2) + 7 * s->size;
	return patch_text(s, LAYER_STAIRS, wording,
			  (struct point){a.x + (b.x - a.x) / length * reach, a.y + (b.y - a.y) / length * reach}, size,
			  FACE_PLAIN, upright, t->ground);
}

/* What of a flight lies above its break line; all of it when the break is elsewhere. */
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

/* The stair's own label, on the part that takes it best: level if its width allows, else along the flight. */
static void stair_label(const struct stair_sheet *t, struct frame taken)
{
	struct sheet *s = t->sheet;
	struct text label = wording_of(t->sheet->call->arena, t->stair->label);
	double size = fmax(10 * s->size, 9), advance = hand_width(&s->hand, FACE_PLAIN, label) * size;

	if (!label.len || !s->plan->config.show_labels || s->sparse)
		return;
	for (int upright = 0; upright <= 1; upright++) {
		int first = 0;

		for (size_t i = 0; i < t->stair->part_count; i++)
			first += (int)t->stair->parts[i].steps;
		for (size_t i = t->stair->part_count; i-- > 0;) {
			const struct stair_part *part = &t->stair->parts[i];
			struct frame f = {INFINITY, INFINITY, -INFINITY, -INFINITY}, words_at;
			struct point centre;
			double w = upright ? size : advance, h = upright ? advance : size;

			first -= (int)part->steps;
			if (part->kind != PART_FLIGHT && part->kind != PART_LANDING)
				continue;
			for (size_t k = 0; k < part->points; k++) {
				struct point p = on_sheet(t, part->outline[k]);

				f = (struct frame){fmin(f.left, p.x), fmin(f.top, p.y), fmax(f.right, p.x),
						   fmax(f.bottom, p.y)};
			}
			f = clear_of_break(t, part, first, f);
			centre = (struct point){(f.left + f.right) / 2, (f.top + f.bottom) / 2};
			words_at = (struct frame){centre.x - w / 2 - 6, centre.y - h / 2 - 6, centre.x + w / 2 + 6,
						  centre.y + h / 2 + 6};
			if (w + 10 > f.right - f.left || h + 14 > f.bottom - f.top || frames_meet(words_at, taken))
				continue;
			patch_text(s, LAYER_STAIRS, label, centre, size, FACE_PLAIN, upright, t->ground);
			return;
		}
	}
}

/* The riser nearest to the eighth that lies well within a straight flight; -1: there is none. */
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

static void stair(struct sheet *s, struct view *v, const struct plan_stair *of)
{
	struct stair_sheet t = {.sheet = s, .view = v, .stair = of, .broken = -1};

	t.ground = element_ground(s, v->floor, of->style, &of->box);
	t.ink = line_colour(s->colours->ink, t.ground);
	t.fine = line_colour(s->colours->fine, t.ground);
	t.down = of->comes_from_below && !of->goes_up;
	if (!t.down && of->steps >= BREAK_LEAST)
		t.broken = break_find(of);
	parts(&t);
	walk(&t);
	break_draw(&t);
	if (of->walk_points >= 2)
		stair_label(&t, walk_words(&t));
}

/* --- lifts -------------------------------------------------------------------------------------------------------- */

/* One side of the shaft, as one piece or as two beside the doors. */
static void shaft_side(struct sheet *s, struct view *v, const struct plan_lift *l, enum side side, struct frame *gap)
{
	const struct box *b = &l->box;
	bool vertical = side == SIDE_LEFT || side == SIDE_RIGHT;
	double line = side == SIDE_TOP      ? b->y
		      : side == SIDE_BOTTOM ? b->y + b->height
		      : side == SIDE_LEFT   ? b->x
					    : b->x + b->width;
	double from = vertical ? b->y : b->x, length = vertical ? b->height : b->width;
	double door = fmin(0.9 * s->plan->metre, 0.7 * length);
	double half = wall_pixels(s, WEIGHT_INNER) / 2 / s->scale;
	struct stretch all = {vertical, line, from - half, from + length + half};
	struct stretch open = {vertical, line, from + (length - door) / 2, from + (length + door) / 2};

	*gap = (struct frame){0};
	if (!l->doors[side]) {
		path_frame(&s->list, piece_frame(s, v, &all, WEIGHT_INNER));
		return;
	}
	*gap = piece_frame(s, v, &open, WEIGHT_INNER);
	all.to = open.from;
	path_frame(&s->list, piece_frame(s, v, &all, WEIGHT_INNER));
	all.from = open.to;
	all.to = from + length + half;
	path_frame(&s->list, piece_frame(s, v, &all, WEIGHT_INNER));
}

static uint32_t shaft_fill(const struct sheet *s, const struct plan_lift *l)
{
	const struct colour *c = l->style >= 0 ? &s->plan->styles.items[l->style].wall : NULL;

	return c && c->there ? (uint32_t)c->red << 16 | (uint32_t)c->green << 8 | c->blue : s->colours->wall;
}

static void lift_label(struct sheet *s, const struct plan_lift *l, struct frame f, uint32_t ground)
{
	struct text label = wording_of(s->call->arena, l->label);
	double size = fmax(11 * s->size, 9), advance, least = fmax(9 * s->size, 8);
	struct point centre = {(f.left + f.right) / 2, (f.top + f.bottom) / 2};

	if (!s->plan->config.show_labels || s->sparse)
		return;
	if (!label.len)
		label = wording_of(s->call->arena, name_words(s->call->arena, l->name));
	advance = hand_width(&s->hand, FACE_PLAIN, label);
	size = fmin(size, (f.right - f.left - 8 * s->size) / advance);
	if (size >= least && size < f.bottom - f.top - 4)
		patch_text(s, LAYER_LIFTS, label, centre, size, FACE_PLAIN, false, ground);
	else if (least * advance < f.bottom - f.top - 8 * s->size && least < f.right - f.left - 4)
		patch_text(s, LAYER_LIFTS, label, centre, least, FACE_PLAIN, true, ground);
}

static void lift(struct sheet *s, struct view *v, const struct plan_lift *l)
{
	struct display_list *d = &s->list;
	uint32_t ground = element_ground(s, v->floor, l->style, &l->box);
	struct frame f = {round(view_x(s, v, l->box.x)), round(view_y(s, v, l->box.y)),
			  round(view_x(s, v, l->box.x + l->box.width)), round(view_y(s, v, l->box.y + l->box.height))};
	struct pen fine = sheet_pen(s, line_colour(s->colours->fine, ground), 0.8),
		   ink = sheet_pen(s, line_colour(s->colours->ink, ground), 1);
	struct frame gaps[4];

	path_frame(d, f);
	path_paint(d, LAYER_LIFTS, ground, NO_PEN);
	line_paint(d, LAYER_LIFTS, f.left, f.top, f.right, f.bottom, fine);
	line_paint(d, LAYER_LIFTS, f.left, f.bottom, f.right, f.top, fine);
	for (int side = 0; side < 4; side++)
		shaft_side(s, v, l, (enum side)side, &gaps[side]);
	path_paint(d, LAYER_LIFTS, shaft_fill(s, l), sheet_pen(s, s->colours->ink, 2.4))->fill_on_top = true;
	for (int side = 0; side < 4; side++) {
		struct frame g = gaps[side];
		bool vertical = side == SIDE_LEFT || side == SIDE_RIGHT;

		if (!l->doors[side])
			continue;
		/* Door leaves slide: two lines in the gap. */
		if (vertical) {
			line_paint(d, LAYER_LIFTS, g.left + 0.5, g.top, g.left + 0.5, g.bottom, ink);
			line_paint(d, LAYER_LIFTS, g.right - 0.5, g.top, g.right - 0.5, g.bottom, ink);
		} else {
			line_paint(d, LAYER_LIFTS, g.left, g.top + 0.5, g.right, g.top + 0.5, ink);
			line_paint(d, LAYER_LIFTS, g.left, g.bottom - 0.5, g.right, g.bottom - 0.5, ink);
		}
	}
	lift_label(s, l, f, ground);
}

void draw_stairs(struct sheet *s, struct view *v)
{
	for (size_t i = 0; i < s->plan->stairs.n; i++)
		if (s->plan->stairs.items[i].floor == v->floor && s->plan->stairs.items[i].placed)
			stair(s, v, &s->plan->stairs.items[i]);
	for (size_t i = 0; i < s->plan->lifts.n; i++)
		if (s->plan->lifts.items[i].floor == v->floor && s->plan->lifts.items[i].placed)
			lift(s, v, &s->plan->lifts.items[i]);
}
