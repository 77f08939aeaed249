/* plan.h: a plan, resolved.
 *
 * The checks, the drawing and the results use this. Everything is in plan units (struct plan.unit): units are
 * converted, relative places are resolved, sub-rooms are in the floor's frame, sizes and heights have defaults,
 * connections are on their wall, stairs are split into flights. x runs to the right, y downwards. A room's rectangle is
 * the centre line of its walls. Texts point into the source, which must live as long as the plan. References are
 * indices, -1 for none.
 *
 * A plan with errors is filled as far as possible (`placed` shows this), but must not be drawn. */
#ifndef QUIRE_KINDS_FLOORPLAN_PLAN_H
#define QUIRE_KINDS_FLOORPLAN_PLAN_H
#include "base/array.h"
#include "kinds/floorplan/language/problems.h"
#include "kinds/floorplan/language/words.h"

struct syntax;

struct point {
	double x, y;
};
struct extent {
	double width, height;
};
struct box {
	double x, y, width, height;
};
struct colour {
	bool there;
	uint8_t red, green, blue;
};

/* Rooms. */

/* One side of a room. The opening of a wall with a door or window is resolved. The drawing may still move a window that
 * overlaps a door. */
struct plan_wall {
	enum wall_type type; /* wall_built() says how to draw it */
	bool listed;         /* the text names this side */
	bool at_given, size_given;
	double centre; /* of the opening, along the side from its left or top end */
	double width;  /* of the opening; 0 when the wall has none */
	double height;
	double sill;            /* of a window: its lower edge */
	int kind;               /* enum opening_kind; -1: none given */
	struct plan_wall *more; /* further doors and windows of the side, in the order of the text */
	size_t more_count;
};

struct plan_room {
	struct text name, label;
	int floor, parent, first_child, next_sibling; /* rooms; -1: none */
	int depth;                                    /* 0: directly on the floor */
	bool placed;                                  /* box is known */
	struct box box;                               /* in the floor's frame */
	struct point own;                             /* in the parent's frame (the floor's for depth 0) */
	bool has_at;                                  /* the text gives coordinates */
	struct text size_name;                        /* size NAME; absent: inline */
	bool relative;                                /* the text has a direction; then: */
	enum direction direction;
	int reference; /* room, -1: unknown or not a room */
	struct text reference_name;
	double gap;
	int alignment;   /* enum alignment, -1: default */
	double height;   /* resolved: own, or the floor's, or default_height */
	bool has_height; /* of its own */
	double elevation;
	int style;                 /* own, else default_style; -1: none */
	struct plan_wall walls[4]; /* by enum side */
	uint32_t statement;        /* number of its statement in the syntax */
};

struct plan_floor {
	struct text name;
	double height; /* own, else default_height */
	bool has_height;
	struct box box;          /* around its rooms, stairs and lifts; width 0 when empty */
	double centre_line_area; /* sum over the rooms of depth 0, square plan units */
	int first_room;          /* of depth 0, chained by next_sibling; -1: none */
	int rooms;               /* of depth 0 */
	uint32_t statement;
};

/* Connections. */

struct plan_end {
	struct text name;
	int room; /* -1: outside, or unknown */
	bool outside;
	int side; /* enum side: given, else inferred; -1: none found */
	bool side_given;
};

/* A wall is horizontal (line is its y, low..high along x) or vertical (line is its x, low..high along y). */
struct plan_connection {
	enum door_type type;
	struct plan_end from, to;
	int floor;
	int also_floor; /* another floor with rooms of these names, if the text does not name the floor; -1: none */
	bool placed;    /* is on a wall and can be drawn and walked through; the members below are then known */
	bool shared;    /* the wall belongs to both rooms, on the sides that the text names */
	bool vertical;  /* the wall runs along y */
	double line;
	double low, high; /* the segment both rooms share, or the whole side for outside */
	double centre;    /* of the opening along the wall, not in the corners */
	double width, height;
	double wanted_width; /* `width` is less where the wall is too short */
	bool full;           /* up to the ceiling */
	double percent;      /* as given, else 50 */
	int into;            /* the room the leaf turns into; -1: outside */
	enum side leaf;  /* the side of the line on which the leaf turns: TOP/BOTTOM of a horizontal wall, LEFT/RIGHT of
			    a vertical */
	enum turn swing; /* hinges seen from the room it opens into */
	bool hinge_high; /* the hinge is at the larger coordinate of the opening */
	uint32_t statement;
};

/* Stairs, lifts. */

enum stair_part_kind { PART_FLIGHT, PART_LANDING, PART_WINDERS, PART_ARC };

struct stair_line {
	struct point a, b;
};

/* Parts in the order they are climbed. Curves are sampled finely enough to be drawn as lines. */
struct stair_part {
	enum stair_part_kind kind;
	struct point *outline; /* closed polygon */
	size_t points;
	struct stair_line *risers; /* front edge of each step, in climbing order; landings have none */
	size_t steps;
	double width;     /* of a flight */
	enum side toward; /* a flight climbs towards this side */
};

struct plan_stair {
	struct text name, label;
	int floor, style;
	bool placed;
	bool has_at;
	enum stair_shape shape;
	struct box box; /* bounding box; its corner is `at` */
	double rise, width, tread, nosing, headroom;
	double riser;       /* the true one: rise / steps */
	double riser_limit; /* as written */
	int steps;
	int handrail, stringer; /* enums, -1: not said */
	struct stair_part *parts;
	size_t part_count;
	struct point *walk; /* the walking line, from before the first riser to after the last */
	size_t walk_points;
	struct point centre; /* SPIRAL, CURVED */
	double inner_radius, outer_radius, start_angle,
		sweep;                  /* radians; sweep > 0 turns clockwise on screen (y down) */
	bool goes_up, comes_from_below; /* a chain of verticals continues above or below; neither: not in a chain */
	uint32_t statement;
};

struct plan_lift {
	struct text name, label;
	int floor, style;
	bool placed, has_at;
	struct box box;
	bool doors[4]; /* by enum side */
	uint32_t statement;
};

enum element_kind { ELEMENT_STAIR, ELEMENT_LIFT };
struct plan_stop {
	int floor;
	enum element_kind kind;
	int index;
};
struct plan_vertical {
	struct plan_stop *stops;
	size_t n;
	uint32_t statement;
};

/* Settings. */

struct plan_style {
	struct text name;
	struct colour floor, wall;
	struct text floor_texture, wall_texture;
	double roughness, metalness; /* -1: not said */
	uint32_t statement;
};

struct plan_define {
	struct text name;
	struct extent size;
	uint32_t statement;
};

/* Lengths in plan units, with defaults. `given` shows which keys the plan sets. */
struct plan_config {
	bool given[COUNT_CONFIG_KEY];
	double wall_thickness; /* of inner walls */
	double floor_thickness, default_height;
	double door_width, door_height;
	double window_width; /* 0: by the side's length */
	double window_height, window_sill;
	int default_style; /* -1: none */
	enum area_unit area_unit;
	enum theme theme;
	struct text font_family; /* absent: the drawing's own */
	double font_size;        /* 0.8 is normal */
	bool show_labels, show_dimensions;
	enum stair_code stair_code;
};

struct plan_meta {
	struct text key, value;
};

struct plan {
	struct text source;
	const struct syntax *syntax;
	struct text title;   /* of the head; absent: none */
	struct text version; /* absent: none */
	enum unit unit;
	bool unit_assumed; /* the text neither names nor uses a unit */
	double metre;      /* one metre in plan units */
	struct plan_config config;
	ARRAY(struct plan_floor) floors;
	ARRAY(struct plan_room)
	rooms; /* of all floors, in the order of the text; a parent comes before its children */
	ARRAY(struct plan_connection) connections;
	ARRAY(struct plan_stair) stairs;
	ARRAY(struct plan_lift) lifts;
	ARRAY(struct plan_vertical) verticals;
	ARRAY(struct plan_style) styles;
	ARRAY(struct plan_define) defines;
	ARRAY(struct plan_meta) meta; /* the head's other keys */
	struct problems problems;
};

/* Reads, resolves and checks. Never fails: errors are in p->problems. `arena` and `source` must live as long as the
 * plan. */
struct plan *plan_read(struct arena *arena, struct text source);

static inline bool plan_is_valid(const struct plan *p) { return p->problems.errors == 0; }

/* Lengths and areas of the plan in other units. */
double plan_length_in(const struct plan *p, double length, enum unit unit);
double plan_area_in(const struct plan *p, double area, enum area_unit unit);

/* The rooms of a floor are consecutive: from floor_rooms(p, floor) to floor_rooms(p, floor + 1). */
size_t floor_rooms(const struct plan *p, int floor);

#endif
