/* Lifts: shaft walls, the diagonals of a shaft, sliding doors, the label. */
#include "kinds/floorplan/draw/sheet.h"

/* A line of text on a filled background, so that treads and diagonals do not run through it. */
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

/* One side of the shaft: one piece, or two pieces with the doors between them. */
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
	double size = fmax(fmax(11 * s->size, 9), s->type_least), advance,
	       least = fmax(fmax(9 * s->size, 8), s->type_least);
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

void draw_lifts(struct sheet *s, struct view *v)
{
	for (size_t i = 0; i < s->plan->lifts.n; i++) {
		const struct plan_lift *l = &s->plan->lifts.items[i];

		if (l->floor == v->floor && l->placed && view_shows(s, &l->box))
			lift(s, v, l);
	}
}
