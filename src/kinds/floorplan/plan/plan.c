#include "kinds/floorplan/plan/reading.h"

#include "format/json_write.h"

#include <math.h>
#include <string.h>

double in_plan(const struct reading *r, const struct length *l)
{
	if (l->unit < 0 || l->unit == (int)r->plan->unit)
		return l->value;
	return l->value * unit_rows[l->unit].metres * r->plan->metre;
}

double inches(const struct reading *r, double n) { return n * unit_rows[UNIT_IN].metres * r->plan->metre; }

const struct statement *statement_of(const struct reading *r, uint32_t number)
{
	return r->syntax->statements.items[number];
}

const char *figure(struct arena *a, double n)
{
	char digits[NUMBER_MAX];
	size_t len = number_write(digits, round(n * 1000) / 1000 + 0.0);

	return text_copy(a, (struct text){digits, len}).at;
}

const char *shown_name(struct reading *r, struct text name) { return shown(&r->report.call, name); }

const char *nearest_room(struct reading *r, int floor, struct text name)
{
	enum { GUESSES_MAX = 100 }; /* each compares all rooms, and a hundred are enough */
	const struct plan *p = r->plan;

	if (p->problems.n >= GUESSES_MAX)
		return "";
	const char **names = arena_array(r->arena, p->rooms.n + 1, sizeof *names);
	size_t n = 0;

	for (size_t i = 0; i < p->rooms.n; i++)
		if (floor < 0 || p->rooms.items[i].floor == floor)
			names[n++] = text_string(r->arena, p->rooms.items[i].name);
	const char *near = text_nearest(name, names);

	return near ? text_format(r->arena, "; did you mean %s?", near).at : "";
}

double plan_length_in(const struct plan *p, double length, enum unit unit)
{
	return unit == p->unit ? length : length / p->metre / unit_rows[unit].metres;
}

double plan_area_in(const struct plan *p, double area, enum area_unit unit)
{
	if ((p->unit == UNIT_FT && unit == AREA_SQFT) || (p->unit == UNIT_M && unit == AREA_SQM))
		return area;
	return area / p->metre / p->metre / area_unit_rows[unit];
}

struct plan *plan_read(struct arena *arena, struct text source)
{
	struct plan *plan = arena_new(arena, struct plan);
	struct reading r = {.arena = arena, .plan = plan};

	if (!source.at)
		source = TEXT("");
	plan->source = source;
	report_open(&r.report, arena, source, &plan->problems);
	r.syntax = plan->syntax = syntax_read(arena, source, &r.report);
	r.styles.arena = r.defines.arena = r.floors.arena = r.rooms.arena = arena;
	read_settings(&r);
	read_rooms(&r);
	read_places(&r);
	read_connections(&r);
	read_verticals(&r);
	check_rooms(&r);
	check_connections(&r);
	check_stairs(&r);
	check_access(&r);
	report_sort(&r.report);
	return plan;
}

size_t floor_rooms(const struct plan *p, int floor)
{
	size_t low = 0, high = p->rooms.n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (p->rooms.items[middle].floor < floor)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
