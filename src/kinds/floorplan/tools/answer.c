#include "kinds/floorplan/tools/answer.h"

#include "format/json.h"
#include "kinds/floorplan/edit/fix.h"
#include "kinds/floorplan/kind.h"
#include "kinds/floorplan/language/problem.h"
#include "kinds/floorplan/plan/cover.h"
#include "work/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PROBLEM_ROWS                                                                                                   \
	FIELD(struct problem_row, type, TEXT, FIELD_REQUIRED,                                                          \
	      "What kind of problem: parse, missing_reference, overlap, ..."),                                         \
		FIELD(struct problem_row, message, TEXT, FIELD_REQUIRED, "What was found, and what is allowed"),       \
		FIELD(struct problem_row, line, INT, FIELD_REQUIRED, "Line, from 1"),                                  \
		FIELD(struct problem_row, column, INT, FIELD_REQUIRED, "Column in characters, from 1"),                \
		FIELD_AS("roomName", struct problem_row, room, TEXT, 0, "The room, stair or lift it is about"),        \
		FIELD_AS("fix", struct problem_row, fix, MAP, 0, "An operation for modify_floorplan that mends it")

static const struct field problem_fields[] = {PROBLEM_ROWS, FIELDS_END};
static const struct field warning_fields[] = {
	PROBLEM_ROWS, FIELD(struct problem_row, rooms, TEXTS, 0, "All rooms it is about"), FIELDS_END};
const struct shape problem_shape = SHAPE(struct problem_row, "error", problem_fields);
const struct shape warning_shape = SHAPE(struct problem_row, "warning", warning_fields);

static const struct field point_fields[] = {FIELD(struct point, x, NUMBER, FIELD_REQUIRED, "To the right"),
					    FIELD(struct point, y, NUMBER, FIELD_REQUIRED, "Downwards"), FIELDS_END};
const struct shape point_answer = SHAPE(struct point, "point", point_fields);

static const struct field extent_fields[] = {FIELD(struct extent, width, NUMBER, FIELD_REQUIRED, "Along x"),
					     FIELD(struct extent, height, NUMBER, FIELD_REQUIRED, "Along y"),
					     FIELDS_END};
const struct shape extent_answer = SHAPE(struct extent, "extent", extent_fields);

static const struct field walls_fields[] = {
#define SIDE(id, text, meaning)                                                                                        \
	{.name = text,                                                                                                 \
	 .type = FIELD_CHOICE,                                                                                         \
	 .flags = FIELD_REQUIRED,                                                                                      \
	 .at = offsetof(struct walls_row, sides) + SIDE_##id * sizeof(int),                                            \
	 .prose = "Type of " meaning,                                                                                  \
	 .choices = CHOICES_OF(WALL_TYPE)},
#include "kinds/floorplan/language/words.def"
	FIELDS_END};
static const struct shape walls_shape = SHAPE(struct walls_row, "walls", walls_fields);

static const struct field relative_fields[] = {
	FIELD(struct relative_row, direction, CHOICE, FIELD_REQUIRED, "Where it lies seen from the reference",
	      .choices = CHOICES_OF(DIRECTION)),
	FIELD(struct relative_row, reference, TEXT, FIELD_REQUIRED, "The room beside which it lies"),
	FIELD(struct relative_row, gap, MAYBE_NUMBER, 0, "Distance between the two"),
	FIELD(struct relative_row, alignment, CHOICE, 0, "Which edges are in line", .choices = CHOICES_OF(ALIGNMENT)),
	FIELDS_END};
static const struct shape relative_shape = SHAPE(struct relative_row, "relativePosition", relative_fields);

static const struct field room_fields[] = {
	FIELD(struct room_row, name, TEXT, FIELD_REQUIRED, "Name, as operations take it"),
	FIELD(struct room_row, floor, TEXT, FIELD_REQUIRED, "Its floor"),
	FIELD(struct room_row, position, OBJECT, FIELD_REQUIRED,
	      "Top left corner; a sub-room's from its parent's corner", .shape = &point_answer),
	FIELD_AS("resolvedPosition", struct room_row, resolved, OBJECT, 0,
		 "Top left corner on the floor, where it differs", .shape = &point_answer),
	FIELD(struct room_row, size, OBJECT, FIELD_REQUIRED, "Width and depth", .shape = &extent_answer),
	FIELD_AS("sizeRef", struct room_row, size_name, TEXT, 0, "The defined size it uses"),
	FIELD(struct room_row, label, TEXT, FIELD_EMPTY, "What the drawing says"),
	FIELD(struct room_row, walls, OBJECT, FIELD_REQUIRED, "Type of each side", .shape = &walls_shape),
	FIELD_AS("relativePosition", struct room_row, relative, OBJECT, 0, "How the text places it beside another",
		 .shape = &relative_shape),
	FIELD(struct room_row, area, NUMBER, FIELD_REQUIRED, "Width times depth, in square plan units"),
	FIELD(struct room_row, height, MAYBE_NUMBER, 0, "Its own height"),
	FIELD(struct room_row, elevation, MAYBE_NUMBER, 0, "Of its floor, if not 0"),
	FIELD(struct room_row, style, TEXT, 0, "Its style"),
	FIELD_AS("subRooms", struct room_row, rooms, OBJECTS, 0, "Rooms within it", .shape = &room_shape),
	FIELDS_END};
const struct shape room_shape = SHAPE(struct room_row, "room", room_fields);

static const struct field stair_fields[] = {
	FIELD(struct stair_row, name, TEXT, FIELD_REQUIRED, "Name"),
	FIELD(struct stair_row, floor, TEXT, FIELD_REQUIRED, "Its floor"),
	FIELD(struct stair_row, shape, CHOICE, FIELD_REQUIRED, "Shape", .choices = CHOICES_OF(STAIR_SHAPE)),
	FIELD(struct stair_row, position, OBJECT, FIELD_REQUIRED, "Top left corner of its bounding box",
	      .shape = &point_answer),
	FIELD(struct stair_row, size, OBJECT, FIELD_REQUIRED, "Its bounding box", .shape = &extent_answer),
	FIELD(struct stair_row, rise, NUMBER, FIELD_REQUIRED, "Height it climbs"),
	FIELD(struct stair_row, width, NUMBER, FIELD_REQUIRED, "Width of its flights"),
	FIELD(struct stair_row, steps, INT, FIELD_REQUIRED, "Number of risers"),
	FIELD(struct stair_row, riser, NUMBER, FIELD_REQUIRED, "Height of a step"),
	FIELD(struct stair_row, tread, NUMBER, FIELD_REQUIRED, "Depth of a step"),
	FIELD(struct stair_row, label, TEXT, FIELD_EMPTY, "What the drawing says"),
	FIELDS_END};
const struct shape stair_shape = SHAPE(struct stair_row, "stair", stair_fields);

static const struct field lift_fields[] = {
	FIELD(struct lift_row, name, TEXT, FIELD_REQUIRED, "Name"),
	FIELD(struct lift_row, floor, TEXT, FIELD_REQUIRED, "Its floor"),
	FIELD(struct lift_row, position, OBJECT, FIELD_REQUIRED, "Top left corner of the shaft",
	      .shape = &point_answer),
	FIELD(struct lift_row, size, OBJECT, FIELD_REQUIRED, "Width and depth of the shaft", .shape = &extent_answer),
	FIELD(struct lift_row, doors, CHOICES, FIELD_REQUIRED, "Sides with a door", .choices = CHOICES_OF(SIDE)),
	FIELD(struct lift_row, label, TEXT, FIELD_EMPTY, "What the drawing says"),
	FIELDS_END};
const struct shape lift_shape = SHAPE(struct lift_row, "lift", lift_fields);

static const struct field bounds_fields[] = {
	FIELD(struct bounds_row, width, NUMBER, FIELD_REQUIRED, "Along x"),
	FIELD(struct bounds_row, height, NUMBER, FIELD_REQUIRED, "Along y"),
	FIELD(struct bounds_row, area, NUMBER, FIELD_REQUIRED, "In the area unit"),
	FIELD_AS("minX", struct bounds_row, min_x, NUMBER, FIELD_REQUIRED, "Left edge"),
	FIELD_AS("minY", struct bounds_row, min_y, NUMBER, FIELD_REQUIRED, "Top edge"),
	FIELDS_END};
static const struct shape bounds_shape = SHAPE(struct bounds_row, "boundingBox", bounds_fields);

static const struct field floor_fields[] = {
	FIELD(struct floor_row, id, TEXT, FIELD_REQUIRED, "Name"),
	FIELD(struct floor_row, index, INT, FIELD_REQUIRED, "Place among the floors, from 0"),
	FIELD_AS("roomCount", struct floor_row, rooms, INT, FIELD_REQUIRED, "Rooms directly on it"),
	FIELD_AS("netArea", struct floor_row, net_area, NUMBER, FIELD_REQUIRED, "Inside the walls"),
	FIELD_AS("centreLineArea", struct floor_row, centre_line_area, NUMBER, FIELD_REQUIRED,
		 "Sum of its rooms, to wall centre lines"),
	FIELD_AS("grossArea", struct floor_row, gross_area, NUMBER, FIELD_REQUIRED, "To the outer faces of its walls"),
	FIELD(struct floor_row, footprint, NUMBER, FIELD_REQUIRED,
	      "Ground its rooms cover, overlaps once, to wall centre lines"),
	FIELD_AS("boundingBox", struct floor_row, bounds, OBJECT, FIELD_REQUIRED,
		 "Around its rooms, to wall centre lines", .shape = &bounds_shape),
	FIELD(struct floor_row, efficiency, NUMBER, FIELD_REQUIRED,
	      "centreLineArea divided by the bounding box's area"),
	FIELDS_END};
const struct shape floor_shape = SHAPE(struct floor_row, "floor", floor_fields);

static const struct field unit_fields[] = {
	FIELD(struct unit_said, name, CHOICE, FIELD_REQUIRED, "Unit of all lengths", .choices = CHOICES_OF(UNIT)),
	FIELD(struct unit_said, assumed, FLAG, FIELD_REQUIRED, "Neither said nor used in the text"), FIELDS_END};
const struct shape unit_shape = SHAPE(struct unit_said, "unit", unit_fields);

/* Sums of decimals give results such as 0.30000000000000004. Nine places are more than a plan needs. */
static double tidy(double n) { return round(n * 1e9) / 1e9 + 0.0; }

static const struct point *tidy_point(struct arena *a, double x, double y)
{
	return arena_copy(a, &(struct point){tidy(x), tidy(y)}, sizeof(struct point));
}

static const struct extent *tidy_extent(struct arena *a, double width, double height)
{
	return arena_copy(a, &(struct extent){tidy(width), tidy(height)}, sizeof(struct extent));
}

enum { NAME_SHOWN = 200 };

struct text answer_name(struct call *c, struct text name)
{
	return name.len > NAME_SHOWN ? text_of(shown(c, name)) : name;
}

struct texts answer_names(struct call *c, struct texts names)
{
	struct texts out = {.items = arena_array(c->arena, names.n + 1, sizeof(struct text))};

	for (size_t i = 0; i < names.n; i++)
		out.items[out.n++] = answer_name(c, names.items[i]);
	return out;
}

/* "overlap 700, wall 300" */
static const char *counts_by_type(struct call *c, const struct plan *p, bool errors)
{
	struct buffer b = {.arena = c->arena};

	for (const struct code *code = problem_codes; code->name; code++) {
		size_t n = 0;

		for (size_t i = 0; i < p->problems.n; i++)
			n += p->problems.items[i].is_error == errors && !strcmp(p->problems.items[i].type, code->name);
		if (n)
			buffer_format(&b, "%s%s %zu", b.len ? ", " : "", code->name, n);
	}
	return text_string(c->arena, buffer_text(&b));
}

/* A fix contains names of the plan. If a name is too long to show, the fix is left out. */
static const struct json *answer_fix(struct call *c, const struct problem *q)
{
	struct buffer b = {.arena = c->arena};

	if (!q->fix)
		return NULL;
	json_write(&b, q->fix);
	return b.len > 4 * NAME_SHOWN ? NULL : q->fix;
}

struct objects answer_problems(struct call *c, const struct plan *p, bool errors, int64_t first, const char *call)
{
	struct problem_row *rows = arena_array(c->arena, p->problems.n + 1, sizeof *rows);
	struct objects all = {.items = rows};
	size_t found = errors ? p->problems.errors : p->problems.warnings;
	size_t most = errors ? ERRORS_MAX : WARNINGS_MAX;
	const char *noun = errors ? "errors" : "warnings";

	for (size_t i = 0; i < p->problems.n; i++) {
		const struct problem *q = &p->problems.items[i];

		if (q->is_error == errors)
			rows[all.n++] = (struct problem_row){
				text_of(q->type),        text_of(q->message),       q->line,         q->column,
				answer_name(c, q->room), answer_names(c, q->rooms), answer_fix(c, q)};
	}
	struct objects page = answer_page(c, all, errors ? &problem_shape : &warning_shape, all.n,
					  errors ? ERRORS_BYTES : WARNINGS_BYTES, first, noun, call);

	if (page.n < all.n)
		warn(c, "%s by type: %s", noun, counts_by_type(c, p, errors));
	if (found >= most)
		warn(c, "the plan has %zu %s or more; not all were looked for, so mend these first", most, noun);
	return page;
}

static struct room_row room_row(struct call *c, const struct plan *p, const struct plan_room *r)
{
	struct arena *a = c->arena;
	struct room_row row = {.name = answer_name(c, r->name),
			       .floor = answer_name(c, p->floors.items[r->floor].name),
			       .label = answer_name(c, r->label),
			       .size_name = answer_name(c, r->size_name)};
	struct walls_row walls;

	row.position = tidy_point(a, r->own.x, r->own.y);
	if (r->box.x != r->own.x || r->box.y != r->own.y)
		row.resolved = tidy_point(a, r->box.x, r->box.y);
	row.size = tidy_extent(a, r->box.width, r->box.height);
	row.area = tidy(r->box.width * r->box.height);
	for (int s = 0; s < 4; s++)
		walls.sides[s] = (int)r->walls[s].type;
	row.walls = arena_copy(a, &walls, sizeof walls);
	if (r->relative)
		row.relative = arena_copy(a,
					  &(struct relative_row){(int)r->direction,
								 answer_name(c, r->reference_name),
								 {tidy(r->gap), r->gap != 0},
								 r->alignment},
					  sizeof(struct relative_row));
	row.height = (struct maybe_number){tidy(r->height), r->has_height};
	row.elevation = (struct maybe_number){tidy(r->elevation), r->elevation != 0};
	if (r->style >= 0)
		row.style = answer_name(c, p->styles.items[r->style].name);
	return row;
}

enum { SUB_ROOMS_LISTED = 60 }; /* for one room */

/* `left` counts the sub-rooms that may still be listed; NULL for the rooms of a floor, which are all listed. */
static struct objects chain(struct call *c, const struct plan *p, int first, int *left)
{
	ARRAY(struct room_row) rows = {0};

	for (int i = first; i >= 0 && (!left || (*left)-- > 0); i = p->rooms.items[i].next_sibling) {
		struct room_row row = room_row(c, p, &p->rooms.items[i]);
		int own = SUB_ROOMS_LISTED;

		if (p->rooms.items[i].first_child >= 0)
			row.rooms = chain(c, p, p->rooms.items[i].first_child, left ? left : &own);
		if (own < 0)
			warn(c, "%d sub-rooms of %s are listed; analyze_floorplan lists all of them", SUB_ROOMS_LISTED,
			     shown(c, p->rooms.items[i].name));
		*ARRAY_PUSH(c->arena, &rows) = row;
	}
	return (struct objects){rows.items, rows.n};
}

struct objects answer_rooms(struct call *c, const struct plan *p)
{
	ARRAY(struct room_row) rows = {0};

	for (size_t f = 0; f < p->floors.n; f++) {
		struct objects floor = chain(c, p, p->floors.items[f].first_room, NULL);

		for (size_t i = 0; i < floor.n; i++)
			*ARRAY_PUSH(c->arena, &rows) = ((const struct room_row *)floor.items)[i];
	}
	return (struct objects){rows.items, rows.n};
}

struct objects answer_stairs(struct call *c, const struct plan *p)
{
	struct arena *a = c->arena;
	struct stair_row *rows = arena_array(a, p->stairs.n + 1, sizeof *rows);

	for (size_t i = 0; i < p->stairs.n; i++) {
		const struct plan_stair *s = &p->stairs.items[i];

		rows[i] = (struct stair_row){answer_name(c, s->name),
					     answer_name(c, p->floors.items[s->floor].name),
					     answer_name(c, s->label),
					     (int)s->shape,
					     tidy_point(a, s->box.x, s->box.y),
					     tidy_extent(a, s->box.width, s->box.height),
					     tidy(s->rise),
					     tidy(s->width),
					     tidy(s->riser),
					     tidy(s->tread),
					     s->steps};
	}
	return (struct objects){rows, p->stairs.n};
}

struct objects answer_lifts(struct call *c, const struct plan *p)
{
	struct arena *a = c->arena;
	struct lift_row *rows = arena_array(a, p->lifts.n + 1, sizeof *rows);

	for (size_t i = 0; i < p->lifts.n; i++) {
		const struct plan_lift *l = &p->lifts.items[i];

		rows[i] = (struct lift_row){answer_name(c, l->name),
					    answer_name(c, p->floors.items[l->floor].name),
					    answer_name(c, l->label),
					    tidy_point(a, l->box.x, l->box.y),
					    tidy_extent(a, l->box.width, l->box.height),
					    {arena_array(a, 4, sizeof(int)), 0}};
		for (int s = 0; s < 4; s++)
			if (l->doors[s])
				rows[i].doors.items[rows[i].doors.n++] = s;
	}
	return (struct objects){rows, p->lifts.n};
}

/* The area that the rooms of a floor cover, in square plan units. Overlaps count once. */
static double footprint(struct arena *a, const struct plan *p, int floor)
{
	struct box *boxes = arena_array(a, (size_t)p->floors.items[floor].rooms + 1, sizeof *boxes);
	size_t n = 0;

	for (int i = p->floors.items[floor].first_room; i >= 0; i = p->rooms.items[i].next_sibling)
		if (p->rooms.items[i].placed)
			boxes[n++] = p->rooms.items[i].box;
	return boxes_cover(a, boxes, n);
}

static double two_places(double n) { return round(n * 100) / 100 + 0.0; }

struct objects answer_page(struct call *c, struct objects list, const struct shape *shape, size_t most, size_t bytes,
			   int64_t first, const char *noun, const char *call)
{
	size_t from = (uint64_t)first < list.n ? (size_t)first : list.n, n = 0, used = 0;

	for (; from + n < list.n && n < most; n++) {
		struct arena scratch = {0};
		struct buffer b = {.arena = &scratch};
		struct json_out o = {.to = &b};

		fields_encode(&o, shape->fields, (const char *)list.items + (from + n) * shape->size);
		used += b.len + 1;
		arena_free(&scratch);
		if (used > bytes && n)
			break;
	}
	if (from + n < list.n)
		warn(c, "%s %zu to %zu of %zu are listed; %s %zu for the rest", noun, from, from + n - 1, list.n, call,
		     from + n);
	return (struct objects){n ? (char *)list.items + from * shape->size : list.items, n};
}

struct objects answer_floors(struct call *c, const struct plan *p, enum area_unit unit)
{
	struct arena *a = c->arena;
	struct floor_row *rows = arena_array(a, p->floors.n + 1, sizeof *rows);

	for (size_t i = 0; i < p->floors.n; i++) {
		const struct plan_floor *f = &p->floors.items[i];
		double area = f->box.width * f->box.height;
		struct arena scratch = {0}; /* walls need much memory, and only their measures are kept */
		struct wall_graph walls;
		struct bounds_row bounds = {tidy(f->box.width), tidy(f->box.height),
					    two_places(plan_area_in(p, area, unit)), tidy(f->box.x), tidy(f->box.y)};

		wall_graph_make(&scratch, p, (int)i, &walls);
		struct floor_areas areas = floor_areas(&scratch, p, (int)i, &walls);
		double covered = footprint(&scratch, p, (int)i);
		rows[i] = (struct floor_row){answer_name(c, f->name),
					     (int64_t)i,
					     f->rooms,
					     two_places(plan_area_in(p, areas.net, unit)),
					     two_places(plan_area_in(p, areas.centre_line, unit)),
					     two_places(plan_area_in(p, areas.gross, unit)),
					     two_places(plan_area_in(p, covered, unit)),
					     arena_copy(a, &bounds, sizeof bounds),
					     area > 0 ? two_places(f->centre_line_area / area) : 0};
		arena_free(&scratch);
	}
	return (struct objects){rows, p->floors.n};
}

const struct unit_said *answer_unit(struct arena *a, const struct plan *p)
{
	return arena_copy(a, &(struct unit_said){(int)p->unit, p->unit_assumed}, sizeof(struct unit_said));
}

bool plan_source(struct call *c, struct text dsl, struct text file_path, struct text *out)
{
	struct document *document;

	if (!dsl.at == !file_path.at)
		return fail(c, dsl.at ? FAULT_ARGUMENT : FAULT_MISSING,
			    "give %s: the plan's text as dsl, or the path of a file as file_path",
			    dsl.at ? "only one of the two" : "one of the two");
	if (dsl.at && dsl.len > PLAN_MAX)
		return fail(c, FAULT_TOO_LARGE, "the plan has %zu bytes; at most %d are read", dsl.len, (int)PLAN_MAX);
	if (dsl.at) {
		*out = dsl;
		return true;
	}
	if (!c->work)
		return fail(c, FAULT_PATH, "no folder is served, so there is no file; give the plan's text as dsl");
	if (!document_open(c, file_path, &document))
		return false;
	*out = document_bytes(document);
	return true;
}

struct plan *plan_checked(struct call *c, struct text source)
{
	struct plan *p = plan_read(c->arena, source);

	return fixes_offer(c, p) ? p : NULL;
}

/* Rows as JSON, for the error object. */
static const struct json *as_json(struct call *c, struct objects list, const struct shape *shape)
{
	struct buffer b = {.arena = c->arena};
	struct json_out o = {.to = &b};
	struct json_error ignored;

	json_open(&o, '[');
	for (size_t i = 0; i < list.n; i++)
		fields_encode(&o, shape->fields, (const char *)list.items + i * shape->size);
	json_close(&o, ']');
	return json_parse(c->arena, buffer_text(&b), JSON_DEPTH_MAX, &ignored);
}

bool plan_refuse(struct call *c, const struct plan *p)
{
	struct json *details = json_new_object(c->arena);
	struct objects errors = answer_problems(c, p, true, 0, "call validate_floorplan with firstError");
	struct objects warnings = answer_problems(c, p, false, 0, "call validate_floorplan with firstWarning");
	const struct problem_row *first = errors.n ? errors.items : NULL;

	json_set(c->arena, details, "errors", as_json(c, errors, &problem_shape));
	if (warnings.n)
		json_set(c->arena, details, "warnings", as_json(c, warnings, &warning_shape));
	fail_as(c, first ? text_string(c->arena, first->type) : "parse", "%s",
		first ? text_string(c->arena, first->message) : "the plan has errors");
	if (first) {
		c->error.line = (uint32_t)first->line;
		c->error.column = (uint32_t)first->column;
	}
	c->error.details = details;
	return false;
}
