#include "kinds/floorplan/plan/facing.h"

#include "kinds/floorplan/plan/order.h"

static bool is_far(enum side s) { return s == SIDE_RIGHT || s == SIDE_BOTTOM; }

static bool is_upright(enum side s) { return s == SIDE_RIGHT || s == SIDE_LEFT; }

/* In the lists the number of a side is room * 4 + side. */
static struct side_of_room side_numbered(const struct plan *p, uint32_t number)
{
	struct side_of_room e = {.room = (int)(number / 4), .side = (enum side)(number % 4)};
	const struct box *b = &p->rooms.items[e.room].box;

	e.low = is_upright(e.side) ? b->y : b->x;
	e.high = e.low + (is_upright(e.side) ? b->height : b->width);
	return e;
}

static double line_of(const struct box *b, enum side s)
{
	double near = is_upright(s) ? b->x : b->y;

	return is_far(s) ? near + (is_upright(s) ? b->width : b->height) : near;
}

/* The sides of all rooms by parent, direction and line. */
static size_t order_sides(struct arena *a, const struct plan *p, struct place_in_order *sides)
{
	size_t n = 0;

	for (enum side s = SIDE_TOP; s <= SIDE_LEFT; s++)
		for (size_t i = 0; i < p->rooms.n; i++) {
			const struct plan_room *room = &p->rooms.items[i];
			int family = room->parent < 0 ? room->floor : (int)p->floors.n + room->parent;

			if (room->placed)
				sides[n++] = (struct place_in_order){line_of(&room->box, s), family * 2 + is_upright(s),
								     (uint32_t)i * 4 + (uint32_t)s};
		}
	order(a, sides, n);
	return n;
}

struct facing {
	const struct plan *p;
	bool (*meet)(void *to, const struct side_of_room *far, const struct side_of_room *near);
	void *to;
};

/* Compares each side on one line with those that begin before it ends. Sides are ordered by their start. */
static bool compare_line(struct arena *a, const struct facing *f, struct place_in_order *sides, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sides[i].key = side_numbered(f->p, sides[i].index).low;
	order(a, sides, n);
	for (size_t i = 0; i < n; i++) {
		struct side_of_room one = side_numbered(f->p, sides[i].index);

		for (size_t k = i + 1; k < n && sides[k].key < one.high; k++) {
			struct side_of_room other = side_numbered(f->p, sides[k].index);

			if (is_far(one.side) != is_far(other.side) &&
			    !f->meet(f->to, is_far(one.side) ? &one : &other, is_far(one.side) ? &other : &one))
				return false;
		}
	}
	return true;
}

void sides_facing(const struct plan *p,
		  bool (*meet)(void *to, const struct side_of_room *far, const struct side_of_room *near), void *to)
{
	struct facing f = {p, meet, to};
	struct arena own = {0}; /* memory for sorting only */
	struct place_in_order *sides = array_room(&own, p->rooms.n * 4 + 1, sizeof *sides);
	size_t n = order_sides(&own, p, sides);

	for (size_t from = 0, end; from < n; from = end) {
		for (end = from + 1; end < n && sides[end].group == sides[from].group &&
				     sides[end].key - sides[end - 1].key <= 0.1 * p->metre;)
			end++;
		if (!compare_line(&own, &f, sides + from, end - from))
			break;
	}
	arena_free(&own);
}
