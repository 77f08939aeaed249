#include "kinds/floorplan/plan/reach.h"

#include "kinds/floorplan/plan/facing.h"
#include "kinds/floorplan/plan/reading.h"

static int root(struct reach *r, int i)
{
	while (r->groups[i] != i)
		i = r->groups[i] = r->groups[r->groups[i]];
	return i;
}

static void join(struct reach *r, int a, int b) { r->groups[root(r, a)] = root(r, b); }

int reach_group(struct reach *r, int room) { return root(r, room); }

bool reach_joins(struct reach *r, int one, int other) { return root(r, one) == root(r, other); }

static bool is_gap(const struct plan_room *r, enum side s) { return wall_built(r->walls[s].type) == BUILT_GAP; }

/* A wall of type `door` leads to the room on the other side. */
static bool is_way(const struct plan_room *r, enum side s)
{
	bool is = wall_built(r->walls[s].type) == BUILT_DOOR;

	for (size_t i = 0; i < r->walls[s].more_count; i++)
		is |= wall_built(r->walls[s].more[i].type) == BUILT_DOOR;
	return is;
}

bool side_is_free(const struct plan *p, const struct reach *r, int room, enum side s)
{
	const struct plan_room *it = &p->rooms.items[room];
	double length = s == SIDE_TOP || s == SIDE_BOTTOM ? it->box.width : it->box.height;

	return it->placed && it->depth == 0 && length - r->covered[room * 4 + (int)s] > 0.1 * p->metre;
}

struct measuring {
	const struct plan *p;
	struct reach *r;
};

static bool meet(void *to, const struct side_of_room *far, const struct side_of_room *near)
{
	struct measuring *m = to;
	const struct plan_room *a = &m->p->rooms.items[far->room], *b = &m->p->rooms.items[near->room];
	struct shared s;

	/* Rooms that overlap may share two sides: the longer one counts. */
	if (!boxes_share(m->p, &a->box, &b->box, -1, &s) || s.side != far->side)
		return true;
	m->r->covered[far->room * 4 + (int)far->side] += s.high - s.low;
	m->r->covered[near->room * 4 + (int)near->side] += s.high - s.low;
	if (is_way(a, far->side) || is_way(b, near->side) || (is_gap(a, far->side) && is_gap(b, near->side)))
		join(m->r, far->room, near->room);
	return true;
}

static bool has_ways_in_walls(const struct plan *p)
{
	for (size_t i = 0; i < p->rooms.n; i++)
		for (enum side s = SIDE_TOP; s <= SIDE_LEFT; s++)
			if (is_way(&p->rooms.items[i], s) || is_gap(&p->rooms.items[i], s))
				return true;
	return false;
}

static void join_walls(struct arena *a, const struct plan *p, struct reach *r)
{
	r->covered = arena_array(a, p->rooms.n * 4 + 1, sizeof *r->covered);
	sides_facing(p, meet, &(struct measuring){p, r});
	for (int i = 0; i < r->outside; i++)
		for (enum side s = SIDE_TOP; s <= SIDE_LEFT; s++) {
			const struct plan_room *room = &p->rooms.items[i];

			if (!is_way(room, s) && !is_gap(room, s))
				continue;
			if (side_is_free(p, r, i, s))
				join(r, i, r->outside);
			else if (room->parent >= 0)
				join(r, i, room->parent);
		}
}

static int room_around(const struct plan *p, int floor, const struct box *b)
{
	double x = b->x + b->width / 2, y = b->y + b->height / 2;

	for (int i = p->floors.items[floor].first_room; i >= 0; i = p->rooms.items[i].next_sibling) {
		const struct box *r = &p->rooms.items[i].box;

		if (x >= r->x && x <= r->x + r->width && y >= r->y && y <= r->y + r->height)
			return i;
	}
	return -1;
}

static void join_vertical(const struct plan *p, struct reach *r, const struct plan_vertical *v)
{
	int last = -1;

	for (size_t k = 0; k < v->n; k++) {
		const struct plan_stop *s = &v->stops[k];
		const struct box *b =
			s->kind == ELEMENT_STAIR ? &p->stairs.items[s->index].box : &p->lifts.items[s->index].box;
		int room = room_around(p, s->floor, b);

		if (room >= 0 && last >= 0)
			join(r, room, last);
		last = room >= 0 ? room : last;
	}
}

void reach_make(struct arena *a, const struct plan *p, bool measure, struct reach *out)
{
	*out = (struct reach){.outside = (int)p->rooms.n};
	out->groups = arena_array(a, p->rooms.n + 1, sizeof *out->groups);
	for (int i = 0; i <= out->outside; i++)
		out->groups[i] = i;
	if (measure || has_ways_in_walls(p))
		join_walls(a, p, out);
	for (size_t i = 0; i < p->connections.n; i++) {
		const struct plan_connection *k = &p->connections.items[i];

		if (k->placed)
			join(out, k->from.outside ? out->outside : k->from.room,
			     k->to.outside ? out->outside : k->to.room);
	}
	for (size_t i = 0; i < p->verticals.n; i++)
		join_vertical(p, out, &p->verticals.items[i]);
}
