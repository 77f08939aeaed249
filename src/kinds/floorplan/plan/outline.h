/* outline.h: the outline of the ground that boxes cover together.
 *
 * Every loop is closed: its last point is joined to its first. Loops around the ground and loops around holes in it run
 * in opposite directions. No point lies on the straight line between its neighbours. */
#ifndef QUIRE_KINDS_FLOORPLAN_OUTLINE_H
#define QUIRE_KINDS_FLOORPLAN_OUTLINE_H
#include "kinds/floorplan/plan/plan.h"

struct outline_loop {
	struct point *points;
	size_t n;
};

struct outline {
	struct outline_loop *items;
	size_t n, cap;
};

/* Coordinates less than `touch` apart count as one. */
void boxes_outline(struct arena *a, const struct box *boxes, size_t n, double touch, struct outline *out);

#endif
