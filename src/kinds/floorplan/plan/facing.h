/* facing.h: the pairs of sides that may be one wall.
 *
 * Of all rooms with the same parent the sides are ordered by line and place, so that only those on one line are
 * compared. A pair is one right or bottom side and one left or top side that overlap on it, lines apart by at most the
 * tolerance; boxes_share() looks closer. */
#ifndef QUIRE_KINDS_FLOORPLAN_FACING_H
#define QUIRE_KINDS_FLOORPLAN_FACING_H
#include "kinds/floorplan/plan/plan.h"

struct side_of_room {
	int room;
	enum side side;
	double low, high; /* along the line */
};

/* Until `meet` returns false. `far` is the right or bottom side, `near` the left or top side that faces it. */
void sides_facing(const struct plan *p,
		  bool (*meet)(void *to, const struct side_of_room *far, const struct side_of_room *near), void *to);

#endif
