/* check_access.c: finds rooms without a door, in a plan that has doors. A sketch without connections is not checked. */
#include "kinds/floorplan/plan/reach.h"
#include "kinds/floorplan/plan/reading.h"
#include "kinds/floorplan/plan/room_use.h"

enum { TOLD_MAX = 24 }; /* maximum of warnings; with more, the author has not drawn the doors yet */

/* Suggests doors from reachable neighbours, halls first. */
static void suggest_doors(struct reading *r, struct reach *reach, int start, struct problem *q, int room)
{
	const struct plan *p = r->plan;
	const struct plan_room *it = &p->rooms.items[room];

	if (it->parent >= 0) {
		suggest_door(r, q, it->parent, room);
		return;
	}
	for (int pass = 0; pass < 2; pass++)
		for (int i = p->floors.items[it->floor].first_room; i >= 0; i = p->rooms.items[i].next_sibling) {
			const struct plan_room *other = &p->rooms.items[i];
			enum room_use use = room_use_of(other->name, other->label);
			bool hall = use == USE_CIRCULATION || use == USE_ENTRANCE;
			struct shared s;

			if (i != room && other->placed && hall == !pass && reach_joins(reach, i, start) &&
			    boxes_share(p, &other->box, &it->box, -1, &s) && s.high - s.low > p->config.door_width)
				suggest_door(r, q, i, room);
		}
}

/* Is everything known? A room without a place would seem unreachable, and a statement that was not read may be its
 * door. */
static bool all_is_known(const struct reading *r)
{
	for (size_t i = 0; i < r->plan->rooms.n; i++)
		if (!r->plan->rooms.items[i].placed)
			return false;
	for (size_t i = 0; r->plan->problems.errors && i < r->syntax->statements.n; i++)
		if (r->syntax->statements.items[i]->broken)
			return false;
	return true;
}

/* The start from which rooms must be reached: outside or, in a plan without an entrance, any room of the largest group
 * that doors join (critique_floorplan reports a missing entrance). -1: no rooms are joined. */
static int start_of(struct reading *r, struct reach *reach)
{
	int *sizes = arena_array(r->arena, (size_t)reach->outside + 1, sizeof *sizes), best = -1;

	for (int i = 0; i < reach->outside; i++) {
		if (reach_joins(reach, i, reach->outside))
			return reach->outside;
		int group = reach_group(reach, i);

		if (++sizes[group] > 1 && (best < 0 || sizes[group] > sizes[best]))
			best = group;
	}
	return best;
}

/* The rooms to report: sub-rooms of an unreachable room are covered by its warning. */
static size_t cut_off(const struct plan *p, struct reach *reach, int start, int *out)
{
	size_t n = 0;

	for (int i = 0; i < reach->outside; i++) {
		int parent = p->rooms.items[i].parent;

		if (!reach_joins(reach, i, start) && (parent < 0 || reach_joins(reach, parent, start)))
			out[n++] = i;
	}
	return n;
}

/* FLOOR.ROOM in a plan of several floors. */
static const char *place_name(struct reading *r, int room)
{
	const struct plan_room *it = &r->plan->rooms.items[room];

	if (r->plan->floors.n < 2)
		return shown_name(r, it->name);
	return text_format(r->arena, "%s.%s", shown_name(r, r->plan->floors.items[it->floor].name),
			   shown_name(r, it->name))
		.at;
}

static struct problem *tell(struct reading *r, int room, const char *who, bool from_outside)
{
	const struct plan_room *it = &r->plan->rooms.items[room];
	struct problem *q = report_warning(&r->report, PROBLEM_ACCESS, statement_of(r, it->statement)->name.span.from,
					   "%s cannot be reached from %s through doors and openings", who,
					   from_outside ? "outside" : "the other rooms");

	problem_rooms(&r->report, q, it->name, (struct text){0});
	return q;
}

void check_access(struct reading *r)
{
	const struct plan *p = r->plan;
	struct reach reach;

	if (!p->connections.n || !p->rooms.n || !all_is_known(r))
		return;
	reach_make(r->arena, p, false, &reach);
	int start = start_of(r, &reach), *rooms = array_room(r->arena, p->rooms.n + 1, sizeof *rooms);
	size_t n = start < 0 ? 0 : cut_off(p, &reach, start, rooms);
	bool from_outside = start == reach.outside;

	for (size_t i = 0; n <= TOLD_MAX && i < n; i++) {
		struct problem *q = tell(r, rooms[i], place_name(r, rooms[i]), from_outside);

		suggest_doors(r, &reach, start, q, rooms[i]);
	}
	if (n > TOLD_MAX)
		tell(r, rooms[0],
		     text_format(r->arena, "more than %d rooms (%s, %s, ...; analyze_floorplan lists them)", TOLD_MAX,
				 place_name(r, rooms[0]), place_name(r, rooms[1]))
			     .at,
		     from_outside);
}
