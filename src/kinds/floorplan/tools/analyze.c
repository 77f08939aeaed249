/* analyze.c: analyze_floorplan: the areas, neighbours, doors and windows of a plan, and which rooms can be reached. */
#include "base/array.h"
#include "kinds/floorplan/tools/answer.h"
#include "kinds/floorplan/kind.h"
#include "kinds/floorplan/plan/facing.h"
#include "kinds/floorplan/plan/reach.h"
#include "kinds/floorplan/plan/reading.h"

#include <math.h>

struct analyze_args {
	struct text dsl, file_path;
	int area_unit;
	bool details;
	int64_t first_room, first_floor;
};

struct room_figures {
	struct text name, floor, label;
	double area, net_area;
	const struct extent *dimensions;
	struct maybe_number volume;
	struct texts adjacent;
	struct choices exterior;
	int64_t doors, windows;
	bool reachable;
	struct text parent;
};

struct analyze_summary {
	int64_t floors, rooms;
	double gross_area, net_area, centre_line_area;
	int area_unit;
	int64_t doors, windows, entrances;
	struct texts unreachable;
};

struct analyze_answer {
	bool success;
	const struct analyze_summary *summary;
	const struct unit_said *unit;
	struct objects floors, rooms, warnings;
};

static const struct field analyze_in[] = {
	DSL_ROW(struct analyze_args),
	FILE_ROW(struct analyze_args),
	FIELD_AS("areaUnit", struct analyze_args, area_unit, CHOICE, 0, "Unit of areas; default the plan's",
		 .choices = CHOICES_OF(AREA_UNIT)),
	FIELD_AS("includeRoomDetails", struct analyze_args, details, FLAG, 0, "List every room", .otherwise = "true"),
	FIELD_AS("firstRoom", struct analyze_args, first_room, INT, FIELD_UNLISTED,
		 "Index of the first room to list: for the rest of a long list", .limits = AT_LEAST(0),
		 .otherwise = "0"),
	FIELD_AS("firstFloor", struct analyze_args, first_floor, INT, FIELD_UNLISTED,
		 "Index of the first floor to list: for the rest of a long list", .limits = AT_LEAST(0),
		 .otherwise = "0"),
	FIELDS_END};

static const struct field figures_fields[] = {
	FIELD(struct room_figures, name, TEXT, FIELD_REQUIRED, "Name"),
	FIELD(struct room_figures, floor, TEXT, FIELD_REQUIRED, "Its floor"),
	FIELD(struct room_figures, parent, TEXT, 0, "The room it lies within"),
	FIELD(struct room_figures, label, TEXT, FIELD_EMPTY, "What the drawing says"),
	FIELD(struct room_figures, area, NUMBER, FIELD_REQUIRED, "To wall centre lines, in the area unit"),
	FIELD_AS("netArea", struct room_figures, net_area, NUMBER, FIELD_REQUIRED,
		 "Inside its walls; sub-rooms and their walls included"),
	FIELD(struct room_figures, dimensions, OBJECT, FIELD_REQUIRED, "In the plan's unit", .shape = &extent_answer),
	FIELD(struct room_figures, volume, MAYBE_NUMBER, 0, "In cubic plan units; of rooms with a height of their own"),
	FIELD(struct room_figures, adjacent, TEXTS, FIELD_REQUIRED, "Rooms that share a wall with it, at most 100"),
	FIELD_AS("exteriorSides", struct room_figures, exterior, CHOICES, FIELD_REQUIRED,
		 "Sides with open air behind them", .choices = CHOICES_OF(SIDE)),
	FIELD(struct room_figures, doors, INT, FIELD_REQUIRED, "Doors and openings that lead into it"),
	FIELD(struct room_figures, windows, INT, FIELD_REQUIRED, "Windows"),
	FIELD(struct room_figures, reachable, FLAG, FIELD_REQUIRED, "There is a way in from outside"),
	FIELDS_END};
static const struct shape figures_shape = SHAPE(struct room_figures, "roomFigures", figures_fields);

static const struct field summary_fields[] = {
	FIELD_AS("floorCount", struct analyze_summary, floors, INT, FIELD_REQUIRED, "Floors"),
	FIELD_AS("totalRooms", struct analyze_summary, rooms, INT, FIELD_REQUIRED, "Rooms, without sub-rooms"),
	FIELD_AS("grossFloorArea", struct analyze_summary, gross_area, NUMBER, FIELD_REQUIRED,
		 "Of all floors, to the outer faces of their walls"),
	FIELD_AS("netArea", struct analyze_summary, net_area, NUMBER, FIELD_REQUIRED, "Inside the walls"),
	FIELD_AS("centreLineArea", struct analyze_summary, centre_line_area, NUMBER, FIELD_REQUIRED,
		 "Sum of the rooms, to wall centre lines"),
	FIELD_AS("areaUnit", struct analyze_summary, area_unit, CHOICE, FIELD_REQUIRED, "Unit of the areas",
		 .choices = CHOICES_OF(AREA_UNIT)),
	FIELD(struct analyze_summary, doors, INT, FIELD_REQUIRED, "Doors and openings"),
	FIELD(struct analyze_summary, windows, INT, FIELD_REQUIRED, "Windows"),
	FIELD(struct analyze_summary, entrances, INT, FIELD_REQUIRED, "Ways in from outside"),
	FIELD(struct analyze_summary, unreachable, TEXTS, FIELD_REQUIRED,
	      "Rooms without a way in from outside; FLOOR.ROOM in a plan of several floors"),
	FIELDS_END};
static const struct shape summary_shape = SHAPE(struct analyze_summary, "figures", summary_fields);

static const struct field analyze_out[] = {
	FIELD(struct analyze_answer, success, FLAG, FIELD_REQUIRED, "The plan was analysed"),
	FIELD(struct analyze_answer, summary, OBJECT, FIELD_REQUIRED, "The whole", .shape = &summary_shape),
	FIELD(struct analyze_answer, unit, OBJECT, FIELD_REQUIRED, "The plan's unit", .shape = &unit_shape),
	FIELD(struct analyze_answer, floors, OBJECTS, FIELD_REQUIRED, "Each floor", .shape = &floor_shape),
	FIELD(struct analyze_answer, rooms, OBJECTS, 0, "Each room, sub-rooms included", .shape = &figures_shape),
	FIELD(struct analyze_answer, warnings, OBJECTS, FIELD_REQUIRED, "What is valid but looks wrong",
	      .shape = &warning_shape),
	FIELDS_END};

struct figures {
	struct call *c;
	const struct plan *p;
	struct reach reach;
	struct room_figures *rows;
	struct neighbours {
		int *items;
		size_t n, cap;
	} * near; /* by room */
	int64_t doors, windows, entrances;
};

static bool meet(void *to, const struct side_of_room *far, const struct side_of_room *near)
{
	struct figures *g = to;
	const struct plan_room *rooms = g->p->rooms.items;
	struct shared s;

	if (boxes_share(g->p, &rooms[far->room].box, &rooms[near->room].box, -1, &s) && s.side == far->side) {
		*ARRAY_PUSH(g->c->arena, &g->near[far->room]) = near->room;
		*ARRAY_PUSH(g->c->arena, &g->near[near->room]) = far->room;
	}
	return goes_on(g->c);
}

static int by_place(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void count_sides(struct figures *g, int room)
{
	const struct plan_room *r = &g->p->rooms.items[room];
	struct room_figures *row = &g->rows[room];

	row->exterior.items = arena_array(g->c->arena, 4, sizeof(int));
	for (enum side s = SIDE_TOP; s <= SIDE_LEFT; s++) {
		int doors = 0;

		for (size_t i = 0; i <= r->walls[s].more_count; i++) {
			enum wall_built built = wall_built((i ? &r->walls[s].more[i - 1] : &r->walls[s])->type);

			row->windows += built == BUILT_WINDOW;
			doors += built == BUILT_DOOR;
		}
		row->doors += doors;
		g->doors += doors;
		if (!side_is_free(g->p, &g->reach, room, s))
			continue;
		row->exterior.items[row->exterior.n++] = (int)s;
		g->entrances += doors;
	}
	g->windows += row->windows;
}

enum { NEIGHBOURS_LISTED = 100 }; /* for one room */

static bool walk_rooms(struct figures *g)
{
	const struct plan *p = g->p;

	sides_facing(p, meet, g);
	for (int i = 0; i < g->reach.outside; i++) {
		struct neighbours *near = &g->near[i];
		struct texts *names = &g->rows[i].adjacent;

		if (near->n)
			array_sort(near->items, near->n, sizeof *near->items, by_place);
		names->items = arena_array(g->c->arena, near->n + 1, sizeof *names->items);
		for (size_t k = 0; k < near->n && k < NEIGHBOURS_LISTED; k++)
			names->items[names->n++] = answer_name(g->c, p->rooms.items[near->items[k]].name);
		count_sides(g, i);
	}
	return goes_on(g->c);
}

static void walk_connections(struct figures *g)
{
	const struct plan *p = g->p;

	for (size_t i = 0; i < p->connections.n; i++) {
		const struct plan_connection *k = &p->connections.items[i];

		if (!k->placed)
			continue;
		g->doors++;
		g->entrances += k->from.outside || k->to.outside;
		if (!k->from.outside)
			g->rows[k->from.room].doors++;
		if (!k->to.outside)
			g->rows[k->to.room].doors++;
	}
}

static double two_places(double n) { return round(n * 100) / 100 + 0.0; }

static void fill_rows(struct figures *g, enum area_unit unit)
{
	const struct plan *p = g->p;

	for (size_t i = 0; i < p->rooms.n; i++) {
		const struct plan_room *r = &p->rooms.items[i];
		struct room_figures *row = &g->rows[i];

		row->name = answer_name(g->c, r->name);
		row->floor = answer_name(g->c, p->floors.items[r->floor].name);
		row->label = answer_name(g->c, r->label);
		if (r->parent >= 0)
			row->parent = answer_name(g->c, p->rooms.items[r->parent].name);
		row->area = two_places(plan_area_in(p, r->box.width * r->box.height, unit));
		row->dimensions =
			arena_copy(g->c->arena, &(struct extent){two_places(r->box.width), two_places(r->box.height)},
				   sizeof(struct extent));
		row->volume =
			(struct maybe_number){two_places(r->box.width * r->box.height * r->height), r->has_height};
		row->reachable = reach_joins(&g->reach, (int)i, g->reach.outside);
	}
}

/* FLOOR.ROOM in a plan of several floors, as operations expect it. */
static struct text name_with_floor(struct figures *g, const struct plan_room *r)
{
	if (g->p->floors.n < 2)
		return answer_name(g->c, r->name);
	return answer_name(g->c, text_format(g->c->arena, "%.*s.%.*s", TEXT_ARGS(g->p->floors.items[r->floor].name),
					     TEXT_ARGS(r->name)));
}

static void add_areas(struct figures *g, int floor, enum area_unit unit, struct analyze_summary *to)
{
	const struct plan *p = g->p;
	struct arena scratch = {0}; /* walls need much memory, and only their measures are kept */
	struct wall_graph walls;

	wall_graph_make(&scratch, p, floor, &walls);
	struct floor_areas areas = floor_areas(&scratch, p, floor, &walls);

	to->centre_line_area += plan_area_in(p, areas.centre_line, unit);
	to->net_area += plan_area_in(p, areas.net, unit);
	to->gross_area += plan_area_in(p, areas.gross, unit);
	for (size_t i = floor_rooms(p, floor); i < floor_rooms(p, floor + 1); i++)
		if (p->rooms.items[i].floor == floor && p->rooms.items[i].placed)
			g->rows[i].net_area = two_places(plan_area_in(p, room_net_area(p, &walls, (int)i), unit));
	arena_free(&scratch);
}

static const struct analyze_summary *summarise(struct figures *g, enum area_unit unit)
{
	const struct plan *p = g->p;
	struct analyze_summary *s = arena_new(g->c->arena, struct analyze_summary);
	size_t unreachable = 0;

	s->floors = (int64_t)p->floors.n;
	s->area_unit = (int)unit;
	for (size_t i = 0; i < p->floors.n; i++) {
		s->rooms += p->floors.items[i].rooms;
		add_areas(g, (int)i, unit, s);
	}
	s->net_area = two_places(s->net_area);
	s->gross_area = two_places(s->gross_area);
	s->centre_line_area = two_places(s->centre_line_area);
	s->doors = g->doors;
	s->windows = g->windows;
	s->entrances = g->entrances;
	s->unreachable.items = arena_array(g->c->arena, p->rooms.n + 1, sizeof(struct text));
	for (size_t i = 0; i < p->rooms.n; i++)
		if (!g->rows[i].reachable && ++unreachable <= ROOMS_LISTED)
			s->unreachable.items[s->unreachable.n++] = name_with_floor(g, &p->rooms.items[i]);
	if (unreachable > ROOMS_LISTED)
		warn(g->c, "unreachable names %d of %zu rooms; those listed with reachable false are all of them",
		     ROOMS_LISTED, unreachable);
	return s;
}

static bool analyze(struct call *c, const void *in, void *out)
{
	const struct analyze_args *args = in;
	struct analyze_answer *answer = out;
	struct text source;

	if (!plan_source(c, args->dsl, args->file_path, &source))
		return false;
	const struct plan *p = plan_checked(c, source);

	if (!p)
		return false;
	if (!plan_is_valid(p))
		return plan_refuse(c, p);
	struct figures g = {.c = c,
			    .p = p,
			    .near = arena_array(c->arena, p->rooms.n + 1, sizeof(struct neighbours)),
			    .rows = arena_array(c->arena, p->rooms.n + 1, sizeof(struct room_figures))};
	enum area_unit unit = args->area_unit < 0 ? p->config.area_unit : (enum area_unit)args->area_unit;

	reach_make(c->arena, p, true, &g.reach);
	if (!walk_rooms(&g))
		return false;
	walk_connections(&g);
	fill_rows(&g, unit);
	*answer = (struct analyze_answer){
		.success = true,
		.summary = summarise(&g, unit),
		.unit = answer_unit(c->arena, p),
		.floors = answer_page(c, answer_floors(c, p, unit), &floor_shape, FLOORS_LISTED, FLOORS_BYTES,
				      args->first_floor, "floors", "call again with firstFloor"),
		.warnings = answer_problems(c, p, false, 0, "call validate_floorplan with firstWarning")};
	if (args->details)
		answer->rooms = answer_page(c, (struct objects){g.rows, p->rooms.n}, &figures_shape, ROOMS_LISTED,
					    ROOMS_BYTES, args->first_room, "rooms", "call again with firstRoom");
	return true;
}

const struct tool analyze_tools[] = {
	TOOL("analyze_floorplan", "Measure a floor plan",
	     "Returns areas, neighbours, doors and windows of each room, and rooms that cannot be reached.", TOOL_READS,
	     struct analyze_args, analyze_in, struct analyze_answer, analyze_out, analyze,
	     .example = "{\"dsl\": \"floorplan\\n  floor f1 {\\n    room Office at (0,0) "
			"size (10 x 12) walls [top: solid]\\n  }\\n\"}"),
	TOOLS_END};
