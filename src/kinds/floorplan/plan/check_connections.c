/* check_connections.c: finds doors that overlap, miss their wall or do not fit it. */
#include "kinds/floorplan/plan/order.h"
#include "kinds/floorplan/plan/reading.h"

#include <math.h>

static const struct connect_syntax *written(const struct reading *r, const struct plan_connection *k)
{
	return statement_of(r, k->statement)->connect;
}

static const char *end_name(struct reading *r, const struct plan_end *e)
{
	if (e->side < 0 || e->outside)
		return shown_name(r, e->name);
	return text_format(r->arena, "%s.%s", shown_name(r, e->name), word_of(SET_SIDE, e->side)).at;
}

static const char *pair_name(struct reading *r, const struct plan_connection *k)
{
	return text_format(r->arena, "%s to %s", end_name(r, &k->from), end_name(r, &k->to)).at;
}

static struct problem *warn_about(struct reading *r, const struct plan_connection *k, uint32_t at, const char *message)
{
	struct problem *p = report_warning(&r->report, PROBLEM_CONNECTION, at, "%s", message);

	problem_rooms(&r->report, p, k->from.outside ? k->to.name : k->from.name,
		      k->from.outside || k->to.outside ? (struct text){0} : k->to.name);
	return p;
}

static bool same_ends(const struct plan_connection *a, const struct plan_connection *b)
{
	return (a->from.room == b->from.room && a->to.room == b->to.room) ||
	       (a->from.room == b->to.room && a->to.room == b->from.room);
}

static void tell_meeting(struct reading *r, const struct plan_connection *a, const struct plan_connection *b,
			 struct map *told)
{
	const struct plan_connection *first = a->statement < b->statement ? a : b, *second = first == a ? b : a;
	bool was = false;

	map_at(told, text_format(r->arena, "%u %u", first->statement, second->statement), 1, &was);
	if (was)
		return;
	struct problem *p = report_error(
		&r->report, PROBLEM_CONNECTION, statement_of(r, second->statement)->span.from,
		"connections %s at %s%% and %s at %s%% overlap on one wall; %s", pair_name(r, first),
		figure(r->arena, first->percent), pair_name(r, second), figure(r->arena, second->percent),
		same_ends(first, second) ? "remove one, or give it another place" : "give one of them another place");

	problem_rooms(&r->report, p, second->from.name, second->to.name);
	p->room = second->from.name;
	if (first->type == second->type && same_ends(first, second))
		suggest_removal(r, p, second);
}

/* Percents of different pairs of rooms are relative to different walls, so only the true places show whether doors
 * overlap. */
static bool lie_apart(const struct plan_connection *a, const struct plan_connection *b)
{
	return !same_ends(a, b) && (!a->placed || !b->placed || a->vertical != b->vertical ||
				    fabs(a->centre - b->centre) > (a->width + b->width) / 2 + 1e-6);
}

static double claimed_half(const struct plan_connection *k) { return door_rows[k->type].percent / 2; }

/* Measures like the public language: a share of the wall around the percent, independent of the true widths. */
static void check_meetings(struct reading *r)
{
	const struct plan *p = r->plan;
	struct place_in_order *claims = array_room(r->arena, p->connections.n * 2 + 1, sizeof *claims);
	struct map told = {.arena = r->arena};
	size_t n = 0;

	/* First all connections from a room, then all to a room: two lists that are often in order. */
	for (int far = 0; far < 2; far++)
		for (size_t i = 0; i < p->connections.n; i++) {
			const struct plan_connection *k = &p->connections.items[i];
			const struct plan_end *end = far ? &k->to : &k->from;

			if (k->from.room >= 0 && k->to.room >= 0 && k->from.side_given && k->to.side_given)
				claims[n++] = (struct place_in_order){k->percent - claimed_half(k),
								      end->room * 4 + end->side, (uint32_t)i};
		}
	order(r->arena, claims, n);
	for (size_t i = 0; i < n; i++) {
		const struct plan_connection *one = &p->connections.items[claims[i].index];
		double high = one->percent + claimed_half(one);

		for (size_t k = i + 1; k < n && claims[k].group == claims[i].group && claims[k].key <= high; k++) {
			if (p->problems.errors >= ERRORS_MAX)
				return;
			if (claims[k].index != claims[i].index &&
			    !lie_apart(one, &p->connections.items[claims[k].index]))
				tell_meeting(r, one, &p->connections.items[claims[k].index], &told);
		}
	}
}

static const double one_line = 1e-6; /* lines that are closer count as equal */

/* Orders connections on walls by floor, direction, line and start. */
static size_t order_places(struct reading *r, struct place_in_order *list)
{
	const struct plan *p = r->plan;
	size_t n = 0;

	for (size_t i = 0; i < p->connections.n; i++) {
		const struct plan_connection *k = &p->connections.items[i];

		if (k->placed)
			list[n++] = (struct place_in_order){k->line, k->floor * 2 + k->vertical, (uint32_t)i};
	}
	order(r->arena, list, n);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1;
		     end < n && list[end].group == list[i].group && list[end].key - list[end - 1].key <= one_line;)
			end++;
		for (size_t k = i; k < end; k++) {
			const struct plan_connection *on = &p->connections.items[list[k].index];

			list[k].key = on->centre - on->width / 2;
		}
		order(r->arena, list + i, end - i);
	}
	return n;
}

static bool claimed_meeting(const struct plan_connection *a, const struct plan_connection *b)
{
	double reach = (door_rows[a->type].percent + door_rows[b->type].percent) / 2;
	bool named = a->from.side_given && a->to.side_given && b->from.side_given && b->to.side_given &&
		     !a->from.outside && !a->to.outside && !b->from.outside && !b->to.outside;

	return named && fabs(a->percent - b->percent) <= reach && !lie_apart(a, b);
}

static void check_places(struct reading *r)
{
	const struct plan *p = r->plan;
	struct place_in_order *list = array_room(r->arena, p->connections.n + 1, sizeof *list);
	size_t n = order_places(r, list);

	for (size_t i = 0; i + 1 < n; i++) {
		const struct plan_connection *a = &p->connections.items[list[i].index],
					     *b = &p->connections.items[list[i + 1].index];

		if (list[i].group != list[i + 1].group || fabs(a->line - b->line) > one_line ||
		    a->centre + a->width / 2 <= b->centre - b->width / 2 + 1e-6 || claimed_meeting(a, b))
			continue;
		const struct plan_connection *second = a->statement > b->statement ? a : b,
					     *first = second == a ? b : a;

		struct problem *q =
			warn_about(r, second, statement_of(r, second->statement)->span.from,
				   text_format(r->arena, "connections %s and %s overlap at their true widths",
					       pair_name(r, first), pair_name(r, second))
					   .at);

		suggest_percent(r, q, second, 25);
		suggest_percent(r, q, second, 75);
		if (same_ends(first, second))
			suggest_removal(r, q, second);
	}
}

static bool check_ends(struct reading *r, const struct plan_connection *k)
{
	const struct connect_syntax *t = written(r, k);
	const struct plan_end *ends[2] = {&k->from, &k->to};
	const struct end_syntax *places[2] = {&t->from, &t->to};
	bool sound = true;

	for (int i = 0; i < 2; i++) {
		if (ends[i]->outside || ends[i]->room >= 0)
			continue;
		struct problem *p =
			warn_about(r, k, places[i]->name.span.from,
				   text_format(r->arena, "there is no room '%s'%s; the connection is not drawn",
					       shown_name(r, ends[i]->name), nearest_room(r, -1, ends[i]->name))
					   .at);

		suggest_removal(r, p, k);
		sound = false;
	}
	if (k->from.outside && k->to.outside) {
		suggest_removal(
			r, warn_about(r, k, t->from.span.from, "both ends are outside; the connection is not drawn"),
			k);
		return false;
	}
	if (!sound || k->from.outside || k->to.outside)
		return sound;
	const struct plan_room *a = &r->plan->rooms.items[k->from.room], *b = &r->plan->rooms.items[k->to.room];

	if (k->from.room == k->to.room) {
		suggest_removal(
			r,
			warn_about(r, k, t->to.span.from, "both ends are the same room; the connection is not drawn"),
			k);
		return false;
	}
	if (a->floor != b->floor) {
		struct problem *p = warn_about(
			r, k, t->from.span.from,
			text_format(r->arena,
				    "%s is on floor %s and %s on floor %s; connect joins rooms of one floor, "
				    "vertical joins stairs or lifts",
				    shown_name(r, a->name), shown_name(r, r->plan->floors.items[a->floor].name),
				    shown_name(r, b->name), shown_name(r, r->plan->floors.items[b->floor].name))
				.at);

		suggest_removal(r, p, k);
		return false;
	}
	return a->placed && b->placed;
}

/* FLOOR.ROOM.SIDE, with the requested parts. */
static struct text end_written(struct reading *r, int room, bool with_floor, int side)
{
	const struct plan_room *it = &r->plan->rooms.items[room];
	struct buffer b = {.arena = r->arena};

	if (with_floor)
		buffer_format(&b, "%.*s.", TEXT_ARGS(r->plan->floors.items[it->floor].name));
	buffer_add(&b, it->name);
	if (side >= 0)
		buffer_format(&b, ".%s", word_of(SET_SIDE, side));
	return buffer_text(&b);
}

/* Suggests moving the second room until it touches the first, if they face each other. */
static void suggest_touch(struct reading *r, struct problem *p, const struct plan_connection *k)
{
	const struct plan_room *room = &r->plan->rooms.items[k->to.room];
	const struct box *a = &r->plan->rooms.items[k->from.room].box, *b = &room->box;
	double x = b->x, y = b->y;

	if (!room->has_at || room->relative || room->depth)
		return;
	if (b->y < a->y + a->height && a->y < b->y + b->height)
		x = b->x > a->x ? a->x + a->width : a->x - b->width;
	else if (b->x < a->x + a->width && a->x < b->x + b->width)
		y = b->y > a->y ? a->y + a->height : a->y - b->height;
	else
		return;
	suggest_move(r, p, k->to.room, x, y);
}

static bool check_boundary(struct reading *r, const struct plan_connection *k)
{
	const struct connect_syntax *t = written(r, k);
	struct shared s;

	if (k->shared || k->from.outside || k->to.outside || is_ancestor(r->plan, k->from.room, k->to.room) ||
	    is_ancestor(r->plan, k->to.room, k->from.room))
		return true;
	const struct box *a = &r->plan->rooms.items[k->from.room].box, *b = &r->plan->rooms.items[k->to.room].box;
	bool elsewhere = boxes_share(r->plan, a, b, -1, &s);
	const char *where = !elsewhere ? ""
				       : text_format(r->arena, "; they share %s.%s", shown_name(r, k->from.name),
						     word_of(SET_SIDE, (int)s.side))
						 .at;
	struct problem *p =
		warn_about(r, k, t->from.span.from,
			   text_format(r->arena, "%s and %s share no wall there%s; the connection is not drawn",
				       end_name(r, &k->from), end_name(r, &k->to), where)
				   .at);

	if (elsewhere)
		suggest_ends(r, p, k, end_written(r, k->from.room, t->from.floor.text.at, (int)s.side),
			     end_written(r, k->to.room, t->to.floor.text.at, (int)opposite(s.side)));
	else
		suggest_touch(r, p, k);
	suggest_removal(r, p, k);
	return false;
}

/* Warns if rooms of these names are on two floors and the text does not name the floor. */
static void check_floor(struct reading *r, const struct plan_connection *k)
{
	const struct connect_syntax *t = written(r, k);
	const struct plan_end *in = k->from.outside ? &k->to : &k->from;

	if (k->also_floor < 0)
		return;
	const char *floor = shown_name(r, r->plan->floors.items[k->floor].name);
	bool both = !k->from.outside && !k->to.outside;
	struct problem *p = warn_about(
		r, k, t->from.span.from,
		text_format(r->arena, "%s%s%s %s on floors %s and %s; %s is taken. Write %s.%s to say which",
			    shown_name(r, in->name), both ? " and " : "", both ? shown_name(r, k->to.name) : "",
			    both ? "are" : "is", floor, shown_name(r, r->plan->floors.items[k->also_floor].name), floor,
			    floor, shown_name(r, in->name))
			.at);
	struct text nothing = {0};

	suggest_ends(r, p, k, k->from.outside ? nothing : end_written(r, k->from.room, true, t->from.side),
		     k->to.outside ? nothing : end_written(r, k->to.room, true, t->to.side));
}

/* The drawn place as a percent, rounded towards the middle, so that a door written with it is not moved again. */
static double percent_drawn(const struct plan_connection *k)
{
	double percent = (k->centre - k->low) / (k->high - k->low) * 100;

	return percent < 50 ? ceil(percent * 100 - 1e-6) / 100 : floor(percent * 100 + 1e-6) / 100;
}

static void check_fit(struct reading *r, const struct plan_connection *k)
{
	const struct connect_syntax *t = written(r, k);
	const struct plan *p = r->plan;
	double width = k->wanted_width, length = k->high - k->low;
	uint32_t at = t->size.there ? t->size.span.from : t->from.span.from;
	double wanted = k->low + length * fmin(k->percent, 100) / 100;

	if (width > length + 1e-9) {
		struct problem *q =
			warn_about(r, k, at,
				   text_format(r->arena, "%s is %s wide, the wall between them only %s",
					       pair_name(r, k), figure(r->arena, width), figure(r->arena, length))
					   .at);

		if (length > 0.8 * p->metre)
			suggest_opening(r, q, k, floor((length - 0.2 * p->metre) * 1000) / 1000, k->height);
	} else if (fabs(wanted - k->centre) > 1e-6 && k->percent <= 100) {
		double percent = percent_drawn(k);
		struct problem *q =
			warn_about(r, k, t->at.there ? t->at.span.from : at,
				   text_format(r->arena, "%s at %s%% would run into the corner; it is drawn at %s%%",
					       pair_name(r, k), figure(r->arena, k->percent), figure(r->arena, percent))
					   .at);

		suggest_percent(r, q, k, percent);
	}
	const struct plan_room *a = k->from.room >= 0 ? &p->rooms.items[k->from.room] : &p->rooms.items[k->to.room];
	const struct plan_room *b = k->to.room >= 0 ? &p->rooms.items[k->to.room] : a;
	double lowest = fmin(a->height, b->height);

	if (!k->full && k->height > lowest + 1e-9) {
		struct problem *q =
			warn_about(r, k, at,
				   text_format(r->arena, "%s is %s high, more than its room (%s)", pair_name(r, k),
					       figure(r->arena, k->height), figure(r->arena, lowest))
					   .at);

		suggest_opening(r, q, k, k->width, lowest);
	}
}

/* A door needs a solid wall around it. */
static void check_walls(struct reading *r, const struct plan_connection *k)
{
	const struct plan_end *ends[2] = {&k->from, &k->to};
	const struct connect_syntax *t = written(r, k);
	const struct end_syntax *places[2] = {&t->from, &t->to};

	for (int i = 0; i < 2 && k->type != CONNECTION_OPENING; i++) {
		if (ends[i]->room < 0 || !ends[i]->side_given)
			continue;
		const struct plan_room *room = &r->plan->rooms.items[ends[i]->room];
		enum wall_type type = room->walls[places[i]->side].type;
		enum wall_built built = wall_built(type);

		if (built == BUILT_FULL || (built == BUILT_WINDOW && ends[1 - i]->outside))
			continue;
		const char *drawn = built == BUILT_DOOR ? "where both would meet only the connection is drawn"
							: "a door should be in a solid wall";

		struct problem *p = warn_about(r, k, places[i]->span.from,
					       text_format(r->arena, "%s is %s, and a %s is put into it; %s",
							   end_name(r, ends[i]), word_of(SET_WALL_TYPE, (int)type),
							   word_of(SET_DOOR_TYPE, (int)k->type), drawn)
						       .at);

		suggest_walls(r, p, ends[i]->room, (enum side)places[i]->side, WALL_SOLID);
	}
}

static void check_leaf(struct reading *r, const struct plan_connection *k)
{
	const struct connect_syntax *t = written(r, k);

	if (k->percent > 100) {
		struct problem *p =
			warn_about(r, k, t->at.span.from,
				   text_format(r->arena, "%s%% is beyond the wall; a place on it is 0%% to 100%%",
					       figure(r->arena, k->percent))
					   .at);

		suggest_percent(r, p, k, k->placed ? percent_drawn(k) : 100);
	}
	if (t->opens.text.at && !text_same(t->opens.text, k->from.name) && !text_same(t->opens.text, k->to.name)) {
		struct problem *p = warn_about(
			r, k, t->opens.span.from,
			text_format(r->arena, "it opens into '%s', which is neither of its rooms; expected %s or %s",
				    shown_name(r, t->opens.text), shown_name(r, k->from.name),
				    shown_name(r, k->to.name))
				.at);

		suggest_into(r, p, k, k->to.outside ? k->from.name : k->to.name);
	}
	struct text outside = text_of(word_of(SET_GLUE, GLUE_OUTSIDE));

	if (t->from.outside && t->from.side >= 0)
		suggest_ends(r, warn_about(r, k, t->from.span.from, "outside has no sides; the side is ignored"), k,
			     outside, (struct text){0});
	if (t->to.outside && t->to.side >= 0)
		suggest_ends(r, warn_about(r, k, t->to.span.from, "outside has no sides; the side is ignored"), k,
			     (struct text){0}, outside);
}

void check_connections(struct reading *r)
{
	for (size_t i = 0; i < r->plan->connections.n; i++) {
		const struct plan_connection *k = &r->plan->connections.items[i];

		check_leaf(r, k);
		if (!check_ends(r, k))
			continue;
		check_floor(r, k);
		if (check_boundary(r, k) && k->placed)
			check_fit(r, k);
		check_walls(r, k);
	}
	check_meetings(r);
	check_places(r);
}
