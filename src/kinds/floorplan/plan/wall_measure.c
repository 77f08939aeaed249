/* wall_measure.c: thickness and height of walls and openings, and the areas inside walls. */
#include "kinds/floorplan/plan/wall_graph.h"
#include "kinds/floorplan/plan/cover.h"

#include <math.h>

double wall_thickness(const struct plan *p, enum wall_weight w)
{
	bool given = p->config.given[CONFIG_WALL_THICKNESS];

	switch (w) {
	case WEIGHT_INNER: return given ? p->config.wall_thickness : 0.15 * p->metre;
	case WEIGHT_OUTER: return given ? 1.5 * p->config.wall_thickness : 0.25 * p->metre;
	case WEIGHT_NONE: break;
	}
	return 0;
}

enum side opening_side(const struct plan *p, const struct opening *o)
{
	const struct box *b = &p->rooms.items[o->room].box;

	if (o->at.vertical)
		return fabs(o->at.line - b->x) <= fabs(o->at.line - b->x - b->width) ? SIDE_LEFT : SIDE_RIGHT;
	return fabs(o->at.line - b->y) <= fabs(o->at.line - b->y - b->height) ? SIDE_TOP : SIDE_BOTTOM;
}

double opening_height(const struct plan *p, const struct opening *o)
{
	if (o->connection >= 0)
		return p->connections.items[o->connection].height;
	double height = o->wall ? o->wall->height : 0;

	return height > 0 ? height : o->type == OPENING_WINDOW ? p->config.window_height : p->config.door_height;
}

double opening_sill(const struct plan *p, const struct opening *o)
{
	if (o->type != OPENING_WINDOW)
		return 0;
	return o->wall ? o->wall->sill : p->config.window_sill;
}

int opening_kind(const struct opening *o) { return o->wall ? o->wall->kind : -1; }

struct box piece_box(const struct plan *p, const struct wall_piece *w)
{
	double half = wall_thickness(p, w->weight) / 2, from = w->at.from - wall_thickness(p, w->before) / 2,
	       length = w->at.to + wall_thickness(p, w->behind) / 2 - from;

	return w->at.vertical ? (struct box){w->at.line - half, from, 2 * half, length}
			      : (struct box){from, w->at.line - half, length, 2 * half};
}

static struct box opening_box(const struct plan *p, const struct opening *o)
{
	double thickness = wall_thickness(p, o->weight), length = o->at.to - o->at.from;

	return o->at.vertical ? (struct box){o->at.line - thickness / 2, o->at.from, thickness, length}
			      : (struct box){o->at.from, o->at.line - thickness / 2, length, thickness};
}

struct floor_areas floor_areas(struct arena *a, const struct plan *p, int floor, const struct wall_graph *g)
{
	size_t begin = floor_rooms(p, floor), end = floor_rooms(p, floor + 1), n = 0;
	struct box *boxes = arena_array(a, g->pieces.n + g->openings.n + end - begin + 1, sizeof *boxes);
	double walls;

	for (size_t i = 0; i < g->pieces.n; i++)
		boxes[n++] = piece_box(p, &g->pieces.items[i]);
	for (size_t i = 0; i < g->openings.n; i++)
		boxes[n++] = opening_box(p, &g->openings.items[i]);
	walls = boxes_cover(a, boxes, n);
	for (size_t i = begin; i < end; i++)
		if (p->rooms.items[i].placed && p->rooms.items[i].floor == floor)
			boxes[n++] = p->rooms.items[i].box;
	double gross = boxes_cover(a, boxes, n);

	return (struct floor_areas){p->floors.items[floor].centre_line_area, gross, gross - walls};
}

double room_net_area(const struct plan *p, const struct wall_graph *g, int room)
{
	const struct box *b = &p->rooms.items[room].box;
	const struct wall_side *s = wall_sides(g, room), *top = &s[SIDE_TOP], *right = &s[SIDE_RIGHT],
			       *bottom = &s[SIDE_BOTTOM], *left = &s[SIDE_LEFT];
	/* Where two sides meet, both count the corner. */
	const enum wall_weight corners[][2] = {{top->start, left->start},
					       {top->end, right->start},
					       {bottom->start, left->end},
					       {bottom->end, right->end}};
	double area = b->width * b->height;

	if (b->width <= (wall_thickness(p, left->weight) + wall_thickness(p, right->weight)) / 2 ||
	    b->height <= (wall_thickness(p, top->weight) + wall_thickness(p, bottom->weight)) / 2)
		return 0;
	for (int i = 0; i < 4; i++)
		area += wall_thickness(p, corners[i][0]) * wall_thickness(p, corners[i][1]) / 4 - s[i].within;
	return fmax(area, 0);
}
