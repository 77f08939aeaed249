/* check_rooms.c: finds rooms that overlap, and neighbours with different types for the wall between them. */
#include "kinds/floorplan/plan/facing.h"
#include "kinds/floorplan/plan/reading.h"

#include <math.h>

/* Suggests moving the second room next to the first, or shrinking the one that begins first: first along the axis with
 * the smaller overlap, then along the other. */
static void suggest_apart(struct reading *r, struct problem *p, int first, int second, bool sideways)
{
	const struct plan_room *room = &r->plan->rooms.items[second];
	const struct box *a = &r->plan->rooms.items[first].box, *b = &room->box;

	for (int turn = 0; turn < 2; turn++, sideways = !sideways) {
		double x = sideways ? b->x >= a->x ? a->x + a->width : a->x - b->width : b->x;
		double y = sideways ? b->y : b->y >= a->y ? a->y + a->height : a->y - b->height;
		double before = sideways ? a->x - b->x : a->y - b->y; /* length of the second before the first */
		const struct box *early = before > 0 ? b : a;

		if (room->has_at && !room->relative)
			suggest_move(r, p, second, x, y);
		if (fabs(before) > r->plan->metre)
			suggest_size(r, p, before > 0 ? second : first, sideways ? fabs(before) : early->width,
				     sideways ? early->height : fabs(before));
	}
}

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
	suggest_apart(r, p, a < b ? a : b, a < b ? b : a, across <= down);
	return r->plan->problems.warnings < WARNINGS_MAX;
}

static void check_overlaps(struct reading *r)
{
	const struct plan *p = r->plan;
	struct swept *items = array_room(r->arena, p->rooms.n + 1, sizeof *items);
	size_t n = 0;

	for (size_t i = 0; i < p->rooms.n; i++)
		if (p->rooms.items[i].placed && p->rooms.items[i].depth == 0)
			items[n++] = (struct swept){p->rooms.items[i].box, p->rooms.items[i].floor, (int)i};
	sweep(r->arena, items, n, overlap, r);
}

/* Are the rooms joined by an opening? Rooms that are one space may have walls of any type between them. */
static bool joined(const struct map *openings, struct arena *a, int one, int other)
{
	return map_find(openings, text_format(a, "%d %d", one < other ? one : other, one < other ? other : one));
}

struct shared_walls {
	struct reading *r;
	struct map openings;
	bool *agrees;    /* by room and side: a neighbour there has the same type */
	double *covered; /* by room and side: length with another room behind it */
};

static double side_length(const struct plan_room *r, enum side s)
{
	return s == SIDE_TOP || s == SIDE_BOTTOM ? r->box.width : r->box.height;
}

static bool agree(void *to, const struct side_of_room *far, const struct side_of_room *near)
{
	const struct shared_walls *w = to;
	const struct plan_room *rooms = w->r->plan->rooms.items;
	struct shared s;

	if (boxes_share(w->r->plan, &rooms[far->room].box, &rooms[near->room].box, (int)far->side, &s)) {
		w->covered[far->room * 4 + (int)far->side] += s.high - s.low;
		w->covered[near->room * 4 + (int)near->side] += s.high - s.low;
	}
	if (rooms[far->room].walls[far->side].type == rooms[near->room].walls[near->side].type)
		w->agrees[far->room * 4 + (int)far->side] = w->agrees[near->room * 4 + (int)near->side] = true;
	return true;
}

/* Is the door or window of this side in another stretch of it? A window without a place goes to the open air. */
static bool is_elsewhere(const struct shared_walls *w, int room, enum side side, const struct shared *s)
{
	const struct plan_room *r = &w->r->plan->rooms.items[room];
	const struct plan_wall *wall = &r->walls[side];
	enum wall_built built = wall_built(wall->type);
	double at = wall->centre + (side == SIDE_TOP || side == SIDE_BOTTOM ? r->box.x : r->box.y);

	if (built == BUILT_WINDOW && !wall->at_given)
		return side_length(r, side) - w->covered[room * 4 + (int)side] > 0.4 * w->r->plan->metre;
	return (built == BUILT_DOOR || built == BUILT_WINDOW) && (at < s->low || at > s->high);
}

/* A window between two rooms goes. A door or an open side is the way through, which no fix may take away. */
static void suggest_agreement(struct reading *r, struct problem *p, int room, enum side side, enum wall_type type,
			      enum wall_type other)
{
	if (wall_built(type) == BUILT_WINDOW)
		suggest_walls(r, p, room, side, wall_built(other) == BUILT_FULL ? other : WALL_SOLID);
}

static bool disagree(void *to, const struct side_of_room *far, const struct side_of_room *near)
{
	const struct shared_walls *w = to;
	struct reading *r = w->r;
	const struct plan_room *a = &r->plan->rooms.items[far->room], *b = &r->plan->rooms.items[near->room];
	enum side of_a = far->side, of_b = near->side;
	enum wall_type first = a->walls[of_a].type, second = b->walls[of_b].type;
	/* A side with several rooms behind it, or several openings, agrees with a room if it agrees with one of them.
	 */
	bool types = first != second && !w->agrees[far->room * 4 + (int)of_a] &&
		     !w->agrees[near->room * 4 + (int)of_b] && !a->walls[of_a].more_count && !b->walls[of_b].more_count,
	     heights = fabs(a->height - b->height) > 1e-6;
	struct shared s;

	if (r->plan->problems.warnings >= WARNINGS_MAX)
		return false;
	if ((!types && !heights) || a->depth || !boxes_share(r->plan, &a->box, &b->box, (int)of_a, &s))
		return true;
	types = types && !is_elsewhere(w, far->room, of_a, &s) && !is_elsewhere(w, near->room, of_b, &s);
	const struct plan_room *later = a->statement > b->statement ? a : b;
	uint32_t at = statement_of(r, later->statement)->name.span.from;

	bool has_window = wall_built(first) == BUILT_WINDOW || wall_built(second) == BUILT_WINDOW;

	if (types && !joined(&w->openings, r->arena, far->room, near->room)) {
		struct problem *p = report_warning(
			&r->report, PROBLEM_WALL, at, "%s.%s is %s but %s.%s is %s; they are one wall%s",
			shown_name(r, a->name), word_of(SET_SIDE, (int)of_a), word_of(SET_WALL_TYPE, (int)first),
			shown_name(r, b->name), word_of(SET_SIDE, (int)of_b), word_of(SET_WALL_TYPE, (int)second),
			has_window ? "" : " (no safe fix: it would take a way through, or a wall, away)");

		problem_rooms(&r->report, p, a->name, b->name);
		suggest_agreement(r, p, far->room, of_a, first, second);
		suggest_agreement(r, p, near->room, of_b, second, first);
	}
	if (heights)
		problem_rooms(&r->report,
			      report_warning(&r->report, PROBLEM_HEIGHT, at,
					     "%s is %s high and %s is %s; they share a wall", shown_name(r, a->name),
					     figure(r->arena, a->height), shown_name(r, b->name),
					     figure(r->arena, b->height)),
			      a->name, b->name);
	return true;
}

/* If all rooms have one height and all walls one type, no check is needed. */
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
	struct shared_walls walls = {.r = r, .openings = {.arena = r->arena}};

	if (all_agree(p))
		return;
	walls.agrees = arena_array(r->arena, p->rooms.n * 4 + 1, sizeof *walls.agrees);
	walls.covered = arena_array(r->arena, p->rooms.n * 4 + 1, sizeof *walls.covered);
	sides_facing(p, agree, &walls);
	for (size_t i = 0; i < p->connections.n; i++) {
		const struct plan_connection *k = &p->connections.items[i];
		int a = k->from.room, b = k->to.room;

		if (k->type == CONNECTION_OPENING && a >= 0 && b >= 0)
			map_at(&walls.openings, text_format(r->arena, "%d %d", a < b ? a : b, a < b ? b : a), 1, NULL);
	}
	sides_facing(p, disagree, &walls);
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
