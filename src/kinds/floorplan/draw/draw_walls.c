/* Rooms, walls and the dashed edges between open rooms. */
#include "kinds/floorplan/draw/sheet.h"

#include <math.h>

static uint32_t style_colour(struct colour c) { return (uint32_t)c.red << 16 | (uint32_t)c.green << 8 | c.blue; }

uint32_t room_fill(const struct sheet *s, const struct plan_room *r)
{
	if (r->style >= 0 && s->plan->styles.items[r->style].floor.there)
		return style_colour(s->plan->styles.items[r->style].floor);
	return s->colours->tints[tint_of(r->name, r->label)];
}

double wall_pixels(const struct sheet *s, enum wall_weight w)
{
	static const double least[] = {[WEIGHT_NONE] = 1, [WEIGHT_INNER] = 3, [WEIGHT_OUTER] = 5};
	double thickness = wall_thickness(s->plan, w) * s->scale;

	return fmax(round(fmax(thickness, least[w] * fmin(s->size, 1))), 1);
}

/* The stretch as a rectangle of the wall's thickness. Its long edges are on whole pixels, the same for all pieces of a
 * line. */
struct frame piece_frame(const struct sheet *s, const struct view *v, const struct stretch *at, enum wall_weight w)
{
	double thick = wall_pixels(s, w);
	double line = at->vertical ? view_x(s, v, at->line) : view_y(s, v, at->line);
	double low = round(line - thick / 2), high = low + thick;
	double from = round(at->vertical ? view_y(s, v, at->from) : view_x(s, v, at->from));
	double to = round(at->vertical ? view_y(s, v, at->to) : view_x(s, v, at->to));

	return at->vertical ? (struct frame){low, from, high, to} : (struct frame){from, low, to, high};
}

/* Parents before children, so a sub-room lies on its parent. */
void draw_rooms(struct sheet *s, struct view *v)
{
	for (size_t i = floor_rooms(s->plan, v->floor); i < floor_rooms(s->plan, v->floor + 1); i++) {
		const struct plan_room *r = &s->plan->rooms.items[i];

		if (!r->placed || !view_shows(s, &r->box))
			continue;
		s->list.subject = (int)i;
		path_frame(&s->list, (struct frame){round(view_x(s, v, r->box.x)), round(view_y(s, v, r->box.y)),
						    round(view_x(s, v, r->box.x + r->box.width)),
						    round(view_y(s, v, r->box.y + r->box.height))});
		path_paint(&s->list, LAYER_ROOMS, room_fill(s, r), NO_PEN);
	}
	s->list.subject = -1;
}

/* A true end reaches to the far face of the wall it meets, so that corners are filled. */
static struct frame piece_whole(const struct sheet *s, const struct view *v, const struct wall_piece *p)
{
	struct frame f = piece_frame(s, v, &p->at, p->weight);
	double across[2] = {p->at.from, p->at.to};
	enum wall_weight weights[2] = {p->before, p->behind};

	for (int i = 0; i < 2; i++) {
		if (weights[i] == WEIGHT_NONE)
			continue;

		struct stretch end = {!p->at.vertical, across[i], 0, 0};
		struct frame e = piece_frame(s, v, &end, weights[i]);

		if (p->at.vertical && !i)
			f.top = e.top;
		else if (p->at.vertical)
			f.bottom = e.bottom;
		else if (!i)
			f.left = e.left;
		else
			f.right = e.right;
	}
	return f;
}

static bool stretch_shows(const struct sheet *s, const struct stretch *at)
{
	double half = wall_thickness(s->plan, WEIGHT_OUTER);
	struct box b = {at->from - half, at->line - half, at->to - at->from + 2 * half, 2 * half};

	if (at->vertical)
		b = (struct box){b.y, b.x, b.height, b.width};
	return view_shows(s, &b);
}

static void edges(struct sheet *s, struct view *v)
{
	for (size_t i = 0; i < v->walls.edges.n; i++) {
		const struct stretch *e = &v->walls.edges.items[i];
		double line = floor(e->vertical ? view_x(s, v, e->line) : view_y(s, v, e->line)) + 0.5;
		double from = e->vertical ? view_y(s, v, e->from) : view_x(s, v, e->from);
		double to = e->vertical ? view_y(s, v, e->to) : view_x(s, v, e->to);
		struct pen pen = sheet_pen(s, s->colours->hair, 1);

		if (!stretch_shows(s, e))
			continue;
		pen.on = 6 * s->size;
		pen.off = 5 * s->size;
		if (e->vertical)
			line_paint(&s->list, LAYER_EDGES, line, from, line, to, pen);
		else
			line_paint(&s->list, LAYER_EDGES, from, line, to, line, pen);
	}
}

/* Walls with their own colour are painted on top, without an outline: the outline below already surrounds them. */
static void style_walls(struct sheet *s, struct view *v, int style)
{
	const struct wall_graph *g = &v->walls;
	const struct plan_style *look = &s->plan->styles.items[style];
	enum material material = s->options.hatch ? material_of(look) : MATERIAL_NONE;
	size_t n = 0;

	if (material == MATERIAL_NONE && !look->wall.there)
		return;
	for (size_t k = 0; k < g->pieces.n; k++) {
		if (g->pieces.items[k].style != style || !stretch_shows(s, &g->pieces.items[k].at))
			continue;
		if (material != MATERIAL_NONE)
			hatch_paint(s, LAYER_WALLS, material, piece_whole(s, v, &g->pieces.items[k]));
		else
			path_frame(&s->list, piece_whole(s, v, &g->pieces.items[k]));
		n++;
	}
	if (n && material == MATERIAL_NONE)
		path_paint(&s->list, LAYER_WALLS, style_colour(look->wall), NO_PEN);
}

/* All pieces are one path. Its stroke is painted first and the fill hides every inner seam, so the walls have one
 * common outline. */
void draw_walls(struct sheet *s, struct view *v)
{
	const struct wall_graph *g = &v->walls;

	edges(s, v);
	if (!g->pieces.n)
		return;
	for (size_t i = 0; i < g->pieces.n; i++)
		if (stretch_shows(s, &g->pieces.items[i].at))
			path_frame(&s->list, piece_whole(s, v, &g->pieces.items[i]));
	path_paint(&s->list, LAYER_WALLS, s->colours->wall, sheet_pen(s, s->colours->ink, 3))->fill_on_top = true;
	for (size_t i = 0; i < s->plan->styles.n; i++)
		style_walls(s, v, (int)i);
}
