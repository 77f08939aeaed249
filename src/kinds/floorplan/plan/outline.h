/* outline.h: the outline of the area that boxes cover together.
 *
 * Every loop is closed: its last point is joined to its first. Loops around the area and loops around holes run in
 * opposite directions. No point is on the straight line between its neighbours. */
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

/* Coordinates that differ by less than `touch` count as equal. */
void boxes_outline(struct arena *a, const struct box *boxes, size_t n, double touch, struct outline *out);

#endif
