/* edit_storeys.c: the actions on stairs, lifts, verticals and floors. */
#include "kinds/floorplan/edit/edit.h"

#include <math.h>
#include <string.h>

struct element {
	struct text name;
	int floor;
	const struct box *box;
	const struct statement *statement;
};

static size_t element_count(const struct edit *e, enum element_kind kind)
{
	return kind == ELEMENT_STAIR ? e->plan->stairs.n : e->plan->lifts.n;
}

static struct element element_at(const struct edit *e, enum element_kind kind, size_t i)
{
	const struct plan_stair *s = kind == ELEMENT_STAIR ? &e->plan->stairs.items[i] : NULL;
	const struct plan_lift *l = s ? NULL : &e->plan->lifts.items[i];
	uint32_t statement = s ? s->statement : l->statement;

	return (struct element){s ? s->name : l->name, s ? s->floor : l->floor, s ? &s->box : &l->box,
				e->syntax->statements.items[statement]};
}

static struct text floor_name(const struct edit *e, int floor) { return e->plan->floors.items[floor].name; }

static const char *noun_of(enum element_kind kind)
{
	return word_of(SET_STATEMENT, kind == ELEMENT_STAIR ? STATEMENT_STAIR : STATEMENT_LIFT);
}

/* Finds NAME or FLOOR.NAME. Refuses an unknown name, and a name on several floors, with a list of choices. */
static bool find_element(struct edit *e, enum element_kind kind, struct text target, struct element *out)
{
	size_t dot = text_find(target, TEXT("."), 0), n = element_count(e, kind), hits = 0;
	struct text floor = dot == SIZE_MAX ? (struct text){0} : text_slice(target, 0, dot);
	struct text name = dot == SIZE_MAX ? target : text_slice(target, dot + 1, target.len);
	const char **all = arena_array(e->arena, n + 1, sizeof *all),
		   **same = arena_array(e->arena, n + 1, sizeof *same);

	for (size_t i = 0; i < n; i++) {
		struct element one = element_at(e, kind, i);

		all[i] =
			text_format(e->arena, "%.*s.%.*s", TEXT_ARGS(floor_name(e, one.floor)), TEXT_ARGS(one.name)).at;
		if (!text_same(one.name, name) || (floor.at && !text_same(floor_name(e, one.floor), floor)))
			continue;
		same[hits++] = all[i];
		*out = one;
	}
	if (hits == 1)
		return true;
	if (hits)
		return edit_refuse(e, "%s \"%s\" is on several floors; say which: %s", noun_of(kind),
				   shown(e->c, target), listed(e, same, hits, "one of"));
	return edit_refuse(e, "%s \"%s\" was not found; %s", noun_of(kind), shown(e->c, target),
			   listed(e, all, n, "the plan has"));
}

static bool move_element(struct edit *e, enum element_kind kind, struct text target, double x, double y)
{
	struct element one;
	struct buffer b = {.arena = e->arena};

	if (!find_element(e, kind, target, &one) || !check_place(e, x, y))
		return false;
	place_at(e, one.statement, (struct point){one.box->x, one.box->y}, x, y);
	put_point(&b, x, y);
	if (e->splices.n)
		edit_say(e, "moved %s %s to %s", noun_of(kind), shown(e->c, one.name), buffer_text(&b).at);
	return true;
}

/* Removes the stops that `gone` selects from every vertical. A vertical with a single stop left is removed
 * completely. */
static int leave_verticals(struct edit *e, bool (*gone)(const void *, const struct stop_syntax *), const void *of)
{
	int changed = 0;

	for (size_t i = 0; i < e->syntax->statements.n; i++) {
		const struct statement *s = e->syntax->statements.items[i];
		size_t left = 0, last = SIZE_MAX;

		if (s->kind != STATEMENT_VERTICAL)
			continue;
		for (size_t k = 0; k < s->stops.n; k++)
			left += !gone(of, &s->stops.items[k]);
		if (left == s->stops.n)
			continue;
		changed++;
		if (left < 2) {
			cut_statement(e, s);
			continue;
		}
		/* The remaining stops keep their bytes. A stop is removed with the `to` before it, the first ones with
		 * the `to` after them. */
		for (size_t k = 0; k < s->stops.n; k++) {
			const struct stop_syntax *stop = &s->stops.items[k];

			if (!gone(of, stop)) {
				if (last == SIZE_MAX && k)
					edit_replace(
						e,
						(struct span){s->stops.items[0].floor.span.from, stop->floor.span.from},
						TEXT(""));
				last = k;
			} else if (last != SIZE_MAX) {
				edit_replace(
					e, (struct span){s->stops.items[k - 1].element.span.to, stop->element.span.to},
					TEXT(""));
			}
		}
	}
	return changed;
}

struct stop_named {
	struct text floor, element;
};

static bool is_stop(const void *of, const struct stop_syntax *stop)
{
	const struct stop_named *named = of;

	return text_same(stop->floor.text, named->floor) && text_same(stop->element.text, named->element);
}

/* A stair or lift that is placed relative to the removed one gets coordinates. */
static void free_beside(struct edit *e, const struct element *gone)
{
	for (int kind = ELEMENT_STAIR; kind <= ELEMENT_LIFT; kind++)
		for (size_t i = 0; i < element_count(e, (enum element_kind)kind); i++) {
			struct element one = element_at(e, (enum element_kind)kind, i);
			const struct statement *s = one.statement;

			if (s != gone->statement && one.floor == gone->floor && s->relative.there &&
			    text_same(s->relative.reference.text, gone->name))
				fix_place(e, s, one.box->x, one.box->y);
		}
}

static bool remove_element(struct edit *e, enum element_kind kind, struct text target)
{
	struct element one;

	if (!find_element(e, kind, target, &one))
		return false;
	struct stop_named named = {floor_name(e, one.floor), one.name};

	free_beside(e, &one);
	int verticals = leave_verticals(e, is_stop, &named);

	cut_statement(e, one.statement);
	edit_say(e, "removed %s %s", noun_of(kind), shown(e->c, one.name));
	if (verticals)
		edit_say(e, "%d vertical%s followed", verticals, verticals == 1 ? "" : "s");
	return true;
}

bool edit_move_stair(struct edit *e, const struct operation *op)
{
	const struct move_stair_params *p = op->params;

	return move_element(e, ELEMENT_STAIR, op->target, p->x, p->y);
}

bool edit_move_lift(struct edit *e, const struct operation *op)
{
	const struct move_lift_params *p = op->params;

	return move_element(e, ELEMENT_LIFT, op->target, p->x, p->y);
}

bool edit_remove_stair(struct edit *e, const struct operation *op)
{
	return remove_element(e, ELEMENT_STAIR, op->target);
}

bool edit_remove_lift(struct edit *e, const struct operation *op)
{
	return remove_element(e, ELEMENT_LIFT, op->target);
}

static const struct statement *floor_statement(const struct edit *e, int floor)
{
	return e->syntax->statements.items[e->plan->floors.items[floor].statement];
}

static bool is_stop_of_floor(const void *of, const struct stop_syntax *stop)
{
	return text_same(stop->floor.text, *(const struct text *)of);
}

bool edit_remove_floor(struct edit *e, const struct operation *op)
{
	const struct plan *p = e->plan;
	int floor = find_floor(e, op->target), connections = 0;

	if (floor < 0)
		return false;
	const struct statement *s = floor_statement(e, floor);

	for (size_t i = 0; i < p->connections.n; i++) {
		const struct plan_connection *k = &p->connections.items[i];
		const struct statement *connect = e->syntax->statements.items[k->statement];
		bool from = k->from.room >= 0 && p->rooms.items[k->from.room].floor == floor;
		bool to = k->to.room >= 0 && p->rooms.items[k->to.room].floor == floor;

		if (!from && !to)
			continue;
		connections++;
		if (connect->parent != s->number) /* one within the floor is removed with it */
			cut_statement(e, connect);
	}
	int verticals = leave_verticals(e, is_stop_of_floor, &p->floors.items[floor].name);

	cut_statement(e, s);
	edit_say(e, "removed floor %s with %d room%s", shown(e->c, op->target), p->floors.items[floor].rooms,
		 p->floors.items[floor].rooms == 1 ? "" : "s");
	if (connections)
		edit_say(e, "%d connection%s went with it", connections, connections == 1 ? "" : "s");
	if (verticals)
		edit_say(e, "%d vertical%s followed", verticals, verticals == 1 ? "" : "s");
	return true;
}

bool edit_move_floor(struct edit *e, const struct operation *op)
{
	const struct move_floor_params *p = op->params;
	int floor = find_floor(e, op->target);

	if (floor < 0)
		return false;
	if (p->index >= (int64_t)e->plan->floors.n)
		return edit_refuse(e, "index %lld: the plan has floors 0 to %zu", (long long)p->index,
				   e->plan->floors.n - 1);
	if (p->index == floor)
		return true;
	const struct statement *s = floor_statement(e, floor), *other = floor_statement(e, (int)p->index);
	struct text whole = text_slice(e->source, s->span.from, s->span.to);

	cut_statement(e, s);
	if (p->index < floor)
		insert_before(e, other, whole);
	else
		insert_behind(e, other, whole);
	edit_say(e, "floor %s is number %lld now", shown(e->c, op->target), (long long)p->index);
	return true;
}

static bool read_stop(struct edit *e, struct text t, struct stop_named *out)
{
	size_t dot = text_find(t, TEXT("."), 0);

	if (dot == SIZE_MAX)
		return edit_refuse(e, "\"%s\" is no stop: expected FLOOR.NAME of a stair or lift", shown(e->c, t));
	*out = (struct stop_named){text_slice(t, 0, dot), text_slice(t, dot + 1, t.len)};
	int floor = find_floor(e, out->floor);

	if (floor < 0)
		return false;
	const char **names = arena_array(e->arena, e->plan->stairs.n + e->plan->lifts.n + 1, sizeof *names);
	size_t n = 0;

	for (int kind = ELEMENT_STAIR; kind <= ELEMENT_LIFT; kind++)
		for (size_t i = 0; i < element_count(e, (enum element_kind)kind); i++) {
			struct element one = element_at(e, (enum element_kind)kind, i);

			if (one.floor != floor)
				continue;
			if (text_same(one.name, out->element))
				return true;
			names[n++] = text_string(e->arena, one.name);
		}
	return edit_refuse(e, "floor %s has no stair or lift \"%s\"; %s", shown(e->c, out->floor),
			   shown(e->c, out->element), listed(e, names, n, "it has"));
}

bool edit_add_vertical(struct edit *e, const struct operation *op)
{
	const struct add_vertical_params *p = op->params;
	struct buffer b = {.arena = e->arena};
	struct stop_named stop;

	buffer_format(&b, "%s ", word_of(SET_STATEMENT, STATEMENT_VERTICAL));
	for (size_t i = 0; i < p->stops.n; i++) {
		if (!read_stop(e, p->stops.items[i], &stop))
			return false;
		for (size_t k = 0; k < i; k++)
			if (text_same(p->stops.items[i], p->stops.items[k]))
				return edit_refuse(e, "%s is given twice; a vertical stops at each floor once",
						   shown(e->c, p->stops.items[i]));
		if (i)
			buffer_format(&b, " %s ", word_of(SET_GLUE, GLUE_TO));
		buffer_add(&b, p->stops.items[i]);
	}
	e->about = p->stops.items[0];
	for (size_t i = 0; i < e->syntax->statements.n; i++) {
		const struct statement *s = e->syntax->statements.items[i];

		if (s->kind == STATEMENT_VERTICAL &&
		    text_same(text_slice(e->source, s->span.from, s->span.to), buffer_text(&b)))
			return true;
	}
	insert_top(e, STATEMENT_VERTICAL, buffer_text(&b));
	edit_say(e, "joined %zu stairs or lifts", p->stops.n);
	return true;
}

static bool has_stops(const struct statement *s, const struct stop_named *stops, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool found = false;

		for (size_t k = 0; k < s->stops.n && !found; k++)
			found = is_stop(&stops[i], &s->stops.items[k]);
		if (!found)
			return false;
	}
	return true;
}

bool edit_remove_vertical(struct edit *e, const struct operation *op)
{
	const struct remove_vertical_params *p = op->params;
	struct stop_named *stops = arena_array(e->arena, p->stops.n + 1, sizeof *stops);
	const struct statement *found = NULL;
	const char **all = arena_array(e->arena, e->syntax->statements.n + 1, sizeof *all);
	size_t n = 0, hits = 0;

	for (size_t i = 0; i < p->stops.n; i++)
		if (!read_stop(e, p->stops.items[i], &stops[i]))
			return false;
	e->about = p->stops.items[0];
	for (size_t i = 0; i < e->syntax->statements.n; i++) {
		const struct statement *s = e->syntax->statements.items[i];

		if (s->kind != STATEMENT_VERTICAL)
			continue;
		all[n++] = text_string(e->arena, text_slice(e->source, s->span.from, s->span.to));
		if (has_stops(s, stops, p->stops.n)) {
			found = s;
			hits++;
		}
	}
	if (hits != 1)
		return edit_refuse(e, "%s vertical has these stops; %s", hits ? "more than one" : "no",
				   listed(e, all, n, "the plan has:"));
	cut_statement(e, found);
	edit_say(e, "removed the vertical of %s", shown(e->c, p->stops.items[0]));
	return true;
}
