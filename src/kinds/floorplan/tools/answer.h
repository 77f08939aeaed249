/* answer.h: the results of the tools about a plan, as structs and their tables. */
#ifndef QUIRE_KINDS_FLOORPLAN_ANSWER_H
#define QUIRE_KINDS_FLOORPLAN_ANSWER_H
#include "kinds/floorplan/plan/wall_graph.h"
#include "tool/field.h"

struct problem_row {
	struct text type, message;
	int64_t line, column;
	struct text room;
	struct texts rooms;
	const struct json *fix;
};

struct relative_row {
	int direction;
	struct text reference;
	struct maybe_number gap;
	int alignment;
};

struct walls_row {
	int sides[4];
};

struct room_row {
	struct text name, floor;
	const struct point *position, *resolved;
	const struct extent *size;
	struct text size_name, label;
	const struct walls_row *walls;
	const struct relative_row *relative;
	double area;
	struct maybe_number height, elevation;
	struct text style;
	struct objects rooms;
};

struct stair_row {
	struct text name, floor, label;
	int shape;
	const struct point *position;
	const struct extent *size;
	double rise, width, riser, tread;
	int64_t steps;
};

struct lift_row {
	struct text name, floor, label;
	const struct point *position;
	const struct extent *size;
	struct choices doors;
};

struct bounds_row {
	double width, height, area, min_x, min_y;
};

struct floor_row {
	struct text id;
	int64_t index, rooms;
	double net_area, centre_line_area, gross_area, footprint;
	const struct bounds_row *bounds;
	double efficiency;
};

struct unit_said {
	int name;
	bool assumed;
};

extern const struct shape problem_shape, warning_shape, room_shape, stair_shape, lift_shape, floor_shape, unit_shape,
	point_answer, extent_answer;

/* The errors or the warnings from `first` on, as many as fit into a result. If some are left out, a warning of the call
 * counts all by their type and names the call for the rest: "call again with firstWarning". */
struct objects answer_problems(struct call *c, const struct plan *p, bool errors, int64_t first, const char *call);
struct objects answer_rooms(struct call *c, const struct plan *p);
struct objects answer_stairs(struct call *c, const struct plan *p);
struct objects answer_lifts(struct call *c, const struct plan *p);
/* Areas in that unit, lengths in the plan's. */
struct objects answer_floors(struct call *c, const struct plan *p, enum area_unit unit);
/* A name or label as results show it. An unusually long one is cut. */
struct text answer_name(struct call *c, struct text name);
struct texts answer_names(struct call *c, struct texts names);
/* The part of a list that fits into one result, with a warning that names the call for the rest: `noun` is "rooms",
 * `call` "call again with firstRoom". `most` is a number of items, `bytes` a length as JSON. At least one item is
 * always listed. All parts of a result together stay below 60,000 bytes, which clients accept. */
enum { ROOMS_LISTED = 120, ROOMS_BYTES = 24000, FLOORS_LISTED = 40, FLOORS_BYTES = 12000 };
enum { STAIRS_LISTED = 30, STAIRS_BYTES = 6000, WARNINGS_BYTES = 10000, ERRORS_BYTES = 20000 };
struct objects answer_page(struct call *c, struct objects list, const struct shape *shape, size_t most, size_t bytes,
			   int64_t first, const char *noun, const char *call);
const struct unit_said *answer_unit(struct arena *a, const struct plan *p);

/* The text of a plan from the arguments: either the text itself or a file. Exactly one of the two must be given. */
bool plan_source(struct call *c, struct text dsl, struct text file_path, struct text *out);

/* Reads a plan for a result, with the fixes that work. Returns NULL if the call must end. */
struct plan *plan_checked(struct call *c, struct text source);

/* Fails the call with the plan's errors, in the form that the kind's error function writes. */
bool plan_refuse(struct call *c, const struct plan *p);

#define DSL_ROW(S) FIELD(S, dsl, TEXT, FIELD_EMPTY | FIELD_TERSE, "Text of the plan; this or file_path")
#define FILE_ROW(S) FIELD(S, file_path, TEXT, FIELD_PATH | FIELD_TERSE, "A file, instead of dsl")

#endif
