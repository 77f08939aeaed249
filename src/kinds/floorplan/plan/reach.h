/* reach.h: which rooms have a way in from outside.
 *
 * A way is a connection that lies on a wall, a wall of type door, two walls that are both open, or a vertical that
 * joins stairs or lifts. A door or open wall without a room behind it leads outside. */
#ifndef QUIRE_KINDS_FLOORPLAN_REACH_H
#define QUIRE_KINDS_FLOORPLAN_REACH_H
#include "kinds/floorplan/plan/plan.h"

struct reach {
	int *groups;     /* union-find over the rooms; the last one is outside */
	double *covered; /* by room * 4 + side: the length of wall that it shares with others; NULL where not asked for
			  */
	int outside;     /* the number of rooms */
};

/* Measures `covered` always, or only when some wall is a way (`measure` false): then it costs a look at each room. */
void reach_make(struct arena *a, const struct plan *p, bool measure, struct reach *out);

int reach_group(struct reach *r, int room);            /* the same number for all that are joined */
bool reach_joins(struct reach *r, int one, int other); /* rooms, or outside */
/* Open air behind some of this side; takes `covered`. */
bool side_is_free(const struct plan *p, const struct reach *r, int room, enum side s);

#endif
