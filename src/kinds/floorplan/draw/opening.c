/* Doors with leaf and arc, windows, and gaps.
 *
 * Each is drawn in the frame of its wall: u runs along it, v across. A vertical wall swaps the two. */
#include "kinds/floorplan/draw/sheet.h"

#include <math.h>

static void move_to(struct display_list *d, bool vertical, double u, double v)
{
	path_move(d, vertical ? v : u, vertical ? u : v);
}

static void line_to(struct display_list *d, bool vertical, double u, double v)
{
	path_line(d, vertical ? v : u, vertical ? u : v);
}

static struct frame local_frame(bool vertical, double u1, double v1, double u2, double v2)
{
	struct frame f = {fmin(u1, u2), fmin(v1, v2), fmax(u1, u2), fmax(v1, v2)};

	return vertical ? (struct frame){f.top, f.left, f.bottom, f.right} : f;
}

/* Draws the two faces of the wall in the gap as hairlines. */
static void threshold(struct sheet *s, const struct opening *o, double from, double to, double low, double high)
{
	struct pen pen = sheet_pen(s, s->colours->hair, 1);
	double faces[] = {low + 0.5, high - 0.5};

	if (o->type == OPENING_GAP) {
		pen.on = 4 * s->size;
		pen.off = 3 * s->size;
	}
	for (int i = 0; i < 2; i++) {
		move_to(&s->list, o->at.vertical, from, faces[i]);
		line_to(&s->list, o->at.vertical, to, faces[i]);
		path_paint(&s->list, LAYER_DOORS, NO_COLOUR, pen);
	}
}

double leaf_thickness(const struct sheet *s) { return fmax(0.045 * s->plan->metre * s->scale, 2.6 * s->size); }

/* One leaf: hinge at `hinge` on the face `face`, closing towards `other`. */
static void leaf(struct sheet *s, const struct opening *o, double hinge, double other, double face)
{
	struct display_list *d = &s->list;
	bool vertical = o->at.vertical;
	double width = fabs(other - hinge), toward = other > hinge ? 1 : -1;
	double thick = leaf_thickness(s);
	double tip = face + o->leaf * width;
	/* The arc runs from the tip of the open leaf to the other jamb, in the sheet's own angles. */
	double open = vertical ? (o->leaf > 0 ? 0 : M_PI) : (o->leaf > 0 ? M_PI_2 : -M_PI_2);
	double closed = vertical ? (toward > 0 ? M_PI_2 : -M_PI_2) : (toward > 0 ? 0 : M_PI);

	uint32_t ground = o->into >= 0 ? room_fill(s, &s->plan->rooms.items[o->into]) : s->colours->paper;

	if (closed - open > M_PI)
		closed -= 2 * M_PI;
	if (open - closed > M_PI)
		open -= 2 * M_PI;
	path_arc(d, vertical ? face : hinge, vertical ? hinge : face, width, open, closed);
	path_paint(d, LAYER_DOORS, NO_COLOUR, sheet_pen(s, line_colour(s->colours->fine, ground), 0.9));
	path_frame(d, local_frame(vertical, hinge, face, hinge + toward * fmin(thick, width / 3), tip));
	path_paint(d, LAYER_DOORS, s->colours->paper, sheet_pen(s, line_colour(s->colours->ink, ground), 1.3));
}

static void bar(struct sheet *s, const struct opening *o, double u1, double v1, double u2, double v2, struct pen pen)
{
	path_frame(&s->list, local_frame(o->at.vertical, u1, v1, u2, v2));
	path_paint(&s->list, LAYER_DOORS, pen.on > 0 ? NO_COLOUR : s->colours->paper, pen);
}

/* A leaf that does not turn: two panels that overlap, one that is half in the wall, a zigzag, or a dashed gate. */
static void panel(struct sheet *s, const struct opening *o, double from, double to, double low, double high)
{
	double middle = (low + high) / 2, thick = fmin(leaf_thickness(s), (high - low) / 2.5), wide = to - from;
	struct pen pen = sheet_pen(s, s->colours->ink, 1.1), dashed = pen;

	dashed.on = 4 * s->size;
	dashed.off = 3 * s->size;
	if (o->wall->kind == KIND_SLIDING) {
		bar(s, o, from, middle - thick, from + wide * 0.54, middle, pen);
		bar(s, o, to - wide * 0.54, middle, to, middle + thick, pen);
	} else if (o->wall->kind == KIND_POCKET) {
		double in = o->hinge_high ? to : from, way = o->hinge_high ? 1 : -1;

		bar(s, o, in, middle - thick / 2, in - way * wide * 0.5, middle + thick / 2, pen);
		bar(s, o, in, middle - thick / 2, in + way * wide * 0.5, middle + thick / 2, dashed);
	} else if (o->wall->kind == KIND_FOLDING) {
		double face = o->leaf > 0 ? high : low;

		for (int i = 0; i < 4; i++) {
			double a = from + wide * i / 4, b = from + wide * (i + 1) / 4, out = face + o->leaf * wide / 8;

			move_to(&s->list, o->at.vertical, a, i % 2 ? out : face);
			line_to(&s->list, o->at.vertical, b, i % 2 ? face : out);
			path_paint(&s->list, LAYER_DOORS, NO_COLOUR, pen);
		}
	} else {
		bar(s, o, from, middle - thick / 2, to, middle + thick / 2, pen);
		bar(s, o, from, middle, to, (o->leaf > 0 ? high : low) + o->leaf * wide * 0.35, dashed);
	}
}

static void door(struct sheet *s, struct view *v, const struct opening *o)
{
	struct frame f = piece_frame(s, v, &o->at, o->weight);
	double from = o->at.vertical ? f.top : f.left, to = o->at.vertical ? f.bottom : f.right;
	double low = o->at.vertical ? f.left : f.top, high = o->at.vertical ? f.right : f.bottom;
	double face = o->leaf > 0 ? high : low;

	if (o->weight != WEIGHT_NONE)
		threshold(s, o, from, to, low, high);
	switch (o->type) {
	case OPENING_DOOR: leaf(s, o, o->hinge_high ? to : from, o->hinge_high ? from : to, face); break;
	case OPENING_DOUBLE:
		leaf(s, o, from, (from + to) / 2, face);
		leaf(s, o, to, (from + to) / 2, face);
		break;
	case OPENING_PANEL: panel(s, o, from, to, low, high); break;
	case OPENING_GAP:
	case OPENING_WINDOW: break;
	}
}

static void window(struct sheet *s, struct view *v, const struct opening *o)
{
	struct display_list *d = &s->list;
	struct frame f = piece_frame(s, v, &o->at, o->weight);
	bool vertical = o->at.vertical;
	double from = vertical ? f.top : f.left, to = vertical ? f.bottom : f.right;
	double low = vertical ? f.left : f.top, high = vertical ? f.right : f.bottom;

	path_frame(d, f);
	path_paint(d, LAYER_WINDOWS, s->colours->paper, sheet_pen(s, s->colours->ink, 1.5));
	/* Two panes if the wall is thick enough to separate the lines, or else one. */
	int panes = high - low >= 8 * s->size ? 2 : high - low >= 4 ? 1 : 0;

	for (int i = 1; i <= panes; i++) {
		double at = floor(low + (high - low) * i / (panes + 1)) + 0.5;

		move_to(d, vertical, from, at);
		line_to(d, vertical, to, at);
		path_paint(d, LAYER_WINDOWS, NO_COLOUR, sheet_pen(s, s->colours->ink, 1));
	}
}

static bool opening_shows(const struct sheet *s, const struct opening *o)
{
	double reach = fmax(o->at.to - o->at.from, wall_thickness(s->plan, o->weight));
	struct box around = {o->at.from, o->at.line - reach, o->at.to - o->at.from, 2 * reach};

	if (o->at.vertical)
		around = (struct box){around.y, around.x, around.height, around.width};
	return view_shows(s, &around);
}

void draw_openings(struct sheet *s, struct view *v)
{
	for (size_t i = 0; i < v->walls.openings.n; i++) {
		const struct opening *o = &v->walls.openings.items[i];

		s->list.subject = (int)i;
		if (o->type == OPENING_WINDOW && opening_shows(s, o))
			window(s, v, o);
	}
	for (size_t i = 0; i < v->walls.openings.n; i++) {
		const struct opening *o = &v->walls.openings.items[i];

		s->list.subject = (int)i;
		if (o->type != OPENING_WINDOW && opening_shows(s, o))
			door(s, v, o);
	}
	s->list.subject = -1;
}

struct box opening_swing(const struct plan *p, const struct opening *o)
{
	double width = o->at.to - o->at.from, half = wall_thickness(p, o->weight) / 2;
	double reach = o->type == OPENING_DOUBLE ? width / 2 : width;
	double low = o->leaf > 0 ? o->at.line + half : o->at.line - half - reach;

	if (o->type != OPENING_DOOR && o->type != OPENING_DOUBLE)
		return (struct box){0};
	if (o->at.vertical)
		return (struct box){low, o->at.from, reach, width};
	return (struct box){o->at.from, low, width, reach};
}
