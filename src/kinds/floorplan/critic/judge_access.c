/* judge_access.c: finds missing entrances, rooms without a way in, and rooms behind private ones.
 *
 * One depth-first walk from outside over all ways. If no way leads from a part of the tree back above a room, that part
 * can be reached only through this room (Tarjan's low numbers). */
#include "base/budget.h"
#include "kinds/floorplan/critic/room.h"
#include "kinds/floorplan/plan/reading.h"

struct walk {
	struct critic *k;
	int *seen;   /* by room: its number in the walk, from 1; 0: not reached */
	int *low;    /* the lowest number that its part of the tree leads back to */
	int *parent; /* room */
	int *link;   /* the next one to follow */
	int *order;  /* rooms in the order of the walk */
	int n;
};

static void reach(struct walk *w, int room, int parent)
{
	w->seen[room] = w->low[room] = w->n + 1;
	w->parent[room] = parent;
	w->link[room] = w->k->ways.first[room];
	w->order[w->n++] = room;
}

static void walk_all(struct walk *w)
{
	const struct ways *ways = &w->k->ways;
	int at = ways->outside;

	reach(w, at, -1);
	while (at >= 0) {
		int link = w->link[at];

		if (link < 0) {
			int up = w->parent[at];

			if (up >= 0 && w->low[at] < w->low[up])
				w->low[up] = w->low[at];
			at = up;
			continue;
		}
		w->link[at] = ways->next[link];
		int to = ways->list.items[link / 2].ends[1 - link % 2];

		if (!w->seen[to]) {
			reach(w, to, at);
			at = to;
		} else if (to != w->parent[at] && w->seen[to] < w->low[at]) {
			w->low[at] = w->seen[to];
		}
	}
}

/* May this room be behind a bedroom or a bath? Its own bath, closets, a balcony and a passage to them may. */
static bool may_hide(enum room_use behind, enum room_use through)
{
	switch (behind) {
	case USE_BATH:
	case USE_STORAGE:
	case USE_LAUNDRY:
	case USE_OUTDOORS:
	case USE_CIRCULATION:
	case USE_OTHER: return true;
	case USE_WORK: return through == USE_SLEEPING;
	case USE_LIVING:
	case USE_DINING:
	case USE_KITCHEN:
	case USE_SLEEPING:
	case USE_ENTRANCE:
	case USE_GARAGE: return false;
	case ROOM_USES: break;
	}
	return true;
}

/* Is the room a bath, or a bedroom that is not also the living room? In a studio (one bedroom, no living room) it is
 * also the living room. */
static bool is_private(const struct critic *k, int room, bool studio)
{
	if (k->uses[room] == USE_SLEEPING)
		return !studio && !room_serves(k, room, USE_LIVING) && !room_serves(k, room, USE_DINING);
	return k->uses[room] == USE_BATH;
}

static bool is_studio(const struct critic *k)
{
	int bedrooms = 0, living = 0;

	for (size_t i = 0; i < k->plan->rooms.n; i++) {
		bedrooms += k->uses[i] == USE_SLEEPING;
		living += k->uses[i] == USE_LIVING || k->uses[i] == USE_DINING;
	}
	return bedrooms == 1 && !living;
}

/* Suggests doors to neighbours that are not private rooms. */
static void try_doors(struct critic *k, struct finding *f, int room, const int *behind)
{
	const struct plan *p = k->plan;
	const struct plan_room *r = &p->rooms.items[room];

	for (int pass = 0; pass < 2; pass++)
		for (int i = p->floors.items[r->floor].first_room; i >= 0; i = p->rooms.items[i].next_sibling) {
			budget_step();
			bool hall = k->uses[i] == USE_CIRCULATION || k->uses[i] == USE_ENTRANCE;
			bool fits = pass ? k->uses[i] == USE_LIVING || k->uses[i] == USE_DINING : hall;
			struct shared s;

			if (i != room && behind[i] < 0 && fits &&
			    boxes_share(p, &r->box, &p->rooms.items[i].box, -1, &s) && s.high - s.low > p->metre)
				finding_try(f, try_add_connection(k, room, i));
		}
}

static void judge_behind(struct walk *w)
{
	struct critic *k = w->k;
	size_t rooms = k->plan->rooms.n;
	int *behind = arena_array(k->arena, rooms + 1, sizeof *behind);
	bool studio = is_studio(k);

	for (size_t i = 0; i <= rooms; i++)
		behind[i] = -1;
	for (int i = 1; i < w->n; i++) {
		int room = w->order[i], up = w->parent[room];

		behind[room] =
			up < (int)rooms && is_private(k, up, studio) && w->low[room] >= w->seen[up] ? up : behind[up];
	}
	for (int i = 1; i < w->n; i++) {
		int room = w->order[i], through = behind[room];

		if (through < 0 || may_hide(k->uses[room], k->uses[through]))
			continue;
		/* An open zone of the private room is part of it. */
		if (is_ancestor(k->plan, through, room) || is_ancestor(k->plan, room, through))
			continue;
		const struct plan_room *r = &k->plan->rooms.items[room];
		struct finding *f =
			find(k, k->uses[through] == USE_BATH ? RULE_THROUGH_BATH : RULE_THROUGH_BEDROOM,
			     SEVERITY_WARNING, room_from(k, room), r->floor, "%s is reached only through %s",
			     name_shown(k, r->name), name_shown(k, k->plan->rooms.items[through].name));

		finding_at(f, r->box.x + r->box.width / 2, r->box.y + r->box.height / 2);
		finding_names(k, f, r->name, k->plan->rooms.items[through].name);
		try_doors(k, f, room, behind);
	}
}

static void judge_unreached(struct walk *w)
{
	struct critic *k = w->k;
	int *none = arena_array(k->arena, k->plan->rooms.n + 1, sizeof *none);

	for (size_t i = 0; i < k->plan->rooms.n; i++)
		none[i] = w->seen[i] ? -1 : (int)i; /* a door to an unreachable room does not help */
	for (size_t i = 0; i < k->plan->rooms.n; i++) {
		const struct plan_room *r = &k->plan->rooms.items[i];
		/* Gardens and rooms of unknown use (voids, shafts, roofs) may have no door on purpose. */
		bool sure = k->uses[i] != USE_OTHER && k->uses[i] != USE_OUTDOORS;

		if (!r->placed || w->seen[i] || r->first_child >= 0)
			continue;
		struct finding *f =
			find(k, RULE_UNREACHABLE, sure ? SEVERITY_WARNING : SEVERITY_INFO, room_from(k, (int)i),
			     r->floor, "there is no way into %s from outside", name_shown(k, r->name));

		finding_at(f, r->box.x + r->box.width / 2, r->box.y + r->box.height / 2);
		finding_names(k, f, r->name, (struct text){0});
		try_doors(k, f, (int)i, none);
	}
}

/* Suggests an entrance into the hall, or into the first room with an outer wall. */
static void try_entrances(struct critic *k, struct finding *f)
{
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < k->plan->rooms.n; i++) {
			const struct plan_room *r = &k->plan->rooms.items[i];
			bool hall = k->uses[i] == USE_CIRCULATION || k->uses[i] == USE_ENTRANCE;
			bool outer = false;

			for (int s = 0; s < 4 && r->placed; s++)
				outer = outer || wall_sides(&k->walls[r->floor], (int)i)[s].outside;
			if (outer && r->floor == 0 && r->depth == 0 && (pass ? k->uses[i] == USE_LIVING : hall))
				finding_try(f, try_add_connection(k, (int)i, k->ways.outside));
		}
}

void judge_access(struct critic *k)
{
	size_t n = k->plan->rooms.n + 1;
	struct walk w = {.k = k,
			 .seen = arena_array(k->arena, n, sizeof(int)),
			 .low = arena_array(k->arena, n, sizeof(int)),
			 .parent = arena_array(k->arena, n, sizeof(int)),
			 .link = arena_array(k->arena, n, sizeof(int)),
			 .order = arena_array(k->arena, n, sizeof(int))};

	if (n == 1)
		return;
	if (k->ways.first[k->ways.outside] < 0) {
		struct finding *f =
			k->has_doors ? find(k, RULE_NO_ENTRANCE, SEVERITY_ERROR, room_from(k, 0), -1,
					    "the plan has no entrance: no door or open side leads outside")
				     : find(k, RULE_NO_ENTRANCE, SEVERITY_INFO, room_from(k, 0), -1,
					    "the plan has no doors yet; ways, entrances and distances were not judged");

		if (k->has_doors)
			try_entrances(k, f);
		return;
	}
	walk_all(&w);
	judge_unreached(&w);
	judge_behind(&w);
}
