/* reach.h: finds the rooms that can be reached from outside.
 *
 * A way is a connection on a wall, a wall of type door, two walls that are both open, or a vertical that joins stairs
 * or lifts. A door or open wall without a room behind it leads outside. */
#ifndef QUIRE_KINDS_FLOORPLAN_REACH_H
#define QUIRE_KINDS_FLOORPLAN_REACH_H
#include "kinds/floorplan/plan/plan.h"

struct reach {
	int *groups;     /* union-find over the rooms; the last one is outside */
	double *covered; /* by room * 4 + side: the length of wall that it shares with others; NULL if not measured */
	int outside;     /* the number of rooms */
};

/* Measures `covered` always, or with `measure` false only if some wall is a way. This costs a check of each room. */
void reach_make(struct arena *a, const struct plan *p, bool measure, struct reach *out);

int reach_group(struct reach *r, int room);            /* the same number for all joined rooms */
bool reach_joins(struct reach *r, int one, int other); /* rooms, or outside */
/* Is there open air behind a part of this side? Needs `covered`. */
bool side_is_free(const struct plan *p, const struct reach *r, int room, enum side s);

#endif
