/* check_rooms.c: rooms that overlap, and neighbours that disagree about the wall between them. */
#include "kinds/floorplan/reading.h"

#include <math.h>
#include <stdlib.h>

static bool overlap(void *to, int a, int b)
{
	struct reading *r = to;
	const struct plan_room *rooms = r->plan->rooms.items;
	const struct plan_room *first = &rooms[a < b ? a : b], *second = &rooms[a < b ? b : a];
	const struct statement *s = statement_of(r, second->statement);
	double across = fmin(first->box.x + first->box.width, second->box.x + second->box.width) -
			fmax(first->box.x, second->box.x);
	double down = fmin(first->box.y + first->box.height, second->box.y + second->box.height) -
		      fmax(first->box.y, second->box.y);
	struct problem *p =
		report_warning(&r->report, PROBLEM_OVERLAP, s->name.span.from, "rooms %s and %s overlap by %s x %s",
			       shown_name(r, first->name), shown_name(r, second->name), figure(r->arena, across),
			       figure(r->arena, down));

	problem_rooms(&r->report, p, second->name, first->name);
	if (second->has_at && !second->relative) {
		bool sideways = across <= down;
		double x = second->box.x, y = second->box.y;

		if (sideways)
			x = x >= first->box.x ? first->box.x + first->box.width : first->box.x - second->box.width;
		else
			y = y >= first->box.y ? first->box.y + first->box.height : first->box.y - second->box.height;
		p->fix = fix_move(r, second->name, x, y);
	}
	return r->plan->problems.warnings < WARNINGS_MAX;
}

static void check_overlaps(struct reading *r)
{
	const struct plan *p = r->plan;
	struct swept *items = arena_array(r->arena, p->rooms.n + 1, sizeof *items);
	size_t n = 0;

	for (size_t i = 0; i < p->rooms.n; i++)
		if (p->rooms.items[i].placed && p->rooms.items[i].depth == 0)
			items[n++] = (struct swept){p->rooms.items[i].box, p->rooms.items[i].floor, (int)i};
	sweep(r->arena, items, n, overlap, r);
}

/* --- walls that two rooms share ----------------------------------------------------------------------------------- */

struct edge {
	int floor, room;
	bool vertical;
	bool far; /* a right or bottom side */
	double line, low, high;
};

static int by_line(const void *a, const void *b)
{
	const struct edge *one = a, *other = b;

	if (one->floor != other->floor)
		return one->floor < other->floor ? -1 : 1;
	if (one->vertical != other->vertical)
		return one->vertical ? 1 : -1;
	if (one->line != other->line)
		return one->line < other->line ? -1 : 1;
	return one->low < other->low ? -1 : one->low > other->low;
}

static int by_low(const void *a, const void *b)
{
	const struct edge *one = a, *other = b;

	if (one->low != other->low)
		return one->low < other->low ? -1 : 1;
	return one->room < other->room ? -1 : one->room > other->room;
}

/* Pairs joined by an opening: rooms that are one space may have walls of any type between them. */
static bool joined(const struct map *openings, struct arena *a, int one, int other)
{
	return map_find(openings, text_format(a, "%d %d", one < other ? one : other, one < other ? other : one));
}

static void disagree(struct reading *r, const struct map *openings, const struct edge *one, const struct edge *other)
{
	const struct edge *far = one->far ? one : other, *near = one->far ? other : one;
	const struct plan_room *a = &r->plan->rooms.items[far->room], *b = &r->plan->rooms.items[near->room];
	enum side of_a = far->vertical ? SIDE_RIGHT : SIDE_BOTTOM, of_b = opposite(of_a);
	enum wall_type first = a->walls[of_a].type, second = b->walls[of_b].type;
	const struct plan_room *later = a->statement > b->statement ? a : b;
	uint32_t at = statement_of(r, later->statement)->name.span.from;

	if (first != second && !joined(openings, r->arena, far->room, near->room)) {
		struct problem *p = report_warning(
			&r->report, PROBLEM_WALL, at, "%s.%s is %s but %s.%s is %s; they are one wall",
			shown_name(r, a->name), word_of(SET_SIDE, (int)of_a), word_of(SET_WALL_TYPE, (int)first),
			shown_name(r, b->name), word_of(SET_SIDE, (int)of_b), word_of(SET_WALL_TYPE, (int)second));

		problem_rooms(&r->report, p, a->name, b->name);
		p->fix = later == a ? fix_walls(r, a->name, of_a, second) : fix_walls(r, b->name, of_b, first);
	}
	if (fabs(a->height - b->height) > 1e-6)
		problem_rooms(&r->report,
			      report_warning(&r->report, PROBLEM_HEIGHT, at,
					     "%s is %s high and %s is %s; they share a wall", shown_name(r, a->name),
					     figure(r->arena, a->height), shown_name(r, b->name),
					     figure(r->arena, b->height)),
			      a->name, b->name);
}

/* Edges on one line, by where they begin: each is compared with those it reaches. */
static void check_line(struct reading *r, const struct map *openings, struct edge *edges, size_t n)
{
	qsort(edges, n, sizeof *edges, by_low);
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n && edges[k].low < edges[i].high; k++) {
			struct shared s;
			const struct box *a = &r->plan->rooms.items[edges[i].room].box,
					 *b = &r->plan->rooms.items[edges[k].room].box;
			int side = edges[i].vertical ? (edges[i].far ? SIDE_RIGHT : SIDE_LEFT)
				   : edges[i].far    ? SIDE_BOTTOM
						     : SIDE_TOP;

			if (r->plan->problems.warnings >= WARNINGS_MAX)
				return;
			if (edges[i].far != edges[k].far && boxes_share(r->plan, a, b, side, &s))
				disagree(r, openings, &edges[i], &edges[k]);
		}
}

static size_t add_edges(struct edge *to, const struct plan_room *room, int index)
{
	const struct box *b = &room->box;

	to[0] = (struct edge){room->floor, index, false, false, b->y, b->x, b->x + b->width};
	to[1] = (struct edge){room->floor, index, false, true, b->y + b->height, b->x, b->x + b->width};
	to[2] = (struct edge){room->floor, index, true, false, b->x, b->y, b->y + b->height};
	to[3] = (struct edge){room->floor, index, true, true, b->x + b->width, b->y, b->y + b->height};
	return 4;
}

/* Rooms of one height with walls of one type have nothing to disagree about. */
static bool all_agree(const struct plan *p)
{
	const struct plan_room *first = p->rooms.items;

	for (size_t i = 0; i < p->rooms.n; i++)
		for (int s = 0; s < 4; s++)
			if (p->rooms.items[i].walls[s].type != first->walls[0].type ||
			    p->rooms.items[i].height != first->height)
				return false;
	return true;
}

static void check_shared_walls(struct reading *r)
{
	const struct plan *p = r->plan;
	struct edge *edges = arena_array(r->arena, p->rooms.n * 4 + 1, sizeof *edges);
	struct map openings = {.arena = r->arena};
	size_t n = 0;

	if (all_agree(p))
		return;

	for (size_t i = 0; i < p->rooms.n; i++)
		if (p->rooms.items[i].placed && p->rooms.items[i].depth == 0)
			n += add_edges(edges + n, &p->rooms.items[i], (int)i);
	for (size_t i = 0; i < p->connections.n; i++) {
		const struct plan_connection *k = &p->connections.items[i];
		int a = k->from.room, b = k->to.room;

		if (k->type == CONNECTION_OPENING && a >= 0 && b >= 0)
			map_at(&openings, text_format(r->arena, "%d %d", a < b ? a : b, a < b ? b : a), 1, NULL);
	}
	qsort(edges, n, sizeof *edges, by_line);
	for (size_t i = 0, end; i < n; i = end) {
		/* Lines closer than the tolerance are one; boxes_share() looks closer. */
		for (end = i + 1; end < n && edges[end].floor == edges[i].floor &&
				  edges[end].vertical == edges[i].vertical &&
				  edges[end].line - edges[end - 1].line <= 0.1 * p->metre;)
			end++;
		check_line(r, &openings, edges + i, end - i);
	}
}

static void check_heights(struct reading *r)
{
	const struct plan *p = r->plan;

	for (size_t i = 0; i < p->rooms.n; i++) {
		const struct plan_room *room = &p->rooms.items[i];
		const struct plan_floor *floor = &p->floors.items[room->floor];

		if (!room->has_height || room->height <= floor->height + 1e-9)
			continue;
		struct problem *w = report_warning(
			&r->report, PROBLEM_HEIGHT, statement_of(r, room->statement)->height.span.from,
			"%s is %s high, more than its floor %s (%s)", shown_name(r, room->name),
			figure(r->arena, room->height), shown_name(r, floor->name), figure(r->arena, floor->height));

		problem_rooms(&r->report, w, room->name, (struct text){0});
	}
}

void check_rooms(struct reading *r)
{
	check_overlaps(r);
	check_shared_walls(r);
	check_heights(r);
}
