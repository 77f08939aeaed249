/* analyze.c: analyze_floorplan, a plan in figures: areas, neighbours, doors and windows, and what can be reached. */
#include "kinds/floorplan/answer.h"
#include "kinds/floorplan/kind.h"
#include "kinds/floorplan/plan/reading.h"

#include <math.h>

struct analyze_args {
	struct text dsl, file_path;
	int area_unit;
	bool details;
};

struct room_figures {
	struct text name, floor, label;
	double area;
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
	double gross_area, net_area;
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
	DSL_ROW(struct analyze_args), FILE_ROW(struct analyze_args),
	FIELD_AS("areaUnit", struct analyze_args, area_unit, CHOICE, 0, "Unit of areas; default the plan's",
		 .choices = CHOICES_OF(AREA_UNIT)),
	FIELD_AS("includeRoomDetails", struct analyze_args, details, FLAG, 0, "List every room", .otherwise = "true"),
	FIELDS_END};

static const struct field figures_fields[] = {
	FIELD(struct room_figures, name, TEXT, FIELD_REQUIRED, "Name"),
	FIELD(struct room_figures, floor, TEXT, FIELD_REQUIRED, "Its floor"),
	FIELD(struct room_figures, parent, TEXT, 0, "The room it lies within"),
	FIELD(struct room_figures, label, TEXT, FIELD_EMPTY, "What the drawing says"),
	FIELD(struct room_figures, area, NUMBER, FIELD_REQUIRED, "In the area unit"),
	FIELD(struct room_figures, dimensions, OBJECT, FIELD_REQUIRED, "In the plan's unit", .shape = &extent_answer),
	FIELD(struct room_figures, volume, MAYBE_NUMBER, 0, "In cubic plan units; of rooms with a height of their own"),
	FIELD(struct room_figures, adjacent, TEXTS, FIELD_REQUIRED, "Rooms that share a wall with it"),
	FIELD_AS("exteriorSides", struct room_figures, exterior, CHOICES, FIELD_REQUIRED,
		 "Sides with open air behind them", .choices = CHOICES_OF(SIDE)),
	FIELD(struct room_figures, doors, INT, FIELD_REQUIRED, "Doors and openings that lead into it"),
	FIELD(struct room_figures, windows, INT, FIELD_REQUIRED, "Sides with a window"),
	FIELD(struct room_figures, reachable, FLAG, FIELD_REQUIRED, "There is a way in from outside"),
	FIELDS_END};
static const struct shape figures_shape = SHAPE(struct room_figures, "roomFigures", figures_fields);

static const struct field summary_fields[] = {
	FIELD_AS("floorCount", struct analyze_summary, floors, INT, FIELD_REQUIRED, "Floors"),
	FIELD_AS("totalRooms", struct analyze_summary, rooms, INT, FIELD_REQUIRED, "Rooms, without sub-rooms"),
	FIELD_AS("grossFloorArea", struct analyze_summary, gross_area, NUMBER, FIELD_REQUIRED,
		 "Ground covered on all floors, overlaps once"),
	FIELD_AS("netArea", struct analyze_summary, net_area, NUMBER, FIELD_REQUIRED, "Sum of the rooms' areas"),
	FIELD_AS("areaUnit", struct analyze_summary, area_unit, CHOICE, FIELD_REQUIRED, "Unit of the areas",
		 .choices = CHOICES_OF(AREA_UNIT)),
	FIELD(struct analyze_summary, doors, INT, FIELD_REQUIRED, "Doors and openings"),
	FIELD(struct analyze_summary, windows, INT, FIELD_REQUIRED, "Walls with a window"),
	FIELD(struct analyze_summary, entrances, INT, FIELD_REQUIRED, "Ways in from outside"),
	FIELD(struct analyze_summary, unreachable, TEXTS, FIELD_REQUIRED, "Rooms without a way in from outside"),
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

/* --- ways --------------------------------------------------------------------------------------------------------- */

struct figures {
	struct call *c;
	const struct plan *p;
	int *group; /* union-find over rooms; the last one is outside */
	struct room_figures *rows;
	int64_t doors, windows, entrances;
};

static int root(struct figures *g, int i)
{
	while (g->group[i] != i)
		i = g->group[i] = g->group[g->group[i]];
	return i;
}

static void join(struct figures *g, int a, int b) { g->group[root(g, a)] = root(g, b); }

static bool is_gap(const struct plan_room *r, enum side s) { return wall_built(r->walls[s].type) == BUILT_GAP; }

/* A wall type `door` leads to whoever is behind that side. */
static bool is_way(const struct plan_room *r, enum side s) { return wall_built(r->walls[s].type) == BUILT_DOOR; }

static bool is_free(const struct plan *p, const struct plan_room *r, enum side s, double covered)
{
	double length = s == SIDE_TOP || s == SIDE_BOTTOM ? r->box.width : r->box.height;

	return r->depth == 0 && length - covered > 0.1 * p->metre;
}

/* The neighbours of one room; they are few, though each other room might be one. */
struct neighbours {
	struct text *items;
	size_t n, cap;
};

static void meet(struct figures *g, int a, int b, double covered[4], struct neighbours *near)
{
	const struct plan_room *one = &g->p->rooms.items[a], *other = &g->p->rooms.items[b];
	double reach = 0.1 * g->p->metre + 1e-6; /* no tolerance is more */
	struct shared s;

	if (one->box.x > other->box.x + other->box.width + reach ||
	    other->box.x > one->box.x + one->box.width + reach ||
	    one->box.y > other->box.y + other->box.height + reach ||
	    other->box.y > one->box.y + one->box.height + reach)
		return;

	if (!boxes_share(g->p, &one->box, &other->box, -1, &s))
		return;
	covered[s.side] += s.high - s.low;
	*ARRAY_PUSH(g->c->arena, near) = other->name;
	if (is_way(one, s.side) || is_way(other, opposite(s.side)) ||
	    (is_gap(one, s.side) && is_gap(other, opposite(s.side))))
		join(g, a, b);
}

static bool walk_rooms(struct figures *g)
{
	const struct plan *p = g->p;
	int outside = (int)p->rooms.n;
	struct neighbours near = {0};

	for (int a = 0; a < outside; a++) {
		const struct plan_room *r = &p->rooms.items[a];
		double covered[4] = {0};

		if (!goes_on(g->c))
			return false;
		near.n = 0;
		for (int b = r->parent >= 0 ? p->rooms.items[r->parent].first_child
					    : p->floors.items[r->floor].first_room;
		     b >= 0; b = p->rooms.items[b].next_sibling)
			if (a != b)
				meet(g, a, b, covered, &near);
		g->rows[a].adjacent = (struct texts){arena_array(g->c->arena, near.n + 1, sizeof(struct text)), near.n};
		for (size_t i = 0; i < near.n; i++)
			g->rows[a].adjacent.items[i] = near.items[i];
		g->rows[a].exterior.items = arena_array(g->c->arena, 4, sizeof(int));
		for (enum side s = SIDE_TOP; s <= SIDE_LEFT; s++) {
			g->rows[a].windows += wall_built(r->walls[s].type) == BUILT_WINDOW;
			g->rows[a].doors += is_way(r, s);
			g->doors += is_way(r, s);
			if (!is_free(p, r, s, covered[s])) {
				if (r->parent >= 0 && (is_way(r, s) || is_gap(r, s)))
					join(g, a, r->parent);
				continue;
			}
			g->rows[a].exterior.items[g->rows[a].exterior.n++] = (int)s;
			if (is_way(r, s) || is_gap(r, s)) {
				join(g, a, outside);
				g->entrances += is_way(r, s);
			}
		}
		g->windows += g->rows[a].windows;
	}
	return true;
}

static void walk_connections(struct figures *g)
{
	const struct plan *p = g->p;
	int outside = (int)p->rooms.n;

	for (size_t i = 0; i < p->connections.n; i++) {
		const struct plan_connection *k = &p->connections.items[i];
		int a = k->from.outside ? outside : k->from.room, b = k->to.outside ? outside : k->to.room;

		if (!k->placed || a < 0 || b < 0)
			continue;
		join(g, a, b);
		g->doors++;
		g->entrances += a == outside || b == outside;
		if (a < outside)
			g->rows[a].doors++;
		if (b < outside)
			g->rows[b].doors++;
	}
}

static int room_around(const struct plan *p, int floor, const struct box *b)
{
	double x = b->x + b->width / 2, y = b->y + b->height / 2;

	for (int i = p->floors.items[floor].first_room; i >= 0; i = p->rooms.items[i].next_sibling) {
		const struct box *r = &p->rooms.items[i].box;

		if (x >= r->x && x <= r->x + r->width && y >= r->y && y <= r->y + r->height)
			return i;
	}
	return -1;
}

static void walk_verticals(struct figures *g)
{
	const struct plan *p = g->p;

	for (size_t i = 0; i < p->verticals.n; i++) {
		int last = -1;

		for (size_t k = 0; k < p->verticals.items[i].n; k++) {
			const struct plan_stop *s = &p->verticals.items[i].stops[k];
			const struct box *b = s->kind == ELEMENT_STAIR ? &p->stairs.items[s->index].box
								       : &p->lifts.items[s->index].box;
			int room = room_around(p, s->floor, b);

			if (room >= 0 && last >= 0)
				join(g, room, last);
			last = room >= 0 ? room : last;
		}
	}
}

static double two_places(double n) { return round(n * 100) / 100 + 0.0; }

static void fill_rows(struct figures *g, enum area_unit unit)
{
	const struct plan *p = g->p;

	for (size_t i = 0; i < p->rooms.n; i++) {
		const struct plan_room *r = &p->rooms.items[i];
		struct room_figures *row = &g->rows[i];

		row->name = r->name;
		row->floor = p->floors.items[r->floor].name;
		row->label = r->label;
		if (r->parent >= 0)
			row->parent = p->rooms.items[r->parent].name;
		row->area = two_places(plan_area_in(p, r->box.width * r->box.height, unit));
		row->dimensions =
			arena_copy(g->c->arena, &(struct extent){two_places(r->box.width), two_places(r->box.height)},
				   sizeof(struct extent));
		row->volume =
			(struct maybe_number){two_places(r->box.width * r->box.height * r->height), r->has_height};
		row->reachable = root(g, (int)i) == root(g, (int)p->rooms.n);
	}
}

static const struct analyze_summary *summarise(struct figures *g, enum area_unit unit)
{
	const struct plan *p = g->p;
	struct analyze_summary *s = arena_new(g->c->arena, struct analyze_summary);

	s->floors = (int64_t)p->floors.n;
	s->area_unit = (int)unit;
	for (size_t i = 0; i < p->floors.n; i++) {
		s->rooms += p->floors.items[i].rooms;
		s->net_area += plan_area_in(p, p->floors.items[i].net_area, unit);
		s->gross_area += plan_area_in(p, plan_footprint(g->c->arena, p, (int)i), unit);
	}
	s->net_area = two_places(s->net_area);
	s->gross_area = two_places(s->gross_area);
	s->doors = g->doors;
	s->windows = g->windows;
	s->entrances = g->entrances;
	s->unreachable.items = arena_array(g->c->arena, p->rooms.n + 1, sizeof(struct text));
	for (size_t i = 0; i < p->rooms.n; i++)
		if (!g->rows[i].reachable)
			s->unreachable.items[s->unreachable.n++] = p->rooms.items[i].name;
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
			    .group = arena_array(c->arena, p->rooms.n + 1, sizeof(int)),
			    .rows = arena_array(c->arena, p->rooms.n + 1, sizeof(struct room_figures))};
	enum area_unit unit = args->area_unit < 0 ? p->config.area_unit : (enum area_unit)args->area_unit;

	for (size_t i = 0; i <= p->rooms.n; i++)
		g.group[i] = (int)i;
	if (!walk_rooms(&g))
		return false;
	walk_connections(&g);
	walk_verticals(&g);
	fill_rows(&g, unit);
	*answer = (struct analyze_answer){.success = true,
					  .summary = summarise(&g, unit),
					  .unit = answer_unit(c->arena, p),
					  .floors = answer_floors(c->arena, p, unit),
					  .warnings = answer_problems(c->arena, p, false)};
	if (args->details)
		answer->rooms = (struct objects){g.rows, p->rooms.n};
	return true;
}

const struct tool analyze_tools[] = {
	TOOL("analyze_floorplan", "Measure a floor plan",
	     "Returns areas, neighbours, doors and windows of each room, and rooms that cannot be reached.", TOOL_READS,
	     struct analyze_args, analyze_in, struct analyze_answer, analyze_out, analyze,
	     .example = "{\"dsl\": \"floorplan\\n  floor f1 {\\n    room Office at (0,0) "
			"size (10 x 12) walls [top: solid]\\n  }\\n\"}"),
	TOOLS_END};
