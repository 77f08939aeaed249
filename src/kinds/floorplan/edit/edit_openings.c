/* edit_openings.c: the actions on the doors and windows that a side of a room lists.
 *
 * An opening is named by its room, its side and its number, counted from the left or top end as it is drawn. A side
 * without doors and windows has one entry, which adding replaces and which comes back when the last one is removed. */
#include "kinds/floorplan/edit/edit.h"

#include "base/array.h"

#include <math.h>

/* One entry of the side in the text, with its opening in the plan. */
struct entry {
	const struct wall *wall;
	const struct plan_wall *plan;
};

struct side_list {
	int room;
	enum side side;
	const struct statement *statement;
	struct entry *items; /* doors and windows in their order along the side */
	size_t n;
	const struct wall *only;  /* the entry of a side without doors and windows; NULL: not written, or it has some */
	const struct wall *first; /* in the text; NULL: the side is not written */
	const struct wall *last;
};

static int along(const void *a, const void *b)
{
	double x = ((const struct entry *)a)->plan->centre, y = ((const struct entry *)b)->plan->centre;

	return x < y ? -1 : x > y;
}

static bool read_side(struct edit *e, const struct operation *op, int side, struct side_list *out)
{
	*out = (struct side_list){.room = find_target(e, op->target), .side = (enum side)side};
	if (out->room < 0)
		return false;
	const struct plan_wall *plan = &e->plan->rooms.items[out->room].walls[side];
	size_t number = 0;

	out->statement = room_statement(e, out->room);
	out->items = arena_array(e->arena, out->statement->walls.n + 1, sizeof *out->items);
	for (size_t i = 0; i < out->statement->walls.n; i++) {
		const struct wall *w = &out->statement->walls.items[i];

		if ((int)w->side != side)
			continue;
		if (out->first && !w->is_more)
			return edit_refuse(e, "%s lists its %s side twice; remove one of them first",
					   shown(e->c, out->statement->name.text), word_of(SET_SIDE, side));
		out->first = out->first ? out->first : w;
		out->last = w;
		enum wall_built built = wall_built(w->type);
		if (built == BUILT_DOOR || built == BUILT_WINDOW)
			out->items[out->n++] = (struct entry){w, number ? &plan->more[number - 1] : plan};
		else
			out->only = w;
		number++;
	}
	array_sort(out->items, out->n, sizeof *out->items, along);
	return true;
}

static const struct entry *entry_at(struct edit *e, const struct side_list *s, int64_t number)
{
	if (number >= 1 && number <= (int64_t)s->n)
		return &s->items[number - 1];
	if (s->n)
		edit_refuse(e, "%s.%s has %zu door%s or window%s, so there is no number %lld",
			    shown(e->c, s->statement->name.text), word_of(SET_SIDE, (int)s->side), s->n,
			    s->n == 1 ? "" : "s", s->n == 1 ? "" : "s", (long long)number);
	else
		edit_refuse(e, "%s.%s has no door or window; %s adds one", shown(e->c, s->statement->name.text),
			    word_of(SET_SIDE, (int)s->side), action_name(ACTION_ADD_OPENING));
	return NULL;
}

/* What an opening says, each value as it is written; absent ones are left out. */
struct wording {
	enum wall_type type;
	int kind;
	struct text at, size, height, sill, head;
};

static bool measure(struct edit *e, struct maybe_number n, const char *what, struct text *out)
{
	struct buffer b = {.arena = e->arena};

	if (!n.there)
		return true;
	if (n.value < 0)
		return edit_refuse(e, "%s must not be less than 0", what);
	if (!check_number(e, n.value, what))
		return false;
	put_number(&b, n.value);
	*out = buffer_text(&b);
	return true;
}

static bool extent(struct edit *e, const struct extent *size, struct text *out)
{
	struct buffer b = {.arena = e->arena};

	if (!size)
		return true;
	if (!check_size(e, size->width, size->height))
		return false;
	put_size(&b, size->width, size->height);
	*out = buffer_text(&b);
	return true;
}

static bool percent(struct edit *e, struct maybe_number at, struct text *out)
{
	if (at.there && at.value > 0 && at.value < 1)
		return edit_refuse(e, "at counts in percent: did you mean %d?", (int)(at.value * 100 + 0.5));
	if (!measure(e, at, "at", out))
		return false;
	if (at.there)
		*out = text_format(e->arena, "%.*s%%", TEXT_ARGS(*out));
	return true;
}

static struct text opening_text(struct edit *e, const struct wording *w)
{
	struct buffer b = {.arena = e->arena};
	const struct {
		enum clause word;
		struct text text;
	} parts[] = {{CLAUSE_AT, w->at},
		     {CLAUSE_SIZE, w->size},
		     {CLAUSE_HEIGHT, w->height},
		     {CLAUSE_SILL, w->sill},
		     {CLAUSE_HEAD, w->head}};

	buffer_put(&b, word_of(SET_WALL_TYPE, (int)w->type));
	if (w->kind >= 0)
		buffer_format(&b, " %s", word_of(SET_OPENING_KIND, w->kind));
	for (size_t i = 0; i < ARRAY_COUNT(parts); i++)
		if (parts[i].text.at)
			buffer_format(&b, " %s %.*s", word_of(SET_CLAUSE, (int)parts[i].word),
				      TEXT_ARGS(parts[i].text));
	return buffer_text(&b);
}

/* An asked size is kept, or refused with the reason. */
static bool check_fit(struct edit *e, const struct side_list *s, const struct extent *size)
{
	const struct plan_room *r = &e->plan->rooms.items[s->room];
	double length = s->side == SIDE_TOP || s->side == SIDE_BOTTOM ? r->box.width : r->box.height;

	if (!size || size->width <= length + 1e-9)
		return true;
	struct buffer b = {.arena = e->arena};

	put_number(&b, length);
	return edit_refuse(e, "%s.%s is %s long: an opening of that width does not fit", shown(e->c, r->name),
			   word_of(SET_SIDE, (int)s->side), text_string(e->arena, buffer_text(&b)));
}

bool edit_add_opening(struct edit *e, const struct operation *op)
{
	const struct add_opening_params *p = op->params;
	struct side_list s;
	struct buffer b = {.arena = e->arena};

	if (!read_side(e, op, p->side, &s) || !check_fit(e, &s, p->size))
		return false;
	if (s.only && wall_built(s.only->type) == BUILT_GAP)
		return edit_refuse(e, "%s.%s is %s, so there is no wall for it; make it %s by %s first",
				   shown(e->c, s.statement->name.text), word_of(SET_SIDE, p->side),
				   word_of(SET_WALL_TYPE, (int)s.only->type), word_of(SET_WALL_TYPE, WALL_SOLID),
				   action_name(ACTION_UPDATE_WALLS));
	struct wording w = {.type = p->opening ? WALL_WINDOW : WALL_DOOR, .kind = p->kind};

	if (!percent(e, p->at, &w.at) || !extent(e, p->size, &w.size) || !measure(e, p->sill, "sill", &w.sill) ||
	    !measure(e, p->head, "head", &w.head))
		return false;
	if (!s.first)
		buffer_format(&b, ", %s: ", word_of(SET_SIDE, p->side));
	else if (s.n)
		buffer_put(&b, ", ");
	buffer_add(&b, opening_text(e, &w));
	if (s.only)
		edit_replace(e, (struct span){s.only->type_word.from, s.only->span.to}, buffer_text(&b));
	else if (s.n)
		edit_insert(e, s.last->span.to, buffer_text(&b));
	else
		edit_insert(e, s.statement->walls_body.to, buffer_text(&b));
	edit_say(e, "added a %s to %s.%s", word_of(SET_WALL_TYPE, (int)w.type), shown(e->c, s.statement->name.text),
		 word_of(SET_SIDE, p->side));
	return true;
}

/* As written, with its unit; absent if it is not there. */
static struct text written(const struct edit *e, bool there, struct span s)
{
	return there ? text_slice(e->source, s.from, s.to) : (struct text){0};
}

bool edit_update_opening(struct edit *e, const struct operation *op)
{
	static const struct wall_opening nothing = {.kind = -1};
	const struct update_opening_params *p = op->params;
	struct side_list s;

	if (!read_side(e, op, p->side, &s) || !check_fit(e, &s, p->size))
		return false;
	const struct entry *entry = entry_at(e, &s, p->number);

	if (!entry)
		return false;
	const struct wall_opening *o = entry->wall->opening ? entry->wall->opening : &nothing;
	struct wording w = {.type = p->opening < 0 ? entry->wall->type
				    : p->opening   ? WALL_WINDOW
						   : WALL_DOOR,
			    .at = written(e, o->at.there, o->at.span),
			    .size = written(e, o->size.there, o->size.span),
			    .height = written(e, o->height.there, o->height.span),
			    .sill = written(e, o->sill.there, o->sill.span),
			    .head = written(e, o->head.there, o->head.span)};

	/* A new type keeps the place and the size, and nothing that only the old one has. */
	w.kind = p->kind >= 0 ? p->kind : w.type == entry->wall->type ? o->kind : -1;
	if (w.type != WALL_WINDOW)
		w.sill = (struct text){0};
	if (p->size || p->head.there)
		w.height = (struct text){0};
	if (p->head.there && !p->size)
		w.size = (struct text){0};
	if (!percent(e, p->at, &w.at) || !extent(e, p->size, &w.size) || !measure(e, p->sill, "sill", &w.sill) ||
	    !measure(e, p->head, "head", &w.head))
		return false;
	struct span span = {entry->wall->type_word.from, entry->wall->span.to};
	struct text after = opening_text(e, &w);

	if (text_same(written(e, true, span), after))
		return true;
	edit_replace(e, span, after);
	edit_say(e, "%s.%s: number %lld is %.*s", shown(e->c, s.statement->name.text), word_of(SET_SIDE, p->side),
		 (long long)p->number, TEXT_ARGS(after));
	return true;
}

bool edit_remove_opening(struct edit *e, const struct operation *op)
{
	const struct remove_opening_params *p = op->params;
	struct side_list s;

	if (!read_side(e, op, p->side, &s))
		return false;
	const struct entry *entry = entry_at(e, &s, p->number);

	if (!entry)
		return false;
	const struct wall *w = entry->wall;

	if (s.n == 1)
		edit_replace(e, (struct span){w->type_word.from, w->span.to},
			     text_of(word_of(SET_WALL_TYPE, WALL_SOLID)));
	else if (w->is_more)
		edit_replace(e, (struct span){w[-1].span.to, w->span.to}, TEXT(""));
	else
		edit_replace(e, (struct span){w->type_word.from, w[1].type_word.from}, TEXT(""));
	edit_say(e, "removed number %lld of %s.%s", (long long)p->number, shown(e->c, s.statement->name.text),
		 word_of(SET_SIDE, p->side));
	return true;
}
