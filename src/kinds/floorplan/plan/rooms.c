#include "kinds/floorplan/plan/reading.h"

#include <math.h>
#include <string.h>

struct builder {
	struct reading *r;
	int *last_child; /* by room */
	int *last_room;  /* by floor */
};

static int style_of(struct reading *r, const struct statement *s)
{
	if (!s->style.text.at)
		return r->plan->config.default_style;
	const uint32_t *found = map_find(&r->styles, s->style.text);

	if (found)
		return (int)*found;
	report_error(&r->report, PROBLEM_UNDEFINED_STYLE, s->style.span.from,
		     "style '%s' is not defined; define it by style %s { ... }", shown_name(r, s->style.text),
		     shown_name(r, s->style.text));
	return -1;
}

static struct extent size_of(struct reading *r, const struct statement *s)
{
	struct extent size = {in_plan(r, &s->size.width), in_plan(r, &s->size.height)};

	if (s->size.there && s->size.name.text.at) {
		const uint32_t *found = map_find(&r->defines, s->size.name.text);

		if (found)
			size = r->plan->defines.items[*found].size;
		else
			report_error(&r->report, PROBLEM_UNDEFINED_VARIABLE, s->size.name.span.from,
				     "size '%s' is not defined; define it by define %s (W x H)",
				     shown_name(r, s->size.name.text), shown_name(r, s->size.name.text))
				->room = s->name.text;
		if (!found)
			return size;
	}
	if (s->size.there && (size.width <= 0 || size.height <= 0)) {
		struct problem *p = report_warning(&r->report, PROBLEM_VALUE, s->size.span.from,
						   "%s has a side of length 0", shown_name(r, s->name.text));
		problem_rooms(&r->report, p, s->name.text, (struct text){0});
	}
	return size;
}

static double clamp(double n, double low, double high) { return n < low ? low : n > high ? high : n; }

/* The sill, and the height that follows from sill and head. */
static void read_heights(struct reading *r, const struct plan_room *room, const struct wall_opening *o,
			 const struct wall *w, struct plan_wall *out)
{
	bool is_window = wall_built(w->type) == BUILT_WINDOW;

	if (o->kind == KIND_FRENCH && !o->sill.there)
		out->sill = 0;
	if (o->sill.there && is_window)
		out->sill = in_plan(r, &o->sill);
	if (!o->head.there || o->size.there || o->height.there)
		return;
	double head = in_plan(r, &o->head);
	if (head > out->sill)
		out->height = head - out->sill;
	else
		report_warning(&r->report, PROBLEM_VALUE, o->head.span.from,
			       "the %s of %s has its head at %s, not above its sill at %s",
			       word_of(SET_WALL_TYPE, (int)w->type), shown_name(r, room->name), figure(r->arena, head),
			       figure(r->arena, out->sill));
}

/* A window without a size gets 60% of its side, within the usual range. */
static struct plan_wall wall_of(struct reading *r, struct plan_room *room, const struct wall *w)
{
	static const struct wall_opening nothing = {.kind = -1};
	const struct wall_opening *o = w->opening ? w->opening : &nothing;
	const struct plan_config *c = &r->plan->config;
	bool level = w->side == SIDE_TOP || w->side == SIDE_BOTTOM;
	double length = level ? room->box.width : room->box.height, metre = r->plan->metre;
	struct plan_wall wall = {.type = w->type,
				 .listed = true,
				 .at_given = o->at.there,
				 .size_given = o->size.there,
				 .kind = o->kind},
			 *out = &wall;

	out->centre = !o->at.there ? length / 2 : o->percent ? o->at.value / 100 * length : in_plan(r, &o->at);
	if (o->percent && o->at.value > 100)
		report_warning(&r->report, PROBLEM_VALUE, o->at.span.from,
			       "%s%% is beyond the wall; a place on it is 0%% to 100%%", figure(r->arena, o->at.value));
	switch (wall_built(w->type)) {
	case BUILT_FULL:
	case BUILT_GAP: return wall;
	case BUILT_DOOR:
		out->width = o->kind == KIND_DOUBLE   ? 16.0 / 9 * c->door_width
			     : o->kind == KIND_GARAGE ? 2.5 * metre
						      : c->door_width;
		out->height = c->door_height;
		break;
	case BUILT_WINDOW:
		out->width = c->window_width > 0 ? c->window_width : clamp(length * 0.6, 0.6 * metre, 2.4 * metre);
		out->height = c->window_height;
		out->sill = c->window_sill;
		out->size_given = out->size_given || c->window_width > 0;
		break;
	}
	read_heights(r, room, o, w, out);
	if (o->size.there) {
		out->width = in_plan(r, &o->size.width);
		out->height = in_plan(r, &o->size.height);
	}
	if (o->height.there)
		out->height = in_plan(r, &o->height);
	if (o->size.there || o->height.there)
		read_heights(r, room, o, w, out);
	if (out->width > length + 1e-9 && out->size_given)
		report_warning(&r->report, PROBLEM_VALUE, w->span.from,
			       "the %s of %s is %s wide and its side %s: it is drawn as wide as the side",
			       word_of(SET_WALL_TYPE, (int)w->type), shown_name(r, room->name),
			       figure(r->arena, out->width), figure(r->arena, length));
	out->width = fmin(out->width, length);
	out->centre = clamp(out->centre, out->width / 2, length - out->width / 2);
	return wall;
}

/* Doors and windows of one side that overlap. */
static void check_list(struct reading *r, const struct plan_room *room, const struct plan_wall *side,
		       const struct wall *w)
{
	const struct plan_wall *last = &side->more[side->more_count - 1], *other = side;

	for (size_t i = 0; i < side->more_count; other = &side->more[i++])
		if (fabs(other->centre - last->centre) < (other->width + last->width) / 2 - 1e-9) {
			report_warning(&r->report, PROBLEM_WALL, w->span.from,
				       "this %s of %s.%s overlaps the %s before it; say `at` for each",
				       word_of(SET_WALL_TYPE, (int)w->type), shown_name(r, room->name),
				       word_of(SET_SIDE, (int)w->side), word_of(SET_WALL_TYPE, (int)other->type));
			return;
		}
}

static void read_walls(struct reading *r, struct plan_room *room, const struct statement *s)
{
	for (size_t i = 0; i < s->walls.n; i++) {
		const struct wall *w = &s->walls.items[i];
		struct plan_wall *side = &room->walls[w->side], wall = wall_of(r, room, w);

		if (!w->is_more) {
			*side = wall;
			continue;
		}
		struct plan_wall *more = arena_array(r->arena, side->more_count + 1, sizeof *more);
		for (size_t k = 0; k < side->more_count; k++)
			more[k] = side->more[k];
		more[side->more_count] = wall;
		side->more = more;
		side->more_count++;
		check_list(r, room, side, w);
	}
}

static void link_room(struct builder *b, int index, struct plan_room *room)
{
	struct plan *p = b->r->plan;
	int *last = room->parent >= 0 ? &b->last_child[room->parent] : &b->last_room[room->floor];

	if (*last >= 0)
		p->rooms.items[*last].next_sibling = index;
	else if (room->parent >= 0)
		p->rooms.items[room->parent].first_child = index;
	else
		p->floors.items[room->floor].first_room = index;
	*last = index;
	p->floors.items[room->floor].rooms += room->parent < 0;
}

static void add_room(struct builder *b, const struct statement *s)
{
	struct reading *r = b->r;
	struct plan *p = r->plan;
	const struct statement *owner = statement_of(r, (uint32_t)s->parent);
	int index = (int)p->rooms.n, above = b->r->index[s->parent];
	struct plan_room *room = ARRAY_PUSH(r->arena, &p->rooms);
	struct extent size = size_of(r, s);
	bool within = owner->kind != STATEMENT_FLOOR;

	b->r->index[s->number] = index;
	*room = (struct plan_room){.name = s->name.text.at ? s->name.text : TEXT(""),
				   .label = s->label.text,
				   .first_child = -1,
				   .next_sibling = -1,
				   .has_at = s->at.there,
				   .size_name = s->size.name.text,
				   .relative = s->relative.there,
				   .direction = s->relative.direction,
				   .reference = -1,
				   .reference_name = s->relative.reference.text,
				   .alignment = s->relative.there ? s->relative.alignment : -1,
				   .statement = (uint32_t)s->number};
	room->parent = within ? above : -1;
	room->floor = within ? p->rooms.items[above].floor : above;
	room->depth = within ? p->rooms.items[above].depth + 1 : 0;
	room->box.width = size.width;
	room->box.height = size.height;
	room->gap = s->relative.there ? in_plan(r, &s->relative.gap) : 0;
	room->has_height = s->height.there;
	room->height = s->height.there ? in_plan(r, &s->height)
		       : within        ? p->rooms.items[above].height
				       : p->floors.items[above].height;
	room->elevation = s->elevation.there ? in_plan(r, &s->elevation) : 0;
	room->style = style_of(r, s);
	read_walls(r, room, s);
	link_room(b, index, room);
}

static void add_floor(struct builder *b, const struct statement *s)
{
	struct reading *r = b->r;
	struct plan *p = r->plan;
	bool was = false;

	b->r->index[s->number] = (int)p->floors.n;
	if (s->name.text.at)
		map_at(&r->floors, s->name.text, (uint32_t)p->floors.n, &was);
	if (was)
		report_warning(&r->report, PROBLEM_NAME, s->name.span.from,
			       "floor '%s' is defined twice; references reach the first", shown_name(r, s->name.text));
	*ARRAY_PUSH(r->arena, &p->floors) =
		(struct plan_floor){.name = s->name.text.at ? s->name.text : TEXT(""),
				    .has_height = s->height.there,
				    .first_room = -1,
				    .height = s->height.there ? in_plan(r, &s->height) : p->config.default_height,
				    .statement = (uint32_t)s->number};
}

static double or_else(struct reading *r, const struct length *l, double otherwise)
{
	return l->there ? in_plan(r, l) : inches(r, otherwise);
}

static void add_stair(struct builder *b, const struct statement *s)
{
	enum { STEPS_MAX = 2000 }; /* more steps are a mistake in the plan, and each step is drawn */
	struct reading *r = b->r;
	const struct stair_syntax *t = s->stair;
	struct plan_stair *stair = ARRAY_PUSH(r->arena, &r->plan->stairs);

	*stair = (struct plan_stair){.name = s->name.text.at ? s->name.text : TEXT(""),
				     .label = s->label.text,
				     .has_at = s->at.there,
				     .floor = b->r->index[s->parent],
				     .style = style_of(r, s),
				     .shape = t->shape,
				     .handrail = t->handrail,
				     .stringer = t->stringer,
				     .statement = (uint32_t)s->number};
	if (s->broken)
		return;
	stair->rise = in_plan(r, &t->rise);
	stair->width = or_else(r, &t->width, 36);
	stair->riser_limit = or_else(r, &t->riser, 7);
	stair->tread = or_else(r, &t->tread, 11);
	stair->nosing = or_else(r, &t->nosing, 1);
	stair->headroom = or_else(r, &t->headroom, 80);
	double steps = stair->riser_limit > 0 ? ceil(stair->rise / stair->riser_limit - 1e-9) : 1;

	if (steps > STEPS_MAX)
		report_warning(&r->report, PROBLEM_STAIR, s->name.span.from,
			       "stair %s would have %s steps; it is drawn with %d", shown_name(r, s->name.text),
			       figure(r->arena, steps), (int)STEPS_MAX);
	stair->steps = (int)clamp(steps, 1, STEPS_MAX);
	stair->riser = stair->rise / stair->steps;
	stair_build(r->arena, stair, t, r);
}

static void add_lift(struct builder *b, const struct statement *s)
{
	struct reading *r = b->r;
	struct plan_lift *lift = ARRAY_PUSH(r->arena, &r->plan->lifts);
	struct extent size = size_of(r, s);

	*lift = (struct plan_lift){.name = s->name.text.at ? s->name.text : TEXT(""),
				   .label = s->label.text,
				   .has_at = s->at.there,
				   .floor = b->r->index[s->parent],
				   .style = style_of(r, s),
				   .statement = (uint32_t)s->number};
	lift->box.width = size.width;
	lift->box.height = size.height;
	memcpy(lift->doors, s->doors, sizeof lift->doors);
}

static void index_names(struct reading *r)
{
	const struct plan *p = r->plan;
	int *last = arena_array(r->arena, p->rooms.n + 1, sizeof *last);

	r->next_same = arena_array(r->arena, p->rooms.n + 1, sizeof *r->next_same);
	map_reserve(&r->rooms, p->rooms.n);
	for (size_t i = 0; i < p->rooms.n; i++) {
		bool was = false;
		uint32_t *first = map_at(&r->rooms, p->rooms.items[i].name, (uint32_t)i, &was);

		r->next_same[i] = -1;
		if (was)
			r->next_same[last[*first]] = (int)i;
		last[*first] = (int)i;
	}
	r->floor_elements = arena_array(r->arena, p->floors.n + 1, sizeof *r->floor_elements);
	for (size_t i = 0; i < p->floors.n; i++)
		r->floor_elements[i].arena = r->arena;
	for (size_t i = 0; i < p->stairs.n; i++)
		map_at(&r->floor_elements[p->stairs.items[i].floor], p->stairs.items[i].name, (uint32_t)i * 2, NULL);
	for (size_t i = 0; i < p->lifts.n; i++)
		map_at(&r->floor_elements[p->lifts.items[i].floor], p->lifts.items[i].name, (uint32_t)i * 2 + 1, NULL);
}

void read_rooms(struct reading *r)
{
	size_t n = r->syntax->statements.n, rooms = 0, floors = 0;
	struct builder b = {.r = r};

	for (size_t i = 0; i < n; i++) {
		enum statement_kind kind = r->syntax->statements.items[i]->kind;

		rooms += kind == STATEMENT_ROOM || kind == STATEMENT_SUB_ROOM;
		floors += kind == STATEMENT_FLOOR;
	}
	ARRAY_RESERVE(r->arena, &r->plan->rooms, rooms + 1);
	r->index = arena_array(r->arena, n + 1, sizeof *r->index);
	b.last_child = arena_array(r->arena, rooms + 1, sizeof *b.last_child);
	b.last_room = arena_array(r->arena, floors + 1, sizeof *b.last_room);
	memset(b.last_child, 0xFF, (rooms + 1) * sizeof *b.last_child);
	memset(b.last_room, 0xFF, (floors + 1) * sizeof *b.last_room);
	for (size_t i = 0; i < n; i++) {
		const struct statement *s = r->syntax->statements.items[i];

		switch (s->kind) {
		case STATEMENT_FLOOR: add_floor(&b, s); break;
		case STATEMENT_ROOM:
		case STATEMENT_SUB_ROOM: add_room(&b, s); break;
		case STATEMENT_STAIR: add_stair(&b, s); break;
		case STATEMENT_LIFT: add_lift(&b, s); break;
		case STATEMENT_DEFINE:
		case STATEMENT_STYLE:
		case STATEMENT_CONFIG:
		case STATEMENT_CONNECT:
		case STATEMENT_VERTICAL: break;
		}
	}
	index_names(r);
}
