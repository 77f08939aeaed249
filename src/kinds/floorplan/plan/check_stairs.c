/* check_stairs.c: checks verticals, and the sizes and places of stairs and lifts. */
#include "kinds/floorplan/plan/reading.h"

#include <math.h>
#include <stdlib.h>

static const struct box *stop_box(const struct plan *p, const struct plan_stop *s)
{
	return s->kind == ELEMENT_STAIR ? &p->stairs.items[s->index].box : &p->lifts.items[s->index].box;
}

static bool read_stop(struct reading *r, const struct stop_syntax *t, struct plan_stop *out)
{
	const uint32_t *floor = map_find(&r->floors, t->floor.text);

	if (!floor) {
		report_error(&r->report, PROBLEM_VERTICAL, t->floor.span.from, "there is no floor '%s'",
			     shown_name(r, t->floor.text));
		return false;
	}
	const uint32_t *element = map_find(&r->floor_elements[*floor], t->element.text);

	if (!element) {
		report_error(&r->report, PROBLEM_VERTICAL, t->element.span.from, "floor %s has no stair or lift '%s'",
			     shown_name(r, t->floor.text), shown_name(r, t->element.text));
		return false;
	}
	*out = (struct plan_stop){(int)*floor, *element % 2 ? ELEMENT_LIFT : ELEMENT_STAIR, (int)(*element / 2)};
	return true;
}

static void check_step(struct reading *r, const struct stop_syntax *place, const struct plan_stop *a,
		       const struct plan_stop *b)
{
	const struct plan *p = r->plan;
	const struct box *one = stop_box(p, a), *other = stop_box(p, b);
	uint32_t at = place->floor.span.from;

	if (fabs(one->x - other->x) > 0.5 || fabs(one->y - other->y) > 0.5)
		report_warning(&r->report, PROBLEM_VERTICAL, at,
			       "%s.%s is at (%s,%s), what it joins at (%s,%s); they should lie above each other",
			       shown_name(r, place->floor.text), shown_name(r, place->element.text),
			       figure(r->arena, other->x), figure(r->arena, other->y), figure(r->arena, one->x),
			       figure(r->arena, one->y));
	if (abs(a->floor - b->floor) > 1)
		report_warning(&r->report, PROBLEM_VERTICAL, at, "between %s and %s a floor is skipped",
			       shown_name(r, p->floors.items[a->floor].name),
			       shown_name(r, p->floors.items[b->floor].name));
	if (a->floor == b->floor)
		report_warning(&r->report, PROBLEM_VERTICAL, at, "both are on floor %s",
			       shown_name(r, p->floors.items[a->floor].name));
	if (a->kind != b->kind)
		report_warning(&r->report, PROBLEM_VERTICAL, at, "a stair is joined to a lift");
}

static void mark_chain(struct plan *p, const struct plan_vertical *v)
{
	for (size_t i = 0; i < v->n; i++)
		for (size_t k = 0; k < v->n; k++) {
			if (v->stops[i].kind != ELEMENT_STAIR || v->stops[k].floor == v->stops[i].floor)
				continue;
			struct plan_stair *s = &p->stairs.items[v->stops[i].index];

			*(v->stops[k].floor > v->stops[i].floor ? &s->goes_up : &s->comes_from_below) = true;
		}
}

void read_verticals(struct reading *r)
{
	struct plan *p = r->plan;

	for (size_t i = 0; i < r->syntax->statements.n; i++) {
		const struct statement *s = r->syntax->statements.items[i];

		if (s->kind != STATEMENT_VERTICAL || s->broken)
			continue;
		struct plan_vertical v = {.stops = arena_array(r->arena, s->stops.n, sizeof(struct plan_stop)),
					  .statement = (uint32_t)i};
		size_t last = SIZE_MAX;

		for (size_t k = 0; k < s->stops.n; k++) {
			if (!read_stop(r, &s->stops.items[k], &v.stops[v.n]))
				continue;
			if (v.n && last + 1 == k)
				check_step(r, &s->stops.items[k], &v.stops[v.n - 1], &v.stops[v.n]);
			v.n++;
			last = k;
		}
		if (v.n <= 64)
			mark_chain(p, &v);
		*ARRAY_PUSH(r->arena, &p->verticals) = v;
	}
}

/* 0.18m, or 0.625ft (7.5in): in plans in feet, stairs are usually measured in inches. */
static const char *measure(const struct reading *r, double length)
{
	enum unit unit = r->plan->unit;
	const char *own = figure(r->arena, round(length * 1000) / 1000), *name = word_of(SET_UNIT, (int)unit);
	const char *small = figure(r->arena, round(length / inches(r, 1) * 100) / 100);

	return unit == UNIT_FT ? text_format(r->arena, "%s%s (%s%s)", own, name, small, word_of(SET_UNIT, UNIT_IN)).at
			       : text_format(r->arena, "%s%s", own, name).at;
}

static void below(struct reading *r, const struct plan_stair *s, const struct length *place, const char *what,
		  double value, double least, bool at_most)
{
	const struct statement *t = statement_of(r, s->statement);
	double unit = inches(r, 1), slack = 0.005 * unit;
	enum stair_code code = r->plan->config.stair_code;
	const char *by = code == STAIR_CODE_NONE ? "comfort" : word_of(SET_STAIR_CODE, (int)code);

	if (least <= 0 || (at_most ? value <= least * unit + slack : value >= least * unit - slack))
		return;
	report_warning(&r->report, PROBLEM_STAIR, place->there ? place->span.from : t->name.span.from,
		       "stair %s: %s %s; %s wants %s %s", shown_name(r, s->name), what, measure(r, value), by,
		       at_most ? "at most" : "at least", measure(r, least * unit))
		->room = s->name;
}

static void check_measures(struct reading *r, const struct plan_stair *s)
{
	const struct stair_code_row *row = &stair_code_rows[r->plan->config.stair_code];
	const struct stair_syntax *t = statement_of(r, s->statement)->stair;

	below(r, s, &t->riser, "riser", s->riser, row->riser, true);
	below(r, s, &t->tread, "tread", s->tread, row->tread, false);
	if (s->shape != STAIR_SPIRAL)
		below(r, s, &t->width, "width", s->width, row->width, false);
	below(r, s, &t->headroom, "headroom", s->headroom, row->headroom, false);
}

static void check_steps(struct reading *r, const struct plan_stair *s)
{
	const struct statement *t = statement_of(r, s->statement);
	size_t steps = 0;
	bool counted = t->stair->run_count || s->shape == STAIR_CUSTOM;

	for (size_t i = 0; i < s->part_count; i++)
		steps += s->parts[i].steps;
	if (counted && steps != (size_t)s->steps)
		report_warning(&r->report, PROBLEM_STAIR, t->stair->shape_word.from,
			       "stair %s has %zu steps in its flights, but its rise of %s takes %d of at most %s",
			       shown_name(r, s->name), steps, measure(r, s->rise), s->steps, measure(r, s->riser_limit))
			->room = s->name;
}

static void narrow(struct reading *r, const struct plan_stair *s, const struct size *landing)
{
	if (!landing->there)
		return;
	double least = fmin(in_plan(r, &landing->width), in_plan(r, &landing->height));

	if (least < s->width - 1e-6)
		report_warning(&r->report, PROBLEM_STAIR, landing->span.from,
			       "stair %s: a landing of %s is narrower than its flights (%s)", shown_name(r, s->name),
			       measure(r, least), measure(r, s->width))
			->room = s->name;
}

static bool holds(const struct box *room, const struct box *b)
{
	double slack = 0.011;

	return b->x >= room->x - slack && b->y >= room->y - slack && b->x + b->width <= room->x + room->width + slack &&
	       b->y + b->height <= room->y + room->height + slack;
}

static void check_inside(struct reading *r, const char *what, struct text name, int floor, const struct box *box,
			 uint32_t at)
{
	const struct plan *p = r->plan;

	for (int i = p->floors.items[floor].first_room; i >= 0; i = p->rooms.items[i].next_sibling)
		if (p->rooms.items[i].placed && holds(&p->rooms.items[i].box, box))
			return;
	report_warning(&r->report, PROBLEM_STAIR, at,
		       "%s %s covers (%s,%s) to (%s,%s) and lies inside no room of floor %s", what, shown_name(r, name),
		       figure(r->arena, box->x), figure(r->arena, box->y), figure(r->arena, box->x + box->width),
		       figure(r->arena, box->y + box->height), shown_name(r, p->floors.items[floor].name))
		->room = name;
}

static struct text element_name(const struct plan *p, int i)
{
	return i < (int)p->stairs.n ? p->stairs.items[i].name : p->lifts.items[i - (int)p->stairs.n].name;
}

static bool elements_meet(void *to, int a, int b)
{
	struct reading *r = to;
	const struct plan *p = r->plan;
	int later = a > b ? a : b;
	uint32_t number = later < (int)p->stairs.n ? p->stairs.items[later].statement
						   : p->lifts.items[later - (int)p->stairs.n].statement;

	report_warning(&r->report, PROBLEM_STAIR, statement_of(r, number)->name.span.from, "%s and %s overlap",
		       shown_name(r, element_name(p, a > b ? b : a)), shown_name(r, element_name(p, later)))
		->room = element_name(p, later);
	return p->problems.warnings < WARNINGS_MAX;
}

static void check_elements(struct reading *r)
{
	const struct plan *p = r->plan;
	struct swept *items = arena_array(r->arena, p->stairs.n + p->lifts.n + 1, sizeof *items);
	size_t n = 0;

	for (size_t i = 0; i < p->stairs.n; i++)
		if (p->stairs.items[i].placed)
			items[n++] = (struct swept){p->stairs.items[i].box, p->stairs.items[i].floor, (int)i};
	for (size_t i = 0; i < p->lifts.n; i++)
		if (p->lifts.items[i].placed)
			items[n++] =
				(struct swept){p->lifts.items[i].box, p->lifts.items[i].floor, (int)(p->stairs.n + i)};
	sweep(r->arena, items, n, elements_meet, r);
}

void check_stairs(struct reading *r)
{
	const struct plan *p = r->plan;

	for (size_t i = 0; i < p->stairs.n; i++) {
		const struct plan_stair *s = &p->stairs.items[i];
		const struct statement *t = statement_of(r, s->statement);

		if (!s->placed)
			continue;
		check_measures(r, s);
		check_steps(r, s);
		narrow(r, s, &t->stair->landing);
		for (size_t k = 0; k < t->stair->segments.n; k++)
			narrow(r, s, &t->stair->segments.items[k].landing);
		check_inside(r, word_of(SET_STATEMENT, STATEMENT_STAIR), s->name, s->floor, &s->box, t->name.span.from);
	}
	for (size_t i = 0; i < p->lifts.n; i++)
		if (p->lifts.items[i].placed)
			check_inside(r, word_of(SET_STATEMENT, STATEMENT_LIFT), p->lifts.items[i].name,
				     p->lifts.items[i].floor, &p->lifts.items[i].box,
				     statement_of(r, p->lifts.items[i].statement)->name.span.from);
	check_elements(r);
}
