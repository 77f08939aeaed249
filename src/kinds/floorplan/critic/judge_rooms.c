/* judge_rooms.c: light, area and height of living spaces. */
#include "kinds/floorplan/critic/room.h"
#include "kinds/floorplan/plan/reading.h"

#include <math.h>

/* A window lights the room behind it and all rooms that contain this room. */
static void light(const struct critic *k, int room, double area, double *glazing)
{
	for (; room >= 0; room = k->plan->rooms.items[room].parent)
		glazing[room] += area;
}

static int beside(const struct critic *k, int floor, const struct opening *o, int side)
{
	double along = (o->at.from + o->at.to) / 2, across = o->at.line + side * 0.12 * k->plan->metre;

	return o->at.vertical ? locate(k->plan, &k->locators[floor], across, along, -1)
			      : locate(k->plan, &k->locators[floor], along, across, -1);
}

static void add_windows(const struct critic *k, double *glazing)
{
	for (size_t f = 0; f < k->plan->floors.n; f++)
		for (size_t i = 0; i < k->walls[f].openings.n; i++) {
			const struct opening *o = &k->walls[f].openings.items[i];

			if (o->type != OPENING_WINDOW || o->room < 0)
				continue;
			/* Light comes from the open air, or over a balcony. */
			for (int side = -1; side <= 1; side += 2) {
				int in = beside(k, (int)f, o, side), out = beside(k, (int)f, o, -side);

				if (in >= 0 && (out < 0 || k->uses[out] == USE_OUTDOORS))
					light(k, in, (o->at.to - o->at.from) * opening_height(k->plan, o), glazing);
			}
		}
}

/* Rooms that are open to each other are one space. */
static int space_of(int *space, int room)
{
	while (space[room] != room)
		room = space[room] = space[space[room]];
	return room;
}

struct lighting {
	double *glazing, *area; /* by room; of a whole space at its first room */
	int *space;
	bool *borrows, *door_out, *told;
};

static void join_spaces(const struct critic *k, struct lighting *l)
{
	size_t rooms = k->plan->rooms.n;

	for (size_t i = 0; i < rooms; i++)
		l->space[i] = (int)i;
	for (size_t i = 0; i < k->ways.list.n; i++) {
		const struct way *w = &k->ways.list.items[i];

		if (w->kind == WAY_OPEN_SIDE && w->ends[0] < (int)rooms && w->ends[1] < (int)rooms)
			l->space[space_of(l->space, w->ends[0])] = space_of(l->space, w->ends[1]);
	}
	for (size_t i = 0; i < rooms; i++) {
		int s = space_of(l->space, (int)i);
		const struct plan_room *r = &k->plan->rooms.items[i];

		/* The area of a sub-room is part of its parent's area. */
		l->area[s] += r->parent >= 0 && space_of(l->space, r->parent) == s ? 0 : r->box.width * r->box.height;
		if (s != (int)i && (r->parent < 0 || space_of(l->space, r->parent) != s))
			l->glazing[s] += l->glazing[i];
		else if (s != (int)i)
			l->glazing[s] = fmax(l->glazing[s], l->glazing[i]);
	}
	for (size_t i = 0; i < k->ways.list.n; i++) {
		const struct way *w = &k->ways.list.items[i];

		for (int e = 0; e < 2; e++) {
			int room = w->ends[e], other = w->ends[1 - e];

			if (room >= (int)rooms)
				continue;
			if (other == (int)rooms)
				l->door_out[room] = true;
			else if (w->kind == WAY_GAP &&
				 (l->glazing[space_of(l->space, other)] > 0 || k->uses[other] == USE_OUTDOORS))
				l->borrows[room] = true;
			else if (k->uses[other] == USE_OUTDOORS)
				l->door_out[room] = true;
		}
	}
}

/* Suggests windows in solid outer walls, the longest first. */
static void try_windows(struct critic *k, struct finding *f, int room)
{
	const struct plan_room *r = &k->plan->rooms.items[room];
	bool wide = r->box.width >= r->box.height;
	enum side order[] = {wide ? SIDE_TOP : SIDE_LEFT, wide ? SIDE_BOTTOM : SIDE_RIGHT, wide ? SIDE_LEFT : SIDE_TOP,
			     wide ? SIDE_RIGHT : SIDE_BOTTOM};

	for (int i = 0; i < 4; i++)
		if (wall_sides(&k->walls[r->floor], room)[order[i]].outside &&
		    wall_built(r->walls[order[i]].type) == BUILT_FULL)
			finding_try(f, try_walls(k, room, order[i], WALL_WINDOW));
}

static void judge_window(struct critic *k, const struct lighting *l, int room)
{
	const struct plan_room *r = &k->plan->rooms.items[room];
	int s = space_of(l->space, room);
	enum room_use use = k->uses[room];
	double wanted = k->limits->glazing_share * l->area[s];
	struct finding *f;

	if (l->glazing[s] <= 0 && !l->borrows[room]) {
		bool grave = (use == USE_SLEEPING || use == USE_LIVING) && !l->door_out[room];

		f = find(k, RULE_NO_WINDOW, grave ? SEVERITY_WARNING : SEVERITY_INFO, room_from(k, room), r->floor,
			 "%s has no window%s", name_shown(k, r->name),
			 l->door_out[room] ? "; a glazed door to the outside can replace it" : "");
	} else if (l->glazing[s] > 0 && l->glazing[s] < wanted * 0.98 && !l->told[s]) {
		l->told[s] = true; /* report rooms that are one space only once */
		f = find(k, RULE_LITTLE_GLAZING, SEVERITY_INFO, room_from(k, room), r->floor,
			 "the windows of %s make %.1f %% of its floor; the minimum is %.1f %%", name_shown(k, r->name),
			 100 * l->glazing[s] / l->area[s], 100 * k->limits->glazing_share);
	} else {
		return;
	}
	finding_at(f, r->box.x + r->box.width / 2, r->box.y + r->box.height / 2);
	finding_names(k, f, r->name, (struct text){0});
	if (f)
		try_windows(k, f, room);
}

void judge_light(struct critic *k)
{
	size_t rooms = k->plan->rooms.n;
	struct lighting l = {.glazing = arena_array(k->arena, rooms + 1, sizeof(double)),
			     .area = arena_array(k->arena, rooms + 1, sizeof(double)),
			     .space = arena_array(k->arena, rooms + 1, sizeof(int)),
			     .borrows = arena_array(k->arena, rooms + 1, sizeof(bool)),
			     .door_out = arena_array(k->arena, rooms + 1, sizeof(bool)),
			     .told = arena_array(k->arena, rooms + 1, sizeof(bool))};

	add_windows(k, l.glazing);
	join_spaces(k, &l);
	for (size_t i = 0; i < rooms; i++)
		if (k->plan->rooms.items[i].placed && is_habitable(k->uses[i]))
			judge_window(k, &l, (int)i);
}

void judge_rooms(struct critic *k)
{
	for (size_t i = 0; i < k->plan->rooms.n; i++) {
		const struct plan_room *r = &k->plan->rooms.items[i];
		double area = metres(k, r->box.width) * metres(k, r->box.height);
		struct finding *f = NULL;

		if (!r->placed || !is_habitable(k->uses[i]))
			continue;
		/* A zone of an open room may be smaller than a room. */
		if (k->uses[i] != USE_KITCHEN && r->depth == 0 && area < k->limits->room_area - 0.05) {
			f = find(k, RULE_ROOM_AREA, k->uses[i] == USE_SLEEPING ? SEVERITY_WARNING : SEVERITY_INFO,
				 room_from(k, (int)i), r->floor, "%s has %.1f m²; the minimum is %.1f m²",
				 name_shown(k, r->name), area, k->limits->room_area);
			finding_at(f, r->box.x + r->box.width / 2, r->box.y + r->box.height / 2);
			finding_names(k, f, r->name, (struct text){0});
		}
		if (metres(k, r->height) < k->limits->ceiling_height - 0.005) {
			f = find(k, RULE_CEILING_HEIGHT, SEVERITY_WARNING, room_from(k, (int)i), r->floor,
				 "%s is %s high; the minimum is %s", name_shown(k, r->name), length_shown(k, r->height),
				 length_shown(k, k->limits->ceiling_height * k->plan->metre));
			finding_at(f, r->box.x + r->box.width / 2, r->box.y + r->box.height / 2);
			finding_names(k, f, r->name, (struct text){0});
		}
	}
}
