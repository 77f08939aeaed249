/* facing.h: finds pairs of sides that may be one wall.
 *
 * The sides of all rooms with the same parent are ordered by line and place, so that only sides on one line are
 * compared. A pair is a right or bottom side and a left or top side that overlap, with a distance of at most the
 * tolerance. boxes_share() checks in detail. */
#ifndef QUIRE_KINDS_FLOORPLAN_FACING_H
#define QUIRE_KINDS_FLOORPLAN_FACING_H
#include "kinds/floorplan/plan/plan.h"

struct side_of_room {
	int room;
	enum side side;
	double low, high; /* along the line */
};

/* Calls `meet` for each pair until it returns false. `far` is the right or bottom side, `near` the left or top side
 * that faces it. */
void sides_facing(const struct plan *p,
		  bool (*meet)(void *to, const struct side_of_room *far, const struct side_of_room *near), void *to);

#endif
