/* wall_graph.h: the walls of one floor, each once.
 *
 * The edges of all rooms are put on common lines and cut at every end, so that the rooms on both sides of each stretch
 * of wall are known. Then doors, windows and gaps are cut out. The result is pieces that meet exactly at corners, and
 * the openings between them. All values are in plan units; nothing here depends on pixels or colours. */
#ifndef QUIRE_FLOORPLAN_WALL_GRAPH_H
#define QUIRE_FLOORPLAN_WALL_GRAPH_H
#include "base/array.h"
#include "kinds/floorplan/plan/plan.h"

/* The thickness: no wall, a wall between rooms, or a wall to the outside. A wall between rooms that continues an outer
 * one has the outer thickness, so that there is no step in a room's face; `outside` distinguishes the two. */
enum wall_weight { WEIGHT_NONE, WEIGHT_INNER, WEIGHT_OUTER };

/* A stretch along a line: horizontal at y = line, or vertical at x = line. */
struct stretch {
	bool vertical;
	double line, from, to;
};

struct wall_piece {
	struct stretch at;
	enum wall_weight weight;
	bool outside; /* only one side of it is a room */
	int style;    /* of the room that owns it; -1: none */
	/* The weight of the wall across at each end. The piece reaches half of that thickness further. */
	enum wall_weight before, behind;
};

/* A panel is a leaf that does not turn: it slides, folds or opens overhead. */
enum opening_type { OPENING_DOOR, OPENING_DOUBLE, OPENING_GAP, OPENING_PANEL, OPENING_WINDOW };

struct opening {
	struct stretch at;
	enum opening_type type;
	enum wall_weight weight;      /* of the wall that it is in; WEIGHT_NONE: no wall */
	bool outside;                 /* only one side of it is a room */
	int leaf;                     /* -1: opens to the side of smaller x or y, 1: of larger */
	bool hinge_high;              /* hinges at `to` */
	int into;                     /* the room the leaf turns into; -1: outside */
	int connection;               /* index in the plan; -1: declared by a room's wall */
	int room;                     /* whose wall declares it; -1: a connection does */
	const struct plan_wall *wall; /* that entry of the wall; NULL: a connection does */
};

/* The walls along one side of a room. */
struct wall_side {
	enum wall_weight weight;     /* the heaviest */
	bool outside;                /* a part of it has no room on the other side */
	double within;               /* area of the walls on this side of the centre line, square plan units */
	enum wall_weight start, end; /* at the corners; the one with smaller x or y first */
};

struct wall_graph {
	ARRAY(struct wall_piece) pieces;
	ARRAY(struct stretch) edges; /* open on all sides: no wall */
	ARRAY(struct opening) openings;
	struct wall_side (*sides)[4]; /* see wall_sides() */
	int first_room;               /* of the plan that they begin with */
};

void wall_graph_make(struct arena *a, const struct plan *p, int floor, struct wall_graph *out);

/* The side of its room that an opening is in; only for openings declared by a room's wall. */
enum side opening_side(const struct plan *p, const struct opening *o);

/* How high it is, in plan units; of a window from its sill. */
double opening_height(const struct plan *p, const struct opening *o);
double opening_sill(const struct plan *p, const struct opening *o);
int opening_kind(const struct opening *o); /* enum opening_kind; -1: the usual one */

/* The piece as a rectangle, including its parts inside the walls at its ends. */
struct box piece_box(const struct plan *p, const struct wall_piece *w);

/* The four sides of a room of the floor, by enum side. */
const struct wall_side *wall_sides(const struct wall_graph *g, int room);

/* Thickness in plan units. */
double wall_thickness(const struct plan *p, enum wall_weight w);

/* A floor has three areas. Every shown area says which one it is. All in square plan units. */
struct floor_areas {
	double centre_line; /* sum of its rooms as written, to the centre lines of walls */
	double gross;       /* to the outer faces of the outer walls */
	double net;         /* gross without the walls; an opening counts as wall */
};

struct floor_areas floor_areas(struct arena *a, const struct plan *p, int floor, const struct wall_graph *g);

/* The area inside the walls along its sides. Walls of sub-rooms are not subtracted. */
double room_net_area(const struct plan *p, const struct wall_graph *g, int room);

#endif
