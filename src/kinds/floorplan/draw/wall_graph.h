/* wall_graph.h: the walls of one floor, each once.
 *
 * The edges of all rooms are laid on common lines and cut at every end, so that each stretch of wall knows the rooms on
 * both its sides; doors, windows and gaps are then cut out. What remains are pieces that meet exactly at corners, and
 * the openings between them. All in plan units; nothing here knows pixels or colours. */
#ifndef QUIRE_FLOORPLAN_WALL_GRAPH_H
#define QUIRE_FLOORPLAN_WALL_GRAPH_H
#include "base/array.h"
#include "kinds/floorplan/plan/plan.h"

/* How thick: nothing is there, as between rooms, or as between a room and the outside. A wall between rooms that
 * continues an outer one is as thick as that, so that no step shows in a room's face; `outside` tells the two apart. */
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
	/* The wall across that it ends at: it reaches half of that one's thickness further. */
	enum wall_weight before, behind;
};

enum opening_type { OPENING_DOOR, OPENING_DOUBLE, OPENING_GAP, OPENING_WINDOW };

struct opening {
	struct stretch at;
	enum opening_type type;
	enum wall_weight weight; /* of the wall it is cut into; WEIGHT_NONE: there is no wall here */
	bool outside;            /* only one side of it is a room */
	int leaf;                /* -1: opens to the side of smaller x or y, 1: of larger */
	bool hinge_high;         /* hinges at `to` */
	int into;                /* the room the leaf turns into; -1: outside */
	int connection;          /* index in the plan; -1: declared by a room's wall */
	int room;                /* whose wall declares it; -1: a connection does */
};

/* What stands along one side of a room. */
struct wall_side {
	enum wall_weight weight;     /* the heaviest */
	bool outside;                /* a part of it is a wall without a room on the other side */
	double within;               /* area of the walls on this side of the centre line, square plan units */
	enum wall_weight start, end; /* at the corners, that of smaller x or y first */
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

/* The piece as a rectangle, with what it reaches into the walls it ends at. */
struct box piece_box(const struct plan *p, const struct wall_piece *w);

/* The four sides of a room of the floor, by enum side. */
const struct wall_side *wall_sides(const struct wall_graph *g, int room);

/* Thickness in plan units. */
double wall_thickness(const struct plan *p, enum wall_weight w);

/* A floor has three areas; a figure says which it is. All in square plan units. */
struct floor_areas {
	double centre_line; /* sum of its rooms as they are written, to the centre lines of walls */
	double gross;       /* to the outer faces of the outer walls */
	double net;         /* gross without the walls; an opening counts as wall */
};

struct floor_areas floor_areas(struct arena *a, const struct plan *p, int floor, const struct wall_graph *g);

/* Inside the walls along its sides; walls of sub-rooms are not taken off. */
double room_net_area(const struct plan *p, const struct wall_graph *g, int room);

#endif
