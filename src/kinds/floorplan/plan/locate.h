/* locate.h: which room is at a point, without asking them all. */
#ifndef QUIRE_KINDS_FLOORPLAN_LOCATE_H
#define QUIRE_KINDS_FLOORPLAN_LOCATE_H
#include "kinds/floorplan/plan/plan.h"

/* Rooms of one floor in the cells of a grid. */
struct locator {
	struct box box;
	int columns, rows;
	uint32_t *first; /* by cell, one more at the end */
	int *rooms;
};

void locator_make(struct arena *a, const struct plan *p, int floor, struct locator *out);
/* The deepest room there, -1: none. `but`: a room that does not count, -1: none. */
int locate(const struct plan *p, const struct locator *l, double x, double y, int but);

#endif
