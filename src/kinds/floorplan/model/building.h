/* building.h: a plan in three dimensions.
 *
 * The level of a storey is the sum of the heights and slabs of the storeys below it. Walls come from the wall graph and
 * are as high as the higher of the rooms next to them. Doors, windows and openings are cut out at their own heights.
 * Each room has a slab at its elevation. Stairs are prisms, one for each step and landing. */
#ifndef QUIRE_KINDS_FLOORPLAN_BUILDING_H
#define QUIRE_KINDS_FLOORPLAN_BUILDING_H
#include "base/call.h"
#include "kinds/floorplan/model/solid.h"

enum { PRISM_POINTS = 8 };

/* An upright body with a convex base. */
struct prism {
	struct point points[PRISM_POINTS];
	int n;
	double low, high; /* above the floor's level */
};

struct storey {
	int floor;
	double level; /* of its floor above the first one's */
	struct solid solid;
	ARRAY(struct prism) stairs;
};

struct building {
	const struct plan *plan;
	struct storey *storeys;
	size_t n;
};

/* `floor`: only this one, at its own level; -1: all. Returns false if the call must end. */
bool building_make(struct call *c, const struct plan *p, int floor, struct building *out);

#endif
