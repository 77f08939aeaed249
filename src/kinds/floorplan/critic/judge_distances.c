/* judge_distances.c: the distance to the nearest exit, and from kitchens to dining rooms. */
#include "kinds/floorplan/critic/room.h"

#include <math.h>

static struct point centre(const struct box *b) { return (struct point){b->x + b->width / 2, b->y + b->height / 2}; }

/* The distance by the nearest way from a point of the room; INFINITY if no way is reached. */
static double from_point(const struct critic *k, int room, struct point at, const double *distances)
{
	double best = INFINITY;

	for (int link = k->ways.first[room]; link >= 0; link = k->ways.next[link]) {
		const struct way *w = &k->ways.list.items[link / 2];

		best = fmin(best, point_distance(at, w->at) + distances[link / 2] + w->climb / 2);
	}
	return best;
}

static void judge_egress(struct critic *k)
{
	const struct plan *p = k->plan;
	double *start = arena_array(k->arena, k->ways.list.n + 1, sizeof *start);

	for (size_t i = 0; i < k->ways.list.n; i++) {
		const int *ends = k->ways.list.items[i].ends;

		start[i] = ends[0] == k->ways.outside || ends[1] == k->ways.outside ? 0 : INFINITY;
	}
	const double *distances = ways_distances(k, start, false);

	for (size_t i = 0; i < p->rooms.n; i++) {
		const struct plan_room *r = &p->rooms.items[i];
		double most = 0;
		struct point far = centre(&r->box);

		for (int corner = 0; corner < 4 && r->placed; corner++) {
			struct point at = {r->box.x + (corner % 2 ? r->box.width : 0),
					   r->box.y + (corner / 2 ? r->box.height : 0)};
			double way = from_point(k, (int)i, at, distances);

			if (isfinite(way) && way > most) {
				most = way;
				far = at;
			}
		}
		if (!r->placed || metres(k, most) <= k->limits->egress_distance)
			continue;
		struct finding *f = find(k, RULE_EGRESS_DISTANCE, SEVERITY_WARNING, room_from(k, (int)i), r->floor,
					 "from the far corner of %s it is %s to the nearest exit; the maximum is %s",
					 name_shown(k, r->name), length_shown(k, round(most * 10) / 10),
					 length_shown(k, k->limits->egress_distance * p->metre));

		finding_at(f, far.x, far.y);
		finding_names(k, f, r->name, (struct text){0});
	}
}

static bool serves(const struct critic *k, int room, enum room_use use)
{
	return k->plan->rooms.items[room].placed && room_serves(k, room, use);
}

/* Computes distances from all dining rooms at once, then takes the nearest for each kitchen. */
static void judge_kitchens(struct critic *k)
{
	const struct plan *p = k->plan;
	double *start = arena_array(k->arena, k->ways.list.n + 1, sizeof *start);
	bool any = false;

	for (size_t i = 0; i < k->ways.list.n; i++)
		start[i] = INFINITY;
	for (size_t i = 0; i < p->rooms.n; i++) {
		if (!serves(k, (int)i, USE_DINING))
			continue;
		any = true;
		for (int link = k->ways.first[i]; link >= 0; link = k->ways.next[link])
			start[link / 2] = fmin(start[link / 2], point_distance(centre(&p->rooms.items[i].box),
									       k->ways.list.items[link / 2].at));
	}
	if (!any)
		return;
	const double *distances = ways_distances(k, start, true);

	for (size_t i = 0; i < p->rooms.n; i++) {
		const struct plan_room *r = &p->rooms.items[i];
		double way;

		if (k->uses[i] != USE_KITCHEN || !r->placed || serves(k, (int)i, USE_DINING))
			continue;
		way = from_point(k, (int)i, centre(&r->box), distances);
		if (!isfinite(way) || metres(k, way) <= k->limits->kitchen_distance)
			continue;
		struct finding *f = find(k, RULE_KITCHEN_DINING, SEVERITY_WARNING, room_from(k, (int)i), r->floor,
					 "from %s it is %s to the nearest dining room; the maximum is %s",
					 name_shown(k, r->name), length_shown(k, round(way * 10) / 10),
					 length_shown(k, k->limits->kitchen_distance * p->metre));

		finding_at(f, centre(&r->box).x, centre(&r->box).y);
		finding_names(k, f, r->name, (struct text){0});
	}
}

void judge_distances(struct critic *k)
{
	if (k->ways.first[k->ways.outside] >= 0)
		judge_egress(k);
	judge_kitchens(k);
}
