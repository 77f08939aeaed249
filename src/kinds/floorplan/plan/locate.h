/* locate.h: finds the room at a point without checking all rooms. */
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
/* Returns the deepest room there, or -1. `but`: a room to ignore, or -1. */
int locate(const struct plan *p, const struct locator *l, double x, double y, int but);

#endif
