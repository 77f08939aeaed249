/* edit_rooms.c: the actions that add, change and remove rooms. */
#include "kinds/floorplan/edit/edit.h"

#include <math.h>
#include <string.h>

/* The named floor, or the only one, or that of the reference, or the first. */
static int floor_for(struct edit *e, const struct add_room_params *p)
{
	const struct plan *plan = e->plan;
	int found = -1, hits = 0;

	if (p->floor.at)
		return find_floor(e, p->floor);
	if (!plan->floors.n) {
		edit_refuse(e, "the plan has no floor; add one by %s", action_name(ACTION_ADD_FLOOR));
		return -1;
	}
	for (size_t i = 0; p->relativePosition && i < plan->rooms.n; i++)
		if (plan->rooms.items[i].depth == 0 &&
		    text_same(plan->rooms.items[i].name, p->relativePosition->reference)) {
			found = plan->rooms.items[i].floor;
			hits++;
		}
	return hits == 1 ? found : 0;
}

static void put_walls(struct buffer *b, const struct walls_params *w)
{
	buffer_format(b, " %s [", word_of(SET_CLAUSE, CLAUSE_WALLS));
	for (int s = 0; s < 4; s++) {
		int type = w && w->sides[s] >= 0 ? w->sides[s] : WALL_SOLID;

		buffer_format(b, "%s%s: %s", s ? ", " : "", word_of(SET_SIDE, s), word_of(SET_WALL_TYPE, type));
	}
	buffer_byte(b, ']');
}

static bool put_room(struct edit *e, struct buffer *b, const struct add_room_params *p, bool within)
{
	buffer_format(b, "%s %.*s", word_of(SET_STATEMENT, within ? STATEMENT_SUB_ROOM : STATEMENT_ROOM),
		      TEXT_ARGS(p->name));
	if (p->position) {
		if (!check_place(e, p->position->x, p->position->y))
			return false;
		buffer_format(b, " %s ", word_of(SET_CLAUSE, CLAUSE_AT));
		put_point(b, p->position->x, p->position->y);
	}
	buffer_format(b, " %s ", word_of(SET_CLAUSE, CLAUSE_SIZE));
	put_size(b, p->size->width, p->size->height);
	if (p->height.there) {
		if (!check_length(e, p->height.value, "the height of the room"))
			return false;
		buffer_format(b, " %s ", word_of(SET_CLAUSE, CLAUSE_HEIGHT));
		put_number(b, p->height.value);
	}
	put_walls(b, p->walls);
	if (p->relativePosition && !put_relative(e, b, p->relativePosition))
		return false;
	if (p->label.at) {
		buffer_format(b, " %s ", word_of(SET_CLAUSE, CLAUSE_LABEL));
		if (!put_label(e, b, p->label))
			return false;
	}
	if (p->style.at) {
		if (!is_identifier(p->style))
			return edit_refuse(e, "\"%s\" is no style name", shown(e->c, p->style));
		buffer_format(b, " %s %.*s", word_of(SET_CLAUSE, CLAUSE_STYLE), TEXT_ARGS(p->style));
	}
	return true;
}

static void compose(struct edit *e, const struct statement *parent, struct text line)
{
	struct text indent = indent_of(e, parent->span.from);
	struct buffer b = {.arena = e->arena};

	if (statement_clause(parent, CLAUSE_COMPOSED)) {
		insert_child(e, parent, STATEMENT_SUB_ROOM, line);
		return;
	}
	buffer_format(&b, " %s %s [%s%.*s  %.*s%s%.*s]", word_of(SET_CLAUSE, CLAUSE_COMPOSED),
		      word_of(SET_GLUE, GLUE_OF), line_end(e), TEXT_ARGS(indent), TEXT_ARGS(line), line_end(e),
		      TEXT_ARGS(indent));
	edit_insert(e, clause_place(e, parent, CLAUSE_COMPOSED), buffer_text(&b));
}

bool edit_add_room(struct edit *e, const struct operation *op)
{
	const struct add_room_params *p = op->params;
	struct buffer line = {.arena = e->arena};
	int parent = p->parent.at ? find_target(e, p->parent) : -1, floor;

	e->about = p->name;
	if (e->refused)
		return false;
	floor = parent < 0 || p->floor.at ? floor_for(e, p) : e->plan->rooms.items[parent].floor;
	if (parent >= 0 && floor >= 0 && floor != e->plan->rooms.items[parent].floor)
		return edit_refuse(e, "%s is not on floor %s; leave out one of parent and floor",
				   shown(e->c, p->parent), shown(e->c, p->floor));
	if (floor < 0 || !check_new_name(e, p->name, floor, "room") || !check_size(e, p->size->width, p->size->height))
		return false;
	if (!p->position && !p->relativePosition)
		return edit_refuse(e,
				   "room \"%s\" needs a position {x, y} or a relativePosition {direction, reference}",
				   shown(e->c, p->name));
	if (!put_room(e, &line, p, parent >= 0))
		return false;
	if (parent >= 0)
		compose(e, room_statement(e, parent), buffer_text(&line));
	else
		insert_child(e, e->syntax->statements.items[e->plan->floors.items[floor].statement], STATEMENT_ROOM,
			     buffer_text(&line));
	edit_say(e, "added %s to %s", shown(e->c, p->name),
		 parent >= 0 ? shown(e->c, e->plan->rooms.items[parent].name)
			     : text_format(e->arena, "floor %s", shown(e->c, e->plan->floors.items[floor].name)).at);
	return true;
}

static bool is_gone(const struct plan *p, int room, int removed)
{
	for (; room >= 0; room = p->rooms.items[room].parent)
		if (room == removed)
			return true;
	return false;
}

void fix_place(struct edit *e, const struct statement *s, double x, double y)
{
	struct buffer b = {.arena = e->arena};

	if (!s->at.there) {
		buffer_format(&b, " %s ", word_of(SET_CLAUSE, CLAUSE_AT));
		put_point(&b, x, y);
		edit_insert(e, s->name.span.to, buffer_text(&b));
	}
	cut_clause(e, s->relative.span);
}

/* Does the statement's direction contain this name, and does the name mean this room? */
static bool hangs_on(const struct edit *e, const struct statement *s, struct text name, int floor)
{
	const struct statement *owner = s->parent >= 0 ? e->syntax->statements.items[s->parent] : NULL;

	return s->relative.there && owner && owner->kind == STATEMENT_FLOOR &&
	       text_same(s->relative.reference.text, name) &&
	       e->plan->floors.items[floor].statement == (uint32_t)owner->number;
}

static void free_dependants(struct edit *e, int removed, struct buffer *names)
{
	const struct plan *p = e->plan;
	const struct plan_room *gone = &p->rooms.items[removed];

	for (size_t i = 0; i < p->rooms.n; i++) {
		const struct plan_room *r = &p->rooms.items[i];

		if (r->reference != removed || is_gone(p, (int)i, removed))
			continue;
		fix_place(e, room_statement(e, (int)i), r->own.x, r->own.y);
		buffer_format(names, "%s%s", names->len ? ", " : "", shown(e->c, r->name));
	}
	for (size_t i = 0; gone->depth == 0 && i < p->stairs.n + p->lifts.n; i++) {
		bool is_stair = i < p->stairs.n;
		const struct plan_stair *stair = is_stair ? &p->stairs.items[i] : NULL;
		const struct plan_lift *lift = is_stair ? NULL : &p->lifts.items[i - p->stairs.n];
		const struct statement *s = e->syntax->statements.items[is_stair ? stair->statement : lift->statement];
		const struct box *box = is_stair ? &stair->box : &lift->box;

		if (hangs_on(e, s, gone->name, gone->floor)) {
			fix_place(e, s, box->x, box->y);
			buffer_format(names, "%s%s", names->len ? ", " : "", shown(e->c, s->name.text));
		}
		for (size_t k = 0; is_stair && stair->floor == gone->floor && k < s->stair->segments.n; k++) {
			const struct segment *g = &s->stair->segments.items[k];

			/* ` along ROOM.side` is the end of the segment. */
			if (g->along.text.at && text_same(g->along.text, gone->name))
				cut_clause(e, (struct span){g->along_word, g->span.to});
		}
	}
}

bool edit_remove_room(struct edit *e, const struct operation *op)
{
	const struct plan *p = e->plan;
	int room = find_target(e, op->target), connections = 0;
	struct buffer names = {.arena = e->arena};

	if (room < 0)
		return false;
	free_dependants(e, room, &names);
	for (size_t i = 0; i < p->connections.n; i++) {
		const struct plan_connection *k = &p->connections.items[i];

		if ((k->from.room < 0 || !is_gone(p, k->from.room, room)) &&
		    (k->to.room < 0 || !is_gone(p, k->to.room, room)))
			continue;
		cut_statement(e, e->syntax->statements.items[k->statement]);
		connections++;
	}
	cut_statement(e, room_statement(e, room));
	edit_say(e, "removed %s", shown(e->c, p->rooms.items[room].name));
	if (names.len)
		edit_say(e, "%s hung on it and %s coordinates now", buffer_text(&names).at,
			 memchr(names.at, ',', names.len) ? "have" : "has");
	if (connections)
		edit_say(e, "%d connection%s went with it", connections, connections == 1 ? "" : "s");
	return true;
}

static void set_number(struct edit *e, const struct length *l, double now, double want)
{
	struct buffer b = {.arena = e->arena};

	if (fabs(now - want) < 1e-9)
		return;
	put_length(e, &b, want, l);
	edit_replace(e, l->number, buffer_text(&b));
}

void place_at(struct edit *e, const struct statement *s, struct point now, double x, double y)
{
	struct buffer at = {.arena = e->arena};

	if (s->at.there) {
		set_number(e, &s->at.x, now.x, x);
		set_number(e, &s->at.y, now.y, y);
		if (s->relative.there && e->splices.n)
			cut_clause(e, s->relative.span);
		return;
	}
	if (s->relative.there) {
		fix_place(e, s, x, y);
		return;
	}
	buffer_format(&at, " %s ", word_of(SET_CLAUSE, CLAUSE_AT));
	put_point(&at, x, y);
	edit_insert(e, s->name.span.to, buffer_text(&at));
}

bool edit_resize_room(struct edit *e, const struct operation *op)
{
	const struct resize_room_params *p = op->params;
	int room = find_target(e, op->target);

	if (room < 0 || !check_size(e, p->width, p->height))
		return false;
	const struct plan_room *r = &e->plan->rooms.items[room];
	const struct statement *s = room_statement(e, room);
	struct buffer b = {.arena = e->arena};

	if (s->size.name.text.at) {
		if (fabs(r->box.width - p->width) < 1e-9 && fabs(r->box.height - p->height) < 1e-9)
			return true;
		put_size(&b, p->width, p->height);
		edit_replace(e, s->size.span, buffer_text(&b));
	} else {
		set_number(e, &s->size.width, r->box.width, p->width);
		set_number(e, &s->size.height, r->box.height, p->height);
	}
	b.len = 0;
	put_number(&b, p->width);
	buffer_put(&b, " x ");
	put_number(&b, p->height);
	if (e->splices.n)
		edit_say(e, "resized %s to %s", shown(e->c, r->name), buffer_text(&b).at);
	return true;
}

bool edit_move_room(struct edit *e, const struct operation *op)
{
	const struct move_room_params *p = op->params;
	int room = find_target(e, op->target);

	if (room < 0 || !check_place(e, p->x, p->y))
		return false;
	const struct plan_room *r = &e->plan->rooms.items[room];
	const struct statement *s = room_statement(e, room);

	place_at(e, s, r->own, p->x, p->y);
	struct buffer b = {.arena = e->arena};

	put_point(&b, p->x, p->y);
	if (e->splices.n)
		edit_say(e, "moved %s to %s%s", shown(e->c, r->name), buffer_text(&b).at,
			 s->relative.there ? "; its direction is gone" : "");
	return true;
}

bool edit_rename_room(struct edit *e, const struct operation *op)
{
	const struct rename_room_params *p = op->params;
	const struct plan *plan = e->plan;
	int room = find_target(e, op->target), references = 0;

	if (room < 0)
		return false;
	const struct plan_room *r = &plan->rooms.items[room];

	if (text_same(r->name, p->newName))
		return true;
	if (!check_new_name(e, p->newName, r->floor, "room"))
		return false;
	edit_replace(e, room_statement(e, room)->name.span, p->newName);
	for (size_t i = 0; i < plan->rooms.n; i++)
		if (plan->rooms.items[i].reference == room) {
			edit_replace(e, room_statement(e, (int)i)->relative.reference.span, p->newName);
			references++;
		}
	for (size_t i = 0; i < e->syntax->statements.n; i++) {
		const struct statement *s = e->syntax->statements.items[i];

		if ((s->kind == STATEMENT_STAIR || s->kind == STATEMENT_LIFT) && r->depth == 0 &&
		    hangs_on(e, s, r->name, r->floor)) {
			edit_replace(e, s->relative.reference.span, p->newName);
			references++;
		}
		for (size_t k = 0; s->stair && k < s->stair->segments.n; k++)
			if (text_same(s->stair->segments.items[k].along.text, r->name) &&
			    s->parent == (int)plan->floors.items[r->floor].statement) {
				edit_replace(e, s->stair->segments.items[k].along.span, p->newName);
				references++;
			}
	}
	for (size_t i = 0; i < plan->connections.n; i++) {
		const struct plan_connection *k = &plan->connections.items[i];
		const struct connect_syntax *t = e->syntax->statements.items[k->statement]->connect;

		if (k->from.room != room && k->to.room != room)
			continue;
		references++;
		if (k->from.room == room)
			edit_replace(e, t->from.name.span, p->newName);
		if (k->to.room == room)
			edit_replace(e, t->to.name.span, p->newName);
		if (text_same(t->opens.text, r->name))
			edit_replace(e, t->opens.span, p->newName);
	}
	edit_say(e, "renamed %s to %s", shown(e->c, r->name), shown(e->c, p->newName));
	if (references)
		edit_say(e, "%d reference%s followed", references, references == 1 ? "" : "s");
	return true;
}

/* A kind belongs to a door or a window: with the other type it must go. */
static bool keeps_kind(const struct wall *w, enum wall_built built)
{
	return w->opening && (w->opening->kind >= 0 || w->opening->sill.there) && wall_built(w->type) != built;
}

bool edit_update_walls(struct edit *e, const struct operation *op)
{
	const struct walls_params *p = op->params;
	int room = find_target(e, op->target);

	if (room < 0)
		return false;
	const struct statement *s = room_statement(e, room);
	struct buffer added = {.arena = e->arena}, said = {.arena = e->arena};
	bool any = false;

	for (int side = 0; side < 4; side++) {
		const struct wall *w = NULL;
		const char *word = p->sides[side] < 0 ? NULL : word_of(SET_WALL_TYPE, p->sides[side]);

		if (!word)
			continue;
		any = true;
		const struct wall *first = NULL;
		for (size_t i = 0; i < s->walls.n; i++)
			if ((int)s->walls.items[i].side == side) {
				w = &s->walls.items[i];
				first = w->is_more ? first : w;
			}
		if (w && w == first && (int)w->type == p->sides[side])
			continue;
		if (!w && e->plan->rooms.items[room].walls[side].type == (enum wall_type)p->sides[side])
			continue;
		enum wall_built built = wall_built((enum wall_type)p->sides[side]);

		if (!w)
			buffer_format(&added, ", %s: %s", word_of(SET_SIDE, side), word);
		else if (built == BUILT_FULL || built == BUILT_GAP || w != first || keeps_kind(w, built))
			edit_replace(e, (struct span){first->type_word.from, w->span.to}, text_of(word));
		else
			edit_replace(e, w->type_word, text_of(word));
		buffer_format(&said, "%s%s is %s", said.len ? ", " : "", word_of(SET_SIDE, side), word);
	}
	if (!any)
		return edit_refuse(e, "name at least one side");
	if (added.len)
		edit_insert(e, s->walls_body.to, buffer_text(&added));
	if (said.len)
		edit_say(e, "%s: %s", shown(e->c, s->name.text), buffer_text(&said).at);
	return true;
}

bool edit_add_label(struct edit *e, const struct operation *op)
{
	const struct add_label_params *p = op->params;
	int room = find_target(e, op->target);
	struct buffer b = {.arena = e->arena};

	if (room < 0)
		return false;
	const struct statement *s = room_statement(e, room);

	if (s->label.text.at && text_same(s->label.text, p->label))
		return true;
	if (!s->label.text.at)
		buffer_format(&b, " %s ", word_of(SET_CLAUSE, CLAUSE_LABEL));
	if (!put_label(e, &b, p->label))
		return false;
	if (s->label.text.at)
		edit_replace(e, s->label.span, buffer_text(&b));
	else
		edit_insert(e, clause_place(e, s, CLAUSE_LABEL), buffer_text(&b));
	edit_say(e, "labelled %s", shown(e->c, s->name.text));
	return true;
}
