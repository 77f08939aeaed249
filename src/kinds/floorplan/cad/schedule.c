#include "kinds/floorplan/cad/schedule.h"

#include "kinds/floorplan/plan/wall_graph.h"
#include "kinds/floorplan/plan/locate.h"

#include <math.h>
#include <string.h>

struct scheduler {
	struct arena *arena;
	const struct plan *plan;
	enum unit length_unit;
	enum area_unit area_unit;
	struct schedule_table *out;
	int floor;
	struct wall_graph walls;
	struct locator locator;
	int *doors, *windows; /* by room */
	int number;
};

static void column(struct scheduler *s, const char *head, const char *unit)
{
	struct schedule_column *c = &s->out->columns[s->out->column_count++];

	c->head = unit && *unit ? text_format(s->arena, "%s_%s", head, unit) : text_copy(s->arena, text_of(head));
	c->name = head;
	c->unit = unit ? unit : "";
	c->is_number = unit != NULL;
}

static void cell(struct scheduler *s, struct text t) { *ARRAY_PUSH(s->arena, &s->out->cells) = t.at ? t : TEXT(""); }

static void cell_number(struct scheduler *s, double n, int decimals)
{
	struct text t = text_format(s->arena, "%.*f", decimals, n);

	/* Drop trailing zeros. */
	while (memchr(t.at, '.', t.len) && (t.at[t.len - 1] == '0' || t.at[t.len - 1] == '.')) {
		bool point = t.at[t.len - 1] == '.';

		t.len--;
		if (point)
			break;
	}
	cell(s, text_is(t, "-0") ? TEXT("0") : t);
}

static void cell_length(struct scheduler *s, double length)
{
	cell_number(s, plan_length_in(s->plan, length, s->length_unit), 3);
}

static void cell_area(struct scheduler *s, double area)
{
	cell_number(s, plan_area_in(s->plan, area, s->area_unit), 2);
}

static struct text room_name(const struct scheduler *s, int room)
{
	return room >= 0 ? s->plan->rooms.items[room].name : text_of(word_of(SET_GLUE, GLUE_OUTSIDE));
}

static int beside(const struct scheduler *s, const struct opening *o, int side, int but)
{
	double along = (o->at.from + o->at.to) / 2, across = o->at.line + side * 0.12 * s->plan->metre;

	return o->at.vertical ? locate(s->plan, &s->locator, across, along, but)
			      : locate(s->plan, &s->locator, along, across, but);
}

/* The rooms on both sides, -1: outside. */
static void ends_of(const struct scheduler *s, const struct opening *o, int ends[2])
{
	if (o->connection >= 0) {
		const struct plan_connection *c = &s->plan->connections.items[o->connection];

		ends[0] = c->from.room;
		ends[1] = c->to.room;
		return;
	}
	ends[0] = o->room;
	ends[1] = beside(s, o, o->type == OPENING_WINDOW ? -1 : -o->leaf, o->room);
	if (o->type == OPENING_WINDOW && ends[1] < 0)
		ends[1] = beside(s, o, 1, o->room);
}

static void count_openings(struct scheduler *s)
{
	for (size_t i = 0; i < s->walls.openings.n; i++) {
		const struct opening *o = &s->walls.openings.items[i];
		int ends[2];

		ends_of(s, o, ends);
		for (int e = 0; e < 2; e++)
			if (ends[e] >= 0)
				++*(o->type == OPENING_WINDOW ? &s->windows[ends[e]] : &s->doors[ends[e]]);
	}
}

static void list_rooms(struct scheduler *s)
{
	count_openings(s);
	for (size_t i = 0; i < s->plan->rooms.n; i++) {
		const struct plan_room *r = &s->plan->rooms.items[i];

		if (r->floor != s->floor || !r->placed)
			continue;
		cell(s, s->plan->floors.items[s->floor].name);
		cell(s, r->name);
		cell(s, r->label);
		cell(s, r->parent >= 0 ? s->plan->rooms.items[r->parent].name : (struct text){0});
		cell_length(s, r->box.width);
		cell_length(s, r->box.height);
		cell_length(s, r->height);
		cell_area(s, r->box.width * r->box.height);
		cell_area(s, room_net_area(s->plan, &s->walls, (int)i));
		cell_number(s, s->doors[i], 0);
		cell_number(s, s->windows[i], 0);
	}
}

static const enum door_type door_types[] = {[OPENING_DOOR] = CONNECTION_DOOR,
					    [OPENING_DOUBLE] = CONNECTION_DOUBLE_DOOR,
					    [OPENING_GAP] = CONNECTION_OPENING};

static struct text door_word(const struct opening *o)
{
	int kind = opening_kind(o);

	return text_of(o->type == OPENING_PANEL || kind == KIND_GLAZED
			       ? word_of(SET_OPENING_KIND, kind)
			       : word_of(SET_DOOR_TYPE, (int)door_types[o->type]));
}

static void list_doors(struct scheduler *s)
{
	for (size_t i = 0; i < s->walls.openings.n; i++) {
		const struct opening *o = &s->walls.openings.items[i];
		bool leaf = o->type == OPENING_DOOR || o->type == OPENING_DOUBLE;
		int ends[2];

		if (o->type == OPENING_WINDOW)
			continue;
		ends_of(s, o, ends);
		cell(s, text_format(s->arena, "D%d", ++s->number));
		cell(s, s->plan->floors.items[s->floor].name);
		cell(s, door_word(o));
		cell(s, room_name(s, ends[0]));
		cell(s, room_name(s, ends[1]));
		cell_length(s, o->at.to - o->at.from);
		cell_length(s, opening_height(s->plan, o));
		cell(s, leaf ? room_name(s, o->into) : (struct text){0});
		/* Seen from the room that the leaf turns into, facing the wall (plan_connection.hinge_high). */
		bool left_is_high = o->at.vertical ? o->leaf > 0 : o->leaf < 0;

		cell(s, o->type == OPENING_DOOR
				? text_of(word_of(SET_TURN, o->hinge_high == left_is_high ? TURN_LEFT : TURN_RIGHT))
				: (struct text){0});
	}
}

static void list_windows(struct scheduler *s)
{
	for (size_t i = 0; i < s->walls.openings.n; i++) {
		const struct opening *o = &s->walls.openings.items[i];

		if (o->type != OPENING_WINDOW)
			continue;
		cell(s, text_format(s->arena, "W%d", ++s->number));
		cell(s, s->plan->floors.items[s->floor].name);
		cell(s, room_name(s, o->room));
		cell(s, text_of(word_of(SET_SIDE, (int)opening_side(s->plan, o))));
		cell_length(s, o->at.to - o->at.from);
		cell_length(s, opening_height(s->plan, o));
		cell_length(s, opening_sill(s->plan, o));
	}
}

static void columns(struct scheduler *s, enum schedule which)
{
	const char *length = word_of(SET_UNIT, (int)s->length_unit), *area = word_of(SET_AREA_UNIT, (int)s->area_unit);

	switch (which) {
	case SCHEDULE_ROOMS:
		column(s, "floor", NULL);
		column(s, "room", NULL);
		column(s, "label", NULL);
		column(s, "within", NULL);
		column(s, "width", length);
		column(s, "depth", length);
		column(s, "height", length);
		column(s, "centre_line_area", area);
		column(s, "net_area", area);
		column(s, "doors", "");
		column(s, "windows", "");
		break;
	case SCHEDULE_DOORS:
		column(s, "mark", NULL);
		column(s, "floor", NULL);
		column(s, "type", NULL);
		column(s, "from", NULL);
		column(s, "to", NULL);
		column(s, "width", length);
		column(s, "height", length);
		column(s, "opens_into", NULL);
		column(s, "hinges", NULL);
		break;
	case SCHEDULE_WINDOWS:
		column(s, "mark", NULL);
		column(s, "floor", NULL);
		column(s, "room", NULL);
		column(s, "side", NULL);
		column(s, "width", length);
		column(s, "height", length);
		column(s, "sill", length);
		break;
	}
}

void schedule_make(struct arena *a, const struct plan *p, const struct draw_options *o, enum schedule which,
		   struct schedule_table *out)
{
	static void (*const lists[])(struct scheduler *) = {
		[SCHEDULE_ROOMS] = list_rooms, [SCHEDULE_DOORS] = list_doors, [SCHEDULE_WINDOWS] = list_windows};
	struct scheduler s = {.arena = a,
			      .plan = p,
			      .out = out,
			      .length_unit = o->length_unit < 0 ? p->unit : (enum unit)o->length_unit,
			      .area_unit = o->area_unit < 0 ? p->config.area_unit : (enum area_unit)o->area_unit,
			      .doors = arena_array(a, p->rooms.n + 1, sizeof(int)),
			      .windows = arena_array(a, p->rooms.n + 1, sizeof(int))};

	*out = (struct schedule_table){0};
	columns(&s, which);
	for (size_t i = 0; i < p->floors.n; i++) {
		if (!o->all_floors && (int)i != o->floor)
			continue;
		s.floor = (int)i;
		wall_graph_make(a, p, (int)i, &s.walls);
		locator_make(a, p, (int)i, &s.locator);
		lists[which](&s);
	}
}

/* Would a spreadsheet run this text as a formula? */
static bool is_formula(struct text t) { return t.len && memchr("=+-@\t\r", t.at[0], 6); }

static bool put_field(struct buffer *b, struct text t, bool is_number)
{
	bool guarded = !is_number && is_formula(t), quoted = guarded;

	for (size_t i = 0; i < t.len && !quoted; i++)
		quoted = t.at[i] == '"' || t.at[i] == ',' || t.at[i] == '\n' || t.at[i] == '\r';
	if (quoted)
		buffer_byte(b, '"');
	if (guarded)
		buffer_byte(b, '\'');
	for (size_t i = 0; i < t.len; i++) {
		if (t.at[i] == '"')
			buffer_byte(b, '"');
		buffer_byte(b, t.at[i]);
	}
	if (quoted)
		buffer_byte(b, '"');
	return guarded;
}

bool schedule_write(struct call *c, const struct plan *p, const struct draw_options *o, struct drawing *out)
{
	struct buffer b = {.arena = c->arena};
	struct schedule_table t;
	size_t guarded = 0;

	schedule_make(c->arena, p, o, o->schedule, &t);
	for (size_t i = 0; i < t.column_count; i++) {
		put_field(&b, t.columns[i].head, true);
		buffer_put(&b, i + 1 < t.column_count ? "," : "\r\n");
	}
	for (size_t i = 0; i < t.cells.n; i++) {
		size_t column = i % t.column_count;

		guarded += put_field(&b, t.cells.items[i], t.columns[column].is_number);
		buffer_put(&b, column + 1 < t.column_count ? "," : "\r\n");
	}
	if (guarded)
		warn(c,
		     "%zu %s with =, +, - or @ and would be run as a formula by a spreadsheet; an apostrophe was put before it",
		     guarded, guarded == 1 ? "cell begins" : "cells begin");
	*out = (struct drawing){
		.bytes = buffer_text(&b), .mime = format_mimes[FORMAT_CSV], .scale = 1, .floor = o->floor};
	return true;
}
