#include "kinds/floorplan/plan/reading.h"

#include <math.h>
#include <string.h>

/* Each thing is placed by at most one other, so a chain of references is a path. It is followed to its end, or to a
 * room that is already on the path, which is a cycle. Then places are computed on the way back. */
enum state { UNSEEN, ON_PATH, DONE, FAILED };

struct node {
	enum node_kind kind;
	uint8_t state;
	int index;
	int frame;     /* floor, or floors + parent room */
	int reference; /* node, -1 */
	const struct statement *s;
	struct extent size;
	struct point own;
};

struct placing {
	struct reading *r;
	struct node *nodes;
	size_t n;
	struct map *frames; /* maps name to node, for frames that need it */
	bool *named;        /* by frame: it needs its map */
	int *room_node;     /* by room */
};

static void add_node(struct placing *g, enum node_kind kind, size_t index, int frame, const struct statement *s,
		     struct box box)
{
	struct node *n = &g->nodes[g->n];
	bool was = false;

	*n = (struct node){.kind = kind,
			   .index = (int)index,
			   .frame = frame,
			   .reference = -1,
			   .s = s,
			   .size = {box.width, box.height}};
	if (s->name.text.at && g->named[frame])
		map_at(&g->frames[frame], s->name.text, (uint32_t)g->n, &was);
	if (was) {
		struct problem *p = report_warning(
			&g->r->report, PROBLEM_NAME, s->name.span.from,
			"the name '%s' is used twice %s; references reach the first", shown_name(g->r, s->name.text),
			frame < (int)g->r->plan->floors.n ? "on this floor" : "in this room");

		problem_rooms(&g->r->report, p, s->name.text, (struct text){0});
	}
	g->n++;
}

static int frame_of(const struct plan *p, const struct plan_room *room)
{
	return room->parent < 0 ? room->floor : (int)p->floors.n + room->parent;
}

/* Finds the frames that need names: where one thing refers to another, or where a name may occur twice. */
static void find_named(struct placing *g)
{
	const struct reading *r = g->r;
	const struct plan *p = r->plan;

	for (size_t i = 0; i < p->rooms.n; i++) {
		const struct plan_room *room = &p->rooms.items[i];

		if (room->relative || r->next_same[i] >= 0)
			g->named[frame_of(p, room)] = true;
	}
	for (size_t i = 0; i < p->stairs.n; i++)
		g->named[p->stairs.items[i].floor] = true;
	for (size_t i = 0; i < p->lifts.n; i++)
		g->named[p->lifts.items[i].floor] = true;
}

static void collect(struct placing *g)
{
	struct reading *r = g->r;
	struct plan *p = r->plan;

	g->nodes = arena_array(r->arena, p->rooms.n + p->stairs.n + p->lifts.n + 1, sizeof *g->nodes);
	g->frames = arena_array(r->arena, p->floors.n + p->rooms.n + 1, sizeof *g->frames);
	g->named = arena_array(r->arena, p->floors.n + p->rooms.n + 1, sizeof *g->named);
	find_named(g);
	g->room_node = arena_array(r->arena, p->rooms.n + 1, sizeof *g->room_node);
	for (size_t i = 0; i < p->floors.n + p->rooms.n; i++)
		g->frames[i].arena = r->arena;
	for (size_t i = 0; i < p->floors.n; i++)
		if (g->named[i])
			map_reserve(&g->frames[i], (size_t)p->floors.items[i].rooms);
	for (size_t i = 0; i < p->rooms.n; i++) {
		const struct plan_room *room = &p->rooms.items[i];

		g->room_node[i] = (int)g->n;
		add_node(g, NODE_ROOM, i, frame_of(p, room), statement_of(r, room->statement), room->box);
	}
	for (size_t i = 0; i < p->stairs.n; i++)
		add_node(g, NODE_STAIR, i, p->stairs.items[i].floor, statement_of(r, p->stairs.items[i].statement),
			 p->stairs.items[i].box);
	for (size_t i = 0; i < p->lifts.n; i++)
		add_node(g, NODE_LIFT, i, p->lifts.items[i].floor, statement_of(r, p->lifts.items[i].statement),
			 p->lifts.items[i].box);
}

/* Only a room on a floor must have a place. The public language accepts the others without one. */
static bool must_be_placed(const struct placing *g, const struct node *n)
{
	return n->kind == NODE_ROOM && n->frame < (int)g->r->plan->floors.n;
}

static struct problem *complain(struct placing *g, const struct node *n, enum problem_type type, uint32_t at,
				const char *message)
{
	bool must = must_be_placed(g, n) && !(type == PROBLEM_MISSING_REFERENCE && n->s->at.there);
	struct problem *p = must ? report_error(&g->r->report, type, at, "%s", message)
				 : report_warning(&g->r->report, type, at, "%s%s", message,
						  n->s->at.there ? "" : "; it is put at (0,0)");

	p->room = n->s->name.text;
	return p;
}

static void find_reference(struct placing *g, struct node *n)
{
	struct reading *r = g->r;
	const struct relative *rel = &n->s->relative;

	if (!rel->there)
		return;
	const uint32_t *found = map_find(&g->frames[n->frame], rel->reference.text);

	if (found && (n->kind != NODE_ROOM || g->nodes[*found].kind == NODE_ROOM)) {
		n->reference = (int)*found;
		if (n->kind == NODE_ROOM)
			r->plan->rooms.items[n->index].reference = g->nodes[*found].index;
		return;
	}
	bool on_floor = n->frame < (int)r->plan->floors.n;
	const char *where =
		on_floor ? text_format(r->arena, "on floor %s", shown_name(r, r->plan->floors.items[n->frame].name)).at
			 : "among its siblings";
	const char *near = on_floor ? nearest_room(r, n->frame, rel->reference.text) : "";

	complain(g, n, PROBLEM_MISSING_REFERENCE, rel->reference.span.from,
		 text_format(r->arena, "%s refers to '%s', which is not %s%s", shown_name(r, n->s->name.text),
			     shown_name(r, rel->reference.text), where, near)
			 .at);
}

/* The alignment applies on the axis along which the two are side by side. */
static double aligned(const struct relative *rel, enum axis axis, double start, double there, double own)
{
	if (rel->alignment < 0)
		return start;
	const struct alignment_row *row = &alignment_rows[rel->alignment];

	return row->axis == axis || row->axis == AXIS_BOTH ? start + row->share * (there - own) : start;
}

static double along(int way, double start, double there, double own, double gap, double beside)
{
	return way > 0 ? start + there + gap : way < 0 ? start - own - gap : beside;
}

static struct point beside(const struct reading *r, const struct node *n, const struct node *ref)
{
	const struct relative *rel = &n->s->relative;
	const struct direction_row *way = &direction_rows[rel->direction];
	double gap = rel->gap.there ? in_plan(r, &rel->gap) : 0;
	struct point at = ref->own;

	return (struct point){
		along(way->dx, at.x, ref->size.width, n->size.width, gap,
		      aligned(rel, AXIS_X, at.x, ref->size.width, n->size.width)),
		along(way->dy, at.y, ref->size.height, n->size.height, gap,
		      aligned(rel, AXIS_Y, at.y, ref->size.height, n->size.height)),
	};
}

static void check_alignment(struct placing *g, const struct node *n)
{
	const struct relative *rel = &n->s->relative;

	if (!rel->there || rel->alignment < 0)
		return;
	const struct direction_row *way = &direction_rows[rel->direction];
	enum axis axis = alignment_rows[rel->alignment].axis;
	bool counts = way->dx && way->dy ? false : way->dx ? axis != AXIS_X : axis != AXIS_Y;

	if (!counts)
		report_warning(&g->r->report, PROBLEM_POSITION, rel->alignment_word.from,
			       "align %s has no effect with %s; %s", word_of(SET_ALIGNMENT, rel->alignment),
			       word_of(SET_DIRECTION, (int)rel->direction),
			       way->dx && way->dy ? "a diagonal has no alignment"
			       : way->dx          ? "top, bottom or center would have"
						  : "left, right or center would have")
			->room = n->s->name.text;
}

/* A custom stair whose flight runs along a wall needs no place of its own. */
static bool is_pressed(const struct node *n)
{
	for (size_t i = 0; n->kind == NODE_STAIR && i < n->s->stair->segments.n; i++)
		if (n->s->stair->segments.items[i].along.text.at)
			return true;
	return false;
}

static void settle(struct placing *g, struct node *n)
{
	struct reading *r = g->r;
	const struct statement *s = n->s;
	const struct node *ref = n->reference >= 0 ? &g->nodes[n->reference] : NULL;

	n->state = DONE;
	if (s->at.there) {
		n->own = (struct point){in_plan(r, &s->at.x), in_plan(r, &s->at.y)};
	} else if (ref && ref->state == DONE) {
		n->own = beside(r, n, ref);
	} else if (ref || s->relative.there || s->broken || is_pressed(n)) {
		n->state = must_be_placed(g, n) ? FAILED : DONE; /* the reason is already reported */
	} else {
		const char *name = shown_name(r, s->name.text);

		complain(g, n, n->kind == NODE_ROOM ? PROBLEM_NO_POSITION : PROBLEM_STAIR, s->name.span.from,
			 text_format(r->arena, "%s has no place; give it at (X,Y), or a direction as in right-of ROOM",
				     name)
				 .at);
		n->state = must_be_placed(g, n) ? FAILED : DONE;
	}
}

static void tell_circle(struct placing *g, const int *circle, size_t n)
{
	struct reading *r = g->r;
	size_t first = 0;
	struct buffer names = {.arena = r->arena};

	for (size_t i = 1; i < n; i++)
		if (g->nodes[circle[i]].s->span.from < g->nodes[circle[first]].s->span.from)
			first = i;
	for (size_t k = 0; k <= n; k++) {
		const struct node *node = &g->nodes[circle[(first + k) % n]];

		buffer_format(&names, "%s%s", k ? " -> " : "", shown_name(r, node->s->name.text));
	}
	struct problem *p = complain(
		g, &g->nodes[circle[first]], PROBLEM_CIRCULAR_DEPENDENCY, g->nodes[circle[first]].s->name.span.from,
		text_format(r->arena, "rooms are placed in a circle: %s; give one of them at (X,Y)",
			    buffer_text(&names).at)
			.at);

	p->rooms.items = arena_array(r->arena, n, sizeof(struct text));
	p->rooms.n = n;
	for (size_t i = 0; i < n; i++)
		p->rooms.items[i] = g->nodes[circle[i]].s->name.text;
}

static void walk(struct placing *g, int start, int *path)
{
	size_t n = 0;
	int at = start;

	while (at >= 0 && g->nodes[at].state == UNSEEN) {
		g->nodes[at].state = ON_PATH;
		path[n++] = at;
		at = g->nodes[at].s->at.there ? -1 : g->nodes[at].reference;
	}
	if (at >= 0 && g->nodes[at].state == ON_PATH) {
		size_t from = n - 1;

		while (path[from] != at)
			from--;
		tell_circle(g, path + from, n - from);
		for (size_t i = from; i < n; i++)
			g->nodes[path[i]].state = must_be_placed(g, &g->nodes[path[i]]) ? FAILED : DONE;
		n = from;
	}
	while (n > 0)
		settle(g, &g->nodes[path[--n]]);
}

/* If there are coordinates and a direction, the coordinates are used, and the direction is only checked. */
static void check_both(struct placing *g, const struct node *n)
{
	const struct node *ref = n->reference >= 0 ? &g->nodes[n->reference] : NULL;
	struct reading *r = g->r;

	if (!n->s->at.there || !ref || ref->state != DONE)
		return;
	struct point p = beside(r, n, ref);

	if (fabs(p.x - n->own.x) <= 0.001 && fabs(p.y - n->own.y) <= 0.001)
		return;
	struct problem *w = report_warning(&r->report, PROBLEM_POSITION, n->s->relative.span.from,
					   "at (%s,%s) and %s %s disagree: that would be (%s,%s); the coordinates hold",
					   figure(r->arena, n->own.x), figure(r->arena, n->own.y),
					   word_of(SET_DIRECTION, (int)n->s->relative.direction),
					   shown_name(r, n->s->relative.reference.text), figure(r->arena, p.x),
					   figure(r->arena, p.y));

	problem_rooms(&r->report, w, n->s->name.text, n->s->relative.reference.text);
	if (n->kind == NODE_ROOM)
		suggest_move(r, w, r->index[n->s->number], p.x, p.y);
}

/* The extent of a flight along an axis. */
static void reach(const struct stair_part *flight, bool level, double *low, double *high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (size_t i = 0; i < flight->points; i++) {
		double at = level ? flight->outline[i].y : flight->outline[i].x;

		*low = fmin(*low, at);
		*high = fmax(*high, at);
	}
}

/* Puts a flight that runs along a wall against that wall. The first flight on an axis decides; coordinates or a
 * direction take precedence. */
static void press(struct placing *g, struct plan_stair *stair, const struct statement *s, struct point *at)
{
	struct reading *r = g->r;
	bool set_x = s->at.there || s->relative.there, set_y = set_x;

	for (size_t i = 0; i < s->stair->segments.n; i++) {
		const struct segment *k = &s->stair->segments.items[i];
		int room = k->along.text.at ? room_on(r, k->along.text, stair->floor) : -1;
		bool level = k->along_side == SIDE_TOP || k->along_side == SIDE_BOTTOM;
		bool far = k->along_side == SIDE_BOTTOM || k->along_side == SIDE_RIGHT;
		double low, high;

		if (k->along.text.at && room < 0)
			report_error(&r->report, PROBLEM_MISSING_REFERENCE, k->along.span.from,
				     "%s runs along '%s', which is not on its floor%s", shown_name(r, stair->name),
				     shown_name(r, k->along.text), nearest_room(r, stair->floor, k->along.text));
		if (room < 0 || i >= stair->part_count || (level ? set_y : set_x))
			continue;
		const struct box *box = &r->plan->rooms.items[room].box;

		reach(&stair->parts[i], level, &low, &high);
		if (!set_x && !set_y)
			*at = (struct point){box->x, box->y};
		if (level)
			at->y = far ? box->y + box->height - high : box->y - low;
		else
			at->x = far ? box->x + box->width - high : box->x - low;
		*(level ? &set_y : &set_x) = true;
	}
}

static void put(struct placing *g, const struct node *n)
{
	struct plan *p = g->r->plan;
	struct point at = n->own;

	switch (n->kind) {
	case NODE_ROOM: {
		struct plan_room *room = &p->rooms.items[n->index];
		const struct plan_room *parent = room->parent >= 0 ? &p->rooms.items[room->parent] : NULL;

		room->own = n->own;
		room->placed = n->state == DONE && (!parent || parent->placed);
		room->box.x = at.x + (parent ? parent->box.x : 0);
		room->box.y = at.y + (parent ? parent->box.y : 0);
		break;
	}
	case NODE_STAIR: {
		struct plan_stair *stair = &p->stairs.items[n->index];

		if (n->s->stair->shape == STAIR_CUSTOM)
			press(g, stair, n->s, &at);
		stair_move(stair, at.x, at.y);
		stair->placed = n->state == DONE && !n->s->broken;
		break;
	}
	case NODE_LIFT:
		p->lifts.items[n->index].box.x = at.x;
		p->lifts.items[n->index].box.y = at.y;
		p->lifts.items[n->index].placed = n->state == DONE && !n->s->broken;
		break;
	}
}

static void grow(struct box *around, const struct box *b, bool *any)
{
	if (!*any) {
		*around = *b;
		*any = true;
		return;
	}
	double right = fmax(around->x + around->width, b->x + b->width),
	       bottom = fmax(around->y + around->height, b->y + b->height);

	around->x = fmin(around->x, b->x);
	around->y = fmin(around->y, b->y);
	around->width = right - around->x;
	around->height = bottom - around->y;
}

static void measure_floors(struct reading *r)
{
	struct plan *p = r->plan;
	bool *any = arena_array(r->arena, p->floors.n + 1, sizeof *any);

	for (size_t i = 0; i < p->rooms.n; i++) {
		const struct plan_room *room = &p->rooms.items[i];

		if (!room->placed || room->depth > 0)
			continue;
		grow(&p->floors.items[room->floor].box, &room->box, &any[room->floor]);
		p->floors.items[room->floor].centre_line_area += room->box.width * room->box.height;
	}
	for (size_t i = 0; i < p->stairs.n; i++)
		if (p->stairs.items[i].placed)
			grow(&p->floors.items[p->stairs.items[i].floor].box, &p->stairs.items[i].box,
			     &any[p->stairs.items[i].floor]);
	for (size_t i = 0; i < p->lifts.n; i++)
		if (p->lifts.items[i].placed)
			grow(&p->floors.items[p->lifts.items[i].floor].box, &p->lifts.items[i].box,
			     &any[p->lifts.items[i].floor]);
}

void read_places(struct reading *r)
{
	struct placing g = {.r = r};

	collect(&g);
	int *path = arena_array(r->arena, g.n + 1, sizeof *path);

	for (size_t i = 0; i < g.n; i++)
		find_reference(&g, &g.nodes[i]);
	for (size_t i = 0; i < g.n; i++)
		walk(&g, (int)i, path);
	for (size_t i = 0; i < g.n; i++) {
		check_alignment(&g, &g.nodes[i]);
		check_both(&g, &g.nodes[i]);
		put(&g, &g.nodes[i]);
	}
	measure_floors(r);
}
