/* edit_connections.c: the actions on connections. A connection has no name: it is told by its two ends, and by its
 * percent where several join the same two. */
#include "kinds/floorplan/edit/edit.h"

#include <math.h>

/* ROOM, ROOM.SIDE or outside; a room that exists. */
static bool read_end(struct edit *e, struct text t, struct text *name, int *side)
{
	size_t dot = text_find(t, TEXT("."), 0);

	*name = dot == SIZE_MAX ? t : text_slice(t, 0, dot);
	*side = -1;
	if (dot != SIZE_MAX) {
		struct buffer list = {.arena = e->arena};

		*side = word_find(SET_SIDE, text_slice(t, dot + 1, t.len));
		word_list(&list, SET_SIDE);
		if (*side < 0)
			return edit_refuse(e, "\"%s\": expected ROOM.SIDE, the side being %s", shown(e->c, t),
					   buffer_text(&list).at);
	}
	if (!is_identifier(*name))
		return edit_refuse(e, "\"%s\" is no end of a connection: expected ROOM, ROOM.SIDE or %s",
				   shown(e->c, t), word_of(SET_GLUE, GLUE_OUTSIDE));
	return true;
}

static bool known_end(struct edit *e, struct text name)
{
	if (text_is(name, word_of(SET_GLUE, GLUE_OUTSIDE)))
		return true;
	for (size_t i = 0; i < e->plan->rooms.n; i++)
		if (text_same(e->plan->rooms.items[i].name, name))
			return true;
	find_target(e, name); /* refuses, with the nearest name */
	return false;
}

/* The leaf turns into one of the two rooms that it joins. */
static bool check_opens(struct edit *e, struct text opens, struct text from, struct text to)
{
	if (!opens.at || text_same(opens, from) || text_same(opens, to))
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

bool edit_add_connection(struct edit *e, const struct operation *op)
{
	const struct add_connection_params *p = op->params;
	struct clauses k = {p->at, p->size, p->opensInto, p->swing};
	struct text from, to;
	int side;
	struct buffer b = {.arena = e->arena};

	if (!read_end(e, p->from, &from, &side) || !read_end(e, p->to, &to, &side) || !known_end(e, from) ||
	    !known_end(e, to))
		return false;
	if (text_same(from, to))
		return edit_refuse(e, "both ends are %s; a connection joins two rooms, or one and %s",
				   shown(e->c, from), word_of(SET_GLUE, GLUE_OUTSIDE));
	if (!check_opens(e, p->opensInto, from, to))
		return false;
	buffer_format(&b, "%s %.*s %s %.*s %s", word_of(SET_STATEMENT, STATEMENT_CONNECT), TEXT_ARGS(p->from),
		      word_of(SET_GLUE, GLUE_TO), TEXT_ARGS(p->to),
		      word_of(SET_DOOR_TYPE, p->type < 0 ? CONNECTION_DOOR : p->type));
	for (size_t i = 0; i < ARRAY_COUNT(clause_order); i++)
		if (wants(&k, clause_order[i]) && !put_clause(e, &b, clause_order[i], &k))
			return false;
	/* The same door twice in the same place is never meant: who repeats a call finds it done. */
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

static bool end_fits(const struct end_syntax *t, struct text name, int side)
{
	return text_same(t->name.text, name) && (side < 0 || t->side < 0 || t->side == side);
}

/* The one connection between these two, in either order. */
static const struct statement *find_connection(struct edit *e, struct text from, struct text to,
					       struct maybe_number which)
{
	const struct statement *found = NULL;
	struct text names[2];
	int sides[2], hits = 0;

	if (!read_end(e, from, &names[0], &sides[0]) || !read_end(e, to, &names[1], &sides[1]))
		return NULL;
	for (size_t i = 0; i < e->syntax->statements.n; i++) {
		const struct statement *s = e->syntax->statements.items[i];

		if (s->kind != STATEMENT_CONNECT)
			continue;
		const struct connect_syntax *k = s->connect;
		bool fits = (end_fits(&k->from, names[0], sides[0]) && end_fits(&k->to, names[1], sides[1])) ||
			    (end_fits(&k->from, names[1], sides[1]) && end_fits(&k->to, names[0], sides[0]));
		double percent = k->at.there ? k->at.value : 50;

		if (!fits || (which.there && fabs(percent - which.value) > 1e-6))
			continue;
		/* Of several alike the last one, which is the one too many. */
		if (found && found->connect->type == k->type &&
		    fabs((found->connect->at.there ? found->connect->at.value : 50) - percent) < 1e-6)
			hits--;
		found = s;
		hits++;
	}
	if (hits == 1)
		return found;
	if (!found)
		edit_refuse(e, "there is no connection between %s and %s%s", shown(e->c, from), shown(e->c, to),
			    which.there ? " at that percent" : "");
	else
		edit_refuse(e, "%d connections join %s and %s; say which by its percent", hits, shown(e->c, from),
			    shown(e->c, to));
	return NULL;
}

bool edit_remove_connection(struct edit *e, const struct operation *op)
{
	const struct remove_connection_params *p = op->params;
	const struct statement *s = find_connection(e, p->from, p->to, p->which);

	if (!s)
		return false;
	cut_statement(e, s);
	edit_say(e, "removed the connection of %s and %s", shown(e->c, p->from), shown(e->c, p->to));
	return true;
}

bool edit_update_connection(struct edit *e, const struct operation *op)
{
	const struct update_connection_params *p = op->params;
	const struct statement *s = find_connection(e, p->from, p->to, p->which);
	struct clauses k = {p->at, p->size, p->opensInto, p->swing};
	uint32_t place = 0;
	struct buffer added = {.arena = e->arena};

	if (!s || !check_opens(e, p->opensInto, s->connect->from.name.text, s->connect->to.name.text))
		return false;
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
