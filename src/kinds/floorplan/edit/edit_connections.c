/* edit_connections.c: the actions on connections. A connection has no name. It is identified by its two ends, and by
 * its percent if several join the same two rooms. */
#include "kinds/floorplan/edit/edit.h"

#include <math.h>

/* An end as named by an operation. */
struct end_named {
	struct text floor, room; /* floor absent: not named */
	int side;                /* -1: none */
};

static bool is_outside(struct text name) { return text_is(name, word_of(SET_GLUE, GLUE_OUTSIDE)); }

/* Splits FLOOR.ROOM.SIDE. A side takes precedence over a room, as in the language. */
static bool read_end(struct edit *e, struct text t, struct end_named *out)
{
	struct text parts[3];
	size_t n = 0, from = 0;

	for (size_t dot; n < 3; from = dot + 1) {
		dot = n < 2 ? text_find(t, TEXT("."), from) : SIZE_MAX;
		parts[n++] = text_slice(t, from, dot == SIZE_MAX ? t.len : dot);
		if (dot == SIZE_MAX)
			break;
	}
	int side = n > 1 ? word_find(SET_SIDE, parts[n - 1]) : -1;
	bool floored = n == 3 || (n == 2 && side < 0);

	*out = (struct end_named){.side = side, .room = parts[floored]};
	if (floored)
		out->floor = parts[0];
	if (n == 3 && side < 0) {
		struct buffer list = {.arena = e->arena};

		word_list(&list, SET_SIDE);
		return edit_refuse(e, "\"%s\": expected FLOOR.ROOM.SIDE, the side being %s", shown(e->c, t),
				   buffer_text(&list).at);
	}
	if (!is_identifier(out->room))
		return edit_refuse(e, "\"%s\" is no end of a connection: expected ROOM, ROOM.SIDE, FLOOR.ROOM or %s",
				   shown(e->c, t), word_of(SET_GLUE, GLUE_OUTSIDE));
	if (!floored)
		return true;
	/* ROOM.sied: probably the side is misspelled, not the floor. */
	for (size_t i = 0; n == 2 && i < e->plan->rooms.n; i++)
		if (text_same(e->plan->rooms.items[i].name, out->floor)) {
			struct buffer list = {.arena = e->arena};

			for (size_t k = 0; k < e->plan->floors.n; k++)
				if (text_same(e->plan->floors.items[k].name, out->floor))
					return true;
			word_list(&list, SET_SIDE);
			return edit_refuse(e, "\"%s\": expected ROOM.SIDE, the side being %s", shown(e->c, t),
					   buffer_text(&list).at);
		}
	return find_floor(e, out->floor) >= 0;
}

static bool has_room(const struct edit *e, int floor, struct text name)
{
	for (size_t i = 0; i < e->plan->rooms.n; i++)
		if (e->plan->rooms.items[i].floor == floor && text_same(e->plan->rooms.items[i].name, name))
			return true;
	return false;
}

static bool end_on(const struct edit *e, const struct end_named *end, int floor)
{
	if (is_outside(end->room))
		return true;
	return (!end->floor.at || text_same(end->floor, e->plan->floors.items[floor].name)) &&
	       has_room(e, floor, end->room);
}

/* Do both rooms exist on one floor, and is it clear on which? */
static bool ends_are_clear(struct edit *e, const struct end_named *from, const struct end_named *to)
{
	const struct end_named *ends[2] = {from, to};
	struct buffer choices = {.arena = e->arena};
	int hits = 0;

	for (int i = 0; i < 2; i++) {
		struct text whole = ends[i]->floor.at ? text_format(e->arena, "%.*s.%.*s", TEXT_ARGS(ends[i]->floor),
								    TEXT_ARGS(ends[i]->room))
						      : ends[i]->room;
		bool known = is_outside(ends[i]->room);

		for (size_t f = 0; f < e->plan->floors.n && !known; f++)
			known = end_on(e, ends[i], (int)f);
		if (!known)
			return find_target(e, whole) >= 0; /* refuses, with the nearest name */
	}
	for (size_t f = 0; f < e->plan->floors.n; f++)
		if (end_on(e, from, (int)f) && end_on(e, to, (int)f)) {
			struct text one = is_outside(from->room) ? to->room : from->room;

			buffer_format(&choices, "%s%s.%s", hits ? " or " : "",
				      shown(e->c, e->plan->floors.items[f].name), shown(e->c, one));
			hits++;
		}
	if (hits < 2)
		return true; /* no common floor: the plan's own check reports it */
	return edit_refuse(e, "rooms of these names are on several floors; say %s", buffer_text(&choices).at);
}

/* The leaf must turn into one of the two joined rooms. */
static bool check_opens(struct edit *e, struct text opens, struct text from, struct text to)
{
	size_t dot = opens.at ? text_find(opens, TEXT("."), 0) : SIZE_MAX;
	struct text room = dot == SIZE_MAX ? opens : text_slice(opens, dot + 1, opens.len);

	if (!opens.at || ((text_same(room, from) || text_same(room, to)) &&
			  (dot == SIZE_MAX || is_identifier(text_slice(opens, 0, dot)))))
		return true;
	return edit_refuse(e, "the connection cannot open into \"%s\"; it joins %s and %s", shown(e->c, opens),
			   shown(e->c, from), shown(e->c, to));
}

struct clauses {
	struct maybe_number at;
	const struct extent *size;
	struct text opens;
	int swing;
};

static bool put_clause(struct edit *e, struct buffer *b, enum clause id, const struct clauses *k)
{
	buffer_format(b, " %s ", word_of(SET_CLAUSE, (int)id));
	if (id == CLAUSE_AT) {
		put_number(b, k->at.value);
		buffer_byte(b, '%');
	} else if (id == CLAUSE_SIZE) {
		if (!check_size(e, k->size->width, k->size->height))
			return false;
		put_size(b, k->size->width, k->size->height);
	} else if (id == CLAUSE_OPENS) {
		buffer_format(b, "%s %.*s", word_of(SET_GLUE, GLUE_INTO), TEXT_ARGS(k->opens));
	} else {
		b->len--; /* swing: left, without a blank before the colon */
		buffer_format(b, ": %s", word_of(SET_TURN, k->swing));
	}
	return true;
}

static const enum clause clause_order[] = {CLAUSE_AT, CLAUSE_SIZE, CLAUSE_OPENS, CLAUSE_SWING};

static bool wants(const struct clauses *k, enum clause id)
{
	return id == CLAUSE_AT      ? k->at.there
	       : id == CLAUSE_SIZE  ? k->size != NULL
	       : id == CLAUSE_OPENS ? k->opens.at != NULL
				    : k->swing >= 0;
}

static bool ends_are_two(struct edit *e, const struct end_named *from, const struct end_named *to)
{
	return !text_same(from->room, to->room) ||
	       edit_refuse(e, "both ends are %s; a connection joins two rooms, or one and %s", shown(e->c, from->room),
			   word_of(SET_GLUE, GLUE_OUTSIDE));
}

bool edit_add_connection(struct edit *e, const struct operation *op)
{
	const struct add_connection_params *p = op->params;
	struct clauses k = {p->at, p->size, p->opensInto, p->swing};
	struct end_named from, to;
	struct buffer b = {.arena = e->arena};

	if (!read_end(e, p->from, &from) || !read_end(e, p->to, &to) || !ends_are_two(e, &from, &to) ||
	    !ends_are_clear(e, &from, &to) || !check_opens(e, p->opensInto, from.room, to.room))
		return false;
	buffer_format(&b, "%s %.*s %s %.*s %s", word_of(SET_STATEMENT, STATEMENT_CONNECT), TEXT_ARGS(p->from),
		      word_of(SET_GLUE, GLUE_TO), TEXT_ARGS(p->to),
		      word_of(SET_DOOR_TYPE, p->type < 0 ? CONNECTION_DOOR : p->type));
	for (size_t i = 0; i < ARRAY_COUNT(clause_order); i++)
		if (wants(&k, clause_order[i]) && !put_clause(e, &b, clause_order[i], &k))
			return false;
	/* Nobody wants the same door twice at the same place. A repeated call finds that it already exists. */
	for (size_t i = 0; i < e->syntax->statements.n; i++) {
		const struct statement *s = e->syntax->statements.items[i];

		if (s->kind == STATEMENT_CONNECT &&
		    text_same(text_slice(e->source, s->span.from, s->span.to), buffer_text(&b)))
			return true;
	}
	insert_top(e, STATEMENT_CONNECT, buffer_text(&b));
	edit_say(e, "connected %s and %s", shown(e->c, p->from), shown(e->c, p->to));
	return true;
}

static bool end_fits(const struct edit *e, const struct end_syntax *t, const struct plan_end *bound,
		     const struct end_named *want)
{
	struct text floor = t->floor.text;

	if (bound && bound->room >= 0)
		floor = e->plan->floors.items[e->plan->rooms.items[bound->room].floor].name;
	return text_same(t->name.text, want->room) && (!want->floor.at || text_same(floor, want->floor)) &&
	       (want->side < 0 || t->side < 0 || t->side == want->side);
}

struct found {
	const struct statement *statement;
	int floor;
	bool turned; /* its first end is the operation's `to` */
};

static bool connection_fits(const struct edit *e, const struct plan_connection *k, const struct end_named *from,
			    const struct end_named *to, struct found *out)
{
	const struct statement *s = e->syntax->statements.items[k->statement];
	const struct connect_syntax *t = s->connect;
	bool straight = end_fits(e, &t->from, &k->from, from) && end_fits(e, &t->to, &k->to, to);

	*out = (struct found){s, k->floor, !straight};
	return straight || (end_fits(e, &t->from, &k->from, to) && end_fits(e, &t->to, &k->to, from));
}

static double percent_of(const struct statement *s) { return s->connect->at.there ? s->connect->at.value : 50; }

/* Finds the only connection between these two, in either order. */
static bool find_connection(struct edit *e, struct text from, struct text to, struct maybe_number which,
			    struct found *found)
{
	struct end_named ends[2];
	int hits = 0, floors = 0;
	struct found one;

	*found = (struct found){.floor = -1};
	if (!read_end(e, from, &ends[0]) || !read_end(e, to, &ends[1]))
		return false;
	for (size_t i = 0; i < e->plan->connections.n; i++) {
		const struct plan_connection *k = &e->plan->connections.items[i];

		if (!connection_fits(e, k, &ends[0], &ends[1], &one) ||
		    (which.there && fabs(percent_of(one.statement) - which.value) > 1e-6))
			continue;
		floors += found->statement && found->floor != one.floor;
		/* If several are equal, take the last one: it is the duplicate. */
		if (found->statement && found->floor == one.floor &&
		    found->statement->connect->type == one.statement->connect->type &&
		    fabs(percent_of(found->statement) - percent_of(one.statement)) < 1e-6)
			hits--;
		*found = one;
		hits++;
	}
	if (hits == 1)
		return true;
	if (!found->statement)
		return edit_refuse(e, "there is no connection between %s and %s%s", shown(e->c, from), shown(e->c, to),
				   which.there ? " at that percent" : "");
	if (floors)
		return edit_refuse(e, "connections on several floors join %s and %s; name the floor, as in %s.%s",
				   shown(e->c, from), shown(e->c, to),
				   shown(e->c, e->plan->floors.items[found->floor < 0 ? 0 : found->floor].name),
				   shown(e->c, is_outside(ends[0].room) ? ends[1].room : ends[0].room));
	return edit_refuse(e, "%d connections join %s and %s; say which by its percent", hits, shown(e->c, from),
			   shown(e->c, to));
}

bool edit_remove_connection(struct edit *e, const struct operation *op)
{
	const struct remove_connection_params *p = op->params;
	struct found found;

	if (!find_connection(e, p->from, p->to, p->which, &found))
		return false;
	cut_statement(e, found.statement);
	edit_say(e, "removed the connection of %s and %s", shown(e->c, p->from), shown(e->c, p->to));
	return true;
}

/* Replaces the ends by new ones. `names` gets the new names of the connection. */
static bool change_ends(struct edit *e, const struct found *found, struct text from, struct text to,
			struct text names[2])
{
	const struct connect_syntax *t = found->statement->connect;
	const struct end_syntax *old[2] = {&t->from, &t->to};
	struct text wanted[2] = {found->turned ? to : from, found->turned ? from : to};
	struct end_named ends[2];

	for (int i = 0; i < 2; i++) {
		const struct end_syntax *o = old[i];
		struct text now = wanted[i].at ? wanted[i] : text_slice(e->source, o->span.from, o->span.to);

		if (!read_end(e, now, &ends[i]))
			return false;
		names[i] = ends[i].room;
		if (wanted[i].at && !text_same(wanted[i], text_slice(e->source, o->span.from, o->span.to)))
			edit_replace(e, o->span, wanted[i]);
	}
	return (!from.at && !to.at) || (ends_are_two(e, &ends[0], &ends[1]) && ends_are_clear(e, &ends[0], &ends[1]));
}

bool edit_update_connection(struct edit *e, const struct operation *op)
{
	const struct update_connection_params *p = op->params;
	struct clauses k = {p->at, p->size, p->opensInto, p->swing};
	uint32_t place = 0;
	struct buffer added = {.arena = e->arena};
	struct found found;
	struct text names[2];

	if (!find_connection(e, p->from, p->to, p->which, &found) ||
	    !change_ends(e, &found, p->newFrom, p->newTo, names) || !check_opens(e, p->opensInto, names[0], names[1]))
		return false;
	const struct statement *s = found.statement;

	if (p->type >= 0 && (int)s->connect->type != p->type)
		edit_replace(e, s->connect->type_word, text_of(word_of(SET_DOOR_TYPE, p->type)));
	for (size_t i = 0; i < ARRAY_COUNT(clause_order); i++) {
		const struct clause_span *old = statement_clause(s, clause_order[i]);
		struct buffer b = {.arena = e->arena};

		if (!wants(&k, clause_order[i]))
			continue;
		if (!put_clause(e, &b, clause_order[i], &k))
			return false;
		if (old) {
			edit_replace(e, old->span, text_slice(buffer_text(&b), 1, b.len));
			continue;
		}
		uint32_t at = clause_place(e, s, clause_order[i]);

		if (added.len && at != place) {
			edit_insert(e, place, buffer_text(&added));
			added.len = 0;
		}
		place = at;
		buffer_add(&added, buffer_text(&b));
	}
	if (added.len)
		edit_insert(e, place, buffer_text(&added));
	edit_say(e, "changed the connection of %s and %s", shown(e->c, p->from), shown(e->c, p->to));
	return true;
}
