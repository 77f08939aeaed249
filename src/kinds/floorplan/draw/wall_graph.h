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
	int connection;          /* of the plan; -1: a room's own wall says so */
	int room;                /* whose wall says so; -1: a connection */
};

struct wall_graph {
	ARRAY(struct wall_piece) pieces;
	ARRAY(struct stretch) edges; /* open on all sides: no wall */
	ARRAY(struct opening) openings;
	enum wall_weight (*sides)[4]; /* see wall_sides() */
	int first_room;               /* of the plan that they begin with */
};

void wall_graph_make(struct arena *a, const struct plan *p, int floor, struct wall_graph *out);

/* The side of its room that an opening is in; only for those that a room's wall says. */
enum side opening_side(const struct plan *p, const struct opening *o);

/* How high it is, in plan units; of a window from its sill. */
double opening_height(const struct plan *p, const struct opening *o);

/* The piece as a rectangle, with what it reaches into the walls it ends at. */
struct box piece_box(const struct plan *p, const struct wall_piece *w);

/* The heaviest wall along each side of a room of the floor. */
const enum wall_weight *wall_sides(const struct wall_graph *g, int room);

/* Thickness in plan units. */
double wall_thickness(const struct plan *p, enum wall_weight w);

#endif
